package UnixBench::Observe::Observation;

# The key observed of a test: how it is made, what makes sense there, and what it counts.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text ();
use UnixBench::Score      ();

# Returns the observation of a test. Takes
#   command  [words] of the observed pass
#   pass     { count, time_s, timebase, copies }, copies with their data
#   score    the score from the other passes, or undef
#   traced   { calls } and perhaps { processes, rows, unlisted }, see UnixBench::Observe::Strace
sub of_pass {
    my (%with) = @_;
    return {
        command  => $with{command},
        loops    => scalar _loops($with{pass}),
        slowdown => scalar _slowdown(@with{qw(score pass)}),
        %{ $with{traced} },
    };
}

# Returns the number of loops, or undef if it is unknown. Copies report it, or else their counts are used, unless these
# are rates. A program that counts parts of loops reports both.
sub _loops {
    my ($pass)   = @_;
    my @copies   = @{ $pass->{copies} };
    my @reported = map { ($_->{data}{LOOPS} || [])->[0] } @copies;
    for my $loops (\@reported, $pass->{timebase} ? [map { $_->{count} } @copies] : ()) {
        return List::Util::sum(@$loops) if @$loops && !grep { ($_ // q{}) !~ UnixBench::Base::Text::NATURAL } @$loops;
    }
    return;
}

sub _slowdown {
    my ($score, $pass) = @_;
    return if !defined $score;
    my $slowdown = $score / UnixBench::Score::rate($pass);
    return UnixBench::Score::is_sensible($slowdown) ? $slowdown : undef;
}

# Takes the observation of a test; dies with one line unless it has either calls or an error, or if its slowdown is
# absurd.
sub check {
    my (undef, $observed) = @_;
    die "an observation must have either calls or an error\n" if 1 != grep { defined $observed->{$_} } qw(calls error);
    die "the slowdown of an observation is out of range\n"
        if !UnixBench::Score::is_sensible($observed->{slowdown} // 1);
    return;
}

# Takes the observation of a test; returns { calls => system calls a loop }, or {} if they are unknown.
sub counts {
    my (undef,  $observed) = @_;
    my ($calls, $loops)    = @$observed{qw(calls loops)};
    return {} if !$loops || !@{ $calls || [] };
    return { calls => List::Util::sum(map { $_->{count} } @$calls) / $loops };
}

1;
