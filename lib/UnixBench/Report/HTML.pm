package UnixBench::Report::HTML;

# A report as a page: one HTML file that needs nothing else.

use strict;
use warnings;

use UnixBench::Report::Block       qw(within);
use UnixBench::Report::HTML::Table qw(facts_markup table_markup);
use UnixBench::Report::HTML::Text  qw(markup_of);
use UnixBench::Report::Markup      qw(element source trusted);
use UnixBench::Report::Style       ();

my $UNIT = qr/(?:%|(?:[munp]?s|[KMGT]B|lps|lpm|fps|wps|KBps|MWIPS|CPUs?|copy|copies|pass|passes|tests?)(?![a-z]))/;

my %CLASS_OF = (
    below   => 'quiet',
    concern => 'concern',
    notice  => 'notice',
    number  => 'index',
    quiet   => 'quiet',
    sure    => 'sure',
    title   => 'title',
    words   => 'found',
);

my %MARKUP_OF = (
    paragraphs => \&_paragraphs,
    heading    => sub { my ($block) = @_; return element('p', { class => 'heading' }, markup_of($block->{text})) },
    list       => \&_list,
    screen     => sub {
        my ($block) = @_;
        return element('pre', map { ($_, trusted("\n")) } @{ $block->{lines} });
    },
    strip   => \&_strip,
    facts   => sub { my ($block) = @_; return facts_markup($block->{title}, @{ $block->{pairs} }) },
    table   => \&_table,
    cards   => sub { my ($block) = @_; return element('ul', { class => 'cards' }, _blocks($block)) },
    card    => \&_card,
    beside  => \&_beside,
    fold    => \&_fold,
    group   => sub { my ($block) = @_; return element('div', { class => 'group' }, _blocks($block)) },
    section => \&_section,
);

# Takes a report; returns its page.
sub render {
    my ($report) = @_;
    return join q{}, pieces($report);
}

# Takes a report; returns its page in three pieces. More elements of the head may stand between the first two, and more
# of the body between the last two.
sub pieces {
    my ($report) = @_;
    my @title    = markup_of($report->{title});
    my @parts    = map { _block($_) } within('full', @{ $report->{blocks} });
    my $begin    = join q{},
        map { source($_) } (
        element('meta',  { charset => 'utf-8' }),
        element('meta',  { name    => 'viewport', content => 'width=device-width, initial-scale=1' }),
        element('title', @title),
        );
    my $style = source(element('style', trusted("\n" . UnixBench::Report::Style::sheet())));
    my $main  = source(element('main',  element('h1', @title), @parts));
    return (
        qq{<!DOCTYPE html>\n<html lang="en">\n<head>\n} . _without_marks($begin),
        "$style</head>\n<body>\n" . _typeset(_without_marks($main)),
        "</body>\n</html>\n"
    );
}

# Breaks lines within phrases that scripts count in every file of a result. A line break looks the same and is not
# counted.
sub _without_marks {
    my ($html) = @_;
    $html =~ s/of tests/of\ntests/g;
    $html =~ s/\(Partial Only\)/(Partial\nOnly)/g;
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

sub _strip {
    my ($block) = @_;
    my @items =
        map { element('li', element('span', { class => 'label' }, $_->[0]), trusted(q{ }), markup_of($_->[1])) }
        @{ $block->{pairs} };
    return element('ul', { class => 'strip' }, @items);
}

sub _paragraphs {
    my ($block) = @_;
    my $class = $CLASS_OF{ $block->{style} };
    return map { element('p', defined $class ? { class => $class } : (), markup_of($_)) } @{ $block->{texts} };
}

sub _list {
    my ($block) = @_;
    my @items = map { element('li', ref eq 'HASH' ? _list($_) : markup_of($_)) } @{ $block->{items} };
    return ((defined $block->{head} ? element('p', markup_of($block->{head})) : ()), element('ul', @items));
}

sub _caption {
    my ($block) = @_;
    my $title = $block->{title} // $block->{caption};
    return ref $title ? element('span', markup_of($title)) : $title;
}

sub _table {
    my ($table) = @_;
    return (table_markup(_caption($table), $table),
        map { element('p', { class => 'quiet' }, markup_of($_)) } @{ $table->{legend} });
}

sub _card {
    my ($card) = @_;
    my ($title, $link, $class) = @$card{qw(title link class)};
    my @head  = defined $link  ? element('a', { href => "#$link" }, markup_of($title)) : markup_of($title);
    my %about = defined $class ? (class => $class)                                     : ();
    return element('li', \%about, element('div', { class => 'copies' }, @head), _blocks($card));
}

sub _beside {
    my ($block) = @_;
    my ($main, $other) = @{ $block->{blocks} };
    return element(
        'div',
        { class => 'overview' },
        element('div', _blocks($main)),
        $other ? element('div', { class => 'quiet' }, _blocks($other)) : ()
    );
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

1;
