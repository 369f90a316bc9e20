package UnixBench::Noise::Watch;

# What disturbs a pass: looks at the machine before and after it. What is seen is judged by
# UnixBench::Noise::Disturbances.

use strict;
use warnings;

use List::Util ();

use UnixBench::Host::Values;
use UnixBench::Noise::Disturbances ();
use UnixBench::Noise::Snapshot;

use constant MOMENT_S => 0.001;

# Takes clock => UnixBench::Base::Clock, usable_cpus => number, and, if there is any, root => what stands before /proc
# and /sys, ours => function that returns the CPU seconds of this program and of its children that have ended, all and
# those in the kernel, is_overlap_judged => whether copies that ran at different times are a disturbance.
sub new {
    my ($class, %with) = @_;
    my $look = UnixBench::Noise::Snapshot->new(
        files => UnixBench::Host::Values->new($with{root}),
        clock => $with{clock},
        ours  => $with{ours} || \&_cpu_s,
    );
    return bless { look => $look, map { $_ => $with{$_} } qw(usable_cpus is_overlap_judged) }, $class;
}

# From now on until the next pass nothing of ours runs.
sub rest_begins {
    my ($self) = @_;
    $self->{rest_from} = $self->{look}->pressure;
    return;
}

# To be called right before a pass.
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

# To be called right after a pass. Takes the results of its copies, see UnixBench::Measure::Copy, and causes of which
# nothing can be said; returns { tags (see UnixBench::Noise::Disturbances), noticed => { mhz, dirty_kb } }.
sub after {
    my ($self, $copies, @unknown) = @_;
    my $after = $self->{look}->counters;
    my $seen  = delete $self->{seen};
    my @tags  = UnixBench::Noise::Disturbances::tags(
        {
            %$seen,
            after       => $after,
            usable_cpus => $self->{usable_cpus},
            copies      => scalar @$copies,
            elapsed_s   => scalar $self->_elapsed_s($copies),
        }
    );
    my %is_unknown = map { $_ => 1 } @unknown;
    push @tags, UnixBench::Noise::Disturbances::refused($copies);
    return { tags => [grep { !$is_unknown{ $_->{cause} } } @tags], noticed => $seen->{facts} };
}

# Takes the tags of a pass; tells whether it may do better when it is made again at once.
sub is_worth_repeating {
    my ($self, $tags) = @_;
    return scalar grep { UnixBench::Noise::Disturbances::is_worth_repeating($_) } @$tags;
}

# Only of copies that started together.
sub _elapsed_s {
    my ($self, $copies) = @_;
    return if !$self->{is_overlap_judged} || grep { !$_->{gated} } @$copies;
    return [map { $_->{elapsed_s} } @$copies];
}

# The lesser of two looks: many a process runs for less than a moment.
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
