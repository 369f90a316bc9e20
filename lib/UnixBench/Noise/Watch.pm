package UnixBench::Noise::Watch;

# Watches for disturbances of a pass: reads counters before and after it. UnixBench::Noise::Disturbances judges them.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments     qw(named);
use UnixBench::Host::KernelFiles   ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Noise::Late         ();
use UnixBench::Noise::Snapshot     ();

use constant MOMENT_S => 0.001;

# Takes
#   clock              UnixBench::Base::Clock
#   usable_cpus        number of CPUs that the tests may use
#   root               the directory that holds /proc and /sys (default: /)
#   ours               function that returns two numbers of CPU seconds of this program and of its children that have
#                      ended: all of them, and those in the kernel (default: from times(2))
#   is_overlap_judged  whether it is a disturbance that copies ran at different times (default: no)
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock usable_cpus root ours is_overlap_judged));
    my $look  = UnixBench::Noise::Snapshot->new(
        files => UnixBench::Host::KernelFiles->new(root => $given->{root}),
        clock => $given->{clock},
        ours  => $given->{ours} || \&_cpu_s,
    );
    return bless { look => $look, map { $_ => $given->{$_} } qw(usable_cpus is_overlap_judged) }, $class;
}

# Notes the pressure at the start of a rest. From now on until the next pass, nothing that this program started runs.
sub rest_begins {
    my ($self) = @_;
    $self->{rest_from} = $self->{look}->pressure;
    return;
}

# Reads all counters. Has to be called right before a pass.
sub before {
    my ($self) = @_;
    my $look   = $self->{look};
    my $from   = delete $self->{rest_from};
    my %seen   = (
        rest    => $from && { from => $from, to => $look->pressure },
        facts   => $look->facts,
        cpus    => $look->cpus,
        running => _running($look),
    );
    $self->{seen} = { %seen, before => $look->counters };
    return;
}

# Reads the counters again. Has to be called right after a pass. Takes the results of its copies, see
# UnixBench::Measure::Copy, and perhaps its test of the plan and the accounts of the copies, see
# UnixBench::Process::EventLoop. Returns two keys for the pass, { tags => [disturbances], noticed => { mhz, dirty_kb }
# }, and is_too_late: whether it was so late that it is not valid, see UnixBench::Noise::Late.
sub after {
    my ($self, $copies, $planned, $accounts) = @_;
    my $after = $self->{look}->counters;
    my $begun = delete $self->{seen};
    my $asked = $planned->{asked};
    my ($late_s, $latest) = UnixBench::Noise::Late::latest($asked, $copies);
    my $seen = {
        %$begun,
        after       => $after,
        usable_cpus => $self->{usable_cpus},
        copies      => $planned->{copies} // scalar @$copies,
        elapsed_s   => scalar $self->_elapsed_s($copies),
        refused     => UnixBench::Noise::Disturbances::refusals($copies),
        asked_s     => $asked && $asked->{seconds},
        is_graphics => $planned->{is_graphics},
    };
    my $still_s = UnixBench::Noise::Late::still_s($asked, $copies, $accounts, $seen);
    $seen->{late_s} = List::Util::max(grep { defined } $late_s, $still_s);
    my %waited_s = map { $_ => $accounts->{$_}{waited_s} } keys %{ $accounts || {} };
    my $waited_s = defined $latest ? $waited_s{$latest} // List::Util::max(values %waited_s) : undef;
    return {
        tags        => [UnixBench::Noise::Disturbances::found($seen)],
        noticed     => $begun->{facts},
        is_too_late => UnixBench::Noise::Late::is_too_late($asked, $seen, $waited_s),
    };
}

# Takes the disturbances of a pass; returns whether one of them may be gone if the pass is repeated at once.
sub is_worth_repeating {
    my ($self, $disturbances) = @_;
    return scalar grep { UnixBench::Noise::Disturbances::is_worth_repeating($_) } @$disturbances;
}

# Returns whether pages are being written to a disk right now.
sub is_writing_back { my ($self) = @_; return $self->{look}->is_writing_back }

# Returns [seconds of each copy], or undef if overlap is not judged or if not all copies started together.
sub _elapsed_s {
    my ($self, $copies) = @_;
    return if !$self->{is_overlap_judged} || grep { !$_->{gated} } @$copies;
    return [map { $_->{elapsed_s} } @$copies];
}

# Returns the lesser of two counts of runnable processes, or undef. Many processes run only for less than a millisecond.
sub _running {
    my ($look) = @_;
    my $running = $look->running;
    return $running if ($running || 1) == 1;
    select undef, undef, undef, MOMENT_S;
    return List::Util::min(grep { defined } $running, $look->running);
}

sub _cpu_s {
    my ($user_s, $system_s, $children_user_s, $children_system_s) = times;
    my $kernel_s = $system_s + $children_system_s;
    return ($user_s + $children_user_s + $kernel_s, $kernel_s);
}

1;
