package UnixBench::Observe::Syscalls;

# The system calls of a test in its observed pass: the data for a result. An object of this class is a tally of calls:
# for each name their number and their times.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Number    qw(NATURAL);
use UnixBench::Score::Score    ();

use constant {
    ROWS_MAX => 100,
    TOP      => 3,     # calls in the row of a process
};

# Returns the key observed of a test, see Base/README.md. Takes
#   tracer   the name of the tracer
#   command  [words] of the observed pass
#   pass     { count, time_s, timebase, unit, copies }, copies with their data
#   score    the score from the other passes, or undef
#   traced   { calls, processes, lost } and perhaps { rows, unlisted }, what a tracer returned
sub of_pass {
    my (%with) = @_;
    my ($pass, $traced) = @with{qw(pass traced)};
    my %kept = map { $_ => $traced->{$_} } grep { exists $traced->{$_} } qw(processes lost rows unlisted);
    return {
        (map { $_ => $with{$_} } qw(tracer command)),
        (map { $_ => $pass->{$_} } qw(count time_s timebase unit)),
        loops    => scalar _loops($pass),
        slowdown => scalar _slowdown($with{score}, $pass),
        %kept,
        calls => [in_order(@{ $traced->{calls} })],
    };
}

# Returns the number of loops, or undef if it is unknown. Copies report it, or else their counts are used, unless these
# are rates. A program that counts parts of loops reports both.
sub _loops {
    my ($pass)   = @_;
    my @copies   = @{ $pass->{copies} };
    my @reported = map { ($_->{data}{LOOPS} || [])->[0] } @copies;
    for my $loops (\@reported, $pass->{timebase} ? [map { $_->{count} } @copies] : ()) {
        return List::Util::sum(@$loops) if @$loops && !grep { ($_ // q{}) !~ NATURAL } @$loops;
    }
    return;
}

sub _slowdown {
    my ($score, $pass) = @_;
    return if !defined $score;
    my $slowdown = $score / UnixBench::Score::Score::rate($pass);
    return UnixBench::Score::Score::is_sensible($slowdown) ? $slowdown : undef;
}

# Makes an empty tally.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given), $class;
}

# Adds calls of one name. Takes the name and the numbers below; a missing number is 0 or unknown.
#   count     number of calls
#   returned  number of those that returned
#   total_ns  the time of those
#   max_ns    the longest time of one
#   delays    { from_ns => count }
sub add {
    my ($self, $name, %more) = @_;
    my $call = $self->{$name} ||= { name => $name, count => 0, returned => 0, total_ns => 0 };
    $call->{$_} += $more{$_} // 0 for qw(count returned total_ns);
    $call->{max_ns} = List::Util::max(grep { defined } $call->{max_ns}, $more{max_ns});
    my $delays = $more{delays} || {};
    $call->{delays}{$_} += $delays->{$_} for keys %$delays;
    return;
}

# Returns the calls in the form and order of a result, see Base/README.md. Delays that did not occur are left out.
sub calls {
    my ($self) = @_;
    return in_order(map { _call_of_result($_) } values %$self);
}

# Takes calls. Returns them in the order of a result: by total time, then by count, then by name.
sub in_order {
    my (@calls) = @_;
    my @sorted =
        sort { $b->{total_ns} <=> $a->{total_ns} || $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} } @calls;
    return @sorted;
}

# Returns { count, returned, total_ns, max_ns } of all calls; max_ns is undef if unknown.
sub sum {
    my ($self) = @_;
    my @calls  = values %$self;
    my %sum    = map { $_ => 0 } qw(count returned total_ns);
    for my $field (keys %sum) {
        $sum{$field} += $_->{$field} for @calls;
    }
    return { %sum, max_ns => List::Util::max(grep { defined } map { $_->{max_ns} } @calls) };
}

# Takes a number; returns that many calls at most, each { name, count }: the most frequent first, equal ones by name.
sub top {
    my ($self, $most) = @_;
    my @calls = sort { $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} } values %$self;
    splice @calls, $most if @calls > $most;
    return map { +{ name => $_->{name}, count => $_->{count} } } @calls;
}

sub _call_of_result {
    my ($call) = @_;
    my $delays = $call->{delays};
    my @from   = sort { $a <=> $b } grep { $delays->{$_} } keys %{ $delays || {} };
    return {
        (map { $_ => $call->{$_} } qw(name count returned total_ns max_ns)),
        delays => @from ? [map { +{ from_ns => $_ + 0, count => $delays->{$_} } } @from] : undef,
    };
}

# Takes [processes] and { processes, count }, the numbers of all processes and of all calls. Returns { rows, unlisted }
# of a result: rows of the processes with the most calls, and the sums of the other processes, if there are any. A
# process has
#   at      seconds since 1970
#   pid     the number of the process
#   tally   UnixBench::Observe::Syscalls
#   max_ns  its longest delay, or undef
sub rows {
    my ($processes, $all) = @_;
    my @rows = map { _row($_) } @$processes;
    @rows = sort { $b->{count} <=> $a->{count} || _by_time($a, $b) } @rows;
    splice @rows, ROWS_MAX if @rows > ROWS_MAX;
    @rows = sort { _by_time($a, $b) } @rows;
    my $count    = List::Util::sum(0, map { $_->{count} } @rows);
    my %unlisted = map { $_->[0] => List::Util::max(0, $_->[1]) } [processes => $all->{processes} - @rows],
        [count => $all->{count} - $count];
    return { rows => \@rows, $unlisted{processes} || $unlisted{count} ? (unlisted => \%unlisted) : () };
}

sub _by_time {
    my ($one, $other) = @_;
    return $one->{at} <=> $other->{at} || $one->{pid} <=> $other->{pid};
}

sub _row {
    my ($process) = @_;
    my $tally = $process->{tally};
    return {
        (map { $_ => $process->{$_} } qw(at pid)), %{ $tally->sum },
        max_ns => $process->{max_ns},
        top    => [$tally->top(TOP)],
    };
}

1;
