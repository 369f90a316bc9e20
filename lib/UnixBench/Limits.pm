package UnixBench::Limits;

# Whether this system lets as many copies run as were asked for. Pure: numbers in, texts out.

use strict;
use warnings;

use UnixBench::Format qw(counted);

# What a copy needs. Descriptors: the reading end of its standard error, and a second one while it sets itself up,
# which only some do at the same time. Memory: what the smallest program takes with its page tables and stack;
# less can't be enough.
use constant {
    DESCRIPTORS_PER_COPY => 1,
    DESCRIPTORS_OF_RUN   => 110,
    PROCESSES_OF_RUN     => 8,
    MEMORY_KB_PER_COPY   => 1024,
};

# Takes copies, processes_per_copy (default 1), limits (see Host::limits) and is_root (no limit of processes
# holds for root); returns one line for each limit that is too low: what is needed, what it is, how to raise
# it.
sub problems {
    my (%given) = @_;
    my ($copies, $limits) = @given{qw(copies limits)};
    my $processes = $copies * ($given{processes_per_copy} || 1) + PROCESSES_OF_RUN;
    return map { counted($copies, 'copy needs', 'copies need') . " $_" }
        _files($limits, $copies * DESCRIPTORS_PER_COPY + DESCRIPTORS_OF_RUN),
        _processes($limits, $processes, $given{is_root}),
        _group($limits, $processes),
        _memory($limits, $copies * MEMORY_KB_PER_COPY);
}

sub _files {
    my ($limits, $need) = @_;
    return unless _is_above($need, $limits->{open_files});
    my $who = _is_above($need, $limits->{open_files_max}) ? ' as root' : '';
    return "$need open files, but the limit is $limits->{open_files}: raise it by `ulimit -n $need`$who";
}

sub _processes {
    my ($limits, $need, $is_root) = @_;
    return if $is_root || !_is_above($need, $limits->{processes});
    return "$need processes, but the limit is $limits->{processes}: raise it by `ulimit -u $need`";
}

sub _group {
    my ($limits, $need) = @_;
    my $free = $limits->{cgroup_processes};
    return unless _is_above($need, $free);
    return "$need processes, but the control group allows $free more: raise its pids.max "
        . '(containers: --pids-limit, systemd: TasksMax)';
}

sub _memory {
    my ($limits, $need_kb) = @_;
    return unless _is_above($need_kb, $limits->{memory_kb});
    return sprintf 'about %d MB of memory, but %d MB are free: run fewer copies (-c)', $need_kb / 1024,
        $limits->{memory_kb} / 1024;
}

sub _is_above {
    my ($need, $limit) = @_;
    return defined $limit && $need > $limit;
}

1;
