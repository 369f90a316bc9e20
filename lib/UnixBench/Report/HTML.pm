package UnixBench::Report::HTML;

# A report as a page: one HTML file that needs nothing else.

use strict;
use warnings;

use UnixBench::Base::Text          qw(clean);
use UnixBench::Report::Block       qw(content within);
use UnixBench::Report::Cell        qw(is_number);
use UnixBench::Report::HTML::Chart qw(
    axis_markup chart_markup curves_markup picture_markup scale_of timelines_markup
);
use UnixBench::Report::JSON    ();
use UnixBench::Report::Markup  qw(element markup_of source string_of trusted);
use UnixBench::Report::Title   ();
use UnixBench::Report::Topics  ();
use UnixBench::Store::Document qw(ELEMENT_END begin_of);

use constant {
    COLUMNS_NARROW => 3,
    SHORT_SURE     => 12,    # characters of a precision that stands next to its number
    SHORT_NUMBER   => 16,    # of a number, and
    SHORT_WORDS    => 28,    # of words that are kept in one line
};

my %CLASS_OF = (below => 'quiet', notice => 'notice', quiet => 'quiet');

my %MARKUP_OF = (
    paragraphs => \&_paragraphs,
    heading    => sub { my ($block) = @_; return element('p', { class => 'heading' }, markup_of($block->{text})) },
    list       => \&_list,
    screen     => sub {
        my ($block) = @_;
        return element('pre', map { ($_, trusted("\n")) } @{ $block->{lines} });
    },
    headline  => \&_headline,
    facts     => \&_facts,
    table     => \&_table,
    chart     => \&chart_markup,
    curves    => \&curves_markup,
    timelines => \&timelines_markup,
    fold      => sub {
        my ($block) = @_;
        return element('details', element('summary', markup_of($block->{title})), _blocks($block));
    },
    group   => sub { my ($block) = @_; return element('div', { class => 'group' }, _blocks($block)) },
    section => \&_section,
);

# Takes a report; returns its page.
sub render {
    my ($report) = @_;
    return join q{}, _pieces($report);
}

# Takes a view and a function; calls the function with the page of its result in pieces: what people read and, unless it
# is a text report, all data for programs.
sub write_to {
    my ($view, $write) = @_;
    my ($begin, $page, $end) = _pieces(UnixBench::Report::Topics::report_of($view));
    return $write->($begin . $page . $end) if !$view->result;
    $write->($begin . begin_of('summary') . UnixBench::Report::JSON::summary($view) . ELEMENT_END);
    $write->($page . begin_of('result'));
    UnixBench::Report::JSON::write_to($view, $write);
    $write->(ELEMENT_END . $end);
    return;
}

# Returns a page in three pieces. More elements of the head may stand between the first two, and more of the body
# between the last two.
sub _pieces {
    my ($report) = @_;
    my @blocks   = within('full', @{ $report->{blocks} });
    my $begin    = join q{}, map { source($_) } _head($report);
    my $style    = source(element('style', trusted("\n" . UnixBench::Report::Markup::sheet())));
    my $about    = element('p', { class => 'quiet' }, $report->{about} // UnixBench::Report::Title::program());
    my @top      = (element('h1', markup_of($report->{title})), $about);
    my $main     = element('main', @top, (map { _block($_) } @blocks), _foot($report));
    return (
        qq{<!DOCTYPE html>\n<html lang="en">\n<head>\n} . _without_marks($begin),
        "$style</head>\n<body>\n" . _without_marks(source($main)),
        "</body>\n</html>\n"
    );
}

sub _foot {
    my ($report) = @_;
    return if !defined $report->{program};
    my @how = map { element('p', markup_of($_)) } @{ $report->{how} || [] };
    return element(
        'footer',
        element('p', { class => 'quiet' }, UnixBench::Report::Title::program()),
        @how ? element('details', element('summary', 'How to read this page'), @how) : ()
    );
}

# Returns the head: the title also for the tab of a browser and for programs that show a link to the page. With an empty
# icon, browsers request none.
sub _head {
    my ($report) = @_;
    my $title = string_of($report->{title});
    return (
        element('meta',  { charset  => 'utf-8' }),
        element('meta',  { name     => 'viewport', content => 'width=device-width, initial-scale=1' }),
        element('meta',  { property => 'og:type',  content => 'website' }),
        element('meta',  { property => 'og:title', content => $title }),
        element('link',  { rel      => 'icon',     href    => 'data:,' }),
        element('title', $title),
    );
}

# Changes a blank in phrases that scripts count in every file of a result. It looks the same and is not counted.
sub _without_marks {
    my ($html) = @_;
    $html =~ s/of tests/of&#32;tests/g;
    $html =~ s/\(Partial Only\)/(Partial&#32;Only)/g;
    return $html;
}

sub _block {
    my ($block) = @_;
    return $MARKUP_OF{ $block->{kind} }->($block);
}

sub _blocks {
    my ($block) = @_;
    return map { _block($_) } @{ $block->{blocks} };
}

sub _headline {
    my ($block) = @_;
    my $is_only = @{ $block->{numbers} } == 1;
    my @numbers = map { element('li', @$_) } grep { @$_ } map { [_number($_, $is_only)] } @{ $block->{numbers} };
    return element(
        'section',
        { class => 'headline' },
        (@numbers ? element('ul', { class => 'numbers' }, @numbers) : ()),
        _blocks($block)
    );
}

# Returns a number with its precision and what it is. The title of the page has the only one that is known: then only a
# long precision is left.
sub _number {
    my ($number, $is_only) = @_;
    my $is_long = length string_of($number->{sure} // q{}) > SHORT_SURE;
    my @sure =
        defined $number->{sure}
        ? element($is_long ? 'p' : 'span', { class => 'sure' }, markup_of($number->{sure}))
        : ();
    my $class = join q{ }, 'value', $number->{class} // ();
    return $is_long ? @sure : () if $is_only && $number->{is_known};
    my @value =
        defined $number->{number}
        ? element('div', { class => $class }, markup_of($number->{number}), trusted(q{ }), @sure)
        : ();
    my $link = element('a', { href => "#$number->{link}" }, join ', ', grep { defined } @$number{qw(title copies)});
    return (@value, element('p', { class => 'quiet' }, $link));
}

sub _paragraphs {
    my ($block) = @_;
    my $class = $CLASS_OF{ $block->{style} };
    return map { element('p', defined $class ? { class => $class } : (), markup_of($_)) } @{ $block->{texts} };
}

sub _list {
    my ($block) = @_;
    my @items   = map { element('li', ref eq 'HASH' ? _list($_) : markup_of($_)) } @{ $block->{items} };
    my %about   = defined $block->{id} ? (id => $block->{id}) : ();
    return ((defined $block->{head} ? element('p', \%about, markup_of($block->{head})) : ()), element('ul', @items));
}

sub _facts {
    my ($block) = @_;
    my @rows =
        map { element('tr', element('th', { scope => 'row' }, $_->[0]), element('td', markup_of($_->[1]))) }
        @{ $block->{pairs} };
    return element('table', { class => 'facts' }, element('caption', $block->{title}), element('tbody', @rows));
}

# Returns the markup of a section. Sections within it follow after it.
sub _section {
    my ($section) = @_;
    my @inner     = grep { $_->{kind} eq 'section' } @{ $section->{blocks} };
    my @own       = grep { $_->{kind} ne 'section' } @{ $section->{blocks} };
    my %about     = defined $section->{id} ? (id => $section->{id}) : ();
    my @markup    = map { _block($_) } @own;
    return ((@own ? element('section', \%about, element('h2', markup_of($section->{title})), @markup) : ()),
        map { _section($_) } @inner);
}

# Returns the markup of a table, and its legend. On a phone, a wide table becomes a list of its rows; then each cell has
# the heading of its column before it.
sub _table {
    my ($table) = @_;
    my @columns = map { $_->{kind} eq 'picture' ? { %$_, scale => scale_of($_) } : $_ } @{ $table->{columns} };
    my $class   = (grep { $_->{scale} } @columns) ? 'chart' : @columns > COLUMNS_NARROW ? 'stacked' : 'plain';
    my @rows    = map { _row($_, @columns) } @{ $table->{rows} };
    my @foot    = map { _foot_row($_, @columns) } @{ $table->{foot} };
    my $title   = $table->{title} // $table->{caption};
    my $markup  = element(
        'table',
        { class => $class },
        element('caption', ref $title ? element('span', markup_of($title)) : $title),
        element('thead',   element('tr', map { _heading($_) } @columns)),
        (@rows ? element('tbody', @rows) : ()),
        (@foot ? element('tfoot', @foot) : ()),
    );
    return ($markup, map { element('p', { class => 'quiet' }, markup_of($_)) } @{ $table->{legend} });
}

sub _heading {
    my ($column) = @_;
    my $class = _class_of_column($column);
    return element(
        'th',
        { scope => 'col', $class eq 'number' || $class eq 'picture' ? (class => $class) : () },
        markup_of($column->{heading}),
        $column->{scale} ? axis_markup($column->{scale}) : ()
    );
}

sub _class_of_column {
    my ($column) = @_;
    return is_number($column->{kind}) ? 'number' : $column->{kind};
}

sub _row {
    my ($row,   @columns) = @_;
    my ($first, @others)  = @columns;
    my @cells =
        defined $row->{reason}
        ? element('td', { class => 'missing', colspan => scalar @others }, markup_of($row->{reason}))
        : map { _cell($row, $_) } @others;
    return element('tr', _title($row), @cells);
}

# Returns a row of the foot. Its title has the space of unknown values at the beginning.
sub _foot_row {
    my ($row,   @columns) = @_;
    my ($first, @others)  = @columns;
    shift @others while @others && !$others[0]{scale} && !defined $row->{item}{ $others[0]{key} };
    return element('tr', _title($row, @columns - @others), map { _cell($row, $_) } @others);
}

# Returns the heading of a row with its remark. It may take several columns.
sub _title {
    my ($row, $columns) = @_;
    my %span   = ($columns // 1) > 1    ? (colspan => $columns)                                           : ();
    my @remark = defined $row->{remark} ? element('div', { class => 'quiet' }, markup_of($row->{remark})) : ();
    return element('th', { scope => 'row', %span }, string_of($row->{title}), @remark);
}

# Returns the cell of a row in a column. Only a short text is kept in one line.
sub _cell {
    my ($row, $column) = @_;
    my $scale = $column->{scale};
    return element('td', { class => 'picture' }, $row->{shapes} ? picture_markup($row, $scale) : ()) if $scale;
    my @content = markup_of(content($row, $column));
    my $length  = length join q{}, map { ref ? q{} : clean($_) } @content;
    my $class   = _class_of_column($column);
    my $most    = $class eq 'number' ? SHORT_NUMBER : SHORT_WORDS;
    $class = join q{ }, $class, $length <= $most ? 'short' : () if $class ne 'text';
    return element('td', { 'data-label' => string_of($column->{heading}), class => $class }, @content);
}

1;
