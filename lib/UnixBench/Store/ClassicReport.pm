package UnixBench::Store::ClassicReport;

# Reads text reports of UnixBench 3 and later: results files, logs, CSV files, pages of UnixBench 5, the output of a
# terminal, or lines copied from a mail or a web page. This module decides what belongs together. The modules Lines,
# Tables and Head read the lines, the results with their tables, and the head.
#
# The line of the version begins a report, and so does a head after results. A report has a run for each number of
# copies, all on the same machine. Results after a table, without a line of their own, may be of any machine: they are a
# report without a name. Neighbours are one report if their heads are equal and their numbers of copies differ.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::JSON                   ();
use UnixBench::Base::Text                   qw(clean counted);
use UnixBench::Base::Time                   qw(time_of_date);
use UnixBench::Store::ClassicReport::Head   ();
use UnixBench::Store::ClassicReport::Lines  ();
use UnixBench::Store::ClassicReport::Tables qw(:all);
use UnixBench::Store::ResultFile            ();

use constant {
    UNKNOWN_COPIES => 'the number of copies is unknown; give it with --copies N, and the number of CPUs with --cpus N',
    UNKNOWN_CPUS   => 'the number of CPUs is unknown; give it with --cpus N',
};
use constant { NAMED_MOST => 20, SHOWN_MOST => 60, SOON => 2 * 86_400 };    # SOON: seconds

# Pages of version 7 and later show rounded values. Those of version 5 have a column of iterations.
my $IS_PAGE = qr/\A\s*<!DOCTYPE html>(?!.*>Iters[.]<).*?(?:<meta content="|<title>)(?:Benchmark of |UnixBench )/is;

# The numbers of reports have a decimal: without it, something was cut off.
my $NUMBER  = qr/(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,18})(?:[.][0-9]{1,9})?/;
my $DECIMAL = qr/(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,18})[.][0-9]{1,9}/;

my $RUN = qr/(?:([0-9]{1,9}|unknown) CPUs?(?: in system)?; )?(?:running )?([1-9][0-9]{0,8}) parallel (?:cop|proc)/;

my $IS_FORMER = qr/\A[0-4]\b/;                                              # versions, which measured one copy

# The forms of lines, with single blanks, and the functions that read them. The first pattern that matches decides. All
# patterns take linear time: repetitions are bounded or between literals.
#<<< a table
my @LINES = (
    [qr/BYTE UNIX Benchmarks \(Version ([^)]*)\)/                                           => \&_version],
    [qr/\A(System|OS|Machine|Language|Graphics|CPU [0-9,-]+|Note):(?: (.+))?\z/             => \&_fact],
    [qr/\A(?:CPUs: )?([0-9]{1,6}): (.*bogomips\))/ => sub { _fact(@_[0, 1], "CPU $_[2]", $_[3]) }],
    [qr/\ASystem -- (\S+) (\S+) \S/ => sub { _fact(@_[0, 1], 'System', "$_[3]: $_[2]") }],
    [qr/\ABenchmark of .+ on (.+)\z/ => sub { $_[1]{day} = $_[2] }],
    [qr/\ATime: ([0-9:]{8}) - /                                                             => \&_time],
    [qr/\A(?:Benchmark Run: )?$RUN/                                                         => \&_run],
    [qr/\A(?:Start )?Benchmark Run: (.+)/i                                                  => \&_date],
    [qr/\A(.+) ($NUMBER) (\S+) \($NUMBER (s|secs), ([0-9]{1,9}) samples?\)\z/               => \&_measured],
    [qr/\A(.+) ($DECIMAL) (\S+) $DECIMAL s ([0-9]{1,9})(?: ($DECIMAL) ($DECIMAL))?\z/       => \&_page_row],
    [qr/\A(.+) (\S+) (\S+) \(\S+ s, \S+ samples?\)\z/                                       => \&_unread],
    [qr/\A(.+?) (?:\*+ )?no measured results(?: \*+|: (.*))?\z/                             => \&_unmeasured],
    [qr/\A(.+) (Index Values|Partial Index) BASELINE RESULT INDEX\z/                        => \&_table],
    [qr/\A(.+) ($DECIMAL|---) ($DECIMAL) ($DECIMAL|---)\z/                                  => \&_row],
    [qr/\A(?:.+ Index Score(?: \(Partial Only\))?:?|FINAL SCORE) ($DECIMAL)(?: [^0-9].*)?\z/
        => sub { end_table($_[1]{run} || {}, $_[2]) }],
    [qr/\A.+ Index Score( \(Partial Only\))? none \(incomplete\)\z/
        => sub { end_without_index($_[1]{run} || {}, defined $_[2]) }],
    [qr/\A(.+) -- ([1-9][0-9]{0,8}) cop(?:y|ies)\z/                                         => \&_logged],
    [qr/\A(score|iterations|COUNT2): (\S+)\z/                                               => \&_of_logged],
    [qr/\A(.+) = ($NUMBER)\z|\A(.+) ($DECIMAL) ([A-Za-z]+)\z/                               => \&_bare],
    [qr/\A(.*\baborting\b.*)\z/ => sub { $_[0]{aborted} //= substr clean($_[2]), 0, SHOWN_MOST }],
    [qr/\A(.+?) ([0-9+-].*)\z/                                                              => \&_rest],
);
#>>>

# What begins the head of another report, after results.
my %BEGINS = (
    System   => qr/: /,
    OS       => qr/ -- .* -- /,
    Machine  => qr/\A\S+ \(\S+\)\z/,
    Language => qr/\(charmap=/,
);

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
    return joined(@summaries);
}

# Takes summaries; returns them in their order. Neighbours that belong together are one.
sub joined {
    my (@summaries) = @_;
    my @joined;
    for my $summary (@summaries) {
        if (@joined && _belong_together($joined[-1], $summary)) {
            my %seen;
            my @notes = grep { !$seen{$_}++ } map { @{ $_->{notes} } } $joined[-1], $summary;
            $joined[-1] =
                { %{ $joined[-1] }, notes => \@notes, runs => [map { @{ $_->{runs} } } $joined[-1], $summary] };
        }
        else { push @joined, $summary }
    }
    return @joined;
}

# Takes two summaries; returns whether they are one report: their heads are equal, and so are their numbers of CPUs; all
# numbers of copies are known, and none is the same.
sub _belong_together {
    my (@two) = @_;
    return 0 if grep { $_->{source} eq 'UnixBench' || !defined $_->{name} || !defined $_->{version} } @two;
    my @runs = map { @{ $_->{runs} } } @two;
    return 0 if grep { !defined $_->{copies} || !defined $_->{cpu_count} } @runs;
    my %heads  = map { UnixBench::Base::JSON::encode([@$_{qw(name version system facts procedure)}]) => 1 } @two;
    my %cpus   = map { $_->{cpu_count}                                                               => 1 } @runs;
    my %copies = map { $_->{copies}                                                                  => 1 } @runs;
    return keys %heads == 1 && keys %cpus == 1 && keys %copies == @runs;
}

# Takes the same as summaries(), and perhaps number, which of the reports is wanted, from 1. Returns its summary, or
# undef if there is no report. Without number, this is the newest report, or the last one if a date is unknown, with a
# note that names the others if there are several. Dies with one line if there are fewer.
sub summary {
    my ($text, %how) = @_;
    my @summaries = summaries($text, %how) or return;
    if (defined(my $number = $how{number})) {
        return $summaries[$number - 1]
            // die counted(scalar @summaries, 'report is', 'reports are') . " in that file\n";
    }
    return $summaries[0] if @summaries == 1;
    my @times    = map              { scalar time_of_date($_->{date} // q{}) } @summaries;
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
    my ($aborted) = map { $_->{aborted} // () } @reports;
    my @runs      = map { @{ $_->{runs} } } @reports;
    my @titles    = grep { is_title($_) } map { $_->{title} } map { @{ $_->{tests} } } @runs;
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
    for my $kind (@LINES) {
        my ($pattern, $read) = @$kind;
        if (my @parts = $line =~ $pattern) { return $read->($reader->{reports}[-1], $reader, @parts) }
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
    $report = _next_report($reader);
    $report->{version} = $version;
    return $report->{head_before} = $head;
}

# Reads a fact. Facts stand between the version and the first run. After results, a head begins another report.
sub _fact {
    my ($report, $reader, $label, $text) = @_;
    if (_has_tests($report)) {
        my $begins = $label =~ /\ACPU/ ? qr/bogomips\)\z/ : $BEGINS{$label};
        return if !$begins || ($text // q{}) !~ $begins;
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

# Reads the time of day of a run on a page, whose title has the day.
sub _time {
    my ($report, $reader, $time) = @_;
    my $run = $report->{runs}[-1] or return;
    return $run->{on_page} = defined $reader->{day} ? "$reader->{day} $time" : undef;
}

# Reads the date of the next run. Results that follow do not belong to the run before. In version 4, the year is last.
sub _date {
    my ($report, $reader, $date) = @_;
    delete $reader->{run};
    return $reader->{next_date} = $date =~ s/ - .*//r =~ s/([0-9]+) ([0-9:]{8}) [A-Z]+ ([0-9]{4})\z/$1 $3 $2/r;
}

# Reads the line with the number of copies.
sub _run {
    my ($report, $reader, $cpu_count, $copies) = @_;
    my %known = (copies => $copies + 0, cpu_count => ($cpu_count // q{}) =~ /([1-9][0-9]*)\z/ ? $1 + 0 : undef);
    $report = _next_report($reader)
        if ($report->{version} // q{}) =~ $IS_FORMER || grep { _is_of_other($_, $reader, \%known) } _has_tests($report);
    return _new_run($report, $reader, %known);
}

# Takes a run and what is known of the next one; returns whether that can't belong to the same report: they have the
# same number of copies, or other numbers of CPUs, or the second one does not begin soon after the first one.
sub _is_of_other {
    my ($run, $reader, $known) = @_;
    return 1 if ($run->{copies} // 0) == ($known->{copies} // -1);
    my @cpus = grep { defined } map { $_->{cpu_count} } $run, $known;
    return 1 if @cpus == 2 && $cpus[0] != $cpus[1];
    my $next = $reader->{next_date};
    my ($begun, $next_begun) = map { time_of_date($_ // q{}) // 0 } $run->{date} // ($next && $run->{on_page}), $next;
    return $begun && ($next_begun < $begun || $next_begun > $begun + SOON);
}

sub _new_run {
    my ($report, $reader, %known) = @_;
    my $run = new_run(%known, date => delete $reader->{next_date});
    push @{ $report->{runs} }, $reader->{run} = $run;
    return $run;
}

# Returns the run to which a line belongs. After a table of indexes, or without the line with the number of copies,
# another run begins.
sub _run_of_line {
    my ($report, $reader) = @_;
    my $run      = $reader->{run};
    my $is_known = $run && grep { $_ == $run } @{ $report->{runs} };
    return $is_known && !@{ $run->{tables} } ? $run : _run_without_line($report, $reader);
}

# Begins a run without the line with its number of copies. Returns the run. After a head or other results, and without a
# date, it may be of any machine: then another report begins, whose machine is unknown.
sub _run_without_line {
    my ($report, $reader) = @_;
    my @before = _has_tests($report);
    my $is_same =
        defined $reader->{next_date}
        ? !grep { _is_of_other($_, $reader, {}) } @before
        : !_has_head($report) && ($reader->{is_joined} || !@before);
    return _new_run($is_same ? $report : _next_report($reader), $reader);
}

sub _has_head {
    my ($report) = @_;
    return exists $report->{version} || grep { defined $_->{copies} || defined $_->{date} } @{ $report->{runs} };
}

# Adds a test with a score. A score that was printed as 0.0 can't be compared: then the test is added as failed. The
# title of a line that was torn is a part of a title, or has one. Versions 3 and 4 wrote "secs", and had one copy.
sub _measured {
    my ($report, $reader, $title, $score, $unit, $seconds, $samples) = @_;
    $score =~ tr/,//d;
    return _unread($report, $reader, $title, $score) if is_torn($title);
    return _unread($report, $reader, $title, "$samples samples") if defined $samples && !$samples;
    return _unmeasured($report, $reader, $title, "a score of $score") if $score <= 0;
    my $run = _run_of_line($report, $reader);
    $run->{copies} //= 1 if $seconds eq 'secs';
    my $passes = defined $samples ? $samples + 0 : undef;
    return add_test($run, $title, unit => $unit, score => $score + 0, passes => $passes);
}

# Reads a row of a page of version 5: a result, and perhaps its baseline and index.
sub _page_row {
    my ($report, $reader, @parts) = @_;
    my ($title, $score, $unit, $samples, $baseline, $index) = @parts;
    _measured($report, $reader, $title, $score, $unit, 's', $samples);
    return defined $index ? _row($reader->{reports}[-1], $reader, $title, $baseline, $score, $index) : undef;
}

# Reads a result without its time and passes: a row of a mail, or a score of a CSV file.
sub _bare {
    my ($report, $reader, @parts) = @_;
    my ($title,  $score,  $unit)  = grep { defined } @parts;
    return is_title($title) ? _measured($report, $reader, $title, $score, $unit, 's') : undef;
}

# Reads the title of a test in the log of a run. A log has the tests of a run one after the other.
sub _logged {
    my ($report, $reader, $title, $copies) = @_;
    my $name     = name_of($title);
    my ($run)    = grep { $_->{is_logged} && $_->{copies} == $copies } @{ $report->{runs} };
    my $is_other = grep { !$_->{is_logged} || $_->{copies} == $copies && $_->{test}{$name} } @{ $report->{runs} };
    ($report, $run) = (_next_report($reader), undef) if $is_other;
    $run ||= _new_run($report, $reader, copies => $copies + 0, is_logged => 1);
    delete $reader->{run};
    return $reader->{logged} = { title => $title, run => $run };
}

# Reads the unit of a logged test, its score and then the number of its passes.
sub _of_logged {
    my ($report, $reader, $key, $value) = @_;
    my $logged = $reader->{logged} or return;
    $logged->{$key} = $value;
    return if $key ne 'iterations' || $value !~ /\A[0-9]{1,9}\z/ || !defined $logged->{score};
    return _unread($report, $reader, @$logged{qw(title score)}) if $logged->{score} !~ /\A[0-9]{1,18}[.][0-9]{1,15}\z/;
    delete $reader->{logged};
    $reader->{run} = $logged->{run};
    _measured($report, $reader, @$logged{qw(title score COUNT2)}, 's', $value);
    return delete $reader->{run};
}

# Stores a result whose numbers have an unknown form, for a note.
sub _unread {
    my ($report, undef, $title, $score) = @_;
    return push @{ $report->{unread} }, "$title (" . substr($score, 0, SHOWN_MOST) . ')';
}

sub _unmeasured {
    my ($report, $reader, $title, $reason) = @_;
    my ($status) = ($reason // q{}) =~ /\A(interrupted|skipped)\b/;
    my %known = (status => $status // 'failed', reason => $reason // 'no reason given', passes => 0);
    return add_test(_run_of_line($report, $reader), $title, %known);
}

# Reads the line before a table. Results after a table do not belong to its run.
sub _table {
    my ($report, $reader, $title, $kind) = @_;
    my $category = category_of($title);
    my $run      = $reader->{run};
    my $is_known = $run && grep { $_ == $run } @{ $report->{runs} };
    $run = _run_without_line($report, $reader)
        if !$is_known
        || $run->{table} && @{ $run->{table}{rows} }
        || grep { $_->[0]{category} eq ($category // q{}) } @{ $run->{tables} };
    return begin_table($run, $category, $kind eq 'Index Values');
}

# Reads a row: title, BASELINE, RESULT and INDEX. If the line before the table is missing, the first row of a known test
# begins it.
sub _row {
    my ($report, $reader, $title, @values) = @_;
    my $run = $reader->{run};
    return _rest($report, $reader, $title, join q{ }, @values) if is_torn($title) && $run && $run->{table};
    my $row = row($title, @values);
    if (!$run || !$run->{table}) {
        my $category = category_of_first($row) // return;
        $run = _run_of_line($report, $reader);
        begin_table($run, $category, 0)->{is_without_head} = 1;
    }
    return add_row($run, $row);
}

# Reads a line that begins with the title of a test and has no known form. In a table, there is no index then.
sub _rest {
    my ($report, $reader, $title, $rest) = @_;
    return if !is_title($title) && (!is_torn($title) || $rest =~ m{--});
    my $run = $reader->{run} or return;
    $rest = substr clean($rest), 0, SHOWN_MOST;
    return $run->{table}{unread}{$title} = $rest if $run->{table};
    return if @{ $run->{tables} } || $rest !~ /(?:[ ]lps|KBps|MWIPS|lpm|samples?)\b/;
    return _unread($report, $reader, $title, $rest);
}

# Returns the summary of a report, or nothing if it has no results. Dies with one line if it contradicts itself.
sub _summary {
    my ($report, $cpus, @copies) = @_;
    my @runs = grep { _is_run($report, $_) } @{ $report->{runs} };
    return 0 if !@runs;
    $report->{is_read} = 1;
    _check_heads($report);
    for my $run (grep { !defined $_->{copies} } @runs) {
        $run->{copies}   = shift @copies;
        $run->{is_given} = defined $run->{copies} ? 1 : 0;
    }
    $_->{cpu_count} //= $cpus for @runs;
    check($_) for @runs;
    my ($name, $system) = ($report->{facts}{System} // q{}) =~ /\A(?!(?:System|OS|Machine|Language|CPUs):)(.*?): (.*)/;
    my @notes     = @{ $report->{notes} };
    my $procedure = UnixBench::Store::ClassicReport::Head::procedure($report->{version}, @notes);
    $procedure->{baseline} = 'edited' if has_other_baseline(@runs);
    return {
        source    => 'text report',
        version   => $report->{version},
        notes     => [@notes, _remarks($report, @runs)],
        name      => $name,
        system    => $system,
        started   => undef,
        date      => $runs[0]{date} // $runs[0]{on_page},
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

# Returns whether a run has results. Without its number of copies, it also needs a table that ends.
sub _is_run {
    my ($report, $run) = @_;
    my $is_run = @{ $run->{tests} } || @{ $run->{rows} };
    $is_run &&= grep { defined $_->[1] } @{ $run->{tables} } if !defined $run->{copies};
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
        (@unread ? 'results were not read, because of their numbers: ' . _first_of(@unread) : ()),
        (map { unread_rows($_) } @runs),
        (defined $report->{aborted} ? "the run ended early: $report->{aborted}" : ()),
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
