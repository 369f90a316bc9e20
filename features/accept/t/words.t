# Cases in words: UnixBench::Accept::Verdict.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(@INDEX failed measured result run skipped steady_result tag tagged);
use Outcomes                       qw(hostile_text);
use Verdicts                       qw(judged);
use UnixBench::Accept::Verdict     qw(cause_of reason_of sentence);

# Takes facts of the result to replace; returns it: each pass of two runs was disturbed by several causes.
sub busy_result {
    my (%facts) = @_;
    my $by      = [{ name => 'python', pid => 4711, cpus => 1.98 }];
    my @tags    = (
        { %{ tag('others',    'disturbed', 1.98) }, by => $by },
        { %{ tag('run_queue', 'disturbed', 9) },    by => $by },
        tag('another_run',  'note',      2),
        tag('pressure_cpu', 'disturbed', 0.34),
    );
    my @runs;
    for my $copies (1, 4) {
        push @runs, run($copies, map { _test($_, $copies, @tags) } @INDEX);
    }
    return result(\@runs, facts => { load => [7.1, 5, 3] }, %facts);
}

# Returns a test that varies by 14 %.
sub _test {
    my ($name, $copies, @tags) = @_;
    my $passes = $name =~ /\A(?:dhry2reg|whetstone-double|pipe|context1|syscall)\z/ ? 10 : 3;
    my @counts = map { 1e6 * (1 + 0.12 * ($_ % 3)) } 1 .. $passes;
    return tagged(measured($name, $copies, @counts), { map { $_ => \@tags } 1 .. $passes });
}

my %PIPE = (
    kind    => 'requirement',
    title   => 'pipe>=100',
    copies  => 1,
    verdict => 'INCONCLUSIVE',
    value   => 615,
    low     => 480,
    high    => 900,
    reason  => 'why',
);
my %MET      = (verdict     => 'PASS',  reason => undef);
my %UNMET    = (verdict     => 'FAIL',  reason => undef);
my %OF       = (is_relative => 1,       limit  => 700);
my %LOADED   = (at_least    => 400,     reason => 'other load');
my %ONE_PASS = (low         => undef,   high   => undef);
my %SMALL    = (value       => 0.61512, low    => 0.5,                     high  => 12.345);
my %DIED     = (value       => undef,   reason => '"Pipe": died (pass 2)', brief => '"Pipe": failed');

my $BETWEEN = '615.0, somewhere from 480.0 to 900.0';
my $BELOW   = 'below the limit';

# [what a case has, its reason, what it has in common with others].
my @CASES = (
    [{%MET}                              => '615.0, at least 480.0',                              'PASS'],
    [{%UNMET}                            => '615.0, at most 900.0',                               $BELOW],
    [{}                                  => "$BETWEEN: why",                                      'why'],
    [{%ONE_PASS}                         => '615.0: why',                                         'why'],
    [{%SMALL}                            => '0.6151, somewhere from 0.5 to 12.35: why',           'why'],
    [{ more_runs => 1 }                  => "$BETWEEN: about 1 more run would decide",            'why'],
    [{ more_runs => 50 }                 => "$BETWEEN: about 50 more runs would decide",          'why'],
    [{ more_runs => 51 }                 => "$BETWEEN: so near that 50 more runs may not decide", 'why'],
    [{ %MET, %OF }                       => '615.0, at least 480.0',                              'PASS'],
    [{ %UNMET, %OF }                     => '615.0, at most 900.0, limit 700.0',                  $BELOW],
    [{ %UNMET, %OF, trust => 'poor' }    => '615.0, at most 900.0, limit 700.0 (trust: poor)',    $BELOW],
    [{%LOADED}                           => '615.0, at least 400.0: other load',                  'other load'],
    [{ %LOADED, at_most => 999 }         => '615.0, somewhere from 400.0 to 999.0: other load',   'other load'],
    [{ %LOADED, %MET }                   => '615.0, at least 400.0',                              'PASS'],
    [{ %LOADED, %UNMET, at_most => 700 } => '615.0, at most 700.0',                               $BELOW],
    [
        { %UNMET, cpu_limit => '1.5 CPUs' } => '615.0, at most 900.0: CPU time limit: 1.5 CPUs',
        'CPU time limit: 1.5 CPUs'
    ],
    [
        { cpu_limit => 'the time of 0.50 CPUs', reason => 'other load; measure again in a quiet moment' } =>
            '615.0: CPU time limit: the time of 0.50 CPUs; other load',
        'CPU time limit: the time of 0.50 CPUs; other load'
    ],
    [{%DIED} => '"Pipe": died (pass 2)', '"Pipe": failed'],
);
for my $case (@CASES) {
    my ($has, $reason, $cause) = @$case;
    my %case = (%PIPE, %$has);
    is(sentence(\%case), "$case{verdict} pipe>=100 (1 copy): $reason", "$case{verdict}: $reason");
    is(cause_of(\%case), "pipe>=100 (1 copy): $cause",                 '... and without numbers');
}

subtest 'the cases of a result' => sub {
    my @tests = (
        measured('pipe', 1, 990, 1010),
        failed('syscall', "bad\nend"),
        skipped('2d-rects', 'skipped: no X display; set DISPLAY or install xvfb')
    );
    my @cases = judged(steady_result([run(1, @tests)], asked => ['all']), [1], "pipe>=1*\e.json" => 2);
    is_deeply(
        [map { sentence($_) } @cases],
        [
            'PASS Pipe Throughput (1 copy): 99.98 lps',
            'ERROR System Call Overhead (1 copy): bad\nend',
            'SKIP 2D graphics: rectangles (1 copy): no X display; set DISPLAY or install xvfb',
            'PASS pipe>=1*\x1b.json (1 copy): 99.98, at least 88.11',
        ],
        'each is one line without control characters'
    );
    my ($case) = judged(steady_result([run(4, measured('pipe', 4, 1e12, 1e12))]), [4]);
    is(sentence({ %$case, label => 'A1' }), 'PASS Pipe Throughput (4 copies, A1): 399939909528.4 lps', 'a label');
    my $hostile = sentence({ %$case, title => hostile_text(), reason => hostile_text() });
    unlike($hostile, qr/[^\x20-\x7e\xc3\xa9]/, 'control characters in titles and reasons are escaped');
};

subtest 'reasons are short' => sub {
    my @cases =
        grep { $_->{kind} eq 'requirement' } judged(busy_result(), [1, 4], 'index>=1e5' => undef, 'pipe>=1e9' => undef);
    like(
        sentence($cases[0]),
        qr/\AINCONCLUSIVE index>=1e5 [(]1 copy[)]: [\d.]+, (?:at least|somewhere from) .*: other load; measure again/,
        'other load'
    );
    like(reason_of(@cases), qr/\Aindex>=1e5 [(]1 copy[)]: .*other load.*; and 3 more\z/, 'how many more there are');
    is(cause_of(@cases), 'index>=1e5 (1 copy): other load; measure again in a quiet moment; and 3 more', 'no number');
    my %long = (%PIPE, title => 'index>=0.9*' . 'x' x 200, reason => 'y' x 200);
    cmp_ok(length reason_of(\%long, \%long), '<=', 80, 'a long reason is cut, with its title');
    cmp_ok(length sentence(\%long),          '<=', 80 + length "INCONCLUSIVE $long{title} (1 copy): ", 'also without');
};

done_testing;
