package UnixBench::Doctor::Text;

# The text of doctor: what it found, the most important first, and what to do. UnixBench::Warnings::Wording has the
# texts of warnings, and UnixBench::Noise::Causes has those of disturbances.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text          qw(aligned clean folded shown);
use UnixBench::Host::FactList      ();
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances qw(UNSEEN);
use UnixBench::Warnings::Wording   qw(ADVICE);

# The weights of findings, the most important first, with their headings. The first three are problems.
my @WEIGHTS = (
    [prevents => 'This prevents a run:'],
    [limits   => 'This limits the result:'],
    [disturbs => 'This disturbs a run:'],
    [little   => 'This disturbs a run a little:'],
    [known    => 'Worth knowing:'],
);
my %IS_PROBLEM = map { $_->[0] => 1 } @WEIGHTS[0 .. 2];

# The weight of each kind of obstacle, and what to do. {variable} is that of the finding.
#<<< a table
my %OBSTACLE = (
    build          => ['known', 'To avoid this disturbance, run make first and wait a minute.'],
    directory      => ['prevents', 'Set {variable} to another directory, or make this one writable.'],
    input          => ['limits', 'Restore the files, or set UB_TESTDIR to another directory.'],
    limit          => ['prevents'],
    missing_locale => ['limits', 'Install it: ./Run --setup does that, or names the package.'],
    missing_run    => ['prevents'],
    missing_tests  => ['limits'],
    no_index       => ['limits', 'Restore index.base.'],
    no_sync        => ['little', 'Install coreutils or busybox.'],
    open           => ['known', 'chmod -R o-w takes that right away.'],
    other_cpu      => ['prevents', 'Run make clean all in a writable copy of the suite.'],
    procedure      => ['limits', 'Unset UB_TIME_FACTOR and MULTI_SH_WORK_FACTOR, restore index.base, or leave out the '
        . 'options of the multi-user load.'],
    program        => ['limits', 'Run make as a user who may write there, or set UB_BINDIR to another directory.'],
    no_display     => ['limits', 'Start it, set DISPLAY to another one, or unset DISPLAY: then Xvfb is used.'],
    skipped        => ['limits', 'Install what is missing: ./Run --setup with the names of these tests does that, or '
        . 'names the packages.'],
    unsafe         => ['prevents', 'Set {variable} to another directory, or run chmod go-w.'],
);
#>>>

use constant INDENT => 3;

# Takes what was found, and perhaps the width of a terminal; returns the text. The keys are
#   findings   [finding, ...], each one of
#              { kind, text, ... }               an obstacle, see UnixBench::Doctor::Command
#              { kind => cause, worst, weight }  a disturbance
#              { kind, weight, ... }             a warning with a weight, see UnixBench::Warnings::All
#   look       see UnixBench::Doctor::Look; undef if only a part of Perl is installed
#   facts_of   the result whose facts about the machine are printed, too, with what is worth knowing, or undef
sub render {
    my ($seen, $width) = @_;
    my ($findings, $look, $facts_of) = @$seen{qw(findings look facts_of)};
    my %found;
    push @{ $found{ $_->{weight} } }, $_ for _in_words($findings, $look);
    push @{ $found{little} }, { seen => 'Other load is unknown: /proc/stat shows no CPU times.' }
        if $look && !$look->{is_possible};
    my $known  = $facts_of ? undef : delete $found{known};
    my @blocks = map { [$_->[1], map { _lines($_) } @{ $found{ $_->[0] } }] } grep { $found{ $_->[0] } } @WEIGHTS;
    push @blocks, ['Nothing disturbs a run.'] if !grep { $_ ne 'known' } keys %found;
    push @blocks, ['All other checks need a complete Perl.'] if !$look;
    return join "\n", map { _block($width, @$_) } $facts_of ? _facts($facts_of) : (), @blocks;
}

# Takes what was found, as render() does; returns whether something would prevent, limit or disturb the run. A minor
# disturbance is not a problem.
sub has_problem {
    my ($seen) = @_;
    return scalar grep { $IS_PROBLEM{ $_->{weight} } } _in_words(@$seen{qw(findings look)});
}

# Returns findings in words, { weight, seen, lines, advice }. All findings about other load become one, which names the
# processes that use the CPUs.
sub _in_words {
    my ($findings, $look) = @_;
    my @load   = grep { _is_of_load($_) } @$findings;
    my @others = map  { _words($_) } grep { !_is_of_load($_) } @$findings;
    return (@load ? _load_in_words($look, @load) : (), @others);
}

sub _is_of_load {
    my ($finding) = @_;
    return $finding->{kind} eq 'load' || defined UnixBench::Noise::Causes::has($finding->{kind}, 'load');
}

# It has the weight of the heaviest one. A load average is not that of the processes that are busy now.
sub _load_in_words {
    my ($look, @load) = @_;
    my %has      = map  { $_->{weight} => 1 } @load;
    my ($weight) = grep { $has{$_} } map { $_->[0] } @WEIGHTS;
    my ($before) = grep { $_->{kind} eq 'load' } @load;
    my @causes   = map { +{ cause => $_->{kind}, worst => $_->{worst}, badly => $_->{weight} eq 'disturbs' } }
        grep { $_->{kind} ne 'load' } @load;
    my @unseen  = grep { $_->{name} eq UNSEEN } @{ $look->{busiest} };
    my %load    = (load => $before && $before->{load}, causes => \@causes, @unseen ? (by => \@unseen) : ());
    my $words   = _words({ kind => 'load', weight => $weight, %load });
    my $is_busy = grep { UnixBench::Noise::Causes::has($_->{cause}, 'load') eq 'cpu' } @causes;
    return { %$words, lines => $is_busy ? [_busiest(@{ $look->{busiest} })] : undef };
}

sub _words {
    my ($finding) = @_;
    my $obstacle = $OBSTACLE{ $finding->{kind} };
    return { weight => $finding->{weight}, %{ UnixBench::Warnings::Wording::before($finding) } } if !$obstacle;
    my ($weight, $advice) = @$obstacle;
    $advice =~ s/[{]variable[}]/$finding->{variable}/ if defined $advice;
    chomp(my $text = ucfirst $finding->{text});
    return { weight => $weight, seen => $text . ($text =~ /[.]\z/ ? q{} : q{.}), advice => $advice };
}

sub _busiest {
    my (@processes) = @_;
    return 'They could not be identified: they end too soon, or are hidden.' if !@processes;
    my $who = sub { shown($_[0]{name}) . ($_[0]{pid} ? ", process $_[0]{pid}" : q{}) };
    return aligned(map { [$who->($_), sprintf '%.0f %% of a CPU', 100 * $_->{cpus}] } @processes);
}

sub _lines {
    my ($words) = @_;
    my @more = (@{ $words->{lines} || [] }, defined $words->{advice} ? ADVICE . " $words->{advice}" : ());
    return ([INDENT, $words->{seen}], map { [2 * INDENT, $_] } @more);
}

sub _facts {
    my ($result) = @_;
    my @groups   = UnixBench::Host::FactList::groups($result);
    my $width    = List::Util::max(map { length $_->[0] } map { @{ $_->{facts} } } @groups);
    return map { [$_->{title}, map { [INDENT + $width + 2, $_->[1], $_->[0]] } @{ $_->{facts} }] } @groups;
}

# A text is a string or [its indentation, string, perhaps a label before it].
sub _block {
    my ($width, @texts) = @_;
    return join q{}, map { "$_\n" } map { ref ? _folded($width, @$_) : folded($_, 0, $width) } @texts;
}

sub _folded {
    my ($width, $indent, $text, $label) = @_;
    my ($first, @more) = folded($text, $indent, $width);
    substr $first, INDENT, length $label, clean($label) if defined $label;
    return ($first // (), @more);
}

1;
