package UnixBench::Store::ClassicReport;

# Reads text reports of UnixBench 3 and later: results files, logs, CSV files, pages of UnixBench 5, the output of a
# terminal, or lines copied from a mail or a web page. This module decides what belongs together. The module Lines has
# the lines, and Summary makes the summary of a report with its runs and tables.
#
# The line of the version begins a report, and so does a head after results. A report has a run for each number of
# copies, all on the same machine. Results after a table, without a line of their own, may be of any machine: they are a
# report without a name. Neighbours are one report if their heads are equal and their numbers of copies differ.

use strict;
use warnings;

use UnixBench::Base::JSON                    ();
use UnixBench::Base::Text                    qw(counted listed shown);
use UnixBench::Base::Time                    qw(time_of_date);
use UnixBench::Features                      ();
use UnixBench::Store::ClassicReport::Dates   qw(date_in_english);
use UnixBench::Store::ClassicReport::Lines   qw($TABLE $TITLE);
use UnixBench::Store::ClassicReport::Summary qw(:all);
use UnixBench::Store::ResultFile             ();

use constant { SOON => 2 * 86_400, RUNS_MOST => 100 };    # seconds; of a report, each of which is compared with all

# Pages of version 7 and later show rounded values. Those of version 5 have a column of iterations.
my $IS_PAGE = qr/\A\s*<!DOCTYPE html>(?!.*>Iters[.]<).*?(?:<meta content="|<title>)(?:Benchmark of |UnixBench )/is;

# The numbers of reports have a decimal: without it, something was cut off.
my $WHOLE   = qr/(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,18})/;
my $DECIMAL = qr/$WHOLE[.][0-9]{1,9}/;
my $NUMBER  = qr/$WHOLE(?:[.][0-9]{1,9})?/;

my $RUN = qr/(?:([0-9]{1,9}|unknown) CPUs?(?: in system)?; )?(?:running )?([1-9][0-9]{0,8}) parallel (?:cop|proc)/;

my $IS_FORMER = qr/\A[0-4]\b/;                            # versions, which measured one copy

# The forms of lines, with single blanks, and the functions that read them. All patterns take linear time: repetitions
# are bounded or between literals.
#<<< a table
my @LINES = (
    [qr/BYTE UNIX Benchmarks \(Version ([^)]*)\)/                                           => \&_version],
    [qr/\A(System|OS|Machine|Language|Graphics|CPU [0-9,-]+|Note):(?: |\z)(.*)/             => \&_fact],
    [qr/\A(?:CPUs: )?([0-9]{1,6}): (.*bogomips\))/ => sub { _fact($_[0], "CPU $_[1]", $_[2]) }],
    [qr/\ASystem -- (\S+) (\S+) \S/ => sub { _fact($_[0], 'System', "$_[2]: $_[1]") }],
    [qr/\ABenchmark of .+ on (.+)\z/ => sub { $_[0]{day} = $_[1] }],
    [qr/\ATime: ([0-9:]{8}) - /
        => sub { $_[0]{run}{on_page} = date_in_english("$_[0]{day} $_[1]") if $_[0]{run} && $_[0]{day} }],
    [qr/\A(?:Benchmark Run: )?$RUN/                                                         => \&_run],
    [qr/\A(?:Start )?Benchmark Run: (.+)/i                                                  => \&_date],
    [qr/\A(.+) ($NUMBER) (\S+) \($NUMBER s(ecs)?, ([0-9]{1,9}) samples?\)\z/                => \&_measured],
    [qr/\A(.+) ($DECIMAL) (\S+) $DECIMAL s ([0-9]{1,9})(?: ($DECIMAL) ($DECIMAL))?\z/    # a row of a page
        => sub { _measured(@_[0 .. 3], undef, $_[4]); _row(@_[0, 1, 5, 2, 6]) if defined $_[6] }],
    [qr/\A(.+) (\S+) \S+ \(\S+ s, \S+ samples?\)\z/                                         => \&_unread],
    [qr/\A(.+?) (?:\*+ )?no measured results(?: \*+|: (.*))?\z/                             => \&_unmeasured],
    [qr/\A($TABLE) (Index Values|Partial Index) BASELINE RESULT INDEX\z/                     => \&_table],
    [qr/\A(.+) ($DECIMAL|---) ($DECIMAL) ($DECIMAL|---)\z/                                  => \&_row],
    [qr/\A(?:.+ Index Score(?: \(Partial Only\))?:?|(FINAL SCORE)) ($DECIMAL)(?: [^0-9].*)?\z/    # of versions 3 and 4
        => sub { _end($_[0], index => $_[2] =~ tr/,//dr, copies => $_[1] ? 1 : undef) }],
    [qr/\A.+ Index Score( \(Partial Only\))? none \(incomplete\)\z/
        => sub { _end($_[0], is_partial => defined $_[1]) }],
    [qr/\A(.+) -- ([1-9][0-9]{0,8}) cop(?:y|ies)\z/                                         => \&_logged],
    [qr/\A(score|iterations|COUNT2): (\S+)\z/                                               => \&_of_logged],
    [qr/\A(?|(.+) = ($NUMBER)|(.+) ($DECIMAL) ([A-Za-z]+))\z/
        => sub { is_title($_[1]) ? _measured(@_) : undef }],    # a row of a mail, or a score of a CSV file
    [qr/\A(.*\baborting\b.*)\z/ => sub { $_[0]{report}{aborted} //= shown($_[1]) }],
    [qr/\A(.+?) ([0-9+-].*)\z/                                                              => \&_rest],
);
#>>>

# What begins the head of another report, after results.
my %BEGINS = (
    System   => qr/: /,
    OS       => qr/ -- .* -- /,
    Machine  => qr/\A\S+ \(\S+\)\z/,
    Language => qr/\(charmap=/,
    CPU      => qr/bogomips\)\z/,
);

# Takes text of any kind, and perhaps copies => [numbers of copies] and cpus => a number of CPUs, for runs that do not
# say theirs. Returns the summaries of the reports in it, in the order of the text, see UnixBench::Summary.
# Values that text reports do not have are undef; so are the numbers of copies and CPUs if their line is missing. A test
# that is unknown to this suite has its title as its name, and no category. A report that contradicts itself is left out
# if there are others, which have a note then. Dies with one line if there is only such a report. Adds the notes about
# what was not read to the list that unread refers to, if that is given.
sub summaries {
    my ($text, %how) = @_;
    my @copies = @{ $how{copies} || [] };
    my (@summaries, @problems, @lost);
    my @reports = _reports_in($text, @copies > 1);
    my %has     = map { ($_->{copies} // 0) => 1 } grep { is_readable($_) } map { @{ $_->{runs} } } @reports;
    for my $report (@reports) {

        # A sentence before the results may have the same line.
        my @runs = grep { has_results($_) || !$has{ $_->{copies} // 0 } } @{ $report->{runs} };
        $report->{runs} = \@runs;
        push @lost, map { $_->{title} } map { @{ $_->{tests} } } grep { !is_readable($_) } @runs;
        next if !grep { is_readable($_) } @runs;
        my $summary = eval { UnixBench::Store::ClassicReport::Summary::of($report, $how{cpus}, @copies) };
        push @summaries, $summary ? _apart($summary) : ();
        push @problems,  $@ =~ s/\n\z//r if !$summary;
    }
    die "$problems[0]\n" if @problems && !@summaries;
    my @unread = map { "another report in the same file was left out: $_" } @problems;
    push @unread, 'results without a line of their own with the number of copies were not read: ' . listed(@lost)
        if @lost;
    push @{ $how{unread} }, @unread if $how{unread};
    push @{ $_->{notes} },  @unread for @summaries;
    return joined(@summaries);
}

# Takes summaries; returns them in their order. Neighbours that belong together are one.
sub joined {
    my (@summaries) = @_;
    my @joined;
    for my $summary (@summaries) {
        my $before = $joined[-1];
        push @joined, $summary;
        next if !$before || !_belong_together($before, $summary);
        my %is_noted = map  { $_ => 1 } @{ $before->{notes} };
        my @more     = grep { !$is_noted{$_} } @{ $summary->{notes} };
        my @runs     = map  { @{ $_->{runs} } } $before, $summary;
        splice @joined, -2, 2, { %$before, notes => [@{ $before->{notes} }, @more], runs => \@runs };
    }
    return @joined;
}

# Takes a summary; returns it, and others for those of its runs that can't be of one report with the numbers that the
# user has given.
sub _apart {
    my ($first) = @_;
    my @apart = { %$first, runs => [] };
    for my $run (@{ $first->{runs} }) {
        push @apart, { %$first, date => undef, runs => [] } if _are_apart(@{ $apart[-1]{runs} }, $run);
        push @{ $apart[-1]{runs} }, $run;
    }
    return @apart;
}

# Takes two summaries; returns whether they are one report: their heads are equal, and all numbers of copies and CPUs
# are known and may be of one report.
sub _belong_together {
    my (@two) = @_;
    my @runs  = map { @{ $_->{runs} } } @two;
    return 0 if grep { !defined } map({ @$_{qw(name version)} } @two), map { @$_{qw(copies cpu_count)} } @runs;
    my %heads = map { UnixBench::Base::JSON::encode([@$_{qw(name version system facts procedure)}]) => 1 } @two;
    return keys %heads == 1 && !_are_apart(@runs);
}

# Takes what is known of runs; returns whether they can't be of one report: two have the same number of copies, or other
# numbers of CPUs.
sub _are_apart {
    my (@runs) = @_;
    my @copies = grep { defined } map { $_->{copies} } @runs;
    my %copies = map  { $_ => 1 } @copies;
    my %cpus   = map  { $_ => 1 } grep { defined } map { $_->{cpu_count} } @runs;
    return keys %copies < @copies || keys %cpus > 1;
}

# Takes the same as summaries(), and perhaps number, which of the reports is wanted, from 1. Returns its summary, or
# undef if there is no report. Without number, this is the newest report, or the last one if a date is unknown, with a
# note that names the others if there are several. Dies with one line if there are fewer.
sub summary {
    my ($text, %how) = @_;
    my @summaries = summaries($text, %how) or return;
    return $summaries[$how{number} - 1]
        // die counted(scalar @summaries, 'report is', 'reports are') . " in that file\n"
        if defined $how{number};
    return $summaries[0] if @summaries == 1;
    my @times    = map              { scalar time_of_date($_->{date} // q{}) } @summaries;
    my $is_dated = !grep            { !defined } @times;
    my ($read)   = $is_dated ? sort { $times[$b] <=> $times[$a] || $b <=> $a } 0 .. $#times : $#times;
    my @known    = map              { join ', ', $_->{name} // (), $_->{date} // () } @summaries;
    my @others = map { '#' . (1 + $_) . (length $known[$_] ? " ($known[$_])" : q{}) } grep { $_ != $read } 0 .. $#known;
    my $which  = ($is_dated ? 'newest' : 'last') . ' of ' . @known . ' reports in the same file';
    my $one    = length $known[$read] ? ": $known[$read]" : q{};
    push @{ $summaries[$read]{notes} }, "the $which was read$one; not read: " . listed(@others);
    return $summaries[$read];
}

# Takes a text without a report; returns words that describe it in a message.
sub likeness {
    my ($text) = @_;
    return 'a web page without data of a run; give another file of that run'
        if $text =~ /<(?:!doctype )?html\b/i;
    my $other = UnixBench::Store::ResultFile::likeness(\$text);
    return $other if defined $other;
    my @reports   = _reports_in($text);
    my @runs      = map  { @{ $_->{runs} } } @reports;
    my ($aborted) = grep { defined } map { $_->{aborted} } @reports;
    my ($title)   = grep { is_title($_) } map { $_->{title} } map { @{ $_->{tests} } } @runs;
    return "the output of a run that ended without a report: $aborted" if defined $aborted;
    return qq{a report without the line "N CPUs in system; running N parallel copies of tests" before $title, and }
        . 'without a table of indexes'
        if defined $title;
    return 'a table of indexes without the line of its index score' if grep { @{ $_->{tables} } } @runs;
    return _seen_in($text)
        // ((grep { defined $_->{copies} } @runs) ? 'a report without results' : 'neither JSON nor a report');
}

# Takes a text without a report; returns what is seen of tests and indexes in it, in words, or undef.
sub _seen_in {
    my ($text) = @_;
    my (%numbers, $score);
    for my $line (map { @$_ } UnixBench::Store::ClassicReport::Lines::texts($text)) {
        $score //= $1 if $line =~ /\bIndex Score\b[^0-9]{0,40}($NUMBER)/i;
        my ($title, $rest) = $line =~ /($TITLE)(.*)/i or next;
        $numbers{ lc $title } = () = $rest =~ /$DECIMAL/g;
    }
    my $tests = counted(scalar keys %numbers, 'test', 'tests');
    return "lines of $tests with several numbers each, which is not the form of a report; copy each report alone"
        if grep { $_ > 1 } values %numbers;
    return "lines of $tests, but not in the form of a report (TITLE SCORE UNIT, or TITLE BASELINE RESULT INDEX)"
        if %numbers;
    return defined $score
        ? join '; ', 'an index score without its tests', UnixBench::Features::steps(index => $score)
        : undef;
}

# Takes text, and whether the user has given several numbers of copies: then tables of an unknown machine belong
# together. Returns the reports in it: version (if they have a head), head [[label, text], ...], runs, lines that are
# unread, and aborted, why the run has ended.
sub _reports_in {
    my ($text, $is_joined) = @_;
    my @reports;
    for my $lines ($text =~ $IS_PAGE ? () : UnixBench::Store::ClassicReport::Lines::texts($text)) {
        my $reader = { reports => \@reports, is_joined => $is_joined };
        _next_report($reader);
        take($reader, \@LINES, $_) for @$lines;
    }
    return @reports;
}

# Begins another report, perhaps with its version and a part of its head. Returns it.
sub _next_report {
    my ($reader, %known) = @_;
    delete @$reader{qw(run ended)};
    $reader->{report} = { head => [], runs => [], unread => [], %known };
    push @{ $reader->{reports} }, $reader->{report};
    return $reader->{report};
}

sub _runs_so_far {
    my ($reader) = @_;
    return grep { has_results($_) } @{ $reader->{report}{runs} };
}

# Reads the version, which begins a report. If two reports are mixed, the head of a report without results is that of
# another one, so its system is kept.
sub _version {
    my ($reader, $version) = @_;
    my @before = _runs_so_far($reader) ? () : grep { $_->[0] =~ /System\z/ } @{ $reader->{report}{head} };
    return _next_report($reader, version => $version, head => [map { ['Other System', $_->[1]] } @before]);
}

# Reads a fact. Facts stand between the version and the first run. After results, a head begins another report.
sub _fact {
    my ($reader, $label, $text) = @_;
    my $begins = $BEGINS{ $label =~ s/ .*//r };
    if (_runs_so_far($reader)) {
        return if !$begins || $text !~ $begins;
        _next_report($reader, version => undef);
    }
    my $report = $reader->{report};
    return exists $report->{version} ? push @{ $report->{head} }, [$label, $text] : undef;
}

# Reads the date of the next run. Results that follow do not belong to the run before. In version 4, the year is last.
sub _date {
    my ($reader, $date) = @_;
    delete @$reader{qw(run ended)};
    return $reader->{next_date} = date_in_english($date =~ s/([0-9]{1,2}) ([0-9:]{8}) \S+ ([0-9]{4})\z/$1 $3 $2/r)
        // q{};
}

sub _run {
    my ($reader, $cpu_count, $copies) = @_;
    my %known = (copies => $copies + 0, cpu_count => ($cpu_count // q{}) =~ /([1-9][0-9]*)\z/ ? $1 + 0 : undef);
    _next_report($reader)
        if @{ $reader->{report}{runs} } > RUNS_MOST
        || ($reader->{report}{version} // q{}) =~ $IS_FORMER
        || _is_of_other($reader, %known);
    return _new_run($reader, %known);
}

# Takes what is known of the next run; returns whether it can't belong to the report, does not begin soon after each of
# its runs, or follows one of which neither a number of copies nor a date is known.
sub _is_of_other {
    my ($reader, %known) = @_;
    my @runs  = _runs_so_far($reader);
    my $next  = $reader->{next_date};
    my @begun = map { time_of_date($_->{date} // ($next && $_->{on_page}) // q{}) } @runs;
    my $begin = time_of_date($next // q{}) // 0;
    return
           _are_apart(@runs, \%known)
        || grep({ $begin < $_ || $begin > $_ + SOON } @begun)
        || grep({ !defined $_->{copies} && !defined $_->{date} } @runs);
}

sub _new_run {
    my ($reader, %known) = @_;
    delete $reader->{ended};
    $known{copies} //= 1 if ($reader->{report}{version} // q{}) =~ $IS_FORMER;
    $reader->{run} = { date => delete $reader->{next_date} || undef, %known, tests => [], tables => [] };
    push @{ $reader->{report}{runs} }, $reader->{run};
    return $reader->{run};
}

# Returns the run to which a line belongs. After a table of indexes, or without the line with the number of copies,
# another run begins. After a head or other results, and without a date, it may be of any machine: then another report
# begins, whose machine is unknown.
sub _run_of_line {
    my ($reader) = @_;
    return $reader->{run} if $reader->{run};
    my $report   = $reader->{report};
    my $has_head = exists $report->{version} || grep { defined } map { @$_{qw(copies date)} } @{ $report->{runs} };
    my $is_other =
        defined $reader->{next_date}
        ? _is_of_other($reader)
        : $has_head || !$reader->{is_joined} && _runs_so_far($reader);
    _next_report($reader) if $is_other;
    return _new_run($reader);
}

# Adds a test with a score. A score that was printed as 0.0 can't be compared: then the test is added as failed. The
# title of a line that was torn is a part of a title, or has one. Versions 3 and 4 wrote "secs", and had one copy.
sub _measured {
    my ($reader, $title, $score, $unit, $is_former, $samples) = @_;
    $score =~ tr/,//d;
    return _unread($reader, $title, $score) if is_torn($title);
    return _unread($reader, $title, "$samples samples") if defined $samples && !$samples;
    return _unmeasured($reader, $title, "a score of $score") if $score <= 0;
    my $run = _run_of_line($reader);
    $run->{copies} //= 1 if $is_former;
    my %unit = defined $unit ? (unit => $unit) : ();
    return push @{ $run->{tests} }, test($title, score => $score + 0, passes => $samples && $samples + 0, %unit);
}

sub _unmeasured {
    my ($reader, $title, $reason) = @_;
    my ($status) = ($reason // q{}) =~ /\A(interrupted|skipped)\b/;
    my %known = (status => $status // 'failed', reason => $reason // 'no reason given', passes => 0);
    return push @{ _run_of_line($reader)->{tests} }, test($title, %known);
}

# Reads the title of a test in the log of a run. A log has the tests of a run one after the other.
sub _logged {
    my ($reader, $title, $copies) = @_;
    my $name  = name_of($title);
    my @runs  = @{ $reader->{report}{runs} };
    my ($run) = grep { $_->{is_logged} && $_->{copies} == $copies } @runs;
    if (grep({ !$_->{is_logged} } @runs) || $run && grep { $_->{name} eq $name } @{ $run->{tests} }) {
        _next_report($reader);
        undef $run;
    }
    $run ||= _new_run($reader, copies => $copies + 0, is_logged => 1);
    delete $reader->{run};
    return $reader->{logged} = { title => $title, run => $run };
}

# Reads the unit of a logged test, its score and then the number of its passes.
sub _of_logged {
    my ($reader, $key, $value) = @_;
    my $logged = $reader->{logged} or return;
    $logged->{$key} = $value;
    my ($title, $score, $unit) = @$logged{qw(title score COUNT2)};
    return if $key ne 'iterations' || $value !~ /\A[0-9]{1,9}\z/ || !defined $score;
    return _unread($reader, $title, $score) if $score !~ /\A[0-9]{1,18}[.][0-9]{1,15}\z/;
    delete $reader->{logged};
    local $reader->{run} = $logged->{run};
    return _measured($reader, $title, $score, $unit, undef, $value);
}

# Reads the line before a table. A run may have a table of each kind, one after the other.
sub _table {
    my ($reader, $title, $kind) = @_;
    my $run = $reader->{run} || $reader->{ended};
    undef $run if $run && grep { $_->{title} eq $title || !$_->{end} && @{ $_->{rows} } } @{ $run->{tables} };
    $reader->{run} = $run;
    return begin_table(_run_of_line($reader), $title, $kind eq 'Index Values' ? 1 : 0);
}

# Reads a row: title, BASELINE, RESULT and INDEX. If the line before the table is missing, the first row of a known test
# begins it.
sub _row {
    my ($reader, $title, @values) = @_;
    my $table = ($reader->{run} || {})->{table};
    return _rest($reader, $title, join q{ }, @values) if $table && is_torn($title);
    my $row = row($title, @values);
    if (!$table) {
        my $of = table_of($row) // return;
        $table = begin_table(_run_of_line($reader), $of, undef);
    }
    return push @{ $table->{rows} }, $row;
}

# Ends a table. Results after it do not belong to its run.
sub _end {
    my ($reader, %end) = @_;
    my $table = delete(($reader->{run} || {})->{table}) or return;
    $reader->{ended} = delete $reader->{run};
    $reader->{ended}{copies} //= $end{copies};
    return $table->{end} = \%end;
}

sub _rest {
    my ($reader, $title, $rest) = @_;
    return if !is_title($title) && (!is_torn($title) || $rest =~ m{--});
    my $run = $reader->{run} or return;
    return $run->{table} || $rest =~ /(?:[ ]lps|KBps|MWIPS|lpm|samples?)\b/ ? _unread($reader, $title, $rest) : undef;
}

# Stores a line whose numbers have an unknown form, for a note. In a table, there is no index then.
sub _unread {
    my ($reader, $title, $rest) = @_;
    my $table = ($reader->{run} || {})->{table};
    $table->{is_torn} = 1 if $table;
    return push @{ $reader->{report}{unread} }, "$title (" . shown($rest) . ')';
}

1;
