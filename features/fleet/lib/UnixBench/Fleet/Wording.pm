package UnixBench::Fleet::Wording;

# The words of reports about a fleet: its hosts, and how its machines stand out.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text      qw(clean counted listed);
use UnixBench::Fleet::Hosts    qw(is_missing);
use UnixBench::Fleet::Measures qw(times_of);
use UnixBench::Fleet::Outliers qw(KINDS);
use UnixBench::Report::Block   qw(cell joined);
use UnixBench::Accept::Verdict qw(fitted);
use UnixBench::Report::Wording qw(copies_title title_of);
use UnixBench::Score::Score    qw(LOWEST_THIRD);

our @EXPORT_OK = qw(
    between_kinds cause_of few_of_kind findings headline hidden kind_of lacking legend measure_title
    numbers_of_outliers outcomes reason_of reasons_of remark_on run_title standing_out unusual verdict_in
    verdict_of ways_of word_of
);

use constant {
    TOLD_MOST   => 3,                                                   # tests that have a sentence each
    CAUSES_MOST => 3,
    KINDS_MOST  => 3,                                                   # kinds with too few hosts whose hosts are named
    AGAIN       => 'a single run can be wrong: measure this host again',
    NO_REASON   => 'no reason is given',
    UNCERTAIN   => 'uncertain',                                         # poor trust: whether it is usual is unknown
};

# The reasons of outcomes for which a list needs none.
my %REASON = (running => 'the run has not ended yet', untried => 'no run was started');

# The rules by which hosts are judged.
my @OF_COMPARED = (
    'Hosts are compared with those of their kind: the same CPUs, programs and procedure.',
    'slow, fast: the index is more than 5 % from the median of the kind, and z is beyond 3.5.',
);
my %RULE = (
    unusual => 'unusual: a test is so far off that at most one healthy fleet in 20 has any such test.',
    noisy   =>
        'noisy: z of the variation of the passes is above 3.5, and it is 2.5 times the median (of an index 1.5 times).',
    doubtful => 'not reliable: slow or fast while other load disturbed it or the others, which may be the reason.',
    UNCERTAIN, 'uncertain: it does not stand out, but its trust is poor, so it may differ.',
);

my @OUTCOMES = qw(PASS measured FAIL INCONCLUSIVE failed unreachable refused running untried);

# Takes a way in which a value stands out, see UnixBench::Fleet::Outliers; returns the words for it.
sub word_of {
    my ($is) = @_;
    return $is eq 'doubtful' ? 'not reliable' : $is;
}

# Takes a list, see UnixBench::Fleet::Report; returns a sentence with the numbers of its hosts with each outcome, and of
# machines that stand out, or are compared with nothing although others are compared.
sub headline {
    my ($list) = @_;
    my ($fleet, @hosts) = ($list->{fleet}, @{ $list->{hosts} || [] });
    my $count  = UnixBench::Fleet::Hosts::counts(@hosts);
    my @counts = map { "$count->{$_} $_" } grep { $count->{$_} } @OUTCOMES;
    my @found  = $fleet ? (_standing_out_in_all($fleet), _not_compared($fleet)) : ();
    my $unsure = $fleet ? scalar(() = _uncertain($fleet))                       : 0;
    push @found, "$unsure " . UNCERTAIN if $unsure;
    my $partly = grep { $_->{outcome} eq 'measured' && is_missing($_) } @hosts;
    push @found, "$partly not measured together" if $partly;
    my @parts = ((map { @$_ ? join ', ', @$_ : () } \@counts, \@found), $fleet ? _uneven($fleet) : ());
    my $all   = @hosts ? counted(scalar @hosts, 'host', 'hosts') : "$fleet->{count} machines";
    $all .= " of $fleet->{kinds} kinds" if $fleet && $fleet->{kinds} > 1;
    return ["$all: ", @parts ? joined('; ', @parts) : 'none stands out'];
}

# Takes the same; returns the numbers of hosts by their outcomes, those that meet all requirements first. Without a list
# of hosts, returns those of machines by their verdicts. Each is [number, class, text].
sub outcomes {
    my ($list) = @_;
    my @hosts  = @{ $list->{hosts} || [] };
    my %count  = %{ UnixBench::Fleet::Hosts::counts(@hosts) };
    return map { [$count{$_}, lc $_, "$count{$_} $_"] } grep { $count{$_} } @OUTCOMES if @hosts;
    my $fleet = $list->{fleet};
    $count{ (ways_of($_, $fleet))[0] }++ for @{ $fleet->{named} };
    $count{usual} = $fleet->{count} - @{ $fleet->{named} };
    return map { [$count{$_}, $_, "$count{$_} " . word_of($_)] } grep { $count{$_} } 'usual', KINDS;
}

# Returns how many machines of a fleet are slow, fast and so on, such as "2 slow". Numbers of 0 are left out.
sub _standing_out_in_all {
    my ($fleet) = @_;
    my %count;
    $count{$_}++ for map { ways_of($_, $fleet) } @{ $fleet->{named} };
    return map { "$count{$_} " . word_of($_) } grep { $count{$_} } KINDS;
}

# Returns how many machines of the first ranking are compared with nothing, if others are compared, or kinds differ.
sub _not_compared {
    my ($fleet)   = @_;
    my ($ranking) = @{ $fleet->{rankings} };
    my $count     = grep { !$ranking->{places}{ $_->{label} } } @{ $ranking->{readings} };
    return $count && ($fleet->{kinds} > 1 || grep { $_->{modes} } @{ $fleet->{runs} }) ? "$count not compared" : ();
}

# Returns a sentence for each run in which the machines are too uneven to be judged.
sub _uneven {
    my ($fleet) = @_;
    my @runs = @{ $fleet->{runs} };
    my @texts;
    for my $run (@runs) {
        my ($measure) = grep { $_->{kind} eq 'index' && defined $_->{unevenness} } @{ $run->{measures} } or next;
        my $which     = @runs > 1 ? ' (' . run_title($run) . ')' : q{};
        my $by        = cell(whole_percent => $measure->{unevenness});
        push @texts, ["too uneven to judge$which: the hosts differ by ", $by, ' from each other'];
    }
    return @texts;
}

# Takes a run; returns its title: its number of copies, and its kind if there are several.
sub run_title {
    my ($run) = @_;
    return copies_title($run->{copies}) . (defined $run->{letter} ? ", kind $run->{letter}" : q{});
}

# Takes a fleet and a ranking of it; returns a sentence about the differences between kinds of hosts, or nothing.
sub between_kinds {
    my ($fleet, $ranking) = @_;
    my @runs = sort { $b->{measures}[0]{median} <=> $a->{measures}[0]{median} }
        grep { $_->{is_compared} && $_->{copies} == $ranking->{copies} } @{ $fleet->{runs} };
    my ($best, @others) = @runs;
    return if !@others;
    my @parts;
    for my $run (@others) {
        my $part = 1 - $run->{measures}[0]{median} / $best->{measures}[0]{median};
        push @parts,
            [@parts ? "those with $run->{kind} " : "Hosts with $run->{kind} are ", cell(whole_percent => $part)];
        $parts[-1] = [$parts[-1], " below those with $best->{kind}"] if @parts == 1;
    }
    return [joined(', ', @parts), '.'];
}

# Takes a fleet; returns a sentence about the hosts that are compared with nothing, because too few are of their kind in
# a ranking, or nothing.
sub few_of_kind {
    my ($fleet) = @_;
    my @few = _few_in_any(map { @{ $_->{few} } } @{ $fleet->{rankings} }) or return;
    return "Fewer than $fleet->{judged} hosts are not compared with each other." if $fleet->{kinds} == 1;
    my $names = $fleet->{names};
    my $hosts = List::Util::sum(map { scalar @{ $_->{labels} } } @few);
    my @which =
        @few > KINDS_MOST
        ? counted($hosts, 'host', 'hosts') . ' of ' . @few . ' kinds'
        : map {
        listed(map { $names->{$_} } @{ $_->{labels} })
            . " ($_->{letter}: $_->{title})"
        } @few;
    return
        "Compared with nothing, since fewer than $fleet->{judged} hosts are of their kind: "
        . join(', ', @which) . q{.};
}

# Takes kinds with too few hosts in a ranking, { letter, title, labels } each; returns each kind once, with its hosts of
# all rankings.
sub _few_in_any {
    my (@few) = @_;
    my (@kinds, %labels, %is_seen);
    for my $few (@few) {
        push @kinds,                        $few if !$labels{ $few->{title} };
        push @{ $labels{ $few->{title} } }, grep { !$is_seen{$_}++ } @{ $few->{labels} };
    }
    return map { +{ %$_, labels => $labels{ $_->{title} } } } @kinds;
}

# Takes a run whose hosts hide the model of the CPU and have two modes; returns a sentence, or nothing.
sub hidden {
    my ($run) = @_;
    my ($low, $high) = @{ $run->{modes} || return };
    my @modes = map { [counted($_->{count}, 'host', 'hosts') . ' near ', cell(rate => $_->{value})] } $low, $high;
    return [
        "$run->{kind}: the model of the CPU is hidden, and the indexes have two modes: ",
        $modes[0], ', ', $modes[1], '. They may be of two kinds, so none of these hosts is compared.'
    ];
}

# Takes a machine that stands out, and its fleet; returns a sentence for each of its findings. Those of indexes come
# first in each run. Many tests with the same kind of finding have one sentence. If only tests are unusual, the last one
# says what to do.
sub findings {
    my ($machine, $fleet) = @_;
    my @copies = map { $_->{copies} } @{ $fleet->{rankings} };
    my @texts;
    for my $run (grep { _has($_, $machine) } @{ $fleet->{runs} }) {
        my $copies = @copies > 1 ? copies_title($run->{copies}) . ': ' : q{};
        push @texts, map { [$copies, $_] } _findings_in($run, _of_copies($machine, $run->{copies}));
    }
    push @texts, AGAIN if grep { $_ eq 'unusual' } @{ $machine->{is} };
    return @texts;
}

sub _has {
    my ($run, $machine) = @_;
    return scalar grep { $_ eq $machine->{label} } @{ $run->{labels} };
}

# Returns the findings about a machine, or about undef, with a number of copies.
sub _of_copies {
    my ($machine, $copies) = @_;
    return grep { $_->{copies} == $copies } @{ ($machine || {})->{findings} };
}

sub _findings_in {
    my ($run, @findings) = @_;
    my $all = grep { $_->{kind} eq 'test' } @{ $run->{measures} };
    my (@of_indexes, @of_tests);
    for my $kind (KINDS) {
        my @alike = grep { $_->{is} eq $kind } @findings;
        push @of_indexes, map { _finding($_) } grep { $_->{kind} eq 'index' } @alike;
        for my $way (0, 1) {
            my @tests = grep { $_->{kind} eq 'test' && $way == _is_above($_) } @alike;
            push @of_tests, @tests > TOLD_MOST ? _several($all, @tests) : map { _finding($_) } @tests;
        }
    }
    return (@of_indexes, @of_tests);
}

sub _is_above {
    my ($finding) = @_;
    return $finding->{value} > $finding->{median} ? 1 : 0;
}

sub _finding {
    my ($finding) = @_;
    my @how       = $finding->{is} eq 'noisy'    ? _variation($finding)             : _distance($finding);
    my $cause     = $finding->{is} eq 'doubtful' ? ', while other load was at work' : q{};
    my $what      = word_of($finding->{is}) . ': ' . measure_title($finding) . ', ';
    return [$what, @how, ' (z ', cell(tenths => $finding->{z}), ")$cause"];
}

sub _variation {
    my ($finding) = @_;
    my ($own, $median) = map { cell(percent => $_) } @$finding{qw(value median)};
    return ('passes vary by ', $own, ', the median is ', $median);
}

sub _distance {
    my ($finding) = @_;
    my $part = times_of($finding, $finding);
    return (cell(whole_percent => $part),          ' of the median') if defined $finding->{unevenness};
    return (cell(whole_percent => abs($part - 1)), $part < 1 ? ' below the median' : ' above the median');
}

# Takes the number of all tests, and findings of one kind about several of them, all of them on the same side of the
# median. Returns one sentence, such as "unusual in all 12 tests, 28 to 30 % below the median".
sub _several {
    my ($all, @findings) = @_;
    my $kind  = word_of($findings[0]{is});
    my $where = @findings == $all ? "$kind in all $all tests" : "$kind in " . @findings . " of $all tests";
    return $where if $findings[0]{is} eq 'noisy';
    my @parts = map { abs(times_of($_, $_) - 1) } @findings;
    my %range = (low => List::Util::min(@parts), high => List::Util::max(@parts));
    my $side  = _is_above($findings[0]) ? 'above' : 'below';
    return ["$where, ", cell(whole_percents => \%range), " $side the median"];
}

# Takes a fleet, a ranking of it, and a label; returns the verdict on that machine, or undef if none of them has one.
sub verdict_in {
    my ($fleet, $ranking, $label) = @_;
    return if !%{ $ranking->{places} } || !$ranking->{kinds}{$label};
    return 'not compared' if !$ranking->{places}{$label};
    my ($machine) = grep { $_->{label} eq $label } @{ $fleet->{named} };
    my $verdict = verdict_of($machine, $ranking->{copies});
    return $verdict eq 'usual' && $ranking->{is_poor}{$label} ? UNCERTAIN : $verdict;
}

# Takes a ranking and a label; returns the title of the kind of that machine, or undef.
sub kind_of {
    my ($ranking, $label) = @_;
    return $ranking->{kinds}{$label};
}

# Takes a machine that stands out, or undef, and a number of copies; returns the verdict on the machine: how its index
# stands out, or in how many tests it does, or "usual".
sub verdict_of {
    my ($machine, $copies) = @_;
    my @verdicts = map { _verdict(@$_) } _ways_in($machine, $copies);
    return @verdicts ? join ', ', @verdicts : 'usual';
}

sub _verdict {
    my ($way, $tests) = @_;
    return word_of($way) . ($tests ? ' in ' . counted($tests, 'test', 'tests') : q{});
}

# Takes a machine that stands out, and its fleet; returns the ways that the verdicts on it have, the most important one
# first.
sub ways_of {
    my ($machine, $fleet) = @_;
    my %is   = map  { $_->[0] => 1 } map { _ways_in($machine, $_->{copies}) } @{ $fleet->{rankings} };
    my @ways = grep { $is{$_} } KINDS;
    return @ways ? @ways : @{ $machine->{is} };
}

# Takes a machine, or undef, and a number of copies; returns the ways in which it stands out there, [way, the number of
# tests, or 0 for the index] each. A test is not mentioned if the index stands out, too, except for its noise.
sub _ways_in {
    my ($machine, $copies) = @_;
    my @findings = _of_copies($machine, $copies);
    my @ways     = map { $_->{is} } grep { $_->{kind} eq 'index' } @findings;
    my %is_said  = map { $_ => 1 } @ways;
    my @of_tests = (grep { $_ ne 'noisy' } @ways) ? 'noisy' : qw(doubtful noisy unusual);
    my @found    = map { [$_, 0] } @ways;
    for my $kind (grep { !$is_said{$_} } @of_tests) {
        my $tests = grep { $_->{kind} eq 'test' && $_->{is} eq $kind } @findings;
        push @found, [$kind, $tests] if $tests;
    }
    return @found;
}

# Takes a machine that stands out; returns what else is unusual about it, such as "Nice value 19 (most: 0)".
sub unusual {
    my ($machine) = @_;
    return ((map { _unusual($_) } @{ $machine->{differences} }), @{ $machine->{other_files} });
}

sub _unusual {
    my ($fact) = @_;
    my ($label, $text) = @$fact{qw(label text)};
    return $label . ($text =~ /\A-?[0-9]+\z/ ? q{ } : q{: }) . "$text (most: " . ($fact->{usual} // 'none') . ')';
}

# Takes a measure or a finding; returns its name. This is not the line that scripts search for in reports.
sub measure_title {
    my ($measure) = @_;
    return title_of($measure) if $measure->{kind} ne 'index';
    return title_of({ title => $measure->{title}, complete => !$measure->{is_partial} });
}

# Takes a measure and { label => name }; returns the names of the machines that stand out, and how.
sub standing_out {
    my ($measure, $names) = @_;
    my %names;
    push @{ $names{ $_->{is} } }, $names->{ $_->{label} } for @{ $measure->{outliers} };
    return join '; ', map { word_of($_) . ': ' . listed(@{ $names{$_} }) } grep { $names{$_} } KINDS;
}

# Takes a measure; returns how many machines stand out, and how, such as "2 slow, 1 noisy".
sub numbers_of_outliers {
    my ($measure) = @_;
    my %count;
    $count{ $_->{is} }++ for @{ $measure->{outliers} };
    return join ', ', map { "$count{$_} " . word_of($_) } grep { $count{$_} } KINDS;
}

# Takes a run; returns sentences about the measures that some machines do not have. Measures that are missing on the
# same machines share a sentence.
sub lacking {
    my ($run) = @_;
    my (@groups, %titles);
    for my $measure (@{ $run->{measures} }) {
        my $key = join "\n", $measure->{kind}, @{ $measure->{lacking} };
        push @groups, { kind => $measure->{kind}, labels => $measure->{lacking}, titles => $titles{$key} = [] }
            if !$titles{$key};
        push @{ $titles{$key} }, measure_title($measure);
    }
    return map { _missing($_) } { kind => 'run', labels => $run->{lacking}, titles => ['The run'] }, @groups;
}

sub _missing {
    my ($group) = @_;
    my ($labels, $titles) = @$group{qw(labels titles)};
    return if !@$labels;
    my $are      = @$titles == 1             ? 'is'                          : 'are';
    my $missing  = $group->{kind} eq 'index' ? 'missing, or of other tests,' : 'missing';
    my $machines = counted(scalar @$labels, 'machine', 'machines');
    return listed(@$titles) . " $are $missing on $machines: " . listed(@$labels);
}

# Takes a fleet; returns sentences that explain its report: the words that are in it.
sub legend {
    my ($fleet)     = @_;
    my @measures    = map  { @{ $_->{measures} } } @{ $fleet->{runs} };
    my @trimmed     = grep { $_->{is_trimmed} } @measures;
    my %is          = map  { $_->{is} => 1 } map { @{ $_->{outliers} } } @measures;
    my $is_compared = grep { $_->{is_compared} } @{ $fleet->{runs} };
    return (
        _interval($fleet),
        ($is_compared ? @OF_COMPARED                                                                   : ()),
        (%is          ? 'z: distance from the median of all hosts of the kind; beyond 3.5 is unusual.' : ()),
        (map { $is{$_} ? $RULE{$_} : () } qw(unusual noisy doubtful)),
        (_uncertain($fleet) ? $RULE{ +UNCERTAIN } : ()),
        _of_hosts($fleet),
        (@trimmed ? 'Some are text reports: classic scores, without ' . LOWEST_THIRD . ', are compared.' : ()),
    );
}

# Takes a fleet; returns the labels of the machines of its first ranking that are uncertain.
sub _uncertain {
    my ($fleet)   = @_;
    my ($ranking) = @{ $fleet->{rankings} };
    return grep { (verdict_in($fleet, $ranking, $_) // q{}) eq UNCERTAIN } sort keys %{ $ranking->{is_poor} };
}

# Takes a fleet; returns a sentence about the number of hosts of which the medians of indexes are, or nothing if these
# are all.
sub _of_hosts {
    my ($fleet) = @_;
    my @of      = map { "$_->{basis} of $_->{count}" } grep { $_->{basis} < $_->{count} && $_->{kind} eq 'index' }
        map { @{ $_->{measures} } } @{ $fleet->{runs} };
    my %seen;
    @of = grep { !$seen{$_}++ } @of;
    return @of ? 'The median of the index is that of ' . listed(@of) . ' hosts: other load disturbed the others.' : ();
}

# Takes a fleet; returns a sentence about the intervals of its first ranking, or nothing if it has none.
sub _interval {
    my ($fleet)   = @_;
    my ($ranking) = @{ $fleet->{rankings} } or return;
    my @known     = map  { $_->{is_known} // () } @{ $ranking->{readings} } or return;
    my $known     = grep { $_ } @known;
    my $whence    = !$known ? 'assumed' : $known == @known ? 'known' : "known for $known of " . @known . ' hosts';
    return [cell('sign'), ": half of the 95 % interval of the machine, which adds how much runs differ ($whence)."];
}

# Takes a try, see UnixBench::Fleet::Hosts; returns its reason: why it was not measured, or the requirements
# that are not met, the worst one first. The reason may be empty.
sub reason_of {
    my ($try) = @_;
    return _why($try, \&UnixBench::Accept::Verdict::reason_of);
}

# Takes a try; returns its reason without the numbers of its host: what hosts may have in common.
sub cause_of {
    my ($try) = @_;
    return _why($try, \&UnixBench::Accept::Verdict::cause_of);
}

# Takes a try, and a function that sums up cases. Why a host was not measured is never cut: it stands nowhere else.
sub _why {
    my ($try, $summed_up) = @_;
    my $is_measured = $try->{outcome} eq 'measured';
    my @cases       = grep { $_->{kind} eq 'requirement' && $_->{verdict} ne 'PASS' } @{ $try->{cases} || [] };
    @cases = sort { ($b->{verdict} eq 'FAIL') <=> ($a->{verdict} eq 'FAIL') } @cases;
    @cases = grep { $_->{verdict} eq 'FAIL' } @cases if !$is_measured;
    return join '; ', $is_measured ? () : _unmeasured($try), @cases ? $summed_up->(@cases) : ();
}

# Takes a try; returns why it has no result. A file is not named twice if the host has its name.
sub _unmeasured {
    my ($try)  = @_;
    my $reason = $try->{reason} // $REASON{ $try->{outcome} } // NO_REASON;
    my $name   = clean($try->{host} // return $reason);
    return $reason =~ s/\A\Q$name\E (?=is )//r;
}

# Takes a host and its list; returns why the host is not accepted. A verdict has at most 80 characters. If the host is
# slow, facts that are unusual about it are among them, as far as there is room.
sub reasons_of {
    my ($host,    $list)     = @_;
    my ($counted, $together) = @$host{qw(counted together)};
    my $missing =
        $together && $counted != $together && $together->{outcome} ne 'measured'
        ? "not measured together, $together->{outcome}: " . reason_of($together)
        : q{};
    my $reason = reason_of($counted);
    $reason = fitted(grep { length } $reason, _causes($host, $list)) if $counted->{outcome} eq 'measured';
    return join '; ', grep { length } $reason, $missing;
}

# Takes a ranking, a label, and the reason why the machine is not accepted, or undef. Returns this reason, and why the
# machine may not be as it seems: the limit of its CPU time, and why its trust is poor; or undef without any.
sub remark_on {
    my ($ranking, $label, $reason) = @_;
    $reason //= q{};
    my @doubts = grep { index($reason, $_) < 0 } @{ $ranking->{why}{$label} || [] };
    my @parts  = grep { length } $reason, @doubts;
    return @parts ? join '; ', @parts : undef;
}

# Returns what may be the cause, if a host is slow: facts that most others do not have.
sub _causes {
    my ($host, $list) = @_;
    my ($machine) = grep { $_->{label} eq $host->{name} } @{ ($list->{fleet} || {})->{named} };
    return if !$machine || !grep { $_ eq 'slow' } @{ $machine->{is} };
    my @facts = unusual($machine);
    my @more  = splice @facts, @facts > CAUSES_MOST ? CAUSES_MOST : scalar @facts;
    return ('slow', @facts, @more ? counted(scalar @more, 'more difference', 'more differences') : ());
}

1;
