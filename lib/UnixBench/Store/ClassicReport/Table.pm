package UnixBench::Store::ClassicReport::Table;

# The table of indexes in a text report: reads its lines, and checks that they agree with each other and with the
# results above the table. A reading function takes a report, see UnixBench::Store::ClassicReport, and the parts of a
# line. It dies with one line if values contradict each other. The other functions know the titles of all versions.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result qw(is_measured);
use UnixBench::Base::Text   qw(clean);
use UnixBench::Catalog      ();

our @EXPORT_OK = qw(is_known read_head read_index read_no_index read_row test_of);

use constant { HALF => 0.0501, LEAST => 1e-9, SHOWN_MAX => 60 };    # all numbers were rounded to one decimal

# The titles of tests and indexes in the reports of all versions.
my @TESTS    = UnixBench::Catalog::tests();
my @SEARCHES = map { UnixBench::Catalog::as_search($_) } grep { $_->{has_users} } @TESTS;
my %NAME     = map { _normal($_->{title}) => $_->{name} } @TESTS, @SEARCHES;
my %CATEGORY = map { $_->{title} => $_->{name} } UnixBench::Catalog::categories();

# Reads the line before the table. Results after a table do not belong to its run.
sub read_head {
    my ($report, $title, $kind) = @_;
    my $run = $report->{run} or return;
    $run->{has_table} = 1 if @{ $run->{tests} };
    my $category = _category($title) // return delete $run->{table};
    return $run->{table} = {
        category => $category,
        title    => $title,
        complete => $kind eq 'Index Values' ? 1 : 0,
        rows     => [],
    };
}

# Reads a row: title, BASELINE, RESULT and INDEX. A value is a number or "---".
sub read_row {
    my ($report, $title, @values) = @_;
    my $run   = $report->{run} or return;
    my $table = $run->{table}  or return;
    tr/,//d for @values;
    my ($baseline, $result, $index) = @values;
    my $name = test_of($title);
    my $test = $run->{test}{$name};
    push @{ $report->{only_in_table} }, $title if !$test;
    _check_row($title, $test, $baseline, $result, $index);
    return if $baseline eq '---' || $baseline <= 0;
    $test->{baseline} = $baseline + 0 if $test;
    return push @{ $table->{rows} }, { name => $name, index => $index };
}

# Reads the line of the index score, which follows the rows.
sub read_index {
    my ($report, $value) = @_;
    my $run   = $report->{run}       or return;
    my $table = delete $run->{table} or return;
    $value =~ tr/,//d;
    return if $value <= 0;
    my $rows = delete $table->{rows};
    _check_index($table->{title}, $value, @$rows);
    my @names = map { $_->{name} } @$rows;
    return push @{ $run->{indexes} }, { %$table, tests => \@names, estimate => undef, index => $value + 0 };
}

# Reads the line of an index without a number. The results above the table say which tests are missing.
sub read_no_index {
    my ($report, $partial) = @_;
    my $run     = $report->{run}       or return;
    my $table   = delete $run->{table} or return;
    my @names   = map { $_->{name} } @{ delete $table->{rows} };
    my %lacking = map { $_ => 0 } qw(failed interrupted skipped);
    $lacking{ $_->{status} }++
        for grep { !is_measured($_) && ($_->{category} // q{}) eq $table->{category} } @{ $run->{tests} };
    $lacking{is_all_asked} = defined $partial ? 0 : 1;
    return push @{ $run->{indexes} },
        { %$table, tests => \@names, estimate => undef, index => undef, lacking => \%lacking };
}

# Takes a row's title, the test with this title in the results (or undef) and the row's values. Dies if they contradict
# each other.
sub _check_row {
    my ($title, $test, $baseline, $result, $index) = @_;
    my $shown = _shown($title);
    if ($test) {
        die "$shown has no score in the results, but $result in the table of indexes\n" if !defined $test->{score};
        die "$shown is $test->{score} in the results, but $result in the table of indexes\n"
            if abs($test->{score} - $result) > 2 * HALF + LEAST * $result;
    }
    return if grep { $_ eq '---' || $_ <= 0 } $baseline, $index;
    my ($low, $high) =
        (10 * ($result - HALF) / ($baseline + HALF), 10 * ($result + HALF) / List::Util::max(LEAST, $baseline - HALF));
    die "$shown has the index $index, but its result and baseline give " . sprintf("%.1f\n", 10 * $result / $baseline)
        if $index < $low - HALF || $index > $high + HALF;
    return;
}

# Dies unless the index score is the geometric mean of the indexes of the rows.
sub _check_index {
    my ($title, $value, @rows) = @_;
    my @indexes = map { $_->{index} } @rows;
    return if !@indexes || grep { $_ eq '---' } @indexes;
    my ($low, $mean, $high) = map { _mean($_, @indexes) } -HALF(), 0, HALF;
    return if $value >= $low - HALF && $value <= $high + HALF;
    die _shown($title) . " has the index score $value, but the indexes of its tests give " . sprintf "%.1f\n", $mean;
}

# Takes a number and other numbers; adds the first one to each of the others and returns their geometric mean.
sub _mean {
    my ($more, @numbers) = @_;
    return exp(List::Util::sum(map { log List::Util::max(LEAST, $_ + $more) } @numbers) / @numbers);
}

sub _shown {
    my ($title) = @_;
    return q{"} . substr(clean($title), 0, SHOWN_MAX) . q{"};
}

# Takes a test's title; returns its name, or the title if this suite has no such test.
sub test_of {
    my ($title) = @_;
    return $NAME{ _normal($title) } // $title;
}

# Takes a test's title; returns whether this suite has such a test.
sub is_known {
    my ($title) = @_;
    return exists $NAME{ _normal($title) };
}

sub _category {
    my ($title) = @_;
    return $CATEGORY{$title};
}

# Returns a title in one form for all versions. Older ones wrote "Arithmetic Test (type = short)", "Recursion
# Test--Tower of Hanoi" and "Execl Throughput Test", and did not name the compiler.
sub _normal {
    my ($title) = @_;
    my $normal = lc $title;
    $normal        =~ s/\(type = (\w+)\)/($1)/;
    $normal        =~ s/ ?-- ?/ -- /;
    $normal        =~ s/ test\z//;
    return $normal =~ s/\Ac compiler throughput\z/c compiler throughput (gcc)/r;
}

1;
