package UnixBench::Report::Fleet::Wording;

# The words of reports about a fleet.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text      qw(counted listed);
use UnixBench::Report::Wording qw(copies_title);
use UnixBench::Score::Score    qw(LOWEST_THIRD);

our @EXPORT_OK = qw(
    findings_in headline kinds_of lacking legend machine_title measure_title standing_out standing_out_in_all uneven
    unusual verdict_of
);

use constant TOLD_MOST => 3;    # tests that have a sentence each
use constant { UNUSUAL => 'unusual', DOUBTFUL => 'not reliable' };

my @KINDS = ('slow', 'fast', DOUBTFUL, 'noisy');

# Takes a fleet; returns a sentence with the numbers of machines that stand out.
sub headline {
    my ($fleet) = @_;
    my $found   = join ', ', standing_out_in_all($fleet);
    my @parts   = ((length $found ? $found : ()), uneven($fleet));
    return "$fleet->{count} machines: " . (@parts ? join '; ', @parts : 'none stands out');
}

# Takes a fleet; returns a sentence for each number of copies with which the machines are too uneven to be judged.
sub uneven {
    my ($fleet) = @_;
    my @runs = @{ $fleet->{runs} };
    my @texts;
    for my $run (@runs) {
        my ($measure) = grep { $_->{kind} eq 'index' && defined $_->{unevenness} } @{ $run->{measures} } or next;
        my $copies = @runs > 1 ? ', ' . copies_title($run->{copies}) : q{};
        push @texts, sprintf 'too uneven to judge%s: the hosts differ by %.0f %% from each other', $copies,
            100 * $measure->{unevenness};
    }
    return @texts;
}

# Takes a fleet; returns how many of its machines are slow, fast, not reliable, noisy and unusual, such as "2 slow".
# Numbers of 0 are left out.
sub standing_out_in_all {
    my ($fleet) = @_;
    my @found;
    for my $kind (@KINDS, UNUSUAL) {
        my @machines = grep { _is($kind, $_) } @{ $fleet->{named} };
        push @found, @machines . " $kind" if @machines;
    }
    return @found;
}

# A machine is called slow, fast or not reliable for its index only. For tests alone it is unusual.
sub _is {
    my ($kind, $machine) = @_;
    return scalar grep { $_ eq $kind } kinds_of($machine);
}

# Takes a machine that stands out; returns how: "slow", "fast", "not reliable" and "noisy", or UNUSUAL if none of these
# is true of it.
sub kinds_of {
    my ($machine) = @_;
    my %is    = map  { $_->{is} => 1 } grep { $_->{kind} eq 'index' || $_->{is} eq 'noisy' } @{ $machine->{findings} };
    my @kinds = grep { $is{$_} } @KINDS;
    return @kinds ? @kinds : UNUSUAL;
}

# Takes a machine that stands out, and its fleet; returns its title: the name of the host, and the file if several hosts
# have that name.
sub machine_title {
    my ($machine, $fleet) = @_;
    return $fleet->{names}{ $machine->{label} };
}

# Takes a machine that stands out, and a run of the fleet; returns a sentence for each of its findings in that run. Many
# tests with the same kind of finding have one sentence.
sub findings_in {
    my ($machine, $run) = @_;
    my @findings = grep { $_->{copies} == $run->{copies} } @{ $machine->{findings} };
    my $all      = grep { $_->{kind} eq 'test' } @{ $run->{measures} };
    my (@of_indexes, @of_tests);
    for my $kind (@KINDS, UNUSUAL) {
        my @alike = grep { $_->{is} eq $kind } @findings;
        push @of_indexes, map { _finding($_) } grep { $_->{kind} eq 'index' } @alike;
        for my $way (0, 1) {
            my @tests = grep { $_->{kind} eq 'test' && $way == _is_above($_) } @alike;
            push @of_tests, @tests > TOLD_MOST ? _several($kind, $all, @tests) : map { _finding($_) } @tests;
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
    my $how = $finding->{is} eq 'noisy' ? _variation($finding) : _distance($finding);
    return sprintf '%s: %s, %s (z %.1f)%s', $finding->{is}, measure_title($finding), $how, $finding->{z},
        $finding->{is} eq DOUBTFUL ? ', while other load was at work' : q{};
}

sub _variation {
    my ($finding) = @_;
    return sprintf 'passes vary by %.1f %%, the median is %.1f %%', map { 100 * $_ } @$finding{qw(value median)};
}

sub _distance {
    my ($finding) = @_;
    my $part = $finding->{value} / $finding->{median};
    return sprintf '%.0f %% of the median', 100 * $part if defined $finding->{unevenness};
    return sprintf '%.0f %% %s the median', 100 * abs($part - 1), $part < 1 ? 'below' : 'above';
}

# Returns one sentence about several tests, such as "unusual in all 12 tests, 28 to 30 % below the median". All of them
# are on the same side of the median.
sub _several {
    my ($kind, $all, @findings) = @_;
    my $tests = @findings == $all ? "all $all tests" : @findings . " of $all tests";
    return "$kind in $tests" if $kind eq 'noisy';
    my @percent = sort { $a <=> $b } map { sprintf '%.0f', 100 * abs($_->{value} / $_->{median} - 1) } @findings;
    my $range   = $percent[0] == $percent[-1] ? $percent[0] : "$percent[0] to $percent[-1]";
    return "$kind in $tests, $range % " . (_is_above($findings[0]) ? 'above' : 'below') . ' the median';
}

# Takes the label of a machine, a fleet, and a run of it; returns the verdict on it: how its index stands out, or in how
# many tests it does, or "usual".
sub verdict_of {
    my ($label, $fleet, $run) = @_;
    my ($machine) = grep { $_->{label} eq $label } @{ $fleet->{named} };
    my @findings  = grep { $_->{copies} == $run->{copies} } @{ ($machine || {})->{findings} };
    my @verdicts  = map { $_->{is} } grep { $_->{kind} eq 'index' } @findings;
    my %is_said   = map { $_ => 1 } @verdicts;
    my @of_tests  = (grep { $_ ne 'noisy' } @verdicts) ? 'noisy' : (DOUBTFUL, 'noisy', UNUSUAL);
    for my $kind (grep { !$is_said{$_} } @of_tests) {
        my @tests = grep { $_->{kind} eq 'test' && $_->{is} eq $kind } @findings;
        push @verdicts, "$kind in " . counted(scalar @tests, 'test', 'tests') if @tests;
    }
    return @verdicts ? join ', ', @verdicts : 'usual';
}

# Takes a machine that stands out; returns what else is unusual about it, in sentences.
sub unusual {
    my ($machine) = @_;
    my @facts =
        map { "$_->{label}: $_->{text}; most have " . ($_->{usual} // 'none') } @{ $machine->{differences} };
    return (@facts, @{ $machine->{other_files} });
}

# Takes a measure or a finding; returns its name. This is not the line that scripts search for in reports.
sub measure_title {
    my ($measure) = @_;
    return $measure->{title} if $measure->{kind} ne 'index';
    return "$measure->{title} index" . ($measure->{is_partial} ? ' (partial)' : q{});
}

# Takes a measure and { label => name }; returns the names of the machines that stand out, and how.
sub standing_out {
    my ($measure, $names) = @_;
    my @texts;
    for my $kind (@KINDS, UNUSUAL) {
        my @labels = map { $_->{label} } grep { $_->{is} eq $kind } @{ $measure->{outliers} };
        push @texts, "$kind: " . listed(map { $names->{$_} } @labels) if @labels;
    }
    return join '; ', @texts;
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

1;
