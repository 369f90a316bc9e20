package UnixBench::Noise::Processes;

# Looks at all processes, and finds those that used the most CPU time between two looks. This program and everything
# that it has started are left out. Kernel threads are never named. A look only reads one file of each process. When two
# looks are compared, only those files are parsed that have changed.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Base::Proc        qw(TICK_S);
use UnixBench::Base::Text        qw(clean);
use UnixBench::Process::Guardian ();

use constant {
    SHARE_LEAST => 0.02,    # of a CPU: processes that used less are not listed
    NAMED_MOST  => 3,
    NAMED_LEAST => 0.1,     # of the time of the busiest process: those that used less are not named
};

use constant {
    KERNEL_THREAD => 0x0020_0000,    # the flag PF_KTHREAD
    FIRST         => 1,
};

use constant MANY => 9**9**9;        # CPUs, if their number is unknown

# Takes files (UnixBench::Host::KernelFiles) and clock (UnixBench::Base::Clock).
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(files clock)), $class;
}

# Returns a look:
#   at_s, took_s  the time of the clock when it began, and the seconds that it took
#   cpus          the number of CPUs, or 0 if it is unknown
#   own           the PID of this program, or undef if it is unknown
#   other_runs    [PIDs of other calls of Run that measure now]
#   texts         { PID => text of /proc/PID/stat }
sub look {
    my ($self) = @_;
    my ($files, $clock) = @$self{qw(files clock)};
    my $at_s  = $clock->monotonic_s;
    my $texts = $files->process_stats;
    my ($own) = $files->content('/proc/self/stat') =~ /\A([0-9]{1,9}) /;
    $self->{cpus} //= () = $files->content('/proc/stat') =~ /^cpu[0-9]/mg;
    return {
        at_s       => $at_s,
        cpus       => $self->{cpus},
        own        => $own,
        other_runs => [$self->_other_runs($texts, $own // 0)],
        texts      => $texts,
        took_s     => $clock->monotonic_s - $at_s,
    };
}

# Returns the PIDs of the other calls of Run that have a guardian. One that is stopped, or has ended while its guardian
# clears up, does not measure.
sub _other_runs {
    my ($self, $texts, $own) = @_;
    my $name      = UnixBench::Process::Guardian::NAME;
    my @guardians = grep { index($_, $name) > 0 && UnixBench::Base::Proc::name($_) eq $name } values %$texts;
    my %runs;
    for my $guardian (@guardians) {
        my ($parent, $state) = UnixBench::Base::Proc::fields($guardian, qw(parent state)) or next;
        my ($of_parent) = UnixBench::Base::Proc::fields($texts->{$parent} // q{}, 'state');
        next if $parent == $own || join(q{}, $state, $of_parent // q{}) =~ /[TXZ]/;
        $runs{$parent} = 1;
    }
    my @runs = sort { $a <=> $b } keys %runs;
    return @runs;
}

# Takes two looks, the earlier one first, and perhaps the PID of an X server that works for a test. Returns the other
# processes that used the most CPU time between the looks, with their children that have ended: at most three, each
# { name (printable), pid, cpus }. A Wayland compositor listens for its Xwayland: then both work for the test.
sub busiest {
    my ($before, $after, $x_server) = @_;
    my @used  = grep { !$x_server || $_->{pid} != $x_server && $_->{name} ne 'Xwayland' } _used($before, $after);
    my @busy  = _busy($after->{at_s} - $before->{at_s}, @used);
    my @named = grep { $_->{cpus} >= NAMED_LEAST * $busy[0]{cpus} } @busy;
    my $last  = List::Util::min($#named, NAMED_MOST - 1);
    return
        map { +{ name => clean($_->{name}), pid => 0 + $_->{pid}, cpus => _rounded($_->{cpus}) } } @named[0 .. $last];
}

# Takes two looks, the earlier one first; returns how many CPUs all processes used between them that are seen and not
# ours, those of the kernel among them.
sub seen_cpus {
    my ($before, $after) = @_;
    my $window_s = $after->{at_s} - $before->{at_s};
    my $ticks    = List::Util::sum(0, map { $_->{seen} } _used($before, $after));
    return $window_s > 0 ? _rounded($ticks * TICK_S / $window_s) : 0;
}

sub _rounded { my ($cpus) = @_; return 0 + sprintf '%.2f', $cpus }

# Takes the seconds between two looks, and the processes of the second one; returns those that used CPU time, the
# busiest first.
sub _busy {
    my ($window_s, @used) = @_;
    return if $window_s <= 0;
    my @busy;
    for my $used (@used) {
        my $cpus = $used->{ticks} * TICK_S / $window_s;
        push @busy, { cpus => $cpus, map { $_ => $used->{$_} } qw(pid name) } if $cpus >= SHARE_LEAST;
    }
    @busy = sort { $b->{cpus} <=> $a->{cpus} || $a->{pid} <=> $b->{pid} } @busy;
    return @busy;
}

# Takes two looks. Returns the processes of the second one that are not ours and may have used CPU time in between, each
#   pid, name  its number and its name, or "Run" for another Run, which the kernel calls perl
#   ticks      those that it can be blamed for: the first process inherits the time of orphans
#   seen       all of them
# A new process has used all of its time in between. If that is more than all CPUs have had, the first look has missed
# the process, or its children, which have ended since.
sub _used {
    my ($before, $after) = @_;
    my $known_of = _known_of_ended($before, $after);
    my %name     = map { $_ => 'Run' } map { @{ $_->{other_runs} } } $before, $after;
    my $most     = ($after->{cpus} || MANY) * ($after->{at_s} - $before->{at_s} + $after->{took_s}) / TICK_S;
    my @used;
    for my $pid (_changed($after, $before)) {
        my $now = _process($after, $pid) or next;
        next if grep { _is_ours($_, $pid) } $before, $after;
        my $then     = _process($before, $pid);
        my %known    = _is_same($then, $now) ? %$then : (own => 0, children => 0);
        my $own      = List::Util::max(0, $now->{own} - $known{own});
        my $children = List::Util::max(0, $now->{children} - $known{children} - ($known_of->{$pid} || 0));
        for ($own, $children) { $_ = 0 if $_ > $most }
        my $ticks = $now->{is_of_kernel} ? 0 : $own + ($pid == FIRST ? 0 : $children);
        my %seen  = (seen => $own + $children);
        push @used, { pid => $pid, name => $name{$pid} // $now->{name}, ticks => $ticks, %seen };
    }
    return @used;
}

sub _changed {
    my ($look, $other) = @_;
    my ($texts, $others) = map { $_->{texts} } $look, $other;
    return grep { ($others->{$_} // q{}) ne $texts->{$_} } keys %$texts;
}

# Returns { pid => ticks }: the CPU time that processes had used before the first look, if they ended before the second.
# The kernel adds this time to their parents, or to the nearest ancestor that still runs.
sub _known_of_ended {
    my ($before, $after) = @_;
    my $has_ended = sub {
        my ($pid) = @_;
        return !_is_same(map { scalar _process($_, $pid) } $before, $after);
    };
    my %ticks;
    for my $ended (grep { $_ } map { $has_ended->($_) ? _process($before, $_) : () } _changed($before, $after)) {
        my ($heir, %seen) = $ended->{parent};
        while (!$seen{$heir}++ && $has_ended->($heir)) {
            my $process = _process($before, $heir) or last;
            $heir = $process->{parent};
        }
        $ticks{$heir} += $ended->{own} + $ended->{children};
    }
    return \%ticks;
}

# Returns whether both are the same process: the number of a process may be reused.
sub _is_same {
    my ($before, $after) = @_;
    return $before && $after && $before->{started} == $after->{started};
}

sub _is_ours {
    my ($look, $pid) = @_;
    my $own = $look->{own} // return 0;
    my %seen;
    while ($pid != $own) {
        my $process = _process($look, $pid);
        return 0 if !$process || $seen{$pid}++;
        $pid = $process->{parent};
    }
    return 1;
}

# Takes a look and a PID. Returns that process, or undef if it is not there or its file is malformed. It has a name, a
# parent, is_of_kernel, and these numbers of ticks:
#   own       its CPU time
#   children  the CPU time of its children for which it has waited
#   started   the time of its start, since the start of the system
sub _process {
    my ($look, $pid) = @_;
    return $look->{processes}{$pid} ||= _parsed($look->{texts}{$pid} // return);
}

sub _parsed {
    my ($text) = @_;
    my ($parent, $flags, $started, @ticks) =
        UnixBench::Base::Proc::fields($text,
        qw(parent flags started user_time kernel_time children_user_time children_kernel_time));
    return if !@ticks || grep { $_ < 0 } $flags, $started, @ticks;
    return {
        name         => UnixBench::Base::Proc::name($text),
        parent       => $parent,
        own          => $ticks[0] + $ticks[1],
        children     => $ticks[2] + $ticks[3],
        started      => $started,
        is_of_kernel => $flags & KERNEL_THREAD,
    };
}

1;
