package UnixBench::Remarks::Wording;

# The texts of disturbances and warnings: what was seen, why it matters, what to do.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format          qw(counted fixed listed percent shown);
use UnixBench::Remarks::Disturbances ();

our @EXPORT_OK = qw(ADVICE TRUST WHY amount cause_title gathered merged modes_text tag_text);

# The heading of all warnings, and the labels of the parts of a warning.
use constant {
    TRUST  => 'How far these numbers can be trusted',
    WHY    => 'Why it matters:',
    ADVICE => 'What to do:',
};

use constant DIGITS_MOST => 15;    # of a number

# The texts of the causes of disturbances:
#   title        the cause in short
#   amount       function that takes the value and returns it as a text
#   seen         the disturbance in a sentence in which {worst} is the worst value, or a function that takes the warning
#   worst        function like amount, for {worst} (default: amount)
#   why, advice  why it matters, and what to do
#<<< a table
my %CAUSE = (
    steal => {
        title  => 'steal',
        amount => \&percent,
        seen   => 'the hypervisor kept CPUs waiting for up to {worst} of the time',
        why    => 'The scores are those of the machine as delivered, not of its processor.',
        advice => 'Measure at another hour or on another host. If it stays, it is what this machine delivers.',
    },
    others => {
        title  => 'other processes',
        amount => \&_cpus,
        seen   => 'other processes used up to {worst}',
        why    => 'They shared CPUs, caches and memory with the tests, so scores are too low.',
        advice => 'Find them with top and stop them. A service that must run is part of what you measure.',
    },
    throttled => {
        title  => 'CPU quota',
        amount => _count_of('stop', 'stops'),
        seen   => 'the CPU quota of a control group stopped the copies, with up to {worst} in a pass',
        why    => 'The scores are those of the quota, not of the processor.',
        advice => 'Raise the quota (cpu.max, or --cpus of a container), or run fewer copies.',
    },
    refused => {
        title  => 'refused processes',
        amount => _count_of('refusal', 'refusals'),
        seen   => 'the system refused to start processes, with up to {worst} in a pass',
        why    => 'The tests tried again and lost time, so scores are too low.',
        advice => 'Raise pids.max of the control group and the limit of ulimit -u.',
    },
    thermal => {
        title  => 'heat',
        amount => _count_of('event', 'events'),
        seen   => 'CPUs were slowed down because they were too hot, with up to {worst} in a pass',
        why    => 'Scores depend on how long and how hard the machine worked before.',
        advice => 'Check fans, dust and airflow, or let the machine cool down and measure again.',
    },
    swap => {
        title  => 'swapping',
        amount => _count_of('page a second', 'pages a second'),
        seen   => 'memory was swapped, up to {worst}',
        why    => 'Memory was short, and the tests waited for the disk.',
        advice => 'Stop what fills the memory, or run fewer copies.',
    },
    major_faults => {
        title  => 'major page faults',
        amount => _count_of('fault a second', 'faults a second'),
        seen   => 'parts of programs were read from the disk, up to {worst}',
        why    => 'The tests waited for the disk.',
        advice => 'Measure again: programs stay in memory once they are read, unless memory is short.',
    },
    run_queue => {
        title  => 'waiting processes',
        amount => sub { sprintf '%.0f', $_[0] },
        worst  => _count_of('other process', 'other processes'),
        seen   => 'up to {worst} wanted to run just before',
        why    => 'They probably ran on during the pass and took CPU time from it.',
        advice => 'Find them with top and stop them.',
    },
    pressure_cpu => {
        title  => 'pressure on CPUs',
        amount => \&percent,
        seen   => 'processes waited for a CPU for up to {worst} of the time just before',
        why    => 'They probably took CPU time from the pass, too.',
        advice => 'Find what uses the CPUs with top, and stop it.',
    },
    pressure_io => {
        title  => 'pressure on disks',
        amount => \&percent,
        seen   => 'processes waited for disks for up to {worst} of the time just before',
        why    => 'The file tests, shell scripts and new programs shared the disks with them.',
        advice => 'Find the process with pidstat -d or iotop, and stop it.',
    },
    pressure_memory => {
        title  => 'pressure on memory',
        amount => \&percent,
        seen   => 'processes waited for memory for up to {worst} of the time just before',
        why    => 'Memory was short, and the tests had to wait for it.',
        advice => 'Stop what fills the memory, and measure again.',
    },
    affinity => {
        title  => 'CPUs allowed',
        amount => _count_of('CPU', 'CPUs'),
        seen   => sub { 'The tests could use only ' . amount('affinity', $_[0]{worst}) . ' of those that are online.' },
        why    => 'The scores are those of these CPUs, not of the machine.',
        advice => 'To measure the whole machine, start ./Run without taskset and outside a restricted control group.',
    },
    overlap => {
        title  => 'copies not together',
        amount => \&percent,
        seen   => 'the copies ran together for only {worst} of the time',
        why    => 'A copy that runs alone is faster, so the sum is too high.',
        advice => 'Find what keeps some CPUs busy, or make an official run, whose passes are longer.',
    },
);

# The texts of all other warnings: seen is a function that takes the warning. together is one that takes several of a
# kind, about different tests. A warning that is_minor is left out at the end of a run.
my %WARNING = (
    burst => {
        seen   => \&_burst_seen,
        why    => 'This is typical of instances whose CPU credits run out: the first tests ran on a faster machine.',
        advice => 'For the lasting speed, measure again right away. For the short-term speed, measure after a rest.',
    },
    load => {
        seen   => \&_load_seen,
        why    => 'Other programs took part of the scores.',
        advice => 'Find them with top, and start when the load is near 0.',
    },
    precision => {
        seen   => \&_precision_seen,
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
        why    => 'Caches, CPU frequency or a virtual disk had to warm up.',
        advice => 'Measure again right away.',
    },
    trend => {
        seen     => \&_trend_seen,
        together => sub { _several(@_) . ' got faster or slower from first to last pass: ' . _tests_of(@_) . q{.} },
        why    => 'The machine changed during the run: heat, CPU credits or a disk that fills up do this.',
        advice => 'Let the machine rest and measure again. What stays is its speed under load.',
    },
    varied => {
        seen     => \&_varied_seen,
        together => \&_several_varied_seen,
        why    => 'More than 5 % is unusual on an idle machine; the score is uncertain.',
        advice => 'Look for other load, power saving or busy neighbours, or measure longer (-i, or --max-time).',
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
        why    => 'They got another share of the CPUs than usual programs get.',
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

# Takes a warning, see UnixBench::Remarks::Remarks; returns { seen, why, advice }, each one or more sentences.
sub of {
    my ($remark) = @_;
    my $kind     = $remark->{kind};
    my $entry    = $WARNING{ $kind eq 'modes' && $remark->{test} eq 'context1' ? 'context1' : $kind } || $CAUSE{$kind};
    my $seen     = ref $entry->{seen}        ? $entry->{seen}->($remark) : _cause_seen($remark, $entry);
    my $copies   = defined $remark->{copies} ? counted($remark->{copies}, 'copy', 'copies') . ': ' : q{};
    return { seen => $copies . $seen, why => $entry->{why}, advice => $entry->{advice} };
}

# Takes warnings; returns { seen => [sentence, ...], why, advice } for each group of warnings with the same reason.
sub gathered {
    my (@remarks) = @_;
    my (@groups, %group);
    for my $words (map { of($_) } @remarks) {
        my $key = $words->{why};
        push @groups, $group{$key} = { %$words, seen => [] } if !$group{$key};
        push @{ $group{$key}{seen} }, $words->{seen};
    }
    return @groups;
}

# Takes warnings; returns a text for each kind, for the end of a run: what was seen, over all tests and runs, and what
# to do. Minor warnings are left out.
sub merged {
    my (@remarks) = @_;
    my (@kinds, %of_kind);
    for my $remark (grep { !($WARNING{ $_->{kind} } || {})->{is_minor} } @remarks) {
        push @kinds,                           $remark->{kind} if !$of_kind{ $remark->{kind} };
        push @{ $of_kind{ $remark->{kind} } }, $remark;
    }
    return map { _merged($_, @{ $of_kind{$_} }) } @kinds;
}

sub _merged {
    my ($kind, @remarks) = @_;
    my $words = of($remarks[0]);
    return _together($kind, @remarks) . " $words->{advice}" if $CAUSE{$kind} && !ref $CAUSE{$kind}{seen};
    my %titles   = map { ($_->{title} // q{}) => 1 } @remarks;
    my $together = ($WARNING{$kind} || {})->{together};
    my $seen     = $together && keys %titles > 1 ? $together->(@remarks) : $words->{seen};
    return "$seen $words->{advice}";
}

# Returns a sentence about a cause that disturbed passes of several runs.
sub _together {
    my ($kind, @remarks) = @_;
    my ($passes, $of)    = map { _sum_of($_, @remarks) } qw(passes of);
    my $worst = $UnixBench::Remarks::Disturbances::IS_LOW_WORST{$kind} ? \&List::Util::min : \&List::Util::max;
    my $seen  = _with_worst($CAUSE{$kind}, $worst->(map { $_->{worst} } @remarks));
    return "$passes of " . counted($of, 'pass', 'passes') . ": $seen.";
}

sub _sum_of {
    my ($key, @remarks) = @_;
    return List::Util::sum(map { $_->{$key} } @remarks);
}

# Takes a disturbance of a pass, see Base/README.md; returns it as a text.
sub tag_text {
    my ($tag) = @_;
    my $text = cause_title($tag->{cause}) . ': ' . amount($tag->{cause}, $tag->{value});
    return $tag->{level} eq 'note' ? "$text (a little)" : $text;
}

# Takes the cause of a disturbance; returns its title.
sub cause_title {
    my ($cause) = @_;
    return $CAUSE{$cause} ? $CAUSE{$cause}{title} : shown($cause);
}

# Takes the cause of a disturbance and its value; returns the value with its unit.
sub amount {
    my ($cause, $value) = @_;
    return $CAUSE{$cause} ? $CAUSE{$cause}{amount}->($value) : $value;
}

# Takes two modes, see UnixBench::Score::Spread; returns them as a text.
sub modes_text {
    my ($modes) = @_;
    my @modes = map { fixed($_->{rate}) . ' in ' . percent($_->{share}) } @$modes;
    return 'two modes: ' . join(' and ', @modes) . ' of the passes';
}

sub _cause_seen {
    my ($remark, $cause) = @_;
    return _of_passes($remark) . q{: } . _with_worst($cause, $remark->{worst}) . q{.};
}

sub _with_worst {
    my ($cause, $value) = @_;
    my $worst = ($cause->{worst} || $cause->{amount})->($value);
    return $cause->{seen} =~ s/[{]worst[}]/$worst/r;
}

# Returns the beginning of a sentence: how many passes were disturbed, and in which tests.
sub _of_passes {
    my ($remark) = @_;
    my ($passes, $badly) = @$remark{qw(passes badly)};
    my $verb     = $passes == 1               ? 'was'                                           : 'were';
    my $how      = $badly                     ? 'disturbed'                                     : 'a little disturbed';
    my $slightly = $badly && $badly < $passes ? ', ' . ($passes - $badly) . ' of them a little' : q{};
    return
          "$passes of "
        . counted($remark->{of}, 'pass', 'passes')
        . " $verb $how$slightly, in "
        . listed(@{ $remark->{titles} });
}

sub _burst_seen {
    my ($remark) = @_;
    my $worst = percent($remark->{worst});
    return _of_passes($remark) . ": no steal in the first third of the run, up to $worst of the time later.";
}

sub _clock_seen {
    my ($remark) = @_;
    my $set_s = $remark->{set_s};
    return sprintf 'The clock of the machine was set %s by %.0f s during the run.', $set_s < 0 ? 'back' : 'forward',
        abs $set_s;
}

sub _load_seen {
    my ($remark) = @_;
    my @seen;
    push @seen, sprintf 'the load average of the last minute was %.2f', $remark->{load} if defined $remark->{load};
    push @seen, map { 'the first pass shows ' . cause_title($_) } @{ $remark->{causes} };
    return 'The machine was not idle at the start: ' . listed(@seen) . q{.};
}

sub _precision_seen {
    my ($remark) = @_;
    my ($half_width, $wanted) = @$remark{qw(half_width wanted)};
    my $of     = $remark->{of} ? $remark->{of} . ($remark->{is_index} ? ' index' : q{}) : 'The mean of all scores';
    my $after  = 'precision after ' . counted($remark->{rounds}, 'round', 'rounds');
    my @costly = @{ $remark->{costly} };
    return "$of: $after is unknown (wanted +-" . percent($wanted) . ').' if !defined $half_width;
    my ($is, $should) = _told_apart($half_width, $wanted);
    my $least = ' The least precise ' . (@costly == 1 ? 'test is ' : 'tests are ') . listed(@costly) . q{.};
    my $cost  = @costly ? $least : q{};
    return "$of: $after is +-$is (wanted +-$should).$cost";
}

# Takes two fractions of 1 that differ; returns them in percent, with enough digits to show the difference.
sub _told_apart {
    my (@parts) = @_;
    my ($digits, @texts) = (2);
    do {
        @texts = map { percent($_, $digits) } @parts;
    } while ($texts[0] eq $texts[1] && $digits++ < DIGITS_MOST);
    return @texts;
}

sub _modes_seen {
    my ($remark) = @_;
    return "$remark->{title} has " . modes_text($remark->{modes}) . q{.};
}

sub _trend_seen {
    my ($remark) = @_;
    my $change = percent(abs $remark->{rise}) . ($remark->{rise} < 0 ? ' slower' : ' faster');
    return "$remark->{title} got $change from first to last pass.";
}

sub _varied_seen {
    my ($remark) = @_;
    return "$remark->{title} varies by " . percent($remark->{cv}) . ' from pass to pass (coefficient of variation).';
}

sub _several_varied_seen {
    my (@remarks) = @_;
    my $most = List::Util::max(map { $_->{cv} } @remarks);
    return
          _several(@remarks)
        . ' vary by up to '
        . percent($most)
        . ' from pass to pass: '
        . _tests_of(@remarks) . q{.};
}

sub _first_passes_seen {
    my (@remarks) = @_;
    my $most = List::Util::max(map { $_->{behind} } @remarks);
    return
          'The first pass of '
        . lcfirst(_several(@remarks))
        . ' was up to '
        . percent($most)
        . ' slower than the '
        . 'others: '
        . _tests_of(@remarks) . q{.};
}

sub _once {
    my (@texts) = @_;
    my %seen;
    return grep { !$seen{$_}++ } @texts;
}

# Returns how many tests warnings are about.
sub _several {
    my (@remarks) = @_;
    my @tests = _once(map { $_->{test} } @remarks);
    return @tests . ' tests';
}

sub _tests_of {
    my (@remarks) = @_;
    return listed(_once(map { $_->{title} } @remarks));
}

sub _quota_seen {
    my ($remark) = @_;
    return sprintf 'A control group limits CPU time to that of %.2f CPUs, of %d.', @$remark{qw(cpus of)};
}

sub _locale_seen {
    my ($remark) = @_;
    my ($lang, $charmap) = map { shown($_) } @$remark{qw(lang charmap)};
    return "The tests ran with the language \"$lang\", with text in $charmap instead of UTF-8.";
}

sub _set {
    my ($remark) = @_;
    return listed(map { "$_->[0] (" . shown($_->[1]) . ')' } @{ $remark->{set} });
}

sub _options {
    my ($options) = @_;
    return listed(map { shown($_) } @$options);
}

sub _cpus {
    my ($cpus) = @_;
    return sprintf '%.2f CPUs', $cpus;
}

# Takes the singular and the plural of a noun. Returns a function that takes a number, which may have a fraction, and
# returns it with the noun.
sub _count_of {
    my ($one, $several) = @_;
    return sub {
        my ($number) = @_;
        counted(sprintf($number < 10 && $number != int $number ? '%.1f' : '%.0f', $number), $one, $several);
    };
}

1;
