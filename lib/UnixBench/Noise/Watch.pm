package UnixBench::Noise::Watch;

# Watches what disturbs a pass: looks at the machine before and after it. UnixBench::Noise::Disturbances judges the
# looks.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments     qw(named);
use UnixBench::Host::KernelFiles   ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Noise::Snapshot     ();

use constant MOMENT_S => 0.001;

# Takes clock => UnixBench::Base::Clock, usable_cpus => number, and perhaps root => the directory that holds /proc and
# /sys, ours => function that returns the CPU seconds of this program and of its children that have ended, all and those
# in the kernel, is_overlap_judged => whether copies that ran at different times are a disturbance.
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

# Notes that from now on until the next pass nothing of ours runs.
sub rest_begins {
    my ($self) = @_;
    $self->{rest_from} = $self->{look}->pressure;
    return;
}

# Looks at the machine. Has to be called right before a pass.
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

# Looks again. Has to be called right after a pass. Takes the results of its copies, see UnixBench::Measure::Copy, and
# causes that can't be judged. Returns what a pass keeps, { tags => [disturbances], noticed => { mhz, dirty_kb } }.
sub after {
    my ($self, $copies, @unknown) = @_;
    my $after = $self->{look}->counters;
    my $seen  = delete $self->{seen};
    my @found = UnixBench::Noise::Disturbances::found(
        {
            %$seen,
            after       => $after,
            usable_cpus => $self->{usable_cpus},
            copies      => scalar @$copies,
            elapsed_s   => scalar $self->_elapsed_s($copies),
        }
    );
    my %is_unknown = map { $_ => 1 } @unknown;
    push @found, UnixBench::Noise::Disturbances::refused($copies);
    return { tags => [grep { !$is_unknown{ $_->{cause} } } @found], noticed => $seen->{facts} };
}

# Takes the disturbances of a pass. Returns whether it may do better if it is repeated at once.
sub is_worth_repeating {
    my ($self, $disturbances) = @_;
    return scalar grep { UnixBench::Noise::Disturbances::is_worth_repeating($_) } @$disturbances;
}

# Returns whether some page is being written to a disk right now.
sub is_writing_back { my ($self) = @_; return $self->{look}->is_writing_back }

# Returns the times of copies that started together.
sub _elapsed_s {
    my ($self, $copies) = @_;
    return if !$self->{is_overlap_judged} || grep { !$_->{gated} } @$copies;
    return [map { $_->{elapsed_s} } @$copies];
}

# Returns the lesser of two looks: many processes run for less than a moment.
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
