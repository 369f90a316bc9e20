package UnixBench::Warnings::Wording;

# The texts of warnings: what was seen, why it matters, what to do.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Number     qw(fixed percent plus_minus);
use UnixBench::Base::Text       qw(counted listed shown);
use UnixBench::Warnings::Causes qw(load_advice load_seen load_together load_why of_passes);

our @EXPORT_OK = qw(ADVICE TRUST WHY filled gathered grouped merged modes_text);

# The heading of all warnings, and the labels of the parts of a warning.
use constant {
    TRUST  => 'How far these numbers can be trusted',
    WHY    => 'Why it matters:',
    ADVICE => 'What to do:',
};

use constant {
    CHANGES_MOST => 4,          # changes that a sentence has
    DIGITS_MOST  => 15,         # of a number
    UNKNOWN      => 9**9**9,    # the size of a warning whose number is unknown
};

# How a value is written in a text, by its key. Other values are quoted, see UnixBench::Base::Text::shown.
#<<< a table
my %WRITTEN = (
    (map { $_ => \&percent } qw(behind cv worst)),
    (map { $_ => sub { $_[0] } } qw(several text title)),
    (map { $_ => sub { listed(@{ $_[0] }) } } qw(tests titles)),
    (map { $_ => sub { sprintf '%.0f s', $_[0] } } qw(limit_s took_s)),
    (map { $_ => sub { sprintf '%.2f', $_[0] } } qw(cpus load)),
    debug   => sub { listed(map { shown($_) } @{ $_[0] }) },
    modes   => \&modes_text,
    rise    => sub { percent(abs $_[0]) . ($_[0] < 0 ? ' slower' : ' faster') },
    set     => sub { listed(map { "$_->[0] (" . shown($_->[1]) . ')' } @{ $_[0] }) },
    set_s   => sub { sprintf '%s by %.0f s', $_[0] < 0 ? 'back' : 'forward', abs $_[0] },
);
#>>>

# The texts of all warnings except those of the causes of disturbances, which UnixBench::Noise::Causes has. A text has
# the keys of its values in braces:
#   seen         what was seen, a text or a function that takes the warning
#   together     the same for several warnings of this kind, about different tests: the text has the values of the
#                largest one, {several} and {titles}; or a function that takes all of them and returns the text and
#                the advice
#   size         the key of the number that is larger for a worse warning
#   is_one       whether several warnings of this kind are one sentence everywhere
#   is_minor     whether the warning is left out at the end of a run
#   why, advice  why it matters, and what to do
#   before       { seen, why, advice }: those that differ before a run, when nothing was measured yet
#<<< a table
my %WARNING = (
    burst => {
        seen   => \&_burst_seen,
        size   => 'worst',
        why    => 'This is typical of instances whose CPU credits run out: the first tests ran on a faster machine.',
        advice => 'For the lasting speed, measure again right away. For the short-term speed, measure after a rest.',
    },
    load => {
        seen     => \&load_seen,
        together => \&load_together,
        why      => \&load_why,
        advice   => \&load_advice,
    },
    overtime => {
        seen   => 'The rounds that are always made took {took_s}; the time limit was {limit_s} (--max-time).',
        size   => 'took_s',
        why    => 'Passes took longer than planned. A quick run has at least three rounds, for its interval.',
        advice => 'Stop other load, or allow more time.',
    },
    precision => {
        seen   => \&_precision_seen,
        size   => 'half_width',
        why    => 'A smaller difference between two runs may be chance.',
        advice => 'Allow more time (--max-time), or accept less precision (--precision).',
    },
    modes => {
        seen     => '{title} has {modes}.',
        together => '{several} have two modes: {titles}.',
        why    => 'The machine works in one of two ways in each pass; the score only says how often.',
        advice => 'Quote both rates, and compare machines mode by mode.',
    },
    context1 => {
        seen   => '{title} has {modes}.',
        why    => 'The scheduler puts the two processes on one CPU or on two; the score only says how often.',
        advice => 'To measure one mode: pgms/context1 10 -p same. The other one: pgms/context1 10 -p apart.',
    },
    first_pass => {
        seen     => 'The first pass of {title} was {behind} slower than the others.',
        together => 'The first pass of {several} was up to {behind} slower than the others: {titles}.',
        size     => 'behind',
        why    => 'Caches, CPU frequency or a virtual disk had to warm up.',
        advice => 'Measure again right away.',
    },
    trend => {
        seen     => '{title} got {rise} from first to last pass.',
        together => '{several} got faster or slower from first to last pass: {titles}.',
        size     => 'rise',
        why    => 'The machine changed during the run: heat, CPU credits or a disk that fills up do this.',
        advice => 'Let the machine rest and measure again. A change that remains is an effect of load.',
    },
    varied => {
        seen     => '{title} varies by {cv} from pass to pass (coefficient of variation).',
        together => 'Some scores vary by more than 5 % from pass to pass, {title} most: by {cv}.',
        size     => 'cv',
        is_one   => 1,
        why    => 'More than 5 % is unusual on an idle machine; the score is uncertain.',
        advice => 'Look for other load, power saving or busy neighbours, or measure longer (-i, or --max-time).',
    },
    changes => {
        seen   => \&_changes_seen,
        why    => 'The passes before and after it may have different speeds.',
        advice => 'Measure again, without such a change.',
    },
    tracer => {
        seen   => \&_tracer_seen,
        why    => 'A tracer stops a program at system calls, signals or breakpoints, so scores are too low.',
        advice => 'Measure again without a tracer.',
        before => { seen => './Run is traced by {tracer}.' },
    },
    seccomp => {
        is_minor => 1,
        seen   => 'System calls were filtered (seccomp mode {mode}).',
        why    => 'The kernel runs the filter at each system call, so these tests are slower than without it.',
        advice => 'Containers usually have a filter. Compare with results under the same one, or measure outside.',
        before => { seen => 'System calls are filtered (seccomp mode {mode}).' },
    },
    preload => {
        seen   => 'A library was loaded into every measured program: {set}.',
        why    => 'Its code may change the speed of the programs, or their clock.',
        advice => 'Unset the variable, or empty the file, and measure again.',
        before => { seen => 'A library is loaded into every measured program: {set}.' },
    },
    libraries => {
        seen   => 'The measured programs ran with {set}.',
        why    => 'They may have used another C library, or other settings of libraries and tools.',
        advice => 'Unset the variable, or compare only with results that have it, too.',
        before => { seen => 'The measured programs run with {set}.' },
    },
    nice => {
        seen   => 'The tests ran with the nice value {nice}.',
        why    => 'Their share of the CPUs differed from that of usual programs.',
        advice => 'Start ./Run without nice, and measure again.',
        before => { seen => 'The tests would run with the nice value {nice}.' },
    },
    class => {
        seen   => 'The tests ran in the scheduling class {class}.',
        why    => 'The kernel scheduled them differently from usual programs.',
        advice => 'Start ./Run without chrt, in SCHED_OTHER, and measure again.',
        before => { seen => 'The tests would run in the scheduling class {class}.' },
    },
    quota => {
        seen   => 'A control group limits CPU time to that of {cpus} of {of} CPUs.',
        why    => 'With more copies, the scores are those of the quota.',
        advice => 'Raise the quota, or compare only with results under the same quota.',
    },
    governor => {
        seen   => 'The CPU frequency governor is "{governor}".',
        why    => 'It may need a moment to reach the full frequency, so short work looks slower.',
        advice => 'As root: cpupower frequency-set -g performance, and measure again.',
    },
    turbo => {
        is_minor => 1,
        seen   => 'Turbo is on: CPUs may exceed their nominal frequency.',
        why    => 'One copy may run at a higher frequency than many copies.',
        advice => 'Most machines are used like this. Switch it off only to compare runs that must agree closely.',
    },
    scratch => {
        seen   => 'The scratch files are in memory ({file_system}).',
        why    => 'The file tests say nothing about a disk and its file system.',
        advice => 'To measure a disk, set UB_TMPDIR to a directory on it.',
    },
    locale => {
        seen   => 'The tests ran with the language "{lang}", with text in {charmap} instead of UTF-8.',
        why    => 'Such text is sorted and searched faster, so the shell tests are faster than with UTF-8.',
        advice => 'Install en_US.utf8, or compare only with results in the same character set.',
        before => {
            seen => 'The tests would run with the language "{lang}", with text in {charmap} instead of UTF-8.',
        },
    },
    debug_kernel => {
        seen   => 'The kernel was built with debugging options: {debug}.',
        why    => 'They slow down system calls, new processes and files.',
        advice => "Start the distribution's usual kernel, unless you want to measure this one.",
    },
    clock => {
        seen   => 'The clock of the machine was set {set_s} during the run.',
        why    => 'Some dates and times of this result are wrong. Scores are not affected.',
        advice => 'Let a time service set the clock, and measure again if the dates matter.',
    },
    hypervisor => {
        is_minor => 1,
        seen   => 'The machine is virtual ({hypervisor}).',
        why    => 'Other guests of the host are not visible from here. If they take time, a warning names it as steal.',
        advice => 'Measure more than once, at different hours.',
    },
);
#>>>

# The reason and the advice of warnings that other load may explain.
my %BY_LOAD = (
    why    => 'Other load makes passes slower and uneven.',
    advice => 'Stop the other load first.',
);

# Takes a warning, see UnixBench::Warnings::All; returns { seen, why, advice }, each one or more sentences.
sub of {
    my ($warning) = @_;
    my $copies    = defined $warning->{copies} ? counted($warning->{copies}, 'copy', 'copies') . ': ' : q{};
    my $words     = _words($warning, _texts($warning));
    return { %$words, seen => ucfirst $copies . $words->{seen} };
}

# Takes a warning; returns the same before a run, when nothing was measured yet.
sub before {
    my ($warning) = @_;
    my $texts = _texts($warning);
    return _words($warning, { %$texts, %{ $texts->{before} || {} } });
}

# Takes values, and a text that has keys of values in braces, or a function that takes the values; returns the text with
# the values.
sub filled {
    my ($values, $text) = @_;
    return ref $text ? $text->($values) : $text =~ s/[{](\w+)[}]/_value($1, $values)/ger;
}

sub _value {
    my ($key, $values) = @_;
    my $written = $WRITTEN{$key} || \&shown;
    return $written->($values->{$key});
}

sub _words {
    my ($warning, $texts) = @_;
    return { map { $_ => filled($warning, $texts->{$_}) } qw(seen why advice) };
}

# Returns the texts of a warning, as in the table above. What other load may explain shares its reason and its advice.
sub _texts {
    my ($warning) = @_;
    my $kind = $warning->{kind};
    return $WARNING{context1} if $kind eq 'modes' && $warning->{test} eq 'context1';
    my $texts = $WARNING{$kind} || UnixBench::Warnings::Causes::texts($kind);
    return $warning->{is_by_load} ? { %$texts, %BY_LOAD } : $texts;
}

# Takes warnings; returns { seen => [sentence, ...], why, advice } for each group of warnings with the same reason.
sub gathered {
    my (@warnings) = @_;
    my %of_kind;
    push @{ $of_kind{ $_->{kind} } }, $_ for grep { _texts($_)->{is_one} } @warnings;
    my @groups = grouped(map { _gathered($_, delete $of_kind{ $_->{kind} }) } @warnings);
    return map {
        +{ %{ $_->[0] }, seen => [map { $_->{seen} } @$_] }
    } @groups;
}

# Takes a warning and, if it is the first one of those that are one sentence, [all of them]. Returns its texts, or
# nothing for a later one of these.
sub _gathered {
    my ($warning, $alike) = @_;
    return _texts($warning)->{is_one} ? () : of($warning) if !$alike;
    my ($seen, $advice) = _seen_and_advice(@$alike);
    return { %{ of($warning) }, seen => $seen, advice => $advice };
}

# Takes texts, each { seen, why, advice, ... }; returns those with the same reason and advice together, [texts], ....
sub grouped {
    my (@texts) = @_;
    my (%group, @groups);
    for my $text (@texts) {
        my $key = join "\n", map { $_ // q{} } @$text{qw(why advice)};
        push @groups, $group{$key} = [] if !$group{$key};
        push @{ $group{$key} }, $text;
    }
    return @groups;
}

# Takes warnings; returns a text for each kind, for the end of a run: what was seen, over all tests and runs, and what
# to do. Minor warnings are left out, and what other load explains of single tests and passes.
sub merged {
    my (@warnings) = @_;
    my (@kinds, %of_kind);
    for my $warning (grep { !_texts($_)->{is_minor} && !_is_told_by_load($_) } @warnings) {
        push @kinds,                            $warning->{kind} if !$of_kind{ $warning->{kind} };
        push @{ $of_kind{ $warning->{kind} } }, $warning;
    }
    return map { _merged(@{ $of_kind{$_} }) } @kinds;
}

# Returns whether the warning about other load has the cause of this one, and this one is not about the time and the
# precision for which the user has asked.
sub _is_told_by_load {
    my ($warning) = @_;
    return $warning->{is_by_load} && $warning->{kind} !~ /\A(?:overtime|precision)\z/;
}

# Takes warnings of the same kind; returns their text. If other load may explain them, the warning about it has the
# advice.
sub _merged {
    my (@warnings) = @_;
    my ($seen, $advice) = _seen_and_advice(@warnings);
    return $warnings[0]{is_by_load} ? $seen : "$seen $advice";
}

# Takes the same; returns what was seen and the advice: of the largest one, if they do not become one sentence.
sub _seen_and_advice {
    my (@warnings) = @_;
    my $size       = _texts($warnings[0])->{size} // 'size';
    my ($largest)  = sort { abs($b->{$size} // UNKNOWN) <=> abs($a->{$size} // UNKNOWN) } @warnings;
    my $words      = of($largest);
    my ($seen, $advice) = _together($largest, @warnings);
    return ($seen // $words->{seen}, $advice // $words->{advice});
}

# Returns the sentence about warnings of the same kind, the largest one first and then all, if they have one together:
# if they are about disturbances, or about different tests. Disturbances also have their advice together.
sub _together {
    my ($largest, @warnings) = @_;
    my $text = _texts($warnings[0])->{together} // return;
    return $text->(@warnings) if ref $text;
    my ($tests, $titles) = map { [_once_in($_, @warnings)] } qw(test title);
    return @$titles > 1 ? filled({ %$largest, several => @$tests . ' tests', titles => $titles }, $text) : undef;
}

# Takes two modes, see UnixBench::Score::Spread; returns them as a text.
sub modes_text {
    my ($modes) = @_;
    my @modes = map { fixed($_->{rate}) . ' in ' . percent($_->{share}) } @$modes;
    return 'two modes: ' . join(' and ', @modes) . ' of the passes';
}

sub _burst_seen {
    my ($warning) = @_;
    my $when = 'no steal in the first third of the run, up to {worst} of the time later.';
    return of_passes($warning) . ': ' . filled($warning, $when);
}

sub _changes_seen {
    my ($warning) = @_;
    my @changes   = map { shown($_) } @{ $warning->{changes} };
    my $rest      = @changes > CHANGES_MOST ? @changes - CHANGES_MOST : 0;
    return 'Changed during the run: ' . join('; ', @changes[0 .. $#changes - $rest], $rest ? "$rest more" : ()) . q{.};
}

sub _tracer_seen {
    my ($warning) = @_;
    my $copies = 'Copies were traced by {tracer}, in these tests: {titles}.';
    return filled($warning, $warning->{titles} ? $copies : './Run was traced by {tracer}.');
}

sub _precision_seen {
    my ($warning) = @_;
    my ($half_width, $wanted) = @$warning{qw(half_width wanted)};
    my $of     = $warning->{of} ? $warning->{of} . ($warning->{is_index} ? ' index' : q{}) : 'The mean of all scores';
    my $after  = 'precision after ' . counted($warning->{rounds}, 'round', 'rounds');
    my @costly = @{ $warning->{costly} };
    return "$of: $after is unknown (wanted " . plus_minus(percent($wanted)) . ').' if !defined $half_width;
    my ($is, $should) = map { plus_minus($_) } _distinct_texts($half_width, $wanted);
    my $least = ' The least precise ' . (@costly == 1 ? 'test is ' : 'tests are ') . listed(@costly) . q{.};
    my $cost  = @costly ? $least : q{};
    return "$of: $after is $is (wanted $should).$cost";
}

# Takes two fractions of 1 that differ; returns them in percent, with enough digits to show the difference.
sub _distinct_texts {
    my (@parts) = @_;
    my ($digits, @texts) = (2);
    do {
        @texts = map { percent($_, $digits) } @parts;
    } while ($texts[0] eq $texts[1] && $digits++ < DIGITS_MOST);
    return @texts;
}

# Takes a key and warnings; returns its values, each once.
sub _once_in {
    my ($key, @warnings) = @_;
    my %seen;
    return grep { !$seen{$_}++ } map { $_->{$key} } @warnings;
}

1;
