package UnixBench::Store::ClassicReport;

# Reads text reports of UnixBench 5 and later: results files, logs, the output of a terminal, or lines copied from a
# mail or a web page.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result               qw(is_measured);
use UnixBench::Base::Text                 qw(clean counted);
use UnixBench::Catalog                    ();
use UnixBench::Store::ClassicReport::Head ();

use constant { NAMED_MOST => 20, PREFIX_MOST => 120 };    # titles in a note; characters before a line of a log

use constant { HALF => 0.0501, LEAST => 1e-9, SHOWN_MAX => 60 };    # all numbers were rounded to one decimal

# The titles of tests and indexes in the reports of all versions.
my @TESTS    = UnixBench::Catalog::tests();
my @SEARCHES = map { UnixBench::Catalog::as_search($_) } grep { $_->{has_users} } @TESTS;
my %NAME     = map { _normal($_->{title}) => $_->{name} } @TESTS, @SEARCHES;
my %CATEGORY = map { $_->{title} => $_->{name} } UnixBench::Catalog::categories();

my $FURTHER = 'a further report in the same file was not read';
my $NUMBER  = qr/(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,18})(?:[.][0-9]{1,9})?/;

my $RUN = qr/(?:([0-9]{1,9}) CPUs? in system; )?running ([1-9][0-9]{0,8}) parallel cop(?:y|ies)\b/;

# The forms of lines, with single blanks, and the functions that read them. The first pattern that matches decides. All
# patterns take linear time: repetitions are bounded or between literals.
#<<< a table
my @LINES = (
    [qr/BYTE UNIX Benchmarks \(Version ([^)]*)\)/                                                  => \&_report],
    [qr/\A(System|OS|Machine|Language|Graphics|CPU [0-9,-]+|Note):(?: (.+))?\z/                  => \&_fact],
    [qr/\ABenchmark Run: (.+)/i                                                                    => \&_date],
    [qr/\A$RUN/                                                                                   => \&_run],
    [qr/\A(.+) ($NUMBER) (\S+) \($NUMBER s, ([0-9]{1,9}) samples?\)\z/                            => \&_measured],
    [qr/\A(.+) (\S+) (\S+) \(\S+ s, \S+ samples?\)\z/                                            => \&_unread],
    [qr/\A(.+?) (?:\*+ )?no measured results(?: \*+|: (.*))?\z/                                    => \&_unmeasured],
    [qr/\A(.+) (Index Values|Partial Index) BASELINE RESULT INDEX\z/                               => \&_read_head],
    [qr/\A(.+) ($NUMBER|---) ($NUMBER) ($NUMBER|---)\z/                                           => \&_read_row],
    [qr/\A.+ Index Score(?: \(Partial Only\))?:? ($NUMBER)\z/                                      => \&_read_index],
    [qr/\A.+ Index Score( \(Partial Only\))? none \(incomplete\)\z/                                => \&_read_no_index],
);
#>>>

# Takes text of any kind; returns the summary of the first report in it, see UnixBench::Store::Summary, or undef if
# there is none. Values that text reports do not have are undef. A test that is unknown to this suite has its title as
# its name, and no category. Dies with one line if the report contradicts itself.
sub summary {
    my ($text) = @_;
    my $report = _report_in($text);
    my @runs   = map { _finished_run($_) } grep { @{ $_->{tests} } } @{ $report->{runs} };
    return @runs ? _summary($report, \@runs) : undef;
}

# Takes text without a report; returns words that describe it in a message.
sub likeness {
    my ($text) = @_;
    return 'a web page without data of a run; give another file of that run'
        if $text =~ /<(?:!doctype )?html\b/i;
    return 'a log of measure.sh; make its page with ./Run report, and give that' if $text =~ /^UB[|][1-9][0-9]*[|]/m;
    my @titles = grep { exists $NAME{ _normal($_) } } @{ _report_in($text)->{without_run} };
    return 'neither JSON nor a report' if !@titles;
    return "a report without the line \"N CPUs in system; running N parallel copies of tests\" before $titles[0]";
}

sub _report_in {
    my ($text) = @_;
    my %report =
        (facts => {}, notes => [], cpus => [], runs => [], without_run => [], unread => [], only_in_table => []);
    for my $line (_lines_of($text)) {
        _read_line(\%report, $line);
        last if $report{is_over};
    }
    return \%report;
}

# Takes text of any kind; returns its lines with single blanks. Removes the marks of quoted mail, control sequences, and
# the prefixes of a log.
sub _lines_of {
    my ($text) = @_;
    return _without_prefix(map { _plain($_) } split /[\r\n]+/, $text);
}

sub _plain {
    my ($line) = @_;
    $line =~ s/\A[\s>]+//;
    $line =~ s/\e\[[0-9;]*[A-Za-z]//g;
    $line =~ s/\xc2\xa0/ /g;
    $line =~ s/\s*[|][\s|]*\z//;
    return join q{ }, split q{ }, $line;
}

# Removes the prefix that a log puts before each line, and lines without it. The first line that begins a run shows the
# prefix. Its numbers may change, as in a time of day.
sub _without_prefix {
    my (@lines) = @_;
    return @lines if grep { /\A$RUN/ } @lines;
    my ($prefix) = map { /\A(.{1,${\PREFIX_MOST}}?)$RUN/ ? $1 : () } @lines;
    return @lines if !defined $prefix;
    my @parts   = split /((?<![a-z])(?<![a-z]-)[0-9]+)/, $prefix =~ s/ \z//r;
    my $pattern = join q{}, map { $_ % 2 ? '[0-9]+' : quotemeta $parts[$_] } 0 .. $#parts;
    return map { _plain($_) } map { /\A$pattern(?: (.*))?\z/ ? $1 // q{} : () } @lines;
}

sub _read_line {
    my ($report, $line) = @_;
    for my $kind (@LINES) {
        my ($pattern, $reader) = @$kind;
        if (my @parts = $line =~ $pattern) {
            return $reader->($report, @parts);
        }
    }
    return;
}

sub _report {
    my ($report, $version) = @_;
    return _ends($report, $FURTHER) if @{ $report->{runs} };
    return $report->{version} = $version;
}

sub _ends {
    my ($report, $why) = @_;
    push @{ $report->{notes} }, $why;
    return $report->{is_over} = 1;
}

# Reads a fact. Facts stand between the version and the first run. After a run, the name of a system begins another
# report.
sub _fact {
    my ($report, $label, $text) = @_;
    return if !defined $report->{version};
    return $label eq 'System' && ($text // q{}) =~ /: / ? _ends($report, $FURTHER) : undef if @{ $report->{runs} };
    return push @{ $report->{cpus} }, [$label, $text // q{}] if $label =~ /\ACPU/;
    return if !defined $text;
    return push @{ $report->{notes} }, $text if $label eq 'Note';
    return $report->{facts}{$label} = $text;
}

# Reads the date of the next run. Results that follow do not belong to the run before.
sub _date {
    my ($report, $date) = @_;
    delete $report->{run};
    return $report->{next_date} = $date =~ s/ - [0-9:]+\z//r;
}

sub _run {
    my ($report, $cpu_count, $copies) = @_;
    my %run = (
        date      => delete $report->{next_date},
        cpu_count => ($cpu_count // 0) + 0 || undef,
        copies    => $copies + 0,
        tests     => [],
        test      => {},
        indexes   => []
    );
    my $why = _why_another(\%run, grep { @{ $_->{tests} } } @{ $report->{runs} });
    return _ends($report, "$FURTHER: $why") if defined $why;
    $report->{run} = \%run;
    return push @{ $report->{runs} }, \%run;
}

# Returns why a run can't belong to the same report as the runs before, or nothing if it can.
sub _why_another {
    my ($run, @before) = @_;
    return counted($run->{copies}, 'copy', 'copies') . ' again' if grep { $_->{copies} == $run->{copies} } @before;
    my ($cpus) = grep { defined } map { $_->{cpu_count} } @before;
    return if !defined $cpus || !defined $run->{cpu_count} || $cpus == $run->{cpu_count};
    return counted($run->{cpu_count}, 'CPU', 'CPUs') . " instead of $cpus";
}

# Adds a test with a score. A score that was printed as 0.0 can't be compared: then the test is added as failed.
sub _measured {
    my ($report, $title, $score, $unit, $samples) = @_;
    $score =~ tr/,//d;
    return _unmeasured($report, $title, "a score of $score") if $score <= 0;
    return _add_test($report, $title, status => 'measured', unit => $unit, score => $score + 0, passes => $samples + 0);
}

# Stores a result whose numbers have an unknown form, for a note.
sub _unread {
    my ($report, $title, $score) = @_;
    return if $score !~ /[0-9]/;
    return push @{ $report->{unread} }, "$title ($score)";
}

sub _unmeasured {
    my ($report, $title, $reason) = @_;
    my ($status) = ($reason // q{}) =~ /\A(interrupted|skipped)\b/;
    $status //= 'failed';
    return _add_test($report, $title, status => $status, reason => $reason // 'no reason given', passes => 0);
}

sub _add_test {
    my ($report, $title, %known) = @_;
    delete $report->{run} if $report->{run} && $report->{run}{has_table};
    my $name = _test_of($title);
    my $run  = $report->{run};
    return push @{ $report->{without_run} }, $title if !$run || $run->{test}{$name};
    my %test = map { $_ => undef } qw(unit reason score baseline cv estimate);
    my $row  = UnixBench::Catalog::test($name) || { category => undef };
    $run->{test}{$name} = { %test, name => $name, title => $title, category => $row->{category}, %known };
    return push @{ $run->{tests} }, $run->{test}{$name};
}

sub _finished_run {
    my ($run) = @_;
    return { map { $_ => $run->{$_} } qw(copies cpu_count tests indexes) };
}

# Returns notes about results that were not read.
sub _not_read {
    my ($report) = @_;
    my %titles = (
        'results without a line of their own with the number of copies were not read' => 'without_run',
        'results were not read, because of their numbers'                             => 'unread',
        'these tests are in the table of indexes only, and were not read'             => 'only_in_table',
    );
    return map { "$_: " . _first_of(@{ $report->{ $titles{$_} } }) }
        grep { @{ $report->{ $titles{$_} } } } sort keys %titles;
}

sub _first_of {
    my (@titles) = @_;
    my %seen;
    @titles = grep { !$seen{$_}++ } @titles;
    my @first = splice @titles, 0, NAMED_MOST;
    return join ', ', @first, @titles ? 'and ' . @titles . ' more' : ();
}

sub _summary {
    my ($report, $runs) = @_;
    my ($name, $system) = split /: /, $report->{facts}{System} // q{}, 2;
    return {
        source    => 'text report',
        version   => $report->{version},
        notes     => [@{ $report->{notes} }, _not_read($report)],
        name      => $name,
        system    => $system,
        started   => undef,
        date      => $report->{runs}[0]{date},
        procedure => UnixBench::Store::ClassicReport::Head::procedure($report->{version}, @{ $report->{notes} }),
        flags     => undef,
        %{ UnixBench::Store::ClassicReport::Head::facts(@$report{qw(version facts)}, @{ $report->{cpus} }) },
        runs => $runs,
    };
}

# Below is the table of indexes. Its lines have to agree with each other and with the results above the table: a
# function that reads a line dies with one line if values contradict each other.

# Reads the line before the table. Results after a table do not belong to its run.
sub _read_head {
    my ($report, $title, $kind) = @_;
    my $run = $report->{run} or return;
    $run->{has_table} = 1 if @{ $run->{tests} };
    my $category = $CATEGORY{$title} // return delete $run->{table};
    return $run->{table} = {
        category => $category,
        title    => $title,
        complete => $kind eq 'Index Values' ? 1 : 0,
        rows     => [],
    };
}

# Reads a row: title, BASELINE, RESULT and INDEX. A value is a number or "---".
sub _read_row {
    my ($report, $title, @values) = @_;
    my $run   = $report->{run} or return;
    my $table = $run->{table}  or return;
    tr/,//d for @values;
    my ($baseline, $result, $index) = @values;
    my $name = _test_of($title);
    my $test = $run->{test}{$name};
    push @{ $report->{only_in_table} }, $title if !$test;
    _check_row($title, $test, $baseline, $result, $index);
    return if $baseline eq '---' || $baseline <= 0;
    $test->{baseline} = $baseline + 0 if $test;
    return push @{ $table->{rows} }, { name => $name, index => $index };
}

# Reads the line of the index score, which follows the rows.
sub _read_index {
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
sub _read_no_index {
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
sub _test_of {
    my ($title) = @_;
    return $NAME{ _normal($title) } // $title;
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
