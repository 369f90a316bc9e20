package UnixBench::Fleet::Machines;

# Finds the outliers among many machines. Each is compared with those of its kind, see UnixBench::Fleet::Kinds.

use strict;
use warnings;

use File::Basename qw(basename);

use UnixBench::Base::Text      qw(clean counted);
use UnixBench::Compare::Facts  ();
use UnixBench::Compare::Kind   ();
use UnixBench::Compare::Runs   ();
use UnixBench::Fleet::Kinds    ();
use UnixBench::Fleet::Measures ();
use UnixBench::Fleet::Outliers qw(KINDS);
use UnixBench::Host::FactList  ();
use UnixBench::Score::Stats    qw(median);

use constant FEWEST => 8;      # the smallest number of machines, unless the caller knows that they are a fleet
use constant MANY   => 200;    # of more machines, reports draw only those that stand out

# Takes [machines], each { label (its file), summary, perhaps as Fleet::Measures::lean() returns it }, and
#   is_forced  whether to compare machines that were measured in different ways
#   judged     the smallest number of machines of a kind among which one can stand out (default: 8)
#   shown      the smallest number of machines that share a number of copies (default: judged)
# Returns
#   count      the number of machines
#   obstacles  [sentences: why they can't be in one list]
#   refusals   [sentences: why nothing was judged]; if there are any, all that follows is empty
#   omissions  [sentences: which runs are not judged]
#   judged     as given
#   kinds      the number of kinds
#   rankings   [{ copies, kind, title, is_partial, readings, places, few, letters, kinds }, ...] for each number of
#              copies that enough machines share: the first index, or the only test, of all machines; kind, title and
#              is_partial of that measure; kind is undef if there are several tests and no index
#              places   { label => { median (of the kind) } } of the machines that are compared
#              few      [{ letter, title, labels }, ...], the kinds with too few machines
#              letters  { label => letter of its kind }, see UnixBench::Fleet::Kinds
#              why      { label => [which limit of CPU time it has alone, why the trust in it is poor] }
#              is_poor  { label => 1 } of those whose trust is poor
#              kinds    { label => title of its kind }
#   runs       [{ copies, kind (its title), letter, labels, is_compared, modes, lacking => [labels], measures =>
#              [measure, ...] }, ...] for each number of copies and each kind with enough machines, or the only kind. If
#              the CPU is hidden and the indexes have two modes, see UnixBench::Fleet::Kinds::modes(), nothing is
#              compared
#   named      [{ label, name, is, findings => [{ copies, kind, title, is_partial, unevenness, is, value, median, z },
#              ...], differences => [{ label, text, usual }, ...], other_files => [sentences] }, ...]: the outliers, and
#              everything else that is unusual about them among their kind. The list is has the ways in which a machine
#              stands out, see Fleet::Outliers. It is called slow, fast or doubtful for its index only; for tests alone
#              it is unusual
#   names      { label => name of the host }, for hosts whose names differ; for others the label
# A measure has the keys of Fleet::Measures::of(), count, basis (the number of machines of which the median is: those
# that other load did not disturb, if they are enough), median, and unevenness, limits and outliers as the functions
# of Fleet::Outliers return them. With more than MANY machines of a kind, only the first measure of a run has all
# readings; the others have those of outliers, and the least and the greatest of those whose value does not stand out.
sub of {
    my ($given, %with) = @_;
    my $judged    = $with{judged} // FEWEST;
    my $shown     = $with{shown}  // $judged;
    my $machines  = _with_own_labels($given);
    my @obstacles = UnixBench::Compare::Kind::obstacles(@$machines);
    my %fleet     = (count => scalar @$machines, obstacles => \@obstacles, judged => $judged, kinds => 0);
    return { %fleet, _refused(@obstacles) } if @obstacles && !$with{is_forced};
    my @sharing = UnixBench::Compare::Runs::sharing(@$machines);
    my @shared  = grep { @{ $_->[1] } >= $shown } @sharing;
    my @rare    = grep { @{ $_->[1] } < $shown } @sharing;
    my @unknown = UnixBench::Compare::Runs::unknown(@$machines);
    return { %fleet, _refused(@unknown, _none_shared($shown)) } if !@shared;
    my @kinds     = UnixBench::Fleet::Kinds::of(@$machines);
    my $rule      = { judged => $judged, tests => _tests_in(@shared) };
    my @rankings  = map { _ranking($rule, $machines, \@kinds, @$_) } @shared;
    my @runs      = map { @{ delete $_->{runs} } } @rankings;
    my @omissions = ((map { _too_rare($shown, @$_) } @rare), UnixBench::Compare::Runs::repeated(@$machines), @unknown);
    return {
        %fleet,
        refusals  => [],
        omissions => \@omissions,
        kinds     => scalar @kinds,
        names     => _names(@$machines),
        rankings  => \@rankings,
        runs      => \@runs,
        named     => [_named($machines, \@kinds, @runs)],
    };
}

# Takes pairs [copies, machines with such a run]; returns the number of values of tests in all of them.
sub _tests_in {
    my (@shared) = @_;
    my $count = 0;
    for my $pair (@shared) {
        my ($copies, $with) = @$pair;
        $count += @{ UnixBench::Compare::Runs::of_copies($copies, $_)->{tests} } for @$with;
    }
    return $count;
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
    return (refusals => \@refusals, map { $_ => [] } qw(omissions rankings runs named));
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

# Takes a rule of UnixBench::Fleet::Outliers, [all machines], [kinds], a number of copies, and [machines with such a
# run]; returns the ranking, and its runs.
sub _ranking {
    my ($rule, $machines, $kinds, $copies, $with) = @_;
    my %has   = map { $_->{label} => 1 } @$with;
    my %limit = map { _limits($copies, @{ $_->{machines} }) } @$kinds;
    my @sides = map { _side($copies, $_, $limit{ $_->{label} }) } @$with;
    my %poor  = map { $_->{label} => 1 } grep { ($_->{trust} // q{}) eq 'poor' } @sides;
    my %why   = map {
        $_->{label} => [grep { defined } @$_{qw(limit why)}]
    } @sides;
    my (@runs, %run_of, @few, %letter, %title);

    for my $kind (@$kinds) {
        my @labels = map  { $_->{label} } @{ $kind->{machines} };
        my @those  = grep { $has{$_} } @labels or next;
        @letter{@those} = ($kind->{letter}) x @those;
        @title{@those}  = ($kind->{title}) x @those;
        push @few, { letter => $kind->{letter}, title => $kind->{title}, labels => \@those }
            if @those < $rule->{judged};
        next if @those < $rule->{judged} && @$kinds > 1;
        push @runs,
            {
            copies    => $copies,
            kind      => $kind->{title},
            letter    => $kind->{letter},
            is_hidden => $kind->{is_hidden},
            labels    => \@those,
            lacking   => [grep { !$has{$_} } @labels],
            measures  => [],
            };
        $run_of{$_} = $runs[-1] for @those;
    }
    my @measures;
    UnixBench::Fleet::Measures::of(
        sub {
            my ($measure) = @_;
            my %in;
            push @{ $in{ $run_of{ $_->{label} } } }, $_ for grep { $run_of{ $_->{label} } } @{ $measure->{readings} };
            _add_measure($rule, $_, $measure, @{ $in{$_} || [] }) for @runs;
            push @measures, { %$measure, @measures ? (readings => []) : () };
        },
        @sides
    );
    my ($first) = ((grep { $_->{kind} eq 'index' } @measures), @measures == 1 ? @measures : ());
    return {
        copies  => $copies,
        few     => \@few,
        letters => \%letter,
        kinds   => \%title,
        why     => \%why,
        is_poor => \%poor,
        runs    => \@runs,
        places  => $first ? { map { _places($_) } grep { $_->{is_compared} } @runs } : {},
        $first
        ? (map { $_ => $first->{$_} } qw(kind title is_partial is_trimmed readings))
        : (kind => undef, readings => []),
    };
}

# Adds a measure to a run, with the readings of its machines, unless it has none. The first measure decides whether the
# machines are compared.
sub _add_measure {
    my ($rule, $run, $measure, @readings) = @_;
    return if !@readings;
    if (!@{ $run->{measures} }) {
        my @modes = $run->{is_hidden} ? UnixBench::Fleet::Kinds::modes(map { $_->{value} } @readings) : ();
        $run->{modes}       = @modes                                  ? \@modes : undef;
        $run->{is_compared} = !@modes && @readings >= $rule->{judged} ? 1       : 0;
    }
    my %is_here = map { $_ => 1 } @{ $run->{labels} };
    my %own     = (%$measure, readings => \@readings, lacking => [grep { $is_here{$_} } @{ $measure->{lacking} }]);
    my $applied = $run->{is_compared} ? $rule : { %$rule, judged => 1 + @readings };
    push @{ $run->{measures} }, _with_outliers($applied, \%own, !@{ $run->{measures} });
    return;
}

# Takes a run whose machines are compared; returns pairs of label and place.
sub _places {
    my ($run)     = @_;
    my ($measure) = @{ $run->{measures} };
    return map { $_->{label} => { median => $measure->{median} } } @{ $measure->{readings} };
}

# Takes a number of copies, and the machines of a kind; returns { label => limit of its CPU time } of those that have
# one which most do not have.
sub _limits {
    my ($copies, @machines) = @_;
    my %limit = map { $_->{label} => scalar UnixBench::Host::FactList::cpu_limit($_->{summary}, $copies) } @machines;
    my %count;
    $count{ $_ // q{} }++ for values %limit;
    delete @limit{ grep { !defined $limit{$_} || 2 * $count{ $limit{$_} } > @machines } keys %limit };
    return map { $_ => "CPU time limit: $limit{$_}" } keys %limit;
}

sub _side {
    my ($copies, $machine, $limit) = @_;
    my $trust = $machine->{summary}{trust} || {};
    return {
        label => $machine->{label},
        trust => $trust->{level},
        why   => $trust->{why},
        limit => $limit,
        run   => UnixBench::Compare::Runs::of_copies($copies, $machine),
    };
}

# Takes a rule, a measure, and whether machines are ranked by it; returns it with its outliers.
sub _with_outliers {
    my ($rule, $measure, $is_ranked) = @_;
    my @readings = @{ $measure->{readings} };
    my @given    = ($rule, $measure->{kind}, @readings);
    my @outliers = UnixBench::Fleet::Outliers::outliers(@given);
    my @basis    = UnixBench::Fleet::Outliers::basis($rule, @readings);
    return {
        %$measure,
        readings   => $is_ranked || @readings <= MANY ? \@readings : [_drawn(\@outliers, @readings)],
        count      => scalar @readings,
        basis      => scalar @basis,
        median     => median(map { $_->{value} } @basis),
        unevenness => scalar UnixBench::Fleet::Outliers::unevenness($rule, @readings),
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

# Returns the outliers with their findings, in the order of the machines. Their facts are compared with those of their
# kind.
sub _named {
    my ($machines, $kinds, @runs) = @_;
    my %findings;
    for my $run (@runs) {
        for my $measure (@{ $run->{measures} }) {
            my %what = (copies => $run->{copies}, map { $_ => $measure->{$_} } qw(kind title is_partial unevenness));
            push @{ $findings{ $_->{label} } }, { %$_, %what } for @{ $measure->{outliers} };
        }
    }
    my %usual;
    for my $kind (@$kinds) {
        my @named = grep { $findings{$_} } map { $_->{label} } @{ $kind->{machines} } or next;
        my $usual = UnixBench::Compare::Facts::usual(map { $_->{summary} } @{ $kind->{machines} });
        $usual{$_} = $usual for @named;
    }
    return map { _with_differences($_, $findings{ $_->{label} }, $usual{ $_->{label} }) }
        grep { $findings{ $_->{label} } } @$machines;
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
