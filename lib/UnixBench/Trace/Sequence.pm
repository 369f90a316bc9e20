package UnixBench::Trace::Sequence;

# Checks the system calls of a program with a known loop: their order, and the number of loops.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format qw(counted listed);

# The longest break between loops that belong together, and the longest sequence that can repeat. Both are in loops.
use constant { BREAK_LOOPS => 2, PERIOD_LOOPS => 2 };

# Some architectures have a second, wider form of a call.
my %PLAIN_NAME = (getuid32 => 'getuid');

# Takes { calls => [name, ...], total, lost } from a tracer, loop => [the calls of a loop, in order], and times => how
# often the loop was run. Returns { is_right, loop, wanted (times), total, lost } and
#   times          how often the loop came in a row
#   before, after  the numbers of calls before and after that
#   seen           [the calls that repeat]
#   fault          the fault as a text, or undef; its positions are counted from 1
sub verdict {
    my ($sequence, %with) = @_;
    my ($loop, $wanted)   = @with{qw(loop times)};
    my @calls = map { $PLAIN_NAME{$_} // $_ } @{ $sequence->{calls} };
    my @runs  = _runs(\@calls, $loop);
    my $run   = _longest(@runs) || { at => scalar @calls, times => 0 };
    my $seen  = $run->{times} == $wanted ? $loop : _seen(\@calls, $run, $loop);
    my $fault = _lost($sequence) // _other_loop($seen, $loop) // _break(\@calls, \@runs, \%with);
    return {
        (map { $_ => $sequence->{$_} } qw(total lost)),
        is_right => defined $fault ? 0 : 1,
        loop     => $loop,
        wanted   => $wanted,
        times    => $run->{times},
        before   => $run->{at},
        after    => @calls - _end($run, $loop),
        seen     => $seen,
        fault    => $fault,
    };
}

# Takes a verdict on "syscall mix"; returns it as a text.
sub in_words {
    my ($verdict) = @_;
    my ($loop, $times) = @$verdict{qw(loop wanted)};
    my $program = "syscall -n $times mix";
    return "$program: $verdict->{fault}.\n" if defined $verdict->{fault};
    my ($before, $after) = map { counted($verdict->{$_}, 'call', 'calls') } qw(before after);
    return sprintf "%s made %s; none was lost.\nIt began with %s. Then came %s, in that order, %s. It ended with %s.\n",
        $program,
        counted($verdict->{total}, 'system call', 'system calls'), $before, join(q{, }, @$loop), _times($times), $after;
}

# Returns the places where the loop comes without a break, in order, each { at, times }: the position from 0, and how
# often the loop comes there.
sub _runs {
    my ($calls, $loop) = @_;
    my $at = 0;
    my @runs;
    while ($at + @$loop <= @$calls) {
        my $is_loop = _matching($calls, $at, $loop) == @$loop;
        if    ($is_loop && @runs && _end($runs[-1], $loop) == $at) { $runs[-1]{times}++ }
        elsif ($is_loop)                                           { push @runs, { at => $at, times => 1 } }
        $at += $is_loop ? @$loop : 1;
    }
    return @runs;
}

# Takes calls, a position and the loop; returns how many calls from that position on are the same as in the loop.
sub _matching {
    my ($calls, $at, $loop) = @_;
    my $matching = 0;
    $matching++ while $matching < @$loop && ($calls->[$at + $matching] // q{}) eq $loop->[$matching];
    return $matching;
}

sub _end {
    my ($run, $loop) = @_;
    return $run->{at} + $run->{times} * @$loop;
}

sub _longest {
    my (@runs) = @_;
    return List::Util::reduce { $b->{times} > $a->{times} ? $b : $a } @runs;
}

# Returns [calls], the longest sequence that repeats and includes a call of the loop. It is rotated so that it begins
# like the loop. If nothing repeats, it is empty.
sub _seen {
    my ($calls, $run, $loop) = @_;
    my %is_wanted = map { $_ => 1 } @$loop;
    my $best      = { length => $run->{times} * @$loop, calls => $run->{times} ? $loop : [] };
    for my $period (1 .. PERIOD_LOOPS * @$loop) {
        my ($at, $length) = _stretch($calls, $period);
        my @repeated = @$calls[$at .. $at + $period - 1];
        next if $length <= $best->{length} || !grep { $is_wanted{$_} } @repeated;
        $best = { length => $length, calls => \@repeated };
    }
    return _turned($best->{calls}, $loop);
}

# Takes calls and a period. Returns the position and the number of calls of the longest part that repeats with this
# period. The number is 0 if the part is shorter than two periods.
sub _stretch {
    my ($calls, $period) = @_;
    my ($best_at, $best, $same) = (0, 0, 0);
    for my $at ($period .. $#$calls) {
        $same = $calls->[$at] eq $calls->[$at - $period] ? $same + 1 : 0;
        ($best_at, $best) = ($at - $same - $period + 1, $same) if $same > $best;
    }
    return ($best_at, $best >= $period ? $best + $period : 0);
}

# Takes calls that repeat, and the loop. Returns the calls, rotated so that as many as possible match the loop.
sub _turned {
    my ($calls, $loop) = @_;
    my ($best,  $most) = ($calls, 0);
    for my $first (0 .. $#$calls) {
        my $turned   = [@$calls[$first .. $#$calls], @$calls[0 .. $first - 1]];
        my $matching = _matching($turned, 0, $loop);
        ($best, $most) = ($turned, $matching) if $matching > $most;
    }
    return $best;
}

# Returns the fault as a text if all loops have the same one, else undef.
sub _other_loop {
    my ($seen, $loop) = @_;
    my ($is, $wanted) = map { join ', ', @$_ } $seen, $loop;
    return if $is eq $wanted;
    my %is_seen = map  { $_ => 1 } @$seen;
    my @missing = grep { !$is_seen{$_} } @$loop;
    return 'the calls never came in that order' if @missing == @$loop;
    return listed(@missing) . (@missing == 1 ? ' is' : ' are') . " left out: the loop is $is" if @missing;
    return "the loop is $is instead of $wanted";
}

# Returns the fault of one loop as a text, or undef. If several breaks are close to each other, it is the first of them.
sub _break {
    my ($calls, $runs, $with) = @_;
    my ($loop, $wanted) = @$with{qw(loop times)};
    my @chain = _around_longest($runs, $loop);
    my ($times, $end) = ($chain[0]{times}, _end($chain[0], $loop));
    if (@chain > 1) {
        my $place = $end + _matching($calls, $end, $loop);
        return sprintf 'after %s %s, call %d was %s instead of %s', _times($times), join(q{, }, @$loop), $place + 1,
            $calls->[$place],
            $loop->[$place - $end];
    }
    return 'the loop came ' . _times($times) . " instead of $wanted" if $times != $wanted;
    return "$loop->[0] came once more before the loop" if $chain[0]{at}  && $calls->[$chain[0]{at} - 1] eq $loop->[0];
    return "$loop->[-1] came once more after the loop" if $end < @$calls && $calls->[$end] eq $loop->[-1];
    return;
}

# Returns the longest run of loops, and the runs before and after it that are close to each other.
sub _around_longest {
    my ($runs, $loop) = @_;
    my $longest = _longest(@$runs);
    my @chain;
    for my $run (@$runs) {
        my $is_far = @chain && $run->{at} - _end($chain[-1], $loop) > BREAK_LOOPS * @$loop;
        last if $is_far && grep { $_ == $longest } @chain;
        @chain = () if $is_far;
        push @chain, $run;
    }
    return @chain;
}

sub _lost {
    my ($sequence) = @_;
    my ($total, $lost) = @$sequence{qw(total lost)};
    return if !$lost;
    return "$lost of " . counted($total, 'call', 'calls') . ($lost == 1 ? ' is' : ' are') . ' lost';
}

sub _times { my ($times) = @_; return counted($times, 'time', 'times') }

1;
