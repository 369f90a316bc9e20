package UnixBench::Fleet::Report;

# The report of a fleet: the kinds of hosts, the picture of each run, the hosts that are not accepted by their reasons,
# the ranking, those that stand out, then the rules.
#
# A list is plain data:
#   fleet    the measured machines, see UnixBench::Fleet::Machines, or undef if there are none; it was not refused
#   hosts    [host, ...], see UnixBench::Fleet::Hosts, if all of them are listed; labels of machines are their
#            names
#   sharing  [ratio, ...], see UnixBench::Fleet::Hosts::sharing, with hosts
#   left_out  [sentences about the files of directories that are not results] (optional)
#   results  a function that reads the results again and returns them for UnixBench::Report::Formats::of_results, with
#            the names of the hosts: the list has only parts of them
#   most     how many machines of a ranking are printed (optional), and
#   rest     where the others are, a text
#
# In the picture of a measure, each machine is a dot at its value divided by the median. The band ends at the limits
# beyond which a machine is slow or fast. With more than 200 machines, only those that stand out are dots, and a line is
# the range of the others.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Base::Text      qw(counted listed);
use UnixBench::Features        qw(loaded);
use UnixBench::Fleet::EndBlock qw(block_of);
use UnixBench::Fleet::Hosts    qw(is_accepted is_due outcome_of);
use UnixBench::Fleet::Machines ();
use UnixBench::Fleet::Measures qw(ranked times_of);
use UnixBench::Fleet::Wording  qw(
    between_kinds cause_of few_of_kind findings headline hidden lacking legend measure_title numbers_of_outliers
    outcomes reason_of reasons_of remark_on run_title standing_out unusual verdict_in ways_of word_of
);
use UnixBench::Report::Block qw(
    cell column document fold group in_brief in_detail in_full joined list not_in_detail not_in_full notices paragraphs
    quiet row section table
);
use UnixBench::Report::Cell                qw(cell_text);
use UnixBench::Report::Chart               qw(bar dot grid picture rule span stacked);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Formats             ();
use UnixBench::Report::Plain               qw(in_plain);
use UnixBench::Report::Reference           qw(compared_columns compared_values AXIS);
use UnixBench::Report::Title               qw(titles);
use UnixBench::Report::Wording             qw(copies_title);

use constant ALIKE_MOST => 3;     # hosts with the same reason that have a row each
use constant NAMES_MOST => 20;    # names of such hosts, if they are not folded

use constant { LEAST => 1e-3, MOST => 1e3 };    # times the median: more extreme values are drawn there
use constant { MANY  => UnixBench::Fleet::Machines::MANY, HEIGHT => 34, MIDDLE => 17 };
use constant { SMALL => 16, SMALL_BAR_AT => 3, SMALL_BAR => 10 };
use constant {
    DOTS  => 'Each dot is a machine.',
    RANGE => "With more than @{[MANY]} machines a line goes from the least to the greatest of those whose value does "
        . 'not stand out; only those that stand out are dots.',
    LIMITS => 'Outside of the pale band a value stands out: a larger dot. A ring is a noisy machine.',
};

# All outcomes in the order in which hosts that are not accepted are listed.
my @WORST_FIRST = qw(FAIL failed unreachable refused INCONCLUSIVE PASS measured running untried);

my @SHARING = (
    column('Hypervisor', title    => 'text'),
    column('Copies',     copies   => 'count'),
    column('Machines',   machines => 'count'),
    compared_columns('Ratio', ratio => {}, interval => {}),
);

# The renderers of the formats that do not print the report.
my %RENDERER = (json => 'Fleet::JSON', junit => 'Fleet::JUnit', verdict => 'Fleet::Verdicts');

# Takes the kind of a format, a list, and perhaps the terminal on which it is shown, see
# UnixBench::CLI::Console::screen; returns the list in that format.
sub in_format {
    my ($kind, $list, $screen) = @_;
    return loaded($RENDERER{$kind})->can('render')->($list) if $RENDERER{$kind};
    return UnixBench::Report::Formats::of_results($kind, $list->{results}->())
        if UnixBench::Report::Formats::is_of_results($kind);
    return UnixBench::Report::Formats::of_blocks($kind, report_of($list), $screen);
}

# Takes a list; returns its report.
sub report_of {
    my ($list) = @_;
    my ($title, $fleet) = (headline($list), $list->{fleet});
    return document(
        { titles(fleet => $title), how => $fleet ? [legend($fleet)] : [], block => [block_of($list)] },
        notices($fleet ? forced($fleet) : ()),
        in_detail(paragraphs($title)),
        in_full(_outcomes($list)),
        $fleet ? ((map { _kinds($fleet, $_) } @{ $fleet->{rankings} }), paragraphs(few_of_kind($fleet))) : (),
        in_full($fleet ? map { _run($fleet, $_) } @{ $fleet->{runs} } : ()),
        _machines($list),
        _tries($list),
        _sharing($list),
        $fleet ? _details($fleet) : (),
        list('Left out:', @{ $list->{left_out} || [] }),
        _notes(@{ $list->{hosts} || [] }),
    );
}

# Takes hosts; returns the list of notes about the text reports of some: what they do not say, and what was not read.
sub _notes {
    my (@hosts) = @_;
    my (%names, @notes);
    for my $host (@hosts) {
        my $summary = $host->{counted}{summary} || next;
        next if $summary->{source} eq 'UnixBench';
        for my $note (map { in_plain($_) } @{ $summary->{notes} }) {
            push @notes,             $note if !$names{$note};
            push @{ $names{$note} }, $host->{name};
        }
    }
    return list('Notes:', map { listed(@{ $names{$_} }) . ": $_" } @notes);
}

# Takes a fleet and a ranking; returns the table of the kinds of hosts, and sentences about them.
sub _kinds {
    my ($fleet, $ranking) = @_;
    my @runs      = grep { $_->{copies} == $ranking->{copies} } @{ $fleet->{runs} };
    my @rows      = defined $ranking->{kind} ? map { _row_of_kind($_) } grep { $_->{is_compared} } @runs : ();
    my $title     = join ', ', 'Kinds of hosts', @{ $fleet->{rankings} } > 1 ? copies_title($ranking->{copies}) : ();
    my @sentences = (between_kinds($fleet, $ranking), map { hidden($_) } @runs);
    my @columns   = (
        column('Kind',                    title  => 'text'),
        column('Hosts',                   count  => 'count'),
        column(_heading($ranking) // q{}, median => 'rate'),
        column('Usual hosts',             usual  => 'interval'),
    );
    my %table = (caption => $title, columns => \@columns, rows => \@rows);
    my @said  = paragraphs(@sentences);
    return @said if !@rows;
    return (in_full(section($title, table(%table), @said)), not_in_full(table(%table, title => $title), @said));
}

# Takes a run; returns the row of its kind, with the range of the hosts that do not stand out.
sub _row_of_kind {
    my ($run)   = @_;
    my $measure = $run->{measures}[0];
    my %is_off  = map { $_->{label} => 1 } grep { $_->{is} ne 'noisy' } @{ $measure->{outliers} };
    my @usual =
        map { $_->{value} }
        grep { !$is_off{ $_->{label} } && ($_->{trust} // q{}) ne 'poor' } @{ $measure->{readings} };
    my %range = (value => $measure->{median}, low => min(@usual), high => max(@usual));
    my $title = join '. ', grep { defined } @$run{qw(letter kind)};
    return row($title, { count => $measure->{count}, median => $measure->{median}, usual => @usual ? \%range : undef });
}

# Takes a ranking; returns the heading of its values, or undef if nothing is ranked.
sub _heading {
    my ($ranking) = @_;
    return defined $ranking->{kind} ? $ranking->{kind} eq 'index' ? 'Index' : 'Score' : undef;
}

# Returns a bar of the hosts or machines by their outcomes.
sub _outcomes {
    my ($list) = @_;
    my @parts = outcomes($list);
    return stacked(['hosts by their outcome: ', joined(', ', map { $_->[2] } @parts)], @parts);
}

# Returns the tables of machines: each is in one of them, with its place in the ranking of the first run if it has one.
# After them are the rankings of further runs, which have all machines.
sub _machines {
    my ($list) = @_;
    my @hosts  = @{ $list->{hosts} || [] };
    my %host   = map { $_->{name} => $_ } @hosts;
    my ($first, @others) = map { _ranking($list->{fleet}, $_, \%host) } @{ ($list->{fleet} || {})->{rankings} };
    $first ||= _unranked();
    my %is_ranked = map { $_->{label} => 1 } @{ $first->{machines} };
    my @machines  = (@{ $first->{machines} }, map { _unplaced($_, $first) } grep { !$is_ranked{ $_->{name} } } @hosts);
    my %in;
    push @{ $in{ _place_of($host{ $_->{label} }) } }, $_ for @machines;
    my ($apart, $due) = map { [_worst_first($list, \%host, @{ $in{$_} || [] })] } qw(apart due);
    my $which = @$apart || @$due ? 'The accepted' : 'All';
    my ($rows, @alike) = _alike(@$apart);
    return (
        _table('Not accepted', {}, $first, $rows),
        @alike,
        _table($first->{title},    $list, $first, $in{ranked} || [], $which),
        _table('Not measured yet', $list, $first, $due),
        map { _table($_->{title}, $list, $_, $_->{machines}, 'All') } @others
    );
}

# Takes a fleet, a ranking of it, and { label => host }; returns
#   title     the title of the ranking
#   heading   that of its values, or undef if nothing is ranked
#   copies    its number of copies
#   why       { label => [why a machine may not be as it seems] }
#   machines  [{ label, title, value, estimate, of_median, letter, verdict, trust, outcome, reason }, ...], the fastest
#             first
sub _ranking {
    my ($fleet, $ranking, $host) = @_;
    return _unranked() if !defined $ranking->{kind};
    my ($place, @machines);

    for my $reading (ranked(@{ $ranking->{readings} })) {
        my $label  = $reading->{label};
        my $median = $ranking->{places}{$label};
        push @machines,
            {
            %$reading,
            title     => ++$place . ". $fleet->{names}{$label}",
            letter    => $ranking->{letters}{$label},
            of_median => $median ? times_of($reading, $median) - 1 : undef,
            verdict   => scalar verdict_in($fleet, $ranking, $label),
            outcome   => $host->{$label} ? outcome_of($host->{$label}) : undef,
            };
    }
    return {
        title    => measure_title($ranking) . ', ' . copies_title($ranking->{copies}),
        heading  => _heading($ranking),
        copies   => $ranking->{copies},
        machines => \@machines,
        why      => $ranking->{why},
    };
}

sub _unranked { return { title => 'Hosts', machines => [] } }

# Takes a host without a place in a ranking; returns its machine.
sub _unplaced {
    my ($host, $ranking) = @_;
    my %machine = (label => $host->{name}, title => $host->{name}, outcome => outcome_of($host));
    return { %machine, reason => defined $ranking->{heading} ? _why_unplaced($host, $ranking) : undef };
}

# Returns why a host has no place in a ranking: it was not measured with this number of copies, or its index is that of
# other tests.
sub _why_unplaced {
    my ($host, $ranking)   = @_;
    my ($copies, $indexes) = ($ranking->{copies}, $host->{counted}{indexes} || {});
    my $runs = ($host->{counted}{summary} || {})->{runs} || [];
    return 'its index is that of other tests' if $indexes->{$copies};
    return 'its number of copies is unknown' if grep { !defined $_->{copies} } @$runs;
    return 'it has no ' . lc $ranking->{heading} if !%$indexes;
    my @others = map { copies_title($_) } sort { $a <=> $b } keys %$indexes;
    return 'it has no ' . lc($ranking->{heading}) . ' of ' . copies_title($copies) . ', but of ' . listed(@others);
}

# Takes a host, or undef where hosts are not listed; returns the table in which it is.
sub _place_of {
    my ($host) = @_;
    return !$host || is_accepted($host) ? 'ranked' : is_due($host) ? 'due' : 'apart';
}

# Takes a list, { label => host } and machines; returns them in the order of their outcomes, with their reasons.
sub _worst_first {
    my ($list, $host, @machines) = @_;
    my %with;
    for my $machine (@machines) {
        my $of = $host->{ $machine->{label} };
        push @{ $with{ $machine->{outcome} } },
            { %$machine, reason => reasons_of($of, $list), cause => cause_of($of->{counted}) };
    }
    return map { @{ $with{$_} || [] } } @WORST_FIRST;
}

# Takes machines that are not accepted; returns [those that have a row each], and a block for each reason that many of
# them have in common.
sub _alike {
    my (@machines) = @_;
    my (%by, @reasons, @rows);
    for my $machine (@machines) {
        my $cause  = length($machine->{cause} // q{}) ? $machine->{cause} : $machine->{reason};
        my $reason = join ': ', grep { defined && length } $machine->{outcome}, $cause;
        push @reasons,          $reason if !$by{$reason};
        push @{ $by{$reason} }, $machine;
    }
    my @blocks;
    for my $reason (@reasons) {
        my @names = map { $_->{label} } @{ $by{$reason} };
        if (@names <= ALIKE_MOST) { push @rows, @{ $by{$reason} }; next }
        my $title = counted(scalar @names, 'host', 'hosts') . ": $reason";
        my @more  = @names > NAMES_MOST ? counted(@names - NAMES_MOST, 'more host', 'more hosts') : ();
        my @shown = @more ? @names[0 .. NAMES_MOST - 1] : @names;
        push @blocks, in_full(fold($title, paragraphs(join ', ', @names))),
            not_in_full(list($title, join ', ', @shown, @more));
    }
    return (\@rows, @blocks);
}

# Takes a title, a list with its keys most and rest, a ranking, some of its machines, and perhaps which ones these are;
# returns their table.
sub _table {
    my ($title, $cut, $ranking, $machines, $which) = @_;
    my @times = map { 1 + $_ } grep { defined } map { $_->{of_median} } @$machines;
    my @rows = map { row($_->{title}, $_, remark => scalar remark_on($ranking, @$_{qw(label reason)}), _small_bar($_)) }
        @$machines;
    my $heading = $ranking->{heading};
    my $caption = $which && $heading ? "$which machines, the fastest first" : $title;
    my ($name, @others) = _columns($heading);
    my @picture = @times && $which ? picture('of median', [1, map { max(LEAST, min(MOST, $_)) } @times], SMALL) : ();
    return _titled($title, $cut, caption => $caption, columns => [$name, @picture, @others], rows => \@rows);
}

# Takes a machine; returns the picture of its place: a bar from the median to its value.
sub _small_bar {
    my ($machine) = @_;
    return if !defined $machine->{of_median};
    my $times = max(LEAST, min(MOST, 1 + $machine->{of_median}));
    my $class = $times < 1 ? 'bar weak' : 'bar strong';
    return (
        shapes => [grid(), bar($class, 1, $times, SMALL_BAR_AT, SMALL_BAR), rule('mean', 1)],
        words => [cell(thousandths => $times), ' times the median']
    );
}

# Takes the heading of values; returns the columns of machines.
sub _columns {
    my ($heading) = @_;
    my @optional = (
        [$heading // 'Index', value     => 'rate',   spare => 1],
        [cell('sign'),        estimate  => 'half',   spare => 3],
        ['of median',         of_median => 'change', spare => 2],
        [Kind    => letter  => 'word'],
        [Verdict => verdict => 'word'],
        [Trust   => trust   => 'word', is_level => 1],
        [Outcome => outcome => 'word'],
    );
    return (column('Machine', title => 'text'), map { column(@$_, is_optional => 1) } @optional);
}

# Takes a title, a list with its keys most and rest, and a table; returns it with its title, or nothing without rows. A
# page has all rows.
sub _titled {
    my ($title, $cut, %table) = @_;
    my @shown = @{ $table{rows} } or return;
    my @rest  = splice @shown, defined $cut->{most} && $cut->{most} < @shown ? $cut->{most} : @shown;
    my @more  = @rest ? paragraphs(counted(scalar @rest, 'more machine', 'more machines') . ": $cut->{rest}") : ();
    %table = (caption => $title, remarks => 'Reason', %table);
    return (in_full(section($title, table(%table))),
        not_in_full(table(%table, rows => \@shown, title => $title), @more));
}

# Returns the table of all tries of hosts that were tried more than once.
sub _tries {
    my ($list)    = @_;
    my ($ranking) = @{ ($list->{fleet} || {})->{rankings} || [] };
    my @rows =
        map { _rows_of_tries($_, ($ranking || {})->{is_trimmed}) }
        grep { @{ $_->{tries} } > 1 } @{ $list->{hosts} || [] };
    return _titled('More than one try', {}, columns => [_columns()], rows => \@rows);
}

# Takes a host, and whether the ranking has classic indexes. Returns a row for each try of the host, with the index for
# its smallest number of copies, as the ranking has it. The reason of the one that counts is in another table.
sub _rows_of_tries {
    my ($host, $is_trimmed) = @_;
    my @rows;
    for my $try (@{ $host->{tries} }) {
        my $indexes  = $try->{indexes} || {};
        my ($fewest) = sort { $a <=> $b } keys %$indexes;
        my $index    = defined $fewest ? $indexes->{$fewest} : {};
        my $estimate = $is_trimmed     ? undef               : $index->{machine};
        my $value    = $is_trimmed     ? $index->{index}     : ($estimate || {})->{value};
        my %machine  = (value => $value, estimate => $estimate, outcome => outcome_of($try));
        my $reason   = $try == $host->{counted} ? undef : reason_of($try);
        push @rows, row("$try->{host}, try $try->{try}", \%machine, remark => $reason);
    }
    return @rows;
}

sub _sharing {
    my ($list) = @_;
    my @rows = map { row($_->{shares}, { compared_values($_) }) } @{ $list->{sharing} || [] };
    return _titled('Index together, divided by alone', {}, columns => \@SHARING, rows => \@rows);
}

# Returns the blocks that follow the tables of machines.
sub _details {
    my ($fleet) = @_;
    my @omissions = @{ $fleet->{omissions} };
    return (
        in_full(_standing_out($fleet)),
        not_in_full(map { _machine($fleet, @$_) } _with_the_same_lines($fleet)),
        not_in_full(map { _run($fleet, $_) } @{ $fleet->{runs} }),
        not_in_full(list('Not compared:', @omissions), quiet(legend($fleet))),
        in_full(section('Not compared', list(undef, @omissions))),
    );
}

# Takes a fleet; returns groups of the machines that stand out, [[names], lines] each: machines with the same lines
# about them are together. If several have only the same unusual facts, those follow in a group of their own.
sub _with_the_same_lines {
    my ($fleet) = @_;
    my (%of_lines, %of_facts, @groups, @shared);
    for my $machine (@{ $fleet->{named} }) {
        my @facts = unusual($machine);
        my $group = $of_facts{ _key(@facts) } ||= { facts => \@facts, machines => [] };
        push @{ $group->{machines} }, $machine;
    }
    for my $machine (@{ $fleet->{named} }) {
        my ($name, @found) = ($fleet->{names}{ $machine->{label} }, findings($machine, $fleet));
        my $group     = $of_facts{ _key(unusual($machine)) };
        my $is_shared = @{ $group->{facts} } && @{ $group->{machines} } > 1;
        push @shared, [[map { $fleet->{names}{ $_->{label} } } @{ $group->{machines} }], @{ $group->{facts} }]
            if $is_shared && !$group->{is_listed}++;
        push @found, @{ $group->{facts} } if !$is_shared;
        my $key = _key(@found);
        push @groups, $of_lines{$key} = [[], @found] if !$of_lines{$key};
        push @{ $of_lines{$key}[0] }, $name;
    }
    my %is_whole = map { join("\n", @{ $_->[0] }) => $_ } @groups;
    for my $facts (@shared) {
        my ($names, @lines) = @$facts;
        my $whole = $is_whole{ join "\n", @$names };
        if   ($whole) { push @$whole, @lines }
        else          { push @groups, $facts }
    }
    return @groups;
}

# Returns a text that only the same lines have.
sub _key {
    my (@lines) = @_;
    my $printed = sub { cell_text($_[0], {}) };
    return join "\n", map { UnixBench::Report::Block::text_of($_, $printed) } @lines;
}

# Takes a fleet, [names of machines that stand out], and the lines about each of them: its findings, and other unusual
# facts about it.
sub _machine {
    my ($fleet, $names, @found) = @_;
    my $count = @$names;
    my @more  = $count > NAMES_MOST ? counted($count - NAMES_MOST, 'more machine', 'more machines') : ();
    my $title = join ', ', @more ? @$names[0 .. NAMES_MOST - 1] : @$names, @more;
    $title = counted($count, 'machine', 'machines') . ": $title" if $count > 1;
    return (in_detail(list($title, @found)), in_brief(section($title, list(undef, @found))));
}

# Returns the table of the machines that stand out, for a page.
sub _standing_out {
    my ($fleet) = @_;
    my @rows;
    for my $machine (@{ $fleet->{named} }) {
        my $is   = join ', ', map { word_of($_) } ways_of($machine, $fleet);
        my %item = (is => $is, why => joined('; ', findings($machine, $fleet), unusual($machine)));
        push @rows, row($fleet->{names}{ $machine->{label} }, \%item);
    }
    my @columns = (column('Machine', title => 'text'), column('Verdict', is => 'word'), column('Why', why => 'text'));
    return @rows ? section('Standing out', table(caption => 'Standing out', columns => \@columns, rows => \@rows)) : ();
}

# Returns the section of a run, with the measures that some machines do not have.
sub _run {
    my ($fleet, $run) = @_;
    my $title  = run_title($run);
    my @blocks = (_measures($fleet, $run, $title), list(undef, lacking($run)));
    return section($title, in_detail(group(@blocks)), not_in_detail(@blocks));
}

sub _measures {
    my ($fleet, $run, $title) = @_;
    my @measures = @{ $run->{measures} };
    my @counts   = map { $_->{count} } @measures;
    my %rows     = (test => [], index => []);
    push @{ $rows{ $_->{kind} } }, _row($_, $fleet->{names}) for @measures;
    return table(
        caption => "Each machine as a multiple of the median, $title",
        corner  => $title,
        columns => [
            column('Test', title => 'word'),
            picture(AXIS, [1, map { (_limits($_), _range($_)) } @measures], HEIGHT),
            column('Machines',     count        => 'count', in    => 'detail brief', spare => 2),
            column('Median',       median       => 'rate',  spare => 1),
            column('Standing out', outliers     => 'word',  in    => 'full'),
            column('Standing out', standing_out => 'text',  in    => 'detail brief'),
        ],
        rows   => [@{ $rows{index} }, @{ $rows{test} }],
        legend => [join q{ }, ((min(@counts) <= MANY) ? DOTS : ()), (max(@counts) > MANY ? RANGE : ()), LIMITS],
    );
}

sub _row {
    my ($measure, $names) = @_;
    my $standing_out = standing_out($measure, $names);
    my @multiples    = map { times_of($_, $measure) } @{ $measure->{readings} };
    my ($least, $greatest) = map { cell(thousandths => $_) } min(@multiples), max(@multiples);
    my @words = (['from ', $least, ' to ', $greatest, ' times the median'], length $standing_out ? $standing_out : ());
    return row(
        measure_title($measure),
        { %$measure, standing_out => $standing_out, outliers => numbers_of_outliers($measure) },
        shapes => [_band($measure), grid(), rule('mean', 1), _dots($measure, $names)],
        words  => joined('; ', @words),
    );
}

# Returns the limits of a measure that have to be on the axis.
sub _limits {
    my ($measure) = @_;
    return grep { $_ > LEAST && $_ < MOST } @{ $measure->{limits} };
}

# Returns the band between the limits. If they are beyond the axis, or there is no upper one, it ends where the axis
# ends.
sub _band {
    my ($measure) = @_;
    my ($low, $high) = @{ $measure->{limits} };
    return defined $low ? bar('band', $low, $high // MOST, 0, '100%') : ();
}

# Takes a measure and perhaps some readings of it, by default all; returns the least and the greatest as multiples of
# the median, within the range that is drawn.
sub _range {
    my ($measure, @readings) = @_;
    my @times = map { max(LEAST, min(MOST, times_of($_, $measure))) } @readings ? @readings : @{ $measure->{readings} };
    return (min(@times), max(@times));
}

# Returns the dots of machines. Those that stand out are drawn above the others. With many machines, a line replaces
# those whose value does not stand out. There are always some: half of all are within one deviation of the median.
sub _dots {
    my ($measure, $names) = @_;
    my @readings = @{ $measure->{readings} };
    my (%is, %is_off);
    push @{ $is{ $_->{label} } }, $_->{is} for @{ $measure->{outliers} };
    $is_off{ $_->{label} } = 1 for grep { $_->{is} ne 'noisy' } @{ $measure->{outliers} };
    my $dot = sub { my ($reading) = @_; return _dot($measure, $reading, $names, @{ $is{ $reading->{label} } || [] }) };
    my @unusual = grep { $is{ $_->{label} } } @readings;
    my @usual =
        $measure->{count} > MANY
        ? span('range', _range($measure, grep { !$is_off{ $_->{label} } } @readings), MIDDLE)
        : map { $dot->($_) } grep { !$is{ $_->{label} } } @readings;
    return (@usual, map { $dot->($_) } @unusual);
}

sub _dot {
    my ($measure, $reading, $names, @is) = @_;
    my ($at)  = _range($measure, $reading);
    my $times = cell(thousandths => times_of($reading, $measure));
    my $words = [$names->{ $reading->{label} }, ': ', $times, join ', ', ' times the median', map { word_of($_) } @is];
    return dot(join(q{ }, 'machine', @is), $at, MIDDLE, $words);
}

1;
