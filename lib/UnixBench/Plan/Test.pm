package UnixBench::Plan::Test;

# Plans a test: its commands, seconds and limits, for passes of an official run, short passes of a quick run, the pass
# that warms up before them, and extra passes.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result qw(copies_in);
use UnixBench::Catalog      ();
use UnixBench::Features     qw(loaded);

use constant {
    GRACE_S       => 60,     # time limit of a copy: 1.5 times its seconds plus this
    SECONDS_LEAST => 0.01,
    UNGATED_S     => 2,      # a short pass of copies that do not start at the same instant
    LOOPS_LEAST   => 10,     # a short pass with fewer would measure their number too coarsely
};

# The differences between official runs, quick runs and their warm-up.
my @LENGTHS = (

    # key       official quick warm-up
    [is_short  => 0,      1,   1],      # whether passes are short
    [settle_s  => [1, 2], [],  []],     # pauses after the flushes before a pass
    [rest_s    => 0,      1,   0],      # pause before a run, to watch other programs
    [priming_s => 2,      0.1, 0.1],    # time in which a file test fills its files
    [settling  => 1,      0,   0],      # fraction of the usual time that a file test gives the disk to settle
    [warm_up_s => 5,      0.5, 0.1],    # time in which the gears are drawn before their frames are counted
    [lead_s    => 1,      0.3, 0.3],    # time in which interactive tests run before their frames are counted
    [placing_s => 0,      0.2, 0.1],    # time in which the scheduler places two processes before they are counted
    [drain_s   => 0,      0.5, 0],      # time limit for a file test to wait for pages on their way to the disk
    [repeats   => 3,      1,   1],      # repeats of the tests of x11perf
);
my ($OFFICIAL, $QUICK, $WARM_UP) = map { _column($_) } 1 .. 3;

sub _column {
    my ($number) = @_;
    return { map { $_->[0] => $_->[$number] } @LENGTHS };
}

# Takes whether the run is a quick one; returns what is the same for all its tests: settle_s, [seconds of each pause
# before a pass], and rest_s, the pause before the run.
sub pauses {
    my ($is_quick) = @_;
    my $lengths = $is_quick ? $QUICK : $OFFICIAL;
    return map { $_ => $lengths->{$_} } qw(settle_s rest_s);
}

# Takes a test of the catalog and the arguments of UnixBench::Plan::make. Returns { name, title, category, command
# => [words], input, is_graphics, writes, passes_wanted (undef in a quick run), seconds, limit_s, pass_s, drain_s,
# fixed_work, needs, load, copies_max, kind, skipped => reason or undef, asked, reports_time (whether its program
# reports the time of its work if it is asked to) }. asked is undef if a pass takes its own time, else
#   seconds        the seconds that were asked for
#   of             the key of a copy's result that should have this value; or "answers", if the seconds are estimated,
#                  and the copy reports the times of its answers
#   loops_at_once  the number of loops between two looks at the time
#   is_alone       whether a copy works all the time, without processes of its own
#
# The load is that of the catalog's module, with in_words; who (needs resources) and fewer (the remedy), for an error;
# and script, { path, commands, sha256 }.
#
# In a quick run, the result also describes in the same way warm_up, the pass before the first round, unless a pass
# takes its own time; coarse and ungated, the passes that replace the short one if a loop takes too long, or if a state
# has no start gate: see calibrated().
#
# Extra passes add their keys. The description of a pass may also have the key first: a command that runs in the scratch
# directory of each copy before the copies start.
sub planned {
    my ($test, $wish) = @_;
    my %how   = (%$wish, lengths => $wish->{quick} ? $QUICK : $OFFICIAL);
    my $timed = $test->{load} ? _planned_with_load($test, \%how) : _timed($test, \%how);
    $timed = { %$timed, _other_lengths($test, \%how) } if $wish->{quick} && !$test->{load};
    return { %$timed, map { $_->planned($test, $wish) } @{ $wish->{extras} || [] } };
}

sub _other_lengths {
    my ($test, $how) = @_;
    my $with = sub {
        my ($seconds, %differ) = @_;
        return _timed({ %$test, short_s => $seconds }, { %$how, %differ });
    };
    my $takes_own_time = $test->{timed} eq 'none' && !$test->{fixed_work};
    return (
        warm_up => $takes_own_time         ? undef : $with->(UnixBench::Catalog::WARM_S, lengths => $WARM_UP),
        coarse  => $test->{timed} eq 'all' ? $with->(List::Util::max(@$test{qw(short_s coarse_s)})) : undef,
        ungated => $with->(List::Util::max($test->{short_s}, UNGATED_S)),
    );
}

sub _planned_with_load {
    my ($given, $wish) = @_;
    my $of    = loaded($given->{load})->can('planned')->($wish->{load}, $given);
    my %words = (%{ $wish->{words} }, %{ $of->{words} });
    my $timed = _timed($of->{test}, { %$wish, words => \%words });
    $timed->{skipped} //= "skipped: $of->{why_not}" if defined $of->{why_not};
    return {
        %$timed,
        (map { $_ => $of->{$_} } qw(load needs pass_s)),
        seconds => $of->{pass_s},
        asked   => { %{ $timed->{asked} }, seconds => $of->{pass_s} },
        limit_s => $wish->{timeout_s} || $of->{limit_s},
    };
}

# Takes a test of the catalog, the arguments of UnixBench::Plan::make, and the lengths that differ from those of a
# quick run; plans a short pass of the test.
sub short_pass {
    my ($test, $wish, %lengths) = @_;
    return _timed($test, { %$wish, lengths => { %$QUICK, %lengths } });
}

sub _timed {
    my ($test, $wish)      = @_;
    my ($lengths, $factor) = @$wish{qw(lengths factor)};
    my $is_short = $lengths->{is_short};
    my $category = UnixBench::Catalog::category($test->{category});
    my ($full_s, $overhead_s) = @$test{ $is_short ? qw(short_s short_overhead_s) : qw(seconds overhead_s) };
    my $seconds = List::Util::max(SECONDS_LEAST, $full_s * $factor);
    return {
        (map { $_ => $test->{$_} } qw(name title category input needs writes)),
        lane          => $test->{name},
        state         => 0,
        reports_time  => $test->{tool} ? 0 : 1,
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
    my $system = $category->{system};
    my $advice = defined $system && lc $system ne $^O ? "it is for $system" : $category->{remedy};
    return join '; ', "skipped: there is no program $program", grep { defined } $advice
        if !$wish->{is_there}->("$wish->{words}{bindir}/$program");
    return "skipped: there is no program $tool; install it" if $tool && !$wish->{is_there}->($tool);
    return if !$category->{is_graphics};
    return 'skipped: no X display; set DISPLAY or install xvfb' if !defined $wish->{display};
    my $refusal = $wish->{display_refusal} && $wish->{display_refusal}->();
    return defined $refusal ? "skipped: $refusal" : undef;
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
        placing  => _decimal($lengths->{placing_s} * $factor),
    );
    my @command = @{ $test->{command} };
    push @command, @{ $test->{shortened} } if $factor != 1 || $lengths->{is_short};
    return filled_in([grep { $_ ne '{whole}' || $lengths->{is_short} } @command], \%words);
}

# Takes [program in the directory of programs, arguments], and { word => its value }. Returns the command with its words
# filled in, and with the program that stands in for its own. {scratch} remains, because it differs for each copy.
sub filled_in {
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

# Takes a lane and its first pass: the one that warms up, or else a short one. Returns the lane as it is measured from
# then on. If a loop takes too long for the short pass, or if the copies do not know the start gate, passes are longer.
# If the test has fixed work, it has a fixed number of loops.
sub calibrated {
    my ($lane, $pass) = @_;
    my $is_ungated = $lane->{state} && grep { !$_->{gated} } @{ $pass->{copies} };
    my $longer     = $is_ungated ? $lane->{ungated} : _is_coarse($lane, $pass) ? $lane->{coarse} : undef;
    $lane = { %$lane, map { $_ => $longer->{$_} } qw(command seconds asked pass_s limit_s) } if $longer;
    $lane = { %$lane, coarse => undef, ungated => undef };
    my $work      = $lane->{fixed_work} or return $lane;
    my $rate      = $pass->{count} / copies_in($pass);
    my $loops     = List::Util::max(1, int($rate * $work->{loops_each} * $lane->{seconds} + 0.5));
    my @arguments = map { s/[{]loops[}]/$loops/r } @{ $work->{arguments} };
    return { %$lane, command => [$lane->{command}[0], @arguments], fixed_work => undef };
}

# Returns whether fewer than ten loops of a copy fit into a short pass.
sub _is_coarse {
    my ($lane, $pass) = @_;
    return if !$lane->{coarse};
    my $loops_a_second = $pass->{count} / copies_in($pass) / $pass->{time_s};
    return $loops_a_second * $lane->{seconds} < LOOPS_LEAST;
}

1;
