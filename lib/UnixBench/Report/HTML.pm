package UnixBench::Report::HTML;

# A report as a page: one HTML file that needs nothing else.

use strict;
use warnings;

use UnixBench::Base::Text          qw(clean);
use UnixBench::Report::Block       qw(content within);
use UnixBench::Report::Cell        qw(is_number);
use UnixBench::Report::HTML::Chart qw(
    axis_markup chart_markup picture_markup scale_of timelines_markup
);
use UnixBench::Report::JSON    ();
use UnixBench::Report::Markup  qw(element markup_of source string_of trusted);
use UnixBench::Report::Style   ();
use UnixBench::Report::Title   ();
use UnixBench::Report::Topics  ();
use UnixBench::Store::Document qw(ELEMENT_END begin_of);

use constant {
    COLUMNS_NARROW => 3,
    COLUMNS_MANY   => 8,     # from here on they are in small print, and remarks are below the titles of rows
    SHORT          => 40,    # characters of a title that is kept in one line
    SHORT_SURE     => 12,    # of a precision that stands next to its number
    SHORT_WORDS    => 34,    # the same for a cell of type "word",
    SHORT_WORD     => 12,    # and for each word of it
};

my $UNIT = qr/(?:%|(?:[munp]?s|[KMGT]B|lps|lpm|fps|wps|KBps|MWIPS|CPUs?|copy|copies|pass|passes|tests?)(?![a-z]))/;

my %CLASS_OF = (
    below  => 'quiet',
    notice => 'notice',
    quiet  => 'quiet',
);

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
    timelines => \&timelines_markup,
    fold      => \&_fold,
    group     => sub { my ($block) = @_; return element('div', { class => 'group' }, _blocks($block)) },
    section   => \&_section,
);

# Takes a report; returns its page.
sub render {
    my ($report) = @_;
    return join q{}, _pieces($report);
}

# Takes a view and a function; calls the function with the page of its result in pieces: what people read, and all data
# for programs.
sub write_to {
    my ($view, $write) = @_;
    my ($begin, $page, $end) = _pieces(UnixBench::Report::Topics::report_of($view));
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
    my $style    = source(element('style', trusted("\n" . UnixBench::Report::Style::sheet())));
    my $main     = element('main', _top($report, @blocks), (map { _block($_) } @blocks), _foot($report));
    return (
        qq{<!DOCTYPE html>\n<html lang="en">\n<head>\n} . _without_marks($begin),
        "$style</head>\n<body>\n" . _typeset(_without_marks(source($main))),
        "</body>\n</html>\n"
    );
}

# Takes a report and its blocks; returns what stands above them: the title, unless the headline has it, and which
# program says this.
sub _top {
    my ($report, @blocks) = @_;
    my @titled = grep { defined $_->{heading} } map { @{ $_->{numbers} || [] } } @blocks;
    my @logo   = (staircase(), trusted(q{ }));
    my $about  = $report->{about} // (@titled ? UnixBench::Report::Title::program() : undef);
    my @title  = @titled ? () : element('h1', splice(@logo), markup_of($report->{title}));
    return (@title, defined $about ? element('p', { class => 'quiet' }, @logo, $about) : ());
}

# Returns the foot: the program that has made the page, and how to read it.
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

# Returns the head: the title also for the tab of a browser and for programs that show a link to the page.
sub _head {
    my ($report) = @_;
    my $title    = string_of($report->{title});
    my $icon     = source(staircase(xmlns => 'http://www.w3.org/2000/svg', fill => '#0b6b75'));
    $icon =~ s/([^\w .=-])/sprintf '%%%02x', ord $1/ge;
    return (
        element('meta', { charset  => 'utf-8' }),
        element('meta', { name     => 'viewport', content => 'width=device-width, initial-scale=1' }),
        element('meta', { property => 'og:type',  content => 'website' }),
        element('meta', { property => 'og:title', content => $title }),
        (
            defined $report->{program}
            ? element('meta', { property => 'og:description', content => $report->{program} })
            : ()
        ),
        element('link',  { rel => 'icon', href => "data:image/svg+xml,$icon" }),
        element('title', $title),
    );
}

# Takes attributes; returns the steps of the banner as a picture.
sub staircase {
    my (%more) = @_;
    my @steps = map { element('rect', { x => 4 * $_, y => 12 - 4 * $_, width => 3, height => 4 + 4 * $_ }) } 0 .. 3;
    return element('svg', { class => 'logo', viewBox => '0 0 15 16', 'aria-hidden' => 'true', %more }, @steps);
}

# Changes a blank in phrases that scripts count in every file of a result. It looks the same and is not counted.
sub _without_marks {
    my ($html) = @_;
    $html =~ s/of tests/of&#32;tests/g;
    $html =~ s/\(Partial Only\)/(Partial&#32;Only)/g;
    return $html;
}

# Returns the same with no-break spaces between numbers and units, except in preformatted text, which is copied.
sub _typeset {
    my ($html) = @_;
    my @parts  = split m{(<pre>.*?</pre>)}s, $html;
    for my $part (grep { !/\A<pre>/ } @parts) {
        $part =~ s/(?<=[0-9]) (?=$UNIT)/\xc2\xa0/g;
    }
    return join q{}, @parts;
}

sub _block {
    my ($block) = @_;
    return $MARKUP_OF{ $block->{kind} }->($block);
}

sub _blocks {
    my ($block) = @_;
    return map { _block($_) } @{ $block->{blocks} };
}

# Returns the headline: numbers and chips in one row, then what explains them.
sub _headline {
    my ($block) = @_;
    my @numbers = map { element('li', _number($_)) } @{ $block->{numbers} };
    my @chips   = map { (element('span', { class => "chip $_->[0]" }, $_->[1]), trusted(q{ })) } @{ $block->{chips} };
    return element(
        'section',
        { class => 'headline' },
        element(
            'div',
            { class => 'beside' },
            element('ul', { class => 'numbers' }, @numbers),
            @chips ? element('p', { class => 'chips' }, @chips) : ()
        ),
        _blocks($block)
    );
}

sub _number {
    my ($number) = @_;
    return _heading_number($number) if defined $number->{heading};
    my $name  = length string_of($number->{sure} // q{}) > SHORT_SURE ? 'p'                               : 'span';
    my @sure  = defined $number->{sure} ? element($name, { class => 'sure' }, markup_of($number->{sure})) : ();
    my $class = join q{ }, 'value', $number->{class} // ();
    my @value =
        defined $number->{number}
        ? element('div', { class => $class }, markup_of($number->{number}), trusted(q{ }), @sure)
        : ();
    return (@value, _of_number($number, qw(title copies)));
}

# Returns the title of the page, with what it does not say of its number.
sub _heading_number {
    my ($number) = @_;
    my %is_said  = map { $_ => 1 } @{ $number->{says} };
    my %class    = defined $number->{class}        ? (class => $number->{class}) : ();
    my @sure     = grep { defined } $is_said{sure} ? ()                          : $number->{sure};
    return (
        element('h1', \%class, markup_of($number->{heading})),
        (map { element('p', { class => 'sure' }, markup_of($_)) } @sure),
        _of_number($number, grep { !$is_said{$_} } qw(title copies))
    );
}

# Takes a number, and keys; returns the line that says what it is.
sub _of_number {
    my ($number, @keys) = @_;
    return element('p', { class => 'quiet' }, element('a', { href => "#$number->{link}" }, join ', ', @$number{@keys}));
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

sub _caption {
    my ($block) = @_;
    my $title = $block->{title} // $block->{caption};
    return ref $title ? element('span', markup_of($title)) : $title;
}

sub _facts {
    my ($block) = @_;
    my @rows =
        map { element('tr', element('th', { scope => 'row' }, $_->[0]), element('td', markup_of($_->[1]))) }
        @{ $block->{pairs} };
    return element('table', { class => 'facts' }, element('caption', $block->{title}), element('tbody', @rows));
}

sub _fold {
    my ($block) = @_;
    return element('details', element('summary', markup_of($block->{title})), _blocks($block));
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
    my @columns = map { $_->{kind} eq 'picture' ? { %$_, scale => scale_of($_) } : $_ } _columns($table);
    my $class   = (grep { $_->{scale} } @columns) ? 'chart' : @columns > COLUMNS_NARROW ? 'stacked' : 'plain';
    $class .= ' small' if $class eq 'stacked' && _has_many_columns($table);
    my @rows   = map { _row($_, @columns) } @{ $table->{rows} };
    my @foot   = map { _foot_row($_, @columns) } @{ $table->{foot} };
    my $markup = element(
        'table',
        { class => $class },
        element('caption', _caption($table)),
        element('thead',   element('tr', map { _heading($_) } @columns)),
        (@rows ? element('tbody', @rows) : ()),
        (@foot ? element('tfoot', @foot) : ()),
    );
    return ($markup, map { element('p', { class => 'quiet' }, markup_of($_)) } @{ $table->{legend} });
}

sub _has_many_columns { my ($table) = @_; return @{ $table->{columns} } >= COLUMNS_MANY }

# Returns whether there is room for a column of remarks.
sub _has_room {
    my ($table) = @_;
    return !_has_many_columns($table) && !grep { $_->{kind} eq 'picture' } @{ $table->{columns} };
}

# Returns the columns, with an additional one for remarks if a row has one and there is room.
sub _columns {
    my ($table) = @_;
    my @columns = @{ $table->{columns} };
    return @columns if !_has_room($table) || !grep { defined $_->{remark} } @{ $table->{rows} };
    return (@columns, { kind => 'remark', key => 'remark', none => q{}, heading => $table->{remarks} });
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
    my ($row, @columns) = @_;
    my ($first, @others) = grep { $_->{kind} ne 'remark' } @columns;
    my @remark = grep { $_->{kind} eq 'remark' } @columns;
    my @cells =
        defined $row->{reason}
        ? _reason($row->{reason}, scalar @others)
        : map { _cell(_content($row, $_), $_) } @others;
    push @cells, map { _cell([markup_of($row->{remark} // q{})], $_) } @remark;
    return element('tr', _title($row, has_remark => !@remark), @cells);
}

# Returns a row of the foot. Its title has the space of unknown values at the beginning.
sub _foot_row {
    my ($row,   @columns) = @_;
    my ($first, @others)  = @columns;
    shift @others while @others && !$others[0]{scale} && !defined $row->{item}{ $others[0]{key} };
    return element('tr', _title($row, span => @columns - @others), map { _cell(_content($row, $_), $_) } @others);
}

# Returns the heading of a row. span is its number of columns, and has_remark tells whether it also has the remark.
sub _title {
    my ($row, %has) = @_;
    my $title = string_of($row->{title});
    my @about = (
        length clean($title) <= SHORT ? (class   => 'short')    : (),
        ($has{span} // 1) > 1         ? (colspan => $has{span}) : ()
    );
    my @badges = map { element('span', { class => 'badge' }, $_) } @{ $row->{badges} };
    my @remark = $has{has_remark}
        && defined $row->{remark} ? element('div', { class => 'quiet' }, markup_of($row->{remark})) : ();
    return element('th', { scope => 'row', @about }, $title, @badges, @remark);
}

sub _reason {
    my ($reason, $columns) = @_;
    return element('td', { class => 'missing', colspan => $columns }, markup_of($reason));
}

# Returns the contents of a cell, strings and markup.
sub _content {
    my ($row, $column) = @_;
    return [markup_of(content($row, $column))] if !$column->{scale};
    return [@{ $row->{shapes} || [] } ? picture_markup($row, $column->{scale}) : ()];
}

sub _cell {
    my ($content, $column) = @_;
    my $class = _class(join(q{}, map { ref ? q{} : $_ } @$content), $column);
    my %label = $column->{scale} ? () : ('data-label' => string_of($column->{heading}));
    return element('td', { %label, length $class ? (class => $class) : () }, @$content);
}

# Returns the class of a cell. An interval is broken only between its numbers or before its sign, several values only
# between them, and a number only if it has more digits than there is room for. A cell of type "word" is broken only if
# it or one of its words is long.
sub _class {
    my ($string, $column) = @_;
    my $class = _class_of_column($column);
    return join q{ }, 'number', $string =~ /[ ](?:.*[ ]|\xc2\xb1)/ ? 'several' : (),
        $string =~ /(?:[^ ,\xc2],?){17}/ ? 'long' : (),
        length clean($string) > SHORT || $string =~ /.{20}/ && $string =~ /, / ? 'listed' : ()
        if $class eq 'number';
    return _is_short($string) ? 'word' : 'text' if $class eq 'word';
    return $class eq 'remark' ? 'text' : $class;
}

# Returns whether a text has room in one line. Its words are separated by blanks or no-break spaces.
sub _is_short {
    my ($string) = @_;
    my $text = clean($string);
    return length $text <= SHORT_WORDS && !grep { length > SHORT_WORD } split / |\xc2\xa0/, $text;
}

1;
