package UnixBench::Store::ClassicReport::Tables;

# A run of a text report: its results, and its tables of indexes. The lines of a table must agree with each other and
# with the results above it. If there are no such results, its rows become tests.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result   qw(is_measured);
use UnixBench::Base::Text     qw(clean listed);
use UnixBench::Catalog        ();
use UnixBench::Plan::Baseline ();

our @EXPORT_OK = qw(
    add_row add_test begin_table category_of category_of_first check end_table end_without_index has_other_baseline
    is_title is_torn name_of new_run row unread_rows
);
our %EXPORT_TAGS = (all => \@EXPORT_OK);

use constant { HALF => 0.0501, LEAST => 1e-9, SHOWN_MAX => 60 };    # all numbers were rounded to one decimal

# The titles of tests and indexes in the reports of all versions.
my @TESTS    = UnixBench::Catalog::tests();
my @SEARCHES = map { +{ %$_, %{ $_->{search} } } } grep { $_->{search} } @TESTS;
my %NAME     = map { _normal($_->{title}) => $_->{name} } @TESTS, @SEARCHES;
my %CATEGORY = map { $_->{title} => $_->{name} } UnixBench::Catalog::categories();
my %TITLE_OF = reverse %CATEGORY;

# The tests of the index, and the units of tests that have an index.
my %IS_INDEXED = map { $_ => 1 } UnixBench::Catalog::expand('index');
my %UNIT       = (
    (map { $_ => 'lps' } qw(dhry2reg execl pipe context1 spawn syscall sysexec)),
    (map { $_ => 'KBps' } qw(fstime fsbuffer fsdisk)),
    (map { $_ => 'lpm' } qw(shell1 shell8 grep)),
    (map { $_ => 'score' } grep { /\A2d-/ } values %NAME),
    'whetstone-double' => 'MWIPS',
    'ubgears'          => 'fps',
);

# Takes a row, { name, title, baseline, result, index } with numbers or "---", and the test of this name in the results,
# or undef. Dies with one line if they contradict each other.
sub _check_row {
    my ($row, $test) = @_;
    my ($baseline, $result, $index) = @$row{qw(baseline result index)};
    my $shown = _shown_title($row->{title});
    if ($test) {
        die "$shown has no score in the results, but $result in the table of indexes\n" if !defined $test->{score};
        die "$shown is $test->{score} in the results, but $result in the table of indexes\n"
            if abs($test->{score} - $result) > 2 * HALF + LEAST * $result;
    }
    die "$shown has the index $index, but its result and baseline give " . sprintf("%.1f\n", 10 * $result / $baseline)
        if !_is_index_of_row($row);
    return;
}

# Takes a row; returns whether its index follows from its result and its baseline, as far as they are known.
sub _is_index_of_row {
    my ($row) = @_;
    my ($baseline, $result, $index) = @$row{qw(baseline result index)};
    return 1 if grep { $_ eq '---' || $_ <= 0 } $baseline, $index;
    my ($low, $high) =
        (10 * ($result - HALF) / ($baseline + HALF), 10 * ($result + HALF) / List::Util::max(LEAST, $baseline - HALF));
    return $index >= $low - HALF && $index <= $high + HALF;
}

# Takes the table, the index score, and the tests of the results. Dies with one line unless the index score is the
# geometric mean of the indexes of the rows.
sub _check_index {
    my ($table, $value, @tests) = @_;
    my ($title, $rows) = @$table{qw(title rows)};
    my @indexes = map { $_->{index} } @$rows;
    return if !@indexes || grep { $_ eq '---' } @indexes;
    my ($low, $mean, $high) = map { _mean($_, @indexes) } -HALF(), 0, HALF;
    return if $value >= $low - HALF && $value <= $high + HALF;
    my @missing = map { _shown_title($_) } _missing($table, @tests);
    my $hint    = @missing ? '; these lines are missing: ' . listed(@missing) : q{};
    die _shown_title($title)
        . " has the index score $value, but the indexes of its tests give "
        . sprintf("%.1f", $mean)
        . "$hint\n";
}

# Takes a table, and perhaps the tests of the results; returns the titles of tests of the index that have no row.
# Without results, a table whose first line says that it is a part may lack any.
sub _missing {
    my ($table, @tests) = @_;
    my %has = map { $_->{name} => 1 } @{ $table->{rows} };
    my @wanted =
        grep { ($_->{category} // q{}) eq $table->{category} && $IS_INDEXED{ $_->{name} } }
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
sub _shown_title {
    my ($title) = @_;
    return q{"} . substr(clean($title), 0, SHOWN_MAX) . q{"};
}

# Takes what is known of a run; returns the run: its tests, { name => test }, the rows of its tables, and its indexes.
sub new_run {
    my (%known) = @_;
    my %lists = map { $_ => [] } qw(tests rows indexes tables);
    return { copies => undef, cpu_count => undef, %known, %lists, test => {} };
}

# Takes a run, and the title and values of a test; adds the test.
sub add_test {
    my ($run, $title, %known) = @_;
    my $test = _test($title, %known);
    $run->{twice} //= $title if $run->{test}{ $test->{name} };
    $run->{test}{ $test->{name} } = $test;
    return push @{ $run->{tests} }, $test;
}

sub _test {
    my ($title, %known) = @_;
    my %test = map { $_ => undef } qw(unit reason score baseline cv estimate);
    my $name = name_of($title);
    my $row  = UnixBench::Catalog::test($name) || { category => undef };
    return { %test, name => $name, title => $title, category => $row->{category}, status => 'measured', %known };
}

# Takes the title of a table; returns the name of its category, or undef.
sub category_of { my ($title) = @_; return $CATEGORY{$title} }

# Takes a run, a category or undef, and whether its table is that of all tests; begins the table.
sub begin_table {
    my ($run, $category, $is_complete) = @_;
    return delete $run->{table} if !defined $category;
    my %table = (category => $category, title => $TITLE_OF{$category}, complete => $is_complete ? 1 : 0);
    return $run->{table} = { %table, rows => [], unread => {} };
}

# Takes a title, and baseline, result and index: numbers or "---". Returns the row.
sub row {
    my ($title, @values) = @_;
    tr/,//d for @values;
    my %row = (title => $title, name => name_of($title));
    @row{qw(baseline result index)} = @values;
    return \%row;
}

# Takes a row; returns the category of its test if a table can begin with it, or undef.
sub category_of_first {
    my ($row) = @_;
    my $test = UnixBench::Catalog::test($row->{name});
    return $test && _is_index_of_row($row) && $row->{baseline} ne '---' ? $test->{category} : undef;
}

# Takes a run with a table, and a row; adds the row.
sub add_row {
    my ($run, $row) = @_;
    $run->{twice} //= $row->{title} if grep { $_->{name} eq $row->{name} } @{ $run->{rows} };
    push @{ $run->{rows} }, $row;
    return $row->{baseline} ne '---' && $row->{baseline} > 0 ? push @{ $run->{table}{rows} }, $row : undef;
}

# Takes a run with a table, and its index score; ends the table. If a row can't be read, there is no index.
sub end_table {
    my ($run, $value) = @_;
    my $table = delete $run->{table} or return;
    $value =~ tr/,//d;
    push @{ $run->{tables} }, [$table, $value > 0 ? $value : undef];
    return if $value <= 0 || %{ $table->{unread} };
    $table->{complete} = 1 if $table->{is_without_head} && !_missing($table);
    return _add_index($run, $table, index => $value + 0);
}

sub _add_index {
    my ($run, $table, %known) = @_;
    my %index = map { $_ => $table->{$_} } qw(category title complete);
    $index{tests} = [map { $_->{name} } @{ $table->{rows} }];
    return push @{ $run->{indexes} }, { %index, estimate => undef, %known };
}

# Takes a run, and whether only some of its tests were asked for; ends a table without an index score. The results above
# the table say which tests are missing.
sub end_without_index {
    my ($run, $is_partial) = @_;
    my $table   = delete $run->{table} or return;
    my %lacking = map { $_ => 0 } qw(failed interrupted skipped);
    $lacking{ $_->{status} }++
        for grep { !is_measured($_) && ($_->{category} // q{}) eq $table->{category} } @{ $run->{tests} };
    $lacking{is_all_asked} = $is_partial ? 0 : 1;
    push @{ $run->{tables} }, [$table, undef];
    return _add_index($run, $table, index => undef, lacking => \%lacking);
}

# Takes a run; returns notes about the rows that can't be read.
sub unread_rows {
    my ($run)  = @_;
    my %unread = map { %{ $_->{unread} } } (map { $_->[0] } @{ $run->{tables} }), $run->{table} // ();
    return map { 'the line of ' . _shown_title($_) . " in the table of indexes can't be read: $unread{$_}" }
        sort keys %unread;
}

# Takes a run; dies with one line if it contradicts itself. Adds the tests that are only in the tables.
sub check {
    my ($run) = @_;
    die _shown_title($run->{twice}) . " stands twice in one run: it may have the lines of two reports\n"
        if defined $run->{twice};
    my @results = @{ $run->{tests} };
    for my $row (@{ $run->{rows} }) {
        my $test = $run->{test}{ $row->{name} };
        _check_row($row, $test);
        if (!$test) {
            $test = _test($row->{title}, score => $row->{result} + 0, unit => $UNIT{ $row->{name} }, passes => undef);
            push @{ $run->{tests} }, $test;
        }
        $test->{baseline} = $row->{baseline} + 0 if $row->{baseline} ne '---' && $row->{baseline} > 0;
    }
    _check_index(@$_, @results) for grep { defined $_->[1] && !%{ $_->[0]{unread} } } @{ $run->{tables} };
    for my $test (grep { defined $_->{unit} && $_->{unit} ne ($UNIT{ $_->{name} } // $_->{unit}) } @{ $run->{tests} }) {
        die _shown_title($test->{title}) . ' is in ' . clean($test->{unit}) . ", not in $UNIT{ $test->{name} }\n";
    }
    return;
}

# Takes a title; returns whether it is that of a test of this suite.
sub is_title { my ($title) = @_; return exists $NAME{ _normal($title) } }

# Takes a title; returns whether a line with it was torn or joined: it has the title of a test, or is a part of one.
sub is_torn {
    my ($title) = @_;
    return 0 if is_title($title);
    my ($part, @known) = map { tr/ //dr =~ s/[0-9.,]+\z//r } _normal($title), keys %NAME;
    return scalar grep { index($part, $_) >= 0 || index($_, $part) >= 0 } @known;
}

# Takes a title; returns the name of the test, or the title if this suite has no such test.
sub name_of {
    my ($title) = @_;
    return $NAME{ _normal($title) } // $title;
}

# Returns a title in one form for all versions. Older ones wrote "Arithmetic Test (type = short)", "Recursion
# Test--Tower of Hanoi" and "Execl Throughput Test", and did not name the compiler.
sub _normal {
    my ($title) = @_;
    my $normal = lc $title;
    $normal        =~ s/\(type = (\w+)\)/($1)/;
    $normal        =~ s/ ?--? ?(?=tower\b)/ -- /;
    $normal        =~ s/ test\z//;
    return $normal =~ s/\Ac compiler throughput\z/c compiler throughput (gcc)/r;
}

1;
