package UnixBench::Report::Comparison::Wording;

# The words of reports about comparisons.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format    qw(counted);
use UnixBench::Report::Wording qw(index_title);

our @EXPORT_OK = qw(
    alike change copies_of difference_words findings forced found interval interval_words legend
    not_compared pair_title ratio_text side_facts sums sums_below
);

use constant {
    TIMES_LEAST => 2,        # from this ratio on, a change is printed in times, not in percent
    FINE        => 0.05,     # percent: a smaller change has one significant digit
    FINE_LEAST  => 0.001,    # percent: a still smaller change is 0.0
    PLAIN_LEAST => 0.1,      # a smaller ratio has three significant digits, not three decimals
    UNTRIMMED   => 'Scores are of all passes, also of the worst third, which the classic score leaves out.',
    OF_SLICES   => 'Scores are of all slices of quick runs, which are estimates.',
    TRIMMED     => 'Without an interval: classic scores of both sides, as a text report has no others.',
};

my %DIFFERENCE = (same => 'none shown', unknown => 'not known', worse => 'worse', better => 'better');

# Takes a comparison or a fleet; returns the notice for its top if it was forced, else nothing.
sub forced {
    my ($view) = @_;
    my @obstacles = @{ $view->{obstacles} } or return;
    return 'Compared all the same (--force): ' . join('; ', @obstacles) . q{.};
}

# Takes a comparison; returns a sentence for each index of each pair of runs. If no index of a pair can be compared,
# also returns one for the mean of its tests.
sub findings {
    my ($comparison) = @_;
    return map { _findings($_, $comparison->{min_effect}) } @{ $comparison->{pairs} };
}

sub _findings {
    my ($pair, $min_effect) = @_;
    return map { _finding(@$_, $pair, $min_effect) } sums($pair);
}

# Takes a pair of runs; returns [title, row] for each row below its tests in a table. These are the indexes that can be
# compared, and the mean of the tests, if there is one.
sub sums_below {
    my ($pair) = @_;
    my @indexes = map { [index_title($_), $_] } grep { $_->{ratio} } @{ $pair->{indexes} };
    return (@indexes, $pair->{mean} ? ['Geometric mean of the tests', $pair->{mean}] : ());
}

# Takes a pair of runs; returns [title, row] for each of its indexes. If no index can be compared, also returns the mean
# of the tests.
sub sums {
    my ($pair) = @_;
    my @sums   = map { [index_title($_), $_] } @{ $pair->{indexes} };
    return @sums if !$pair->{mean} || grep { $_->{ratio} } @{ $pair->{indexes} };
    my $tests = counted(scalar @{ $pair->{tests} }, 'test', 'tests');
    return (@sums, ["Mean of $tests in common", $pair->{mean}]);
}

sub _finding {
    my ($title, $row, $pair, $min_effect) = @_;
    my ($first, $second) = map { $_->{letter} } @{ $pair->{sides} };
    my $what = "$title, " . copies_of($pair);
    return "$what: $second is not compared with $first, as $row->{why_not}" if defined $row->{why_not};
    my $found = found($row, $min_effect);
    my $said  = "$second is $found " . ($found =~ /as fast\z/ ? 'as' : 'than') . " $first";
    $said = "$found between $first and $second" if $row->{verdict} eq 'same';
    my $interval = interval_words($row->{ratio});
    return "$what: $said (" . (length $interval ? "95 %: $interval" : 'spread not known') . ')';
}

# Takes a comparison of machines without a known difference; returns sentences that say so, and which facts are unknown.
sub alike {
    my ($comparison) = @_;
    my @unknown = @{ $comparison->{unknown} } or return 'The machines do not differ in what is known of them.';
    return join q{ }, @unknown, 'It is unknown whether the machines differ.'
        if grep { !%{ $_->{summary}{facts} } } @{ $comparison->{sides} };
    return join q{ }, 'The machines do not differ in what is known of all.', @unknown;
}

# Takes a row that was compared, and min_effect; returns the difference in words, such as "3.2 % slower".
sub found {
    my ($row, $min_effect) = @_;
    my $ratio = $row->{ratio}{value};
    return sprintf 'no difference beyond %g %% is shown', 100 * $min_effect if $row->{verdict} eq 'same';
    return 'as fast' if $row->{verdict} eq 'unknown' && _percent($ratio) < FINE;
    return change($ratio) =~ s/times\z/times as fast/r;
}

# Takes a ratio as an estimate; returns its interval as changes, such as "3.0 to 3.4 % slower", or an empty text.
sub interval_words {
    my ($ratio) = @_;
    return q{} if !defined $ratio->{low};
    my ($low, $high) = map { change($_) } @$ratio{qw(low high)};
    $low =~ s/ % (\w+)\z// if $high =~ / % (\w+)\z/ && $low =~ / % $1\z/;
    return "$low to $high";
}

# Takes a row that was compared; returns its verdict in a word or two, such as "none shown".
sub difference_words {
    my ($row) = @_;
    return $DIFFERENCE{ $row->{verdict} };
}

# Takes a ratio; returns it as a change, such as "3.2 % slower".
sub change {
    my ($ratio) = @_;
    return sprintf '%.2f times', $ratio if $ratio >= TIMES_LEAST;
    my $percent = _percent($ratio);
    my $digits  = $percent < FINE && $percent >= FINE_LEAST ? '%.1g' : '%.1f';
    return sprintf "$digits %% %s", $percent, $ratio < 1 ? 'slower' : 'faster';
}

sub _percent {
    my ($ratio) = @_;
    return 100 * abs $ratio - 1;
}

# Takes a pair of runs; returns their numbers of copies in words.
sub copies_of {
    my ($pair) = @_;
    my ($first, $second) = map { counted($_->{copies}, 'copy', 'copies') } @{ $pair->{runs} };
    return $pair->{is_same_count} ? $first : "$first against $second";
}

# Takes a pair of runs; returns its title, such as "B against A, 4 copies".
sub pair_title {
    my ($pair) = @_;
    my ($first, $second) = map { $_->{letter} } @{ $pair->{sides} };
    return "$second against $first, " . copies_of($pair) if $pair->{is_same_count};
    my ($of_first, $of_second) = map { counted($_->{copies}, 'copy', 'copies') } @{ $pair->{runs} };
    return "$second ($of_second) against $first ($of_first)";
}

# Takes a ratio, returns it as a number.
sub ratio_text {
    my ($ratio) = @_;
    return sprintf $ratio < PLAIN_LEAST ? '%.3g' : '%.3f', $ratio;
}

# Takes a ratio as an estimate, returns its interval, or an empty text.
sub interval {
    my ($ratio) = @_;
    return defined $ratio->{low} ? join q{-}, map { ratio_text($_) } @$ratio{qw(low high)} : q{};
}

# Takes a side; returns the known facts about it in a line.
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

# Takes a pair of runs; returns why tests are not in its table, a sentence for each.
sub not_compared {
    my ($pair)  = @_;
    my @letters = map { $_->{letter} } @{ $pair->{sides} };
    return map { "$_->{title}: " . _reasons($_->{reasons}, @letters) } @{ $pair->{lacking} };
}

sub _reasons {
    my ($reasons, @letters) = @_;
    return join '; ', map { "$letters[$_]: $reasons->[$_]" } grep { defined $reasons->[$_] } 0 .. 1;
}

# Takes a comparison; returns sentences that explain its numbers.
sub legend {
    my ($comparison) = @_;
    my @rows = map {
        (@{ $_->{tests} }, grep { $_->{ratio} } @{ $_->{indexes} })
    } @{ $comparison->{pairs} };
    my @trimmed = grep { $_->{is_trimmed} } @rows;
    my $mark    = sprintf '+-: half of the 95 %% interval; ~: no difference beyond %g %% is shown; ?: not known.',
        100 * $comparison->{min_effect};
    my $of_all = _is_quick($comparison) ? OF_SLICES : UNTRIMMED;
    return ($mark, (@trimmed < @rows ? $of_all : ()), (@trimmed ? TRIMMED : ()));
}

sub _is_quick {
    my ($comparison) = @_;
    my @sides        = map { @{ $_->{sides} } } @{ $comparison->{pairs} };
    return scalar grep { ($_->{summary}{procedure}{kind} // q{}) eq 'quick' } @sides;
}

1;
