package UnixBench::Noise::Disturbances;

# Judges what disturbed a pass: looks in (see UnixBench::Noise::Snapshot), tags out. What was not seen at both ends of a
# window, or has been set back meanwhile, is not judged.

use strict;
use warnings;

use List::Util ();

use constant {
    ANY          => 1e-9,    # the least of what counts from 0
    FEW          => 10,      # faults: kernels that reclaim memory nobody has used for a while cause some all the time
    REST_LEAST_S => 0.9,     # a shorter rest tells nothing
    OVERLAP      => 0.95,    # of the window in which at least one copy ran
    TICK_S       => 0.01,    # what CPU times are counted in: USER_HZ, see proc(5)
};

# Each CPU time is cut at both ends: its growth is off by up to a tick, with a standard deviation of TICK_S / sqrt 6. In
# "others" stand seven, three of /proc/stat and four of times(2), so this is about three times that of their sum.
use constant UNSURE_S => 0.03;

# Threads of the kernel clear up behind our processes and write what they have written: measured for all programs, at
# most 4.4 % of our CPU time and 15 % of that which we spent in the kernel.
use constant { SERVED => 0.05, SERVED_IN_KERNEL => 0.2 };

# Cause, value, from where on it is worth a note, from where on it disturbs.
my @DURING = (
    ['steal',        \&_steal,              0.01, 0.05],
    ['others',       \&_others,             0.02, 0.10],
    ['throttled',    _grown('throttled'),   ANY,  ANY],
    ['thermal',      _grown('thermal'),     ANY,  ANY],
    ['swap',         _rate('swap'),         ANY,  100],
    ['major_faults', _rate('major_faults'), FEW,  100],
);
my @PRESSURE = (0.01, 0.05);

# What belongs to the machine that is measured, or will not be gone a second later.
my %LASTS = map { $_ => 1 } qw(steal throttled affinity refused);

# Takes a pass, perhaps one at which nobody looked; tells whether something disturbed it.
sub is_disturbed {
    my ($pass) = @_;
    return scalar grep { $_->{level} eq 'disturbed' } @{ $pass->{tags} || [] };
}

# Takes the results of the copies of a pass; returns the tag of the processes that the system refused to start for them,
# which they tell by the line "REFUSED|number", or nothing.
sub refused {
    my ($copies) = @_;
    my @counts   = grep { /\A[0-9]{1,15}\z/ } map { @{ $_->{data}{REFUSED} || [] } } @$copies;
    my $count    = List::Util::sum(0, @counts);
    return $count ? { cause => 'refused', level => 'disturbed', value => $count } : ();
}

# Takes a tag; tells whether the pass may do better when it is made again at once.
sub is_worth_repeating {
    my ($tag) = @_;
    return $tag->{level} eq 'disturbed' && !$LASTS{ $tag->{cause} };
}

# Takes { rest => { from, to } (looks at pressure, or undef), running, usable_cpus, cpus => { online, usable },
# before and after => counters, copies => number, elapsed_s => [of each copy] or undef where their overlap is no
# matter }; returns the tags, each { cause, level, value }.
sub tags {
    my ($seen) = @_;
    return (_during($seen), _run_queue($seen), _pressure($seen), _affinity($seen), _overlap($seen));
}

sub _during {
    my ($seen) = @_;
    my ($before, $after) = @$seen{qw(before after)};
    my $window_s = _growth($before, $after, 'at_s') or return;
    return map { _tag($_->[0], scalar $_->[1]->($before, $after, $window_s), @$_[2, 3]) } @DURING;
}

sub _run_queue {
    my ($seen) = @_;
    return if !defined $seen->{running};
    return _tag('run_queue', $seen->{running} - 1, 1, $seen->{usable_cpus});
}

sub _pressure {
    my ($seen) = @_;
    my ($from, $to) = @{ $seen->{rest} || return }{qw(from to)};
    my $rest_s = _growth($from, $to, 'at_s');
    return if !defined $rest_s || $rest_s < REST_LEAST_S;
    return
        map { _tag("pressure_$_", _part(_growth($from, $to, "${_}_us"), $rest_s * 1e6), @PRESSURE) } qw(cpu io memory);
}

sub _affinity {
    my ($seen) = @_;
    my ($online, $usable) = @{ $seen->{cpus} }{qw(online usable)};
    return if !defined $online || !defined $usable || $usable >= $online;
    return { cause => 'affinity', level => $usable < $seen->{copies} ? 'disturbed' : 'note', value => $usable };
}

# Copies start together.
sub _overlap {
    my ($seen)    = @_;
    my @elapsed_s = @{ $seen->{elapsed_s} || [] };
    my $longest_s = List::Util::max(@elapsed_s);
    return if @elapsed_s < 2 || $longest_s <= 0;
    my $overlap = List::Util::min(@elapsed_s) / $longest_s;
    return if $overlap >= OVERLAP;
    return { cause => 'overlap', level => 'disturbed', value => $overlap };
}

# Values have six digits: so limits are met in spite of the binary fractions of times.
sub _tag {
    my ($cause, $value, $note, $disturbed) = @_;
    return if !defined $value;
    $value = 0 + sprintf '%.6g', $value;
    return if $value < List::Util::min($note, $disturbed);
    return { cause => $cause, level => $value >= $disturbed ? 'disturbed' : 'note', value => $value };
}

# One tick may be no more than the end of one.
sub _steal {
    my ($before, $after, $window_s) = @_;
    my $ticks = _growth($before, $after, 'steal_ticks');
    return if !defined $ticks || !$after->{cpus};
    return _part(List::Util::max(0, $ticks - 1) * TICK_S, $after->{cpus} * $window_s);
}

# What all processes used, without ours. The ticks that find a process running miss those that run between ticks, and
# hit those that run at them; idle time is exact where the kernel stops its ticks, but has no part of the way from
# process to process. The lesser of both is what is sure.
sub _others {
    my ($before, $after, $window_s) = @_;
    my @growths = map { _growth($before, $after, $_) } qw(busy_ticks unused_ticks ours_s ours_kernel_s);
    return if grep { !defined } @growths;
    my ($busy, $unused, $ours_s, $kernel_s) = @growths;
    my $busy_s   = List::Util::min($busy * TICK_S,   $after->{cpus} * $window_s - $unused * TICK_S);
    my $served_s = List::Util::min(SERVED * $ours_s, SERVED_IN_KERNEL * $kernel_s);
    return List::Util::max(0, $busy_s - $ours_s - $served_s - UNSURE_S) / $window_s;
}

sub _grown {
    my ($counter) = @_;
    return sub { my ($before, $after) = @_; return _growth($before, $after, $counter) };
}

# A second.
sub _rate {
    my ($counter) = @_;
    return sub {
        my ($before, $after, $window_s) = @_;
        my $growth = _growth($before, $after, $counter);
        return defined $growth ? $growth / $window_s : undef;
    };
}

# Undef where either is not known, or the counter has been set back.
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
