package UnixBench::Store::ClassicReport;

# Reads text reports of UnixBench 5 and later: results files, logs, the output of a terminal, or lines copied from a
# mail or a web page.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result                 qw(is_measured);
use UnixBench::Base::Text                   qw(clean counted);
use UnixBench::Base::Time                   qw(time_of_date);
use UnixBench::Catalog                      ();
use UnixBench::Store::ClassicReport::Head   ();
use UnixBench::Store::ClassicReport::Lines  ();
use UnixBench::Store::ClassicReport::Tables qw(is_title);
use UnixBench::Store::ResultFile            ();

use constant {
    UNKNOWN_COPIES => 'the number of copies is unknown; give it with --copies N, and the number of CPUs with --cpus N',
    UNKNOWN_CPUS   => 'the number of CPUs is unknown; give it with --cpus N',
};
use constant { NAMED_MOST => 20, SHOWN_MOST => 60, FIRST_MAJOR => 5 };    # FIRST_MAJOR: the first version that is read

# The beginning of pages of results: what they show is rounded in another way.
my $IS_PAGE = qr/\A\s*<!DOCTYPE html>.*?(?:<meta content="|<title>)(?:Benchmark of |UnixBench )/is;

my $NUMBER = qr/(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,18})(?:[.][0-9]{1,9})?/;

my $RUN = qr/(?:([0-9]{1,9}|unknown) CPUs? in system; )?running ([1-9][0-9]{0,8}) parallel cop(?:y|ies)\b/;

# The forms of lines, with single blanks, and the functions that read them. The first pattern that matches decides. All
# patterns take linear time: repetitions are bounded or between literals.
#<<< a table
my @LINES = (
    [qr/BYTE UNIX Benchmarks \(Version ([^)]*)\)/                                                  => \&_version],
    [qr/\A(System|OS|Machine|Language|Graphics|CPU [0-9,-]+|Note):(?: (.+))?\z/                  => \&_fact],
    [qr/\ABenchmark Run: (.+)/i                                                                    => \&_date],
    [qr/\A$RUN/                                                                                   => \&_run],
    [qr/\A(.+) ($NUMBER) (\S+) \($NUMBER s, ([0-9]{1,9}) samples?\)\z/                            => \&_measured],
    [qr/\A(.+) (\S+) (\S+) \(\S+ s, \S+ samples?\)\z/                                            => \&_unread],
    [qr/\A(.+?) (?:\*+ )?no measured results(?: \*+|: (.*))?\z/                                    => \&_unmeasured],
    [qr/\A(.+) (Index Values|Partial Index) BASELINE RESULT INDEX\z/                               => \&_table],
    [qr/\A(.+) ($NUMBER|---) ($NUMBER) ($NUMBER|---)\z/                                           => \&_row],
    [qr/\A.+ Index Score(?: \(Partial Only\))?:? ($NUMBER)(?: [^0-9].*)?\z/                        => \&_index],
    [qr/\A.+ Index Score( \(Partial Only\))? none \(incomplete\)\z/                                => \&_no_index],
    [qr/\A(?:FINAL SCORE $NUMBER|.+ $NUMBER \S+ \($NUMBER secs, [0-9]{1,9} samples?\))\z/         => \&_former],
    [qr/\A(.*\baborting\b.*)\z/                                                                    => \&_aborted],
    [qr/\A(.+?) ([0-9+-].*)\z/                                                                     => \&_rest],
);
#>>>

# Takes text of any kind, and perhaps copies => [numbers of copies] and cpus => a number of CPUs, for runs that do not
# say theirs. Returns the summaries of the reports in it, in the order of the text, see UnixBench::Store::Summary.
# Values that text reports do not have are undef; so are the numbers of copies and CPUs if their line is missing. A test
# that is unknown to this suite has its title as its name, and no category. A report that contradicts itself is left out
# if there are others, which have a note then. Dies with one line if there is only such a report. If there is none,
# stores words that describe the text in the text that likeness refers to, if that is given. Adds the notes about what
# was not read to the list that unread refers to, if that is given.
sub summaries {
    my ($text, %how) = @_;
    my @texts   = $text =~ $IS_PAGE ? () : UnixBench::Store::ClassicReport::Lines::texts($text);
    my @copies  = @{ $how{copies} || [] };
    my @reports = map { _reports_in($_, @copies > 1) } @texts;
    my (@summaries, @problems);
    for my $report (@reports) {
        my $summary = eval { _summary($report, $how{cpus}, @copies) };
        push @summaries, $summary || ();
        push @problems,  $@ =~ s/\n\z//r if !defined $summary;
    }
    die "$problems[0]\n" if @problems && !@summaries;
    ${ $how{likeness} } = _likeness($text, @reports) if !@summaries && $how{likeness};
    my @unread = map { _without_copies($_) } grep { !$_->{is_read} } @reports;
    unshift @unread, map { "another report in the same file was left out: $_" } @problems;
    push @{ $how{unread} }, @unread if $how{unread};
    push @{ $_->{notes} },  @unread for @summaries;
    return @summaries;
}

# Takes the same; returns the summary of the newest report, or of the last one if a date is unknown, with a note that
# names the others if there are several, or undef if there is none.
sub summary {
    my (@given) = @_;
    my @summaries = summaries(@given) or return;
    return $summaries[0] if @summaries == 1;
    my @times    = map              { scalar time_of_date($_->{runs}[-1]{date} // $_->{date} // q{}) } @summaries;
    my $is_dated = !grep            { !defined } @times;
    my ($read)   = $is_dated ? sort { $times[$b] <=> $times[$a] || $b <=> $a } 0 .. $#times : $#times;
    my $summary  = $summaries[$read];
    my $known    = _known($summary);
    my $which    = length $known ? ": $known" : q{};
    my $newest   = $is_dated     ? 'newest'   : 'last';
    my @places   = grep { $_ != $read } 0 .. $#summaries;
    my $others   = _first_of(map { '#' . (1 + $_) . _known($summaries[$_]) =~ s/(.+)/ ($1)/r } @places);
    push @{ $summary->{notes} },
        "the $newest of " . @summaries . " reports in the same file was read$which; not read: $others";
    return $summary;
}

# Takes a summary; returns the name of its machine and its date, as far as they are known.
sub _known {
    my ($summary) = @_;
    return join ', ', grep { defined } @$summary{qw(name date)};
}

# Takes a text without a summary, and what was read of it; returns words that describe it in a message.
sub _likeness {
    my ($text, @reports) = @_;
    return 'a web page without data of a run; give another file of that run'
        if $text =~ /<(?:!doctype )?html\b/i;
    my $other = UnixBench::Store::ResultFile::likeness(\$text);
    return $other if defined $other;
    my ($former)  = grep { $_->{is_former} } @reports;
    my ($aborted) = map  { $_->{aborted} // () } @reports;
    my @runs      = map  { @{ $_->{runs} } } @reports;
    my @titles    = grep { is_title($_) } map { $_->{title} } map { @{ $_->{tests} } } @runs;
    return
          'a report of UnixBench '
        . ($former->{version} // '4 or earlier')
        . '; those of version 5 and later are read'
        if $former;
    return "the output of a run that ended without a report: $aborted" if defined $aborted;
    return 'a report without results' if !@titles                               && grep { defined $_->{copies} } @runs;
    return 'a table of indexes without the line of its index score' if !@titles && grep { @{ $_->{rows} } } @runs;
    return 'neither JSON nor a report' if !@titles;
    return "a report without the line \"N CPUs in system; running N parallel copies of tests\" before $titles[0], and "
        . 'without a table of indexes';
}

# Takes [lines], and whether the user has given several numbers of copies: then tables of an unknown machine belong
# together. Returns the reports in them.
sub _reports_in {
    my ($lines, $is_joined) = @_;
    my $reader = { reports => [_new_report()], is_joined => $is_joined };
    _read_line($reader, $_) for @$lines;
    return @{ $reader->{reports} };
}

sub _new_report {
    return { facts => {}, notes => [], cpus => [], runs => [], without_run => [], unread => [] };
}

sub _read_line {
    my ($reader, $line) = @_;
    my $report = $reader->{reports}[-1];
    for my $kind (@LINES) {
        my ($pattern, $read) = @$kind;
        if (my @parts = $line =~ $pattern) {
            return if $report->{is_former} && $read != \&_version;
            return $read->($report, $reader, @parts);
        }
    }
    return;
}

# Begins another report, which may have the same head. Returns it.
sub _next_report {
    my ($reader) = @_;
    push @{ $reader->{reports} }, _new_report();
    return $reader->{reports}[-1];
}

sub _has_tests {
    my ($report) = @_;
    return grep { @{ $_->{tests} } || @{ $_->{rows} } } @{ $report->{runs} };
}

# Reads the version, which begins a report. The head of a report without results is that of another one if two reports
# are mixed.
sub _version {
    my ($report, $reader, $version) = @_;
    my $head = _has_tests($report) ? undef : $report->{facts}{System} // $report->{head_before};
    $report              = _next_report($reader);
    $report->{version}   = $version;
    $report->{is_former} = 1 if $version =~ /\A([0-9]{1,3})\b/ && $1 < FIRST_MAJOR;
    return $report->{head_before} = $head;
}

# Reads a fact. Facts stand between the version and the first run. After a run, the name of a system begins another
# report.
sub _fact {
    my ($report, $reader, $label, $text) = @_;
    my $is_system = $label eq 'System' && ($text // q{}) =~ /: /;
    if (_has_tests($report)) {
        return if !$is_system;
        $report = _next_report($reader);
        $report->{version} = undef;
    }
    elsif (!exists $report->{version}) { return }
    return push @{ $report->{cpus} }, [$label, $text // q{}] if $label =~ /\ACPU/;
    return if !defined $text;
    return push @{ $report->{notes} }, $text if $label eq 'Note';
    $report->{is_mixed} = 1 if $label eq 'System' && ($report->{facts}{System} // $text) ne $text;
    return $report->{facts}{$label} = $text;
}

# Reads the date of the next run. Results that follow do not belong to the run before.
sub _date {
    my ($report, $reader, $date) = @_;
    delete $reader->{run};
    return $reader->{next_date} = $date =~ s/ - [0-9:]+\z//r;
}

# Reads the line with the number of copies. A report has one run for each number of copies, all on the same machine.
sub _run {
    my ($report, $reader, $cpu_count, $copies) = @_;
    $cpu_count = $cpu_count ? ($cpu_count =~ /\A0*([1-9][0-9]*)\z/)[0] : undef;
    my @before = _has_tests($report);
    my $is_other =
        grep { ($_->{copies} // 0) == $copies || defined $cpu_count && ($_->{cpu_count} // $cpu_count) != $cpu_count }
        @before;
    $report = _next_report($reader) if $is_other;
    return _new_run($report, $reader, copies => $copies + 0, cpu_count => defined $cpu_count ? $cpu_count + 0 : undef);
}

sub _new_run {
    my ($report, $reader, %known) = @_;
    my $run = UnixBench::Store::ClassicReport::Tables::new_run(%known, date => delete $reader->{next_date});
    push @{ $report->{runs} }, $reader->{run} = $run;
    return $run;
}

# Returns the run to which a line belongs. After a table of indexes, or without the line with the number of copies,
# another run begins.
sub _run_of_line {
    my ($report, $reader) = @_;
    my $run      = $reader->{run};
    my $is_known = $run && grep { $_ == $run } @{ $report->{runs} };
    return $is_known && !$run->{has_index} ? $run : _run_without_line($report, $reader);
}

# Begins a run without the line with its number of copies. Returns the run. After other results, and without a date, it
# may be of any machine: then another report begins, whose machine is unknown.
sub _run_without_line {
    my ($report, $reader) = @_;
    my $is_same = !_has_tests($report) || defined $reader->{next_date} || $reader->{is_joined} && !_has_head($report);
    return _new_run($is_same ? $report : _next_report($reader), $reader);
}

sub _has_head {
    my ($report) = @_;
    return exists $report->{version} || grep { defined $_->{copies} || defined $_->{date} } @{ $report->{runs} };
}

# Adds a test with a score. A score that was printed as 0.0 can't be compared: then the test is added as failed.
sub _measured {
    my ($report, $reader, $title, $score, $unit, $samples) = @_;
    $score =~ tr/,//d;
    my ($known) = $title =~ /\A(.*?) [0-9][0-9 ]*\z/;
    return _unread($report, $reader, $title, $score) if defined $known && is_title($known);
    return _unread($report, $reader, $title, "$samples samples") if !$samples;
    return _unmeasured($report, $reader, $title, "a score of $score") if $score <= 0;
    return _add_test($report, $reader, $title, unit => $unit, score => $score + 0, passes => $samples + 0);
}

# Stores a result whose numbers have an unknown form, for a note.
sub _unread {
    my ($report, undef, $title, $score) = @_;
    return push @{ $report->{unread} }, "$title (" . substr($score, 0, SHOWN_MOST) . ')';
}

sub _unmeasured {
    my ($report, $reader, $title, $reason) = @_;
    my ($status) = ($reason // q{}) =~ /\A(interrupted|skipped)\b/;
    $status //= 'failed';
    return _add_test($report, $reader, $title, status => $status, reason => $reason // 'no reason given', passes => 0);
}

sub _add_test {
    my ($report, $reader, $title, %known) = @_;
    return UnixBench::Store::ClassicReport::Tables::add_test(_run_of_line($report, $reader), $title, %known);
}

# Reads the line before the table. Results after a table do not belong to its run.
sub _table {
    my ($report, $reader, $title, $kind) = @_;
    my $category = UnixBench::Store::ClassicReport::Tables::category_of($title);
    my $run      = $reader->{run};
    my $is_known = $run && grep { $_ == $run } @{ $report->{runs} };
    $run = _run_without_line($report, $reader)
        if !$is_known || grep { $_->{category} eq ($category // q{}) } @{ $run->{indexes} };
    return UnixBench::Store::ClassicReport::Tables::begin_table($run, $category, $kind eq 'Index Values');
}

# Reads a row: title, BASELINE, RESULT and INDEX. If the line before the table is missing, the first row of a known test
# begins it.
sub _row {
    my ($report, $reader, @values) = @_;
    my $row = UnixBench::Store::ClassicReport::Tables::row(@values);
    my $run = $reader->{run};
    if (!$run || !$run->{table}) {
        my $category = UnixBench::Store::ClassicReport::Tables::category_of_first($row) // return;
        $run = _run_of_line($report, $reader);
        UnixBench::Store::ClassicReport::Tables::begin_table($run, $category, 0)->{is_without_head} = 1;
    }
    return UnixBench::Store::ClassicReport::Tables::add_row($run, $row);
}

# Reads a line that begins with the title of a test and has no known form. In a table, its index score can't be checked.
sub _rest {
    my ($report, $reader, $title, $rest) = @_;
    return if !is_title($title);
    my $run = $reader->{run} or return;
    $rest = substr clean($rest), 0, SHOWN_MOST;
    return $run->{table}{unread}{$title} = $rest if $run->{table};
    return if $run->{has_index} || $rest !~ /(?:[ ]lps|KBps|MWIPS|lpm|samples?)\b/;
    return push @{ $report->{unread} }, "$title ($rest)";
}

# Reads the line of the index score, which follows the rows.
sub _index {
    my (undef, $reader, $value) = @_;
    return $reader->{run} && UnixBench::Store::ClassicReport::Tables::end_table($reader->{run}, $value);
}

# Reads the line of an index without a number.
sub _no_index {
    my (undef, $reader, $partial) = @_;
    return $reader->{run}
        && UnixBench::Store::ClassicReport::Tables::end_without_index($reader->{run}, defined $partial);
}

sub _former { my ($report) = @_; return $report->{is_former} = _has_tests($report) ? 0 : 1 }

sub _aborted {
    my ($report, undef, $line) = @_;
    return $report->{aborted} //= substr clean($line), 0, SHOWN_MOST;
}

# Returns the summary of a report, or nothing if it has no results. Dies with one line if it contradicts itself.
sub _summary {
    my ($report, $cpus, @copies) = @_;
    my @runs = grep { _is_run($report, $_) } @{ $report->{runs} };
    return 0 if !@runs || $report->{is_former};
    $report->{is_read} = 1;
    _check_heads($report);
    for my $run (grep { !defined $_->{copies} } @runs) {
        $run->{copies}   = shift @copies;
        $run->{is_given} = defined $run->{copies} ? 1 : 0;
    }
    $_->{cpu_count} //= $cpus for @runs;
    UnixBench::Store::ClassicReport::Tables::check($_) for @runs;
    my ($name, $system) = split /: /, $report->{facts}{System} // q{}, 2;
    my @notes     = @{ $report->{notes} };
    my $procedure = UnixBench::Store::ClassicReport::Head::procedure($report->{version}, @notes);
    $procedure->{baseline} = 'edited' if UnixBench::Store::ClassicReport::Tables::has_other_baseline(@runs);
    return {
        source    => 'text report',
        version   => $report->{version},
        notes     => [@notes, _remarks($report, @runs)],
        name      => $name,
        system    => $system,
        started   => undef,
        date      => $runs[0]{date},
        procedure => $procedure,
        flags     => undef,
        %{ UnixBench::Store::ClassicReport::Head::facts(@$report{qw(version facts)}, @{ $report->{cpus} }) },
        runs => [map { _finished_run($_) } @runs],
    };
}

# Dies with one line if a report may have the head of another one.
sub _check_heads {
    my ($report) = @_;
    my ($before, $system) = ($report->{head_before}, $report->{facts}{System} // 'unknown');
    die "two reports are mixed line by line: one is of the system \"$before\", one of \"$system\"\n"
        if defined $before && $before ne $system;
    die "two reports are mixed line by line: their heads name two systems\n" if $report->{is_mixed};
    return;
}

# Returns whether a run has results. Without its number of copies, it also needs an index score.
sub _is_run {
    my ($report, $run) = @_;
    my $is_run = @{ $run->{tests} } || @{ $run->{rows} };
    $is_run &&= grep { defined $_->{index} } @{ $run->{indexes} } if !defined $run->{copies};
    push @{ $report->{without_run} }, map { $_->{title} } @{ $run->{tests} } if !$is_run;
    return $is_run;
}

sub _finished_run {
    my ($run) = @_;
    return { map { $_ => $run->{$_} } qw(copies cpu_count tests indexes), $run->{is_given} ? 'is_given' : () };
}

# Returns notes about what a report does not have, and what was not read.
sub _remarks {
    my ($report, @runs) = @_;
    my %is_read = map  { $_ => 1 } @runs;
    my @empty   = grep { defined $_->{copies} && !$is_read{$_} } @{ $report->{runs} };
    my @unread  = @{ $report->{unread} };
    return (
        (map { 'the part for ' . counted($_->{copies}, 'copy', 'copies') . ' has no results' } @empty),
        ((grep { !defined $_->{copies} } @runs) ? UNKNOWN_COPIES : ()),
        _unknown_cpus(grep { ($_->{copies} // 1) > 1 && !defined $_->{cpu_count} } @runs),
        _without_copies($report),
        (@unread                    ? 'results were not read, because of their numbers: ' . _first_of(@unread) : ()),
        (defined $report->{aborted} ? "the run ended early: $report->{aborted}"                                : ()),
    );
}

# Takes runs of several copies on an unknown number of CPUs; returns a note, or nothing if there is none.
sub _unknown_cpus {
    my (@runs)  = @_;
    my $assumed = (grep { $_->{is_given} } @runs) ? ' (the place assumes one copy for each CPU)' : q{};
    return @runs ? UNKNOWN_CPUS . $assumed : ();
}

# Returns a note about results that have neither a number of copies nor an index, or nothing.
sub _without_copies {
    my ($report) = @_;
    my @titles = @{ $report->{without_run} } or return;
    return 'results without a line of their own with the number of copies were not read: ' . _first_of(@titles);
}

sub _first_of {
    my (@titles) = @_;
    my %seen;
    @titles = grep { !$seen{$_}++ } @titles;
    my @first = splice @titles, 0, NAMED_MOST;
    return join ', ', @first, @titles ? 'and ' . @titles . ' more' : ();
}

1;
