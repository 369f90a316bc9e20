package UnixBench::Fleet;

# Many machines of one kind, and which of them stand out.

use strict;
use warnings;

use UnixBench::Comparison::Facts ();
use UnixBench::Comparison::Kind  ();
use UnixBench::Fleet::Measures   ();
use UnixBench::Fleet::Outliers   ();
use UnixBench::Stats             qw(median);

use constant FEWEST => 8;    # machines that make a fleet

# Takes machines, each { label (its file), summary }, and is_forced, whether machines that were measured in different
# ways are taken together all the same. Returns
#   count      of the machines,
#   obstacles  [why they are not of one kind, in sentences],
#   refusals   [why nothing was judged, in sentences]: empty, or all that follows is,
#   runs       [{ copies, lacking => [labels], measures => [{ kind, title, unit, is_trimmed, lacking => [labels], count,
#              median, outliers as in Fleet::Outliers }, ...] }, ...], for each number of copies that eight share,
#   named      [{ label, name, findings => [{ copies, kind, title, is, value, median, z }, ...], differences =>
#              [{ label, text, usual }] }, ...], the machines that stand out, and what else is unusual about them,
#   is_slow    whether one of them is slow.
sub of {
    my ($given, %with) = @_;
    my $machines  = _told_apart($given);
    my @obstacles = UnixBench::Comparison::Kind::obstacles(@$machines);
    my %fleet     = (count => scalar @$machines, obstacles => \@obstacles, runs => [], named => [], is_slow => 0);
    return { %fleet, refusals => \@obstacles } if @obstacles && !$with{is_forced};
    my @runs = map { _run($_, $machines) } _shared_counts($machines);
    return { %fleet, refusals => ['no number of copies that ' . FEWEST . ' of them share'] } if !@runs;
    my @named = _named($machines, @runs);
    my @slow  = grep { $_->{is} eq 'slow' } map { @{ $_->{findings} } } @named;
    return { %fleet, refusals => [], runs => \@runs, named => \@named, is_slow => @slow ? 1 : 0 };
}

# A file that is given twice is two machines.
sub _told_apart {
    my ($machines) = @_;
    my %seen;
    return [map { $seen{ $_->{label} }++ ? { %$_, label => "$_->{label} ($seen{ $_->{label} })" } : $_ } @$machines];
}

sub _shared_counts {
    my ($machines) = @_;
    my %machines;
    for my $machine (@$machines) {
        my %own = map { $_->{copies} => 1 } @{ $machine->{summary}{runs} };
        $machines{$_}++ for keys %own;
    }
    my @shared = sort { $a <=> $b } grep { $machines{$_} >= FEWEST } keys %machines;
    return @shared;
}

# What the machines that have a run of that many copies measured.
sub _run {
    my ($copies, $machines) = @_;
    my (@with, @lacking);
    for my $machine (@$machines) {
        my ($run) = grep { $_->{copies} == $copies } @{ $machine->{summary}{runs} };
        if ($run) { push @with, { label => $machine->{label}, run => $run } }
        else      { push @lacking, $machine->{label} }
    }
    my @measures = map { _judged($_) } UnixBench::Fleet::Measures::of(@with);
    return { copies => $copies, lacking => \@lacking, measures => \@measures };
}

sub _judged {
    my ($measure) = @_;
    my @readings = @{ delete $measure->{readings} };
    return {
        %$measure,
        count    => scalar @readings,
        median   => median(map { $_->{value} } @readings),
        outliers => [UnixBench::Fleet::Outliers::among($measure->{kind}, @readings)],
    };
}

# In the order of the machines.
sub _named {
    my ($machines, @runs) = @_;
    my %findings;
    for my $run (@runs) {
        for my $measure (@{ $run->{measures} }) {
            my %what = (copies => $run->{copies}, map { $_ => $measure->{$_} } qw(kind title));
            push @{ $findings{ $_->{label} } }, { %$_, %what } for @{ $measure->{outliers} };
        }
    }
    my $usual = UnixBench::Comparison::Facts::usual(map { $_->{summary} } @$machines);
    return map { _with_differences($_, $findings{ $_->{label} }, $usual) } grep { $findings{ $_->{label} } } @$machines;
}

sub _with_differences {
    my ($machine, $findings, $usual) = @_;
    return {
        label       => $machine->{label},
        name        => $machine->{summary}{name},
        findings    => $findings,
        differences => [UnixBench::Comparison::Facts::unusual($machine->{summary}, $usual)],
    };
}

1;
