package UnixBench::Compare::Fleet;

# Finds the outliers among many machines of one kind.
#
# The distance from the median is the modified z-score of B. Iglewicz and D. Hoaglin, How to Detect and Handle Outliers
# (ASQC, 1993), with their limit of 3.5. A deviation below 1 % of the median is taken as 1 %, so machines that are
# nearly equal do not stand out.

use strict;
use warnings;

use File::Basename qw(basename);
use List::Util     ();

use UnixBench::Base::Format             qw(clean);
use UnixBench::Compare::Facts           ();
use UnixBench::Compare::Fleet::Measures ();
use UnixBench::Compare::Kind            ();
use UnixBench::Compare::Runs            ();
use UnixBench::Score::Stats             qw(median);

use constant {
    Z_LIMIT   => 3.5,
    QUARTILE  => 0.6745,    # of the normal distribution,
    TO_SD     => 1.4826,    # and its reciprocal
    MAD_LEAST => 0.01,
    TINY      => 1e-12,
    FEWEST    => 8,         # the smallest number of machines
};

my $NONE_SHARED = "no number of copies was measured on at least @{[FEWEST]} machines";

# The least difference from the median that matters, as a fraction of the median.
my %PART = (index => 0.05, test => 0.10);

# Takes [machines], each { label (its file), summary, perhaps as Fleet::Measures::lean() returns it }, and is_forced,
# whether to compare machines that were measured in different ways. Returns
#   count      the number of machines
#   obstacles  [sentences: why they are not of one kind]
#   refusals   [sentences: why nothing was judged]; if there are any, all that follows is empty
#   omissions  [sentences: which runs are not judged]
#   runs       [{ copies, lacking => [labels], measures => [measure, ...] }, ...] for each number of copies that eight
#              machines share
#   named      [{ label, name, findings => [{ copies, kind, title, is_partial, is, value, median, z }, ...],
#              differences => [{ label, text, usual }, ...], other_files => [sentences] }, ...]: the outliers, and
#              everything else that is unusual about them
#   is_slow    whether one of them is slow
#   names      { label => name of the host }, for hosts whose names differ; for others the label
# A measure has the keys of Fleet::Measures::of(), count, median, and limits and outliers as the functions below return
# them.
sub of {
    my ($given, %with) = @_;
    my $machines  = _with_own_labels($given);
    my @obstacles = UnixBench::Compare::Kind::obstacles(@$machines);
    my %fleet     = (count => scalar @$machines, obstacles => \@obstacles);
    return { %fleet, _refused(@obstacles) } if @obstacles && !$with{is_forced};
    my @sharing = UnixBench::Compare::Runs::sharing(@$machines);
    my @shared  = grep { @{ $_->[1] } >= FEWEST } @sharing;
    my @rare    = grep { @{ $_->[1] } < FEWEST } @sharing;
    return { %fleet, _refused($NONE_SHARED) } if !@shared;
    my @omissions = ((map { _too_rare(@$_) } @rare), UnixBench::Compare::Runs::repeated(@$machines));
    return {
        %fleet,
        refusals  => [],
        omissions => \@omissions,
        names     => _names($machines),
        _judged($machines, @shared)
    };
}

sub _names {
    my ($machines) = @_;
    my %count;
    $count{$_}++ for map { $_->{summary}{name} // q{} } @$machines;
    return { map { $_->{label} => _name($_, \%count) } @$machines };
}

sub _name {
    my ($machine, $count) = @_;
    my $name = $machine->{summary}{name} // q{};
    return $machine->{label} if !length $name;
    return clean($count->{$name} == 1 ? $name : "$name (" . basename($machine->{label}) . ')');
}

sub _refused {
    my (@refusals) = @_;
    return (refusals => \@refusals, is_slow => 0, map { $_ => [] } qw(omissions runs named));
}

# Returns the machines, in lean form, with labels that differ. A file may be given twice, and the printable names of two
# files may be the same.
sub _with_own_labels {
    my ($given) = @_;
    my (%is_taken, %shared, @machines);
    for my $machine (@$given) {
        my ($label, $number) = (clean($machine->{label}), 1);
        $label = clean($machine->{label}) . ' (' . ++$number . ')' while $is_taken{$label};
        $is_taken{$label} = 1;
        push @machines,
            { label => $label, summary => UnixBench::Compare::Fleet::Measures::lean($machine->{summary}, \%shared) };
    }
    return \@machines;
}

sub _too_rare {
    my ($copies, $machines) = @_;
    return UnixBench::Compare::Runs::only($copies, @$machines) . "; @{[FEWEST]} machines are needed";
}

# Takes [all machines], and pairs [number of copies, [machines with such a run]]; returns the keys runs, named and
# is_slow.
sub _judged {
    my ($machines, @shared) = @_;
    my @runs  = map { _run($machines, @$_) } @shared;
    my @named = _named($machines, @runs);
    my @slow  = grep { $_->{is} eq 'slow' } map { @{ $_->{findings} } } @named;
    return (runs => \@runs, named => \@named, is_slow => @slow ? 1 : 0);
}

sub _run {
    my ($machines, $copies, $with) = @_;
    my %has      = map  { $_->{label} => 1 } @$with;
    my @lacking  = grep { !$has{$_} } map { $_->{label} } @$machines;
    my @sides    = map  { { label => $_->{label}, run => UnixBench::Compare::Runs::of_copies($copies, $_) } } @$with;
    my @measures = map  { _with_outliers($_) } UnixBench::Compare::Fleet::Measures::of(@sides);
    return { copies => $copies, lacking => \@lacking, measures => \@measures };
}

sub _with_outliers {
    my ($measure) = @_;
    my @readings = @{ $measure->{readings} };
    return {
        %$measure,
        count    => scalar @readings,
        median   => median(map { $_->{value} } @readings),
        limits   => [limits($measure->{kind}, @readings)],
        outliers => [outliers($measure->{kind}, @readings)],
    };
}

# Returns the outliers with their findings, in the order of the machines.
sub _named {
    my ($machines, @runs) = @_;
    my %findings;
    for my $run (@runs) {
        for my $measure (@{ $run->{measures} }) {
            my %what = (copies => $run->{copies}, map { $_ => $measure->{$_} } qw(kind title is_partial));
            push @{ $findings{ $_->{label} } }, { %$_, %what } for @{ $measure->{outliers} };
        }
    }
    my $usual = UnixBench::Compare::Facts::usual(map { $_->{summary} } @$machines);
    return map { _with_differences($_, $findings{ $_->{label} }, $usual) } grep { $findings{ $_->{label} } } @$machines;
}

sub _with_differences {
    my ($machine, $findings, $usual) = @_;
    return {
        label       => $machine->{label},
        name        => $machine->{summary}{name},
        findings    => $findings,
        differences => [UnixBench::Compare::Facts::unusual($machine->{summary}, $usual)],
        other_files => [UnixBench::Compare::Facts::unusual_files($machine->{summary}, $usual)],
    };
}

# Takes "index" or "test", and a reading for each machine, { label, value, spread }. The spread is a coefficient of
# variation, or undef. Returns the outliers, each { label, is => "slow", "fast" or "noisy", value, median, z }. If it is
# noisy, value and median are spreads. Fewer than eight readings have no outliers.
sub outliers {
    my ($kind, @readings) = @_;
    return (_slow_and_fast($kind, @readings), _noisy(grep { $_->{spread} } @readings));
}

# Takes the same. Returns two fractions of the median: a machine below the first is slow, a machine above the second is
# fast. If the first is not above 0, no machine can be slow. Returns nothing for fewer than eight readings.
sub limits {
    my ($kind, @readings) = @_;
    return if @readings < FEWEST;
    my @values = map { $_->{value} } @readings;
    my $part   = List::Util::max($PART{$kind}, Z_LIMIT * _deviation(@values) / median(@values));
    return (1 - $part, 1 + $part);
}

sub _slow_and_fast {
    my ($kind, @readings) = @_;
    return map { +{ %$_, is => $_->{z} < 0 ? 'slow' : 'fast' } }
        grep { _is_outlier($kind, $_) } _placed('value', @readings);
}

sub _is_outlier {
    my ($kind, $reading) = @_;
    my $part = $reading->{value} / $reading->{median};
    return $part < 1 - $PART{$kind} if $reading->{z} < -Z_LIMIT;
    return $reading->{z} > Z_LIMIT && $part > 1 + $PART{$kind};
}

# Returns the noisy machines. Spreads differ by factors, so their logarithms are compared.
sub _noisy {
    my (@readings) = @_;
    return map { +{ %$_, is => 'noisy' } } grep { $_->{z} > Z_LIMIT } _placed('spread', @readings);
}

# Returns { label, value, median, z } for each reading, or nothing for fewer than eight. z is the distance from the
# median.
sub _placed {
    my ($key, @readings) = @_;
    return if @readings < FEWEST;
    my @values = map { $_->{$key} } @readings;
    my $median = median(@values);
    my @zs     = robust_z($key eq 'spread' ? map { log } @values : @values);
    return
        map { +{ label => $readings[$_]{label}, value => $values[$_], median => $median, z => $zs[$_] } } 0 .. $#values;
}

# Takes numbers, at least one; returns the distance of each from their median. The unit is the standard deviation of a
# normal distribution that has the same median absolute deviation.
sub robust_z {
    my (@values) = @_;
    my $median   = median(@values);
    my $one      = _deviation(@values);
    return map { ($_ - $median) / $one } @values;
}

sub _deviation {
    my (@values) = @_;
    my $median   = median(@values);
    my $mad      = median(map { abs $_ - $median } @values);
    return List::Util::max($mad, MAD_LEAST * abs($median) / TO_SD, TINY) / QUARTILE;
}

1;
