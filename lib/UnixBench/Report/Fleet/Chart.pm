package UnixBench::Report::Fleet::Chart;

# The machines of a fleet as a picture: each measure a line, each machine a dot at its value as a multiple of the
# median, with the limits beyond which it is slow or fast.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Format           qw(fixed listed);
use UnixBench::Report::Fleet::Dots    ();
use UnixBench::Report::Fleet::Wording qw(copies_title count_of measure_title);
use UnixBench::Report::Page           qw(quiet);
use UnixBench::Report::PageTable      qw(drawing number row table);
use UnixBench::Report::Picture        qw(axis picture rule);
use UnixBench::Report::Scale          ();

use constant { LEAST => 1e-3, MOST => 1e3 };    # times the median: what is further is drawn there
use constant MANY => UnixBench::Report::Fleet::Dots::MOST;
use constant {
    HEADING => "\xe2\x86\x90 slower, faster \xe2\x86\x92",
    DOTS    => 'Each dot is a machine; how high it lies means nothing.',
    RANGE   => 'With more than '
        . MANY
        . ' machines a line goes from the least to the greatest of those that are neither slow nor fast; only those '
        . 'that stand out are dots.',
    LIMITS => 'Beyond the dotted lines a machine is slow or fast: a larger dot. A ring is a noisy one.',
};

my @KINDS = qw(slow fast noisy);

# Takes a run of a fleet, see UnixBench::Compare::Fleet; returns the picture, a table with a drawing in each row.
sub of_run {
    my ($run)    = @_;
    my @measures = map { _measure($_) } @{ $run->{measures} };
    my $scale    = UnixBench::Report::Scale::logarithmic(1, map { (@{ $_->{limits} }, _times($_)) } @measures);
    my $caption  = 'Each machine as a multiple of the median, ' . copies_title($run);
    my @headings = ('Test', [HEADING, axis($scale)], '*Machines', '*Median', '*Slow', '*Fast', '*Noisy');
    my @rows     = map { _row($_, $scale) } grep { $_->{kind} ne 'index' } @measures;
    my @foot     = map { _row($_, $scale) } grep { $_->{kind} eq 'index' } @measures;
    return (table($caption, \@headings, \@rows, @foot), quiet(_legend(map { scalar @{ $_->{machines} } } @measures)));
}

# A measure with its machines, as Fleet::Dots takes them, and with the limits that can be drawn.
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
    my ($measure, $scale) = @_;
    my @parts = (
        (map { rule('grid',  $scale, $_) } @{ $scale->{ticks} }),
        (map { rule('limit', $scale, $_) } @{ $measure->{limits} }),
        rule('mean', $scale, 1),
        UnixBench::Report::Fleet::Dots::of_machines($scale, @{ $measure->{machines} }),
    );
    my $picture = picture(_words($measure), UnixBench::Report::Fleet::Dots::HEIGHT, @parts);
    my @numbers = ($measure->{count}, fixed($measure->{median}), map { count_of($_, $measure) } @KINDS);
    return row(measure_title($measure), drawing($picture), map { number($_) } @numbers);
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
