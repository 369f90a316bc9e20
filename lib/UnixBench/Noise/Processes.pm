package UnixBench::Noise::Processes;

# Who uses the CPUs: the CPU times of all processes at two moments, held against each other.

use strict;
use warnings;

use List::Util ();

use constant {
    TICK_S      => 0.01,    # what CPU times are counted in: USER_HZ, see proc(5)
    SHARE_LEAST => 0.02,    # of a CPU
    MOST        => 5,
};

# Takes files => UnixBench::Host::Values, clock => UnixBench::Base::Clock.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Returns { at_s, processes => { pid => { name, parent, own, children, started } } }: ticks of CPU time, its own and
# that of its children that it has waited for; started in ticks since the start of the system. This process and its
# children are left out.
sub look {
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

# Takes two looks; returns the processes that used most between them, at most five, each { pid, name, cpus,
# is_by_children }: its share of a CPU, with that of children that ended meanwhile, and whether these had most of it.
# Names are bytes as they came.
sub busiest {
    my ($before, $after) = @_;
    my $window_s = $after->{at_s} - $before->{at_s};
    return if $window_s <= 0;
    my @used   = _used(map { $_->{processes} } $before, $after);
    my @busy   = grep { $_->{cpus} >= SHARE_LEAST } map { +{ %$_, cpus => $_->{cpus} * TICK_S / $window_s } } @used;
    my @sorted = sort { $b->{cpus} <=> $a->{cpus} || $a->{pid} <=> $b->{pid} } @busy;
    return splice @sorted, 0, MOST;
}

# Each process with the ticks that it used. One that was not there before has used all of its time since then.
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

# { pid => ticks }: what processes that have ended since had used before. Their parents have that now, or the parents of
# those.
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

# A number may meanwhile be another process's.
sub _is_same {
    my ($before, $after) = @_;
    return $before && $after && $before->{started} == $after->{started};
}

# The text of /proc/PID/stat, see proc(5): the name is in brackets and may hold anything.
sub _process {
    my ($text) = @_;
    my ($name, $values) = $text =~ /\A[0-9]+ [(](.*)[)] (.*)/s or return;
    my ($parent, $user, $system, $of_children, $in_kernel, $started) = (split q{ }, $values)[1, 11 .. 14, 19];
    return if grep { !defined || !/\A[0-9]{1,15}\z/ } $parent, $user, $system, $of_children, $in_kernel, $started;
    return {
        name     => $name,
        parent   => $parent,
        own      => $user + $system,
        children => $of_children + $in_kernel,
        started  => $started
    };
}

1;
