package UnixBench::Store::ClassicReport::Summary;

# The summary of a text report, and what it is made of: runs with their results and their tables of indexes. The lines
# of a table must agree with each other and with the results above it. If there are no such results, its rows become
# tests. The head becomes facts about the machine and the procedure, and notes say what is missing. No other module
# reads notes: UnixBench::Report::Notes makes them from data, and all decisions are based on data.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result   qw(is_measured);
use UnixBench::Base::Text     qw(clean counted listed shown);
use UnixBench::Catalog        ();
use UnixBench::Host::FactList ();
use UnixBench::Plan::Baseline ();
use UnixBench::Score::Stats   qw(geometric_mean);

our @EXPORT_OK   = qw(begin_table has_results is_readable is_title is_torn name_of row table_of take test);
our %EXPORT_TAGS = (all => \@EXPORT_OK);

use constant { HALF => 0.0501, LEAST => 1e-9 };    # all numbers were rounded to one decimal

# The titles of tests and indexes in the reports of all versions.
my @TESTS    = UnixBench::Catalog::tests();
my @SEARCHES = map { +{ %$_, %{ $_->{search} } } } grep { $_->{search} } @TESTS;
my %NAME     = map { _normal($_->{title}) => $_->{name} } @TESTS, @SEARCHES;
my %CATEGORY = map { $_->{title} => $_->{name} } UnixBench::Catalog::categories();
my %TITLE_OF = reverse %CATEGORY;

my %IS_INDEXED = map { $_ => 1 } UnixBench::Catalog::expand('index');

# A run is { copies, cpu_count, tests, tables }. A table is { category, title, rows, complete (whether it is that of all
# tests, undef if the line before it is missing), is_torn (whether a line of it can't be read) }. When it has ended, it
# has end: its index, or is_partial, whether the tests were a part of all. Until then, it is the key table of its run.

use constant FIRST_WITH_NOTES => 7;    # a version

use constant {
    UNKNOWN_COPIES => 'the number of copies is unknown; give it with --copies N, and the number of CPUs with --cpus N',
    UNKNOWN_CPUS   => 'the number of CPUs is unknown; give it with --cpus N',
    ASSUMED        => ' (the place assumes one copy for each CPU)',
};

my $LANGUAGE = qr/\A(\S+) \(charmap="([^"]*)", collate="([^"]*)"\)/;

my $NUMBER = qr/[0-9]{1,15}(?:[.][0-9]{1,12})?(?:e-[0-9]{1,2})?/;

# Patterns for the parts of the note on changes, and functions that store the data, see take().
my @CHANGES = (
    [qr/\bshortened to ($NUMBER) of\b/            => sub { $_[0]{time_factor} = $_[1] + 0 if $_[1] > 0 }],
    [qr/\AMULTI_SH_WORK_FACTOR is ([0-9]{1,9})\b/ => sub { $_[0]{work_factor} = $_[1] + 0 if $_[1] > 0 }],
    [qr/\Aindex[.]base is edited\z/               => sub { $_[0]{baseline}    = 'edited' }],
    [
        qr/\A(.+) instead of (.+)\z/s => sub { push @{ $_[0]{replacements} }, { by => $_[1], name => $_[2] } }
    ],
);

# The same for whole notes.
my @NOTES = (
    [qr/\A(virtual) display(?: \(\w+\))?\z/ => sub { $_[0]{display} = $_[1] }],
    [qr/\Achanged procedure: (.+)\z/s => sub { my $known = $_[0]; take($known, \@CHANGES, $_) for split /; /, $_[1] }],
    [qr/\Ainterrupted by SIG([A-Z0-9+-]+)\z/ => sub { $_[0]{interruption}{signal}  = $_[1] }],
    [qr/\Ainterrupted: (.+)\z/s              => sub { $_[0]{interruption}{problem} = $_[1] }],
    [qr/\bquick run\b/i                      => sub { $_[0]{kind}                  = 'quick' }],
);

# Takes the title of a test, and what is known of it; returns the test. Its unit is the usual one if it is not known.
sub test {
    my ($title, %known) = @_;
    my %test = map { $_ => undef } qw(reason score baseline passes cv estimate);
    my $name = name_of($title);
    @test{qw(name title status)} = ($name, $title, 'measured');
    $test{category} = (UnixBench::Catalog::test($name) || {})->{category};
    return { %test, unit => UnixBench::Plan::Baseline::unit_of($name), %known };
}

# Takes a run, the title of a table, and whether that is complete or undef; begins the table. Returns it.
sub begin_table {
    my ($run, $title, $is_complete) = @_;
    my $table = { category => $CATEGORY{$title}, title => $title, complete => $is_complete, rows => [] };
    push @{ $run->{tables} }, $table;
    return $run->{table} = $table;
}

# Takes a title, and baseline, result and index: numbers or "---". Returns the row; its baseline is undef without one.
sub row {
    my ($title, @values) = @_;
    tr/,//d for @values;
    my %row = (title => $title, name => name_of($title));
    @row{qw(baseline result index)} = @values;
    $row{baseline} = undef if $row{baseline} eq '---' || $row{baseline} <= 0;
    return \%row;
}

# Takes a row; returns the title of the table of its test if a table can begin with it, or undef.
sub table_of {
    my ($row) = @_;
    my $test = UnixBench::Catalog::test($row->{name});
    return $test && defined $row->{baseline} && _is_index_of_row($row) ? $TITLE_OF{ $test->{category} } : undef;
}

sub _rows {
    my ($run) = @_;
    return map { @{ $_->{rows} } } @{ $run->{tables} };
}

# Takes a run; returns whether it has results.
sub has_results {
    my ($run) = @_;
    return @{ $run->{tests} } || _rows($run);
}

# Takes a run; returns whether it has results that can be used: without its number of copies, it also needs a table that
# ends.
sub is_readable {
    my ($run) = @_;
    return has_results($run)
        && (defined $run->{copies} || grep { (($_->{end} || {})->{index} // 0) > 0 } @{ $run->{tables} });
}

# Takes a run; returns { copies, cpu_count, tests, indexes } of a summary. The tests are also those that are only in the
# tables. Dies with one line if the run contradicts itself.
sub whole {
    my ($run) = @_;
    my @tests = @{ $run->{tests} };
    my %test  = map { $_->{name} => $_ } @tests;
    for my $items (\@tests, [_rows($run)]) {
        my %seen;
        my ($twice) = grep { $seen{ $_->{name} }++ } @$items or next;
        die _quoted($twice->{title}) . " stands twice in one run: it may have the lines of two reports\n";
    }
    for my $row (_rows($run)) {
        my $test = $test{ $row->{name} };
        _check_row($row, $test);
        push @tests, $test = test($row->{title}, score => $row->{result} + 0) if !$test;
        $test->{baseline} = $row->{baseline} + 0 if defined $row->{baseline};
    }
    for my $test (grep { defined $_->{unit} } @tests) {
        my $usual = UnixBench::Plan::Baseline::unit_of($test->{name}) // next;
        die _quoted($test->{title}) . ' is in ' . clean($test->{unit}) . ", not in $usual\n" if $test->{unit} ne $usual;
    }
    my @indexes = map { _index($_, @{ $run->{tests} }) } grep { $_->{end} } @{ $run->{tables} };
    return { (map { $_ => $run->{$_} } qw(copies cpu_count)), tests => \@tests, indexes => \@indexes };
}

# Takes a run; returns a sentence about each of its tables without an index score, with the mean of the indexes in it.
sub gaps {
    my ($run) = @_;
    my @sentences;
    for my $table (grep { !$_->{end} && @{ $_->{rows} } } @{ $run->{tables} }) {
        my @indexes = grep { $_ ne '---' && $_ > 0 } map { $_->{index} } @{ $table->{rows} };
        my $tests   = counted(scalar @indexes, 'test', 'tests');
        my $mean    = @indexes ? sprintf "the indexes of its $tests give %.1f", geometric_mean(@indexes) : undef;
        push @sentences, join '; ', qq{the line "$table->{title} Index Score" is missing or cut off}, $mean // ();
    }
    return @sentences;
}

# Dies with one line if the row and its test in the results contradict each other.
sub _check_row {
    my ($row, $test) = @_;
    my ($baseline, $result, $index) = @$row{qw(baseline result index)};
    my $title = _quoted($row->{title});
    if ($test) {
        die "$title has no score in the results, but $result in the table of indexes\n" if !defined $test->{score};
        die "$title is $test->{score} in the results, but $result in the table of indexes\n"
            if abs($test->{score} - $result) > 2 * HALF + LEAST * $result;
    }
    die "$title has the index $index, but its result and baseline give " . sprintf("%.1f\n", 10 * $result / $baseline)
        if !_is_index_of_row($row);
    return;
}

sub _is_index_of_row {
    my ($row) = @_;
    my ($baseline, $result, $index) = @$row{qw(baseline result index)};
    return 1 if !defined $baseline || $index eq '---' || $index <= 0;
    my ($low, $high) =
        (10 * ($result - HALF) / ($baseline + HALF), 10 * ($result + HALF) / List::Util::max(LEAST, $baseline - HALF));
    return $index >= $low - HALF && $index <= $high + HALF;
}

# Takes a table that has ended, and the tests of the results; returns the index of a summary, or nothing if it is 0, or
# a row can't be read, or without a number if no row has one. Dies with one line if the index contradicts the rows. If
# there is no index, the results say which tests are missing.
sub _index {
    my ($table, @tests)      = @_;
    my ($value, $is_partial) = @{ $table->{end} }{qw(index is_partial)};
    my @rows  = grep { defined $_->{baseline} } @{ $table->{rows} };
    my %index = (estimate => undef, tests => [map { $_->{name} } @rows], map { $_ => $table->{$_} } qw(category title));
    $index{complete} = $table->{complete} // (_missing($table, \@rows, @TESTS) ? 0 : 1);
    if (defined $value) {
        return if $table->{is_torn} || $value <= 0;
        _check_index($table, \@rows, @tests);
        return { %index, index => $value + 0 };
    }
    my @indexes = grep { $_ ne '---' && $_ > 0 } map { $_->{index} } @rows or return;
    my %mean    = (value => geometric_mean(@indexes), tests => scalar @indexes);
    my %lacking = (is_all_asked => $is_partial ? 0 : 1, map { $_ => 0 } qw(failed interrupted skipped));
    $lacking{ $_->{status} }++ for grep { !is_measured($_) && ($_->{category} // q{}) eq $index{category} } @tests;
    return { %index, index => undef, lacking => \%lacking, mean_of_others => \%mean };
}

# Dies with one line unless the index is the geometric mean of those of the rows.
sub _check_index {
    my ($table, $rows, @tests) = @_;
    my $value   = $table->{end}{index};
    my @indexes = map { $_->{index} } @$rows;
    return if !@indexes || grep { $_ eq '---' } @indexes;
    my $mean_of = sub { geometric_mean(map { List::Util::max(LEAST, $_ + $_[0]) } @indexes) };
    my ($low, $mean, $high) = map { $mean_of->($_) } -HALF(), 0, HALF;
    return if $value >= $low - HALF && $value <= $high + HALF;
    my @wanted  = @tests ? grep({ defined $_->{score} } @tests) : $table->{complete} // 1 ? @TESTS : ();
    my @missing = _missing($table, $rows, @wanted);
    my $hint    = @missing ? '; these lines are missing: ' . listed(map { _quoted($_) } @missing) : q{};
    die sprintf "%s has the index score %s, but the indexes of its tests give %.1f%s\n", _quoted($table->{title}),
        $value, $mean, $hint;
}

sub _missing {
    my ($table, $rows, @tests) = @_;
    my %has = map { $_->{name} => 1 } @$rows;
    return map { $_->{title} }
        grep { $IS_INDEXED{ $_->{name} } && !$has{ $_->{name} } && $_->{category} eq $table->{category} } @tests;
}

sub _quoted { my ($title) = @_; return q{"} . shown($title) . q{"} }

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
sub name_of { my ($title) = @_; return $NAME{ _normal($title) } // $title }

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

# Takes what is known, [[pattern, function], ...], and a text. The first pattern that matches decides: its function gets
# what is known and the parts of the text. Returns what it returns, or nothing.
sub take {
    my ($known, $table, $text) = @_;
    for my $row (@$table) {
        my ($pattern, $take) = @$row;
        my @found = $text =~ $pattern or next;
        return $take->($known, @found);
    }
    return;
}

# Takes a report that was read (with head, runs and unread at least, see UnixBench::Store::ClassicReport), a number of
# CPUs or undef, and numbers of copies, for runs that do not say theirs. Returns its summary. Dies with one line if it
# contradicts itself.
sub of {
    my ($report, $cpus, @copies) = @_;
    my @head    = grep { length $_->[1] || $_->[0] =~ /\ACPU/ } @{ $report->{head} };
    my %systems = map  { $_->[0]                   =~ /System\z/ ? ($_->[1] => 1) : () } @head;
    my @mixed   = map  { "\"$_\"" } sort keys %systems;
    die 'two reports are mixed line by line: they are of the systems ' . listed(@mixed) . "\n" if @mixed > 1;
    my @read = grep { is_readable($_) } @{ $report->{runs} };
    my @runs = map  { whole($_) } @read;
    $_->{cpu_count} //= $cpus for @runs;

    for my $run (grep { @copies && !defined $_->{copies} } @runs) {
        @$run{qw(copies is_given)} = (shift @copies, 1);
    }
    my %text  = map { @$_ } @head;
    my @notes = map { $_->[0] eq 'Note' ? $_->[1] : () } @head;
    my ($name, $system) = ($text{System} // q{}) =~ /\A(?!(?:System|OS|Machine|Language|CPUs):)(.*?): (.*)/;
    undef $name if !length($name // q{});
    my $procedure = procedure($report->{version}, @notes);
    my @baselines = grep { defined $_->{baseline} } map { @{ $_->{tests} } } @runs;
    $procedure->{baseline} = 'edited'
        if grep { !UnixBench::Plan::Baseline::is_official_score(@$_{qw(name baseline)}) } @baselines;
    my $head = head($report->{version}, \%text, grep { $_->[0] =~ /\ACPU/ } @head);
    $head->{host}{name} = $name;
    return {
        has_passes => 0,
        version    => $report->{version},
        notes      => [@notes, _remarks($report, @runs)],
        name       => $name,
        system     => $system,
        started    => undef,
        date       => $read[0]{date} // $read[0]{on_page},
        procedure  => $procedure,
        flags      => undef,
        head       => { %$head, procedure => $procedure },
        %{ facts($head) },
        runs => \@runs,
    };
}

sub _remarks {
    my ($report, @runs) = @_;
    my @empty   = grep { defined $_->{copies}    && !is_readable($_) } @{ $report->{runs} };
    my @unknown = grep { ($_->{copies} // 1) > 1 && !defined $_->{cpu_count} } @runs;
    my @unread  = @{ $report->{unread} };
    return (
        (map { 'the part for ' . counted($_->{copies}, 'copy', 'copies') . ' has no results' } @empty),
        ((grep { !defined $_->{copies} } @runs) ? UNKNOWN_COPIES                                         : ()),
        (@unknown                               ? UNKNOWN_CPUS . ($unknown[0]{is_given} ? ASSUMED : q{}) : ()),
        (map { gaps($_) } grep { is_readable($_) } @{ $report->{runs} }),
        (@unread                    ? 'results were not read, because of their numbers: ' . listed(@unread) : ()),
        (defined $report->{aborted} ? "the run ended early: $report->{aborted}"                             : ()),
    );
}

# Takes the version of a report, the texts of its lines, { label => text }, and [label, text] of its lines about CPUs.
# Returns what it has of the head of a result, see UnixBench::Base::ResultSchema.
sub head {
    my ($version, $text, @cpus) = @_;
    my (%host, %language);
    (@host{qw(os release version)}) = split / -- /, $text->{OS} // q{}, 3;
    ($host{machine})                = split q{ },   $text->{Machine} // q{};
    $host{graphics} = $text->{Graphics} =~ s/, a software renderer\z//r if defined $text->{Graphics};
    $host{cpus}     = [map { _cpus(@$_) } @cpus];
    @language{qw(lang charmap collate)} = ($text->{Language} // q{}) =~ $LANGUAGE;
    return { version => $version, host => \%host, language => \%language };
}

# Takes such a head; returns its facts as in a summary, see UnixBench::Host::FactList::distinctions. All others are
# unread.
sub facts {
    my ($head) = @_;
    my $of     = UnixBench::Host::FactList::distinctions($head);
    my @unread = grep { !defined $of->{facts}{$_} } UnixBench::Host::FactList::keys_of_facts();
    return { %$of, facts_unread => \@unread };
}

# A line is for one CPU or, in brief reports, for several: "CPU 0-63,128".
sub _cpus {
    my ($label, $text) = @_;
    my ($model, $count, $id) = ($text =~ s/ ?\([0-9.,]+ bogomips\)\z//r, 0);
    for my $range ($label =~ /[0-9]{1,6}(?:-[0-9]{1,6})?/g) {
        my ($first, $last) = split /-/, $range;
        $count += ($last // $first) - $first + 1;
        $id //= $first;
    }
    return { id => $id // 0, model => length $model ? $model : undef, count => $count };
}

# Takes version and notes of a report. Returns the procedure as far as the notes describe it, see Base/README.md. The
# baseline is known only if it was edited. Versions from 7 on have notes on procedures that are not official. Earlier
# versions had one procedure only and no virtual display, but did not print their work factor.
sub procedure {
    my ($version, @notes) = @_;
    my %unknown = (display => 'given', map { $_ => undef } qw(kind time_factor work_factor));
    my ($major) = ($version // q{}) =~ /\A([0-9]{1,3})[.]/ or return \%unknown;
    return { %unknown, kind => 'official', time_factor => 1 } if $major < FIRST_WITH_NOTES;
    my %known = (kind => 'official', display => 'given', time_factor => 1, work_factor => 1, replacements => []);
    take(\%known, \@NOTES, $_) for @notes;
    return \%known;
}

1;
