package UnixBench::Observe::Observation;

# The key observed of a test: how it is made, what makes sense there, what it counts, and the values that reports show:
# rates and shares of calls.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result   qw(tests_by_title);
use UnixBench::Base::Text     ();
use UnixBench::Observe::Calls qw(total);
use UnixBench::Score          ();

use constant {
    PER_LOOP_LEAST => 0.5,     # of a call that belongs to the loop
    SHARE_LEAST    => 0.01,    # the same if the number of loops is unknown
    MAIN_MOST      => 12,      # calls that a short report shows
};

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

# Takes a view and a run; returns its observed tests in the order of reports, each { title, known => see of_test() }.
sub of_run {
    my ($view, $run) = @_;
    my $measured = $view->with_passes($run) or return;
    my @tests    = grep { $_->{observed} } tests_by_title($measured->{tests});
    return map { { title => $_->{title}, known => of_test($_) } } @tests;
}

# Takes a test of a result that was observed. Returns { error, slowdown, loops, processes, unlisted } as in the result,
# perhaps undef, and
#   calls   [{ name, count, per_loop, mean_ns, max_ns, share }, ...] in the order of the result; per_loop is undef if
#           the loops are unknown, mean_ns if no call returned; share is a fraction of the time in the kernel
#   main    [those that belong to the loop], twelve at most
#   others  { calls (how many different calls), count, share } of all others, or undef if there are none
#   rows    the processes, each as in the result and with mean_ns, or undef
sub of_test {
    my ($test)   = @_;
    my $observed = $test->{observed};
    my @observed = @{ $observed->{calls} || [] };
    my %all      = (total_ns => total('total_ns', @observed), loops => $observed->{loops});
    my @calls = map  { _call($_, \%all) } @observed;
    my @main  = grep { defined $_->{per_loop} ? $_->{per_loop} >= PER_LOOP_LEAST : $_->{share} >= SHARE_LEAST } @calls;
    splice @main, MAIN_MOST if @main > MAIN_MOST;
    return {
        (map { $_ => $observed->{$_} } qw(error slowdown loops processes unlisted)),
        calls  => \@calls,
        main   => \@main,
        others => scalar _others(\@calls, \@main),
        rows   => $observed->{rows} && [map { +{ %$_, mean_ns => scalar _mean_ns($_) } } @{ $observed->{rows} }],
    };
}

sub _others {
    my ($calls, $main) = @_;
    my %is_main = map  { $_->{name} => 1 } @$main;
    my @others  = grep { !$is_main{ $_->{name} } } @$calls or return;
    return { calls => scalar @others, map { $_ => total($_, @others) } qw(count share) };
}

sub _call {
    my ($call, $all) = @_;
    return {
        (map { $_ => $call->{$_} } qw(name count max_ns)),
        per_loop => $all->{loops} ? $call->{count} / $all->{loops} : undef,
        mean_ns  => scalar _mean_ns($call),
        share    => $all->{total_ns} ? $call->{total_ns} / $all->{total_ns} : 0,
    };
}

sub _mean_ns {
    my ($of) = @_;
    return $of->{returned} ? $of->{total_ns} / $of->{returned} : undef;
}

1;
