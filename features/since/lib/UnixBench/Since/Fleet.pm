package UnixBench::Since::Fleet;

# What the command fleet asks about a fleet and an earlier one, see UnixBench::Fleet::Command: the verdicts on what has
# changed, and the formats, of which the data for other programs are here.

use strict;
use warnings;

use UnixBench::Accept::Acceptance  ();
use UnixBench::Accept::Requirement ();
use UnixBench::Fleet::Results      qw(outcome_of);
use UnixBench::Report::Block       qw(joined);
use UnixBench::Report::Formats     ();
use UnixBench::Report::Plain       qw(in_plain);
use UnixBench::Since::Changes      ();
use UnixBench::Since::Report       qw(reason_of report_of shared_text why);

# The types of the data for other programs, in the file of fleet --json.
my $TYPES = <<'END';
fleet_since: what has changed in a fleet since an earlier time
  date?             text                the day of the latest of the earlier results; null if none is compared
  new               [text]              the names of hosts that were not there then
  missing           [text]              the names of hosts that are not there now
  groups            [fleet_group]       hosts of a kind that have changed in the same way

fleet_group: hosts of a kind whose facts have changed in the same way
  letter?           text                the letter of the kind; null if there is only one
  hosts             natural             the number of hosts of the kind that were compared
  text?             text                what these have in common, a sentence; null if nothing is known
  ratio?            estimate            the median of their ratios; null if fewer than three were compared
  verdict?          slower|faster       how they have changed; null if that is not certain
  with              natural             the number of hosts that go with it, or of all if that is not known
  differs           [fact_apart]        the facts that became the same in all of them

fleet_change: what has changed of a host
  file?             text                the path of the earlier result; null if it was not measured then
  verdict           text                slower, faster, equal, inconclusive, "not compared" or "as its kind":
                                        it changed like the others of its kind
  copies?           whole               the number of copies that were compared; null if none was
  then?             positive            its index at that time
  now?              positive            its index now
  ratio?            estimate            now divided by then
  to_kind?          estimate            the ratio divided by that of its kind, if that has changed
  by_work           boolean             whether the cycles of a loop decided, because of other load
  why?              text                why it has this verdict, and what differs
  differs           [fact_apart]        the facts that differ, without those of its kind
END

my %OF_CHANGE = (slower => 'FAIL', map { $_ => 'INCONCLUSIVE' } 'inconclusive', 'not compared');

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
    return (since => $since, is_worse => scalar grep { ($_->{verdict} // q{}) eq 'slower' } @{ $since->{groups} });
}

sub _case_of_change {
    my ($changed, $date) = @_;
    return {
        kind    => 'requirement',
        title   => join(' since ', 'not slower', $date // ()),
        name    => 'index',
        run     => undef,
        verdict => $OF_CHANGE{ $changed->{verdict} } // 'PASS',
        reason  => $changed->{why_not}               // reason_of($changed),
        copies  => $changed->{copies},
        map { $_ => ($changed->{ratio} || {})->{$_} } qw(value low high),
    };
}

sub _cases_of_ratio {
    my ($requirement, $summary, $changed, $baseline) = @_;
    my $asked = { %{ UnixBench::Accept::Requirement::request_of($summary, $baseline) }, states => 2 };
    my $why   = $changed     ? $changed->{why_not} : 'the host was not there then';
    my @own   = defined $why ? ()                  : eval {
        UnixBench::Accept::Requirement::check([$requirement], $asked);
        UnixBench::Accept::Requirement::of([$requirement], $asked, {});
    };
    return UnixBench::Fleet::Results::open_case($requirement, $asked, $why // $@) if !@own;
    my %result = (runs => [], experiment => { tables => [map { _ratios($_) } @{ $changed->{pairs} }] });
    return grep { $_->{kind} eq 'requirement' } UnixBench::Accept::Acceptance::cases($summary, \%result, @own);
}

# Takes a pair of runs; returns their ratios as those of states of one run, a table of the type "groups".
sub _ratios {
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
    return UnixBench::Report::Formats::of_table($kind, _table($list)) if $kind =~ /\Aexport /;
    return if $kind !~ /\A(?:text|html|markdown)\z/;
    return UnixBench::Report::Formats::of_blocks($kind, report_of($list), $screen);
}

# Takes a list; returns its first line.
sub headline { my (undef, $list) = @_; return UnixBench::Since::Report::headline($list) }

# Returns the declaration of the types.
sub types { return $TYPES }

# Takes a list, and perhaps the name of a host; returns what has changed for other programs: of all hosts, the type
# "fleet_since", or of this one, "fleet_change", or undef if it was not there.
sub data {
    my (undef, $list, $host) = @_;
    my $since = $list->{since};
    return { %$since, groups => [map { +{ %$_, text => _in_plain(shared_text($_)) } } @{ $since->{groups} }] }
        if !defined $host;
    my $changed = $since->{of}{$host} or return;
    my ($then, $now) = map { $_->{value} } @{ $changed->{values} || [] };
    return {
        (map { $_ => $changed->{$_} } qw(file copies ratio to_kind)),
        verdict => $changed->{verdict},
        then    => $then,
        now     => $now,
        by_work => $changed->{by_work} ? 1 : 0,
        why     => _in_plain(why($changed)),
        differs => $changed->{differs} || [],
    };
}

sub _in_plain { my (@text) = @_; return @text ? in_plain(joined('; ', @text)) : undef }

my @COLUMNS = qw(host then_file now_file copies then now ratio low high to_kind verdict outcome why);

# Takes a list; returns it as a table for other programs: [columns] and a row for each host.
sub _table {
    my ($list) = @_;
    my @rows;
    for my $host (@{ $list->{hosts} }) {
        my $data = __PACKAGE__->data($list, $host->{host}) || { why => $host->{reason} };
        my %row  = (verdict => 'new', %$data, host => $host->{host}, outcome => outcome_of($host));
        @row{qw(then_file now_file)} = ($data->{file}, $host->{file});
        @row{qw(ratio low high)}     = @{ $data->{ratio} || {} }{qw(value low high)};
        $row{to_kind}                = ($data->{to_kind} || {})->{value};
        push @rows, { map { $_ => $row{$_} } @COLUMNS };
    }
    push @rows, map { +{ host => $_, verdict => 'missing' } } @{ $list->{since}{missing} };
    return (\@COLUMNS, @rows);
}

1;
