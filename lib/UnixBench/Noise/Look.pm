package UnixBench::Noise::Look;

# Shows how busy the machine is while no test runs: the disturbances that a pass would have now, and the processes that
# use the most CPU time.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Base::Proc        qw(TICK_S);
use UnixBench::Host::KernelFiles ();
use UnixBench::Noise::Causes     ();
use UnixBench::Noise::Watch      ();

use constant {
    REST_S => 1,      # to measure pressure, as before a quick run
    LOOK_S => 1.5,    # to measure all other causes
};

use constant {
    SHARE_LEAST => 0.02,    # of a CPU: processes that used less are not listed
    MOST        => 5,
};

# Takes
#   clock        UnixBench::Base::Clock
#   usable_cpus  number of CPUs that tests may use
#   copies       number of copies that are planned
#   root         the directory that holds /proc and /sys (default: /)
#   pause        function that sleeps for a number of seconds (optional)
#   ours         see UnixBench::Noise::Watch (optional)
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock usable_cpus copies root pause ours));
    my $files = UnixBench::Host::KernelFiles->new(root => delete $given->{root});
    my %watch = map { exists $given->{$_} ? ($_ => $given->{$_}) : () } qw(clock usable_cpus ours);
    my $noise = UnixBench::Noise::Watch->new(%watch, files => $files);
    return bless { pause => \&_sleep, %$given, files => $files, noise => $noise }, $class;
}

# Watches the machine for 2.5 seconds. Returns
#   looked_s     the seconds that this took
#   is_possible  whether /proc can be read
#   tags         [disturbances], see UnixBench::Noise::Disturbances
#   busiest      [processes], see busiest()
sub look {
    my ($self) = @_;
    my $noise  = $self->{noise};
    my $from_s = $self->{clock}->monotonic_s;
    $noise->rest_begins;
    $self->{pause}->(REST_S);
    my $before = $self->processes;
    $noise->before;
    $self->{pause}->(LOOK_S);
    my @tags = grep { UnixBench::Noise::Causes::has($_->{cause}, 'before') }
        @{ $noise->after([], { copies => $self->{copies} })->{tags} };
    my $after = $self->processes;
    return {
        looked_s    => $after->{at_s} - $from_s,
        is_possible => defined $self->{files}->line('/proc/stat') ? 1 : 0,
        tags        => \@tags,
        busiest     => [busiest($before, $after)],
    };
}

sub _sleep {
    my ($seconds) = @_;
    select undef, undef, undef, $seconds;
    return;
}

# Returns { at_s, processes => { pid => { name, parent, own, children, started } } }. This process and its children are
# left out. A process has these numbers of ticks:
#   own       its CPU time
#   children  the CPU time of its children for which it has waited
#   started   the time of its start, since the start of the system
sub processes {
    my ($self) = @_;
    my $files  = $self->{files};
    my ($own)  = $files->content('/proc/self/stat') =~ /\A([0-9]{1,9}) /;
    my %processes;
    for my $pid (grep { /\A[0-9]{1,9}\z/ } $files->names('/proc')) {
        my $process = _process($files->content("/proc/$pid/stat")) or next;
        $processes{$pid} = $process if !defined $own || $pid != $own && $process->{parent} != $own;
    }
    return { at_s => $self->{clock}->monotonic_s, processes => \%processes };
}

# Takes two return values of processes(), the earlier one first. Returns the processes that used the most CPU time
# between them, at most five, each
#   pid             its number
#   name            its name, unchanged bytes
#   cpus            the number of CPUs that it used on average, including its children that have ended
#   is_by_children  whether its children used most of that
sub busiest {
    my ($before, $after) = @_;
    my $window_s = $after->{at_s} - $before->{at_s};
    return if $window_s <= 0;
    my @used   = _used(map { $_->{processes} } $before, $after);
    my @busy   = grep { $_->{cpus} >= SHARE_LEAST } map { +{ %$_, cpus => $_->{cpus} * TICK_S / $window_s } } @used;
    my @sorted = sort { $b->{cpus} <=> $a->{cpus} || $a->{pid} <=> $b->{pid} } @busy;
    return splice @sorted, 0, MOST;
}

# Takes the processes before and after; returns each of the latter with the ticks that it used in between, in cpus. A
# new process has used all of its time in between.
sub _used {
    my ($before, $after) = @_;
    my $known_of = _known_of_ended($before, $after);
    my @used;
    for my $pid (keys %$after) {
        my %now      = %{ $after->{$pid} };
        my %then     = _is_same($before->{$pid}, \%now) ? %{ $before->{$pid} } : (own => 0, children => 0);
        my $own      = $now{own} - $then{own};
        my $children = List::Util::max(0, $now{children} - $then{children} - ($known_of->{$pid} || 0));
        push @used, { pid => $pid, name => $now{name}, cpus => $own + $children, is_by_children => $children > $own };
    }
    return @used;
}

# Returns { pid => ticks }: the CPU time that processes had used before the first look, if they ended before the second.
# The kernel adds this time to their parents, or to the nearest ancestor that still runs.
sub _known_of_ended {
    my ($before, $after) = @_;
    my %ticks;
    for my $ended (grep { !_is_same($before->{$_}, $after->{$_}) } keys %$before) {
        my ($heir, %seen) = $before->{$ended}{parent};
        $heir = $before->{$heir}{parent}
            while $before->{$heir} && !_is_same($before->{$heir}, $after->{$heir}) && !$seen{$heir}++;
        $ticks{$heir} += $before->{$ended}{own} + $before->{$ended}{children};
    }
    return \%ticks;
}

# Returns whether both are the same process: the number of a process may be reused.
sub _is_same {
    my ($before, $after) = @_;
    return $before && $after && $before->{started} == $after->{started};
}

# Takes the text of /proc/PID/stat; returns the process as processes() does, or undef if the text is malformed.
sub _process {
    my ($text) = @_;
    my ($parent, $started, @ticks) =
        UnixBench::Base::Proc::fields($text,
        qw(parent started user_time kernel_time children_user_time children_kernel_time))
        or return;
    return if grep { $_ < 0 } $started, @ticks;
    return {
        name     => UnixBench::Base::Proc::name($text),
        parent   => $parent,
        own      => $ticks[0] + $ticks[1],
        children => $ticks[2] + $ticks[3],
        started  => $started,
    };
}

1;
