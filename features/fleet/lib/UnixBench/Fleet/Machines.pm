package UnixBench::Fleet::Machines;

# Finds the outliers among many machines of one kind.

use strict;
use warnings;

use File::Basename qw(basename);

use UnixBench::Base::Text      qw(clean counted);
use UnixBench::Compare::Facts  ();
use UnixBench::Compare::Kind   ();
use UnixBench::Compare::Runs   ();
use UnixBench::Fleet::Measures ();
use UnixBench::Fleet::Outliers qw(KINDS);
use UnixBench::Score::Stats    qw(median);

use constant FEWEST => 8;      # the smallest number of machines, unless the caller knows that they are a fleet
use constant MANY   => 200;    # of more machines, reports draw only those that stand out

# Takes [machines], each { label (its file), summary, perhaps as Fleet::Measures::lean() returns it }, and
#   is_forced  whether to compare machines that were measured in different ways
#   judged     the smallest number of machines among which one can stand out (default: 8)
#   shown      the smallest number of machines that share a number of copies (default: judged)
# Returns
#   count      the number of machines
#   obstacles  [sentences: why they are not of one kind]
#   quick      the number of quick results
#   is_mixed   whether the others are official
#   refusals   [sentences: why nothing was judged]; if there are any, all that follows is empty
#   omissions  [sentences: which runs are not judged]
#   runs       [{ copies, lacking => [labels], measures => [measure, ...] }, ...] for each number of copies that enough
#              machines share
#   named      [{ label, name, is, findings => [{ copies, kind, title, is_partial, unevenness, is, value, median, z },
#              ...], differences => [{ label, text, usual }, ...], other_files => [sentences] }, ...]: the outliers, and
#              everything else that is unusual about them. The list is has the ways in which a machine stands out, see
#              Fleet::Outliers. It is called slow, fast or doubtful for its index only; for tests alone it is unusual
#   names      { label => name of the host }, for hosts whose names differ; for others the label
# A measure has the keys of Fleet::Measures::of(), count, median, and unevenness, limits and outliers as the functions
# of Fleet::Outliers return them. With more than MANY machines, only the first measure of a run has all readings; the
# others have those of outliers, and the least and the greatest of those whose value does not stand out.
sub of {
    my ($given, %with) = @_;
    my $judged    = $with{judged} // FEWEST;
    my $shown     = $with{shown}  // $judged;
    my $machines  = _with_own_labels($given);
    my @obstacles = UnixBench::Compare::Kind::obstacles(@$machines);
    my @kinds     = map { $_->{summary}{procedure}{kind} } @$machines;
    my %fleet     = (
        count     => scalar @$machines,
        obstacles => \@obstacles,
        quick     => scalar(grep { ($_ // q{}) eq 'quick' } @kinds),
        is_mixed  => UnixBench::Compare::Kind::are_mixed(@kinds),
    );
    return { %fleet, _refused(@obstacles) } if @obstacles && !$with{is_forced};
    my @sharing = UnixBench::Compare::Runs::sharing(@$machines);
    my @shared  = grep { @{ $_->[1] } >= $shown } @sharing;
    my @rare    = grep { @{ $_->[1] } < $shown } @sharing;
    return { %fleet, _refused(_none_shared($shown)) } if !@shared;
    my @runs      = map { _run($judged, $machines, @$_) } @shared;
    my @omissions = (
        (map { _too_rare($shown, @$_) } @rare),
        UnixBench::Compare::Runs::repeated(@$machines),
        UnixBench::Compare::Runs::unknown(@$machines)
    );
    return {
        %fleet,
        refusals  => [],
        omissions => \@omissions,
        names     => _names(@$machines),
        runs      => \@runs,
        named     => [_named($machines, @runs)],
    };
}

sub _names {
    my (@machines) = @_;
    my @labels = map { $_->{label} } @machines;
    my %names;
    @names{@labels} = names(map { [$_->{summary}{name}, $_->{label}] } @machines);
    return \%names;
}

# Takes pairs [name of the host or undef, path of its result]; returns a name for each, all of them different: the name
# of the host, followed by that of the file if hosts share it, and by a number if files do, too. A host without a name
# has the path.
sub names {
    my (@pairs) = @_;
    my (%count, %is_taken, @names);
    $count{ $_->[0] // q{} }++ for @pairs;
    for my $pair (@pairs) {
        my ($own, $path) = ($pair->[0] // q{}, $pair->[1]);
        my $name = clean(!length $own ? $path : $count{$own} == 1 ? $own : "$own (" . basename($path) . ')');
        push @names, _free($name, \%is_taken);
    }
    return @names;
}

# Takes a name and { those that are taken }; takes it, or the first "NAME (NUMBER)" that is free, and returns it.
sub _free {
    my ($name, $is_taken) = @_;
    my ($free, $number)   = ($name, 1);
    $free = "$name (" . ++$number . ')' while $is_taken->{$free};
    $is_taken->{$free} = 1;
    return $free;
}

sub _none_shared {
    my ($fewest) = @_;
    return 'no number of copies was measured on at least ' . counted($fewest, 'machine', 'machines');
}

sub _refused {
    my (@refusals) = @_;
    return (refusals => \@refusals, map { $_ => [] } qw(omissions runs named));
}

# Returns the machines, in lean form, with labels that differ. A file may be given twice, and the printable names of two
# files may be the same.
sub _with_own_labels {
    my ($given) = @_;
    my (%is_taken, %shared, @machines);
    for my $machine (@$given) {
        my $label = _free(clean($machine->{label}), \%is_taken);
        push @machines, { label => $label, summary => UnixBench::Fleet::Measures::lean($machine->{summary}, \%shared) };
    }
    return \@machines;
}

sub _too_rare {
    my ($fewest, $copies, $machines) = @_;
    return UnixBench::Compare::Runs::only($copies, @$machines) . "; $fewest machines are needed";
}

sub _run {
    my ($fewest, $machines, $copies, $with) = @_;
    my %has     = map  { $_->{label} => 1 } @$with;
    my @lacking = grep { !$has{$_} } map { $_->{label} } @$machines;
    my @sides   = map  { _side($copies, $_) } @$with;
    my @measures;
    UnixBench::Fleet::Measures::of(sub { push @measures, _with_outliers($fewest, $_[0], !@measures) }, @sides);
    return { copies => $copies, lacking => \@lacking, measures => \@measures };
}

sub _side {
    my ($copies, $machine) = @_;
    my $trust = $machine->{summary}{trust};
    return {
        label => $machine->{label},
        trust => $trust && $trust->{level},
        kind  => $machine->{summary}{procedure}{kind},
        run   => UnixBench::Compare::Runs::of_copies($copies, $machine),
    };
}

# Takes the smallest number of machines that are judged, a measure, and whether machines are ranked by it; returns it
# with its outliers.
sub _with_outliers {
    my ($fewest, $measure, $is_ranked) = @_;
    my @readings = @{ $measure->{readings} };
    my @given    = ($fewest, $measure->{kind}, @readings);
    my @outliers = UnixBench::Fleet::Outliers::outliers(@given);
    return {
        %$measure,
        readings   => $is_ranked || @readings <= MANY ? \@readings : [_drawn(\@outliers, @readings)],
        count      => scalar @readings,
        median     => median(map { $_->{value} } UnixBench::Fleet::Outliers::basis($fewest, @readings)),
        unevenness => scalar UnixBench::Fleet::Outliers::unevenness($fewest, @readings),
        limits     => [UnixBench::Fleet::Outliers::limits(@given)],
        outliers   => \@outliers,
    };
}

# Takes [outliers] and the readings of many machines; returns the readings of outliers, and the least and the greatest
# of those whose value does not stand out, in their order. Reports draw no others, and all would need much memory.
sub _drawn {
    my ($outliers, @readings) = @_;
    my %is_drawn = map { $_->{label} => 1 } @$outliers;
    my %is_off   = map { $_->{label} => 1 } grep { $_->{is} ne 'noisy' } @$outliers;
    my ($least, @others) = grep { !$is_off{ $_->{label} } } @readings;
    my $greatest = $least;
    for my $reading (@others) {
        $least    = $reading if $reading->{value} < $least->{value};
        $greatest = $reading if $reading->{value} > $greatest->{value};
    }
    $is_drawn{ $_->{label} } = 1 for grep { $_ } $least, $greatest;
    return grep { $is_drawn{ $_->{label} } } @readings;
}

# Returns the outliers with their findings, in the order of the machines.
sub _named {
    my ($machines, @runs) = @_;
    my %findings;
    for my $run (@runs) {
        for my $measure (@{ $run->{measures} }) {
            my %what = (copies => $run->{copies}, map { $_ => $measure->{$_} } qw(kind title is_partial unevenness));
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
        is          => [_ways(@$findings)],
        findings    => $findings,
        differences => [UnixBench::Compare::Facts::unusual($machine->{summary}, $usual)],
        other_files => [UnixBench::Compare::Facts::unusual_files($machine->{summary}, $usual)],
    };
}

# Takes the findings about a machine; returns the ways in which it stands out.
sub _ways {
    my (@findings) = @_;
    my %is         = map  { $_->{is} => 1 } grep { $_->{kind} eq 'index' || $_->{is} eq 'noisy' } @findings;
    my @ways       = grep { $is{$_} } KINDS;
    return @ways ? @ways : 'unusual';
}

1;
