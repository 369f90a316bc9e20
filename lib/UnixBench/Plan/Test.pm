package UnixBench::Plan::Test;

# Plans a test: its commands, seconds and limits, for passes of an official run, short passes of a quick run, and
# the short pass that is observed.

use strict;
use warnings;

use List::Util ();

use UnixBench::Catalog        ();
use UnixBench::Plan::UserLoad ();

use constant {
    GRACE_S       => 60,                         # time limit of a copy: 1.5 times its seconds plus this
    DRAIN_S       => 0.5,
    SECONDS_LEAST => 0.01,
    UNOBSERVED    => 'it has no short passes',
};

# The differences between official runs, quick runs and observed passes:
#   is_short   whether passes are short
#   settle_s   pauses after the flushes before a pass
#   rest_s     pause before a run, to watch other programs
#   priming_s  time in which a file test fills its files
#   settling   fraction of the usual time that a file test gives the disk to settle
#   warm_up_s  time in which the gears are drawn before their frames are counted
#   lead_s     time in which interactive tests run before their frames are counted
#   drain_s    time limit for a file test to wait for pages on their way to the disk
#   repeats    repeats of the tests of x11perf
my %OFFICIAL = (
    is_short  => 0,
    settle_s  => [1, 2],
    rest_s    => 0,
    priming_s => 2,
    settling  => 1,
    warm_up_s => 5,
    lead_s    => 1,
    drain_s   => 0,
    repeats   => 3
);
my %QUICK = (
    is_short  => 1,
    settle_s  => [],
    rest_s    => 1,
    priming_s => 0.3,
    settling  => 0,
    warm_up_s => 0.5,
    lead_s    => 0.3,
    drain_s   => DRAIN_S,
    repeats   => 1
);
my %OBSERVED = (%QUICK, priming_s => 0);

# Takes whether a run is quick. Returns the times of its procedure, with the keys above.
sub lengths {
    my ($is_quick) = @_;
    return $is_quick ? \%QUICK : \%OFFICIAL;
}

# Takes a test of the catalog and the arguments of UnixBench::Plan::Plan::make. Returns { name, title, category, command
# => [words], input, is_graphics, passes_wanted (undef in a quick run), seconds, limit_s, pass_s, drain_s, fixed_work,
# needs, load, copies_max, kind, skipped => reason or undef, runs => [programs of the system] or undef, asked }. asked
# is undef if a pass takes its own time, else
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
    my %how   = (%$wish, lengths => lengths($wish->{quick}));
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
        (map { $_ => $test->{$_} } qw(name title category input needs runs)),
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

1;
