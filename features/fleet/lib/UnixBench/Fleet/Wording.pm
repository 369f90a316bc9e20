package UnixBench::Fleet::Wording;

# The words of reports about a fleet: its hosts, and how its machines stand out.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text      qw(counted listed);
use UnixBench::Fleet::Hosts    qw(is_missing);
use UnixBench::Fleet::Measures qw(times_of);
use UnixBench::Fleet::Outliers qw(KINDS);
use UnixBench::Report::Block   qw(cell joined);
use UnixBench::Accept::Verdict qw(sentence);
use UnixBench::Report::Wording qw(copies_title title_of);
use UnixBench::Score::Score    qw(LOWEST_THIRD);

our @EXPORT_OK = qw(
    findings headline lacking legend measure_title numbers_of_outliers outcomes reason_of reasons_of
    standing_out unusual verdict_of ways_of word_of
);

use constant {
    TOLD_MOST   => 3,                      # tests that have a sentence each
    CAUSES_MOST => 3,
    NO_REASON   => 'no reason is given',
};

# The reasons of outcomes for which a list needs none.
my %REASON = (running => 'the run has not ended yet', untried => 'no run was started');

my @OUTCOMES = qw(PASS measured FAIL INCONCLUSIVE failed unreachable refused running untried);

# Takes a way in which a value stands out, see UnixBench::Fleet::Outliers; returns the words for it.
sub word_of {
    my ($is) = @_;
    return $is eq 'doubtful' ? 'not reliable' : $is;
}

# Takes a list, see UnixBench::Fleet::Report; returns a sentence with the numbers of its hosts with each outcome, and of
# machines that stand out.
sub headline {
    my ($list) = @_;
    my ($fleet, @hosts) = ($list->{fleet}, @{ $list->{hosts} || [] });
    my $count  = UnixBench::Fleet::Hosts::counts(@hosts);
    my @counts = map { "$count->{$_} $_" } grep { $count->{$_} } @OUTCOMES;
    my @found  = $fleet ? _standing_out_in_all($fleet) : ();
    my $partly = grep { $_->{outcome} eq 'measured' && is_missing($_) } @hosts;
    push @found, "$partly not measured together" if $partly;
    my @parts = ((map { @$_ ? join ', ', @$_ : () } \@counts, \@found), $fleet ? _uneven($fleet) : ());
    my $all   = @hosts ? counted(scalar @hosts, 'host', 'hosts') : "$fleet->{count} machines";
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

# Returns a sentence for each number of copies with which the machines are too uneven to be judged.
sub _uneven {
    my ($fleet) = @_;
    my @runs = @{ $fleet->{runs} };
    my @texts;
    for my $run (@runs) {
        my ($measure) = grep { $_->{kind} eq 'index' && defined $_->{unevenness} } @{ $run->{measures} } or next;
        my $copies    = @runs > 1 ? ', ' . copies_title($run->{copies}) : q{};
        my $by        = cell(whole_percent => $measure->{unevenness});
        push @texts, ["too uneven to judge$copies: the hosts differ by ", $by, ' from each other'];
    }
    return @texts;
}

# Takes a machine that stands out, and its fleet; returns a sentence for each of its findings. Those of indexes come
# first in each run. Many tests with the same kind of finding have one sentence.
sub findings {
    my ($machine, $fleet) = @_;
    my @runs = @{ $fleet->{runs} };
    my @texts;
    for my $run (@runs) {
        my $copies = @runs > 1 ? copies_title($run->{copies}) . ': ' : q{};
        push @texts, map { [$copies, $_] } _findings_in($run, _of_run($machine, $run));
    }
    return @texts;
}

# Returns the findings about a machine, or about undef, in a run.
sub _of_run {
    my ($machine, $run) = @_;
    return grep { $_->{copies} == $run->{copies} } @{ ($machine || {})->{findings} };
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

# Takes a machine that stands out, or undef, and a run; returns the verdict on the machine: how its index stands out, or
# in how many tests it does, or "usual".
sub verdict_of {
    my ($machine, $run) = @_;
    my @verdicts = map { _verdict(@$_) } _ways_in($machine, $run);
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
    my %is   = map  { $_->[0] => 1 } map { _ways_in($machine, $_) } @{ $fleet->{runs} };
    my @ways = grep { $is{$_} } KINDS;
    return @ways ? @ways : @{ $machine->{is} };
}

# Takes a machine, or undef, and a run; returns the ways in which it stands out there, [way, the number of tests, or 0
# for the index] each. A test is not mentioned if the index stands out, too, except for its noise.
sub _ways_in {
    my ($machine, $run) = @_;
    my @findings = _of_run($machine, $run);
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

# Takes a fleet; returns sentences that explain its report.
sub legend {
    my ($fleet) = @_;
    my @trimmed = grep { $_->{is_trimmed} } map { @{ $_->{measures} } } @{ $fleet->{runs} };
    return (
        'z: how far its logarithm is from the median, in standard deviations (from the median absolute deviation).',
        'slow: the index has z below -3.5, and is more than 5 % below the median. fast: above 3.5, and 5 % above it.',
        'unusual: a test has such a z, and is more than 10 % off. noisy: z of its variation is above 3.5.',
        'not reliable: slow or fast only while other load disturbed it or the others.',
        'Variation: the coefficient of variation of the passes; of an index the quadratic mean of its tests\'.',
        (@trimmed ? 'Some are text reports: classic scores, without ' . LOWEST_THIRD . ', are compared.' : ()),
    );
}

# Takes a try, see UnixBench::Fleet::Hosts; returns its reason: why it was not measured, or the requirements
# that are not met. The reason may be empty.
sub reason_of {
    my ($try)       = @_;
    my $is_measured = $try->{outcome} eq 'measured';
    my @cases       = grep { $_->{kind} eq 'requirement' && $_->{verdict} ne 'PASS' } @{ $try->{cases} || [] };
    @cases = grep { $_->{verdict} eq 'FAIL' } @cases if !$is_measured;
    return join '; ', $is_measured ? () : $try->{reason} // $REASON{ $try->{outcome} } // NO_REASON,
        map { sentence($_) } @cases;
}

# Takes a host and its list; returns all reasons why the host is not accepted. If it is slow, facts that are unusual
# about it are among them.
sub reasons_of {
    my ($host, $list) = @_;
    my $together = $host->{together};
    my @missing =
        $together && $host->{counted} != $together && $together->{outcome} ne 'measured'
        ? "not measured together, $together->{outcome}: " . reason_of($together)
        : ();
    return join '; ', grep { length } reason_of($host->{counted}), _causes($host, $list), @missing;
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
