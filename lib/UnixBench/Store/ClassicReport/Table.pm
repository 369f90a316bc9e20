package UnixBench::Store::ClassicReport::Table;

# The table of indexes in a text report: checks that its lines agree with each other and with the results above it, and
# makes tests of its rows if there are no such results.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text     qw(clean listed);
use UnixBench::Catalog        ();
use UnixBench::Plan::Baseline ();

our @EXPORT_OK = qw(shown_title);

use constant { HALF => 0.0501, LEAST => 1e-9, SHOWN_MAX => 60 };    # all numbers were rounded to one decimal

# The units of the tests of the index of the system, and of others that have an index.
my %UNIT = (
    (map { $_ => 'lps' } qw(dhry2reg execl pipe context1 spawn syscall)),
    (map { $_ => 'KBps' } qw(fstime fsbuffer fsdisk)),
    (map { $_ => 'lpm' } qw(shell1 shell8)),
    'whetstone-double' => 'MWIPS',
);

my %OTHER_UNIT = (ubgears => 'fps', grep => 'lpm', sysexec => 'lps');

# Takes the name of a test; returns the unit of its score, or undef if it is not known.
sub unit {
    my ($name) = @_;
    return $UNIT{$name} // $OTHER_UNIT{$name} // ($name =~ /\A2d-/ ? 'score' : undef);
}

# Takes a test of the results; dies with one line if its unit is another one.
sub check_unit {
    my ($test) = @_;
    my $unit = $UNIT{ $test->{name} } // return;
    return if !defined $test->{unit} || $test->{unit} eq $unit;
    die shown_title($test->{title}) . ' is in ' . clean($test->{unit}) . ", not in $unit\n";
}

# Takes a row, { name, title, baseline, result, index } with numbers or "---", and the test of this name in the results,
# or undef. Dies with one line if they contradict each other.
sub check_row {
    my ($row, $test) = @_;
    my ($baseline, $result, $index) = @$row{qw(baseline result index)};
    my $shown = shown_title($row->{title});
    if ($test) {
        die "$shown has no score in the results, but $result in the table of indexes\n" if !defined $test->{score};
        die "$shown is $test->{score} in the results, but $result in the table of indexes\n"
            if abs($test->{score} - $result) > 2 * HALF + LEAST * $result;
    }
    die "$shown has the index $index, but its result and baseline give " . sprintf("%.1f\n", 10 * $result / $baseline)
        if !is_index_of_row($row);
    return;
}

# Takes a row; returns whether its index follows from its result and its baseline, as far as they are known.
sub is_index_of_row {
    my ($row) = @_;
    my ($baseline, $result, $index) = @$row{qw(baseline result index)};
    return 1 if grep { $_ eq '---' || $_ <= 0 } $baseline, $index;
    my ($low, $high) =
        (10 * ($result - HALF) / ($baseline + HALF), 10 * ($result + HALF) / List::Util::max(LEAST, $baseline - HALF));
    return $index >= $low - HALF && $index <= $high + HALF;
}

# Takes the table, the index score, and the tests of the results. Dies with one line unless the index score is the
# geometric mean of the indexes of the rows.
sub check_index {
    my ($table, $value, @tests) = @_;
    my ($title, $rows) = @$table{qw(title rows)};
    die "the line of @{[shown_title($_)]} in the table of indexes can't be read: $table->{unread}{$_}\n"
        for sort keys %{ $table->{unread} };
    my @indexes = map { $_->{index} } @$rows;
    return if !@indexes || grep { $_ eq '---' } @indexes;
    my ($low, $mean, $high) = map { _mean($_, @indexes) } -HALF(), 0, HALF;
    return if $value >= $low - HALF && $value <= $high + HALF;
    my @missing = map { shown_title($_) } missing($table, @tests);
    my $hint    = @missing ? '; these lines are missing: ' . listed(@missing) : q{};
    die shown_title($title)
        . " has the index score $value, but the indexes of its tests give "
        . sprintf("%.1f", $mean)
        . "$hint\n";
}

# Takes a table, and perhaps the tests of the results; returns the titles of tests of the index that have no row.
# Without results, a table whose first line says that it is a part may lack any.
sub missing {
    my ($table, @tests) = @_;
    my %has = map { $_->{name} => 1 } @{ $table->{rows} };
    my @wanted =
        grep { ($_->{category} // q{}) eq $table->{category} && defined $UNIT{ $_->{name} } }
        @tests ? grep({ defined $_->{score} } @tests)
        : $table->{complete} || $table->{is_without_head} ? UnixBench::Catalog::tests()
        :                                                   ();
    return map { $_->{title} } grep { !$has{ $_->{name} } } @wanted;
}

# Takes a number and other numbers; adds the first one to each of the others and returns their geometric mean.
sub _mean {
    my ($more, @numbers) = @_;
    return exp(List::Util::sum(map { log List::Util::max(LEAST, $_ + $more) } @numbers) / @numbers);
}

# Takes runs; returns whether a baseline differs from the official one.
sub has_other_baseline {
    my (@runs) = @_;
    my @tests  = grep { defined $_->{baseline} } map { @{ $_->{tests} } } @runs;
    return scalar grep { !UnixBench::Plan::Baseline::is_official_score(@$_{qw(name baseline)}) } @tests;
}

# Takes a title; returns it for a message.
sub shown_title {
    my ($title) = @_;
    return q{"} . substr(clean($title), 0, SHOWN_MAX) . q{"};
}

1;
