package UnixBench::Noise::Disturbances;

# Finds the disturbances of a pass in the counters of the kernel before and after it, see UnixBench::Noise::Snapshot.
# Missing counters, and counters that went backwards, are ignored.

use strict;
use warnings;

use List::Util ();

use constant {
    ANY          => 1e-9,    # any value above 0
    FEW          => 10,      # faults: kernels that reclaim unused memory always cause a few
    REST_LEAST_S => 0.9,     # a shorter rest is not judged
    OVERLAP      => 0.95,    # of the time of the longest copy
    TICK_S       => 0.01,    # the unit of CPU times: USER_HZ, see proc(5)
};

# Each CPU time is rounded at both ends. So its growth is off by up to one tick; the standard deviation of this error is
# TICK_S / sqrt 6. The value of "others" is a sum of seven CPU times: three from /proc/stat and four from times(2). This
# is about three standard deviations of that sum.
use constant UNSURE_S => 0.03;

# Kernel threads clean up after our processes and write their files. In measurements of all programs this took at most
# 4.4 % of our CPU time and 15 % of our time in the kernel.
use constant { SERVED => 0.05, SERVED_IN_KERNEL => 0.2 };

# Each row: the cause, a function that returns its value, the least value of a note, the least value of a disturbance.
my @DURING = (
    ['steal',        \&_steal,              0.01, 0.05],
    ['others',       \&_others,             0.02, 0.10],
    ['throttled',    _grown('throttled'),   ANY,  ANY],
    ['thermal',      _grown('thermal'),     ANY,  ANY],
    ['swap',         _rate('swap'),         ANY,  100],
    ['major_faults', _rate('major_faults'), FEW,  100],
);
my @PRESSURE = (0.01, 0.05);

# Causes that belong to the machine or last longer than a second, so a repetition does not avoid them.
my %LASTS = map { $_ => 1 } qw(steal throttled affinity refused);

# Takes a pass; returns whether it has a disturbance of the level "disturbed". A pass that was not watched has none.
sub is_disturbed {
    my ($pass) = @_;
    return scalar grep { $_->{level} eq 'disturbed' } @{ $pass->{tags} || [] };
}

# Takes the results of the copies of a pass. If the system refused to start processes for them, returns that
# disturbance, else nothing. The copies report the number in a line "REFUSED|number".
sub refused {
    my ($copies) = @_;
    my @counts   = grep { /\A[0-9]{1,15}\z/ } map { @{ $_->{data}{REFUSED} || [] } } @$copies;
    my $count    = List::Util::sum(0, @counts);
    return $count ? { cause => 'refused', level => 'disturbed', value => $count } : ();
}

# Takes a disturbance; returns whether it may be gone if the pass is repeated at once.
sub is_worth_repeating {
    my ($disturbance) = @_;
    return $disturbance->{level} eq 'disturbed' && !$LASTS{ $disturbance->{cause} };
}

# Returns the disturbances of a pass, each { cause, level ("note" or "disturbed"), value }. The unit of the value
# depends on the cause: a fraction of 1, CPUs, a count, or a count per second. Takes one hash:
#   rest           { from, to }, the pressure at the start and the end of the rest before the pass, or undef
#   running        number of runnable processes right before the pass, or undef
#   usable_cpus    number of CPUs that the tests may use
#   cpus           { online, usable }, see UnixBench::Noise::Snapshot
#   before, after  the counters before and after the pass
#   copies         number of copies
#   elapsed_s      [seconds of each copy], or undef if their overlap is not judged
sub found {
    my ($seen) = @_;
    return (_during($seen), _run_queue($seen), _pressure($seen), _affinity($seen), _overlap($seen));
}

sub _during {
    my ($seen) = @_;
    my ($before, $after) = @$seen{qw(before after)};
    my $window_s = _growth($before, $after, 'at_s') or return;
    return map { _judged($_->[0], scalar $_->[1]->($before, $after, $window_s), @$_[2, 3]) } @DURING;
}

sub _run_queue {
    my ($seen) = @_;
    return if !defined $seen->{running};
    return _judged('run_queue', $seen->{running} - 1, 1, $seen->{usable_cpus});
}

sub _pressure {
    my ($seen) = @_;
    my ($from, $to) = @{ $seen->{rest} || return }{qw(from to)};
    my $rest_s = _growth($from, $to, 'at_s');
    return if !defined $rest_s || $rest_s < REST_LEAST_S;
    return
        map { _judged("pressure_$_", _part(_growth($from, $to, "${_}_us"), $rest_s * 1e6), @PRESSURE) }
        qw(cpu io memory);
}

sub _affinity {
    my ($seen) = @_;
    my ($online, $usable) = @{ $seen->{cpus} }{qw(online usable)};
    return if !defined $online || !defined $usable || $usable >= $online;
    return { cause => 'affinity', level => $usable < $seen->{copies} ? 'disturbed' : 'note', value => $usable };
}

# Returns the disturbance "overlap" or nothing. Copies start together, so they overlap for the time of the shortest one.
sub _overlap {
    my ($seen)    = @_;
    my @elapsed_s = @{ $seen->{elapsed_s} || [] };
    my $longest_s = List::Util::max(@elapsed_s);
    return if @elapsed_s < 2 || $longest_s <= 0;
    my $overlap = List::Util::min(@elapsed_s) / $longest_s;
    return if $overlap >= OVERLAP;
    return { cause => 'overlap', level => 'disturbed', value => $overlap };
}

# Takes a cause, its value or undef, and the least values of both levels; returns the disturbance or nothing. The value
# is rounded to six digits, so that a rounding error of a time cannot put it below a limit.
sub _judged {
    my ($cause, $value, $note, $disturbed) = @_;
    return if !defined $value;
    $value = 0 + sprintf '%.6g', $value;
    return if $value < List::Util::min($note, $disturbed);
    return { cause => $cause, level => $value >= $disturbed ? 'disturbed' : 'note', value => $value };
}

# Returns the stolen part of the time of all CPUs, or undef. One tick is subtracted: it may have begun before the pass.
sub _steal {
    my ($before, $after, $window_s) = @_;
    my $ticks = _growth($before, $after, 'steal_ticks');
    return if !defined $ticks || !$after->{cpus};
    return _part(List::Util::max(0, $ticks - 1) * TICK_S, $after->{cpus} * $window_s);
}

# Returns the number of CPUs that other processes used, or undef. There are two measures. Both can be too high, so the
# lesser one is used. Busy ticks miss processes that run between ticks and overrate those that run at ticks. The time
# that was not idle is exact if the kernel stops its ticks, but it includes the switches between processes.
sub _others {
    my ($before, $after, $window_s) = @_;
    my @growths = map { _growth($before, $after, $_) } qw(busy_ticks unused_ticks ours_s ours_kernel_s);
    return if grep { !defined } @growths;
    my ($busy, $unused, $ours_s, $kernel_s) = @growths;
    my $busy_s   = List::Util::min($busy * TICK_S,   $after->{cpus} * $window_s - $unused * TICK_S);
    my $served_s = List::Util::min(SERVED * $ours_s, SERVED_IN_KERNEL * $kernel_s);
    return List::Util::max(0, $busy_s - $ours_s - $served_s - UNSURE_S) / $window_s;
}

# Takes the name of a counter; returns a function that returns the growth of this counter.
sub _grown {
    my ($counter) = @_;
    return sub { my ($before, $after) = @_; return _growth($before, $after, $counter) };
}

# Takes the name of a counter; returns a function that returns the growth of this counter per second.
sub _rate {
    my ($counter) = @_;
    return sub {
        my ($before, $after, $window_s) = @_;
        my $growth = _growth($before, $after, $counter);
        return defined $growth ? $growth / $window_s : undef;
    };
}

# Returns the growth of a counter, or undef if one value is missing or the counter went backwards.
sub _growth {
    my ($from, $to, $counter) = @_;
    my ($first, $last) = map { $_->{$counter} } $from, $to;
    return defined $first && defined $last && $last >= $first ? $last - $first : undef;
}

sub _part {
    my ($some, $all) = @_;
    return defined $some && $all > 0 ? List::Util::min(1, $some / $all) : undef;
}

1;
