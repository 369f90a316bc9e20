package UnixBench::Report::Formats;

# The formats of reports. This is the only list of them. Each has a kind, a module in UnixBench::Report that renders it,
# the suffix of its file if a run writes one, and perhaps an option. Modules are loaded when they are needed.

use strict;
use warnings;

# A renderer has a sub render. It takes a view (see UnixBench::Report::View) and perhaps cases (see
# UnixBench::Accept::Acceptance). If is_of_blocks is set, it takes a report (see UnixBench::Report::Block) instead.
my @FORMATS = (
    { kind => 'text',    renderer => 'Text',  suffix       => q{} },
    { kind => 'csv',     renderer => 'CSV',   suffix       => '.csv', is_on_wish => 1 },
    { kind => 'details', renderer => 'Plain', is_of_blocks => 1 },
    {
        kind     => 'json',
        renderer => 'JSON',
        suffix   => '.json',
        value    => 'FILE',
        text     => 'a copy of the result as JSON',
    },
    {
        kind         => 'html',
        renderer     => 'HTML',
        is_of_blocks => 1,
        suffix       => '.html',
        value        => 'FILE',
        text         => 'a copy of the HTML report; with --compare the comparison',
    },
    {
        kind         => 'markdown',
        renderer     => 'Markdown',
        is_of_blocks => 1,
        value        => 'FILE',
        text         => 'the tables as Markdown, for forums and tickets; with --compare those of the comparison',
    },
    {
        kind     => 'junit',
        renderer => 'JUnit',
        value    => 'FILE',
        text     => 'the verdicts on tests and requirements as JUnit XML',
    },
    {
        kind     => 'tap',
        renderer => 'TAP',
        text     => 'the same as TAP on standard output, in place of the report',
    },
);
my %FORMAT = map { $_->{kind} => $_ } @FORMATS;

# Takes a kind, a view, and perhaps the cases of its result; returns the report of that kind.
sub of_result {
    my ($kind, $view, @cases) = @_;
    my $format = $FORMAT{$kind};
    my $render = _renderer($format);
    return $render->($view, @cases) if !$format->{is_of_blocks};
    require UnixBench::Report::Topics;
    return $render->(UnixBench::Report::Topics::report_of($view), $kind eq 'details');
}

# Takes a kind, "text", "html" or "markdown", and a report of blocks; returns the report of that kind.
sub of_blocks {
    my ($kind, $report) = @_;
    return _renderer($FORMAT{ $kind eq 'text' ? 'details' : $kind })->($report);
}

sub _renderer {
    my ($format) = @_;
    my $module = "UnixBench/Report/$format->{renderer}.pm";
    require $module;
    return "UnixBench::Report::$format->{renderer}"->can('render');
}

# Loads all modules that reports of a result need.
sub load {
    _renderer($_) for @FORMATS;
    require UnixBench::Report::Topics;
    UnixBench::Report::Topics::topics();
    return;
}

# Takes a view and whether CSV is wanted; returns the reports that a run writes to files: { suffix => function that
# returns the text }.
sub files {
    my ($view, $has_csv) = @_;
    my @formats = grep { defined $_->{suffix} && ($has_csv || !$_->{is_on_wish}) } @FORMATS;
    my %file;
    for my $format (@formats) {
        $file{ $format->{suffix} } = sub { of_result($format->{kind}, $view) };
    }
    return \%file;
}

# Takes a kind; returns the option that asks for it, an entry of UnixBench::CLI::OptionTable.
sub option {
    my ($kind) = @_;
    my $format = $FORMAT{$kind};
    my @value  = $format->{value} ? (value => $format->{value}, kind => 'file') : ();
    my @with   = (qw(resume report), $format->{is_of_blocks} ? 'compare' : ());
    return { flag => "--$kind", key => $kind, is_output => 1, @value, with => \@with, text => $format->{text} };
}

1;
