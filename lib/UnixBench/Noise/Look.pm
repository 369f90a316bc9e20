package UnixBench::Noise::Look;

# Looks at the machine as a pass would, while no test runs: what disturbs it at the moment, and which processes use its
# CPUs.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Host::KernelFiles ();
use UnixBench::Noise::Watch      ();
use UnixBench::Process::Stat     ();

use constant {
    REST_S => 1,      # for pressure, as before a quick run
    LOOK_S => 1.5,    # for all others
};

use constant {
    TICK_S      => 0.01,    # the unit of CPU times: USER_HZ, see proc(5)
    SHARE_LEAST => 0.02,    # of a CPU
    MOST        => 5,
};

# Takes clock => UnixBench::Base::Clock, usable_cpus => number and perhaps root => the prefix of /proc and /sys, pause
# => function that sleeps for a number of seconds, ours: see UnixBench::Noise::Watch.
sub new {
    my ($class, @given) = @_;
    my %with = %{ named(\@given, qw(clock usable_cpus root pause ours)) };
    return bless {
        clock => $with{clock},
        files => UnixBench::Host::KernelFiles->new(root => $with{root}),
        noise => UnixBench::Noise::Watch->new(map { $_ => $with{$_} } qw(clock root usable_cpus ours)),
        pause => $with{pause} || \&_sleep,
    }, $class;
}

# Looks for about two seconds. Returns { looked_s, is_possible (whether /proc can be read), tags (see
# UnixBench::Noise::Disturbances), busiest (see busiest()) }.
sub look {
    my ($self) = @_;
    my $noise  = $self->{noise};
    my $from_s = $self->{clock}->monotonic_s;
    $noise->rest_begins;
    $self->{pause}->(REST_S);
    my $before = $self->processes;
    $noise->before;
    $self->{pause}->(LOOK_S);
    my $tags  = $noise->after([])->{tags};
    my $after = $self->processes;
    return {
        looked_s    => $after->{at_s} - $from_s,
        is_possible => defined $self->{files}->line('/proc/stat') ? 1 : 0,
        tags        => $tags,
        busiest     => [busiest($before, $after)],
    };
}

sub _sleep {
    my ($seconds) = @_;
    select undef, undef, undef, $seconds;
    return;
}

# Returns { at_s, processes => { pid => { name, parent, own, children, started } } }: ticks of CPU time, its own and
# that of collected children; started in ticks since the start of the system. This process and its children are left
# out.
sub processes {
    my ($self) = @_;
    my $files  = $self->{files};
    my ($own)  = ($files->text('/proc/self/stat') // q{}) =~ /\A([0-9]{1,9}) /;
    my %processes;
    for my $pid (grep { /\A[0-9]{1,9}\z/ } $files->names('/proc')) {
        my $process = _process($files->text("/proc/$pid/stat") // q{}) or next;
        $processes{$pid} = $process if !defined $own || $pid != $own && $process->{parent} != $own;
    }
    return { at_s => $self->{clock}->monotonic_s, processes => \%processes };
}

# Takes what processes() returned at two moments. Returns the processes that used most between them, at most five, each
# { pid, name, cpus, is_by_children }: its share of a CPU, including children that ended meanwhile, and whether these
# had most of it. Names are unchanged bytes.
sub busiest {
    my ($before, $after) = @_;
    my $window_s = $after->{at_s} - $before->{at_s};
    return if $window_s <= 0;
    my @used   = _used(map { $_->{processes} } $before, $after);
    my @busy   = grep { $_->{cpus} >= SHARE_LEAST } map { +{ %$_, cpus => $_->{cpus} * TICK_S / $window_s } } @used;
    my @sorted = sort { $b->{cpus} <=> $a->{cpus} || $a->{pid} <=> $b->{pid} } @busy;
    return splice @sorted, 0, MOST;
}

# Returns each process with the ticks that it used. A new process has used all of its time since the first look.
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

# Returns { pid => ticks }: what processes that have ended meanwhile had used before. Their parents have it now, or the
# parents of those.
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

# Returns whether both looks show the same process: a number may be reused.
sub _is_same {
    my ($before, $after) = @_;
    return $before && $after && $before->{started} == $after->{started};
}

# Takes the text of /proc/PID/stat. Returns its process, or undef if the text is broken.
sub _process {
    my ($text) = @_;
    my ($parent, $started, @ticks) =
        UnixBench::Process::Stat::fields($text,
        qw(parent started user_time kernel_time children_user_time children_kernel_time))
        or return;
    return if grep { $_ < 0 } $started, @ticks;
    return {
        name     => UnixBench::Process::Stat::name($text),
        parent   => $parent,
        own      => $ticks[0] + $ticks[1],
        children => $ticks[2] + $ticks[3],
        started  => $started,
    };
}

1;
