package UnixBench::ClassicReport;

# Reads the text report of UnixBench 5 and later, as people have kept it: a results file, a terminal's whole output, or
# lines copied out of a mail or a web page.

use strict;
use warnings;

use UnixBench::Catalog               ();
use UnixBench::ClassicReport::Head   ();
use UnixBench::ClassicReport::Titles ();

my $NUMBER = qr/[0-9]{1,18}(?:[.][0-9]{1,9})?/;

my $LACKING = qr/[0-9]{1,4} tests? (?:failed|interrupted|skipped)(?:, [0-9]{1,4} (?:interrupted|skipped)){0,2}/;

# What a line may say, once its blanks are single. The first pattern that fits decides. All are linear: what may
# repeat is bounded or stands between literals.
#<<< a table
my @LINES = (
    [qr/BYTE UNIX Benchmarks \(Version ([^)]*)\)/                                                  => \&_report],
    [qr/\A(System|OS|Machine|Language|Graphics|CPU [0-9,-]+|Note): (.+)/                          => \&_fact],
    [qr/\ABenchmark Run: (.+)/i                                                                    => \&_date],
    [qr/\A(?:([0-9]{1,9}) CPUs? in system; )?running ([1-9][0-9]{0,8}) parallel cop(?:y|ies)\b/  => \&_run],
    [qr/\A(.+) ($NUMBER) (\S+) \($NUMBER s, ([0-9]{1,9}) samples?\)\z/                            => \&_measured],
    [qr/\A(.+?) (?:\*+ )?no measured results(?: \*+|: (.*))?\z/                                    => \&_unmeasured],
    [qr/\A(.+) (Index Values|Partial Index) BASELINE RESULT INDEX\z/                               => \&_table],
    [qr/\A(.+) ($NUMBER|---) $NUMBER (?:$NUMBER|---)\z/                                            => \&_row],
    [qr/\A.+ Index Score(?: \(Partial Only\))?:? ($NUMBER)\z/                                      => \&_index],
    [qr/\A.+ Index Score( \(Partial Only\))? none, ($LACKING)\z/                                   => \&_no_index],
);
#>>>

# Takes text of any kind; returns the summary of the first report in it, see DESIGN, or undef when there is none. What
# such a report does not tell is undef. A title that no test of this suite has is its test's name, too, and such a test
# has no category.
sub summary {
    my ($text) = @_;
    my %report = (facts => {}, notes => [], cpus => [], runs => []);
    for my $line (split /[\r\n]+/, $text) {
        _read_line(\%report, _plain($line));
        last if $report{is_over};
    }
    my @runs = map { _finished_run($_) } grep { @{ $_->{tests} } } @{ $report{runs} };
    return @runs ? _summary(\%report, \@runs) : undef;
}

# A line without marks of quoting, control sequences of a terminal, and the width of its blanks.
sub _plain {
    my ($line) = @_;
    $line =~ s/\A[\s>]+//;
    $line =~ s/\e\[[0-9;]*[A-Za-z]//g;
    $line =~ s/\xc2\xa0/ /g;
    return join q{ }, split q{ }, $line;
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
    return $report->{version} = $version if !@{ $report->{runs} };
    push @{ $report->{notes} }, 'a further report in the same file was not read';
    return $report->{is_over} = 1;
}

# The facts stand between the version and the first run.
sub _fact {
    my ($report, $label, $text) = @_;
    return if !defined $report->{version} || @{ $report->{runs} };
    return push @{ $report->{notes} }, $text if $label eq 'Note';
    return push @{ $report->{cpus} },  [$label, $text] if $label =~ /\ACPU/;
    return $report->{facts}{$label} = $text;
}

sub _date {
    my ($report, $date) = @_;
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
    return push @{ $report->{runs} }, \%run;
}

# A score that was printed as 0.0 can't be compared with anything.
sub _measured {
    my ($report, $title, $score, $unit, $samples) = @_;
    return _unmeasured($report, $title, "a score of $score") if $score <= 0;
    return _add_test($report, $title, status => 'measured', unit => $unit, score => $score + 0, passes => $samples + 0);
}

sub _unmeasured {
    my ($report, $title, $reason) = @_;
    my $status = ($reason // q{}) =~ /\Ainterrupted\b/ ? 'interrupted' : 'failed';
    return _add_test($report, $title, status => $status, reason => $reason // 'not told', passes => 0);
}

sub _add_test {
    my ($report, $title, %known) = @_;
    my $run  = $report->{runs}[-1] or return;
    my $name = UnixBench::ClassicReport::Titles::test($title);
    return if $run->{test}{$name};
    my %test = map { $_ => undef } qw(unit reason score baseline cv estimate);
    my $row  = UnixBench::Catalog::test($name) || { category => undef };
    $run->{test}{$name} = { %test, name => $name, title => $title, category => $row->{category}, %known };
    return push @{ $run->{tests} }, $run->{test}{$name};
}

sub _table {
    my ($report, $title, $kind) = @_;
    my $run      = $report->{runs}[-1] or return;
    my $category = UnixBench::ClassicReport::Titles::category($title) // return delete $run->{table};
    return $run->{table} = {
        category => $category,
        title    => $title,
        complete => $kind eq 'Index Values' ? 1 : 0,
        tests    => [],
        estimate => undef,
    };
}

sub _row {
    my ($report, $title, $baseline) = @_;
    my $run   = $report->{runs}[-1] or return;
    my $table = $run->{table}       or return;
    return if $baseline eq '---' || $baseline <= 0;
    my $name = UnixBench::ClassicReport::Titles::test($title);
    $run->{test}{$name}{baseline} = $baseline + 0 if $run->{test}{$name};
    return push @{ $table->{tests} }, $name;
}

sub _index {
    my ($report, $value) = @_;
    my $run   = $report->{runs}[-1]  or return;
    my $table = delete $run->{table} or return;
    return if $value <= 0;
    return push @{ $run->{indexes} }, { %$table, index => $value + 0 };
}

sub _no_index {
    my ($report, $partial, $lacking) = @_;
    my $run     = $report->{runs}[-1]  or return;
    my $table   = delete $run->{table} or return;
    my %lacking = map { $_ => 0 } qw(failed interrupted skipped);
    for my $part (split /, /, $lacking) {
        my ($count, @words) = split q{ }, $part;
        $lacking{ $words[-1] } = $count + 0;
    }
    $lacking{is_all_asked} = defined $partial ? 0 : 1;
    return push @{ $run->{indexes} }, { %$table, index => undef, lacking => \%lacking };
}

sub _finished_run {
    my ($run) = @_;
    return { map { $_ => $run->{$_} } qw(copies cpu_count tests indexes) };
}

sub _summary {
    my ($report, $runs) = @_;
    my ($name, $system) = split /: /, $report->{facts}{System} // q{}, 2;
    return {
        source    => 'text report',
        version   => $report->{version},
        notes     => $report->{notes},
        name      => $name,
        system    => $system,
        started   => undef,
        date      => $report->{runs}[0]{date},
        procedure => UnixBench::ClassicReport::Head::procedure($report->{version}, @{ $report->{notes} }),
        flags     => undef,
        facts     => UnixBench::ClassicReport::Head::facts($report),
        runs      => $runs,
    };
}

1;
