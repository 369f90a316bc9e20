package UnixBench::Store::ClassicReport;

# Reads the text report of UnixBench 5 and later, as people have kept it: a results file, a terminal's whole output, or
# lines copied out of a mail or a web page.

use strict;
use warnings;

use UnixBench::Base::Format                 qw(counted);
use UnixBench::Catalog                      ();
use UnixBench::Store::ClassicReport::Head   ();
use UnixBench::Store::ClassicReport::Lines  ();
use UnixBench::Store::ClassicReport::Table  ();
use UnixBench::Store::ClassicReport::Titles ();

use constant NAMED_MOST => 20;

my $FURTHER = 'a further report in the same file was not read';
my $NUMBER  = qr/(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,18})(?:[.][0-9]{1,9})?/;

my $LACKING = qr/[0-9]{1,4} tests? (?:failed|interrupted|skipped)(?:, [0-9]{1,4} (?:interrupted|skipped)){0,2}/;

# What a line may say, once its blanks are single. The first pattern that fits decides. All are linear: what may
# repeat is bounded or stands between literals.
#<<< a table
my @LINES = (
    [qr/BYTE UNIX Benchmarks \(Version ([^)]*)\)/                                                  => \&_report],
    [qr/\A(System|OS|Machine|Language|Graphics|CPU [0-9,-]+|Note):(?: (.+))?\z/                  => \&_fact],
    [qr/\ABenchmark Run: (.+)/i                                                                    => \&_date],
    [qr/\A(?:([0-9]{1,9}) CPUs? in system; )?running ([1-9][0-9]{0,8}) parallel cop(?:y|ies)\b/  => \&_run],
    [qr/\A(.+) ($NUMBER) (\S+) \($NUMBER s, ([0-9]{1,9}) samples?\)\z/                            => \&_measured],
    [qr/\A(.+) (\S+) (\S+) \(\S+ s, \S+ samples?\)\z/                                            => \&_unread],
    [qr/\A(.+?) (?:\*+ )?no measured results(?: \*+|: (.*))?\z/                                    => \&_unmeasured],
    [qr/\A(.+) (Index Values|Partial Index) BASELINE RESULT INDEX\z/                               => \&_table],
    [qr/\A(.+) ($NUMBER|---) ($NUMBER) ($NUMBER|---)\z/                                           => \&_row],
    [qr/\A.+ Index Score(?: \(Partial Only\))?:? ($NUMBER)\z/                                      => \&_index],
    [qr/\A.+ Index Score( \(Partial Only\))? none, ($LACKING)\z/                                   => \&_no_index],
);
#>>>

# Takes text of any kind; returns the summary of the first report in it, see DESIGN, or undef when there is none. What
# such a report does not tell is undef. A title that no test of this suite has is its test's name, too, and such a test
# has no category. Dies with one line when the report contradicts itself.
sub summary {
    my ($text) = @_;
    my $report = _report_in($text);
    my @runs   = map { _finished_run($_) } grep { @{ $_->{tests} } } @{ $report->{runs} };
    return @runs ? _summary($report, \@runs) : undef;
}

# Takes text in which there is no report; returns what it looks like, in words.
sub likeness {
    my ($text) = @_;
    return 'a web page without the tables of a classic report; give the .json of the same run'
        if UnixBench::Store::ClassicReport::Lines::is_page($text);
    my @titles = grep { UnixBench::Store::ClassicReport::Titles::is_known($_) } @{ _report_in($text)->{homeless} };
    return 'neither JSON nor a report' if !@titles;
    return "a report without the line \"N CPUs in system; running N parallel copies of tests\" before $titles[0]";
}

sub _report_in {
    my ($text) = @_;
    my %report = (facts => {}, notes => [], cpus => [], runs => [], homeless => [], unread => [], only_in_table => []);
    for my $line (UnixBench::Store::ClassicReport::Lines::of($text)) {
        _read_line(\%report, $line);
        last if $report{is_over};
    }
    return \%report;
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

# The facts stand between the version and the first run. Those of another machine begin another report.
sub _fact {
    my ($report, $label, $text) = @_;
    return if !defined $report->{version};
    return $label eq 'System' && ($text // q{}) =~ /: / ? _ends($report, $FURTHER) : undef if @{ $report->{runs} };
    return push @{ $report->{cpus} }, [$label, $text // q{}] if $label =~ /\ACPU/;
    return if !defined $text;
    return push @{ $report->{notes} }, $text if $label eq 'Note';
    return $report->{facts}{$label} = $text;
}

# Begins a run, whose first results are still to come.
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

# Why a run is of another report than those before, undef where it can be of the same.
sub _why_another {
    my ($run, @before) = @_;
    return counted($run->{copies}, 'copy', 'copies') . ' again' if grep { $_->{copies} == $run->{copies} } @before;
    my ($cpus) = grep { defined } map { $_->{cpu_count} } @before;
    return if !defined $cpus || !defined $run->{cpu_count} || $cpus == $run->{cpu_count};
    return counted($run->{cpu_count}, 'CPU', 'CPUs') . " instead of $cpus";
}

# A score that was printed as 0.0 can't be compared with anything.
sub _measured {
    my ($report, $title, $score, $unit, $samples) = @_;
    $score =~ tr/,//d;
    return _unmeasured($report, $title, "a score of $score") if $score <= 0;
    return _add_test($report, $title, status => 'measured', unit => $unit, score => $score + 0, passes => $samples + 0);
}

# A result whose numbers are written in a form that is not known.
sub _unread {
    my ($report, $title, $score) = @_;
    return if $score !~ /[0-9]/;
    return push @{ $report->{unread} }, "$title ($score)";
}

sub _unmeasured {
    my ($report, $title, $reason) = @_;
    my $status = ($reason // q{}) =~ /\Ainterrupted\b/ ? 'interrupted' : 'failed';
    return _add_test($report, $title, status => $status, reason => $reason // 'not told', passes => 0);
}

sub _add_test {
    my ($report, $title, %known) = @_;
    delete $report->{run} if $report->{run} && $report->{run}{has_table};
    my $name = UnixBench::Store::ClassicReport::Titles::test($title);
    my $run  = $report->{run};
    return push @{ $report->{homeless} }, $title if !$run || $run->{test}{$name};
    my %test = map { $_ => undef } qw(unit reason score baseline cv estimate);
    my $row  = UnixBench::Catalog::test($name) || { category => undef };
    $run->{test}{$name} = { %test, name => $name, title => $title, category => $row->{category}, %known };
    return push @{ $run->{tests} }, $run->{test}{$name};
}

# What follows a table of a run are no results of it.
sub _table {
    my ($report, $title, $kind) = @_;
    my $run = $report->{run} or return;
    $run->{has_table} = 1 if @{ $run->{tests} };
    my $category = UnixBench::Store::ClassicReport::Titles::category($title) // return delete $run->{table};
    return $run->{table} = {
        category => $category,
        title    => $title,
        complete => $kind eq 'Index Values' ? 1 : 0,
        rows     => [],
    };
}

sub _row {
    my ($report, $title, @values) = @_;
    my $run   = $report->{run} or return;
    my $table = $run->{table}  or return;
    tr/,//d for @values;
    my ($baseline, $result, $index) = @values;
    my $name = UnixBench::Store::ClassicReport::Titles::test($title);
    my $test = $run->{test}{$name};
    push @{ $report->{only_in_table} }, $title if !$test;
    UnixBench::Store::ClassicReport::Table::check_row($title, $test, $baseline, $result, $index);
    return if $baseline eq '---' || $baseline <= 0;
    $test->{baseline} = $baseline + 0 if $test;
    return push @{ $table->{rows} }, { name => $name, index => $index };
}

sub _index {
    my ($report, $value) = @_;
    my $run   = $report->{run}       or return;
    my $table = delete $run->{table} or return;
    $value =~ tr/,//d;
    return if $value <= 0;
    my $rows = delete $table->{rows};
    UnixBench::Store::ClassicReport::Table::check_index($table->{title}, $value, @$rows);
    my @names = map { $_->{name} } @$rows;
    return push @{ $run->{indexes} }, { %$table, tests => \@names, estimate => undef, index => $value + 0 };
}

sub _no_index {
    my ($report, $partial, $lacking) = @_;
    my $run     = $report->{run}       or return;
    my $table   = delete $run->{table} or return;
    my @names   = map { $_->{name} } @{ delete $table->{rows} };
    my %lacking = map { $_ => 0 } qw(failed interrupted skipped);
    for my $part (split /, /, $lacking) {
        my ($count, @words) = split q{ }, $part;
        $lacking{ $words[-1] } = $count + 0;
    }
    $lacking{is_all_asked} = defined $partial ? 0 : 1;
    return push @{ $run->{indexes} },
        { %$table, tests => \@names, estimate => undef, index => undef, lacking => \%lacking };
}

sub _finished_run {
    my ($run) = @_;
    return { map { $_ => $run->{$_} } qw(copies cpu_count tests indexes) };
}

# What was not read, in sentences.
sub _not_read {
    my ($report) = @_;
    my %titles = (
        'results without a line "running N parallel copies of tests" of their own were not read' => 'homeless',
        'results were not read, because of their numbers'                                        => 'unread',
        'these tests are in the table of indexes only, and were not read'                        => 'only_in_table',
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
        facts     => UnixBench::Store::ClassicReport::Head::facts($report),
        runs      => $runs,
    };
}

1;
