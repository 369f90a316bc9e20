package Cases::Interactive;

# Invented results of the interactive tests, with the lines that their program prints besides the score.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(measured result run);
use UnixBench::Measure::Protocol;

our @EXPORT_OK = qw(capacity response said);

# A machine with two CPUs and no load: number of frames; wake p50 and p99; staleness p50, p95, p99, p99.9 and max. Times
# in us.
my %IDLE = (
    Audio => [100,  5.1,  38.2, 2531.7,  2610.2,  2702.9,   2755.5,   2810.4],
    Video => [300,  6.3,  41.9, 6744.1,  6810.6,  6990.8,   7119.9,   7412.3],
    X     => [50,   7.7,  52.4, 45318.2, 93811.5, 95_206.6, 95_511.2, 95731.8],
    Probe => [5000, 3.94, 31.6, 24.317,  33.9,    58.261,   212.8,    1093.4],
);
my @TASKS = qw(Audio Video X Probe);

# The per mille of each time but the last, which is the maximum and always known. The others need ten frames above them.
my @PER_MILLE = (500, 990, 500, 950, 990, 999);

# The delay that each load adds to the median, in us, and factors for the other times.
my %DELAY  = (None => 0, Burn => 11.3, Compile => 67.9, Hack => 811.6);
my @WEIGHT = (1, 9, 1, 4, 14, 30, 90);

# Takes a factor for all times; returns the lines of a pass of the mix.
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

# Takes a test, and for each pass the lines that its copies print besides the count; returns the test with that data.
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

# Takes the frames a second of each pass; returns the test of the capacity.
sub capacity {
    my (@fps) = @_;
    return said(measured('interactive-capacity', 1, @fps), map { [_trials($_)] } @fps);
}

sub _trials {
    my ($fps) = @_;
    my $most = $fps / 60;
    return map { sprintf 'trial.%d|%.3f', $_, $_ <= $most ? 99.8 : 100 * $most / ($_ + 1) } 1, 2, 4, 8, 16, 12, 10, 9;
}

# Takes a factor for each pass; returns the test of the response.
sub response {
    my (@factors) = @_;
    return said(measured('interactive-response', 1, map { sprintf '%.3f', 1234.5 / $_ } @factors),
        map { [mix_lines($_)] } @factors);
}

# Returns the cases, each { name, result }.
sub cases {
    my @runs = run(1, capacity(541.857), response(1));
    return { name => 'interactive', result => result(\@runs, asked => ['interactive']) };
}

1;
