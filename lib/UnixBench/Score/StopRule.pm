package UnixBench::Score::StopRule;

# The rule that ends a quick run: the result is precise enough, or there is no time for another round. If states are
# measured in turns, the precision is that of their ratios, and a run ends after a complete set of their orders.
#
# Each look at a result is one more chance that it looks better than it is. So there are few: after 24 rounds, and then
# each time that their number has grown by half. A mode in a tenth of the passes is seen in 24 of them with a
# probability of 92 %, in eight with 57 %. Noise that lasts is seen in a long time, not in many rounds: so no look ends
# a run that has not lasted for 50 seconds.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Result    qw(is_measured);
use UnixBench::Plan            ();
use UnixBench::Score::Estimate ();
use UnixBench::Score           ();
use UnixBench::Score::Spread   ();
use UnixBench::Score::Stats    ();

use constant {
    ROUNDS_LEAST    => UnixBench::Plan::ROUNDS_LEAST,    # they are always made
    ROUNDS_TO_REACH => 24,                               # the first look
    GROWTH          => 1.5,                              # of the rounds from one look to the next
    ROUNDS_KEPT     => 5,                                # repeated passes leave time for them
    OVERTIME_MOST   => 0.2,                              # of the limit, for the end of a set of orders
};

# Takes
#   precision   the largest half-width of each index's interval that is precise enough, as a fraction of 1 (0.01), or
#               undef if only the verdict matters
#   max_time_s  the time limit of a run, with its reports. The first rounds are made even if they take longer
#   limits_s    { number of copies => its own time limit } (optional)
#   is_decided  function that takes the run and returns whether more passes would not change the verdict (default: it
#               returns 1)
#   factor      the fraction of the usual seconds that a pass lasts (default: 1)
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(precision max_time_s limits_s is_decided factor));
    return bless { is_decided => sub { 1 }, factor => 1, %$given }, $class;
}

# Takes the run after a complete round, with statuses, scores and indexes, the seconds since the run began, and the
# seconds of its longest round. Returns 'reached', 'time' or, without a precision, 'certain' if this round is the last
# one, else undef. A set of the orders of states may end beyond the limit, by at most a fifth, if its end is nearer to
# the limit than its beginning.
sub decide {
    my ($self, $run, $elapsed_s, $round_s) = @_;
    my ($rounds, $copies, $states) = (@$run{qw(rounds copies)}, 1 + @{ $run->{others} || [] });
    my $orders = UnixBench::Plan::set_size($states);
    return if $rounds < ROUNDS_LEAST || $rounds % $orders;
    return defined $self->{precision} ? 'reached' : 'certain'
        if next_look($rounds, $states) == $rounds && $self->_is_reached($run, $elapsed_s);
    my $left_s = List::Util::max(0, $self->_end_s($copies) - $elapsed_s);
    return 'time' if $orders * $round_s > $left_s + List::Util::min($left_s, $self->_overtime_s($copies, $states));
    return;
}

# Takes a number of rounds and of states; returns the number of rounds, not smaller, after which the rule looks at the
# result. A look follows a complete set of orders.
sub next_look {
    my ($rounds, $states) = @_;
    my $looks = ROUNDS_TO_REACH;
    $looks = POSIX::ceil($looks * GROWTH) while UnixBench::Plan::completed_rounds($looks, $states) < $rounds;
    return UnixBench::Plan::completed_rounds($looks, $states);
}

# Takes a number of rounds. Returns the part of the probability of an error that the look after them may use, if all
# looks before the end of the time share it. The k-th look has 6 / (pi k)^2, and the sum over all k is 1.
sub part_of_look {
    my ($rounds) = @_;
    my ($number, $look) = (1, ROUNDS_TO_REACH);
    while (($look = POSIX::ceil($look * GROWTH)) <= $rounds) { $number++ }
    return 6 / (UnixBench::Score::Stats::PI * $number)**2;
}

# Takes a number of copies, the seconds since the run began, and the seconds of a short pass; returns whether this pass
# would end in time. Also takes the number of states, if it is not 1. A set of their orders may end up to a fifth beyond
# the limit, see decide(): a set is long, and rounds of an incomplete one would not count.
sub has_time_for {
    my ($self, $copies, $elapsed_s, $pass_s, $states) = @_;
    return $elapsed_s + $pass_s <= $self->_end_s($copies) + $self->_overtime_s($copies, $states // 1);
}

# Takes the numbers of copies and of states; returns the seconds by which the last set of orders may end late.
sub _overtime_s {
    my ($self, $copies, $states) = @_;
    return $states > 1 ? OVERTIME_MOST * UnixBench::Plan::limit_s($self, $copies) : 0;
}

sub _end_s {
    my ($self, $copies) = @_;
    return UnixBench::Plan::limit_s($self, $copies) - UnixBench::Plan::reserve_s($copies);
}

# Returns whether a short pass may be repeated: there must be time left for five rounds in all, and for those that
# complete a set of orders. Takes
#   copies     the number of copies
#   states     the number of states (default: 1)
#   round      the number of the present round
#   elapsed_s  the seconds since the run began
#   pass_s     the seconds of this short pass
#   ahead_s    the seconds of the rest of the round
#   round_s    the seconds of a complete round
sub may_repeat {
    my ($self, %time) = @_;
    my $in_set     = -$time{round} % UnixBench::Plan::set_size($time{states} // 1);
    my $rounds_due = List::Util::max($in_set, ROUNDS_KEPT - $time{round});
    my $due_s      = $time{pass_s} + $time{ahead_s} + $rounds_due * $time{round_s};
    return $time{elapsed_s} + $due_s <= $self->_end_s($time{copies});
}

# Takes a quick run. Returns the precision of its least precise index or, without an index, of the mean of all tests:
#   half_width  half the width of its interval, as a difference of logarithms, or undef if it is unknown
#   of          the title of the index or of the only test, or undef
#   is_index    whether it is an index, not a mean
sub precision_of {
    my ($run) = @_;
    my ($index, $half_width) = _least_sure($run);
    return {
        half_width => $half_width,
        of         => $index->{lacking}       ? UnixBench::Score::mean_of_subject($index) : $index->{title},
        is_index   => defined $index->{index} ? 1                                         : 0,
    };
}

sub _is_reached {
    my ($self, $run, $elapsed_s) = @_;
    return if $elapsed_s < UnixBench::Plan::LASTS_S * $self->{factor};
    return $self->{is_decided}->($run) if !defined $self->{precision};
    my (undef, $half_width) = _least_sure($run);
    return defined $half_width && $half_width <= $self->{precision} && $self->{is_decided}->($run);
}

# Returns the index with the widest interval, or the first index without an interval, and the half-width or undef.
sub _least_sure {
    my ($run) = @_;
    my @widest;
    for my $index (indexes($run)) {
        my $half_width = half_width($index, $run) // return ($index, undef);
        @widest = ($index, $half_width) if !@widest || $half_width > $widest[1];
    }
    return @widest;
}

# Takes an index of a quick run, and that run; returns half the width of its interval, as precision_of() does, or undef.
# If states are measured in turns, it is that of the least precise ratio.
sub half_width {
    my ($index, $run) = @_;
    my @half_widths = map { $_ && UnixBench::Score::Estimate::half_width($_) } estimates($index, $run);
    return (grep { !defined } @half_widths) ? undef : List::Util::max(@half_widths);
}

# Takes a quick run; returns its indexes. If there are none, returns all its measured tests as one index.
sub indexes {
    my ($run) = @_;
    return @{ $run->{indexes} } if @{ $run->{indexes} };
    my @tests = grep { is_measured($_) } @{ $run->{tests} };
    return { title => @tests == 1 ? $tests[0]{title} : undef, rows => [map { +{ %$_, baseline => 1 } } @tests] };
}

# Takes an index of a quick run, and that run. Returns the estimate of the index, or of its ratio in each other state;
# undef instead of one that is unknown.
sub estimates {
    my ($index, $run) = @_;
    if ($run->{others}) {
        require UnixBench::Score::Turns;
        return map { scalar UnixBench::Score::Turns::of_index($index, $run, $_)->{ratio} } @{ $run->{others} };
    }
    return @{ $index->{rows} } ? UnixBench::Score::Spread::of_index($index, $run) : undef;
}

1;
