package UnixBench::Host::CgroupLimits;

# What the control groups leave of the machine, in both versions: the tightest of this process's groups counts.

use strict;
use warnings;

use List::Util ();

use UnixBench::Host::Cgroup;

# Makes one. files: a Host::Values.
sub new {
    my ($class, %given) = @_;
    my $files = $given{files};
    return bless { files => $files, cgroup => UnixBench::Host::Cgroup->new(read => sub { $files->text(@_) }) }, $class;
}

# Takes memory and swap of the machine in KB, as far as they are known; returns { cpuset (a list such as "0-3"),
# memory_kb, swap_kb, processes }, each undef where there is no limit, none below what the machine has, or none known.
sub facts {
    my ($self, $memory_kb, $swap_kb) = @_;
    return {
        cpuset    => scalar $self->_cpuset,
        memory_kb => scalar _below($memory_kb, $self->_memory_kb),
        swap_kb   => scalar _below($swap_kb,   $self->_swap_kb),
        processes => scalar $self->_processes,
    };
}

# A group's CPUs are also its parent's: the own group's are the fewest.
sub _cpuset {
    my ($self) = @_;
    my @groups = (
        $self->{cgroup}->values_v1('cpuset', 'cpuset.effective_cpus', 'cpuset.cpus'),
        $self->{cgroup}->values_v2('cpuset.cpus.effective'),
    );
    my ($list) = map { /\A\s*(\d[\d,-]*)\s*\z/ } grep { defined } map { @$_ } @groups;
    return if !defined $list;
    my %is_in    = map  { $_ => 1 } $self->{files}->ids_of($list);
    my @left_out = grep { !$is_in{$_} } $self->{files}->ids('/sys/devices/system/cpu/online');
    return @left_out ? $list : undef;
}

sub _memory_kb {
    my ($self) = @_;
    my @groups = (
        $self->{cgroup}->values_v1('memory', 'memory.limit_in_bytes'),
        $self->{cgroup}->values_v2('memory.max', 'memory.high'),
    );
    return map { _kb($_) } map { @$_ } @groups;
}

# Version 1 limits both together.
sub _swap_kb {
    my ($self) = @_;
    my @pairs =
        map {
        [map { _kb($_) } @$_]
        } $self->{cgroup}->values_v1('memory', 'memory.memsw.limit_in_bytes', 'memory.limit_in_bytes');
    return (
        (map { $_->[0] - $_->[1] } grep { @$_ == 2 && $_->[0] >= $_->[1] } @pairs),
        (map { _kb($_->[0]) } $self->{cgroup}->values_v2('memory.swap.max')),
    );
}

sub _processes {
    my ($self) = @_;
    my @groups = ($self->{cgroup}->values_v1('pids', 'pids.max'), $self->{cgroup}->values_v2('pids.max'));
    return List::Util::min(map { _number($_->[0]) } @groups);
}

# The least, if it is less than all that there is; without a limit, version 1 shows a huge number.
sub _below {
    my ($all, @limits) = @_;
    my $least = List::Util::min(@limits);
    return defined $least && $least < ($all // 2**50) ? $least : undef;
}

sub _kb {
    my ($text) = @_;
    return map { int $_ / 1024 } _number($text);
}

# Nothing where it is no number, such as "max".
sub _number {
    my ($text) = @_;
    return defined $text && $text =~ /\A(\d{1,19})\s*\z/ ? 0 + $1 : ();
}

1;
