package UnixBench::Warnings::Wording;

# The texts of warnings: what was seen, why it matters, what to do.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format     qw(counted fixed listed percent plus_minus shown);
use UnixBench::Warnings::Causes qw(cause_title of_passes);

our @EXPORT_OK = qw(ADVICE TRUST WHY gathered merged modes_text);

# The heading of all warnings, and the labels of the parts of a warning.
use constant {
    TRUST  => 'How far these numbers can be trusted',
    WHY    => 'Why it matters:',
    ADVICE => 'What to do:',
};

use constant DIGITS_MOST => 15;    # of a number

# The texts of all warnings except those of the causes of disturbances:
#   seen         function that takes the warning and returns what was seen
#   together     function that takes several of this kind, about different tests, and returns one sentence
#   size         function that takes the warning and returns a number, which is larger for a worse warning
#   is_minor     whether the warning is left out at the end of a run
#   why, advice  why it matters, and what to do
#<<< a table
my %WARNING = (
    burst => {
        seen   => \&_burst_seen,
        size   => sub { $_[0]{worst} },
        why    => 'This is typical of instances whose CPU credits run out: the first tests ran on a faster machine.',
        advice => 'For the lasting speed, measure again right away. For the short-term speed, measure after a rest.',
    },
    load => {
        seen   => \&_load_seen,
        why    => 'Other programs used CPU time, so scores are too low.',
        advice => 'Find them with top, and start when the load is near 0.',
    },
    overtime => {
        seen   => \&_overtime_seen,
        size   => sub { $_[0]{took_s} },
        why    => 'Passes took longer than planned. A quick run has at least three rounds, for its interval.',
        advice => 'Stop other load, or allow more time.',
    },
    precision => {
        seen   => \&_precision_seen,
        size   => sub { $_[0]{half_width} // 9**9**9 },
        why    => 'A smaller difference between two runs may be chance.',
        advice => 'Allow more time (--max-time), or accept less precision (--precision).',
    },
    modes => {
        seen     => \&_modes_seen,
        together => sub { _several(@_) . ' have two modes: ' . _tests_of(@_) . q{.} },
        why    => 'The machine works in one of two ways in each pass; the score only says how often.',
        advice => 'Quote both rates, and compare machines mode by mode.',
    },
    context1 => {
        seen   => \&_modes_seen,
        why    => 'The scheduler puts the two processes on one CPU or on two; the score only says how often.',
        advice => 'Measure each mode: pgms/context1 10 -p same, and pgms/context1 10 -p apart.',
    },
    first_pass => {
        seen     => sub { "The first pass of $_[0]{title} was " . percent($_[0]{behind}) . ' slower than the others.' },
        together => \&_first_passes_seen,
        size     => sub { $_[0]{behind} },
        why    => 'Caches, CPU frequency or a virtual disk had to warm up.',
        advice => 'Measure again right away.',
    },
    trend => {
        seen     => \&_trend_seen,
        together => sub { _several(@_) . ' got faster or slower from first to last pass: ' . _tests_of(@_) . q{.} },
        size     => sub { abs $_[0]{rise} },
        why    => 'The machine changed during the run: heat, CPU credits or a disk that fills up do this.',
        advice => 'Let the machine rest and measure again. A change that remains is an effect of load.',
    },
    varied => {
        seen     => \&_varied_seen,
        together => \&_several_varied_seen,
        size     => sub { $_[0]{cv} },
        why    => 'More than 5 % is unusual on an idle machine; the score is uncertain.',
        advice => 'Look for other load, power saving or busy neighbours, or measure longer (-i, or --max-time).',
    },
    tracer => {
        seen   => \&_tracer_seen,
        why    => 'A tracer stops a program at system calls, signals or breakpoints, so scores are too low.',
        advice => 'Measure again without a tracer.',
    },
    seccomp => {
        is_minor => 1,
        seen   => \&_seccomp_seen,
        why    => 'The kernel runs the filter at each system call, so these tests are slower than without it.',
        advice => 'Containers usually have a filter. Compare with results under the same one, or measure outside.',
    },
    preload => {
        seen   => sub { 'A library was loaded into every measured program: ' . _set($_[0]) . q{.} },
        why    => 'Its code may change the speed of the programs, or their clock.',
        advice => 'Unset the variable, or empty the file, and measure again.',
    },
    libraries => {
        seen   => sub { 'The measured programs ran with ' . _set($_[0]) . q{.} },
        why    => 'They may have used another C library, or other settings of it.',
        advice => 'Unset the variable, or compare only with results that have it, too.',
    },
    nice => {
        seen   => sub { "The tests ran with the nice value $_[0]{nice}." },
        why    => 'Their share of the CPUs differed from that of usual programs.',
        advice => 'Start ./Run without nice, and measure again.',
    },
    class => {
        seen   => sub { 'The tests ran in the scheduling class ' . shown($_[0]{class}) . q{.} },
        why    => 'The kernel scheduled them differently from usual programs.',
        advice => 'Start ./Run without chrt, in SCHED_OTHER, and measure again.',
    },
    quota => {
        seen   => \&_quota_seen,
        why    => 'With more copies, the scores are those of the quota.',
        advice => 'Raise the quota, or compare only with results under the same quota.',
    },
    governor => {
        seen   => sub { 'The CPU frequency governor is "' . shown($_[0]{governor}) . '".' },
        why    => 'It may need a moment to reach the full frequency, so short work looks slower.',
        advice => 'As root: cpupower frequency-set -g performance, and measure again.',
    },
    turbo => {
        is_minor => 1,
        seen   => sub { 'Turbo is on: CPUs may exceed their nominal frequency.' },
        why    => 'One copy may run at a higher frequency than many copies.',
        advice => 'Most machines are used like this. Switch it off only to compare runs that must agree closely.',
    },
    scratch => {
        seen   => sub { 'The scratch files are in memory (' . shown($_[0]{file_system}) . ').' },
        why    => 'The file tests say nothing about a disk and its file system.',
        advice => 'To measure a disk, set UB_TMPDIR to a directory on it.',
    },
    locale => {
        seen   => \&_locale_seen,
        why    => 'Such text is sorted and searched faster, so the shell tests are faster than with UTF-8.',
        advice => 'Install en_US.utf8, or compare only with results in the same character set.',
    },
    debug_kernel => {
        seen   => sub { 'The kernel was built with debugging options: ' . _options($_[0]{options}) . q{.} },
        why    => 'They slow down system calls, new processes and files.',
        advice => "Start the distribution's usual kernel, unless you want to measure this one.",
    },
    clock => {
        seen   => \&_clock_seen,
        why    => 'Some dates and times of this result are wrong. Scores are not affected.',
        advice => 'Let a time service set the clock, and measure again if the dates matter.',
    },
    hypervisor => {
        is_minor => 1,
        seen   => sub { 'The machine is virtual (' . shown($_[0]{hypervisor}) . ').' },
        why    => 'Other guests of the host are not visible from here, and their load changes.',
        advice => 'Measure more than once, at different hours.',
    },
);
#>>>

# Takes a warning, see UnixBench::Warnings::All; returns { seen, why, advice }, each one or more sentences.
sub of {
    my ($warning) = @_;
    my $kind      = $warning->{kind};
    my $entry     = $WARNING{ $kind eq 'modes' && $warning->{test} eq 'context1' ? 'context1' : $kind };
    my %words = $entry ? (%$entry, seen => $entry->{seen}->($warning)) : %{ UnixBench::Warnings::Causes::of($warning) };
    my $copies = defined $warning->{copies} ? counted($warning->{copies}, 'copy', 'copies') . ': ' : q{};
    return { seen => $copies . $words{seen}, why => $words{why}, advice => $words{advice} };
}

# Takes warnings; returns { seen => [sentence, ...], why, advice } for each group of warnings with the same reason.
sub gathered {
    my (@warnings) = @_;
    my (@groups, %group);
    for my $words (map { of($_) } @warnings) {
        my $key = $words->{why};
        push @groups, $group{$key} = { %$words, seen => [] } if !$group{$key};
        push @{ $group{$key}{seen} }, $words->{seen};
    }
    return @groups;
}

# Takes warnings; returns a text for each kind, for the end of a run: what was seen, over all tests and runs, and what
# to do. Minor warnings are left out.
sub merged {
    my (@warnings) = @_;
    my (@kinds, %of_kind);
    for my $warning (grep { !($WARNING{ $_->{kind} } || {})->{is_minor} } @warnings) {
        push @kinds,                            $warning->{kind} if !$of_kind{ $warning->{kind} };
        push @{ $of_kind{ $warning->{kind} } }, $warning;
    }
    return map { _merged(@{ $of_kind{$_} }) } @kinds;
}

# Takes warnings of the same kind; returns their text, which has the largest one if they do not become one sentence.
sub _merged {
    my (@warnings) = @_;
    my $entry      = $WARNING{ $warnings[0]{kind} } || {};
    my $size       = $entry->{size}                 || sub { 0 };
    my ($largest)  = sort { $size->($b) <=> $size->($a) } @warnings;
    my %titles     = map { ($_->{title} // q{}) => 1 } @warnings;
    my $together   = keys %titles > 1 && $entry->{together} || \&UnixBench::Warnings::Causes::together;
    my $words      = of($largest);
    return ($together->(@warnings) // $words->{seen}) . " $words->{advice}";
}

# Takes two modes, see UnixBench::Score::Spread; returns them as a text.
sub modes_text {
    my ($modes) = @_;
    my @modes = map { fixed($_->{rate}) . ' in ' . percent($_->{share}) } @$modes;
    return 'two modes: ' . join(' and ', @modes) . ' of the passes';
}

sub _burst_seen {
    my ($warning) = @_;
    my $worst = percent($warning->{worst});
    return of_passes($warning) . ": no steal in the first third of the run, up to $worst of the time later.";
}

sub _clock_seen {
    my ($warning) = @_;
    my $set_s = $warning->{set_s};
    return sprintf 'The clock of the machine was set %s by %.0f s during the run.', $set_s < 0 ? 'back' : 'forward',
        abs $set_s;
}

sub _load_seen {
    my ($warning) = @_;
    my @seen;
    push @seen, sprintf 'the load average of the last minute was %.2f', $warning->{load} if defined $warning->{load};
    push @seen, map { 'the first pass shows ' . cause_title($_) } @{ $warning->{causes} };
    return 'The machine was not idle at the start: ' . listed(@seen) . q{.};
}

sub _overtime_seen {
    my ($warning) = @_;
    my @seconds = @$warning{qw(took_s limit_s)};
    return sprintf 'Three rounds took %.0f s; the time limit was %.0f s (--max-time).', @seconds;
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

sub _modes_seen {
    my ($warning) = @_;
    return "$warning->{title} has " . modes_text($warning->{modes}) . q{.};
}

sub _trend_seen {
    my ($warning) = @_;
    my $change = percent(abs $warning->{rise}) . ($warning->{rise} < 0 ? ' slower' : ' faster');
    return "$warning->{title} got $change from first to last pass.";
}

sub _varied_seen {
    my ($warning) = @_;
    return "$warning->{title} varies by " . percent($warning->{cv}) . ' from pass to pass (coefficient of variation).';
}

sub _several_varied_seen {
    my (@warnings) = @_;
    my $most = List::Util::max(map { $_->{cv} } @warnings);
    return
          _several(@warnings)
        . ' vary by up to '
        . percent($most)
        . ' from pass to pass: '
        . _tests_of(@warnings) . q{.};
}

sub _first_passes_seen {
    my (@warnings) = @_;
    my $most = List::Util::max(map { $_->{behind} } @warnings);
    return
          'The first pass of '
        . lcfirst(_several(@warnings))
        . ' was up to '
        . percent($most)
        . ' slower than the '
        . 'others: '
        . _tests_of(@warnings) . q{.};
}

sub _once {
    my (@texts) = @_;
    my %seen;
    return grep { !$seen{$_}++ } @texts;
}

# Returns how many tests warnings are about.
sub _several {
    my (@warnings) = @_;
    my @tests = _once(map { $_->{test} } @warnings);
    return @tests . ' tests';
}

sub _tests_of {
    my (@warnings) = @_;
    return listed(_once(map { $_->{title} } @warnings));
}

sub _quota_seen {
    my ($warning) = @_;
    return sprintf 'A control group limits CPU time to that of %.2f of %d CPUs.', @$warning{qw(cpus of)};
}

sub _tracer_seen {
    my ($warning) = @_;
    my $tracer = shown($warning->{tracer});
    return "./Run was traced by $tracer." if !$warning->{titles};
    return "Copies were traced by $tracer, in these tests: " . listed(@{ $warning->{titles} }) . q{.};
}

sub _seccomp_seen {
    my ($warning) = @_;
    my $filters = defined $warning->{filters} ? ', ' . counted($warning->{filters}, 'filter', 'filters') : q{};
    return 'System calls were filtered (seccomp mode ' . shown($warning->{mode}) . "$filters).";
}

sub _locale_seen {
    my ($warning) = @_;
    my ($lang, $charmap) = map { shown($_) } @$warning{qw(lang charmap)};
    return "The tests ran with the language \"$lang\", with text in $charmap instead of UTF-8.";
}

sub _set {
    my ($warning) = @_;
    return listed(map { "$_->[0] (" . shown($_->[1]) . ')' } @{ $warning->{set} });
}

sub _options {
    my ($options) = @_;
    return listed(map { shown($_) } @$options);
}

1;
