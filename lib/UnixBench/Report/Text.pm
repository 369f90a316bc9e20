package UnixBench::Report::Text;

# The classic text report, line by line as it has been since 1995: old scripts and UnixBench::Store::ClassicReport read
# it. And the log of a run: every pass of every test, and what each copy printed.

use strict;
use warnings;

use UnixBench::Base::Result    qw(cpu_kinds is_measured tests_by_title unmeasured);
use UnixBench::Base::Text      qw(clean counted defused disarmed fixed folded full_precision plain);
use UnixBench::Report::Plain   qw(in_plain table_lines);
use UnixBench::Report::Topics  ();
use UnixBench::Report::Wording qw(
    copies_sentence flag_names renderer_text score_title table_title time_sentence
);
use UnixBench::Warnings::Wording qw(tag_text);

use constant {
    TITLE_WIDTH     => 40,
    SCORE_COLUMN    => 53,
    BASELINE_COLUMN => 53,
    RESULT_COLUMN   => 66,
    INDEX_COLUMN    => 75,
    UNIT_WIDTH      => 5,
    RULE            => '-' x 72,
    NONE            => 'none (incomplete)',    # without a digit: some readers would take it for the index
};

# The indentation of the lines of topics. Old scripts must find nothing in these lines.
use constant INDENT => 3;

# The marks that other people's scripts search for in a report. No text from outside may look like a mark. Units may be
# in lines of results only.
my @MARKS = ('aborting', 'Index Score', 'Benchmark Run', 'parallel cop', ' samples)', '-' x 71, '=' x 71);
my @UNITS = ('lps', 'MWIPS');

# Other words that would turn a line of a report into a line of scores.
my @OWN_WORDS = qw(BASELINE UNIX measured parallel sample);

# Takes a view, returns the classic report. A text report is one already, so it is shown as its tables.
sub render {
    my ($view) = @_;
    my $result = $view->result or return UnixBench::Report::Plain::render(UnixBench::Report::Topics::report_of($view));
    my @head =
        map { defused($_, @MARKS, @UNITS) } _head_lines($result);
    my @runs = map { (_run_lines($result, $view->with_passes($_)), _lines_below($view, $_)) } $view->runs;
    my @end  = map { (folded(_harmless($_)), q{}) } UnixBench::Report::Topics::said(below_classic_report => $view);
    return join '', map { "$_\n" } @head, @runs, @end;
}

# Returns the lines above the first run: version, machine, CPUs, notes, uptime and a blank line. In a brief report, CPUs
# of one kind share a line.
sub _head_lines {
    my ($result) = @_;
    my $host     = $result->{host};
    my @facts    = (
        _system_lines($host),
        _language_line($result->{language}),
        (
            $result->{is_brief}
            ? (map { _model_line(@$_{qw(ids cpu)}) } cpu_kinds($host->{cpus}))
            : map { _cpu_lines($_) } @{ $host->{cpus} }
        ),
        (map { 'Graphics: ' . clean($_) } renderer_text($result)),
        _label_lines($result->{labels} || {}),
        (map { 'Note: ' . clean($_) } @{ $result->{notes} }),
        _uptime_line($host->{uptime}),
    );
    my $head = '   BYTE UNIX Benchmarks (Version ' . clean($result->{version}) . ')';
    return ($head, '', (map { length $_ ? "   $_" : '' } @facts), '');
}

# Returns a line with the labels, or nothing. It ends in a quote, because some readers take a number there for an index.
sub _label_lines {
    my ($labels) = @_;
    my @labels = map { clean("$_=\"$labels->{$_}\"") } sort keys %$labels;
    return @labels ? 'Labels: ' . join ', ', @labels : ();
}

# Returns the line of uptime. It never ends in a number with decimals: some readers take such a line for an index.
sub _uptime_line {
    my $uptime = shift // 'uptime unknown';
    return clean($uptime =~ /; runlevel(?: \w)?\z/ ? $uptime : "$uptime; runlevel");
}

sub _system_lines {
    my ($host) = @_;
    my %fact = map { $_ => clean($host->{$_}) } qw(name system os release version machine platform);
    return (
        "System: $fact{name}: $fact{system}",
        clean("OS: $fact{os} -- $fact{release} -- $fact{version}"),
        "Machine: $fact{machine} ($fact{platform})",
    );
}

sub _language_line {
    my ($language) = @_;
    my %fact = map { $_ => clean($language->{$_}) } qw(lang charmap collate);
    return qq{Language: $fact{lang} (charmap="$fact{charmap}", collate="$fact{collate}")};
}

sub _cpu_lines {
    my ($cpu) = @_;
    my @features = @{ $cpu->{features} || [] };
    my $features =
        clean(@features ? 'CPU Features: ' . join(', ', @features) : join ', ', flag_names(@{ $cpu->{flags} || [] }));
    return (_model_line($cpu->{id}, $cpu), length $features ? ' ' x 7 . $features : '');
}

sub _model_line {
    my ($ids, $cpu) = @_;
    my $bogomips = defined $cpu->{bogomips} ? ' (' . fixed($cpu->{bogomips}) . ' bogomips)' : '';
    return clean("CPU $ids: " . clean($cpu->{model})) . $bogomips;
}

sub _run_lines {
    my ($result, $run) = @_;
    return (
        RULE,                  time_sentence($run, $result),
        copies_sentence($run), '', (map { _test_line($_) } tests_by_title($run->{tests})),
        '', (map { (_table_lines($_), '') } @{ $run->{indexes} }),
    );
}

sub _test_line {
    my ($test) = @_;
    my $title = clean($test->{title});
    return sprintf '%-*s %s', TITLE_WIDTH, $title, defused(clean(unmeasured($test)), @MARKS, @UNITS)
        if !is_measured($test);
    my $score = _right_edge($title, fixed($test->{score}), SCORE_COLUMN);
    my $unit  = sprintf '%-*s', UNIT_WIDTH, defused(clean($test->{unit}), @MARKS);
    return "$score $unit " . sprintf '(%.1f s, %d samples)', $test->{time_s}, $test->{samples};
}

sub _table_lines {
    my ($index) = @_;
    my @rows = @{ $index->{rows} };
    return (
        _row(clean(table_title($index)), qw(BASELINE RESULT INDEX)),
        (map { _row(clean($_->{title}), map { defined ? fixed($_) : '---' } @$_{qw(baseline score index)}) } @rows),
        ' ' x (INDEX_COLUMN - 8) . '=' x 8,
        _right_edge(clean(score_title($index)), $index->{lacking} ? NONE : fixed($index->{index}), INDEX_COLUMN),
    );
}

sub _row {
    my ($title, $baseline, $score, $index) = @_;
    my $line = _right_edge($title, $baseline, BASELINE_COLUMN);
    $line = _right_edge($line, $score, RESULT_COLUMN);
    return _right_edge($line, $index, INDEX_COLUMN);
}

sub _lines_below {
    my ($view, $run) = @_;
    return map {
        ((map { _block_lines($_) } @$_), q{})
    } UnixBench::Report::Topics::said(below_classic_run => $view, $run);
}

sub _block_lines {
    my ($block) = @_;
    return map { q{ } x INDENT . $_ } $block->{lines} ? @{ $block->{lines} } : table_lines($block, \&_harmless)
        if !$block->{texts};
    my $indent = $block->{style} eq 'below' ? INDENT : 0;
    return map { folded(_harmless(in_plain($_)), $indent) } @{ $block->{texts} };
}

sub _harmless { my ($text) = @_; return defused(plain($text), @OWN_WORDS) }

# Takes a line, a text and a column. Returns the line with the text appended so that it ends in that column. At least
# two blanks separate them, even if the text then ends further right.
sub _right_edge {
    my ($line, $text, $column) = @_;
    my $blanks = $column - length($line) - length $text;
    return $line . ' ' x ($blanks < 2 ? 2 : $blanks) . $text;
}

# Phrases that scripts count in every file of a result. Only the report itself may have them.
my @MARKS_OF_REPORT = ('of tests', '(Partial Only)');

# Takes a test and its number of copies, returns the log's text before its first pass.
sub test_head {
    my ($test, $copies) = @_;
    my @command = @{ $test->{command} || [] };
    return _text(
        '#' x 56,
        clean($test->{title}) . ' -- ' . counted($copies, 'copy', 'copies'),
        (@command ? '==> ' . _command(@command) : ()), '',
    );
}

sub _command {
    my ($program, @arguments) = @_;
    return join ' ', _quoted($program), map { /\A[\w.,:=+-]+\z/ ? $_ : _quoted($_) } @arguments;
}

sub _quoted {
    my ($word) = @_;
    return '"' . clean($word) . '"';
}

# Takes a pass, returns its part of the log, which can be appended as soon as the pass has ended.
sub pass {
    my ($pass) = @_;
    my @named = grep { $_->{by} || defined $_->{seen} } @{ $pass->{tags} || [] };
    return _text(
        "#### Pass $pass->{number}",
        '',
        (map { (_copy_lines($_),                  '') } @{ $pass->{copies} }),
        (map { ('# Disturbed by ' . tag_text($_), '') } @named),
    );
}

sub _copy_lines {
    my ($copy) = @_;
    my $data   = _logged_data($copy);
    my $output = disarmed(defined $copy->{output} ? $copy->{output} : '');
    $output =~ s/\n\z//;
    return ((length $output ? $output : ()), map { "# $_: $data->{$_}" } sort keys %{$data});
}

# Returns the data of a copy, { name => value }. Several values of a name have the names NAME0, NAME1 and so on.
sub _logged_data {
    my ($copy) = @_;
    my %given  = %{ $copy->{data} || {} };
    my %data   = (ERROR => $copy->{error});
    for my $name (sort keys %given) {
        my @values = @{ $given{$name} };
        @data{ @values == 1 ? $name : map { "$name$_" } 0 .. $#values } = @values;
    }
    @data{qw(pid status signal)} = @{$copy}{qw(pid status signal)};
    $data{elapsed}               = sprintf '%.6f', $copy->{elapsed_s} if defined $copy->{elapsed_s};
    $data{gate}                  = 'none, its time counts from its exec' if defined $copy->{gated} && !$copy->{gated};
    delete $data{signal} if !$data{signal};
    return { map { clean($_) => clean($data{$_}) } grep { defined $data{$_} } keys %data };
}

# Takes a test and its number of copies, returns the log's text after its last pass.
sub test_tail {
    my ($test, $copies) = @_;
    return _text('>>>> ' . clean(unmeasured($test)), '') if !is_measured($test);
    return _text(
        (map { sprintf '*Dump score: %12.1f', $_ } @{ $test->{dropped} }),
        (map { sprintf 'Count score: %12.1f', $_ } @{ $test->{kept} }),
        '',
        '>>>> ' . ($copies == 1 ? 'Results of 1 copy' : "Sum of $copies copies"),
        '>>>> score: ' . full_precision($test->{score}),
        '>>>> time: ' . full_precision($test->{time_s}),
        ">>>> iterations: $test->{samples}",
        '',
    );
}

sub _text {
    my (@lines) = @_;
    return defused(join('', map { "$_\n" } @lines), @MARKS_OF_REPORT);
}

1;
