package UnixBench::Why::Factors;

# Divides the ratio of two rates into factors, exactly:
#
#     loops per second  =  CPU seconds per second  x  cycles per CPU second  /  cycles per loop
#
# The cycles of a loop are a sum, in user mode and in the kernel. Their ratio is divided by the logarithmic mean: B. W.
# Ang, Decomposition analysis for policymaking in energy, Energy Policy 32 (2004). So nothing is left over, and a part
# may be 0.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(geometric_mean);
use UnixBench::Score::Work     ();

our @EXPORT_OK = qw(FACTORS);

# The factors at each level. What can't be told apart is one factor.
use constant LEVELS => ([qw(cpu clock_work)], [qw(cpu clock work)], [qw(cpu clock user kernel)]);

use constant { MODES => 2, MEGA => 1e6 };    # the level at which modes are told apart; hertz in a megahertz

# All factors, in the order of tables.
use constant FACTORS => qw(cpu clock user kernel work clock_work);

use constant {
    CLOCK_MOST => 0.05,    # the spread of the clock among passes that agree
    SPREADS    => 2,       # a difference of clocks that is not one of their passes has as many times their spread
};

# Takes what the copies of a test used on two sides, see UnixBench::Score::Work; and whether their clocks can be
# compared. Returns the level of the factors that can be told apart, 0 to 2, or undef if even the CPU time is unknown.
# The clock can't be told apart if its measurements on a side differ more from each other than the sides do.
sub level {
    my ($first, $second, $is_clock_known) = @_;
    return if grep { !$_ || !$_->{cpu} } $first, $second;
    return 0 if !$is_clock_known || grep { !defined $_->{clock_mhz} } $first, $second;
    my $spread = List::Util::max(map { _spread_of_clock($_) } $first, $second);
    return 0 if $spread > CLOCK_MOST && abs log($second->{clock_mhz} / $first->{clock_mhz}) < SPREADS * $spread;
    return (grep { $_->{cpu_s} < UnixBench::Score::Work::MODES_LEAST_S } $first, $second) ? 1 : MODES;
}

sub _spread_of_clock {
    my ($work) = @_;
    my $errors = $work->{errors} || {};
    return sqrt(($errors->{clock} // 0) * (1 + ($errors->{df} // 0)));
}

# Takes a level and what the copies used on two sides. Returns { level, ratio => of the rates, factors => { name =>
# estimate } }, see UnixBench::Score::Estimate. The factors multiply to the ratio.
sub of_test {
    my ($level, $first, $second) = @_;
    my @parts = map { _parts($_) } $first, $second;
    my %value = (
        cpu        => $second->{cpu} / $first->{cpu},
        clock      => $level && $second->{clock_mhz} / $first->{clock_mhz},
        clock_work => $second->{rate} / $second->{cpu} / ($first->{rate} / $first->{cpu}),
        work       => $parts[0]{all} / $parts[1]{all},
        map { $_ => exp _log_effect($_, @parts) } qw(user kernel),
    );
    my @names = @{ (LEVELS)[$level] };
    return {
        level   => $level,
        ratio   => $second->{rate} / $first->{rate},
        factors => { map { $_ => _estimate($_, $value{$_}, $first, $second) } @names },
    };
}

# Takes a level and what the copies used on two sides; returns the cycles of a loop on both, { mode, first, second }
# each: in user mode and in the kernel, or of all modes if these can't be told apart; nothing without a clock.
sub cycles {
    my ($level, @sides) = @_;
    return if !$level;
    my ($first, $second) = map { _parts($_) } @sides;
    return
        map { +{ mode => $_, first => MEGA * $first->{$_}, second => MEGA * $second->{$_} } }
        $level == MODES ? qw(user kernel) : 'all';
}

# Takes the divided ratios of tests, all of the same level; returns their geometric mean in the same form.
sub mean {
    my (@tests) = @_;
    my @names = @{ (LEVELS)[$tests[0]{level}] };
    my %factors;
    for my $name (@names) {
        $factors{$name} = UnixBench::Score::Estimate::geometric_mean(map { $_->{factors}{$name} } @tests);
    }
    return { level => $tests[0]{level}, ratio => geometric_mean(map { $_->{ratio} } @tests), factors => \%factors };
}

# Returns the millions of cycles of a loop: in user mode, in the kernel, and all. Without a clock: CPU seconds.
sub _parts {
    my ($work) = @_;
    my $all = $work->{cpu} / $work->{rate} * ($work->{clock_mhz} // 1);
    return { user => $all * $work->{user}, kernel => $all * (1 - $work->{user}), all => $all };
}

sub _log_effect {
    my ($name, $first, $second) = @_;
    return -($second->{$name} - $first->{$name}) / _logarithmic_mean($second->{all}, $first->{all});
}

sub _logarithmic_mean {
    my ($one, $other) = @_;
    my $log = log $one / $other;
    return $log == 0 ? $one : ($one - $other) / $log;
}

# Takes the name of a factor, its value, and both sides; returns its estimate. A side with a single pass has no error.
sub _estimate {
    my ($name, $value, @sides) = @_;
    my @errors = map { $_->{errors} } @sides;
    return UnixBench::Score::Estimate::known($value) if grep { !$_ } @errors;
    my @variances =
        $name eq 'user' || $name eq 'kernel' ? _of_mode($name, @sides) : map { _of_side($name, $_) } @errors;
    my ($first, $second) = map { [sqrt List::Util::max(0, $variances[$_]), $errors[$_]{df}] } 0, 1;
    return UnixBench::Score::Estimate::ratio(UnixBench::Score::Estimate::around($value, @$second),
        UnixBench::Score::Estimate::around(1, @$first));
}

sub _of_side {
    my ($name, $errors) = @_;
    return $errors->{cpu} if $name eq 'cpu';
    return $errors->{clock} if $name eq 'clock';
    return $errors->{loop} if $name eq 'clock_work';
    return $errors->{user} + $errors->{kernel} + 2 * $errors->{both};
}

# Returns the variance of the logarithm of the effect of a mode that comes from each side, by the delta method: as the
# logarithmic mean of all cycles hardly changes with one of them, it is taken for known.
sub _of_mode {
    my ($name, @sides) = @_;
    my @all  = map { _parts($_)->{all} } @sides;
    my $mean = _logarithmic_mean(@all);
    return map { ($all[$_] / $mean)**2 * $sides[$_]{errors}{$name} } 0, 1;
}

1;
