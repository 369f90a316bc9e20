package UnixBench::Target::Disturbances;

# Finds the disturbances of a pass that pgms/measure.sh has made, from what it has read in /proc before and after it.
# These are fewer counters than UnixBench::Noise::Watch reads; UnixBench::Noise::Disturbances judges them in the same
# way.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments     qw(named);
use UnixBench::Base::Proc          qw(TICK_S);
use UnixBench::Noise::Disturbances ();
use UnixBench::Noise::Late         qw(growth);

# /proc/uptime has the time in steps of this many seconds. So the time between two looks may be longer by one of them.
use constant STEP_S => 0.01;

# Takes
#   looks        [before and after the pass], see UnixBench::Target::Log
#   copies       [the results of its copies], see UnixBench::Measure::Copy
#   planned      its test, see UnixBench::Plan::Test
#   usable_cpus  the number of CPUs that the copies may use
#   sensors      [before and after the pass], see UnixBench::Noise::Clock
#   is_quick     whether it is a short pass
# Returns [disturbances], see UnixBench::Noise::Disturbances. Returns undef if the looks do not tell what others used:
# the copies have used CPU time, so that of the script and its copies must have grown.
sub disturbances {
    my (@given) = @_;
    my $given = named(\@given, qw(looks copies planned usable_cpus sensors is_quick));
    my ($first, $last) = @{ $given->{looks} || return };
    my ($before, $after, $asked) = (_counters($first), _counters($last), $given->{planned}{asked});
    $after->{at_s} += STEP_S;
    $after = UnixBench::Noise::Disturbances::believed($before, $after, 0);
    my @needed = qw(at_s busy_ticks unused_ticks ours_s ours_kernel_s);
    return if $before->{cpus} != $after->{cpus} || grep { !defined growth($before, $after, $_) } @needed;
    my ($late_s) = UnixBench::Noise::Late::latest($asked, $given->{copies});
    my $are_together = $given->{is_quick} && !grep { !$_->{gated} } @{ $given->{copies} };
    return [
        UnixBench::Noise::Disturbances::found({
            before      => $before,
            after       => $after,
            running     => length $first->{running} ? List::Util::max(1, $first->{running}) : undef,
            usable_cpus => $given->{usable_cpus},
            cpus        => { online => $after->{cpus}, usable => $given->{usable_cpus} },
            copies      => scalar @{ $given->{copies} },
            elapsed_s   => $are_together ? [map { $_->{elapsed_s} } @{ $given->{copies} }] : undef,
            refused     => UnixBench::Noise::Disturbances::refusals($given->{copies}),
            asked_s     => $asked && $asked->{seconds},
            late_s      => $late_s,
            sensors     => $given->{sensors},
        })
    ];
}

sub _counters {
    my ($look) = @_;
    my ($user, $nice, $system, @unused) = split q{ }, $look->{ticks};
    my (undef, $major_faults, $own_user, $own_kernel, $child_user, $child_kernel) = split q{ }, $look->{own};
    return {
        at_s          => 0 + $look->{uptime_s},
        cpus          => 0 + $look->{cpus},
        busy_ticks    => $user + $nice + $system,
        unused_ticks  => List::Util::sum(@unused),
        steal_ticks   => $unused[-1],
        ours_s        => TICK_S * ($own_user + $own_kernel + $child_user + $child_kernel),
        ours_kernel_s => TICK_S * ($own_kernel + $child_kernel),
        own_delay_us  => length $look->{waited_ns} ? $look->{waited_ns} / 1000 : undef,
        major_faults  => $major_faults,
    };
}

1;
