package UnixBench::Report::Formats;

# The formats of reports: those of the core, and those of features. Each has a kind, a module that renders it, the
# suffix of its file if a run writes one, and perhaps an option. The option may need another one: needs has its key.
# Modules are loaded when they are needed.

use strict;
use warnings;

use UnixBench::Features qw(loaded);

# A renderer has a sub render, which returns a text, or write_to, which takes also a function and passes it the text in
# pieces. Both take a view (see UnixBench::Report::View) and perhaps cases (see UnixBench::Summary::Cases). If
# has_doubts is set, the cases also have reasons why the result is not certain, and the file is written after all
# others. If is_of_blocks is set, render takes a report (see UnixBench::Report::Block) instead, which the module
# of_result makes (Topics, if there is no such key). A renderer with write_to may have render for other reports.
# of_comparison names the renderer that takes a comparison. If is_of_results is set, render takes a list of results, see
# of_results(). If is_below is set, the report is printed below the text report. A format may have asked_by, the key of
# an option: then the option asks for it, below the text report or instead of another format. It may have part, a key of
# results: then it is printed below the text report of results that have this key, but not with the option without. If
# takes_several is set, render also takes [views] of several results that are judged together.
my @FORMATS = (
    { kind => 'text',    renderer => 'Report::Text',  suffix       => q{} },
    { kind => 'csv',     renderer => 'Report::CSV',   suffix       => '.csv', is_optional => 1 },
    { kind => 'details', renderer => 'Report::Plain', is_of_blocks => 1, is_below => 1, asked_by => 'details' },
    {
        kind          => 'json',
        renderer      => 'Report::JSON',
        of_comparison => 'Report::Comparison::JSON',
        suffix        => '.json',
        is_optional   => 1,
        value         => 'FILE',
        text          => 'write the result as JSON',
    },
    {
        kind     => 'html',
        renderer => 'Report::HTML',
        suffix   => '.html',
        value    => 'FILE',
        text     => 'write the page',
    },
    {
        kind         => 'markdown',
        is_usual     => 1,
        renderer     => 'Report::Markdown',
        is_of_blocks => 1,
        of_result    => 'Report::EndBlock',
        value        => 'FILE',
        text         => 'write the numbers as Markdown, for forums and tickets',
    },
    {
        kind         => 'markdown details',
        renderer     => 'Report::Markdown',
        is_of_blocks => 1,
        asked_by     => 'details',
        instead_of   => 'markdown',
    },
);
push @FORMATS, UnixBench::Features::list('formats');
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

# Takes a kind, a view, and perhaps cases; returns the report as UnixBench::Base::Files writes it: a text, or a function
# that passes the text in pieces to the function that it gets. The data of many copies, as one text, would need much
# memory.
sub source_of {
    my ($kind, $view, @cases) = @_;
    my $format   = $FORMAT{$kind};
    my $renderer = loaded($format->{renderer});
    if (my $write_to = $renderer->can('write_to')) {
        return sub { $write_to->($view, @_) };
    }
    return of_results($kind, { summary => $view->summary, cases => \@cases }) if $format->{is_of_results};
    return $renderer->can('render')->($view, @cases) if !$format->{is_of_blocks};
    my $report_of = loaded($format->{of_result} // 'Report::Topics')->can('report_of');
    return $renderer->can('render')->($report_of->($view), $format->{is_below});
}

# Takes options, and { key => whether the result has it }; returns the kinds of reports below the text report.
sub below {
    my ($options, $has) = @_;
    my $is_due = sub { defined $_[0]{part} && $has->{ $_[0]{part} } && !$options->{ $_[0]{without} } };
    return map { $_->{kind} } grep { _is_asked($_, $options) || $is_due->($_) } grep { $_->{is_below} } @FORMATS;
}

# Takes a kind and options; returns the kind that they ask for instead: the first one, or the same.
sub asked {
    my ($kind, $options) = @_;
    my ($other) = grep { ($_->{instead_of} // q{}) eq $kind && _is_asked($_, $options) } @FORMATS;
    return $other ? $other->{kind} : $kind;
}

sub _is_asked {
    my ($format, $options) = @_;
    return defined $format->{asked_by} && $options->{ $format->{asked_by} };
}

# Takes "is_of_results", "takes_several" or "has_doubts", and a kind; returns whether its format has that, see above.
sub has {
    my ($what, $kind) = @_;
    return ($FORMAT{$kind} || {})->{$what};
}

# Takes a kind that renders results, and one or more of these, whose hosts differ; returns the text. Each is { summary,
# cases, and perhaps host (another name than that of its summary), is_host_named (whether its host is named even if it
# is alone) }.
sub of_results {
    my ($kind, @results) = @_;
    return loaded($FORMAT{$kind}{renderer})->can('render')->(@results);
}

# Takes a kind of exports; returns whether it takes a table.
sub takes_table { my ($kind) = @_; return loaded($FORMAT{$kind}{renderer})->can('table') ? 1 : 0 }

# Takes such a kind, [keys of the columns that are numbers or other values], and rows, { key => value } each. Dates have
# the form of ISO 8601. Returns the table as the text of a file.
sub of_table {
    my ($kind, $columns, @rows) = @_;
    return loaded($FORMAT{$kind}{renderer})->can('table')->($columns, @rows);
}

# Takes a kind, "text", "html" or "markdown", a report of blocks, and perhaps the terminal on which it is shown, see
# UnixBench::CLI::Console::screen; returns the report of that kind.
sub of_blocks {
    my ($kind, $report, $screen) = @_;
    my $format = $FORMAT{ $kind eq 'text' ? 'details' : $kind };
    return loaded($format->{renderer})->can('render')->($report, 0, $screen);
}

# Takes a kind that the comparison accepts, or "text"; { report, comparison }, see UnixBench::Command::Compare::of; the
# other data of UnixBench::Report::Comparison::JSON::render; and perhaps the terminal on which it is shown. Returns the
# report of that kind.
sub of_comparison {
    my ($kind, $compared, $data, $screen) = @_;
    return of_table($kind, loaded('Report::Comparison::JSON')->can('table')->($compared->{comparison}))
        if $kind =~ /\Aexport /;
    my $renderer = $FORMAT{$kind}{of_comparison} or return of_blocks($kind, $compared->{report}, $screen);
    return loaded($renderer)->can('render')->($compared->{comparison}, %$data);
}

# Takes the parts of a plan, options, and the optional kinds that are wanted, "csv" or "json". Loads all modules that
# the reports of its result need. Without arguments, loads those of all reports of a result.
sub load {
    my ($parts, $options, @wanted) = @_;
    my @needed = $parts ? _needed($parts, $options, @wanted) : grep { !$_->{is_of_results} } @FORMATS;
    loaded($_) for map { ($_->{renderer}, $_->{of_result} // ()) } @needed;
    require UnixBench::Report::Topics;
    UnixBench::Report::Topics::load($parts);
    return;
}

sub _needed {
    my ($parts, $options, @wanted) = @_;
    my @kinds     = map { $_->[0] } @{ $options->{outputs} };
    my %is_wanted = map { $_ => 1 } @wanted, below($options, $parts), map { ($_, asked($_, $options)) } @kinds;
    return grep { $is_wanted{ $_->{kind} } || defined $_->{suffix} && !$_->{is_optional} } @FORMATS;
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

# Returns the options that ask for reports, see UnixBench::CLI::Declaration.
sub options {
    return map { _option($_) } grep { defined $_->{text} } @FORMATS;
}

sub _option {
    my ($format) = @_;
    my @value    = $format->{value} ? (value => $format->{value}, kind => 'file') : ();
    my @needs    = $format->{needs} ? (needs => $format->{needs})                 : ();
    return {
        flag      => "--$format->{kind}",
        key       => $format->{kind},
        is_output => 1,
        is_usual  => $format->{is_usual},
        @value, @needs, text => $format->{text}
    };
}

1;
