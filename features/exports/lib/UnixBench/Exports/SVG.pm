package UnixBench::Exports::SVG;

# A picture of a result in one file, for forums and README files: what a page shows first. It has a light background of
# its own, and names its fonts. Texts are cut where they may have no room, because the widths of fonts differ.

use strict;
use warnings;

use List::Util qw(min);

use UnixBench::Base::Text              qw(cut);
use UnixBench::Report::Block           qw(joined);
use UnixBench::Report::EndBlock        qw(place_sentence);
use UnixBench::Report::HTML::Chart     qw(axis_markup picture_markup scale_of);
use UnixBench::Report::Markup          qw(element source string_of trusted);
use UnixBench::Report::Title           qw(identity result_titles);
use UnixBench::Report::Topic::Overview ();
use UnixBench::Report::Wording         qw(machine_facts);

use constant NUMBERS_MOST => 2;
use constant FONTS        => q{"Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif};

# In pixels: the picture, its margin, the base lines of texts, and the strip.
use constant { WIDTH   => 640, MARGIN     => 24, PICTURE    => 172, WITH_STRIP => 316 };
use constant { WHO_AT  => 36,  CHIP_AT    => 60, MACHINE_AT => 76,  NUMBER_AT => 126, NAME_AT => 150, STRIP_AT => 174 };
use constant { AXIS_AT => 256, CAPTION_AT => 294 };

# Sizes of texts in pixels, and the width of a character as a part of that.
use constant { LARGE => 40, SURE => 0.5, MIDDLE => 16, SMALL => 13, CHARACTER => 0.56, BOLD => 0.6 };

# The height and the padding of the trust, in pixels.
use constant { CHIP => 22, PADDING => 12 };

# Takes a view; returns the picture.
sub render {
    my ($view) = @_;
    my %titles = result_titles($view);
    my $facts  = machine_facts($view->head);
    my ($program, $more) = split /, /, identity($view->summary), 2;
    my $level    = ($view->trust || {})->{level} // 'unknown';
    my $words    = "trust: $level";
    my $headline = UnixBench::Report::Topic::Overview::headline_of($view);
    my ($strip)  = grep { $_->{kind} eq 'chart' } @{ $headline->{blocks} };
    my $height   = $strip ? WITH_STRIP : PICTURE;
    my $title    = string_of($titles{title});
    my $machine  = string_of(joined(', ', grep { length } @$facts{qw(board model cpus)}));
    my $room     = WIDTH - 2 * MARGIN - _width_of_chip($words) - MARGIN;
    my %about    = (
        xmlns        => 'http://www.w3.org/2000/svg',
        role         => 'img',
        'aria-label' => $title,
        width        => WIDTH,
        height       => $height,
        viewBox      => join(q{ }, 0, 0, WIDTH, $height),
    );
    my $picture = element(
        'svg',
        \%about,
        element('title', $title),
        element('style', trusted("\n" . _style())),
        element('rect',  { class => 'paper', x => 0.5, y => 0.5, width => WIDTH - 1, height => $height - 1, rx => 8 }),
        _text(MARGIN,         WHO_AT, MIDDLE, 'strong',    $program),
        _text(WIDTH - MARGIN, WHO_AT, SMALL,  'quiet end', $more // q{}),
        _chip($level),
        _text(MARGIN, MACHINE_AT, MIDDLE, 'strong', _fitting($machine, MIDDLE, $room, BOLD)),
        _numbers(@{ $headline->{numbers} }),
        $strip ? _strip($strip, place_sentence($view->rank) // string_of($strip->{axis})) : (),
    );
    return qq{<?xml version="1.0" encoding="UTF-8"?>\n} . source($picture) . "\n";
}

sub _style {
    my ($ink, $quiet, $sheet, $line, $strong) =
        map { UnixBench::Report::Markup::colour($_) } qw(ink quiet sheet line strong);
    my @rules = (
        'svg { overflow: visible; }',
        'text { font-family: ' . FONTS . "; fill: $ink; }",
        ".paper { fill: $sheet; stroke: $line; }",
        ".quiet, .vague { fill: $quiet; }",
        '.strong { font-weight: bold; }',
        ".on { fill: $sheet; font-weight: bold; }",
        ".grid { stroke: $line; }",
        ".leader { stroke: $quiet; }",
        ".tick { fill: $quiet; font-size: 12px; text-anchor: middle; }",
        '.label { font-size: 12px; }',
        '.middle { text-anchor: middle; }',
        '.end { text-anchor: end; }',
        ".machine { fill: $ink; fill-opacity: .55; }",
        ".own { fill: $strong; fill-opacity: .35; stroke: $strong; }",
        ".doubtful { fill: $quiet; stroke: $quiet; }",
    );
    return join q{}, map { "$_\n" } @rules;
}

# Takes x, the y of the base line, a size, a class, and content; returns the text. With the class "end" it ends at x;
# with "middle", its middle is there.
sub _text {
    my ($x, $y, $size, $class, @content) = @_;
    my ($anchor) = $class =~ /\b(end|middle)\b/;
    my %about = (x => $x, y => $y, 'font-size' => $size, class => $class, 'text-anchor' => $anchor // 'start');
    return element('text', \%about, @content);
}

# Returns as much of the text as has room.
sub _fitting {
    my ($text, $size, $width, $character) = @_;
    return cut($text, int $width / ($size * ($character // CHARACTER)));
}

sub _chip {
    my ($level) = @_;
    my $words   = "trust: $level";
    my $width   = _width_of_chip($words);
    my $name    = $level eq 'good' ? 'strong' : $level =~ /\A(?:poor|incomplete)\z/ ? 'weak' : 'quiet';
    my $colour  = UnixBench::Report::Markup::colour($name);
    my %place   = (x => WIDTH - MARGIN - $width, y => CHIP_AT, width => $width, height => CHIP, rx => CHIP / 2);
    return (element('rect', { %place, fill => $colour }),
        _text(WIDTH - MARGIN - $width / 2, MACHINE_AT, SMALL, 'on middle', $words));
}

sub _width_of_chip {
    my ($words) = @_;
    return 2 * PADDING + SMALL * BOLD * length $words;
}

# Takes the numbers of the headline; returns the first ones next to each other, each with its precision, and its name
# below it.
sub _numbers {
    my (@numbers) = @_;
    splice @numbers, NUMBERS_MOST if @numbers > NUMBERS_MOST;
    return if !@numbers;
    my $room = (WIDTH - 2 * MARGIN) / @numbers - MARGIN;
    my $size = min(LARGE, map { _size($_, $room) } @numbers);
    return map { _number($numbers[$_], MARGIN + $_ * ($room + MARGIN), $room, $size) } 0 .. $#numbers;
}

sub _size {
    my ($of,     $room) = @_;
    my ($number, $sure) = _texts_of($of);
    return int $room / BOLD / (length($number) + SURE * (1 + length $sure));
}

# Returns a number and its precision. A run without a number has the reason.
sub _texts_of {
    my ($of) = @_;
    return (defined $of->{number} ? string_of($of->{number}) : $of->{title}, string_of($of->{sure} // q{}));
}

sub _number {
    my ($of, $x, $room, $size) = @_;
    my ($number, $sure) = _texts_of($of);
    my @sure  = length $sure ? ("\xc2\xa0", element('tspan', { 'font-size' => SURE * $size }, $sure)) : ();
    my $class = join q{ },  'strong', $of->{class} // ();
    my $name  = join q{, }, grep { defined } defined $of->{number} ? $of->{title} : (), $of->{copies};
    return (_text($x, NUMBER_AT, $size, $class, $number, @sure),
        _text($x, NAME_AT, SMALL, 'quiet', _fitting($name, SMALL, $room)));
}

sub _strip {
    my ($strip, $caption) = @_;
    my $scale = scale_of($strip);
    my %place = (x => MARGIN, width => WIDTH - 2 * MARGIN);
    return (
        element('svg', { %place, y => STRIP_AT, height => $scale->{height} },     picture_markup($strip, $scale)),
        element('svg', { %place, y => AXIS_AT,  height => CAPTION_AT - AXIS_AT }, axis_markup($scale)),
        _text(WIDTH / 2, CAPTION_AT, SMALL, 'quiet middle', _fitting($caption, SMALL, WIDTH - 2 * MARGIN)),
    );
}

1;
