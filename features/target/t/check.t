# Tests of refusing logs of measure.sh with right checks that contradict themselves: UnixBench::Target::Check.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(baseline);
use MadeLog                        qw(lines_of log_of);
use Place                          qw(place text_of write_file);
use UnixBench::Base::JSON;
use UnixBench::Target::Result;
use UnixBench::Plan::Baseline;
use UnixBench::Target::Log;

my %LOG      = map { $_ => [lines_of(text_of("$FindBin::Bin/data/$_.log"))] } qw(official quick);
my $BASELINE = UnixBench::Plan::Baseline::parse(baseline());
my $PLACE    = place();
my $PATH     = "$PLACE/console.log";
my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# Takes the text of a log; returns the result, or the message that refuses it.
sub result_of {
    my ($text) = @_;
    write_file($PATH, $text);
    return eval {
        my $log = UnixBench::Target::Log::read_file($PATH) // die "not a log\n";
        UnixBench::Target::Result::result(
            log              => $log,
            baseline         => $BASELINE,
            kind_of_baseline => 'official'
        );
    } // $@;
}

# Takes a result; returns { "COPIES TEST PASS" => its count and time }.
sub passes_of {
    my ($result) = @_;
    my %passes;
    for my $run (@{ $result->{runs} }) {
        for my $test (@{ $run->{tests} }) {
            $passes{"$run->{copies} $test->{name} $_->{number}"} = join q{ }, map { $_ // q{} } @$_{qw(count time_s)}
                for @{ $test->{passes} };
        }
    }
    return \%passes;
}

# Returns a change of lines that replaces the text that matches in each line, or only in the first one.
sub each_line {
    my ($from, $to) = @_;
    return sub {
        map { s/$from/$to/r } @_;
    }
}

sub once {
    my ($from, $to) = @_;
    return sub {
        my $is_done;
        map {
            !$is_done && /$from/
                ? do { $is_done = 1; s/$from/$to/r }
                : $_
        } @_;
    };
}

# Returns a change that puts lines behind the first line that matches, or before it.
sub behind {
    my ($at, @more) = @_;
    return sub {
        my $is_done;
        map {
            ($_, !$is_done && /$at/ ? do { $is_done = 1; @more } : ())
        } @_;
    };
}

sub before_line {
    my ($at, @more) = @_;
    return sub {
        my $is_done;
        map {
            (!$is_done && /$at/ ? do { $is_done = 1; @more } : (), $_)
        } @_;
    };
}

# Returns a change that drops lines, so that the numbers have no gap.
sub without {
    my ($at) = @_;
    return sub {
        grep { $_ !~ /$at/ } @_;
    }
}

sub planned { my ($key, $value) = @_; return each_line(qr/\Aplan[|]$key[|]\K.*/, $value) }

# Changes the lines of the pass that matches "COPIES|TEST|NUMBER".
sub in_pass {
    my ($pass, $change) = @_;
    return sub {
        my (@before, @pass);
        push @before, shift while @_ && $_[0] !~ /\Apass[|]\Q$pass\E[|]/;
        push @pass,   shift while @_ && $_[0] !~ /\Adone[|]/;
        push @pass,   shift;
        return (@before, $change->(@pass), @_);
    };
}

my @pass_of_pipe = (
    'pass|1|pipe|4|1795692299|{bindir}/pipe 0.1', 'said|1|COUNT|900000|1|lps',
    'said|1|TIME|0.100044026',                    'copy|1|8506|0',
    'done|1|pipe|4|1795692299|*'
);

# The changes of the official log.
my %OFFICIAL = (
    (map { ("the factor $_" => planned(factor => $_)) } qw(0 -1 inf nan 2 1e-3 0x1), '', '.', '0.0000001'),
    (map { ("$_ CPUs"       => planned(cpus   => $_)) } qw(0 1e99 2.5 -1 inf 02 999999), q{}),
    (
        map { ("copies: $_" => planned(copies => $_)) } '0 2',
        '01 2', '1 1 2', '2', '1,2', '1 2 3', '2 1', '1e0 2', '10000'
    ),
    (map { ("MULTI_SH_WORK_FACTOR $_" => planned(work => $_)) } qw(0 -1 1.5 abc 10000000)),
    (map { ("the kind $_"          => planned(kind    => $_)) } qw(fast Official), q{}),
    (map { ("the gate $_"          => planned(gate    => $_)) } qw(2 yes),         q{}),
    (map { ("the version $_"       => planned(version => $_)) } qw(x 8),           q{8.0.0|x}),
    (map { ("the words $_"         => planned(asked => $_)) } 'pipe', 'index', 'nothing', 'dhry2reg pipe fstime hanoi'),
    (map { ("the program $_"       => planned(execl => $_)) } '../execl', 'spawn'),
    (map { ("the wanted passes $_" => planned(passes => $_)) } 'pipe',    'pipe 0', 'pipe 99999', 'pipe 4 4'),
    'another format'                        => planned(format => '3'),
    'the other format'                      => each_line(qr/\Aplan[|]format[|]\K2/, '2 '),
    'a seed'                                => behind(qr/plan[|]execl/, 'plan|seed|5'),
    'two plans'                             => once(qr/plan[|]factor[|]\K.*/,      '0.1'),
    'two numbers of CPUs'                   => once(qr/plan[|]cpus[|]\K.*/,        '64'),
    'two numbers of passes'                 => once(qr/plan[|]passes[|]pipe \K.*/, '5'),
    'no option plans these passes'          => each_line(qr/plan[|]passes[|]pipe \K.*/, '5'),
    'a test without a plan'                 => without(qr/plan[|]passes[|]pipe/),
    'no tests'                              => without(qr/plan[|]passes/),
    'no numbers of copies'                  => without(qr/plan[|]copies/),
    'a graphics test'                       => each_line(qr/\bpipe\b/,             'ubgears'),
    'an unknown test'                       => each_line(qr/\bpipe\b/,             'nothing'),
    'another test'                          => each_line(qr/(?<=[|])pipe(?=[| ])/, 'syscall'),
    'a test skipped and measured'           => before_line(qr/plan/, 'skip|pipe|skipped: there is no program pipe'),
    'a test skipped twice'                  => before_line(qr/plan/, ('skip|hanoi|skipped: no') x 2),
    'a test skipped that was not asked for' => before_line(qr/plan/,   'skip|hanoi|skipped: there is no program hanoi'),
    'a test skipped without reason'         => before_line(qr/plan/,   'skip|hanoi|'),
    'skipped at the end'                    => before_line(qr/end[|]/, 'skip|hanoi|skipped: no'),
    'a pass twice'             => behind(qr/done[|]1[|]pipe[|]4/, @pass_of_pipe),
    'all passes with number 1' => each_line(qr/\A(?:pass|done)[|]1[|]pipe[|]\K[0-9]/, '1'),
    'a pass too many'          => behind(qr/done[|]1[|]pipe[|]4/, map { s/pipe[|]4/pipe|5/r } @pass_of_pipe),
    'a pass with number 0'     => each_line(qr/\A(?:pass|done)[|]1[|]pipe[|]\K1/,     '0'),
    'a pass with number 01'    => each_line(qr/\A(?:pass|done)[|]1[|]pipe[|]\K1/,     '01'),
    'a pass of 3 copies'       => each_line(qr/\A(?:pass|done)[|]\K1(?=[|]pipe[|]1)/, '3'),
    'a pass of 0 copies'       => each_line(qr/\A(?:pass|done)[|]\K1(?=[|]pipe[|]1)/, '0'),
    'passes in another order'  => sub {
        my @lines = map { s/\A(?:pass|done)[|]1[|]pipe[|]\K([12])/3 - $1/er } @_;
        return @lines;
    },
    'tests in another order' => in_pass(
        '1|pipe|1',
        sub {
            map { s/[|]pipe[|]1/|dhry2reg|4/r =~ s/[|]pipe /|x /r } @_;
        }
    ),
    'a pass is missing'                => in_pass('1|pipe|2', sub { return }),
    'the end of a test is missing'     => without(qr/made[|]1[|]pipe/),
    'a pass after the end of its test' => sub {
        my ($made) = grep { /made[|]1[|]pipe/ } @_;
        return before_line(qr/pass[|]1[|]pipe[|]4/, $made)->(without(qr/made[|]1[|]pipe/)->(@_));
    },
    'a test ends twice'                  => behind(qr/made[|]1[|]pipe/, 'made|1|pipe|4|0'),
    'a test ends early'                  => each_line(qr/made[|]1[|]pipe[|]\K4/,            '3'),
    'a test ends late'                   => each_line(qr/made[|]1[|]pipe[|]\K4/,            '1000000'),
    'a test ends without a pass'         => each_line(qr/made[|]1[|]pipe[|]4[|]0/,          'made|1|pipe|0|1'),
    'a quick pass'                       => each_line(qr/pass[|].*pipe \K0[.]1/,            '0.01'),
    'an official pass of full length'    => each_line(qr/pass[|].*pipe \K0[.]1/,            '10'),
    'another program'                    => each_line(qr/pass[|]1[|]pipe.*bindir.\/\Kpipe/, 'syscall'),
    'another command'                    => once(qr/pass[|]1[|]pipe.*[|]\K.*/,            'rm -rf /'),
    'no command'                         => once(qr/pass[|]1[|]pipe[|]1[|][0-9]+[|]\K.*/, q{}),
    'the end of a pass before its begin' => once(qr/done[|]1[|]pipe[|]1[|]\K[0-9]+/,      '17'),
    'more time than passed'              => in_pass(
        '1|pipe|1',
        sub {
            map { s/TIME[|]\K.*/7200.5/r } @_;
        }
    ),
    'another first line'      => once(qr/done[|]1[|]pipe[|]1[|][0-9]+[|]\K.*/, '1'),
    'the end of another pass' => once(qr/done[|]1[|]pipe[|]\K1/,               '2'),
    'a copy too many'         => in_pass(
        '2|pipe|1',
        sub {
            map { ($_, /\Acopy[|]2/ ? 'copy|3|9|0' : ()) } @_;
        }
    ),
    'a copy too few'    => in_pass('2|pipe|1', without(qr/\A(?:copy|said)[|]2[|]/)),
    'a copy ends twice' => in_pass(
        '2|pipe|1',
        sub {
            map { ($_, /\Acopy[|]2/ ? 'copy|2|9|0' : ()) } @_;
        }
    ),
    'copy 0'                       => in_pass('2|pipe|1', each_line(qr/\A(?:copy|said)[|]\K2(?=[|])/, '0')),
    'status 999'                   => in_pass('1|pipe|1', each_line(qr/copy[|].*[|]\K0/,              '999')),
    'out of time after a second'   => in_pass('1|pipe|1', behind(qr/\Acopy/, 'late|1')),
    'out of time twice'            => in_pass('1|pipe|1', behind(qr/\Acopy/, 'late|61', 'late|61')),
    'a pass in a pass'             => in_pass('1|pipe|1', behind(qr/\Acopy/, @pass_of_pipe)),
    'a fact in a pass'             => in_pass('1|pipe|1', behind(qr/\Acopy/, 'fact|uname|s Linux')),
    'a plan in a pass'             => in_pass('1|pipe|1', behind(qr/\Acopy/, 'plan|gate|1')),
    'an interruption that goes on' => behind(qr/made[|]1[|]pipe/,   'stop|INT'),
    'two interruptions'            => behind(qr/made[|]2[|]fstime/, 'stop|INT', 'stop|INT'),
    'an unknown signal'            => behind(qr/made[|]2[|]fstime/, 'stop|KILL'),
    'two ends'                     => behind(qr/\Aend/,             'end|*'),
    'another last line'            => each_line(qr/\Aend[|]\K.*/, '7'),
    'lines after the end'          => behind(qr/\Aend/, 'plan|gate|1'),
    'a pass after the end'         => behind(qr/\Aend/, @pass_of_pipe),
    'an unknown kind of line'      => in_pass('1|pipe|1', behind(qr/\Acopy/, 'luck|1')),
    'counts with right checks, in other forms' => in_pass('1|pipe|1', each_line(qr/COUNT[|]\K[^|]*/, '-5')),
    'a count of infinity'                      => in_pass('1|pipe|1', each_line(qr/COUNT[|]\K[^|]*/, 'inf')),
    'a count without a time'   => in_pass('1|pipe|1', without(qr/TIME/)),
    'a look that fits nothing' => in_pass('1|pipe|1', behind(qr/\Acopy/, 'look|1.0|2|1 2 3 4 5 6 7 8|1|1 2 3 4 5 6|1')),
);

# The changes of the quick log.
my %QUICK = (
    'no seed at all is enough, but not 0' => planned(seed => '0'),
    'a seed with a fraction'              => planned(seed => '1.5'),
    'official passes'                     => each_line(qr/pass[|].*pipe \K0[.]01/, '0.1'),
    'quick passes under an official plan' => planned(kind => 'official'),
    'rounds that differ'                  => each_line(qr/plan[|]passes[|]pipe \K.*/,      '5'),
    'a round too many'                    => each_line(qr/(?:pass|done)[|]2[|]pipe[|]\K4/, '5'),
    'a round in another order'            => each_line(qr/(?:pass|done)[|]2[|]pipe[|]\K1/, '4'),
    'the number of loops in braces'       => each_line(qr/ -n \K1/,                        '{loops}'),
    'no loops'                            => each_line(qr/ -n \K1/,                        '0'),
    'a warm-up that is a pass'            => each_line(qr/(?:pass|done)[|]2[|]pipe[|]\K1/, '0'),
);

my $kinds  = keys(%OFFICIAL) + keys %QUICK;
my %change = (official => \%OFFICIAL, quick => \%QUICK);
cmp_ok($kinds, '>=', 80, "$kinds kinds of contradictions with right checksums");
for my $log (sort keys %change) {
    my $whole = result_of(log_of(@{ $LOG{$log} }));
    is(ref $whole, 'HASH', "$log: the unchanged log is a result") or diag $whole;
    my $known = passes_of($whole);
    my %accepted;
    for my $case (sort keys %{ $change{$log} }) {
        my $result = result_of(log_of($change{$log}{$case}->(@{ $LOG{$log} })));
        if (!ref $result) {
            like($result, qr/\A[ -~]{20,400}\n\z/, "$log, $case: refused by one line");
            next;
        }
        my $passes   = passes_of($result);
        my @invented = grep { $passes->{$_} ne ($known->{$_} // q{}) && $passes->{$_} ne q{ } } keys %$passes;
        my $runner   = $result->{procedure}{runner};
        my @failed   = grep { $_->{status} eq 'failed' } map { @{ $_->{tests} } } @{ $result->{runs} };
        ok(!@invented && (@{ $runner->{lost} } || $runner->{bad_lines} || @failed),
            "$log, $case: each is refused or named")
            or diag explain [$runner, \@invented];
    }
}
is_deeply(\@warnings, [], 'Perl prints no warnings');

done_testing;
