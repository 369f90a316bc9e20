package Verdicts;

# Results with verdicts, for the tests of their reports.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(@INDEX baseline failed host interrupted measured result run skipped);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Requirement;
use UnixBench::Plan::Baseline;
use UnixBench::Score::Estimate;
use UnixBench::Store::Summary;

our @EXPORT_OK = qw(hostile_text judged verdicts);

# Takes a result, the numbers of copies that were asked for, and { requirement => the value in its file, or undef };
# returns the cases in the order of the requirements.
sub judged {
    my ($result, $copies, %reference) = @_;
    my @criteria;
    for my $text (sort keys %reference) {
        my $requirement = UnixBench::Accept::Requirement::parse($text);
        my $summary     = _summary($requirement, $copies, $reference{$text});
        my $asked       = { copies => $copies, baseline => UnixBench::Plan::Baseline::parse(baseline()) };
        push @criteria,
            UnixBench::Accept::Requirement::of([$requirement], $asked, { $requirement->{file} // q{} => $summary });
    }
    return UnixBench::Accept::Acceptance::cases($result, UnixBench::Store::Summary::of($result), @criteria);
}

# Returns the summary of a file that has that value for each of these numbers of copies.
sub _summary {
    my ($requirement, $copies, $value) = @_;
    my $estimate = defined $value ? UnixBench::Score::Estimate::around($value, 0, 2) : undef;
    my %found    = (%$requirement, complete => 1, estimate => $estimate);
    return {
        source => 'UnixBench',
        runs   => [map { { copies => $_, tests => [\%found], indexes => [\%found] } } @$copies]
    };
}

# Returns [name, result, cases ...] for each kind of result.
sub verdicts {
    my $empty = ['empty', result([], asked => ['all'])];
    return (_passed(), _refused(), _interrupted(), _skipped(), _hostile(), $empty);
}

sub _passed {
    my @tests  = map { measured($_, 1, 1_000_000, 1_000_100, 1_000_050) } @INDEX;
    my $result = result([run(1, @tests)], asked => ['index']);
    return ['passed', $result, judged($result, [1], 'index>=1500' => undef, 'pipe >= 0.95 * last week.json' => 99_000)];
}

# A result with every kind of verdict, for two numbers of copies.
sub _refused {
    my @tests = (
        measured('pipe',  1, 1000, 1010, 990),
        measured('spawn', 1, 1000),
        failed('syscall', 'killed by SIGSEGV (pass 2, copy 1)', 24_657_547),
        skipped('2d-rects', 'skipped: no X display; set DISPLAY or install xvfb'),
    );
    my @more   = (measured('pipe', 4, 1000, 1010, 990), skipped('2d-rects', 'skipped: graphics tests run as one copy'));
    my $result = result([run(1, @tests), run(4, @more)], asked => [qw(pipe spawn syscall 2d-rects)]);
    my %open   = ('1:2d-rects>=1' => undef, '1:spawn>=1' => undef, '1:index>=1' => undef, 'pipe >= 1*last.json' => 100);
    return ['refused', $result, judged($result, [1, 4], 'pipe>=101.5' => undef, '1:syscall>=1' => undef, %open)];
}

sub _interrupted {
    my $result =
        result([run(1, measured('spawn', 1, 9, 9), interrupted('pipe', 'interrupted after 1 of 10 passes', 9))]);
    return ['interrupted', $result, judged($result, [1, 8], 'pipe>=1' => undef, '8:spawn>=1' => undef)];
}

sub _skipped {
    my $result =
        result([run(1, skipped('2d-rects', 'skipped: there is no program x11perf; install it'))], asked => ['all']);
    return ['skipped', $result, judged($result, [1])];
}

# Returns bytes that readers of reports must take for text only.
sub hostile_text {
    my $markup   = q{]]><x a='"'>&amp;</testcase>};
    my $protocol = "\n1..9\nok 9\nBail out!";
    return "1 # SKIP \\# \x54ODO $markup$protocol\t\0\e[31m\xff\xed\xa0\x80\xef\xbf\xbe caf\xc3\xa9 \\";
}

sub _hostile {
    my $pipe   = { %{ measured('pipe', 1, 1000, 1001) }, title => 'Pipe ' . hostile_text(), unit => hostile_text() };
    my @others = (failed('syscall', hostile_text()), skipped('spawn', "# \x54ODO " . hostile_text()));
    my $result = result([run(1, $pipe, @others)], asked => ['all'], host => host(name => hostile_text()));
    my $file   = hostile_text();
    return ['hostile', $result,
        judged($result, [1], "pipe>=1*$file" => 9, "pipe>=2*$file" => 9e9, "spawn>=1*$file" => 1)];
}

1;
