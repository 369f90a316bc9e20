package UnixBench::Fleet::Standing;

# How each measured host of a fleet stands among those of its kind: for each number of copies, its index is compared
# with those of the others. Hosts of a kind have the same models and number of CPUs, and were measured in the same way.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Result     qw(has_passes);
use UnixBench::Compare::Kind    ();
use UnixBench::Fleet::Outliers  ();
use UnixBench::Host::FactList   ();
use UnixBench::Score::OtherLoad ();
use UnixBench::Score::Repeat    ();
use UnixBench::Warnings::Trust  ();

# The verdicts on hosts that stand out, the worst one first. If several numbers of copies have different ones, the first
# counts.
my @VERDICTS = ('slow', 'not reliable', 'fast');

# Takes a summary; returns { number of copies => the first index of that run }:
#   category, title, complete, tests  as in the summary
#   value, error  of the machine, within the run and from run to run, and its repeat, if its interval is known; else the
#                 value is the classic index, and the others are undef
#   limit         that of its CPU time, a text, or undef
#   is_disturbed  whether other load left too few passes
#   at_least, at_most  between these two the index is without other load; undef if that is not known, or if it had none
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
    my $value    = $machine->{value} // $index->{index};
    my $is_open  = $decision && !$decision->{estimates} ? 1 : 0;
    my $slight   = UnixBench::Score::OtherLoad::slight($index);
    my $between  = $is_open ? $index->{bounds} : $slight > 1 ? { at_least => $value, at_most => $value * $slight } : {};
    return {
        (map { $_ => $index->{$_} } qw(category title complete tests)),
        (map { $_ => $between->{$_} } qw(at_least at_most)),
        item         => $index,
        value        => $value,
        error        => $machine->{log_se},
        repeat       => defined $machine->{high} ? $index->{repeat} : undef,
        is_disturbed => $is_open,
    };
}

# Takes measured hosts, see UnixBench::Fleet::Results; returns
#   omissions    [sentences: why kinds are not compared with each other, and which runs are not compared]
#   copies       the number of copies by which hosts are listed: that of most hosts, the smallest of several; undef if
#                no host has an index
#   title        the title of the index, and complete, whether it is that of all of its tests
#   kinds        [{ letter (undef of an only one), title, hosts => [names], median, of (how many hosts the median is
#                of), low, high (of the hosts that do not stand out) }, ...], those with the most hosts first; those
#                with too few have no median
#   is_compared  whether a kind has enough hosts
#   of           { name of a host => { letter, kind (its title), reading (as above, the limit only if it is not that of
#                most), median (of its kind), is (the verdict), findings => [{ copies, is, value, median, z }, ...] } }
sub of {
    my (@hosts)  = @_;
    my @kinds    = _kinds(@hosts);
    my %is_there = map  { $_ => 1 } map { keys %{ $_->{readings} } } @hosts;
    my %readings = map  { $_ => _readings_with($_, @hosts) } keys %is_there;
    my ($listed) = sort { keys %{ $readings{$b} } <=> keys %{ $readings{$a} } || $a <=> $b } keys %readings;
    my %of;
    for my $kind (@kinds) {
        my %about = (letter => $kind->{letter}, kind => $kind->{title});
        for my $name (map { $_->{host} } @{ $kind->{hosts} }) {
            $of{$name} = { %about, findings => [], reading => defined $listed ? $readings{$listed}{$name} : undef };
        }
        _judge($kind, $_, $_ == $listed, $readings{$_}, \%of) for sort { $a <=> $b } keys %readings;
    }
    _conclude($_, $of{ $_->{host} }) for @hosts;
    my ($first) = map { $of{ $_->{host} }{reading} || () } @hosts;
    my @omissions =
        (_obstacles(map { $_->{hosts}[0] } @kinds), UnixBench::Compare::Kind::repeated(map { _side($_) } @hosts));
    $_->{hosts} = [map { $_->{host} } @{ $_->{hosts} }] for @kinds;
    return {
        omissions => \@omissions,
        copies    => $listed,
        (map { $_ => $first->{$_} } qw(title complete)),
        kinds       => \@kinds,
        is_compared => scalar(grep { $_->{is} ne 'not compared' } values %of),
        of          => \%of,
    };
}

sub _kinds {
    my (@hosts) = @_;
    my @kinds;
    for my $host (@hosts) {
        my $summary = $host->{summary};
        my $way     = has_passes($summary) ? $summary->{procedure}{kind} : 'text report';
        my $cpus    = UnixBench::Host::FactList::text_of($summary, 'cpu.models');
        my $title   = join ', ', $cpus // 'unknown CPUs', $way // ();
        my ($own)   = grep { $_->{title} eq $title && !_obstacles($_->{hosts}[0], $host) } @kinds;
        push @kinds, $own = { title => $title, is_known => defined $cpus ? 1 : 0, hosts => [] } if !$own;
        push @{ $own->{hosts} }, $host;
    }
    @kinds = sort { @{ $b->{hosts} } <=> @{ $a->{hosts} } } @kinds;
    my $letter = 'A';
    return map { +{ %$_, letter => @kinds > 1 ? $letter++ : undef } } @kinds;
}

sub _obstacles {
    my (@hosts) = @_;
    return my @why = UnixBench::Compare::Kind::obstacles(map { _side($_) } @hosts);
}

sub _side { my ($host) = @_; return { label => $host->{host}, summary => $host->{summary} } }

# Returns { name => its reading } of those with an index of the same tests: the most usual ones.
sub _readings_with {
    my ($copies, @hosts) = @_;
    my %same;
    for my $host (@hosts) {
        my $reading = $host->{readings}{$copies} || next;
        $same{ join "\n", $reading->{category}, sort @{ $reading->{tests} } }{ $host->{host} } =
            { %$reading, host => $host->{host} };
    }
    my ($usual) = sort { keys %{ $same{$b} } <=> keys %{ $same{$a} } || $a cmp $b } keys %same;
    my @names   = sort keys %{ $same{$usual} // {} };
    my ($items) = @{ UnixBench::Compare::Kind::in_one_place([map { $_->{item} } @{ $same{$usual} }{@names}]) };
    return {
        map {
            $names[$_] => {
                %{ $same{$usual}{ $names[$_] } },
                $items->[$_] == $same{$usual}{ $names[$_] }{item} ? () : %{ _of_index($items->[$_]) }
            }
        } 0 .. $#names
    };
}

# Compares the hosts of a kind, and adds what was found to them, and to the kind. A limit of CPU time that most of them
# have is none. Hosts whose CPUs are unknown may be of any kind.
sub _judge {
    my ($kind, $copies, $is_listed, $reading_of, $of) = @_;
    my @readings = grep { defined } map { $reading_of->{ $_->{host} } } @{ $kind->{hosts} };
    my %count;
    $count{ $_->{limit} // q{} }++ for @readings;
    $_->{limit} = undef for grep { 2 * $count{ $_->{limit} // q{} } > @readings } @readings;
    my $found = $kind->{is_known} && UnixBench::Fleet::Outliers::outliers(@readings) or return;
    $of->{ $_->{host} }{is} = 'usual' for @readings;
    push @{ $of->{ $_->{host} }{findings} }, { %$_, copies => $copies } for @{ $found->{findings} };
    return if !$is_listed;
    $of->{ $_->{host} }{median} = $found->{median} for @readings;
    my %is_off = map { $_->{host} => 1 } @{ $found->{findings} };
    my @usual  = map { $_->{value} } grep { !$is_off{ $_->{host} } } @readings;
    @$kind{qw(median of low high)} = (@$found{qw(median of)}, min(@usual), max(@usual));
    return;
}

sub _conclude {
    my ($host, $own) = @_;
    my %is      = map { $_->{is} => 1 } @{ $own->{findings} };
    my ($worst) = grep { $is{$_} } @VERDICTS;
    my $usual   = $own->{is} // 'not compared';
    my $is_open = defined $own->{is} && UnixBench::Warnings::Trust::is_rough($host->{summary}{trust});
    $own->{is} = $worst // ($is_open ? 'uncertain' : $usual);
    return;
}

1;
