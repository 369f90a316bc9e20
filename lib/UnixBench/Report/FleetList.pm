package UnixBench::Report::FleetList;

# The report of a fleet whose hosts are all listed: a ranking of those that were measured, with the outcome of each; the
# others; the hosts that are not accepted; what machines of a hypervisor lose to each other; then the report of a fleet.
#
# A list is plain data:
#   hosts    [host, ...], see UnixBench::Compare::Fleet::Hosts
#   fleet    the measured hosts, see UnixBench::Compare::Fleet, or undef if there are none; labels are names of hosts
#   sharing  [ratio, ...], see UnixBench::Compare::Fleet::Sharing
#   results  a function that reads the results again and returns them for UnixBench::Report::Export, with the names of
#            the hosts: the list has only parts of them

use strict;
use warnings;

use UnixBench::Base::Format          qw(fixed);
use UnixBench::Compare::Fleet::Hosts qw(is_accepted outcome_of);
use UnixBench::Report::Block         qw(document in_detail in_full not_in_full notices paragraphs row section table);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Fleet               ();
use UnixBench::Report::Fleet::Ranking      qw(ranked_measure ranking);
use UnixBench::Report::FleetList::Wording  qw(headline reason_of reasons_of unplaced);
use UnixBench::Report::Wording             qw(copies_title);

# Takes a list; returns its report.
sub report_of {
    my ($list) = @_;
    my $fleet = $list->{fleet};
    return document(
        headline($list),                        notices(grep { defined } $fleet ? forced($fleet) : ()),
        in_detail(paragraphs(headline($list))), _rankings($list),
        _not_accepted($list),                   _tries($list),
        _sharing($list),                        $fleet ? UnixBench::Report::Fleet::details_of($fleet) : (),
    );
}

# Returns a ranking for each number of copies. The first one has all hosts: those without a place have a reason.
sub _rankings {
    my ($list) = @_;
    my @hosts = @{ $list->{hosts} };
    my ($first, @others) = $list->{fleet} ? @{ $list->{fleet}{runs} } : ();
    return _titled('Hosts', columns => [text => 'Machine', word => 'Outcome'], rows => [_unplaced($list)]) if !$first;
    my %outcomes = map { $_->{name} => outcome_of($_) } @hosts;
    return (ranking($list->{fleet}, $first, outcomes => \%outcomes, others => [_unplaced($list, $first)]),
        map { ranking($list->{fleet}, $_, outcomes => \%outcomes) } @others);
}

# Takes a list, and perhaps a run of its fleet; returns a row for each host that the ranking of the run does not have.
sub _unplaced {
    my ($list, $run) = @_;
    my @measures = $run ? ranked_measure($run) // @{ $run->{measures} } : ();
    my %has      = map { $_->{label} => 1 } map { @{ $_->{readings} } } @measures;
    return map { row($_->{name}, undef, reason => unplaced($_)) } grep { !$has{ $_->{name} } } @{ $list->{hosts} };
}

sub _not_accepted {
    my ($list) = @_;
    my @rows   = map { row($_->{name}, [outcome_of($_)], remark => reasons_of($_, $list)) }
        grep { !is_accepted($_) } @{ $list->{hosts} };
    return _titled(
        'Not accepted',
        columns => [text => 'Host', word => 'Outcome'],
        rows    => \@rows,
        remarks => 'Reason'
    );
}

# Returns the table of all tries of hosts that were tried more than once.
sub _tries {
    my ($list) = @_;
    my @tries  = map { @{ $_->{tries} } } grep { @{ $_->{tries} } > 1 } @{ $list->{hosts} };
    my @rows   = map { row("$_->{host}, try $_->{try}", [_index($_), outcome_of($_)], remark => reason_of($_)) } @tries;
    return _titled(
        'More than one try',
        columns => [text => 'Host', number => 'Index', word => 'Outcome'],
        rows    => \@rows,
        remarks => 'Reason'
    );
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

# Takes a title, columns, rows and more of a table; returns it with its title, or nothing without rows.
sub _titled {
    my ($title, %table) = @_;
    return if !@{ $table{rows} };
    return (in_full(section($title, table(%table, caption => $title))), not_in_full(table(%table, title => $title)));
}

1;
