package UnixBench::Doctor::Text;

# The text of doctor: the findings, the most important first. UnixBench::Warnings::Wording has the texts of warnings,
# and UnixBench::Noise::Causes has those of disturbances.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text        qw(counted shown);
use UnixBench::Base::Time        ();
use UnixBench::Host::FactList    ();
use UnixBench::Noise::Causes     ();
use UnixBench::Report::Lines     qw(aligned folded plain);
use UnixBench::Warnings::Wording qw(ADVICE WHY filled grouped);

# The weights of findings, each with the effect of one and of several. Others are only worth knowing.
my @VERBS = (
    [prevents => 'prevents the run',       'prevent the run'],
    [limits   => 'limits the result',      'limit the result'],
    [disturbs => 'is a disturbance',       'are disturbances'],
    [little   => 'is a minor disturbance', 'are minor disturbances'],
);

my @WEIGHTS = ((map { $_->[0] } @VERBS), 'known');

# The texts of obstacles, with keys of the finding in braces. Without seen, the text of the finding is the sentence.
#<<< a table
my %OBSTACLE = (
    missing_run => {
        weight => 'prevents',
        why    => 'Without it, nothing can be measured.',
    },
    missing_tests => {
        weight => 'limits',
        why    => 'The tests that need it fail or are skipped.',
    },
    missing_locale => {
        weight => 'limits',
        why    => 'Text is then ASCII, which is sorted and searched faster than UTF-8.',
        advice => 'Install it: ./Run --setup does that, or names the package.',
    },
    other_cpu => {
        weight => 'prevents',
        why    => 'They may use instructions that this CPU does not have.',
        advice => 'Run make clean all in a writable copy of the suite.',
    },
    limit => {
        weight => 'prevents',
        why    => 'The run would fail.',
    },
    directory => {
        weight => 'prevents',
        why    => 'Reports and scratch files are written there.',
        advice => 'Set {variable} to another directory, or make this one writable.',
    },
    unsafe => {
        weight => 'prevents',
        why    => 'Other users could replace what the tests read and write.',
        advice => 'Set {variable} to another directory, or let no other user write there: chmod go-w.',
    },
    open => {
        weight => 'known',
        why    => 'They could replace the programs that are measured.',
        advice => 'chmod -R o-w takes that right away.',
    },
    program => {
        weight => 'limits',
        seen   => '{text}, for {tests}',
        why    => 'These tests fail.',
        advice => 'Run make as a user who may write there, or set UB_BINDIR to another directory.',
    },
    input => {
        weight => 'limits',
        seen   => '{text}, for {tests}',
        why    => 'These tests fail.',
        advice => 'Restore the files, or set UB_TESTDIR to another directory.',
    },
    skipped => {
        weight => 'limits',
        seen   => '{text}. Tests that will be skipped: {tests}',
        why    => 'They get no score.',
        advice => 'Install what is missing: ./Run --setup with the names of these tests does that, or names '
            . 'the packages.',
    },
    no_index => {
        weight => 'limits',
        why    => 'An index compares scores with those of the baseline.',
        advice => 'Restore index.base.',
    },
    no_sync => {
        weight => 'little',
        why    => 'Data of earlier tests may still be written during later ones.',
        advice => 'Install coreutils or busybox.',
    },
    procedure => {
        weight => 'limits',
        seen   => 'The report will have the note "{text}"',
        why    => 'The result can be compared only with results of the same procedure.',
        advice => 'Unset UB_TIME_FACTOR and MULTI_SH_WORK_FACTOR, restore index.base, or leave out the options of the '
            . 'multi-user load.',
    },
    build => {
        weight => 'known',
        seen   => 'The programs will be built first: {text}',
        why    => 'Right after compiling, a machine may still be busy or warm.',
        advice => './Run builds them. To avoid this disturbance, run make first and wait a minute.',
    },
);
#>>>

use constant INDENT => 3;

# Takes what was found, and perhaps the width of a terminal; returns the text. The keys are
#   findings   [finding, ...], each one of
#              { kind, text, ... }               an obstacle, see UnixBench::Doctor::Command
#              { kind => cause, worst, weight }  a disturbance
#              { kind, weight, ... }             a warning with a weight, see UnixBench::Warnings::All
#   look       see UnixBench::Doctor::Look
#   plan       see UnixBench::Plan::Plan
#   result     the result without runs
#   notes      those notes of the result that are not findings
#   has_facts  whether the facts about the machine are printed, too
# If only a part of Perl is installed, all keys except findings are undef.
sub render {
    my ($seen, $width) = @_;
    my %findings = map { $_ => [] } @WEIGHTS;
    push @{ $findings{ $_->{weight} } }, $_ for _in_words(@$seen{qw(findings look)});
    my @blocks = (
        [_verdict(\%findings)],
        _obstacles(@findings{qw(prevents limits)}),
        $seen->{look} ? _disturbances($seen->{look}, @findings{qw(disturbs little)}) : (),
        _section('Worth knowing', @{ $findings{known} }),
        $seen->{plan}      ? [_plan(@$seen{qw(plan result notes)})] : ['All other checks need a complete Perl.'],
        $seen->{has_facts} ? _facts($seen->{result})                : (),
    );
    return join "\n", map { _block($width, @$_) } @blocks;
}

# Takes the same; returns whether something would prevent, limit or disturb the run. A minor disturbance is not a
# problem.
sub has_problem {
    my ($seen)     = @_;
    my %is_problem = map { $_ => 1 } qw(prevents limits disturbs);
    return scalar grep { $is_problem{ $_->{weight} } } _in_words(@$seen{qw(findings look)});
}

# Returns findings in words. All findings about other processes become one, which names these processes.
sub _in_words {
    my ($findings, $look) = @_;
    my @words = map { _words($_) } @$findings;
    my ($first, @more) = grep { _is_of_processes($_) } @words;
    return @words if !$first;
    my %is_there = map { $_->{weight} => 1 } $first, @more;
    ($first->{weight}) = grep { $is_there{$_} } @WEIGHTS;
    $first->{seen}  = join q{ }, map { $_->{seen} } $first, @more;
    $first->{lines} = [_busiest(@{ $look->{busiest} })] if $first->{kind} ne 'load';
    return grep { $_ == $first || !_is_of_processes($_) } @words;
}

# Takes a finding; returns { kind, weight, seen, why, advice }; advice may be undef.
sub _words {
    my ($finding) = @_;
    my $obstacle  = $OBSTACLE{ $finding->{kind} };
    my %of        = (kind => $finding->{kind}, weight => $finding->{weight});
    return { %of, %{ UnixBench::Warnings::Wording::before($finding) } } if !$obstacle;
    return {
        %of,
        (map { $_ => $obstacle->{$_} } qw(weight why)),
        seen   => _sentence(filled($finding, $obstacle->{seen} // '{text}')),
        advice => defined $obstacle->{advice} ? filled($finding, $obstacle->{advice}) : undef,
    };
}

# Returns a message for standard error as a sentence.
sub _sentence {
    my ($text) = @_;
    chomp $text;
    return ucfirst($text) . ($text =~ /[.]\z/ ? q{} : q{.});
}

# Returns whether a finding shows other processes on the CPUs.
sub _is_of_processes {
    my ($finding) = @_;
    return $finding->{kind} eq 'load' || (UnixBench::Noise::Causes::has($finding->{kind}, 'load') // q{}) eq 'cpu';
}

# Takes a width, or undef, and texts of a block, each a string or [its indentation, string, perhaps a label before it].
# Returns its lines as a text.
sub _block {
    my ($width, @texts) = @_;
    return join q{}, map { "$_\n" } map { ref ? _lines($width, @$_) : folded($_, 0, $width) } @texts;
}

sub _lines {
    my ($width, $indent, $text, $label) = @_;
    my ($first, @more) = folded($text, $indent, $width);
    substr $first, INDENT, length $label, plain($label) if defined $label;
    return ($first // (), @more);
}

# Returns the first line, such as "3 problems: 1 limits the result, 2 are disturbances.".
sub _verdict {
    my ($findings) = @_;
    my ($count, @parts) = (0);
    for my $verb (@VERBS) {
        my ($weight, $one, $several) = @$verb;
        my $number = @{ $findings->{$weight} } or next;
        $count += $number;
        push @parts, sprintf '%d ' . ($number == 1 ? $one : $several), $number;
    }
    return 'No problem was found.' if !@parts;
    return counted($count, 'problem', 'problems') . q{: } . join(', ', @parts) . q{.};
}

sub _obstacles {
    my (@groups) = @_;
    my @findings = map { @$_ } @groups;
    return ['Ready: software, limits, disk space and directories are fine.'] if !@findings;
    return _section('Obstacles', @findings);
}

sub _disturbances {
    my ($look, @groups) = @_;
    my @findings = map { @$_ } @groups;
    my $how      = sprintf 'observed for %.1f s', $look->{looked_s};
    push @findings, { seen => 'Other load is unknown: this system has no /proc/stat.' } if !$look->{is_possible};
    return ["No disturbance ($how)."] if !@findings;
    return _section("Disturbances ($how)", @findings);
}

# Returns the processes that use the CPUs, each in a line.
sub _busiest {
    my (@processes) = @_;
    return 'They could not be identified: they end too soon, or are hidden.' if !@processes;
    return aligned(map { [_who($_), sprintf '%.0f %% of a CPU', 100 * $_->{cpus}] } @processes);
}

sub _who {
    my ($process) = @_;
    my $name = shown($process->{name});
    return ($process->{is_by_children} ? "children of $name" : $name) . ", process $process->{pid}";
}

sub _section {
    my ($title, @findings) = @_;
    return @findings ? [$title, map { _group(@$_) } grouped(@findings)] : ();
}

sub _group {
    my (@findings) = @_;
    my ($why, $advice) = @{ $findings[0] }{qw(why advice)};
    return (
        (
            map {
                ([INDENT, $_->{seen}], map { [2 * INDENT, $_] } @{ $_->{lines} || [] })
            } @findings
        ),
        (defined $why    ? [2 * INDENT, WHY . " $why"]       : ()),
        (defined $advice ? [2 * INDENT, ADVICE . " $advice"] : ()),
    );
}

sub _plan {
    my ($plan, $result, $notes) = @_;
    my $all    = @{ $plan->{tests} };
    my $wanted = grep { !defined $_->{skipped} } @{ $plan->{tests} };
    my $tests  = ($wanted == $all ? q{} : "$wanted of ") . counted($all, 'test', 'tests');
    my @copies = map { 'with ' . counted($_, 'copy', 'copies') } @{ $plan->{copies} };
    my $length =
        ($plan->{quick} ? 'at most ' : 'about ') . UnixBench::Base::Time::duration_in_brief($plan->{duration_s});
    my @lines = "Plan: $tests (@{ $result->{asked} }) " . join(', then ', @copies) . ", $length.";
    push @lines, map { "Note in the reports: $_" } @$notes;
    return @lines;
}

# Returns a block for each group of facts.
sub _facts {
    my ($result) = @_;
    my @groups   = UnixBench::Host::FactList::groups($result);
    my $width    = List::Util::max(map { length $_->[0] } map { @{ $_->{facts} } } @groups);
    return map {
        [$_->{title}, map { [INDENT + $width + 2, $_->[1], $_->[0]] } @{ $_->{facts} }]
    } @groups;
}

1;
