package UnixBench::Fleet::Standing;

# How each measured host of a fleet stands among those of its kind: for each number of copies, its index is compared
# with those of the others. Hosts of a kind have the same models and number of CPUs, and were measured in the same way.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Compare::Kind    ();
use UnixBench::Fleet::Outliers  ();
use UnixBench::Host::FactList   ();
use UnixBench::Score::OtherLoad ();
use UnixBench::Score::Repeat    ();

# The verdicts on hosts that stand out, the worst one first. If several numbers of copies have different ones, the first
# counts.
my @VERDICTS = ('slow', 'not reliable', 'fast');

# What is kept of an index.
my @OF_INDEX = qw(category title complete index tests);

# Takes a summary; returns { number of copies => the first index of that run }:
#   category, title, complete, tests, index  as in the summary; the index is the classic one
#   estimate      the one that decides, or undef
#   value, error  of the machine, within the run and from run to run, or undef; and its repeat, if its interval is known
#   limit         that of its CPU time, a text, or undef
#   is_loaded     whether other load disturbed passes
#   is_disturbed  whether it left too few others; then the index is at least and at most between these two, if known:
#   at_least, at_most
sub readings {
    my ($summary) = @_;
    my %readings;
    for my $run (reverse grep { defined $_->{copies} } @{ $summary->{runs} }) {
        my ($index) = grep { defined $_->{index} } @{ $run->{indexes} } or next;
        my $limit = UnixBench::Host::FactList::cpu_limit($summary, $run->{copies});
        $readings{ $run->{copies} } = { %{ _of_index($index) }, limit => $limit };
    }
    return \%readings;
}

sub _of_index {
    my ($index)  = @_;
    my $decision = UnixBench::Score::OtherLoad::decision([$index]);
    my $estimate = $decision && $decision->{estimates} ? $decision->{estimates}[0][0]            : $index->{estimate};
    my $machine  = $estimate ? UnixBench::Score::Repeat::of_machine($estimate, $index->{repeat}) : {};
    return {
        (map { $_ => $index->{$_} } @OF_INDEX),
        (map { $_ => ($index->{bounds} || {})->{$_} } qw(at_least at_most)),
        estimate     => $estimate,
        value        => $machine->{value},
        error        => $machine->{log_se},
        repeat       => defined $machine->{high}             ? $index->{repeat} : undef,
        is_loaded    => $decision                            ? 1                : 0,
        is_disturbed => $decision && !$decision->{estimates} ? 1                : 0,
    };
}

# Takes measured hosts, see UnixBench::Fleet::Hosts; returns
#   omissions    [sentences: why kinds are not compared with each other, and which runs are not compared]
#   copies       the number of copies by which hosts are listed: that of most hosts, the smallest of several; undef if
#                no host has an index
#   title        the title of the index, and complete, whether it is that of all of its tests
#   is_classic   whether some are text reports, so classic indexes are compared
#   kinds        [{ letter (undef of an only one), title, hosts => [names], median, of (how many hosts the median is
#                of), low, high (of the hosts that do not stand out) }, ...], those with the most hosts first; those
#                with too few have no median
#   is_compared  whether a kind has enough hosts
#   of           { name of a host => { letter, kind (its title), reading (its value, perhaps with repeat and limit),
#                median (of its kind), is (the verdict), findings => [{ copies, is, value, median, z }, ...] } }
sub of {
    my (@hosts)  = @_;
    my @kinds    = _kinds(@hosts);
    my @groups   = map  { _group($_, @hosts) } _copies(@hosts);
    my ($listed) = sort { @{ $b->{hosts} } <=> @{ $a->{hosts} } || $a->{copies} <=> $b->{copies} } @groups;
    my %of       = map  { _unjudged($_, $listed) } @kinds;
    for my $group (@groups) {
        _judge($group, $_, \%of) for @kinds;
    }
    _conclude($_, $of{ $_->{host} }) for @hosts;
    my @omissions = (
        UnixBench::Compare::Kind::obstacles(map { _side($_->{hosts}[0]) } @kinds),
        UnixBench::Compare::Kind::repeated(map { _side($_) } @hosts)
    );
    return {
        omissions => \@omissions,
        $listed ? (map { $_ => $listed->{$_} } qw(copies title complete is_classic)) : (),
        kinds       => [map { _kind($_, $listed) } @kinds],
        is_compared => scalar(grep { $_->{is} ne 'not compared' } values %of),
        of          => \%of,
    };
}

# Takes hosts; returns their kinds, { letter, title, hosts => [hosts] } each.
sub _kinds {
    my (@hosts) = @_;
    my @kinds;
    for my $host (@hosts) {
        my $cpus  = UnixBench::Host::FactList::text_of($host->{summary}, 'cpu.models') // 'unknown CPUs';
        my $title = join ', ', $cpus, $host->{summary}{procedure}{kind} // ();
        my ($own) = grep { $_->{title} eq $title && _are_alike($_->{hosts}[0], $host) } @kinds;
        push @kinds, $own = { title => $title, hosts => [] } if !$own;
        push @{ $own->{hosts} }, $host;
    }
    @kinds = sort { @{ $b->{hosts} } <=> @{ $a->{hosts} } } @kinds;
    my $letter = 'A';
    return map { +{ %$_, letter => @kinds > 1 ? $letter++ : undef } } @kinds;
}

# Returns whether two hosts were measured in the same way.
sub _are_alike {
    my (@hosts) = @_;
    my @obstacles = UnixBench::Compare::Kind::obstacles(map { _side($_) } @hosts);
    return !@obstacles;
}

# Returns a host as a side of a comparison.
sub _side { my ($host) = @_; return { label => $host->{host}, summary => $host->{summary} } }

# Returns the numbers of copies for which hosts have an index.
sub _copies {
    my (@hosts)   = @_;
    my %is_copies = map  { $_ => 1 } map { keys %{ $_->{readings} } } @hosts;
    my @copies    = sort { $a <=> $b } keys %is_copies;
    return @copies;
}

# Takes a number of copies, and hosts; returns { copies, title, complete, is_classic, hosts, readings => { name => its
# reading } }. If hosts have indexes of different tests, those with the most usual tests are in the group.
sub _group {
    my ($copies, @hosts) = @_;
    my %same;
    for my $host (@hosts) {
        my $reading = $host->{readings}{$copies} || next;
        push @{ $same{ join "\n", $reading->{category}, sort @{ $reading->{tests} } } }, $host;
    }
    my ($usual)    = sort { @{ $same{$b} } <=> @{ $same{$a} } || $a cmp $b } keys %same;
    my @usual      = @{ $same{$usual} };
    my $is_classic = grep { !defined $_->{readings}{$copies}{value} } @usual;
    my $first      = $usual[0]{readings}{$copies};
    return {
        copies     => $copies,
        title      => $first->{title},
        complete   => $first->{complete},
        is_classic => $is_classic ? 1 : 0,
        hosts      => \@usual,
        readings   => { map { $_->{host} => _reading($_, $copies, $is_classic) } @usual },
    };
}

# Takes a host, a number of copies, and whether classic indexes are compared; returns its reading, as
# UnixBench::Fleet::Outliers takes it.
sub _reading {
    my ($host, $copies, $is_classic) = @_;
    my %own = (%{ $host->{readings}{$copies} }, host => $host->{host});
    return \%own if !$is_classic;
    return { host => $own{host}, limit => $own{limit}, value => $own{index}, is_disturbed => $own{is_loaded} };
}

# Takes a kind and the group by which hosts are listed; returns pairs of the name of a host and what is known of it
# before it is judged.
sub _unjudged {
    my ($kind, $listed) = @_;
    my %about = (letter => $kind->{letter}, kind => $kind->{title});
    return
        map { $_->{host} => { %about, reading => ($listed || {})->{readings}{ $_->{host} }, findings => [] } }
        @{ $kind->{hosts} };
}

# Compares the hosts of a kind that are in a group, and adds what was found to the hosts.
sub _judge {
    my ($group, $kind, $of) = @_;
    my @readings = grep { defined } map { $group->{readings}{ $_->{host} } } @{ $kind->{hosts} };
    _drop_usual_limits(@readings);
    my $found = UnixBench::Fleet::Outliers::outliers(@readings) or return;
    $kind->{found}{ $group->{copies} } = $found;
    push @{ $of->{ $_->{host} }{findings} }, { %$_, copies => $group->{copies} } for @{ $found->{findings} };
    for my $reading (@readings) {
        my $host = $of->{ $reading->{host} };
        $host->{is}     = 'usual';
        $host->{median} = $found->{median} if $host->{reading} && $reading == $host->{reading};
    }
    return;
}

# Removes the limits of CPU time that most hosts of a kind have.
sub _drop_usual_limits {
    my (@readings) = @_;
    my %count;
    $count{$_}++ for map { $_->{limit} // () } @readings;
    for my $reading (grep { defined $_->{limit} } @readings) {
        $reading->{limit} = undef if 2 * $count{ $reading->{limit} } > @readings;
    }
    return;
}

# Takes a host and what is known of how it stands; adds its verdict.
sub _conclude {
    my ($host, $own) = @_;
    my %is      = map { $_->{is} => 1 } @{ $own->{findings} };
    my ($worst) = grep { $is{$_} } @VERDICTS;
    my $trust   = $host->{summary}{trust}{level} // q{};
    $own->{is} = $worst // (defined $own->{is} && $trust eq 'poor' ? 'uncertain' : $own->{is} // 'not compared');
    return;
}

# Takes a kind and the group by which hosts are listed; returns the kind as of() does.
sub _kind {
    my ($kind, $listed) = @_;
    my %about = (letter => $kind->{letter}, title => $kind->{title}, hosts => [map { $_->{host} } @{ $kind->{hosts} }]);
    my $found = $listed && $kind->{found}{ $listed->{copies} } or return \%about;
    my %is_off = map { $_->{host} => 1 } @{ $found->{findings} };
    my @usual  = map { $_->{value} } grep { defined && !$is_off{ $_->{host} } }
        map { $listed->{readings}{ $_->{host} } } @{ $kind->{hosts} };
    return {
        %about,
        median => $found->{median},
        of     => $found->{of},
        @usual ? (low => min(@usual), high => max(@usual)) : ()
    };
}

1;
