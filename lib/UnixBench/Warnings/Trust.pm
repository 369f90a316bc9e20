package UnixBench::Warnings::Trust;

# How far a result can be trusted as a whole: one word, and the numbers that it follows from. And warnings about the
# passes of one test: two modes, a trend, a large variation.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result        qw(is_measured);
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Score               ();
use UnixBench::Score::Spread       ();
use UnixBench::Score::Stats        qw(mean standard_deviation t_quantile);

our @EXPORT_OK = qw(LEVELS level_of_machine);

# The levels, the best first.
use constant LEVELS => qw(good fair poor incomplete unknown);

# A result is only fair, or poor, above these limits: the fraction of disturbed passes, and the half-width of an
# interval.
use constant {
    DISTURBED_FAIR => 0.05,
    DISTURBED_POOR => 0.25,
    INTERVAL_FAIR  => 0.03,
    INTERVAL_POOR  => 0.10,
};

# Takes a result, the half-widths of the intervals of its indexes (fractions of 1, undef without an interval), and the
# number of its noisy tests. Returns
#   level           the first of these that applies: "incomplete" if no test was measured; "poor" if a limit above is
#                   exceeded; "incomplete" if a test failed or the run was interrupted; "fair" if a lower limit is
#                   exceeded or a test is noisy; "unknown" if no index has an interval, or if no pass was watched;
#                   "good"
#   passes          the number of all passes
#   disturbed       the number of disturbed passes, or undef if not each pass was watched and these are few
#   loaded          the number of passes that other load disturbed, or undef in the same case
#   limited         the number of those that steal, a quota or another limit of the machine disturbed, or undef
#   worst           { cause, passes, worst } of the most frequent cause, or undef; with by, its busiest process, if that
#                   is known, see UnixBench::Noise::Disturbances::in_brief
#   also            the same of other load or the machine itself, whichever the worst cause does not belong to, or undef
#   tests           the number of tests that were measured, each once for each number of copies
#   failed          the number of tests that failed
#   is_interrupted  whether the run was interrupted
#   noisy           the number of noisy tests
#   half_width      the largest half-width of the intervals of its indexes, or undef
#   steal           of a virtual machine: the part of the CPU time of its passes that the hypervisor gave to others, or
#                   undef
sub judged {
    my ($result, $half_widths, $noisy) = @_;
    my @tests      = map { @{ $_->{tests} } } @{ $result->{runs} };
    my @passes     = map { @{ $_->{passes} } } @tests;
    my $half_width = List::Util::max(grep { defined } @$half_widths);
    my $disturbed  = grep { UnixBench::Noise::Disturbances::is_disturbed($_) } @passes;
    my $is_watched = is_watched($result) || $disturbed > DISTURBED_POOR * @passes;
    my $loaded     = grep { UnixBench::Noise::Disturbances::is_disturbed_by_other_load($_) } @passes;
    my $limited    = grep { UnixBench::Noise::Disturbances::is_limited($_) } @passes;
    my ($worst, $also) = _most_frequent(@passes);
    my %trust = (
        passes         => scalar @passes,
        disturbed      => $is_watched ? $disturbed : undef,
        loaded         => $is_watched ? $loaded    : undef,
        limited        => $is_watched ? $limited   : undef,
        worst          => $worst,
        also           => $also,
        tests          => scalar(grep { is_measured($_) } @tests),
        failed         => scalar(grep { $_->{status} eq 'failed' } @tests),
        is_interrupted => $result->{procedure}{interruption} ? 1 : 0,
        noisy          => $noisy,
        half_width     => $half_width,
        steal          => scalar _steal($result, @passes),
    );
    return { %trust, level => _level(\%trust) };
}

sub _steal {
    my ($result, @passes) = @_;
    my $hypervisor = (($result->{facts} || {})->{virtualization} || {})->{hypervisor} // 'none';
    my @known      = grep { defined $_->{steal} && $_->{time_s} } @passes;
    return if $hypervisor eq 'none' || !@known;
    my ($part_s, $all_s) = map { List::Util::sum(@$_) } [map { $_->{steal} * $_->{time_s} } @known],
        [map { $_->{time_s} } @known];
    return $part_s / $all_s;
}

# Takes a summary, see UnixBench::Summary; returns its trust, judged by the present limits.
sub judged_again {
    my ($summary) = @_;
    my @tests     = map  { @{ $_->{tests} } } @{ $summary->{runs} };
    my $noisy     = grep { is_noisy($_->{cv}) } @tests;
    my %trust     = (%{ $summary->{trust} }, noisy => $noisy);
    $trust{level} = _level(\%trust);
    return \%trust;
}

# Takes the trust of a summary, or undef; returns undef if the run shows how fast its machine is,
# else why not: "poor" if other load disturbed too many passes, or "incomplete". What the machine does by itself, such
# as steal, is measured. If an interval is wide, other runs of the machine show how such a run repeats.
sub no_evidence {
    my ($trust) = @_;
    return if !$trust;
    my $level = _level_beside_load({ %$trust, half_width => 0 });
    return $level =~ /\A(?:poor|incomplete)\z/ ? $level : undef;
}

# Takes the trust of a summary, or undef; returns whether its numbers are only rough: other load disturbed too many
# passes, or an interval is wide. What the machine does by itself makes no number rough.
sub is_rough {
    my ($trust) = @_;
    return $trust && _level_beside_load($trust) eq 'poor' ? 1 : 0;
}

# Returns the level if only other load counts as a disturbance.
sub _level_beside_load {
    my ($trust) = @_;
    return _level({ %$trust, disturbed => $trust->{loaded} });
}

# Takes the trust of a summary; returns the level that it has because of the machine itself, such as by steal or heat.
# If other load alone makes it worse than good, that may be the reason for wide intervals and noisy tests, too.
sub level_of_machine {
    my ($trust) = @_;
    my $loaded  = $trust->{loaded} or return $trust->{level};
    my %own     = (%$trust, disturbed => List::Util::max($trust->{limited} // 0, $trust->{disturbed} - $loaded));
    %own = (%own, half_width => 0, noisy => 0) if $loaded > DISTURBED_FAIR * $trust->{passes};
    return _level(\%own);
}

# Takes a result; returns whether each pass was watched. A pass was not watched if another runner could not do that, or
# if /proc does not show the CPU times of the system.
sub is_watched {
    my ($result) = @_;
    my @passes   = map { @{ $_->{passes} } } map { @{ $_->{tests} } } @{ $result->{runs} };
    return !grep { !$_->{tags} && !defined $_->{error} } @passes;
}

sub _level {
    my ($trust) = @_;
    return 'incomplete' if !$trust->{tests};
    my ($disturbed, $half_width) = (($trust->{disturbed} // 0) / $trust->{passes}, $trust->{half_width});
    return 'poor' if $disturbed > DISTURBED_POOR || defined $half_width && $half_width > INTERVAL_POOR;
    return 'incomplete' if $trust->{failed}      || $trust->{is_interrupted};
    return 'fair' if $disturbed > DISTURBED_FAIR || defined $half_width && $half_width > INTERVAL_FAIR;
    return 'fair' if $trust->{noisy};
    return 'unknown' if !defined $half_width || !defined $trust->{disturbed};
    return 'good';
}

# Returns worst and also, see above. Passes that a cause disturbed only a little do not count. The process of other load
# is that of all its causes, as in the warning about it.
sub _most_frequent {
    my (@passes) = @_;
    my @sums = UnixBench::Noise::Disturbances::sums(map { @{ $_->{tags} || [] } } @passes);
    @sums = sort { $b->{badly} <=> $a->{badly} || $a->{cause} cmp $b->{cause} } grep { $_->{badly} } @sums;
    my $load = UnixBench::Noise::Disturbances::load_of(@passes) || {};
    $_->{by} = $load->{by} for grep { UnixBench::Noise::Causes::has($_->{cause}, 'load') } @sums;
    my ($worst, @others) = map { UnixBench::Noise::Disturbances::in_brief($_) } @sums or return;
    my $owner  = sub { join q{}, grep { UnixBench::Noise::Causes::has($_[0]{cause}, $_) } qw(load lasts) };
    my ($also) = grep { length $owner->($_) && $owner->($_) ne $owner->($worst) } @others;
    $_->{passes} = delete $_->{badly} for grep { defined } $worst, $also;
    return ($worst, $also);
}

use constant {
    CV_MOST      => 0.05,
    PASSES_LEAST => 5,           # with fewer passes hardly anything is significant
    EFFECT_LEAST => log 1.03,    # a smaller effect is not worth a warning
    SIGNIFICANT  => 1 - 0.001,
};

# Takes a test of a result; returns warnings about its passes, none without a score, each { kind, test
# (its name), title } and a value that depends on the kind. An effect that explains another one is reported alone.
#   modes   modes, see UnixBench::Score::Spread
#   trend   rise: the change from the first to the last pass, as a fraction of 1, negative if the rates fell
#   varied  cv: the coefficient of variation
sub of_test {
    my ($test) = @_;
    return if !is_measured($test);
    my $modes = UnixBench::Score::Spread::modes_of($test->{passes});
    my @found = $modes ? { kind => 'modes', modes => $modes } : _of_order($test);
    return map { +{ test => $test->{name}, title => $test->{title}, %$_ } } @found;
}

sub _of_order {
    my ($test) = @_;
    my @rates  = map { UnixBench::Score::rate($_) } @{ $test->{passes} };
    my $rise   = trend(map { log } @rates);
    return { kind => 'trend', rise => exp($rise) - 1 } if defined $rise;
    my $cv = @rates > 1 ? standard_deviation(@rates) / mean(@rates) : 0;
    return is_noisy($cv) ? { kind => 'varied', cv => $cv } : ();
}

# Takes a coefficient of variation, or undef; returns whether it is that of a noisy test.
sub is_noisy { my ($cv) = @_; return ($cv // 0) > CV_MOST }

# Takes the logarithms of the rates in order. Fits a straight line and returns its rise from the first to the last
# value, negative if it falls. Returns undef if that is less than 3 %, or if the slope is not significant at the level
# 0.001, by a two-sided t test.
sub trend {
    my (@logs) = @_;
    return if @logs < PASSES_LEAST;
    my ($slope, $se) = _fitted_line(@logs);
    my $rise = $slope * $#logs;
    my $t    = t_quantile((1 + SIGNIFICANT) / 2, @logs - 2);
    return abs $rise > EFFECT_LEAST && abs $slope > $se * $t ? $rise : undef;
}

# Fits a straight line by least squares; returns its slope and the standard error of the slope.
sub _fitted_line {
    my (@values) = @_;
    my ($middle, $mean) = ($#values / 2, mean(@values));
    my ($xx, $xy, $yy) = (0, 0, 0);
    for my $place (0 .. $#values) {
        my ($x, $y) = ($place - $middle, $values[$place] - $mean);
        $xx += $x * $x;
        $xy += $x * $y;
        $yy += $y * $y;
    }
    my $slope = $xy / $xx;
    my $rest  = $yy - $slope * $xy;
    return ($slope, sqrt(($rest > 0 ? $rest : 0) / (@values - 2) / $xx));
}

1;
