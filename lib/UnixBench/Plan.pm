package UnixBench::Plan;

# What will be run: options, catalog and settings in, a list of runs out, with the time that they take.

use strict;
use warnings;

use List::Util ();

use UnixBench::Catalog ();
use UnixBench::Format  qw(counted);

use constant {
    SETTLE_S      => [1, 2],    # pauses behind the two flushes before a pass
    PRIMING_S     => 2,         # what a file test spends on filling its files
    WARM_UP_S     => 5,         # what the gears draw before they count
    GRACE_S       => 60,        # time limit of a copy: its seconds, half of them again, and this
    START_S       => 0.1,       # starting and collecting a pass
    SECONDS_LEAST => 0.01,
};

# Takes tests => [names], copies => [numbers], iterations and timeout_s (or undef), factor (1, or the part of
# the official seconds that a pass lasts), words => { bindir, tmpdir } for the commands, is_there => function
# that tells whether a program, a path or a name in PATH, is there, and display, see UnixBench::Host.
# Returns { copies => [numbers], tests => [test], settle_s => [seconds, seconds], duration_s, display => the one that
# will be used, or undef }; each test is { name, title, category, command => [words], input, is_graphics,
# passes_wanted, seconds, limit_s, pass_s, copies_max, skipped => reason or undef }.
sub make {
    my %wish = @_;
    my $plan = {
        copies   => $wish{copies},
        settle_s => [map { $_ * $wish{factor} } @{ SETTLE_S() }],
        tests    => [map { _planned(UnixBench::Catalog::test($_), \%wish) } @{ $wish{tests} }],
    };
    $plan->{duration_s} = List::Util::sum(0, map { run_s($plan, $_) } @{ $plan->{copies} });
    $plan->{display}    = _has_graphics($plan) ? $wish{display} : undef;
    return $plan;
}

# Seconds that the run with that many copies takes.
sub run_s {
    my ($plan, $copies) = @_;
    my $pause_s = List::Util::sum(0, @{ $plan->{settle_s} }) + START_S;
    return List::Util::sum(0,
        map { $_->{passes_wanted} * ($_->{pass_s} + $pause_s) }
        grep { !defined skipped($_, $copies) } @{ $plan->{tests} });
}

# Why a test is skipped with that many copies, or undef.
sub skipped {
    my ($test, $copies) = @_;
    return 'skipped: graphics tests run as one copy' if $test->{copies_max} && $copies > $test->{copies_max};
    return $test->{skipped};
}

# The plan in words, a line for each run and each of its tests.
sub describe {
    my ($plan) = @_;
    my $text = q{};
    for my $copies (@{ $plan->{copies} }) {
        $text .= sprintf "%s of tests, %s\n", counted($copies, 'parallel copy', 'parallel copies'),
            duration(run_s($plan, $copies));
        for my $test (@{ $plan->{tests} }) {
            my $passes = sprintf '%2d x %g s', @$test{qw(passes_wanted pass_s)};
            $text .= sprintf "  %-17s %-40s %s\n", @$test{qw(name title)}, skipped($test, $copies) // $passes;
        }
    }
    return $text . 'In all about ' . duration($plan->{duration_s}) . "\n";
}

# Seconds as people say them: "45 s", "12 min", "1 h 5 min".
sub duration {
    my ($seconds) = @_;
    return sprintf '%.0f s', $seconds if $seconds < 100;
    my $minutes = int($seconds / 60 + 0.5);
    return $minutes < 60 ? "$minutes min" : sprintf '%d h %d min', int($minutes / 60), $minutes % 60;
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
    my $category = UnixBench::Catalog::category($test->{category});
    my $seconds  = List::Util::max(SECONDS_LEAST, $test->{seconds} * $wish->{factor});
    return {
        (map { $_ => $test->{$_} } qw(name title category input)),
        command       => _command($test, $seconds, $wish),
        is_graphics   => $category->{is_graphics},
        skipped       => $category->{is_graphics} ? scalar _why_skipped($test, $wish) : undef,
        seconds       => $seconds,
        passes_wanted => UnixBench::Catalog::passes($test, $wish->{iterations}),
        pass_s        => $seconds + $test->{overhead_s} * $wish->{factor},
        limit_s       => $wish->{timeout_s} || $test->{limit_s} || $seconds * 1.5 + GRACE_S,
        copies_max    => $category->{copies_max},
    };
}

sub _why_skipped {
    my ($test,    $wish) = @_;
    my ($program, $tool) = ($test->{command}[0], $test->{tool});
    return "skipped: there is no program $program" if !$wish->{is_there}->("$wish->{words}{bindir}/$program");
    return "skipped: there is no program $tool; install it" if $tool && !$wish->{is_there}->($tool);
    return 'skipped: no X display; set DISPLAY or install xvfb' if !defined $wish->{display};
    return;
}

# {scratch} is left in: it is another directory for each copy.
sub _command {
    my ($test, $seconds, $wish) = @_;
    my %words = (
        %{ $wish->{words} },
        seconds => _decimal($seconds),
        factor  => _decimal($wish->{factor}),
        priming => _decimal(PRIMING_S * $wish->{factor}),
        warmup  => _decimal(WARM_UP_S * $wish->{factor}),
    );
    my ($program, @arguments) = @{ $test->{command} };
    push @arguments, @{ $test->{shortened} } if $wish->{factor} != 1;
    s/[{](\w+)[}]/exists $words{$1} ? $words{$1} : "{$1}"/ge for @arguments;
    return ["$words{bindir}/$program", @arguments];
}

# A number without an exponent, for programs.
sub _decimal {
    my ($number) = @_;
    my $text     = sprintf '%.6f', $number;
    $text =~ s/[.]?0+\z//;
    return $text;
}

1;
