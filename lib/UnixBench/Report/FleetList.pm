package UnixBench::Report::FleetList;

# The report of a fleet whose hosts are all listed: those that are not accepted, with their reasons; a ranking of the
# others; those that have not been measured yet; what machines of a hypervisor lose to each other; then the report of a
# fleet.
#
# A list is plain data:
#   hosts    [host, ...], see UnixBench::Compare::Fleet::Hosts
#   fleet    the measured hosts, see UnixBench::Compare::Fleet, or undef if there are none; labels are names of hosts
#   sharing  [ratio, ...], see UnixBench::Compare::Fleet::Sharing
#   results  a function that reads the results again and returns them for UnixBench::Report::Export, with the names of
#            the hosts: the list has only parts of them
#   most     how many machines of a ranking are printed (optional), and
#   rest     where the others are, a text

use strict;
use warnings;

use UnixBench::Base::Number          qw(fixed);
use UnixBench::Compare::Fleet::Hosts qw(is_accepted is_due outcome_of);
use UnixBench::Report::Block         qw(document in_detail in_full not_in_full notices paragraphs row section table);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Fleet               ();
use UnixBench::Report::Fleet::Ranking      qw(columns places ranking shortened);
use UnixBench::Report::FleetList::Wording  qw(headline reason_of reasons_of);
use UnixBench::Report::Wording             qw(copies_title);

# All outcomes in the order in which hosts that are not accepted are listed.
my @WORST_FIRST = qw(FAIL failed unreachable refused INCONCLUSIVE PASS measured running untried);

# Takes a list; returns its report.
sub report_of {
    my ($list) = @_;
    my $fleet = $list->{fleet};
    return document(
        headline($list),
        notices(grep { defined } $fleet ? forced($fleet) : ()),
        in_detail(paragraphs(headline($list))),
        _hosts($list), _tries($list), _sharing($list), $fleet ? UnixBench::Report::Fleet::details_of($fleet) : (),
    );
}

# Returns the tables of hosts: each host is in one of them, with its place if it has one. After them are the rankings
# for further numbers of copies, which have all machines.
sub _hosts {
    my ($list)   = @_;
    my @hosts    = @{ $list->{hosts} };
    my %outcomes = map { $_->{name} => outcome_of($_) } @hosts;
    my %apart    = map { $_->{name} => 1 } grep { !is_accepted($_) } @hosts;
    my ($first, @others) = $list->{fleet} ? @{ $list->{fleet}{runs} } : ();
    my @places   = $first ? places($list->{fleet}, $first, \%outcomes) : ();
    my %is_place = map { $_->{label} => 1 } @places;
    my @unplaced = map { _unplaced($_) } grep { !$is_place{ $_->{name} } && !$apart{ $_->{name} } } @hosts;
    my %most     = map { $_ => $list->{$_} } qw(most rest);
    my @ranking =
        $first
        ? ranking($list->{fleet}, $first, outcomes => \%outcomes, apart => \%apart, others => \@unplaced, %most)
        : _titled('Hosts', columns => [text => 'Machine', word => 'Outcome'], rows => \@unplaced);
    return (
        _listed('Not accepted', $list, [$first, @places], grep { !is_accepted($_) && !is_due($_) } @hosts),
        @ranking,
        _listed('Not measured yet', $list, undef, grep { is_due($_) } @hosts),
        map { ranking($list->{fleet}, $_, outcomes => \%outcomes, %most) } @others
    );
}

# Returns the row of a host that was measured, but has no place in the ranking.
sub _unplaced {
    my ($host) = @_;
    return row($host->{name}, undef, reason => outcome_of($host) . ': it has no such value');
}

# Takes a title, the list, [the run of the ranking, its places], and hosts; returns their table. The worst outcomes come
# first. Without a ranking, these are hosts that have not been measured yet, of which not all are printed.
sub _listed {
    my ($title, $list, $ranking, @hosts) = @_;
    my ($run, @places) = @{ $ranking || [] };
    my %host    = map  { $_->{name} => $_ } @hosts;
    my @placed  = grep { $host{ $_->{label} } } @places;
    my @columns = @placed ? columns($run, 1) : (text => 'Machine', word => 'Outcome');
    my @empty   = (undef) x (@columns / 2 - 2);
    delete @host{ map { $_->{label} } @placed };
    push @placed, map { +{ label => $_->{name}, title => $_->{name}, cells => [@empty, outcome_of($_)] } }
        grep { $host{ $_->{name} } } @hosts;
    %host = map { $_->{name} => $_ } @hosts;
    my %rows;
    push @{ $rows{ $_->{cells}[-1] } }, row(@$_{qw(title cells)}, remark => reasons_of($host{ $_->{label} }, $list))
        for @placed;
    my %table = (columns => \@columns, rows => [map { @{ $rows{$_} || [] } } @WORST_FIRST], remarks => 'Reason');
    return _titled($title, %table, $ranking ? () : (cut => $list));
}

# Returns the table of all tries of hosts that were tried more than once.
sub _tries {
    my ($list) = @_;
    my @rows = map { _rows_of_tries($_) } grep { @{ $_->{tries} } > 1 } @{ $list->{hosts} };
    return _titled(
        'More than one try',
        columns => [text => 'Host', number => 'Index', word => 'Outcome'],
        rows    => \@rows,
        remarks => 'Reason'
    );
}

# Returns a row for each try of a host. The reason of the one that counts is in another table.
sub _rows_of_tries {
    my ($host) = @_;
    return map {
        row(
            "$_->{host}, try $_->{try}",
            [_index($_), outcome_of($_)],
            remark => $_ == $host->{counted} ? q{} : reason_of($_)
        )
    } @{ $host->{tries} };
}

# Returns the index of a try, for its smallest number of copies, or an empty text.
sub _index {
    my ($try)    = @_;
    my $indexes  = $try->{indexes} || {};
    my ($fewest) = sort { $a <=> $b } keys %$indexes;
    return defined $fewest ? fixed($indexes->{$fewest}{estimate}{value}) : q{};
}

# Returns a table for each number of copies.
sub _sharing {
    my ($list) = @_;
    my (%rows, @copies);
    for my $ratio (@{ $list->{sharing} }) {
        push @copies,                        $ratio->{copies} if !$rows{ $ratio->{copies} };
        push @{ $rows{ $ratio->{copies} } }, _ratio($ratio);
    }
    my @columns = (text => 'Hypervisor', number => 'Machines', number => 'Ratio', number => '95 % interval');
    return map {
        _titled(
            'Together, divided by alone: the index with ' . copies_title($_),
            columns => \@columns,
            rows    => $rows{$_}
        )
    } @copies;
}

sub _ratio {
    my ($of) = @_;
    my ($value, $low, $high) = map { defined $_ ? sprintf '%.3f', $_ : undef } @{ $of->{ratio} }{qw(value low high)};
    return row($of->{shares}, [$of->{machines}, $value, defined $low ? "$low - $high" : q{}]);
}

# Takes a title, columns, rows and more of a table, and perhaps cut, { most, rest } as in a list; returns it with its
# title, or nothing without rows.
sub _titled {
    my ($title, %table) = @_;
    my $cut = delete $table{cut} || {};
    return if !@{ $table{rows} };
    return (in_full(section($title, table(%table, caption => $title))), not_in_full(shortened($title, $cut, %table)));
}

1;
