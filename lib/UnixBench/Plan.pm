package UnixBench::Plan;

# What will be run: options, catalog and settings in, a list of runs out, with the time that they take.

use strict;
use warnings;

use List::Util ();

use UnixBench::Catalog  ();
use UnixBench::Format   qw(counted);
use UnixBench::UserLoad ();

use constant {
    GRACE_S       => 60,     # time limit of a copy: its seconds, half of them again, and this
    START_S       => 0.1,    # starting and collecting a pass
    SECONDS_LEAST => 0.01,
    ROUNDS_LEAST  => 3,      # of a quick run, however long they take
    BELOW         => 23,     # the column for what stands below a test's line
};

# What differs between the two procedures. settle_s: pauses behind the flushes before a pass; rest_s: a pause before a
# run, to see what else goes on; priming_s: what a file test spends on filling its files; settling: how much of the
# usual time it gives the disk; warm_up_s: what the gears draw before they count; lead_s: the same of the frames of
# interactive tests; repeats: of x11perf's tests; drain_s: how long a file test waits at most for pages on their way to
# the disk.
my %OFFICIAL =
    (settle_s => [1, 2], rest_s => 0, priming_s => 2, settling => 1, warm_up_s => 5, lead_s => 1, repeats => 3);
my %QUICK =
    (settle_s => [], rest_s => 1, priming_s => 0.3, settling => 0, warm_up_s => 0.5, lead_s => 0.3, repeats => 1);
use constant DRAIN_S => 0.5;

# Takes tests => [names], copies => [numbers], iterations and timeout_s (or undef), factor (1, or the part of
# the official seconds that a pass lasts), words => { bindir, tmpdir } for the commands, is_there => function
# that tells whether a program, a path or a name in PATH, is there, display, see UnixBench::Host, for a quick run
# quick => { seed, precision, max_time_s }, and for a test that has users load, see UnixBench::UserLoad.
# Returns { copies => [numbers], tests => [test], settle_s => [seconds, ...], rest_s, quick, duration_s, display => the
# one that will be used, or undef }; each test is { name, title, category, command => [words], input, is_graphics,
# passes_wanted (undef in a quick run), seconds, limit_s, pass_s, drain_s, fixed_work, needs, load, copies_max,
# kind, skipped => reason or undef }.
sub make {
    my %wish = @_;
    $wish{lengths} = $wish{quick} ? \%QUICK : \%OFFICIAL;
    my $plan = {
        copies   => $wish{copies},
        quick    => $wish{quick},
        settle_s => [map { $_ * $wish{factor} } @{ $wish{lengths}{settle_s} }],
        rest_s   => $wish{lengths}{rest_s} * $wish{factor},
        tests    => [map { _planned(UnixBench::Catalog::test($_), \%wish) } @{ $wish{tests} }],
    };
    $plan->{duration_s} = List::Util::sum(0, map { run_s($plan, $_) } @{ $plan->{copies} });
    $plan->{display}    = _has_graphics($plan) ? $wish{display} : undef;
    return $plan;
}

# Seconds that the run with that many copies takes, a quick one at most.
sub run_s {
    my ($plan, $copies) = @_;
    return List::Util::max($plan->{quick}{max_time_s}, ROUNDS_LEAST * round_s($plan, $copies)) if $plan->{quick};
    my $pause_s = List::Util::sum(0, @{ $plan->{settle_s} }) + START_S;
    return List::Util::sum(0, map { $_->{passes_wanted} * ($_->{pass_s} + $pause_s) } measured($plan, $copies));
}

# Seconds that a round with that many copies takes: each test once, without pauses.
sub round_s {
    my ($plan, $copies) = @_;
    return slices_s(measured($plan, $copies));
}

# Takes tests of a quick plan; returns the seconds that a slice of each takes, one after the other.
sub slices_s {
    my (@tests) = @_;
    return List::Util::sum(0, map { $_->{pass_s} + START_S } @tests);
}

# How many passes of each test a run can have at most.
sub passes_most {
    my ($plan, $test, $copies) = @_;
    return $test->{passes_wanted} if !$plan->{quick};
    return int(run_s($plan, $copies) / List::Util::max(START_S, round_s($plan, $copies))) + 1;
}

# The tests of a plan that are not skipped with that many copies.
sub measured {
    my ($plan, $copies) = @_;
    return grep { !defined skipped($_, $copies) } @{ $plan->{tests} };
}

# Why a test is skipped with that many copies, or undef.
sub skipped {
    my ($test, $copies) = @_;
    return "skipped: $test->{kind} tests run as one copy" if $test->{copies_max} && $copies > $test->{copies_max};
    return $test->{skipped};
}

# Takes how many CPUs the tests may use, and the names of tests; returns the numbers of copies that they are run as when
# nothing else is asked for: one and, where a test can, one for each CPU.
sub usual_copies {
    my ($cpus, @names) = @_;
    my @most = map { UnixBench::Catalog::category(UnixBench::Catalog::test($_)->{category})->{copies_max} } @names;
    return $cpus > 1 && grep({ !defined || $_ >= $cpus } @most) ? (1, $cpus) : 1;
}

# The plan in words, a line for each run and each of its tests.
sub describe {
    my ($plan) = @_;
    my $text = q{};
    for my $copies (@{ $plan->{copies} }) {
        $text .= sprintf "%s of tests, %s\n", counted($copies, 'parallel copy', 'parallel copies'),
            _length_of_run($plan, $copies);
        $text .= _described($_, $copies) for @{ $plan->{tests} };
    }
    return $text . 'In all ' . ($plan->{quick} ? 'at most ' : 'about ') . duration($plan->{duration_s}) . "\n";
}

sub _described {
    my ($test, $copies) = @_;
    my $line    = sub { return sprintf "  %-20s %-40s %s\n", @$test{qw(name title)}, @_ };
    my $why_not = skipped($test, $copies);
    return $line->($why_not) if defined $why_not;
    my $passes = defined $test->{passes_wanted} ? sprintf('%2d x ', $test->{passes_wanted})         : q{};
    my $below  = $test->{load} ? q{ } x BELOW . UnixBench::UserLoad::in_words($test->{load}) . "\n" : q{};
    return $line->(sprintf '%s%g s', $passes, $test->{pass_s}) . $below;
}

sub _length_of_run {
    my ($plan, $copies) = @_;
    my $quick = $plan->{quick} or return duration(run_s($plan, $copies));
    return sprintf 'rounds of %s until the index is known to %.3g %%, at most %s', duration(round_s($plan, $copies)),
        $quick->{precision} * 100, limit(run_s($plan, $copies));
}

# Seconds as people say them: "45 s", "12 min", "1 h 5 min".
sub duration {
    my ($seconds) = @_;
    return sprintf '%.0f s', $seconds if $seconds < 100;
    my $minutes = int($seconds / 60 + 0.5);
    return $minutes < 60 ? "$minutes min" : sprintf '%d h %d min', int($minutes / 60), $minutes % 60;
}

# The same of a limit, which is not rounded.
sub limit {
    my ($seconds) = @_;
    return $seconds % 60 || $seconds != int $seconds ? sprintf '%g s', $seconds : duration($seconds);
}

# Whether a graphics test will be run.
sub _has_graphics {
    my ($plan) = @_;
    for my $test (grep { $_->{is_graphics} } @{ $plan->{tests} }) {
        return 1 if grep { !defined skipped($test, $_) } @{ $plan->{copies} };
    }
    return 0;
}

sub _planned {
    my ($test, $wish) = @_;
    return _planned_with_users($test, $wish) if $test->{has_users};
    return _timed($test, $wish);
}

# What its users do takes the time of such a test, and has its own demands.
sub _planned_with_users {
    my ($given, $wish) = @_;
    my $load  = $wish->{load} || UnixBench::UserLoad::usual();
    my $test  = UnixBench::UserLoad::is_search($load) ? UnixBench::Catalog::as_search($given) : $given;
    my %words = (%{ $wish->{words} }, %{ UnixBench::UserLoad::words($load) });
    my $timed = _timed($test, { %$wish, words => \%words });
    my $why   = $load->{script}{why_not};
    $timed->{skipped} //= "skipped: $why" if defined $why;
    my $pass_s = UnixBench::UserLoad::pass_s($load) // $test->{seconds};
    return {
        %$timed,
        load    => $load,
        needs   => UnixBench::UserLoad::needs($load),
        seconds => $pass_s,
        pass_s  => $pass_s,
        limit_s => $wish->{timeout_s} || UnixBench::UserLoad::limit_s($load),
    };
}

sub _timed {
    my ($test, $wish) = @_;
    my $category = UnixBench::Catalog::category($test->{category});
    my ($full_s, $overhead_s) = @$test{ $wish->{quick} ? qw(slice_s slice_overhead_s) : qw(seconds overhead_s) };
    my $seconds = List::Util::max(SECONDS_LEAST, $full_s * $wish->{factor});
    return {
        (map { $_ => $test->{$_} } qw(name title category input needs)),
        command       => _command($test, $seconds, $wish),
        is_graphics   => $category->{is_graphics},
        skipped       => $category->{is_optional} ? scalar _why_skipped($test, $category, $wish) : undef,
        seconds       => $seconds,
        passes_wanted => $wish->{quick} ? undef : UnixBench::Catalog::passes($test, $wish->{iterations}),
        pass_s        => $seconds + $overhead_s * $wish->{factor},
        drain_s       => $wish->{quick} && $test->{writes} ? DRAIN_S * $wish->{factor} : 0,
        fixed_work    => $wish->{quick}                    ? $test->{fixed_work}       : undef,
        limit_s       => $wish->{timeout_s} || $test->{limit_s} || $seconds * 1.5 + GRACE_S,
        (map { $_ => $category->{$_} } qw(copies_max kind)),
    };
}

sub _why_skipped {
    my ($test, $category, $wish) = @_;
    my ($program, $tool) = ($test->{command}[0], $test->{tool});
    my $where = $category->{system} ? "; it is for $category->{system}" : q{};
    return "skipped: there is no program $program$where" if !$wish->{is_there}->("$wish->{words}{bindir}/$program");
    return "skipped: there is no program $tool; install it" if $tool && !$wish->{is_there}->($tool);
    return 'skipped: no X display; set DISPLAY or install xvfb'
        if $category->{is_graphics} && !defined $wish->{display};
    return;
}

# {scratch} is left in: it is another directory for each copy.
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
    my ($program, @arguments) = @{ $test->{command} };
    push @arguments, @{ $test->{shortened} } if $factor != 1 || $wish->{quick};
    @arguments = grep { $_ ne '{whole}' || $wish->{quick} } @arguments;
    s/[{](\w+)[}]/exists $words{$1} ? $words{$1} : "{$1}"/ge for @arguments;
    return ["$words{bindir}/$program", @arguments];
}

# Takes a test of the plan, and its first pass with the copies' scores; returns the test as it is measured from then on.
sub calibrated {
    my ($test, $pass) = @_;
    my $work    = $test->{fixed_work} or return $test;
    my $rate    = $pass->{count} / @{ $pass->{copies} };
    my $loops   = List::Util::max(1, int($rate * $work->{loops_each} * $test->{seconds} + 0.5));
    my @command = map { s/[{]loops[}]/$loops/r } $test->{command}[0], @{ $work->{arguments} };
    return { %$test, command => \@command, fixed_work => undef };
}

# A number without an exponent, for programs.
sub _decimal {
    my ($number) = @_;
    my $text     = sprintf '%.6f', $number;
    $text =~ s/[.]?0+\z//;
    return $text;
}

1;
