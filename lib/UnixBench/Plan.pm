package UnixBench::Plan;

# Plans the runs: which tests they have, and how long they take. A quick run may measure several states of the machine
# in turns: then each test has a lane for each state.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Base::Text qw(clean counted percent plus_minus);
use UnixBench::Base::Time qw(duration_in_brief limit_in_brief);
use UnixBench::Catalog    ();
use UnixBench::Plan::Test ();

use constant {
    START_S        => 0.1,      # to start and collect an official pass
    SHORT_START_S  => 0.02,     # the same for a short pass
    START_MORE_S   => 0.005,    # the same for each further copy
    ROUNDS_LEAST   => 3,        # of a quick run, whatever its time limit
    ROUNDS_ALLOWED => 8,        # the rounds that a time limit has to allow
    LASTS_S        => 50,       # of a quick run, unless its time limit is shorter: noise may last that long
    ROUND_MARGIN   => 1.1,      # rounds may take 10 % longer than planned
    RESERVE_S      => 2,        # time of a quick run that is reserved for writing the reports
    RESERVE_MORE_S => 0.01,     # the same for each further copy
    SHORT_ROUND_S  => 10,       # a shorter round is described with a tenth of a second
    SWEEP_MOST     => 9,        # numbers of copies of a sweep
    BELOW          => 23,       # the column of a second line for a test
};

use constant UNGATED => <<'END';
Under a command that closes descriptors, as docker and ssh do, copies can't start at the same instant: there each pass
takes 2 s or more.
END

# Takes these arguments:
#   tests                  [names]
#   copies                 [numbers]
#   iterations, timeout_s  the values of these options, or undef
#   factor                 1, or the fraction of the official seconds that a pass lasts
#   words                  { bindir, tmpdir } for the commands, and perhaps stand_ins, { program => another one }
#   is_there               function that takes a program, as a path or a name in PATH, and returns whether it exists
#   display, display_refusal   see UnixBench::Host::Machine; the latter is a function (optional)
#   quick                  { seed, precision, max_time_s } for a quick run, else undef
#   states                 [states that a quick run measures apart from the plain machine], each { command, words,
#                          option }: the text of the command under which copies run, [its words, in front of a copy's
#                          own command], and the option with the command. A state without words is one of the machine:
#                          it also has on and off, [words of the command] that begins and ends it, and off_command, the
#                          text of the latter (optional)
#   experiment             the class of the option that asks for them, see UnixBench::Plan::Wish (optional)
#   load                   the load of a test that has one, see UnixBench::Catalog
#   extras                 [extra passes], see UnixBench::Plan::Wish (optional)
#
# Returns the plan, { copies => [numbers], tests => [test], states => [{ command, words, option }, ...], settle_s =>
# [seconds, ...], rest_s, quick, factor, extras, experiment, duration_s, display => the one that will be used, or undef
# }, and perhaps pace, see spread(). For each test see UnixBench::Plan::Test. The first state is the plain machine,
# without a command.
sub make {
    my %wish   = @_;
    my %pauses = UnixBench::Plan::Test::pauses($wish{quick});
    my $plan   = {
        copies     => $wish{copies},
        quick      => $wish{quick},
        factor     => $wish{factor},
        extras     => $wish{extras} || [],
        experiment => $wish{experiment},
        states     => [{ command => undef, words => [] }, @{ $wish{states} || [] }],
        settle_s   => [map { $_ * $wish{factor} } @{ $pauses{settle_s} }],
        rest_s     => $pauses{rest_s} * $wish{factor},
        tests      => [map { UnixBench::Plan::Test::planned(UnixBench::Catalog::test($_), \%wish) } @{ $wish{tests} }],
    };
    $plan->{duration_s} = _duration_s($plan);
    $plan->{display}    = _has_graphics($plan) ? $wish{display} : undef;
    return $plan;
}

sub _duration_s {
    my ($plan) = @_;
    return List::Util::sum(extra_s($plan), map { run_s($plan, $_) } @{ $plan->{copies} });
}

# Takes the goals of a quick run, see make(), and a number of copies; returns the time limit of that run, in seconds.
sub limit_s {
    my ($quick, $copies) = @_;
    return ($quick->{limits_s} || {})->{$copies} // $quick->{max_time_s};
}

# Takes the plan of a quick run. Makes the time limit of each number of copies longer if its rounds need more.
sub allow_rounds {
    my ($plan) = @_;
    my ($quick, @copies) = ($plan->{quick}, @{ $plan->{copies} });
    my %limit = map { $_ => List::Util::max($quick->{max_time_s}, POSIX::ceil(_least_s($plan, $_))) } @copies;
    $quick->{limits_s} = \%limit;
    return limit_time($plan, List::Util::max(values %limit));
}

# Takes the plan of a quick run and seconds; gives the run this time limit.
sub limit_time {
    my ($plan, $max_time_s) = @_;
    $plan->{quick}{max_time_s} = $max_time_s;
    $plan->{duration_s} = _duration_s($plan);
    return;
}

# Takes the plan of a quick run, the pace of its rounds, see UnixBench::Plan::Wish, and seconds. Spreads the
# rounds over this time.
sub spread {
    my ($plan, $pace, $over_s) = @_;
    $plan->{pace} = $pace;
    delete $plan->{quick}{precision};
    limit_time($plan, $over_s);
    return;
}

# Takes the number of passes of a long test, or undef, and names of tests; returns the tests as in an official run.
sub official {
    my ($iterations, @names) = @_;
    my %words = (bindir => 'pgms', tmpdir => 'tmp');
    my @how   = (factor => 1, words => \%words, is_there => sub { 1 });
    return @{ make(tests => \@names, copies => [1], iterations => $iterations, @how)->{tests} };
}

# Takes a plan and a number of copies. Returns the seconds of the passes of that run; for a quick run, their maximum.
sub run_s {
    my ($plan, $copies) = @_;
    my $quick = $plan->{quick};
    return List::Util::max(limit_s($quick, $copies), rounds_least($plan) * round_s($plan, $copies)) if $quick;
    my $pause_s = List::Util::sum(0, @{ $plan->{settle_s} }) + START_S;
    return List::Util::sum(0, map { $_->{passes_wanted} * ($_->{pass_s} + $pause_s) } measured($plan, $copies));
}

# Returns the seconds of the extra passes of all runs.
sub extra_s {
    my ($plan) = @_;
    my @tests  = map { measured($plan, $_) } @{ $plan->{copies} };
    my $sum_s  = 0;
    for my $extra (@{ $plan->{extras} }) {
        $sum_s += $extra->seconds($_) for @tests;
    }
    return $sum_s;
}

# Returns the seconds of a round with that many copies: each test once, without pauses.
sub round_s {
    my ($plan, $copies) = @_;
    return short_passes_s(measured($plan, $copies));
}

# Takes a plan and the number of CPUs; returns the CPU time of a round with that many copies, in seconds.
sub round_cpu_s {
    my ($plan, $copies, $cpus) = @_;
    return List::Util::sum(0,
        map { short_passes_s($_) * List::Util::min($cpus, $copies * $_->{needs}{cpus}) } measured($plan, $copies));
}

# Returns the seconds of the passes that warm up before a run with that many copies.
sub warm_up_s {
    my ($plan, $copies) = @_;
    return short_passes_s(map { $_->{warm_up} || () } measured($plan, $copies));
}

# Takes tests with short passes. Returns the seconds of one of each, one after the other.
sub short_passes_s {
    my (@tests) = @_;
    return List::Util::sum(0, map { $_->{pass_s} + SHORT_START_S } @tests);
}

# Returns whether the plan is a quick run whose time limit has to allow eight rounds. That of a run with shortened
# passes need not: most of its time is spent between the passes.
sub is_kept_in_time {
    my ($plan) = @_;
    return $plan->{quick} && $plan->{factor} >= 1 ? 1 : 0;
}

# Takes a plan; returns how many rounds its time limit has to allow: eight, and all orders of the states.
sub rounds_allowed {
    my ($plan) = @_;
    return List::Util::max(ROUNDS_ALLOWED, set_size(scalar @{ $plan->{states} }));
}

# Takes a plan; returns how many rounds are made whatever the time limit: at least three, in complete sets of orders.
sub rounds_least {
    my ($plan) = @_;
    return completed_rounds(ROUNDS_LEAST, scalar @{ $plan->{states} });
}

# Takes a plan; returns the parts that its result will have, see UnixBench::Base::Result.
sub parts {
    my ($plan)  = @_;
    my @several = (@{ $plan->{states} } > 1 ? 'experiment' : (), @{ $plan->{copies} } > 1 ? 'scaling' : ());
    my @tests   = map { $_->{category} } @{ $plan->{tests} };
    my @pace    = $plan->{pace} ? keys %{ $plan->{pace}->in_procedure } : ();
    return { map { $_ => 1 } @several, @pace, @tests, map { $_->key } @{ $plan->{extras} } };
}

# Returns the smallest time limit, in seconds, that allows these rounds of a quick run with each number of copies.
sub least_s {
    my ($plan) = @_;
    return List::Util::max(map { _least_s($plan, $_) } @{ $plan->{copies} });
}

sub _least_s {
    my ($plan, $copies) = @_;
    my @tests   = measured($plan, $copies);
    my $start_s = SHORT_START_S + ($copies - 1) * START_MORE_S;
    my @passes  = ((map { $_->{warm_up} || () } @tests), (@tests) x rounds_allowed($plan));
    return $plan->{rest_s} + ROUND_MARGIN * List::Util::sum(0, map { $_->{pass_s} + $start_s } @passes) +
        reserve_s($copies);
}

# Returns the seconds that are reserved at the end of a quick run.
sub reserve_s {
    my ($copies) = @_;
    return RESERVE_S + ($copies - 1) * RESERVE_MORE_S;
}

# Returns the lanes of a plan: each test in each state, one after the other. A lane is a test of the plan; state is the
# number of its state, and lane identifies it. Under a command (is_under), the time of a copy is the one that it
# reports: the rest is the start of that command.
sub lanes {
    my ($plan) = @_;
    my (undef, @others) = @{ $plan->{states} || [] };
    return map { _lanes($_, @others) } @{ $plan->{tests} };
}

sub _lanes {
    my ($test, @states) = @_;
    my $asked = $test->{asked} && { %{ $test->{asked} }, of => 'time_s', is_alone => 0 };
    my @lanes = map { +{ %$test, state => $_, lane => "$test->{name} in state $_" } } 1 .. @states;
    for my $lane (grep { @{ $states[$_->{state} - 1]{words} || [] } } @lanes) {
        @$lane{qw(is_under asked)} = (1, $asked);
    }
    return ($test, @lanes);
}

# Returns the lanes of a plan that are not skipped with that many copies.
sub measured {
    my ($plan, $copies) = @_;
    return grep { !defined skipped($_, $copies) } lanes($plan);
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

# Takes the number of usable CPUs and that of cores or undef. Returns the numbers of copies of a sweep, ascending: the
# powers of 2 up to the number of CPUs, half of it, the cores, and itself. If these are more than nine, it lacks the
# powers that are nearest to the number above them.
sub sweep {
    my ($cpus, $cores) = @_;
    my @kept  = (1, List::Util::max(1, int $cpus / 2), List::Util::min($cores || 1, $cpus), $cpus);
    my %fixed = map { $_ => 1 } @kept;
    my %is_in = %fixed;
    for (my $copies = 2; $copies < $cpus; $copies *= 2) { $is_in{$copies} = 1 }
    my @sweep = sort { $a <=> $b } keys %is_in;
    while (@sweep > SWEEP_MOST) {
        my ($near) = sort { $sweep[$a + 1] / $sweep[$a] <=> $sweep[$b + 1] / $sweep[$b] || $a <=> $b }
            grep { !$fixed{ $sweep[$_] } } 0 .. $#sweep;
        splice @sweep, $near, 1;
    }
    return @sweep;
}

# Returns the plan in words, a line for each run and each of its tests.
sub describe {
    my ($plan) = @_;
    my $text = _described_states(@{ $plan->{states} });
    for my $copies (@{ $plan->{copies} }) {
        $text .= sprintf "%s of tests, %s\n", counted($copies, 'parallel copy', 'parallel copies'),
            _length_of_run($plan, $copies);
        $text .= _described($_, $copies) for @{ $plan->{tests} };
        $text .= join q{}, map { $_->in_words($plan, $copies) } @{ $plan->{extras} };
    }
    return $text . 'In all ' . ($plan->{quick} ? 'at most ' : 'about ') . duration_in_brief($plan->{duration_s}) . "\n";
}

sub _described_states {
    my ($plain, @others) = @_;
    return q{} if !@others;
    my $text     = "Each test in turns in these states:\n";
    my @names    = names_of_states($others[0]{off_command}, map { $_->{command} } @others);
    my $is_under = grep { @{ $_->{words} } } @others;
    $text .= sprintf "  %s  %s\n", letter($_), clean($names[$_]) for 0 .. $#names;
    return $is_under ? $text . UNGATED : $text;
}

sub _described {
    my ($test, $copies) = @_;
    my $line    = sub { return sprintf "  %-20s %-40s %s\n", @$test{qw(name title)}, @_ };
    my $why_not = skipped($test, $copies);
    return $line->($why_not) if defined $why_not;
    my $passes = defined $test->{passes_wanted} ? sprintf('%2d x ', $test->{passes_wanted})  : q{};
    my $below  = $test->{load}                  ? q{ } x BELOW . "$test->{load}{in_words}\n" : q{};
    return $line->(sprintf '%s%g s', $passes, $test->{pass_s}) . $below;
}

sub _length_of_run {
    my ($plan, $copies) = @_;
    my $quick = $plan->{quick} or return duration_in_brief(run_s($plan, $copies));
    return $plan->{pace}->in_words if $plan->{pace};
    my ($least_s, $most_s) = (LASTS_S * $plan->{factor}, run_s($plan, $copies));
    my $least   = $least_s < $most_s ? limit_in_brief($least_s) . ' to ' : 'at most ';
    my $round_s = round_s($plan, $copies);
    my $round   = $round_s < SHORT_ROUND_S ? sprintf('%.1f s', $round_s) : duration_in_brief($round_s);
    return sprintf 'rounds of %s until %s, %s', $round,
        goal_of($quick, @{ $plan->{states} } > 1), $least . limit_in_brief($most_s);
}

# Takes the goals of a quick run, and whether it measures states in turns; returns in words when it ends before the time
# limit.
sub goal_of {
    my ($quick, $is_of_states) = @_;
    return 'the verdict is certain' if !defined $quick->{precision};
    return ($is_of_states ? 'each ratio is ' : q{}) . plus_minus(percent($quick->{precision}, 4));
}

sub _has_graphics {
    my ($plan) = @_;
    for my $test (grep { $_->{is_graphics} } @{ $plan->{tests} }) {
        return 1 if grep { !defined skipped($test, $_) } @{ $plan->{copies} };
    }
    return 0;
}

# The states of the machine that a run measures in turns have letters, and an order in each round.

# Takes the number of a state, from 0, the plain machine; returns its letter.
sub letter { my ($state) = @_; return chr $state + ord 'A' }

# Takes the command that ends the other state of the machine, or undef if copies ran under commands; and the commands
# of all states but the first. Returns the names of all states.
sub names_of_states {
    my ($off, @commands) = @_;
    return ('the plain machine', map { "under $_" } @commands) if !defined $off;
    return map { "after $_" } $off, @commands;
}

# Takes a run; returns " in B" for its state, or an empty text if there are no others.
sub in_state {
    my ($run) = @_;
    return $run->{others} || $run->{state} ? ' in ' . letter($run->{state}) : q{};
}

# Takes a number of states, at least 1. Returns the orders of the states 0, 1, ... in a balanced set of rounds: each
# state comes equally often at each place, and equally often directly after each other state. There are as many orders
# as states, or twice as many for an odd number of states above 1. Each order is followed by its reverse, so a linear
# drift cancels after every two rounds. E. Williams, Experimental Designs Balanced for the Estimation of Residual
# Effects of Treatments, Australian Journal of Scientific Research A 2 (1949).
sub orders {
    my ($states) = @_;
    return [[0]] if $states == 1;
    my @zigzag = map { $_ % 2 ? ($_ + 1) / 2 : -$_ / 2 } 0 .. $states - 1;
    my $pairs  = $states % 2 ? $states : $states / 2;
    my @orders;
    for my $by (0 .. $pairs - 1) {
        my @order = map { ($_ + $by) % $states } @zigzag;
        push @orders, \@order, [reverse @order];
    }
    return \@orders;
}

# Takes a number of states; returns the number of these orders.
sub set_size { my ($states) = @_; return scalar @{ orders($states) } }

# Takes a number of rounds and a number of states; returns the number of rounds that make complete sets of orders.
sub complete_rounds {
    my ($rounds, $states) = @_;
    return $rounds - $rounds % set_size($states);
}

# Takes a number of rounds and a number of states; returns the least number of rounds that makes complete sets and is
# not smaller.
sub completed_rounds {
    my ($rounds, $states) = @_;
    my $orders = set_size($states);
    return $orders * POSIX::ceil($rounds / $orders);
}

1;
