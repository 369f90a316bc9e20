package UnixBench::Report::Formats;

# The formats of reports. This is the only list of them. Each has a kind, a module in UnixBench::Report that renders it,
# the suffix of its file if a run writes one, and perhaps an option. The option may need another one: needs has its key.
# Modules are loaded when they are needed.

use strict;
use warnings;

# A renderer has a sub render, which returns a text, or write_to, which takes also a function and passes it the text in
# pieces. Both take a view (see UnixBench::Report::View) and perhaps cases (see UnixBench::Accept::Acceptance). If
# is_of_blocks is set, render takes a report (see UnixBench::Report::Block) instead, which the module of_result makes
# (Topics, if there is no such key); of_blocks names another renderer
# for reports that are not of one result. of_fleet names the renderer that takes a list of hosts (see
# UnixBench::Report::Fleet); without it, the kinds that print blocks print the report of the list. of_comparison names
# the renderer that takes a comparison. If is_of_results is set, render takes a list of results (see
# UnixBench::Report::Export).
my @FORMATS = (
    { kind => 'text',         renderer => 'Text',     suffix       => q{} },
    { kind => 'csv',          renderer => 'CSV',      suffix       => '.csv', is_optional => 1 },
    { kind => 'details',      renderer => 'Plain',    is_of_blocks => 1 },
    { kind => 'turns',        renderer => 'Plain',    is_of_blocks => 1, of_result => 'Topic::Turns' },
    { kind => 'why',          renderer => 'Plain',    is_of_blocks => 1, of_result => 'Topic::Why' },
    { kind => 'markdown why', renderer => 'Markdown', is_of_blocks => 1, of_result => 'Topic::Why' },
    {
        kind          => 'json',
        renderer      => 'JSON',
        of_comparison => 'Comparison::JSON',
        of_fleet      => 'Fleet::JSON',
        suffix        => '.json',
        is_optional   => 1,
        value         => 'FILE',
        text          => 'write the result as JSON',
    },
    {
        kind      => 'html',
        renderer  => 'Page',
        of_blocks => 'HTML',
        suffix    => '.html',
        value     => 'FILE',
        text      => 'write the page',
    },
    {
        kind         => 'markdown',
        renderer     => 'Markdown',
        is_of_blocks => 1,
        of_result    => 'Ticket',
        value        => 'FILE',
        text         => 'write the numbers as Markdown, for forums and tickets',
    },
    { kind => 'markdown details', renderer => 'Markdown', is_of_blocks => 1 },
    {
        kind     => 'junit',
        renderer => 'JUnit',
        of_fleet => 'Fleet::JUnit',
        value    => 'FILE',
        text     => 'write the verdicts on tests and requirements as JUnit XML',
    },
    {
        kind     => 'tap',
        renderer => 'TAP',
        text     => 'print the verdicts as TAP instead of the report',
    },
    {
        kind     => 'verdict',
        renderer => 'VerdictBlock',
        of_fleet => 'Fleet::Verdicts',
        value    => 'FILE',
        needs    => 'requirements',
        text     => 'write the verdict for other programs, in lines of name=value',
    },
    { kind => 'export github-action-benchmark', renderer => 'Export::GithubAction', is_of_results => 1 },
    { kind => 'export openmetrics',             renderer => 'Export::OpenMetrics',  is_of_results => 1 },
    { kind => 'export lava',                    renderer => 'Export::Lava',         is_of_results => 1 },
    { kind => 'export bencher',                 renderer => 'Export::Bencher',      is_of_results => 1 },
    { kind => 'export csv',                     renderer => 'Export::CSV',          is_of_results => 1 },
);
my %FORMAT = map { $_->{kind} => $_ } @FORMATS;

# Takes a kind, a view, and perhaps the cases of its result; returns the report of that kind.
sub of_result {
    my ($kind, $view, @cases) = @_;
    my $source = source_of($kind, $view, @cases);
    return $source if !ref $source;
    my $text = q{};
    $source->(sub { $text .= $_[0] });
    return $text;
}

# Takes the same; returns the report as UnixBench::Base::Files writes it: a text, or a function that passes the text in
# pieces to the function that it gets. The data of many copies, as one text, would need much memory.
sub source_of {
    my ($kind, $view, @cases) = @_;
    my $format   = $FORMAT{$kind};
    my $renderer = _renderer($format->{renderer});
    if (my $write_to = $renderer->can('write_to')) {
        return sub { $write_to->($view, @_) };
    }
    return of_results($kind, _exported($view, @cases)) if $format->{is_of_results};
    return $renderer->can('render')->($view, @cases) if !$format->{is_of_blocks};
    my $report_of = _renderer($format->{of_result} // 'Topics')->can('report_of');
    return $renderer->can('render')->($report_of->($view), $kind =~ /\A(?:details|turns|why)\z/);
}

# Takes a kind of export, such as "export csv", and one or more results, each { host, summary, cases (optional) }, whose
# hosts differ; returns the text. See UnixBench::Report::Export::measures.
sub of_results {
    my ($kind, @results) = @_;
    return _renderer($FORMAT{$kind}{renderer})->can('render')->(@results);
}

# Takes a view and the cases of its result; returns the result as of_results() takes it.
sub _exported {
    my ($view, @cases) = @_;
    require UnixBench::Store::Summary;
    my $summary = UnixBench::Store::Summary::of($view->result);
    return { host => $summary->{name}, summary => $summary, cases => \@cases };
}

# Takes a kind, "text", "html" or "markdown", a report of blocks, and perhaps the terminal on which it is shown, see
# UnixBench::CLI::Console::screen; returns the report of that kind.
sub of_blocks {
    my ($kind, $report, $screen) = @_;
    my $format = $FORMAT{ $kind eq 'text' ? 'details' : $kind };
    return _renderer($format->{of_blocks} // $format->{renderer})->can('render')->($report, 0, $screen);
}

# Takes a kind that the comparison accepts, or "text"; { report, comparison }, see UnixBench::Command::Compare::of; the
# other data of UnixBench::Report::Comparison::JSON::render; and perhaps the terminal on which it is shown. Returns the
# report of that kind.
sub of_comparison {
    my ($kind, $compared, $data, $screen) = @_;
    my $renderer = $FORMAT{$kind}{of_comparison} or return of_blocks($kind, $compared->{report}, $screen);
    return _renderer($renderer)->can('render')->($compared->{comparison}, %$data);
}

# Takes a kind that the fleet accepts, or "text", a list of hosts, see UnixBench::Report::Fleet, and perhaps the
# terminal on which it is shown; returns the report of that kind.
sub of_fleet {
    my ($kind, $list, $screen) = @_;
    my $renderer = $FORMAT{$kind}{of_fleet};
    return _renderer($renderer)->can('render')->($list) if $renderer;
    return of_results($kind, $list->{results}->()) if $FORMAT{$kind}{is_of_results};
    require UnixBench::Report::Fleet;
    return of_blocks($kind, UnixBench::Report::Fleet::report_of($list), $screen);
}

# Takes "text", "html", "markdown" or "json", a history, see UnixBench::Report::History, and perhaps the terminal on
# which it is shown; returns the report of that kind.
sub of_history {
    my ($kind, $history, $screen) = @_;
    return _renderer('History::JSON')->can('render')->($history) if $kind eq 'json';
    return of_blocks($kind, _renderer('History')->can('report_of')->($history, $screen), $screen);
}

# Loads a module; returns the name of its package.
sub _renderer {
    my ($name) = @_;
    my $module = "UnixBench/Report/$name.pm" =~ s{::}{/}gr;
    require $module;
    return "UnixBench::Report::$name";
}

# Loads all modules that reports of a result need.
sub load {
    _renderer($_) for map { ($_->{renderer}, $_->{of_result} // ()) } @FORMATS;
    require UnixBench::Report::Topics;
    UnixBench::Report::Topics::topics();
    return;
}

# Takes the optional kinds that are wanted, "csv" or "json"; returns the kinds of reports that a run writes to files:
# { suffix => kind }.
sub files {
    my (@wanted) = @_;
    my %is_wanted = map { $_ => 1 } @wanted;
    return {
        map  { $_->{suffix} => $_->{kind} }
        grep { defined $_->{suffix} && (!$_->{is_optional} || $is_wanted{ $_->{kind} }) } @FORMATS
    };
}

# Returns the options that ask for reports, see UnixBench::CLI::Declaration. The last one asks for exports, and
# its choices are their formats.
sub options {
    my @formats = map { $_->{kind} =~ /\Aexport (.*)/s } @FORMATS;
    my $exports = {
        flag      => '--export',
        key       => 'exports',
        is_output => 1,
        value     => 'TO:FILE',
        kind      => 'export',
        choices   => \@formats,
        list      => 1,
        text      => 'write the values for a system that keeps and plots results',
        more      => 'TO is ' . join(', ', @formats[0 .. $#formats - 1]) . " or $formats[-1].",
    };
    return ((map { _option($_) } grep { defined $_->{text} } @FORMATS), $exports);
}

# Takes a format with an option; returns the option.
sub _option {
    my ($format) = @_;
    my @value    = $format->{value} ? (value => $format->{value}, kind => 'file') : ();
    my @needs    = $format->{needs} ? (needs => $format->{needs})                 : ();
    return {
        flag      => "--$format->{kind}",
        key       => $format->{kind},
        is_output => 1,
        @value, @needs, text => $format->{text}
    };
}

1;
