package UnixBench::Host::Cgroup;

# The limits of this process's control groups, in both versions of Linux' control groups. All groups from its own
# upwards are read, as far as they are visible. The tightest limit applies.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);

# Takes files => UnixBench::Host::KernelFiles, and perhaps of, the PID of another process.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(files of));
    return bless { file => '/proc/' . (delete $given->{of} // 'self') . '/cgroup', %$given }, $class;
}

# Returns whether the files of this process's groups can be seen, so that a limit that is not found does not exist. A
# process without groups has none.
sub is_visible {
    my ($self) = @_;
    my $groups = $self->{files}->text($self->{file});
    return defined $self->{files}->text('/proc/self/stat')                            ? 1 : 0 if !defined $groups;
    return $groups !~ /\S/ || $self->_directories_v1('cpu') || $self->_directories_v2 ? 1 : 0;
}

# Returns the CPU time that is allowed, as a number of CPUs (1.5: the time of one and a half), or undef.
sub quota {
    my ($self) = @_;
    my ($run_us, $period_us) = $self->run_and_period_us;
    return defined $run_us ? $run_us / $period_us : undef;
}

# Returns the tightest limit of CPU time: the microseconds that are allowed in each period, and those of a period; or
# nothing.
sub run_and_period_us {
    my ($self) = @_;
    my @pairs = (
        $self->_values_v1('cpu', 'cpu.cfs_quota_us', 'cpu.cfs_period_us'),
        map { [split q{ }, $_->[0]] } $self->_values_v2('cpu.max'),
    );
    my @limited = grep { _is_limit($_->[0]) && _is_limit($_->[1]) } @pairs;
    my ($tightest) = sort { $a->[0] / $a->[1] <=> $b->[0] / $b->[1] } @limited;
    return map { 0 + $_ } @{ $tightest || [] };
}

# Returns the CPUs that each group allows, as texts such as "0-3"; that of the process's own group is first.
sub cpusets {
    my ($self) = @_;
    my @groups = (
        $self->_values_v1('cpuset', 'cpuset.effective_cpus', 'cpuset.cpus'),
        $self->_values_v2('cpuset.cpus.effective'),
    );
    return grep { defined } map {
        List::Util::first { defined && /\d/ }
        @$_
    } @groups;
}

# Takes the machine's memory in KB, or undef. Returns { cpuset (a list such as "0-3"), memory_kb, processes }. Each is
# undef if there is no limit, if it is unknown, or if the machine has no more than the limit anyway.
sub limits {
    my ($self, $memory_kb) = @_;
    my @processes = ($self->_values_v1('pids', 'pids.max'), $self->_values_v2('pids.max'));
    return {
        cpuset    => scalar $self->_cpuset,
        memory_kb => scalar _below($memory_kb, $self->_memory_kb),
        processes => scalar List::Util::min(map { _number($_->[0]) } @processes),
    };
}

# Returns the list of CPUs of the process's own group, or undef if it contains all CPUs that are online. The groups
# above allow these CPUs, too.
sub _cpuset {
    my ($self) = @_;
    my ($list) = map { /\A\s*(\d[\d,-]*)\s*\z/ } $self->cpusets or return;
    return $self->{files}->restricting($list);
}

sub _memory_kb {
    my ($self) = @_;
    my @groups =
        ($self->_values_v1('memory', 'memory.limit_in_bytes'), $self->_values_v2('memory.max', 'memory.high'));
    return map { int $_ / 1024 } map { _number($_) } map { @$_ } @groups;
}

# Returns the number of further processes that are allowed, or undef.
sub free_processes {
    my ($self) = @_;
    my @names  = ('pids.max', 'pids.current');
    my @groups = ($self->_values_v1('pids', @names), $self->_values_v2(@names));
    return List::Util::min(map { $_->[0] - (_number($_->[1]) // 0) } grep { defined _number($_->[0]) } @groups);
}

# Returns the further KB of memory that are allowed, or undef. Cached files that were not used for long count as free.
sub free_memory_kb {
    my ($self) = @_;
    my @groups = (
        $self->_values_v1('memory', qw(memory.limit_in_bytes memory.usage_in_bytes memory.stat)),
        $self->_values_v2(qw(memory.max memory.current memory.stat)),
    );
    return List::Util::min(map { _free_kb(@$_) } grep { defined _number($_->[0]) } @groups);
}

sub _free_kb {
    my ($limit, $used, $details) = @_;
    my %detail = ($details // q{}) =~ /^(\w+) (\d{1,19})$/mg;
    my $cache  = $detail{total_inactive_file} // $detail{inactive_file} // 0;
    return List::Util::max(0, int(($limit - (_number($used) // 0) + $cache) / 1024));
}

# Returns the paths of the groups' files cpu.stat, which may be missing.
sub cpu_stat_paths {
    my ($self) = @_;
    return map { "$_/cpu.stat" } $self->_directories_v1('cpu'), $self->_directories_v2;
}

# Takes the PID of another process. Returns { path => text } of the files cpu.stat of those of its groups to which this
# process does not belong.
sub cpu_stats_beyond {
    my ($self, $pid) = @_;
    my $files = $self->{files};
    my $other = UnixBench::Host::Cgroup->new(files => $files, of => $pid);
    my ($own, $its) = map { $files->content($_->{file}) } $self, $other;
    return {} if $its eq $own || !length $its;
    my %is_own = map { $_ => 1 } $self->cpu_stat_paths;
    my %text   = map { $_ => $files->text($_) } grep { !$is_own{$_} } $other->cpu_stat_paths;
    return { map { $_ => $text{$_} } grep { defined $text{$_} } keys %text };
}

# Takes a controller of version 1 and names of files. Returns one list of texts for each group that has one of these
# files, undef for each missing file.
sub _values_v1 {
    my ($self, $controller, @names) = @_;
    return map { $self->_texts($_, @names) } $self->_directories_v1($controller);
}

sub _values_v2 {
    my ($self, @names) = @_;
    return map { $self->_texts($_, @names) } $self->_directories_v2;
}

sub _texts {
    my ($self, $directory, @names) = @_;
    my @texts = map { scalar $self->{files}->text("$directory/$_") } @names;
    return grep({ defined } @texts) ? \@texts : ();
}

sub _directories_v1 {
    my ($self, $controller) = @_;
    my $among_others = qr/(?:[^:\n]*,)?\Q$controller\E(?:,[^:\n]*)?/;
    my ($path)       = $self->{files}->content($self->{file}) =~ /^\d+:$among_others:(.*)$/m;
    my ($mount) = grep { $_->{file_system} eq 'cgroup' && $_->{mount_options} =~ /^$among_others$/ } $self->_mounts;
    return _directories($path, $mount);
}

sub _directories_v2 {
    my ($self)  = @_;
    my ($path)  = $self->{files}->content($self->{file}) =~ /^0::(.*)$/m;
    my ($mount) = grep { $_->{file_system} eq 'cgroup2' } $self->_mounts;
    return _directories($path, $mount);
}

# Takes the path of the process's own group, and a mount. Returns the directories from that of the group up to the mount
# point. In a container, the mount often shows only the container's part of the tree. A path that leads out of this part
# (/..) means the mount point.
sub _directories {
    my ($path, $mount) = @_;
    return if !defined $path || !$mount;
    my $top   = $mount->{root} eq q{/}       ? q{}       : $mount->{root};
    my $below = $path =~ m{^\Q$top\E(/.*)?$} ? $1 // q{} : q{};
    my @parts = grep { length } split m{/}, $below;
    @parts = () if grep { $_ eq q{..} } @parts;
    return map { join q{/}, $mount->{mount_point}, @parts[0 .. $_ - 1] } reverse 0 .. @parts;
}

sub _mounts {
    my ($self) = @_;
    return @{ $self->{mounts} ||= [$self->{files}->mounts] };
}

# Takes the amount that the machine has, perhaps undef, and limits. Returns the smallest limit if it is below that
# amount, else undef. Version 1 shows a huge number if there is no limit.
sub _below {
    my ($all, @limits) = @_;
    my $least = List::Util::min(@limits);
    return defined $least && $least < ($all // 2**50) ? $least : undef;
}

sub _is_limit {
    my ($text) = @_;
    return defined $text && $text =~ /^[1-9][0-9]{0,17}\s*$/;
}

sub _number {
    my ($text) = @_;
    return defined $text && $text =~ /\A(\d{1,19})\s*\z/ ? 0 + $1 : ();
}

1;
