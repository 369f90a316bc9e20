package UnixBench::Since::Report;

# What the command fleet asks about a fleet and an earlier one, see UnixBench::Fleet::Command: what has changed, the
# verdicts on that, and the reports. These have the hosts that are slower, then those that are open, and a line for all
# others. They take a list, see UnixBench::Fleet::Wording, with the key since, see UnixBench::Since::Changes.

use strict;
use warnings;

use UnixBench::Accept::Acceptance  ();
use UnixBench::Accept::Requirement ();
use UnixBench::Base::Text          qw(copies_text counted cut listed);
use UnixBench::CLI::Console        ();
use UnixBench::Fleet::Results      qw(outcome_of);
use UnixBench::Fleet::Wording      qw(outcomes_of reason_of);
use UnixBench::Report::Block       qw(
    column document in_detail in_full joined list not_in_full paragraphs quiet section table row
);
use UnixBench::Report::Cell      qw(cell sentence);
use UnixBench::Report::Formats   ();
use UnixBench::Report::Plain     qw(in_plain);
use UnixBench::Report::Reference qw(compared_columns compared_values verdict_words work_words);
use UnixBench::Report::Title     qw(titles);
use UnixBench::Report::Wording   qw(index_title);
use UnixBench::Since::Changes    ();

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
  file              text                the path of the earlier result
  verdict           slower|faster|equal|inconclusive|"as its kind"|"not compared"
                                        as its kind: it changed like the others of its kind
  copies?           whole               the number of copies that were compared; null if none was
  then?             positive            its index at that time
  now?              positive            its index now
  ratio?            estimate            now divided by then
  to_kind?          estimate            the ratio divided by that of its kind, if that has changed
  by_work           boolean             whether the cycles of a loop decided, because of other load
  why?              text                why it has this verdict, and what differs
  differs           [fact_apart]        the facts that differ, without those of its kind
END

use constant {
    NAMED_MOST  => 3,                                                                       # hosts in the first line
    FACTS_MOST  => 3,                                                                       # of a host
    VALUE_MOST  => 40,                                                                      # bytes of a value of a fact
    NOT_CERTAIN => 'not certain',
    CHANGED     => 'slower, faster: the index has changed, for certain in the whole fleet.',
    EQUAL   => 'equal: its 95 % interval is within 5 % of 1, or around 1 and within 10 % (by work 15 %).',
    AS_KIND => 'as its kind: changed like the others of its kind. To kind: the ratio without what they have in common.',
};

# The words for verdicts in the first line, the worst ones first.
my @WORDS = (
    [slower         => 'slower'],
    [faster         => 'faster'],
    [equal          => 'equal'],
    ['as its kind'  => 'as their kind'],
    [inconclusive   => NOT_CERTAIN],
    ['not compared' => 'not compared'],
);
my %PLACE    = map { $WORDS[$_][0] => $_ } 0 .. $#WORDS;
my %IS_SHOWN = map { $_ => 1 } qw(slower inconclusive), 'not compared';

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
        reason  => $changed->{why_not} // _reason($changed),
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
    my @cases  = UnixBench::Accept::Acceptance::cases($summary, \%result, @own);
    return grep { $_->{kind} eq 'requirement' } @cases;
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

sub _is { my ($changed) = @_; return defined $changed->{why_not} ? 'not compared' : $changed->{verdict} }

# Takes a list; returns the answer in a line: how many hosts are slower, and which.
sub headline {
    my (undef,  $list)  = @_;
    my ($since, @hosts) = ($list->{since}, @{ $list->{hosts} });
    my (%with,  @parts);
    push @{ $with{ _is($since->{of}{$_}) } }, $_ for grep { $since->{of}{$_} } map { $_->{host} } @hosts;
    push @parts,                              'none slower' if %with && !$with{slower};
    for my $word (@WORDS) {
        my @names = @{ $with{ $word->[0] } || [] } or next;
        @names = sort { _size($since->{of}{$a}) <=> _size($since->{of}{$b}) } @names;
        my @named = $word->[0] =~ /\A(?:slower|faster)\z/ ? ' (' . _named($since, @names) . ')' : ();
        push @parts, join q{}, scalar @names, " $word->[1]", @named;
    }
    my @groups   = grep { defined $_->{verdict} } @{ $since->{groups} };
    my @outcomes = grep { $list->{is_judged} || /not measured/ } outcomes_of(@hosts);
    my @others   = (
        (map { "$_->{with} together " . _percent($_->{ratio}{value}) } @groups),
        (map { @{ $since->{$_} } ? @{ $since->{$_} } . " $_" : () } qw(new missing)),
        @outcomes ? join(', ', @outcomes) : (),
    );
    my $hosts = counted(scalar @hosts, 'host', 'hosts');
    my $when =
          !defined $since->{date} ? ' against an earlier time'
        : $since->{is_back}       ? " against $since->{date}, which is later"
        :                           " since $since->{date}";
    return "$hosts$when: " . join '; ', join(', ', @parts) || 'none is compared', @others;
}

sub _named {
    my ($since, @names) = @_;
    my @shown = map { "$_ " . _change_in_brief($since->{of}{$_}) } splice @names, 0, NAMED_MOST;
    return join(', ', @shown) . (@names ? ' and ' . counted(scalar @names, 'other', 'others') : q{});
}

sub _size { my ($changed) = @_; return $changed->{ratio} ? log _ratio($changed) : 0 }

sub _ratio { my ($changed) = @_; return $changed->{bound} ? $changed->{bound}{ratio} : $changed->{ratio}{value} }

sub _change_in_brief {
    my ($changed) = @_;
    return 'by work' if @{ $changed->{slower} || [] } && !$changed->{work};
    return _percent(_ratio($changed));
}

sub _percent { my ($ratio) = @_; return ($ratio > 1 ? q{+} : q{}) . in_plain(cell(share => $ratio - 1)) }

# Takes a group of UnixBench::Since::Changes; returns what its hosts have in common, a sentence, or nothing.
sub _shared_text {
    my ($group) = @_;
    my $facts   = join ', ', map { _fact($_) } @{ $group->{differs} };
    my $which   = defined $group->{letter} ? "of kind $group->{letter}" : 'of this kind';
    my $hosts   = "$group->{with} of $group->{hosts} hosts $which";
    return length $facts ? "$hosts differ: $facts. Together they are neither slower nor faster." : ()
        if !defined $group->{verdict};
    my $text = "$hosts are {whole_percent} $group->{verdict}";
    my $more = length $facts ? "; differs: $facts." : q{.};
    return joined(q{}, sentence($text, abs $group->{ratio}{value} - 1), $more);
}

# Takes a fact that differs; returns its label with both values.
sub _fact {
    my ($fact) = @_;
    my ($then, $now) = map { cut($_ // 'unknown', VALUE_MOST) } @$fact{qw(first second)};
    return "$fact->{label} ($then -> $now)";
}

# Takes what has changed of a host that was compared; returns why it has its verdict, a text, or undef.
sub _reason {
    my ($changed) = @_;
    my @slower = @{ $changed->{slower} || [] };
    return 'by work: ' . listed(@slower) if @slower;
    return 'by work' if ($changed->{work} || {})->{decides};
    return 'in spite of other load' if $changed->{bound};
    return 'other load' if $changed->{load};
    return 'a quick estimate against an official result' if $changed->{is_mixed};
    return 'its interval is too wide: measure it again' if $changed->{verdict} eq 'inconclusive';
    return $changed->{verdict} eq 'as its kind' ? 'as its kind' : undef;
}

# Takes a list, a kind of report, and perhaps the terminal; returns the report, or undef if it is that of any list.
sub in_format {
    my ($class, $list, $kind, $screen) = @_;
    return UnixBench::Report::Formats::of_table($kind, $class->table_of($list)) if $kind =~ /\Aexport /;
    return if $kind !~ /\A(?:text|html|markdown)\z/;
    return UnixBench::Report::Formats::of_blocks($kind, $class->report_of($list), $screen);
}

# Takes a list; returns its report.
sub report_of {
    my ($class, $list) = @_;
    my $title  = $class->headline($list);
    my %of     = %{ $list->{since}{of} };
    my @both   = grep { $of{ $_->{host} } || $_->{outcome} ne 'measured' } @{ $list->{hosts} };
    my $place  = sub { my ($own) = $of{ $_[0]{host} }; return $own ? $PLACE{ _is($own) } : scalar @WORDS };
    my $size   = sub { my ($own) = $of{ $_[0]{host} }; return $own ? _size($own)         : 0 };
    my @sorted = sort { $place->($a) <=> $place->($b) || $size->($a) <=> $size->($b) } @both;
    my @shown  = grep { _is_shown($_, $of{ $_->{host} }) } @sorted;
    my %shown  = map  { $_->{host} => 1 } @shown;
    my @rest   = grep { !$shown{ $_->{host} } } @sorted;
    my @legend = (CHANGED, EQUAL, (grep { $_->{to_kind} } values %of) ? AS_KIND : ());
    my $index  = defined $list->{copies} ? index_title($list) . ', ' . copies_text($list->{copies}) : 'Hosts';
    return document(
        { titles(fleet => $title), how => \@legend, block => [[Verdict => $title], [Next => _next($list, @shown)]] },
        in_detail(paragraphs($title)),
        paragraphs(map { _shared_text($_) } @{ $list->{since}{groups} }),
        _table($list, $index, @shown),
        not_in_full(paragraphs(@rest ? _in_a_line(@shown ? 1 : 0, map { [$_, $of{ $_->{host} }] } @rest) : ())),
        in_full(_table($list, @shown ? 'Others' : $index, @rest)),
        list('New:',      map { _new($list, $_) } @{ $list->{since}{new} }),
        list('Missing:',  @{ $list->{since}{missing} }),
        list('Left out:', @{ $list->{left_out} || [] }),
        not_in_full(quiet(@legend)),
    );
}

sub _new {
    my ($list, $name) = @_;
    my ($host) = grep { $_->{host} eq $name } @{ $list->{hosts} };
    my ($own)  = grep { $_ eq ($host->{name} // q{}) } @{ $list->{since}{missing} };
    return defined $own ? "$name (its result is of a host named $own)" : $name;
}

sub _is_shown {
    my ($host, $changed) = @_;
    return 1 if !$changed             || outcome_of($host) !~ /\A(?:PASS|measured)\z/;
    return $IS_SHOWN{ _is($changed) } || $changed->{to_kind} && $changed->{verdict} eq 'faster';
}

sub _in_a_line {
    my ($has_rows, @rest) = @_;
    my %names;
    for my $host (@rest) {
        my $is   = _is($host->[1]);
        my @size = $is eq 'faster' ? _change_in_brief($host->[1]) : ();
        push @{ $names{$is} }, join q{ }, $host->[0]{host}, @size;
    }
    my @parts = map { $names{ $_->[0] } ? "$_->[1]: " . listed(@{ $names{ $_->[0] } }) : () } @WORDS;
    return
        counted(scalar @rest, $has_rows ? ('other', 'others') : ('host', 'hosts')) . ': ' . join('; ', @parts) . q{.};
}

sub _table {
    my ($list, $title, @hosts) = @_;
    return if !@hosts;
    my @columns = (
        column('Host', title => 'text'),
        column('Then', then  => 'rate', is_optional => 1, spare => 2),
        column('Now',  now   => 'rate', is_optional => 1, spare => 2),
        compared_columns('Ratio', ratio => { is_optional => 1 }, interval => { is_optional => 1, spare => 1 }),
        column('To kind', to_kind => 'ratio', is_optional => 1, spare => 3),
        column('Verdict', verdict => 'word',  is_optional => 1),
        column('Outcome', outcome => 'word',  is_optional => 1),
    );
    my @rows  = map { _row($list, $_) } @hosts;
    my %table = (columns => \@columns, rows => \@rows, remarks => 'Why');
    return (in_full(section($title, table(%table, caption => $title))), not_in_full(table(%table, title => $title)));
}

sub _row {
    my ($list, $host) = @_;
    my $changed = $list->{since}{of}{ $host->{host} };
    my %item    = (outcome => $host->{outcome} eq 'measured' && !$list->{is_judged} ? undef : outcome_of($host));
    if ($changed && !defined $changed->{why_not}) {
        my ($then, $now) = map { $_->{value} } @{ $changed->{values} };
        my %values = compared_values($changed);
        %item          = (%item, (map { $_ => $values{$_} } qw(ratio interval)), then => $then, now => $now);
        $item{to_kind} = $changed->{to_kind} && $changed->{to_kind}{value};
        $item{verdict} = _verdict($changed);
    }
    my @why = $changed ? _why($changed) : ();
    push @why, reason_of($host) if $list->{is_judged} || $host->{outcome} ne 'measured';
    return row($host->{host}, \%item, remark => @why ? joined('; ', grep { length } @why) : undef);
}

sub _verdict {
    my ($changed) = @_;
    my $by_work = ($changed->{work} || {})->{decides} || @{ $changed->{slower} || [] } ? ' by work' : q{};
    return verdict_words($changed) if $changed->{bound};
    return ($changed->{verdict} eq 'inconclusive' ? NOT_CERTAIN : $changed->{verdict}) . $by_work;
}

sub _why {
    my ($changed) = @_;
    return $changed->{why_not} if defined $changed->{why_not};
    my @facts  = map { _fact($_) } @{ $changed->{differs} };
    my @others = splice @facts, @facts > FACTS_MOST ? FACTS_MOST : @facts;
    push @facts, @others . ' more facts' if @others;
    my $reason = _reason($changed);
    return (
        $changed->{copies} != ($changed->{listed} // $changed->{copies})
        ? 'with ' . copies_text($changed->{copies})
        : (),
        defined $reason && $changed->{verdict} ne 'as its kind' ? $reason : (),
        defined $changed->{limit} ? "CPU time limit: $changed->{limit} (unknown then)" : (),
        $changed->{work}          ? work_words($changed->{work}) : (),
        @facts                    ? 'differs: ' . join ', ',
        @facts : (),
    );
}

sub _next {
    my ($list, @shown) = @_;
    my ($first) = grep { my $own = $list->{since}{of}{ $_->{host} }; $own && defined $own->{file} } @shown;
    return 'add --html fleet.html for a page with all hosts' if !$first;
    my $file = $list->{since}{of}{ $first->{host} }{file};
    return join q{ }, './Run compare', map { UnixBench::CLI::Console::quoted($_) } $file, $first->{file};
}

# Returns the declaration of the types.
sub types { return $TYPES }

# Takes a list, and perhaps the name of a host; returns what has changed for other programs: of all hosts, the type
# "fleet_since", or of this one, "fleet_change", or undef if it was not there.
sub data {
    my (undef, $list, $host) = @_;
    my $since = $list->{since};
    return { %$since, groups => [map { +{ %$_, text => _in_plain(_shared_text($_)) } } @{ $since->{groups} }] }
        if !defined $host;
    my $changed = $since->{of}{$host} or return;
    my ($then, $now) = map { $_->{value} } @{ $changed->{values} || [] };
    return {
        (map { $_ => $changed->{$_} } qw(file copies ratio to_kind)),
        verdict => _is($changed),
        then    => $then,
        now     => $now,
        by_work => ($changed->{work} || {})->{decides} || @{ $changed->{slower} || [] } ? 1 : 0,
        why     => _in_plain(_why($changed)),
        differs => $changed->{differs} || [],
    };
}

sub _in_plain { my (@text) = @_; return @text ? in_plain(joined('; ', @text)) : undef }

my @COLUMNS = qw(host then_file now_file copies then now ratio low high to_kind verdict outcome why);

# Takes a list; returns it as a table for other programs: [columns] and a row for each host.
sub table_of {
    my ($class, $list) = @_;
    my @rows;
    for my $host (@{ $list->{hosts} }) {
        my $data = $class->data($list, $host->{host}) || { why => $host->{reason} };
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
