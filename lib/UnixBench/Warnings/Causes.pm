package UnixBench::Warnings::Causes;

# The texts of the causes of disturbances.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format           qw(counted listed percent shown);
use UnixBench::Warnings::Disturbances ();

our @EXPORT_OK = qw(amount cause_title of_passes tag_text);

# The texts of the causes of disturbances:
#   title        the cause in short
#   amount       function that takes the value and returns it as a text
#   seen         the disturbance, in which {worst} is the worst value: a sentence if is_whole, else what follows the
#                number of passes
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
        advice => 'Stop programs that use much memory, or run fewer copies.',
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
        advice => 'Find the process with top, and stop it.',
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
        advice => 'Stop programs that use much memory, and measure again.',
    },
    affinity => {
        is_whole => 1,
        title  => 'CPUs allowed',
        amount => _count_of('CPU', 'CPUs'),
        seen   => 'The tests could use only {worst} of those that are online.',
        why    => 'The scores are those of these CPUs, not of the machine.',
        advice => 'To measure the whole machine, start ./Run without taskset and outside a restricted control group.',
    },
    overlap => {
        title  => 'copies not together',
        amount => \&percent,
        seen   => 'the copies ran together for only {worst} of the time',
        why    => 'A copy that runs alone is faster, so the sum is too high.',
        advice => 'Find the processes that keep some CPUs busy, or make an official run, whose passes are longer.',
    },
);
#>>>

# Takes a warning, see UnixBench::Warnings::All. Returns { seen, why, advice }, or nothing if its kind is not a cause.
sub of {
    my ($warning) = @_;
    my $cause     = $CAUSE{ $warning->{kind} } or return;
    my $seen      = _seen($cause, $warning->{worst});
    $seen = of_passes($warning) . ": $seen." if !$cause->{is_whole};
    return { seen => $seen, why => $cause->{why}, advice => $cause->{advice} };
}

# Takes warnings of the same kind. Returns a sentence about what was seen in all their passes, or nothing if the kind is
# not a cause, or is not about passes.
sub together {
    my (@warnings) = @_;
    my $kind       = $warnings[0]{kind};
    my $cause      = $CAUSE{$kind};
    return if !$cause || $cause->{is_whole};
    my ($passes, $of) = map { _sum_of($_, @warnings) } qw(passes of);
    my $worst = $UnixBench::Warnings::Disturbances::IS_LOW_WORST{$kind} ? \&List::Util::min : \&List::Util::max;
    my $seen  = _seen($cause, $worst->(map { $_->{worst} } @warnings));
    return "$passes of " . counted($of, 'pass', 'passes') . ": $seen.";
}

# Takes a warning about passes. Returns the beginning of its sentence: how many were disturbed, and in which tests.
sub of_passes {
    my ($warning) = @_;
    my ($passes, $badly) = @$warning{qw(passes badly)};
    my $verb     = $passes == 1               ? 'was'                                           : 'were';
    my $how      = $badly                     ? 'disturbed'                                     : 'a little disturbed';
    my $slightly = $badly && $badly < $passes ? ', ' . ($passes - $badly) . ' of them a little' : q{};
    return
          "$passes of "
        . counted($warning->{of}, 'pass', 'passes')
        . " $verb $how$slightly, in "
        . listed(@{ $warning->{titles} });
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

sub _seen {
    my ($cause, $value) = @_;
    my $worst = ($cause->{worst} || $cause->{amount})->($value);
    return $cause->{seen} =~ s/[{]worst[}]/$worst/r;
}

sub _sum_of {
    my ($key, @warnings) = @_;
    return List::Util::sum(map { $_->{$key} } @warnings);
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
