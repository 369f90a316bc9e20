package ReadCharts;

# Parser of the charts in pages: it converts positions back to values, as a reader does with the axis.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(charts timelines);

my $PICTURE = qr{<td class="picture">\s*<svg [^>]*\baria-label="([^"]*)"[^>]*>(.*?)</svg>}s;

my %CHARACTER = (lt => '<', gt => '>', quot => q{"}, amp => '&', '#39' => q{'});

# Takes a page; returns for each table with pictures the following. No-break spaces become blanks.
#     caption
#     ticks  [values]
#     shown  [texts of the ticks]
#     rows   [row, ...] with a picture
#     bare   [titles of the rows without a picture]
# A row is a hash of:
#     title
#     badges     [texts]
#     is_sum     whether the row is below the others, in the foot of the table
#     words      description of the picture, numbers without commas
#     cells      [texts of the other cells, numbers without commas]
#     labelled   { heading of the column => text } of the same
#     bar        [from, to] or undef
#     interval   [from, to] or undef
#     points     [{ class, value }, ...], large dots
#     spans      { class => [from, to] } of marks along the axis
#     class_of   { first class => all classes } of these marks
#     lines      { class => [values] } of marks across the axis
#     dots       [{ class, value, words }, ...]
sub charts {
    my ($html) = @_;
    return map { _chart($_) } $html =~ m{<table class="chart">(.*?)</table>}sg;
}

# Takes a page; returns the following for each of its timelines; x is in seconds.
#     title, note, words
#     dates   [texts of the ticks of the horizontal scale]
#     points  [{ class, at => [x, y], words }, ...]
#     lines   [{ class, words, ends => [[x, y], [x, y]] }, ...]. The ends of a line through the whole height are [x]
#     ends    [[x, y], ...], the ends of the pieces of its curve
sub timelines {
    my ($html) = @_;
    return map { _panel($_) }
        map    { m{<li(?: class="whole")?>(.*?)</li>}sg }
        $html =~ m{<ul class="multiples timelines(?: wide)?">(.*?)</ul>}sg;
}

sub _panel {
    my ($panel) = @_;
    my ($title, $note)    = map { _text($_) } $panel =~ m{<p[^>]*>(.*?)</p>}sg;
    my ($words, $picture) = $panel                   =~ m{<svg [^>]*\baria-label="([^"]*)"[^>]*>(.*?)</svg>}s;
    my @texts   = _texts($picture);
    my @ticks   = map  { _attributes($_->[0]) } @texts;
    my @across  = grep { $_->{class} !~ /up/ } @ticks;
    my @up      = grep { $_->{class} =~ /up/ } @ticks;
    my $x       = _inverse(linear => map { [_percent($_->{x}), $_->{'data-value'}] } @across[0, -1]);
    my $y       = _inverse(log    => map { [$_->{y}, $_->{'data-value'}] } @up[0, -1]);
    my ($level) = $picture =~ m{<line [^>]*x1="0"[^>]*>}g;
    my $above   = _attributes($level)->{y1} - $up[0]{y};
    my $at      = sub { [$x->(_percent($_[0])), $y->($_[1] - $above)] };
    my (@points, @lines);

    while ($picture =~ m{<(line|circle)\b([^>]*)>(.*?)</\1>}sg) {
        my ($name, $about, $inside) = ($1, $2, $3);
        $about = _attributes($about);
        my %mark = (class => $about->{class}, words => _text($inside));
        next if $mark{class} eq 'grid';
        push @points, { %mark, at   => $at->(@$about{qw(cx cy)}) } if $name eq 'circle';
        push @lines,  { %mark, ends => _ends($about, $x, $at) } if $name eq 'line';
    }
    my @curve = map { @{ $_->{ends} } } grep { $_->{class} eq 'curve' } @lines;
    my @dates = map { $_->[1] } grep         { $_->[0] !~ /class="tick up"/ } @texts;
    my %panel = (title => $title, note => $note, words => _text($words), points => \@points, ends => \@curve);
    return { %panel, lines => \@lines, dates => \@dates };
}

sub _ends {
    my ($about, $x, $at) = @_;
    my $is_rule = $about->{y1} eq '0' && $about->{y2} eq '100%';
    return [map { $is_rule ? [$x->(_percent($about->{"x$_"}))] : $at->(@$about{ "x$_", "y$_" }) } 1, 2];
}

sub _chart {
    my ($table)   = @_;
    my ($caption) = map { _text($_) } $table =~ m{<caption>(.*?)</caption>}s;
    my ($kind, $axis) = $table =~ m{<svg [^>]*\bclass="axis"[^>]*\bdata-scale="(\w+)"[^>]*>(.*?)</svg>}s;
    my @ticks = map { { at => _attributes($_->[0]), text => _text($_->[1]) } } _texts($axis);
    my ($first, $last) = map { $_->{at} } @ticks[0, -1];
    my $value = _inverse($kind, map { [_percent($_->{x}), $_->{'data-value'}] } $first, $last);
    my ($body, $foot) = map { my $part = $_; $table =~ m{<$part>(.*?)</$part>}s } qw(tbody tfoot);
    my @drawn  = grep { /$PICTURE/ } _rows($body);
    my @bare   = grep { !/$PICTURE/ } _rows($body);
    my @rows   = ((map { _row($_, 0, $value) } @drawn), map { _row($_, 1, $value) } _rows($foot // q{}));
    my @values = map { $value->(_percent($_->{at}{x})) } @ticks;
    return {
        caption => $caption,
        ticks   => \@values,
        shown   => [map { $_->{text} } @ticks],
        rows    => \@rows,
        bare    => [map { (_title($_))[0] } @bare],
    };
}

sub _texts {
    my ($svg) = @_;
    my @texts;
    push @texts, [$1, $2] while $svg =~ m{<text ([^>]*)>(.*?)</text>}sg;
    return @texts;
}

sub _rows { my ($part) = @_; return $part =~ m{<tr>(.*?)</tr>}sg }

# Takes the kind of the scale and two pairs of position and value; returns a function from positions to values.
sub _inverse {
    my ($kind, $one, $other) = @_;
    my $is_log = $kind eq 'log';
    my ($from, $to) = map { $is_log ? log $_->[1] : $_->[1] } $one, $other;
    my $slope = ($to - $from) / ($other->[0] - $one->[0]);
    return sub {
        my $along = $from + $slope * ($_[0] - $one->[0]);
        return $is_log ? exp $along : $along;
    };
}

sub _row {
    my ($row, $is_sum, $value) = @_;
    my ($words, $picture) = $row =~ m{$PICTURE};
    my %row = (
        is_sum   => $is_sum,
        words    => _words($words),
        spans    => {},
        class_of => {},
        lines    => {},
        dots     => [],
        points   => []
    );
    my @cells = $row =~ m{(<td(?![^>]*class="picture")[^>]*>.*?</td>)}sg;
    ($row{title}, @{ $row{badges} }) = _title($row);
    $row{labelled} = { map { /\A<td [^>]*data-label="([^"]*)"/ ? ($1 => _text($_))     : () } @cells };
    $row{cells}    = [map { /\A<td [^>]*class="number/         ? _text($_) =~ tr/,//dr : _text($_) } @cells];
    _mark(\%row, $value, $1, _attributes($2), $3) while $picture =~ m{<(rect|line|circle)\b([^>]*)>(.*?)</\1>}sg;
    @row{qw(bar interval)} = @{ $row{spans} }{qw(bar interval)};
    return \%row;
}

# Returns the words of a picture, with numbers without commas.
sub _words { my ($words) = @_; return _text($words) =~ s/(?<=[0-9]),(?=[0-9]{3})//gr }

# Returns the title of a row, without the remark below it, and its badges.
sub _title {
    my ($row)  = @_;
    my ($head) = $row =~ m{<th[^>]*>(.*?)(?:<div\b.*?</div>\s*)?</th>}s;
    my @badges = $head =~ m{<span class="badge">(.*?)</span>}sg;
    return map { _text($_) } $head =~ s{<span class="badge">.*?</span>}{}sgr, @badges;
}

sub _mark {
    my ($row, $value, $name, $about, $inside) = @_;
    my ($class) = split q{ }, $about->{class};
    if ($name eq 'circle') {
        my %dot = (class => $about->{class}, value => $value->(_percent($about->{cx})));
        my ($words) = $inside =~ m{<title>(.*?)</title>}s;
        push @{ $row->{ $class eq 'point' ? 'points' : 'dots' } }, { %dot, words => _words($words // q{}) };
        return;
    }
    my ($from, $to) = map { _percent($_) } $name eq 'line' ? @$about{qw(x1 x2)} : @$about{qw(x width)};
    $to += $from if $name eq 'rect';
    if ($name eq 'line' && $about->{y1} ne $about->{y2}) {
        die "a line that is askew\n" if $from != $to;
        push @{ $row->{lines}{$class} }, $value->($from);
        return;
    }
    die "two of $class in a row\n" if $row->{spans}{$class};
    $row->{spans}{$class}    = [$value->($from), $value->($to)];
    $row->{class_of}{$class} = $about->{class};
    return;
}

sub _attributes {
    my ($text) = @_;
    return { map { _text($_) } $text =~ /([\w-]+)="([^"]*)"/g };
}

# Returns the number of a position in percent. Dies if it is in another unit, which would not follow the width.
sub _percent {
    my ($place) = @_;
    return $place =~ /\A(-?[0-9.]+)%\z/ ? $1 : die "the place is not a percentage: $place\n";
}

sub _text {
    my ($html) = @_;
    $html        =~ s/<[^>]*>//g;
    $html        =~ s/\xc2\xa0/ /g;
    $html        =~ s/&([^;]+);/$CHARACTER{$1} \/\/ die "an unknown entity $1\n"/ge;
    return $html =~ s/\A\s+|\s+\z//gr;
}

1;
