package UnixBench::Report::Fleet::Chart;

# The machines of a fleet as a chart: each measure a line, each machine a dot at its value as a multiple of the median,
# with the limits beyond which it is slow or fast. Where there are too many, a line and those that stand out.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);

use UnixBench::Base::Format           qw(fixed listed);
use UnixBench::Report::Block          qw(chart dot drawn grid rule span swarm);
use UnixBench::Report::Fleet::Wording qw(count_of measure_title);
use UnixBench::Report::Wording        qw(copies_title);

our @EXPORT_OK = qw(fleet_chart);

use constant { LEAST => 1e-3, MOST => 1e3 };    # times the median: what is further is drawn there
use constant { MANY => 200, HEIGHT => 34, MIDDLE => 17 };
use constant {
    AXIS  => "\xe2\x86\x90 slower, faster \xe2\x86\x92",
    DOTS  => 'Each dot is a machine; how high it lies means nothing.',
    RANGE => 'With more than '
        . MANY
        . ' machines a line goes from the least to the greatest of those that are neither slow nor fast; only those '
        . 'that stand out are dots.',
    LIMITS => 'Beyond the dotted lines a machine is slow or fast: a larger dot. A ring is a noisy one.',
};

my @KINDS = qw(slow fast noisy);

# Takes a run of a fleet, see UnixBench::Compare::Fleet; returns the chart.
sub fleet_chart {
    my ($run) = @_;
    my @measures = map { _measure($_) } @{ $run->{measures} };
    return chart(
        title   => 'Each machine as a multiple of the median, ' . copies_title($run->{copies}),
        axis    => AXIS,
        values  => [1, map { (@{ $_->{limits} }, _times($_)) } @measures],
        height  => HEIGHT,
        columns => [word => 'Test', map { (number => $_) } qw(Machines Median Slow Fast Noisy)],
        rows    => [map { _row($_) } grep { $_->{kind} ne 'index' } @measures],
        foot    => [map { _row($_) } grep { $_->{kind} eq 'index' } @measures],
        legend  => [_legend(map { scalar @{ $_->{machines} } } @measures)],
    );
}

# A measure with its machines, { label, is => [how it stands out: "slow", "fast", "noisy"], multiple (of the median),
# times (the same, as far as it is drawn) }, and with the limits that can be drawn.
sub _measure {
    my ($measure) = @_;
    my %is;
    push @{ $is{ $_->{label} } }, $_->{is} for @{ $measure->{outliers} };
    my @machines =
        map { +{ label => $_->{label}, is => $is{ $_->{label} } || [], _multiples($_->{value}, $measure) } }
        @{ $measure->{readings} };
    return { %$measure, machines => \@machines, limits => [grep { $_ > LEAST && $_ < MOST } @{ $measure->{limits} }] };
}

# What is said, and where that is drawn.
sub _multiples {
    my ($value, $measure) = @_;
    my $multiple = $value / $measure->{median};
    return (multiple => $multiple, times => max(LEAST, min(MOST, $multiple)));
}

sub _times {
    my ($measure) = @_;
    return map { $_->{times} } @{ $measure->{machines} };
}

sub _row {
    my ($measure) = @_;
    my @shapes = (
        grid(),
        (map { rule('limit', $_) } @{ $measure->{limits} }),
        rule('mean', 1),
        _machines(@{ $measure->{machines} }),
    );
    my @cells = ($measure->{count}, fixed($measure->{median}), map { count_of($_, $measure) } @KINDS);
    return drawn(measure_title($measure), \@shapes, _words($measure), \@cells);
}

# Those that stand out lie above the others.
sub _machines {
    my (@machines) = @_;
    my @usual      = map  { [$_->{times}, _said($_)] } grep { !@{ $_->{is} } } @machines;
    my @unusual    = grep { @{ $_->{is} } } @machines;
    return (
        (@machines > MANY ? _range(@machines) : swarm('machine', MIDDLE, @usual)),
        (map { dot("machine @{ $_->{is} }", $_->{times}, MIDDLE, _said($_)) } @unusual)
    );
}

sub _said {
    my ($machine) = @_;
    my $words     = join ', ', sprintf('%.3f times the median', $machine->{multiple}), @{ $machine->{is} };
    return "$machine->{label}: $words";
}

# Half of all are within a deviation of the median, so there are such.
sub _range {
    my (@machines) = @_;
    my @times = map { $_->{times} } grep { "@{ $_->{is} }" !~ /slow|fast/ } @machines;
    return span('range', min(@times), max(@times), MIDDLE);
}

sub _words {
    my ($measure) = @_;
    my @multiples = map { $_->{multiple} } @{ $measure->{machines} };
    my @words     = sprintf 'from %.3f to %.3f times the median', min(@multiples), max(@multiples);
    for my $kind (@KINDS) {
        my @labels = map { $_->{label} } grep { "@{ $_->{is} }" =~ /$kind/ } @{ $measure->{machines} };
        push @words, "$kind: " . listed(@labels) if @labels;
    }
    return join '; ', @words;
}

# Takes how many machines the lines have.
sub _legend {
    my (@counts) = @_;
    my $has_few  = grep { $_ <= MANY } @counts;
    my $has_many = grep { $_ > MANY } @counts;
    return join q{ }, ($has_few ? DOTS : ()), ($has_many ? RANGE : ()), LIMITS;
}

1;
