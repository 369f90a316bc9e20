package UnixBench::Over::Pace;

# When the rounds of a run with --over begin. The time has a slot for each round, and the round begins at a random
# moment of its slot. The moments are the same for the same seed. A run that was resumed or stopped has the slots that
# are left, from then on: rounds are not made up for.

use strict;
use warnings;

use List::Util qw(max min);
use POSIX      ();

use UnixBench::Base::Time      qw(duration_in_brief limit_in_brief);
use UnixBench::Measure::Rounds ();
use UnixBench::Over            ();
use UnixBench::Plan            ();

use parent 'UnixBench::Plan::Wish';

use constant {
    MOST     => 1000,    # they keep the page of a day or a week small enough to be opened
    SLOT_S   => 60,      # the least length of a slot
    PART     => 0.04,    # of a CPU
    OF_TRIAL => 0.5,     # the same if UB_TIME_FACTOR makes passes short
    LONGER   => 1.05,    # rounds may need 5 % more CPU time than planned
    MINUTE   => 60,
};

sub has_pace { return 1 }

# Takes a plan, seconds, and the number of CPUs; returns the pace of its rounds. Dies with one line if they do not fit.
sub pace {
    my ($class, $plan, $over_s, $cpus) = @_;
    my ($copies, @others) = @{ $plan->{copies} };
    die "option --over: it measures one number of copies at a time; use -c once\n" if @others;
    my $cpu_s  = UnixBench::Plan::round_cpu_s($plan, $copies, $cpus);
    my $rounds = int min(MOST, $over_s / _slot_s($plan, $cpu_s));
    die _too_short($over_s, _slot_s($plan, 0), _slot_s($plan, $cpu_s)) if $rounds < UnixBench::Over::ROUNDS_LEAST;
    return bless {
        over_s  => $over_s,
        rounds  => $rounds,
        slot_s  => $over_s / $rounds,
        round_s => UnixBench::Plan::round_s($plan, $copies),
        load    => $cpu_s * $rounds / $over_s,
        seed    => $plan->{quick}{seed},
        },
        $class;
}

sub _slot_s {
    my ($plan, $cpu_s) = @_;
    my $factor = $plan->{factor};
    return max(SLOT_S * $factor, LONGER * $cpu_s / ($factor < 1 ? OF_TRIAL : PART));
}

# Names the least time that fits, as users write it, rounded up to minutes if it is longer than one.
sub _too_short {
    my ($over_s, $any_s, $slot_s) = @_;
    my $least   = UnixBench::Over::ROUNDS_LEAST;
    my $least_s = $least * $slot_s;
    my $fits    = $least_s < MINUTE ? POSIX::ceil($least_s) . 's' : POSIX::ceil($least_s / MINUTE) . 'm';
    return
        sprintf "option --over: %s is too short for %d rounds of %s; use --over %s or more%s\n",
        limit_in_brief($over_s), $least,
        $over_s < $least * $any_s ? ('any test', $fits, q{}) : ('these tests', $fits, ', or fewer tests');
}

# Returns how many rounds there will be.
sub rounds { my ($self) = @_; return $self->{rounds} }

# Takes how many rounds there were, and the present time of a clock; returns the seconds until the next round. The first
# slot begins with the first call. If a slot has passed without its round, because something stopped this program, the
# slot begins now.
sub wait_s {
    my ($self, $done, $now_s) = @_;
    my $slot_s  = $self->{slot_s};
    my $begin_s = ($self->{origin_s} //= $now_s - $done * $slot_s) + $done * $slot_s;
    if ($now_s > $begin_s + $slot_s) {
        $self->{origin_s} += $now_s - $begin_s;
        $begin_s = $now_s;
    }
    my $room_s = max(0, $slot_s - $self->{round_s});
    return max(0, $begin_s + $room_s * $self->_moment($done) - $now_s);
}

# Takes the number of a slot from 0; returns its random moment, a part of 1. The numbers of all slots have one seed:
# those of near seeds would differ by a constant.
sub _moment {
    my ($self, $number) = @_;
    my $random = UnixBench::Measure::Rounds::first_random($self->{seed});
    $random = UnixBench::Measure::Rounds::next_random($random) for 1 .. $number;
    return $random / UnixBench::Measure::Rounds::MODULUS;
}

# Takes how many rounds there were; returns about how many seconds all others need.
sub left_s {
    my ($self, $done) = @_;
    return max(0, $self->{rounds} - $done) * $self->{slot_s};
}

# Returns { over => what this key of the procedure of a result has }.
sub in_procedure {
    my ($self) = @_;
    return { over => { map { $_ => $self->{$_} } qw(over_s rounds) } };
}

# Returns the plan in words.
sub in_words {
    my ($self) = @_;
    return sprintf "%d rounds of %.1f s spread over %s,\n  one every %s, which use about %.1f %% of a CPU",
        $self->{rounds}, $self->{round_s}, limit_in_brief($self->{over_s}), duration_in_brief($self->{slot_s}),
        100 * $self->{load};
}

1;
