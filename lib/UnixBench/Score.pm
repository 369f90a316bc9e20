package UnixBench::Score;

# Computes the scores of passes and tests, and the indexes.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result qw(is_measured tests_by_title);
use UnixBench::Base::Text   qw(counted);
use UnixBench::Catalog      ();
use UnixBench::Score::Stats qw(geometric_mean mean);

our @EXPORT_OK = qw(index_of_test LOWEST_THIRD);

use constant { RATE_LEAST => 1e-30, RATE_MOST => 1e30 };    # no computer has a rate outside these limits

# Takes [the copies of a pass], each { count, time_s, timebase, unit }; returns these four values of the pass. Counts
# are added, times are averaged, timebase and unit are those of the first copy.
sub pass {
    my ($copies) = @_;
    my $first = $copies->[0];
    return {
        count    => List::Util::sum(map { $_->{count} } @{$copies}),
        time_s   => mean(map { $_->{time_s} } @{$copies}),
        timebase => $first->{timebase},
        unit     => $first->{unit},
    };
}

# Takes a pass; returns its count per timebase (one second, one minute). With timebase 0 the count is already a rate.
sub rate {
    my ($pass) = @_;
    return $pass->{count} if !$pass->{timebase};
    return $pass->{count} / ($pass->{time_s} / $pass->{timebase});
}

# Takes a test of a result or of its summary; returns its index, or undef without a score or a baseline.
sub index_of_test {
    my ($test) = @_;
    return is_measured($test) && $test->{baseline} ? 10 * $test->{score} / $test->{baseline} : undef;
}

# Takes a rate; returns whether a computer can reach it.
sub is_sensible {
    my ($rate) = @_;
    return $rate > RATE_LEAST && $rate < RATE_MOST;
}

# The passes that the score of an official run leaves out, in words.
use constant LOWEST_THIRD => 'the third of the passes with the lowest counts';

# Takes [the passes of a test] in an official run, at least one; returns { score, unit, time_s, samples, dropped,
# kept }. The third of the passes with the lowest counts, not rates, is dropped. dropped and kept are [counts], in
# ascending order.
sub test {
    my ($passes) = @_;
    my @kept     = sort { $a->{count} <=> $b->{count} } @{$passes};
    my @dropped  = splice @kept, 0, int(@kept / 3);
    return {
        score   => geometric_mean(map { rate($_) } @kept),
        unit    => $passes->[0]{unit},
        time_s  => mean(map { $_->{time_s} } @kept),
        samples => scalar @kept,
        dropped => [map { $_->{count} } @dropped],
        kept    => [map { $_->{count} } @kept],
    };
}

# Takes [the passes of a test] in a quick run, at least one; returns the same keys. The score is the sum of all counts
# divided by the sum of all times, and nothing is dropped. With timebase 0 the score is the mean of the rates, weighted
# by their times.
sub test_of_rounds {
    my ($passes) = @_;
    my @times_s  = map { $_->{time_s} } @{$passes};
    my $weighted = List::Util::sum(map { rate($_) * $_->{time_s} } @{$passes});
    return {
        score   => $weighted / List::Util::sum(@times_s),
        unit    => $passes->[0]{unit},
        time_s  => mean(@times_s),
        samples => scalar @times_s,
        dropped => [],
        kept    => [sort { $a <=> $b } map { $_->{count} } @{$passes}],
    };
}

# Returns [index, ...], see Base/README.md: one for each category in which a baseline test was measured. Takes [the
# tests of a run] and a parsed baseline. The names of all tests that were asked for may follow (default: those of the
# run). An index has no number if a baseline test was asked for and not measured.
sub indexes {
    my ($tests, $baseline, @asked) = @_;
    my %status = ((map { $_ => 'interrupted' } @asked), map { $_->{name} => $_->{status} } @{$tests});
    return [map { _index_of_category($_, $tests, $baseline, \%status) } UnixBench::Catalog::categories()];
}

# Takes an index without a number; returns the reason, such as "2 tests failed, 1 skipped". A text report may not have
# the reason.
sub lacking {
    my ($index) = @_;
    my ($first, @others) = grep { $index->{lacking}{$_} } qw(failed interrupted skipped);
    return 'incomplete' if !defined $first;
    return join ', ', counted($index->{lacking}{$first}, 'test', 'tests') . " $first",
        map { "$index->{lacking}{$_} $_" } @others;
}

# Takes an index; returns what it measures, such as "2D Graphics".
sub subject {
    my ($index) = @_;
    my $category = UnixBench::Catalog::category($index->{category}) or return $index->{title};
    return $category->{subject};
}

# Takes an index without a number; returns the mean that is shown instead, with its subject and without it.
sub mean_of_subject {
    my ($index) = @_;
    return subject($index) . q{, } . mean_title($index);
}

sub mean_title {
    my ($index) = @_;
    my $tests = $index->{mean_of_others}{tests};
    return 'mean of the other ' . ($tests == 1 ? 'test' : "$tests tests");
}

sub _index_of_category {
    my ($category, $tests, $baseline, $status) = @_;
    my @tests = grep { is_measured($_) && $_->{category} eq $category->{name} } tests_by_title($tests);
    my @rows  = map  { _row($_, $baseline->{ $_->{name} }) } @tests;
    my @based = grep { defined $_->{baseline} } @rows;
    return if !@based;
    my @known = map { UnixBench::Catalog::test($_) // () } keys %$baseline;
    my @names = map { $_->{name} } grep { $_->{category} eq $category->{name} } @known;
    return {
        category => $category->{name},
        title    => $category->{title},
        complete => @based == @names ? 1 : 0,
        rows     => \@rows,
        _value(
            10 * geometric_mean(map { $_->{score} / $_->{baseline} } @based),
            scalar @based,
            map { $status->{$_} } @names
        ),
    };
}

# Takes the mean of the measured tests, their number, and the status of each baseline test, undef if it was not asked
# for. Returns the keys for the value of the index. If a test that was asked for is missing, the mean is not an index.
sub _value {
    my ($mean, $count, @statuses) = @_;
    my %lacking = map { $_ => 0 } qw(failed interrupted skipped);
    $lacking{$_}++ for grep { defined && $_ ne 'measured' } @statuses;
    return (index => $mean) if !List::Util::sum(values %lacking);
    my $is_all_asked = (grep { !defined } @statuses) ? 0 : 1;
    return (
        index          => undef,
        lacking        => { %lacking, is_all_asked => $is_all_asked },
        mean_of_others => { value => $mean, tests => $count }
    );
}

sub _row {
    my ($test, $entry) = @_;
    return {
        name     => $test->{name},
        title    => $test->{title},
        baseline => $entry ? $entry->{score} : undef,
        score    => $test->{score},
        index    => $entry ? $test->{score} / $entry->{score} * 10 : undef,
    };
}

1;
