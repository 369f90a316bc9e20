package UnixBench::Report::Comparison::Wording;

# The texts of comparisons: the sides by host and date, the verdicts, the ratios.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Number     qw(percent_fixed);
use UnixBench::Base::Text       qw(counted listed);
use UnixBench::Report::EndBlock qw(trust_words);
use UnixBench::Report::Wording  qw(index_title);
use UnixBench::Score::Score     qw(LOWEST_THIRD);
use UnixBench::Warnings::Causes qw(cause_title seen_in);

our @EXPORT_OK = qw(
    copies_of findings forced heading_of interval legend machines_are_equal not_compared pair_title ratio_text rows_of
    run_to_run short_verdict side_facts side_names sums sums_below trust_of_sides verdict_text
);

use constant {
    TIMES_LEAST => 2,        # from here on a ratio is told as a factor, not in percent
    TENTHS_MOST => 10,       # percent above which no decimal is printed
    FINE        => 0.05,     # percent that one decimal would make 0,
    FINE_LEAST  => 0.001,    # and below which they are that
    PLAIN_LEAST => 0.1,      # below this ratio, three decimals say little
    HOST_MOST   => 20,       # characters of a host in the heading of a column
};
use constant {
    PASSES  => 'Scores include all passes; the classic score leaves out ' . LOWEST_THIRD . q{.},
    QUICK   => 'Scores include all short passes of quick runs, which are estimates.',
    TRIMMED => 'Without an interval: the classic scores of both sides. A text report has no others.',
    CLASSIC => 'The classic scores of both sides are compared if a text report is among the results: it has no others.',
    ONE_RUN =>
        'Each side is one run. How much the next run would differ is not known: compare several runs of each state, '
        . './Run compare A1 A2 -- B1 B2.',
    QUIET =>
        'Other load: passes without it decide alone if each side has at least three of each test. With fewer, the row '
        . 'is inconclusive.',
    SEVERAL => 'Run to run: the standard deviation between runs of the same state. It widens the interval.',
};

# The order of verdicts in tables.
my %ORDER = (slower => 0, faster => 1, inconclusive => 2, equal => 3, unknown => 4);

# Takes a comparison or a fleet; returns the first line if it was forced, or undef.
sub forced {
    my ($view) = @_;
    my @obstacles = @{ $view->{obstacles} } or return;
    return 'The procedures differ (--force): ' . join('; ', @obstacles) . q{.};
}

# Takes sides; returns a name for each: its host and date, and what else it takes to tell them apart.
sub side_names {
    my (@sides) = @_;
    my @forms = (\&_host_and_day, \&_host_and_time, sub { _host_and_time($_[0]) . " ($_[0]{label})" });
    for my $form (@forms) {
        my %seen;
        my @names = map { $form->($_) } @sides;
        return @names if $form == $forms[-1] || !grep { $seen{$_}++ } @names;
    }
    return;
}

sub _host_and_day {
    my ($side) = @_;
    my $runs   = @{ $side->{members} || [] };
    my ($day)  = ($side->{summary}{date} // q{}) =~ /\A([0-9]{4}-[0-9]{2}-[0-9]{2})/;
    return join ', ', _host($side), grep { defined } $day // $side->{summary}{date}, $runs > 1 ? "$runs runs" : undef;
}

sub _host_and_time {
    my ($side) = @_;
    my ($time) = ($side->{summary}{date} // q{}) =~ /T([0-9]{2}:[0-9]{2}:[0-9]{2})/;
    return join q{ }, _host_and_day($side), $time // ();
}

sub _host {
    my ($side) = @_;
    return $side->{summary}{name} // $side->{label} =~ s{.*/}{}sr;
}

# Takes a side; returns the heading of a column about it, such as "A (vm)".
sub heading_of {
    my ($side) = @_;
    my $host = _host($side);
    return length $host > HOST_MOST ? $side->{letter} : "$side->{letter} ($host)";
}

# Takes a comparison; returns its findings: a sentence for each index of each pair of runs. A pair without an index that
# can be compared has one about the mean of its tests.
sub findings {
    my ($comparison) = @_;
    return map { _findings($_, $comparison->{min_effect}) } @{ $comparison->{pairs} };
}

sub _findings {
    my ($pair, $min_effect) = @_;
    return map { _finding(@$_, $pair, $min_effect) } sums($pair);
}

sub _finding {
    my ($title, $row, $pair, $min_effect) = @_;
    my ($first, $second) = map { heading_of($_) } @{ $pair->{sides} };
    my $what = "$title, " . copies_of($pair);
    return "$what: not compared, because $row->{why_not}" if defined $row->{why_not};
    return "$what: inconclusive: " . _load_in_full($row, @{ $pair->{sides} }) if $row->{load};
    my $verdict = _verdict($row, $min_effect);
    my $by      = _by_shares($row, @{ $pair->{sides} });
    return "$what: $first and $second are $verdict$by" if $row->{verdict} eq 'equal';
    return "$what: $verdict$by: measure longer" if $row->{verdict} eq 'inconclusive';
    my $than = $verdict =~ /as fast/ ? 'as' : 'than';
    return "$what: $second is $verdict $than $first$by" if $row->{verdict} ne 'unknown';
    return "$what: $second is " . _change_without_interval($row->{ratio}) . " $than $first, without an interval";
}

# Takes a row that was compared, its pair, and min_effect; returns its verdict, such as "3.2 % slower (2.1 to 4.3 %)".
# If other load disturbed passes, the text says which passes decide, or what the load was.
sub verdict_text {
    my ($row, $pair, $min_effect) = @_;
    my @sides = @{ $pair->{sides} };
    return _verdict($row, $min_effect) . _by_shares($row, @sides) if !$row->{load};
    return 'inconclusive: ' . _on_sides($row, \@sides, sub { cause_title($_[0]{cause}) . " in $_[1]" });
}

# Returns the other load that leaves a row open, with its amount.
sub _load_in_full {
    my ($row, @sides) = @_;
    return _on_sides($row, \@sides, sub { seen_in(@{ $_[0] }{qw(cause worst)}, $_[1]) });
}

# Takes a row that other load leaves open, [its sides], and a function that describes a cause, see
# UnixBench::Score::OtherLoad, and passes. Returns the description of the causes of each side.
sub _on_sides {
    my ($row, $sides, $text_of) = @_;
    my @texts;
    for my $number (0, 1) {
        my $letter = $sides->[$number]{letter};
        push @texts,
            map { $text_of->($_, "$_->{badly} of " . _passes($_->{of}) . " of $letter") }
            _main_cause(@{ $row->{load}[$number] });
    }
    return join '; ', @texts;
}

# Returns the cause that disturbed most passes, or nothing.
sub _main_cause {
    my (@load) = @_;
    my ($main) = sort { $b->{badly} <=> $a->{badly} } grep { $_->{badly} } @load;
    return $main // ();
}

# Returns which passes decide, if other load disturbed some.
sub _by_shares {
    my ($row, @sides) = @_;
    my @shares = @{ $row->{shares} || return q{} };
    my @texts  = map { "$shares[$_][0] of " . _passes($shares[$_][1]) . " of $sides[$_]{letter}" }
        grep { $shares[$_][0] < $shares[$_][1] } 0, 1;
    return ', by ' . listed(@texts) . ' without other load';
}

sub _passes {
    my ($number) = @_;
    return counted($number, 'pass', 'passes');
}

# Takes sides; returns how far each of their results can be trusted, if one of them is fair or poor, else nothing.
sub trust_of_sides {
    my (@sides) = @_;
    my @texts;
    for my $side (@sides) {
        my @members = @{ $side->{members} || [$side] };
        for my $number (1 .. @members) {
            my $summary = $members[$number - 1]{summary};
            my $known   = $summary->{trust} or next;
            my %trust   = (%$known, is_interrupted => $summary->{procedure}{interruption} ? 1 : 0);
            my $letter  = $side->{letter} . (@members > 1 ? $number : q{});
            push @texts, [$trust{level}, "$letter " . trust_words(\%trust)];
        }
    }
    return if !grep { $_->[0] =~ /\A(?:poor|fair)\z/ } @texts;
    return 'Trust: ' . join '; ', map { $_->[1] } @texts;
}

sub _verdict {
    my ($row,     $min_effect) = @_;
    my ($verdict, $ratio)      = @$row{qw(verdict ratio)};
    return sprintf 'equal within %g %% (%s)', 100 * $min_effect, _signed_interval($ratio) if $verdict eq 'equal';
    return 'inconclusive (' . _signed_interval($ratio) . ')' if $verdict eq 'inconclusive';
    return _change_without_interval($ratio) . ', without an interval' if $verdict eq 'unknown';
    return _change_with_interval($ratio);
}

# Takes the same; returns the verdict in a word or two.
sub short_verdict {
    my ($row, $min_effect) = @_;
    return sprintf 'equal within %g %%', 100 * $min_effect if $row->{verdict} eq 'equal';
    return $row->{verdict} eq 'unknown' ? 'no interval' : $row->{verdict};
}

sub _change_without_interval {
    my ($ratio) = @_;
    return 100 * abs($ratio->{value} - 1) < FINE ? 'as fast' : _change($ratio->{value});
}

# Returns a ratio as a change, such as "3.2 % slower" or "2.40 times as fast".
sub _change {
    my ($ratio) = @_;
    return sprintf '%.2f times as fast', $ratio if $ratio >= TIMES_LEAST;
    return _percent($ratio) . ($ratio < 1 ? ' % slower' : ' % faster');
}

# Returns a ratio, whose interval is wholly below 1 or wholly above it, as a change, such as
# "3.2 % slower (2.1 to 4.3 %)".
sub _change_with_interval {
    my ($ratio) = @_;
    my $value = $ratio->{value};
    my ($low, $high) = sort { abs($a - 1) <=> abs($b - 1) } @$ratio{qw(low high)};
    return sprintf '%s (%.2f to %.2f times)', _change($value), $low, $high if $value >= TIMES_LEAST;
    my @texts = map { _percent($_) } $value, $low, $high;
    @texts = map { sprintf '%.1f', 100 * abs $_ - 1 } $value, $low, $high
        if $texts[1] eq $texts[2] && $texts[1] !~ /[.]/;
    return sprintf '%s %% %s (%s to %s %%)', $texts[0], $value < 1 ? 'slower' : 'faster', @texts[1, 2];
}

sub _signed_interval {
    my ($ratio) = @_;
    return join(' to ', map { ($_ < 1 ? q{-} : q{+}) . _percent($_) } @$ratio{qw(low high)}) . ' %';
}

# Returns by how many percent a ratio differs from 1.
sub _percent {
    my ($ratio) = @_;
    my $percent = 100 * abs $ratio - 1;
    return sprintf '%.1g', $percent if $percent < FINE && $percent >= FINE_LEAST;
    my $tenths = sprintf '%.1f', $percent;
    return $tenths < TENTHS_MOST ? $tenths : sprintf '%.0f', $percent;
}

# Takes a row of repeated runs; returns the deviation between runs of the same state.
sub run_to_run {
    my ($row) = @_;
    return defined $row->{deviation} ? percent_fixed($row->{deviation}, 1) : q{};
}

# Takes a pair of runs; returns [title, row] for each test: by verdict, and the largest difference first.
sub rows_of {
    my ($pair) = @_;
    my @tests  = sort { _by_verdict($a, $b) } @{ $pair->{tests} };
    return map { [$_->{title}, $_] } @tests;
}

sub _by_verdict {
    my ($first, $second) = @_;
    return
           $ORDER{ $first->{verdict} } <=> $ORDER{ $second->{verdict} }
        || _difference($second) <=> _difference($first)
        || $first->{title} cmp $second->{title};
}

# Returns how far a ratio is from 1. Rounding errors of equal ratios do not count.
sub _difference {
    my ($row) = @_;
    return sprintf '%.4f', abs log $row->{ratio}{value};
}

# Takes a pair of runs; returns [title, row] for each row at the foot of its table: the indexes that can be compared,
# and the mean of the tests, if there is one.
sub sums_below {
    my ($pair) = @_;
    my @indexes = map { [index_title($_), $_] } grep { $_->{ratio} } @{ $pair->{indexes} };
    return (@indexes, $pair->{mean} ? ['Geometric mean of the tests', $pair->{mean}] : ());
}

# Takes a pair of runs; returns [title, row] of each of its indexes. If none can be compared, also returns the mean of
# its tests.
sub sums {
    my ($pair) = @_;
    my @sums   = map { [index_title($_), $_] } @{ $pair->{indexes} };
    return @sums if !$pair->{mean} || grep { $_->{ratio} } @{ $pair->{indexes} };
    my $tests = counted(scalar @{ $pair->{tests} }, 'test', 'tests');
    return (@sums, ["Mean of $tests in common", $pair->{mean}]);
}

# Takes a comparison without differences between the machines; returns sentences that say so, and what is unknown.
sub machines_are_equal {
    my ($comparison) = @_;
    my @unknown = @{ $comparison->{unknown} } or return 'All known facts about the machines are equal.';
    return join q{ }, @unknown, 'It is unknown whether the machines differ.'
        if grep { !%{ $_->{summary}{facts} } } @{ $comparison->{sides} };
    return join q{ }, 'All facts that are known of each machine are equal.', @unknown;
}

# Takes a pair of runs; returns its numbers of copies.
sub copies_of {
    my ($pair) = @_;
    my ($first, $second) = map { counted($_->{copies}, 'copy', 'copies') } @{ $pair->{runs} };
    return $pair->{is_same_count} ? $first : "$first against $second";
}

# Takes a pair of runs; returns its title, such as "B (new) against A (old), 4 copies".
sub pair_title {
    my ($pair) = @_;
    my ($first, $second) = map { heading_of($_) } @{ $pair->{sides} };
    return "$second against $first, " . copies_of($pair) if $pair->{is_same_count};
    my ($of_first, $of_second) = map { counted($_->{copies}, 'copy', 'copies') } @{ $pair->{runs} };
    return "$second with $of_second against $first with $of_first";
}

# Takes a ratio, returns it as a text.
sub ratio_text {
    my ($ratio) = @_;
    return sprintf $ratio < PLAIN_LEAST ? '%.3g' : '%.3f', $ratio;
}

# Takes the estimate of a ratio, returns its interval as a text, empty if it has none.
sub interval {
    my ($ratio) = @_;
    return defined $ratio->{low} ? join q{-}, map { ratio_text($_) } @$ratio{qw(low high)} : q{};
}

# Takes a side; returns a line with what is known of it.
sub side_facts {
    my ($side)  = @_;
    my $summary = $side->{summary};
    my $version = defined $summary->{version} ? "UnixBench $summary->{version}" : undef;
    my @texts   = (@$summary{qw(name system date)}, $version, _procedure($summary->{procedure}));
    my @known   = grep { defined && length } @texts;
    return @known ? join ', ', @known : 'nothing is known of it';
}

sub _procedure {
    my ($procedure) = @_;
    my $kind        = $procedure->{kind} // return;
    my @changed     = grep { defined && $_ != 1 } @$procedure{qw(time_factor work_factor)};
    return "$kind procedure" . (@changed ? ', changed' : q{});
}

# Takes a pair of runs; returns a sentence for each test that is not in its table, with the reasons.
sub not_compared {
    my ($pair)  = @_;
    my @letters = map { $_->{letter} } @{ $pair->{sides} };
    return map { "$_->{title}: " . _reasons($_->{reasons}, @letters) } @{ $pair->{lacking} };
}

sub _reasons {
    my ($reasons, @letters) = @_;
    return join '; ', map { "$letters[$_]: $reasons->[$_]" } grep { defined $reasons->[$_] } 0 .. 1;
}

# Takes a comparison; returns sentences that explain its tables.
sub legend {
    my ($comparison) = @_;
    my @rows = map {
        (@{ $_->{tests} }, grep { $_->{ratio} } @{ $_->{indexes} })
    } @{ $comparison->{pairs} };
    my @trimmed = grep { $_->{is_trimmed} } @rows;
    my $is_set  = grep { $_->{members} } @{ $comparison->{sides} };
    my $marks =
        sprintf '+-: half of the 95 %% interval. inconclusive: the interval of B/A has values inside and outside of '
        . '%g %%; measure longer.', 100 * $comparison->{min_effect};
    return (
        $marks,
        (@trimmed < @rows                            ? (_is_quick($comparison) ? QUICK : PASSES) : ()),
        (@trimmed                                    ? ($is_set ? CLASSIC : TRIMMED)             : ()),
        ((grep { $_->{load} || $_->{shares} } @rows) ? QUIET                                     : ()),
        ($is_set                                     ? SEVERAL                                   : ONE_RUN),
    );
}

sub _is_quick {
    my ($comparison) = @_;
    my @sides        = map { @{ $_->{sides} } } @{ $comparison->{pairs} };
    return scalar grep { ($_->{summary}{procedure}{kind} // q{}) eq 'quick' } @sides;
}

1;
