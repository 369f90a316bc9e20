package UnixBench::Store::ClassicReport;

# Reads text reports of UnixBench 5 and later: results files, the output of a terminal, or lines copied from a mail or a
# web page.

use strict;
use warnings;

use UnixBench::Base::Text                  qw(counted);
use UnixBench::Catalog                     ();
use UnixBench::Host::FactList              ();
use UnixBench::Store::ClassicReport::Lines ();
use UnixBench::Store::ClassicReport::Table qw(is_known read_head read_index read_no_index read_row test_of);
use UnixBench::Store::Notes                ();

use constant { NAMED_MOST => 20, FIRST_WITH_NOTES => 7 };    # the most titles in a note; a version

my $FURTHER = 'a further report in the same file was not read';
my $NUMBER  = qr/(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,18})(?:[.][0-9]{1,9})?/;

my $LANGUAGE = qr/\A(\S+) \(charmap="([^"]*)", collate="([^"]*)"\)/;

# The forms of lines, with single blanks, and the functions that read them. The first pattern that matches decides. All
# patterns take linear time: repetitions are bounded or between literals.
#<<< a table
my @LINES = (
    [qr/BYTE UNIX Benchmarks \(Version ([^)]*)\)/                                                  => \&_report],
    [qr/\A(System|OS|Machine|Language|Graphics|CPU [0-9,-]+|Note):(?: (.+))?\z/                  => \&_fact],
    [qr/\ABenchmark Run: (.+)/i                                                                    => \&_date],
    [qr/\A(?:([0-9]{1,9}) CPUs? in system; )?running ([1-9][0-9]{0,8}) parallel cop(?:y|ies)\b/  => \&_run],
    [qr/\A(.+) ($NUMBER) (\S+) \($NUMBER s, ([0-9]{1,9}) samples?\)\z/                            => \&_measured],
    [qr/\A(.+) (\S+) (\S+) \(\S+ s, \S+ samples?\)\z/                                            => \&_unread],
    [qr/\A(.+?) (?:\*+ )?no measured results(?: \*+|: (.*))?\z/                                    => \&_unmeasured],
    [qr/\A(.+) (Index Values|Partial Index) BASELINE RESULT INDEX\z/                               => \&read_head],
    [qr/\A(.+) ($NUMBER|---) ($NUMBER) ($NUMBER|---)\z/                                           => \&read_row],
    [qr/\A.+ Index Score(?: \(Partial Only\))?:? ($NUMBER)\z/                                      => \&read_index],
    [qr/\A.+ Index Score( \(Partial Only\))? none \(incomplete\)\z/                                => \&read_no_index],
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
        if UnixBench::Store::ClassicReport::Lines::is_page($text);
    my @titles = grep { is_known($_) } @{ _report_in($text)->{without_run} };
    return 'neither JSON nor a report' if !@titles;
    return "a report without the line \"N CPUs in system; running N parallel copies of tests\" before $titles[0]";
}

sub _report_in {
    my ($text) = @_;
    my %report =
        (facts => {}, notes => [], cpus => [], runs => [], without_run => [], unread => [], only_in_table => []);
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
    my $name = test_of($title);
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
        procedure => _procedure($report->{version}, @{ $report->{notes} }),
        flags     => undef,
        %{ _facts($report) },
        runs => $runs,
    };
}

# Takes version and notes of a report; returns the procedure as in a summary. Versions from 7 on have notes on
# procedures that are not official. Earlier versions had one procedure only and no virtual display, but did not print
# their work factor.
sub _procedure {
    my ($version, @notes) = @_;
    my %unknown = (display => 'given', map { $_ => undef } qw(kind time_factor work_factor));
    my ($major) = ($version // q{}) =~ /\A([0-9]{1,3})[.]/ or return \%unknown;
    return { %unknown, kind => 'official', time_factor => 1 } if $major < FIRST_WITH_NOTES;
    return UnixBench::Store::Notes::procedure(undef, @notes);
}

# Takes a report; returns its facts as in a summary.
sub _facts {
    my ($report) = @_;
    my ($facts, %host, %language) = ($report->{facts});
    (@host{qw(os release version)}) = split / -- /, $facts->{OS} // q{}, 3;
    ($host{machine})                = split q{ },   $facts->{Machine} // q{};
    ($host{graphics})               = ($facts->{Graphics} // q{}) =~ s/, a software renderer\z//r;
    $host{cpus} = [map { _cpus(@$_) } @{ $report->{cpus} }];
    @language{qw(lang charmap collate)} = ($facts->{Language} // q{}) =~ $LANGUAGE;
    return UnixBench::Host::FactList::distinctions(
        { version => $report->{version}, host => \%host, language => \%language });
}

# Takes the label and the text of a line; returns the model and the number of its CPUs. A line is for one CPU or, in
# brief reports, for several: "CPU 0-63,128".
sub _cpus {
    my ($label, $text) = @_;
    my ($model, $count) = ($text =~ s/ ?\([0-9.]+ bogomips\)\z//r, 0);
    for my $range ($label =~ /[0-9]{1,6}(?:-[0-9]{1,6})?/g) {
        my ($first, $last) = split /-/, $range;
        $count += ($last // $first) - $first + 1;
    }
    return { model => length $model ? $model : undef, count => $count };
}

1;
