package UnixBench::Remarks::Wording;

# The texts of disturbances and warnings: what was seen, why it matters, what to do.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format qw(counted fixed listed percent shown);

our @EXPORT_OK = qw(ADVICE TRUST WHY amount cause_title gathered modes_text tag_text);

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
        title  => 'stolen time',
        amount => \&percent,
        seen   => 'the hypervisor kept CPUs waiting for up to {worst} of the time',
        why    => 'That time went to other guests of the host, or was more than the host lets this machine use. The '
            . 'scores are those of the machine as delivered, not of its processor.',
        advice => 'Measure at another hour or on another host. If it stays, it is what this machine delivers.',
    },
    others => {
        title  => 'other processes',
        amount => \&_cpus,
        seen   => 'other processes used up to {worst}',
        why    => 'The copies shared CPUs, caches and memory with them, so scores are too low.',
        advice => 'Find them with top, stop them and measure again. Services that cannot be stopped belong to what is '
            . 'measured.',
    },
    throttled => {
        title  => 'quota of CPU time',
        amount => _count_of('stop', 'stops'),
        seen   => 'the quota of a control group held the copies up, with up to {worst} in a pass',
        why    => 'The scores are those of the quota, not of the processor.',
        advice => 'Raise the quota (cpu.max of the control group, --cpus of a container), or run fewer copies, if the '
            . 'processor is to be measured.',
    },
    refused => {
        title  => 'refused processes',
        amount => _count_of('refusal', 'refusals'),
        seen   => 'the system refused to start processes, with up to {worst} in a pass',
        why    => 'The tests tried again and lost time, so scores are too low.',
        advice => 'Raise pids.max of the control group and the limit of ulimit -u, and measure again.',
    },
    thermal => {
        title  => 'heat',
        amount => _count_of('event', 'events'),
        seen   => 'CPUs slowed down as they got too hot, with up to {worst} in a pass',
        why    => 'Scores depend on how long and how hard the machine has worked before.',
        advice => 'Look after fans, dust and airflow, or let it cool down and measure again.',
    },
    swap => {
        title  => 'swapping',
        amount => _count_of('page a second', 'pages a second'),
        seen   => 'memory went to or came from swap space, up to {worst}',
        why    => 'Memory was short: waiting for the disk counts as work of the tests.',
        advice => 'Stop what fills the memory, or run fewer copies, and measure again.',
    },
    major_faults => {
        title  => 'major page faults',
        amount => _count_of('fault a second', 'faults a second'),
        seen   => 'parts of programs had to be read from the disk first, up to {worst}',
        why    => 'Waiting for the disk counts as work of the tests.',
        advice => 'Measure again: what was read once stays in memory, unless that is short.',
    },
    run_queue => {
        title  => 'waiting processes',
        amount => sub { sprintf '%.0f', $_[0] },
        worst  => _count_of('other process', 'other processes'),
        seen   => 'right before, up to {worst} wanted to run',
        why    => 'They probably went on in the pass, and took CPU time from it.',
        advice => 'Find them with top, stop them and measure again.',
    },
    pressure_cpu => {
        title  => 'pressure on CPUs',
        amount => \&percent,
        seen   => 'right before, others waited for a CPU for up to {worst} of the time',
        why    => 'What keeps the CPUs that busy probably went on in the pass.',
        advice => 'Find it with top, stop it and measure again.',
    },
    pressure_io => {
        title  => 'pressure on disks',
        amount => \&percent,
        seen   => 'right before, others waited for disks for up to {worst} of the time',
        why    => 'The tests of files, shell scripts and new programs shared the disks with them.',
        advice => 'Find who reads and writes with pidstat -d or iotop, stop it and measure again.',
    },
    pressure_memory => {
        title  => 'pressure on memory',
        amount => \&percent,
        seen   => 'right before, others waited for memory for up to {worst} of the time',
        why    => 'Memory was short, and getting some took time from the tests.',
        advice => 'Stop what fills the memory and measure again.',
    },
    affinity => {
        title  => 'CPUs allowed',
        amount => _count_of('CPU', 'CPUs'),
        seen   => sub { 'The tests could use only ' . amount('affinity', $_[0]{worst}) . ' of those online.' },
        why    => 'The scores are those of these CPUs, not of the machine.',
        advice => 'Start it without taskset, and outside of a restricted control group, to measure the whole machine.',
    },
    overlap => {
        title  => 'copies not together',
        amount => \&percent,
        seen   => 'all copies ran together for no more than {worst} of the time',
        why    => 'Copies that ran alone for a while were faster than all of them at once, so the sum is too high.',
        advice => 'Look for what keeps some CPUs busy, and measure again; an official run has longer passes.',
    },
);

# What is said of the other remarks.
my %REMARK = (
    burst => {
        seen   => \&_burst_seen,
        why    => 'So it looks on instances with credits for CPU time, once these are used up: the first tests ran on '
            . 'a faster machine than the last, and the scores are of neither.',
        advice => 'For the speed that lasts, measure again right away; for the short one, after a long rest; or '
            . 'choose an instance without credits.',
    },
    load => {
        seen   => \&_load_seen,
        why    => 'Who shares the machine with the tests takes part of their scores.',
        advice => 'Look with top for what is running, and begin when the load is near 0.',
    },
    precision => {
        seen   => \&_precision_seen,
        why    => 'A difference that is smaller than that cannot be told from chance.',
        advice => 'Allow more time (--max-time), find out what disturbs it, or ask for less (--precision).',
    },
    modes => {
        seen   => \&_modes_seen,
        why    => 'The machine works in either of two ways from pass to pass: a score in between says how often, not '
            . 'how fast.',
        advice => 'Quote both rates. Compare with other machines mode by mode.',
    },
    context1 => {
        seen   => \&_modes_seen,
        why    => 'The scheduler puts the two processes on one CPU or on two: a score in between says how often, not '
            . 'how fast.',
        advice => 'Measure each by itself: pgms/context1 10 -p same, and pgms/context1 10 -p apart.',
    },
    first_pass => {
        seen   => sub { "The first pass of $_[0]{title} was " . percent($_[0]{behind}) . ' slower than the others.' },
        why    => 'Something had to warm up: caches, the frequency of the CPUs, a virtual disk. It is no part of the '
            . 'speed that lasts.',
        advice => 'Measure once more right away, and see whether it is gone.',
    },
    trend => {
        seen   => \&_trend_seen,
        why    => 'The machine changed while it was measured, so score and interval are of no one state of it. Heat, '
            . 'credits for CPU time and a disk that fills up do this.',
        advice => 'Let the machine rest and measure again; what stays is how it is under load.',
    },
    varied => {
        seen   => \&_varied_seen,
        why    => 'More than 5 % is much for a machine that does nothing else, and makes the score unsure.',
        advice => 'Look for other load, for power saving and for neighbours on the same host; measure longer (-i, with '
            . '--quick --max-time).',
    },
    preload => {
        seen   => sub { 'A library was loaded into every measured program: ' . _set($_[0]) . q{.} },
        why    => 'Its code runs inside the programs and may change their speed, or the time that they are told.',
        advice => 'Unset the variable, or empty the file, and measure again.',
    },
    libraries => {
        seen   => sub { 'The measured programs ran with ' . _set($_[0]) . q{.} },
        why    => 'They may have used another C library, or other settings of it, than the usual ones.',
        advice => 'Unset the variable, or compare only with results that have it, too.',
    },
    nice => {
        seen   => sub { "The tests ran with the nice value $_[0]{nice}." },
        why    => 'Beside other processes they got another share of the CPUs than usual programs get.',
        advice => 'Start Run without nice, and measure again.',
    },
    class => {
        seen   => sub { 'The tests ran in the scheduling class ' . shown($_[0]{class}) . q{.} },
        why    => 'The kernel scheduled them in another way than usual programs, so scores are not comparable.',
        advice => 'Start Run without chrt, in SCHED_OTHER, and measure again.',
    },
    quota => {
        seen   => \&_quota_seen,
        why    => 'With more copies than that, the scores are those of the quota.',
        advice => 'Compare with results under the same quota only, or raise it.',
    },
    governor => {
        seen   => sub { 'The frequency of the CPUs is governed by "' . shown($_[0]{governor}) . '".' },
        why    => 'It may take a moment to reach the full frequency, so short work looks slower.',
        advice => 'Where that matters: cpupower frequency-set -g performance, as root, and measure again.',
    },
    turbo => {
        seen   => sub { 'CPUs may go beyond their nominal frequency (turbo is on).' },
        why    => 'How far they go depends on heat, power and how many work: one copy may be faster than one of many.',
        advice => 'That is how most machines are used. Switch it off only to compare runs that have to agree closely.',
    },
    scratch => {
        seen   => sub { 'The scratch files are in memory (' . shown($_[0]{file_system}) . ').' },
        why    => 'The tests of file copying tell nothing about a disk and its file system.',
        advice => 'Set UB_TMPDIR to a directory on the disk in question, if that is to be measured.',
    },
    locale => {
        seen   => \&_locale_seen,
        why    => 'Sorting and searching such text is simpler, so the shell tests are faster than with UTF-8.',
        advice => 'Install en_US.utf8, or compare only with results of the same character set.',
    },
    debug_kernel => {
        seen   => sub { 'The kernel was built with checks for its developers: ' . _options($_[0]{options}) . q{.} },
        why    => 'They slow down system calls, the start of processes, and files.',
        advice => 'Start the usual kernel of the distribution, unless it is this one that is measured.',
    },
    clock => {
        seen   => \&_clock_seen,
        why    => 'Some dates and times of this result are wrong. Scores are not affected: their clock is never set.',
        advice => 'Set the clock, or wait until a time service has set it, and measure again if the dates matter.',
    },
    hypervisor => {
        seen   => sub { 'The machine is virtual (' . shown($_[0]{hypervisor}) . ').' },
        why    => 'What else runs on the host is not seen from here, and may change from hour to hour.',
        advice => 'Measure more than once, at different hours, before calling it slow or fast.',
    },
);
#>>>

# Takes a warning, see UnixBench::Remarks::Remarks; returns { seen, why, advice }, each one or more sentences.
sub of {
    my ($remark) = @_;
    my $kind     = $remark->{kind};
    my $entry    = $REMARK{ $kind eq 'modes' && $remark->{test} eq 'context1' ? 'context1' : $kind } || $CAUSE{$kind};
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
    my $worst = ($cause->{worst} || $cause->{amount})->($remark->{worst});
    my $how   = $cause->{seen} =~ s/[{]worst[}]/$worst/r;
    return _of_passes($remark) . ": $how.";
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
    my $worst    = percent($remark->{worst});
    my $how      = "nothing was taken in the first third of the run, and up to $worst of the time later on";
    return _of_passes($remark) . ": the hypervisor kept CPUs waiting; $how.";
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
    return 'The machine was not idle when it began: ' . listed(@seen) . q{.};
}

sub _precision_seen {
    my ($remark) = @_;
    my ($half_width, $wanted) = @$remark{qw(half_width wanted)};
    my $of     = $remark->{of} ? $remark->{of} . ($remark->{is_index} ? ' index' : q{}) : 'The mean of all scores';
    my $after  = 'after ' . counted($remark->{rounds}, 'round', 'rounds');
    my @costly = @{ $remark->{costly} };
    return "$of is not known to any precision $after; " . percent($wanted) . ' was wanted.' if !defined $half_width;
    my ($is, $should) = _told_apart($half_width, $wanted);
    my $cost = @costly ? ' Most of that comes from ' . listed(@costly) . q{.} : q{};
    return "$of is known to $is $after, not to the $should that were wanted.$cost";
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

sub _quota_seen {
    my ($remark) = @_;
    return sprintf 'A control group allows the time of %.2f CPUs, of %d.', @$remark{qw(cpus of)};
}

sub _locale_seen {
    my ($remark) = @_;
    my ($lang, $charmap) = map { shown($_) } @$remark{qw(lang charmap)};
    return "The language of the tests was \"$lang\", with text in $charmap, not in UTF-8.";
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
