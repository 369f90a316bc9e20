package UnixBench::Doctor::Text;

# The text of doctor: what it found in order, then the problems, and at the end a line that names them.
# UnixBench::Warnings::Wording has the texts of warnings, and UnixBench::Noise::Causes has those of disturbances.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text        qw(counted shown);
use UnixBench::Base::Time        ();
use UnixBench::Host::FactList    ();
use UnixBench::Noise::Causes     ();
use UnixBench::Report::Lines     qw(aligned folded plain);
use UnixBench::Warnings::Causes  qw(cause_title OTHER_LOAD);
use UnixBench::Warnings::Wording qw(ADVICE WHY filled grouped);

# The weights of findings, the most important first: it prevents the run, limits the result, disturbs it, or does so a
# little, or is only worth knowing. The first three are problems.
my @WEIGHTS  = qw(prevents limits disturbs little known);
my @PROBLEMS = @WEIGHTS[0 .. 2];

# Warnings in a few words. UnixBench::Noise::Causes has the titles of disturbances.
my %BRIEF = (
    class   => 'scheduling class',
    load    => OTHER_LOAD,
    locale  => 'no UTF-8',
    nice    => 'nice value',
    preload => 'preloaded library',
    quota   => 'CPU quota',
    scratch => 'scratch files in memory',
    tracer  => 'tracer',
);

# The texts of obstacles, with keys of the finding in braces. Without seen, the text of the finding is the sentence.
# brief is the finding in a few words.
#<<< a table
my %OBSTACLE = (
    missing_run => {
        weight => 'prevents',
        brief  => 'missing software',
        why    => 'Without it, nothing can be measured.',
    },
    missing_tests => {
        weight => 'limits',
        brief  => 'missing software for tests',
        why    => 'The tests that need it fail or are skipped.',
    },
    missing_locale => {
        weight => 'limits',
        brief  => 'missing locale',
        why    => 'Text is then ASCII, which is sorted and searched faster than UTF-8.',
        advice => 'Install it: ./Run --setup does that, or names the package.',
    },
    other_cpu => {
        weight => 'prevents',
        brief  => 'programs of another CPU',
        why    => 'They may use instructions that this CPU does not have.',
        advice => 'Run make clean all in a writable copy of the suite.',
    },
    limit => {
        weight => 'prevents',
        brief  => 'limits of the system',
        why    => 'The run would fail.',
    },
    directory => {
        weight => 'prevents',
        brief  => 'directories',
        why    => 'Reports and scratch files are written there.',
        advice => 'Set {variable} to another directory, or make this one writable.',
    },
    unsafe => {
        weight => 'prevents',
        brief  => 'unsafe scratch files',
        why    => 'Other users could replace what the tests read and write.',
        advice => 'Set {variable} to another directory, or let no other user write there: chmod go-w.',
    },
    open => {
        weight => 'known',
        brief  => 'open programs',
        why    => 'They could replace the programs that are measured.',
        advice => 'chmod -R o-w takes that right away.',
    },
    program => {
        weight => 'limits',
        brief  => 'missing programs',
        seen   => '{text}, for {tests}',
        why    => 'These tests fail.',
        advice => 'Run make as a user who may write there, or set UB_BINDIR to another directory.',
    },
    input => {
        weight => 'limits',
        brief  => 'missing input',
        seen   => '{text}, for {tests}',
        why    => 'These tests fail.',
        advice => 'Restore the files, or set UB_TESTDIR to another directory.',
    },
    skipped => {
        weight => 'limits',
        brief  => 'skipped tests',
        seen   => '{text}. Tests that will be skipped: {tests}',
        why    => 'They get no score.',
        advice => 'Install what is missing: ./Run --setup with the names of these tests does that, or names '
            . 'the packages.',
    },
    no_index => {
        weight => 'limits',
        brief  => 'no index',
        why    => 'An index compares scores with those of the baseline.',
        advice => 'Restore index.base.',
    },
    no_sync => {
        weight => 'little',
        brief  => 'no program sync',
        why    => 'Data of earlier tests may still be written during later ones.',
        advice => 'Install coreutils or busybox.',
    },
    procedure => {
        weight => 'limits',
        brief  => 'changed procedure',
        seen   => 'The report will have the note "{text}"',
        why    => 'The result can be compared only with results of the same procedure.',
        advice => 'Unset UB_TIME_FACTOR and MULTI_SH_WORK_FACTOR, restore index.base, or leave out the options of the '
            . 'multi-user load.',
    },
    build => {
        weight => 'known',
        brief  => 'build',
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
    my @obstacles    = _section('Obstacles', map { @{ $findings{$_} } } qw(prevents limits));
    my @disturbances = $seen->{look} ? _disturbances($seen->{look}, @findings{qw(disturbs little)}) : ();
    my @in_order     = (
        @obstacles           ? () : 'Ready: software, limits, disk space and directories are fine.',
        ref $disturbances[0] ? () : splice @disturbances,
    );
    my @blocks = (
        $seen->{has_facts} ? _facts($seen->{result})                : (),
        $seen->{plan}      ? [_plan(@$seen{qw(plan result notes)})] : ['All other checks need a complete Perl.'],
        _section('Worth knowing', @{ $findings{known} }),
        @in_order ? [@in_order] : (),
        @obstacles,
        @disturbances,
        [_verdict(\%findings)],
    );
    return join "\n", map { _block($width, @$_) } @blocks;
}

# Takes the same; returns whether something would prevent, limit or disturb the run. A minor disturbance is not a
# problem.
sub has_problem {
    my ($seen)     = @_;
    my %is_problem = map { $_ => 1 } @PROBLEMS;
    return scalar grep { $is_problem{ $_->{weight} } } _in_words(@$seen{qw(findings look)});
}

# Returns findings in words. All findings about other load become one, which names the processes that use the CPUs.
sub _in_words {
    my ($findings, $look) = @_;
    my @load   = grep { _is_of_load($_) } @$findings;
    my @others = map  { _words($_) } grep { !_is_of_load($_) } @$findings;
    return (@load ? _load_in_words($look, @load) : (), @others);
}

# Takes a look and the findings about other load; returns one finding in words, with the weight of the heaviest. A load
# average is not that of the processes that are busy now.
sub _load_in_words {
    my ($look, @load) = @_;
    my %has      = map  { $_->{weight} => 1 } @load;
    my ($weight) = grep { $has{$_} } @WEIGHTS;
    my ($before) = grep { $_->{kind} eq 'load' } @load;
    my @causes   = map  { +{ cause => $_->{kind}, worst => $_->{worst}, badly => $_->{weight} eq 'disturbs' } }
        grep { $_->{kind} ne 'load' } @load;
    my $words   = _words({ kind => 'load', weight => $weight, load => $before && $before->{load}, causes => \@causes });
    my $is_busy = grep { UnixBench::Noise::Causes::has($_->{cause}, 'load') eq 'cpu' } @causes;
    return { %$words, lines => $is_busy ? [_busiest(@{ $look->{busiest} })] : undef };
}

# Takes a finding; returns { kind, weight, brief, seen, why, advice }; advice may be undef.
sub _words {
    my ($finding) = @_;
    my $obstacle  = $OBSTACLE{ $finding->{kind} };
    my $kind      = $finding->{kind};
    my %of        = (kind => $kind, weight => $finding->{weight}, brief => $BRIEF{$kind} // cause_title($kind));
    return { %of, %{ UnixBench::Warnings::Wording::before($finding) } } if !$obstacle;
    return {
        %of,
        (map { $_ => $obstacle->{$_} } qw(weight brief why)),
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

# Returns whether a finding shows other load.
sub _is_of_load {
    my ($finding) = @_;
    return $finding->{kind} eq 'load' || defined UnixBench::Noise::Causes::has($finding->{kind}, 'load');
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

# Returns the last line, such as "2 problems: missing software, which prevents the run; other load. Minor: swapping."
sub _verdict {
    my ($findings) = @_;
    my @problems   = map { @{ $findings->{$_} } } @PROBLEMS;
    my @minor      = _named(@{ $findings->{little} });
    my @named      = _named(@{ $findings->{prevents} });
    my @parts      = (
        @named ? join(', ', @named) . ', which ' . (@named == 1 ? 'prevents' : 'prevent') . ' the run' : (),
        join(', ', _named(map { @{ $findings->{$_} } } qw(limits disturbs)))
    );
    my $problems = @problems ? counted(scalar @problems, 'problem', 'problems') . ': ' : 'No problem was found';
    return
          $problems
        . join('; ', grep { length } @parts) . q{.}
        . (@minor ? ' Minor: ' . join(', ', @minor) . q{.} : q{});
}

# Returns findings in a few words, each once.
sub _named {
    my (@findings) = @_;
    my %seen;
    return grep { !$seen{$_}++ } map { $_->{brief} } @findings;
}

# Returns the section of disturbances, or a line if there are none.
sub _disturbances {
    my ($look, @groups) = @_;
    my @findings = map { @$_ } @groups;
    my $how      = sprintf 'observed for %.1f s', $look->{looked_s};
    push @findings, { seen => 'Other load is unknown: this system has no /proc/stat.' } if !$look->{is_possible};
    return "No disturbance ($how)." if !@findings;
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
