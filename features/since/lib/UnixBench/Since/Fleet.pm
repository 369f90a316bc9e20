package UnixBench::Since::Fleet;

# What the command fleet asks about a fleet and an earlier one, see UnixBench::Fleet::Command: the changes, the verdicts
# on them, and the reports.

use strict;
use warnings;

use UnixBench::Accept::Acceptance  ();
use UnixBench::Accept::Requirement ();
use UnixBench::Fleet::Results      ();
use UnixBench::Report::Formats     ();
use UnixBench::Since::Changes      ();
use UnixBench::Since::Report       qw(reason_of_change);

my %OF_CHANGE = (slower => 'FAIL', inconclusive => 'INCONCLUSIVE');

# Takes a list of hosts, see UnixBench::Fleet::Wording; [the hosts of the earlier one]; [requirements on ratios]; and
# the parsed index.base. Adds to each measured host the cases about its change, and the verdict that follows. Without a
# requirement on a ratio, a host must not be slower. Returns what the list has: since, see UnixBench::Since::Changes,
# and is_worse, whether all hosts of a group are slower.
sub added {
    my (undef, $list, $then, $ratios, $baseline) = @_;
    my $since = UnixBench::Since::Changes::of($list->{hosts}, $then, $list);
    for my $host (grep { $_->{outcome} eq 'measured' } @{ $list->{hosts} }) {
        my $changed = $since->{of}{ $host->{host} };
        push @{ $host->{cases} },
              @$ratios ? map { _cases_of_ratio($_, $host->{summary}, $changed, $baseline) } @$ratios
            : $changed ? _case_of_change($changed, $since->{date})
            :            ();
        $host->{verdict} = UnixBench::Fleet::Results::verdict_of(@{ $host->{cases} });
    }
    my $is_worse = grep { ($_->{verdict} // q{}) eq 'slower' } @{ $since->{groups} };
    return (since => $since, is_worse => $is_worse);
}

sub _case_of_change {
    my ($changed, $date) = @_;
    return {
        kind    => 'requirement',
        title   => join(' since ', 'not slower', $date // ()),
        name    => 'index',
        run     => undef,
        verdict => defined $changed->{why_not} ? 'INCONCLUSIVE' : $OF_CHANGE{ $changed->{verdict} } // 'PASS',
        reason  => $changed->{why_not} // reason_of_change($changed),
        copies  => $changed->{copies},
        map { $_ => ($changed->{ratio} || {})->{$_} } qw(value low high),
    };
}

# Takes a requirement on a ratio, the summary of a host, what has changed, or undef if it was not there, and the parsed
# index.base; returns its cases.
sub _cases_of_ratio {
    my ($requirement, $summary, $changed, $baseline) = @_;
    my $asked = { %{ UnixBench::Accept::Requirement::request_of($summary, $baseline) }, states => 2 };
    my $why   = $changed     ? $changed->{why_not} : 'the host was not there then';
    my @own   = defined $why ? ()                  : eval { _criteria($requirement, $asked) };
    return UnixBench::Fleet::Results::open_case($requirement, $asked, $why // $@) if !@own;
    my %result = (runs => [], experiment => { tables => [map { _table($_) } @{ $changed->{pairs} }] });
    my @cases  = UnixBench::Accept::Acceptance::cases($summary, \%result, @own);
    return grep { $_->{kind} eq 'requirement' } @cases;
}

sub _criteria {
    my ($requirement, $asked) = @_;
    UnixBench::Accept::Requirement::check([$requirement], $asked);
    return UnixBench::Accept::Requirement::of([$requirement], $asked, {});
}

# Takes a pair of runs; returns their ratios as those of states of one run, a table of the type "groups".
sub _table {
    my ($pair) = @_;
    my @rows;
    for my $row (grep { $_->{ratio} } @{ $pair->{tests} }, @{ $pair->{indexes} }) {
        my %ratio = (%$row, letter => 'B', remarks => [], is_disturbed => $row->{load} ? 1 : 0);
        my ($kind, $name) = defined $row->{name} ? (test => $row->{name}) : (index => $row->{category});
        push @rows, { kind => $kind, name => $name, others => [\%ratio] };
    }
    return { copies => $pair->{runs}[1]{copies}, rows => \@rows };
}

# Takes a list, a kind of report, and perhaps the terminal; returns the report, or undef if it is that of any list.
sub in_format {
    my (undef, $list, $kind, $screen) = @_;
    return UnixBench::Report::Formats::of_table($kind, UnixBench::Since::Report::table_of($list))
        if $kind =~ /\Aexport /;
    return if $kind !~ /\A(?:text|html|markdown)\z/;
    return UnixBench::Report::Formats::of_blocks($kind, UnixBench::Since::Report::report_of($list), $screen);
}

# Takes a list; returns its answer in a line.
sub headline { my (undef, $list) = @_; return UnixBench::Since::Report::headline($list) }

# Takes a list, and perhaps the name of a host; returns what has changed for other programs: of all hosts, the type
# "fleet_since", or of this one, "fleet_change", or undef if it was not there.
sub data {
    my (undef, $list, $host) = @_;
    return UnixBench::Since::Report::data_of_fleet($list) if !defined $host;
    return scalar UnixBench::Since::Report::data_of($list->{since}{of}{$host});
}

1;
