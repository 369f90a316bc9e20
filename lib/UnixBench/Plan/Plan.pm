package UnixBench::Plan::Plan;

# Plans the runs: makes the list of tests, with their commands and times, from options, catalog and settings.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Number   qw(percent plus_minus);
use UnixBench::Base::Text     qw(clean counted);
use UnixBench::Catalog        ();
use UnixBench::Plan::Test     ();
use UnixBench::Plan::UserLoad ();

use constant {
    START_S        => 0.1,      # to start and collect a pass
    TRACER_S       => 1,        # to start and end the tracer of a short pass
    START_MORE_S   => 0.005,    # the same for each further copy
    ROUNDS_LEAST   => 3,        # of a quick run
    ROUND_MARGIN   => 1.1,      # rounds may take 10 % longer than planned
    RESERVE_S      => 2,        # time of a quick run that is reserved for writing the reports
    RESERVE_MORE_S => 0.01,     # the same for each further copy
    BELOW          => 23,       # the column of a second line for a test
};

# Takes these arguments:
#   tests                  [names]
#   copies                 [numbers]
#   iterations, timeout_s  the values of these options, or undef
#   factor                 1, or the fraction of the official seconds that a pass lasts
#   words                  { bindir, tmpdir } for the commands, and perhaps stand_ins, { program => another one }
#   is_there               function that takes a program, as a path or a name in PATH, and returns whether it exists
#   display                see UnixBench::Host::Machine
#   quick                  { seed, precision, max_time_s } for a quick run, else undef
#   load                   the load of the multi-user test, see UnixBench::Plan::UserLoad
#   observe                whether each test has an observed pass in addition
#
# Returns the plan, { copies => [numbers], tests => [test], settle_s => [seconds, ...], rest_s, quick, factor,
# is_observed, duration_s, display => the one that will be used, or undef }. For each test see UnixBench::Plan::Test.
sub make {
    my %wish    = @_;
    my $lengths = UnixBench::Plan::Test::lengths($wish{quick});
    my $plan    = {
        copies      => $wish{copies},
        quick       => $wish{quick},
        factor      => $wish{factor},
        is_observed => $wish{observe} ? 1 : 0,
        settle_s    => [map { $_ * $wish{factor} } @{ $lengths->{settle_s} }],
        rest_s      => $lengths->{rest_s} * $wish{factor},
        tests       => [map { UnixBench::Plan::Test::planned(UnixBench::Catalog::test($_), \%wish) } @{ $wish{tests} }],
    };
    $plan->{duration_s} = List::Util::sum(observing_s_of_all($plan), map { run_s($plan, $_) } @{ $plan->{copies} });
    $plan->{display}    = _has_graphics($plan) ? $wish{display} : undef;
    return $plan;
}

# Takes a plan and a number of copies. Returns the seconds of the passes of that run; for a quick run, their maximum.
sub run_s {
    my ($plan, $copies) = @_;
    return List::Util::max($plan->{quick}{max_time_s}, ROUNDS_LEAST * round_s($plan, $copies)) if $plan->{quick};
    my $pause_s = List::Util::sum(0, @{ $plan->{settle_s} }) + START_S;
    return List::Util::sum(0, map { $_->{passes_wanted} * ($_->{pass_s} + $pause_s) } measured($plan, $copies));
}

# Returns the seconds of the observed passes of all runs.
sub observing_s_of_all {
    my ($plan) = @_;
    return List::Util::sum(0, map { observing_s($plan, $_) } @{ $plan->{copies} });
}

# Returns the seconds of the observed passes of the run with that many copies.
sub observing_s {
    my ($plan, $copies) = @_;
    return List::Util::sum(0, map { observed_s($_) } measured($plan, $copies));
}

# Returns the seconds of the observed pass of a test, with its tracer, or 0 if it has none.
sub observed_s {
    my ($test) = @_;
    my $observed = $test->{observed} or return 0;
    return TRACER_S + short_passes_s($observed);
}

# Returns the seconds of a round with that many copies: each test once, without pauses.
sub round_s {
    my ($plan, $copies) = @_;
    return short_passes_s(measured($plan, $copies));
}

# Takes tests with short passes. Returns the seconds of one of each, one after the other.
sub short_passes_s {
    my (@tests) = @_;
    return List::Util::sum(0, map { $_->{pass_s} + START_S } @tests);
}

# Returns whether the plan is a quick run whose time limit has to allow three rounds. That of a run with shortened
# passes need not: most of its time is spent between the passes.
sub is_kept_in_time {
    my ($plan) = @_;
    return $plan->{quick} && $plan->{factor} >= 1 ? 1 : 0;
}

# Returns the smallest time limit, in seconds, that allows three rounds of a quick run with each number of copies.
sub least_s {
    my ($plan) = @_;
    return List::Util::max(map { _least_s($plan, $_) } @{ $plan->{copies} });
}

sub _least_s {
    my ($plan, $copies) = @_;
    my @tests   = measured($plan, $copies);
    my $start_s = START_S + ($copies - 1) * START_MORE_S;
    my $round_s = List::Util::sum(0, map { $_->{pass_s} + $start_s } @tests);
    return $plan->{rest_s} + ROUNDS_LEAST * ROUND_MARGIN * $round_s + reserve_s($copies);
}

# Returns the seconds that are reserved at the end of a quick run.
sub reserve_s {
    my ($copies) = @_;
    return RESERVE_S + ($copies - 1) * RESERVE_MORE_S;
}

# Returns the largest number of passes of a test that a run can have.
sub passes_most {
    my ($plan, $test, $copies) = @_;
    return $test->{passes_wanted} if !$plan->{quick};
    return int(run_s($plan, $copies) / List::Util::max(START_S, round_s($plan, $copies))) + 1;
}

# Returns the tests of a plan that are not skipped with that many copies.
sub measured {
    my ($plan, $copies) = @_;
    return grep { !defined skipped($_, $copies) } @{ $plan->{tests} };
}

# Returns why a test is skipped with that many copies, or undef.
sub skipped {
    my ($test, $copies) = @_;
    return "skipped: $test->{kind} tests run as one copy" if $test->{copies_max} && $copies > $test->{copies_max};
    return $test->{skipped};
}

# Takes the number of usable CPUs and the names of tests. Returns the default numbers of copies: 1 and, if at least one
# of the tests allows it, the number of CPUs.
sub usual_copies {
    my ($cpus, @names) = @_;
    my @most = map { UnixBench::Catalog::category(UnixBench::Catalog::test($_)->{category})->{copies_max} } @names;
    return $cpus > 1 && grep({ !defined || $_ >= $cpus } @most) ? (1, $cpus) : 1;
}

# Returns the plan in words, a line for each run and each of its tests.
sub describe {
    my ($plan) = @_;
    my $text = q{};
    for my $copies (@{ $plan->{copies} }) {
        $text .= sprintf "%s of tests, %s\n", counted($copies, 'parallel copy', 'parallel copies'),
            _length_of_run($plan, $copies);
        $text .= _described($_, $copies) for @{ $plan->{tests} };
        $text .= _observing($plan, $copies);
    }
    return $text . 'In all ' . ($plan->{quick} ? 'at most ' : 'about ') . duration($plan->{duration_s}) . "\n";
}

sub _described {
    my ($test, $copies) = @_;
    my $line    = sub { return sprintf "  %-20s %-40s %s\n", @$test{qw(name title)}, @_ };
    my $why_not = skipped($test, $copies);
    return $line->($why_not) if defined $why_not;
    my $passes = defined $test->{passes_wanted} ? sprintf('%2d x ', $test->{passes_wanted})               : q{};
    my $below  = $test->{load} ? q{ } x BELOW . UnixBench::Plan::UserLoad::in_words($test->{load}) . "\n" : q{};
    return $line->(sprintf '%s%g s', $passes, $test->{pass_s}) . $below;
}

# Returns the lines about the tests that are observed after their passes, and about the tests that can't be observed.
sub _observing {
    my ($plan, $copies) = @_;
    my $seconds = observing_s($plan, $copies);
    my $text    = $seconds ? sprintf "  + each test once more, observed: %s\n", duration($seconds) : q{};
    my @without = grep { defined $_->{unobserved} } measured($plan, $copies);
    return $text . join q{}, map { "  $_->{name} is not observed: " . clean($_->{unobserved}) . "\n" } @without;
}

sub _length_of_run {
    my ($plan, $copies) = @_;
    my $quick = $plan->{quick} or return duration(run_s($plan, $copies));
    return sprintf 'rounds of %s until %s, at most %s', duration(round_s($plan, $copies)),
        plus_minus(percent($quick->{precision}, 3)), limit(run_s($plan, $copies));
}

# Takes seconds. Returns them in words: "45 s", "12 min", "1 h 5 min".
sub duration {
    my ($seconds) = @_;
    return sprintf '%.0f s', $seconds if $seconds < 100;
    my $minutes = int($seconds / 60 + 0.5);
    return $minutes < 60 ? "$minutes min" : sprintf '%d h %d min', int($minutes / 60), $minutes % 60;
}

# Takes a limit in seconds. Returns it in words, without rounding.
sub limit {
    my ($seconds) = @_;
    return $seconds % 60 || $seconds != int $seconds ? sprintf '%g s', $seconds : duration($seconds);
}

# Returns whether a graphics test will be run.
sub _has_graphics {
    my ($plan) = @_;
    for my $test (grep { $_->{is_graphics} } @{ $plan->{tests} }) {
        return 1 if grep { !defined skipped($test, $_) } @{ $plan->{copies} };
    }
    return 0;
}

# Takes a test of the plan and its first pass. Returns the test as it is measured from then on: if it has fixed work,
# with a fixed number of loops.
sub calibrated {
    my ($test, $pass) = @_;
    my $work      = $test->{fixed_work} or return $test;
    my $rate      = $pass->{count} / @{ $pass->{copies} };
    my $loops     = List::Util::max(1, int($rate * $work->{loops_each} * $test->{seconds} + 0.5));
    my @arguments = map { s/[{]loops[}]/$loops/r } @{ $work->{arguments} };
    return { %$test, command => [$test->{command}[0], @arguments], fixed_work => undef };
}

1;
