package UnixBench::Command::Doctor::Text;

# The text of --doctor: the findings, the most important first.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format             qw(counted shown);
use UnixBench::Command::Doctor::Wording ();
use UnixBench::Host::FactList           ();
use UnixBench::Plan::Plan               ();
use UnixBench::Remarks::Wording         qw(ADVICE WHY);
use UnixBench::Report::Lines            qw(aligned folded plain);

# The effect on a run, in words, for each weight of findings.
my @VERBS = (
    [prevents => 'prevent %s'],
    [limits   => 'limit what %s tells'],
    [disturbs => 'disturb %s'],
    [little   => 'disturb %s a little'],
);

# The kinds of findings that show other processes on the CPUs.
my %IS_LOAD = map { $_ => 1 } qw(others run_queue pressure_cpu load);

use constant INDENT => 3;

# Takes what was found; returns the text. The keys are
#   findings   [finding, ...], see UnixBench::Command::Doctor::Wording
#   look       see UnixBench::Noise::Look
#   plan       see UnixBench::Plan::Plan
#   result     the result without runs
#   notes      those notes of the result that are not findings
#   has_facts  whether the facts about the machine are printed, too
# If only a part of Perl is installed, all keys except findings are undef.
sub render {
    my ($seen) = @_;
    my %findings = map { $_ => [] } @UnixBench::Command::Doctor::Wording::WEIGHTS;
    push @{ $findings{ $_->{weight} } }, $_ for _in_words(@$seen{qw(findings look)});
    my @blocks = (
        [folded(_verdict(\%findings))],
        _obstacles(@findings{qw(prevents limits)}),
        $seen->{look} ? _disturbances($seen->{look}, @findings{qw(disturbs little)}) : (),
        _section('Worth knowing', @{ $findings{known} }),
        $seen->{plan}      ? [_plan(@$seen{qw(plan result notes)})] : ['Nothing else can be looked at before that.'],
        $seen->{has_facts} ? _facts($seen->{result})                : (),
    );
    return join "\n", map { _block(@$_) } @blocks;
}

# Returns findings in words. All findings about other processes become one, which names these processes.
sub _in_words {
    my ($findings, $look) = @_;
    my @words = map { +{ kind => $_->{kind}, %{ UnixBench::Command::Doctor::Wording::of($_) } } } @$findings;
    my ($first, @more) = grep { $IS_LOAD{ $_->{kind} } } @words;
    return @words if !$first;
    my %is_there = map { $_->{weight} => 1 } $first, @more;
    ($first->{weight}) = grep { $is_there{$_} } @UnixBench::Command::Doctor::Wording::WEIGHTS;
    $first->{seen}  = join q{ }, map { $_->{seen} } $first, @more;
    $first->{lines} = [_busiest(@{ $look->{busiest} })] if $first->{kind} ne 'load';
    return grep { $_ == $first || !$IS_LOAD{ $_->{kind} } } @words;
}

sub _block {
    my (@lines) = @_;
    return join q{}, map { plain($_) . "\n" } @lines;
}

sub _verdict {
    my ($findings) = @_;
    my ($run, @parts) = 'this run';
    for my $verb (grep { @{ $findings->{ $_->[0] } } } @VERBS) {
        my $count  = @{ $findings->{ $verb->[0] } };
        my $things = @parts ? $count : counted($count, 'thing', 'things') . ' here';
        push @parts, sprintf "%s would $verb->[1]", $things, $run;
        $run = 'it';
    }
    return 'Nothing was found here that would prevent or disturb this run.' if !@parts;
    my $last = pop @parts;
    return (@parts ? join(', ', @parts) . " and $last" : $last) . q{.};
}

sub _obstacles {
    my (@groups) = @_;
    my @findings = map { @$_ } @groups;
    return ['Nothing is missing; limits, room and directories allow this run.'] if !@findings;
    return _section('What prevents this run, or limits what it tells', @findings);
}

sub _disturbances {
    my ($look, @groups) = @_;
    my @findings = map { @$_ } @groups;
    my $how      = sprintf 'looked at for %.1f s', $look->{looked_s};
    push @findings, { seen => 'What else goes on is not known: there is no /proc/stat here.' } if !$look->{is_possible};
    return ["Nothing disturbs now ($how)."] if !@findings;
    return _section("What disturbs now ($how)", @findings);
}

# Returns the processes that use the CPUs, each in a line.
sub _busiest {
    my (@processes) = @_;
    return 'None of them is seen from here: they end too soon, or are hidden.' if !@processes;
    return aligned(map { [_who($_), sprintf '%.0f %% of a CPU', 100 * $_->{cpus}] } @processes);
}

sub _who {
    my ($process) = @_;
    my $name = shown($process->{name});
    return ($process->{is_by_children} ? "what $name started" : $name) . ", process $process->{pid}";
}

sub _section {
    my ($title, @findings) = @_;
    return @findings ? [$title, map { _group(@$_) } _groups(@findings)] : ();
}

# Returns groups of findings with the same reason and advice.
sub _groups {
    my (@findings) = @_;
    my (%group, @groups);
    for my $finding (@findings) {
        my $key = join "\n", map { $_ // q{} } @$finding{qw(why advice)};
        push @groups, $group{$key} = [] if !$group{$key};
        push @{ $group{$key} }, $finding;
    }
    return @groups;
}

sub _group {
    my (@findings) = @_;
    my ($why, $advice) = @{ $findings[0] }{qw(why advice)};
    return (
        (
            map {
                (folded($_->{seen}, INDENT), map { q{ } x (2 * INDENT) . $_ } @{ $_->{lines} || [] })
            } @findings
        ),
        folded(defined $why    ? WHY . " $why"       : q{}, 2 * INDENT),
        folded(defined $advice ? ADVICE . " $advice" : q{}, 2 * INDENT),
    );
}

sub _plan {
    my ($plan, $result, $notes) = @_;
    my $all    = @{ $plan->{tests} };
    my $wanted = grep { !defined $_->{skipped} } @{ $plan->{tests} };
    my $tests  = ($wanted == $all ? q{} : "$wanted of ") . counted($all, 'test', 'tests');
    my @copies = map { 'as ' . counted($_, 'copy', 'copies') } @{ $plan->{copies} };
    my $length = ($plan->{quick} ? 'at most ' : 'about ') . UnixBench::Plan::Plan::duration($plan->{duration_s});
    my @lines  = "The plan: $tests (@{ $result->{asked} }) " . join(', then ', @copies) . ", $length.";
    push @lines, map { "A note in its reports: $_" } @$notes;
    return map { folded($_) } @lines;
}

# Returns a block for each group of facts.
sub _facts {
    my ($result) = @_;
    my @groups   = UnixBench::Host::FactList::groups($result);
    my $width    = List::Util::max(map { length $_->[0] } map { @{ $_->{facts} } } @groups);
    return map {
        [$_->{title}, map { _fact($width, @$_) } @{ $_->{facts} }]
    } @groups;
}

# Returns the lines of a fact.
sub _fact {
    my ($width, $label, $text) = @_;
    my ($first, @more) = folded($text, INDENT + $width + 2);
    substr $first, INDENT, length $label, $label;
    return ($first, @more);
}

1;
