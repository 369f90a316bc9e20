package UnixBench::Plan::Plan;

# Plans the runs: makes the list of tests from options, catalog and settings. Plans each test: its commands, seconds and
# limits, for passes of an official run, short passes of a quick run, and the short pass that is observed.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Number   qw(percent plus_minus);
use UnixBench::Base::Text     qw(clean counted);
use UnixBench::Base::Time     qw(duration_in_brief limit_in_brief);
use UnixBench::Catalog        ();
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
    GRACE_S        => 60,       # time limit of a copy: 1.5 times its seconds plus this
    SECONDS_LEAST  => 0.01,
};
use constant UNOBSERVED => 'it has no short passes';

# The differences between official runs, quick runs and observed passes.
my @LENGTHS = (

    # key       official quick observed
    [is_short  => 0,      1,   1],      # whether passes are short
    [settle_s  => [1, 2], [],  []],     # pauses after the flushes before a pass
    [rest_s    => 0,      1,   1],      # pause before a run, to watch other programs
    [priming_s => 2,      0.3, 0],      # time in which a file test fills its files
    [settling  => 1,      0,   0],      # fraction of the usual time that a file test gives the disk to settle
    [warm_up_s => 5,      0.5, 0.5],    # time in which the gears are drawn before their frames are counted
    [lead_s    => 1,      0.3, 0.3],    # time in which interactive tests run before their frames are counted
    [drain_s   => 0,      0.5, 0.5],    # time limit for a file test to wait for pages on their way to the disk
    [repeats   => 3,      1,   1],      # repeats of the tests of x11perf
);
my %OFFICIAL = map { $_->[0] => $_->[1] } @LENGTHS;
my %QUICK    = map { $_->[0] => $_->[2] } @LENGTHS;
my %OBSERVED = map { $_->[0] => $_->[3] } @LENGTHS;

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
# is_observed, duration_s, display => the one that will be used, or undef }. For each test see planned().
sub make {
    my %wish    = @_;
    my $lengths = $wish{quick} ? \%QUICK : \%OFFICIAL;
    my $plan    = {
        copies      => $wish{copies},
        quick       => $wish{quick},
        factor      => $wish{factor},
        is_observed => $wish{observe} ? 1 : 0,
        settle_s    => [map { $_ * $wish{factor} } @{ $lengths->{settle_s} }],
        rest_s      => $lengths->{rest_s} * $wish{factor},
        tests       => [map { planned(UnixBench::Catalog::test($_), \%wish) } @{ $wish{tests} }],
    };
    $plan->{duration_s} = _duration_s($plan);
    $plan->{display}    = _has_graphics($plan) ? $wish{display} : undef;
    return $plan;
}

sub _duration_s {
    my ($plan) = @_;
    return List::Util::sum(observing_s_of_all($plan), map { run_s($plan, $_) } @{ $plan->{copies} });
}

# Takes the plan of a quick run and seconds; gives the run this time limit.
sub limit_time {
    my ($plan, $max_time_s) = @_;
    $plan->{quick}{max_time_s} = $max_time_s;
    $plan->{duration_s} = _duration_s($plan);
    return;
}

# Takes the number of passes of a long test, or undef, and names of tests; returns the tests as in an official run.
sub official {
    my ($iterations, @names) = @_;
    my %words = (bindir => 'pgms', tmpdir => 'tmp');
    my @how   = (factor => 1, words => \%words, is_there => sub { 1 });
    return @{ make(tests => \@names, copies => [1], iterations => $iterations, @how)->{tests} };
}

# Takes a test of the catalog and the arguments of make(). Returns { name, title, category, command => [words], input,
# is_graphics, writes, passes_wanted (undef in a quick run), seconds, limit_s, pass_s, drain_s, fixed_work, needs, load,
# copies_max, kind, skipped => reason or undef, runs => [programs of the system] or undef, asked }. asked is undef if a
# pass takes its own time, else
#   seconds        the seconds that were asked for
#   of             the key of a copy's result that should have this value; or "answers", if the seconds are estimated,
#                  and the copy reports the times of its answers
#   loops_at_once  the number of loops between two looks at the time
#   is_alone       whether a copy works all the time, without processes of its own
#
# If tests are to be observed, the result also has observed, which describes one short pass in the same way. It has one
# more key: first is a command that runs in the scratch directory of each copy before the copies start, or undef. A
# test without such a pass has observed => undef and unobserved => the reason.
sub planned {
    my ($test, $wish) = @_;
    my %how   = (%$wish, lengths => $wish->{quick} ? \%QUICK : \%OFFICIAL);
    my $timed = $test->{has_users} ? _planned_with_users($test, \%how) : _timed($test, \%how);
    return $timed if !$wish->{observe};
    my $observed = $test->{has_users} ? undef : _observed($test, $wish);
    return { %$timed, observed => $observed, unobserved => $observed ? undef : UNOBSERVED };
}

# Plans the multi-user test, whose time and needs come from its load.
sub _planned_with_users {
    my ($given, $wish) = @_;
    my $load  = $wish->{load} || UnixBench::Plan::UserLoad::usual();
    my $test  = UnixBench::Plan::UserLoad::is_search($load) ? UnixBench::Catalog::as_search($given) : $given;
    my %words = (%{ $wish->{words} }, %{ UnixBench::Plan::UserLoad::words($load) });
    my $timed = _timed($test, { %$wish, words => \%words });
    my $why   = $load->{script}{why_not};
    $timed->{skipped} //= "skipped: $why" if defined $why;
    my $pass_s = UnixBench::Plan::UserLoad::pass_s($load) // $test->{seconds};
    return {
        %$timed,
        load    => $load,
        needs   => UnixBench::Plan::UserLoad::needs($load),
        asked   => { %{ $timed->{asked} }, seconds => $pass_s },
        seconds => $pass_s,
        pass_s  => $pass_s,
        limit_s => $wish->{timeout_s} || UnixBench::Plan::UserLoad::limit_s($load),
    };
}

# Plans the observed pass of a test. It has no fixed work, because a tracer slows it down.
sub _observed {
    my ($test, $wish) = @_;
    my %wish   = (%$wish, lengths => \%OBSERVED);
    my $differ = $test->{observed} || {};
    my @more   = @{ $differ->{arguments} || [] };
    my $timed  = _timed({ %$test, shortened => [@{ $test->{shortened} }, @more], fixed_work => undef }, \%wish);
    my $first  = $differ->{first} && _filled_in($differ->{first}, $wish->{words});
    return { %$timed, first => $first };
}

sub _timed {
    my ($test, $wish)      = @_;
    my ($lengths, $factor) = @$wish{qw(lengths factor)};
    my $is_short = $lengths->{is_short};
    my $category = UnixBench::Catalog::category($test->{category});
    my ($full_s, $overhead_s) = @$test{ $is_short ? qw(short_s short_overhead_s) : qw(seconds overhead_s) };
    my $seconds = List::Util::max(SECONDS_LEAST, $full_s * $factor);
    return {
        (map { $_ => $test->{$_} } qw(name title category input needs runs writes)),
        command       => _command($test, $seconds, $wish),
        is_graphics   => $category->{is_graphics},
        skipped       => $category->{is_optional} ? scalar _why_skipped($test, $category, $wish) : undef,
        seconds       => $seconds,
        asked         => scalar _asked($test, $seconds),
        passes_wanted => $is_short ? undef : UnixBench::Catalog::passes($test, $wish->{iterations}),
        pass_s        => $seconds + $overhead_s * $factor,
        drain_s       => $test->{writes} ? $lengths->{drain_s} * $factor : 0,
        fixed_work    => $is_short       ? $test->{fixed_work}           : undef,
        limit_s       => $wish->{timeout_s} || $test->{limit_s} || $seconds * 1.5 + GRACE_S,
        (map { $_ => $category->{$_} } qw(copies_max kind)),
    };
}

# Takes a test of the catalog and its seconds; returns the duration of a pass, as above, or undef.
sub _asked {
    my ($test, $seconds) = @_;
    my %of       = (all => 'elapsed_s', work => 'time_s', answers => 'answers');
    my $of       = $of{ $test->{timed} } or return;
    my $is_alone = $test->{timed} eq 'all' && $test->{needs}{processes} == 1 ? 1 : 0;
    return { seconds => $seconds, of => $of, loops_at_once => $test->{loops_at_once}, is_alone => $is_alone };
}

sub _why_skipped {
    my ($test, $category, $wish) = @_;
    my ($program, $tool) = ($test->{command}[0], $test->{tool});
    my $advice = $category->{system} ? "it is for $category->{system}" : $category->{remedy};
    return join '; ', "skipped: there is no program $program", grep { defined } $advice
        if !$wish->{is_there}->("$wish->{words}{bindir}/$program");
    return "skipped: there is no program $tool; install it" if $tool && !$wish->{is_there}->($tool);
    return 'skipped: no X display; set DISPLAY or install xvfb'
        if $category->{is_graphics} && !defined $wish->{display};
    return;
}

sub _command {
    my ($test, $seconds, $wish) = @_;
    my ($lengths, $factor) = @$wish{qw(lengths factor)};
    my %words = (
        %{ $wish->{words} },
        seconds  => _decimal($seconds),
        repeats  => $lengths->{repeats},
        whole    => '-w',
        settling => _decimal($lengths->{settling} * $factor),
        priming  => _decimal($lengths->{priming_s} * $factor),
        warmup   => _decimal($lengths->{warm_up_s} * $factor),
        lead     => _decimal($lengths->{lead_s} * $factor),
    );
    my @command = @{ $test->{command} };
    push @command, @{ $test->{shortened} } if $factor != 1 || $lengths->{is_short};
    return _filled_in([grep { $_ ne '{whole}' || $lengths->{is_short} } @command], \%words);
}

# Takes [program in the directory of programs, arguments], and { word => its value }. Returns the command with its words
# filled in, and with the program that stands in for its own. {scratch} remains, because it differs for each copy.
sub _filled_in {
    my ($command, $words)     = @_;
    my ($program, @arguments) = @$command;
    s/[{](\w+)[}]/exists $words->{$1} ? $words->{$1} : "{$1}"/ge for @arguments;
    return ["$words->{bindir}/" . ($words->{stand_ins}{$program} // $program), @arguments];
}

# Takes a number. Returns it without an exponent, for the command line of a program.
sub _decimal {
    my ($number) = @_;
    my $text     = sprintf '%.6f', $number;
    $text =~ s/[.]?0+\z//;
    return $text;
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
    return $text . 'In all ' . ($plan->{quick} ? 'at most ' : 'about ') . duration_in_brief($plan->{duration_s}) . "\n";
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
    my $text    = $seconds ? sprintf "  + each test once more, observed: %s\n", duration_in_brief($seconds) : q{};
    my @without = grep { defined $_->{unobserved} } measured($plan, $copies);
    return $text . join q{}, map { "  $_->{name} is not observed: " . clean($_->{unobserved}) . "\n" } @without;
}

sub _length_of_run {
    my ($plan, $copies) = @_;
    my $quick = $plan->{quick} or return duration_in_brief(run_s($plan, $copies));
    return sprintf 'rounds of %s until %s, at most %s', duration_in_brief(round_s($plan, $copies)),
        plus_minus(percent($quick->{precision}, 3)), limit_in_brief(run_s($plan, $copies));
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
