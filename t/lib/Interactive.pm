package Interactive;

# Interactive tests that were never measured, with what their program says beside the score.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(measured);
use UnixBench::Measure::Protocol;

our @EXPORT_OK = qw(capacity mix_lines response said);

# As of a machine with two CPUs: wake p50 and p99, staleness p50, p95, p99, p99.9 and max without a load, in us.
my %IDLE = (
    Audio => [100,  5.1,  38.2, 2531.7,  2610.2,  2702.9,   2755.5,   2810.4],
    Video => [300,  6.3,  41.9, 6744.1,  6810.6,  6990.8,   7119.9,   7412.3],
    X     => [50,   7.7,  52.4, 45318.2, 93811.5, 95_206.6, 95_511.2, 95731.8],
    Probe => [5000, 3.94, 31.6, 24.317,  33.9,    58.261,   212.8,    1093.4],
);
my @TASKS = qw(Audio Video X Probe);

# Per mille of each time but the last, which is always known; others take ten frames beyond them.
my @PER_MILLE = (500, 990, 500, 950, 990, 999);

# What each load adds to the median, in us, and how much more of that to the others.
my %DELAY  = (None => 0, Burn => 11.3, Compile => 67.9, Hack => 811.6);
my @WEIGHT = (1, 9, 1, 4, 14, 30, 90);

# Returns the lines of a pass of the mix, all times by that factor longer than usual.
sub mix_lines {
    my ($factor) = @_;
    my @lines;
    for my $load (qw(None Burn Compile Hack)) {
        push @lines, map { _line($load, $_, $factor) } @TASKS;
    }
    return @lines;
}

sub _line {
    my ($load, $task, $factor) = @_;
    my ($frames, @us) = @{ $IDLE{$task} };
    my $late   = int $DELAY{$load} * $frames / 9000;
    my @counts = ($frames, $frames - $late - int $late / 2, $late, int $late / 2);
    my $work   = sprintf '%.3f', 100 - 50 * $late / $frames;
    my @times  = map { _time($frames, $PER_MILLE[$_], $factor * ($us[$_] + $DELAY{$load} * $WEIGHT[$_])) } 0 .. $#us;
    my $alone  = $load eq 'None' ? q{-} : '61.304';
    return join q{|}, "cell.$load.$task", @counts, $work, @times, sprintf('%.3f', $times[-1] / 9), $alone,
        $load eq 'Hack' ? 1 : 0;
}

sub _time {
    my ($frames, $per_mille, $us) = @_;
    return defined $per_mille && $frames * (1000 - $per_mille) < 10_000 ? q{-} : sprintf '%.3f', $us;
}

# Takes a test, and the lines that its copies said in each pass, beside that of the count; returns the test.
sub said {
    my ($test, @passes) = @_;
    for my $pass (@{ $test->{passes} }) {
        my $reader = UnixBench::Measure::Protocol->new;
        $reader->add("$_\n") for @{ shift @passes };
        my $said = $reader->data;
        $_->{data} = { %$said, %{ $_->{data} } } for @{ $pass->{copies} };
    }
    return $test;
}

# The capacity, of so many frames a second in each pass.
sub capacity {
    my (@fps) = @_;
    return said(measured('interactive-capacity', 1, @fps), map { [_trials($_)] } @fps);
}

sub _trials {
    my ($fps) = @_;
    my $most = $fps / 60;
    return map { sprintf 'trial.%d|%.3f', $_, $_ <= $most ? 99.8 : 100 * $most / ($_ + 1) } 1, 2, 4, 8, 16, 12, 10, 9;
}

# The response, with a pass for each factor.
sub response {
    my (@factors) = @_;
    return said(measured('interactive-response', 1, map { sprintf '%.3f', 1234.5 / $_ } @factors),
        map { [mix_lines($_)] } @factors);
}

1;
