package ReadCharts;

# Parser of the timelines in pages: it converts positions back to values, as a reader does with the axis.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(timelines);

my %CHARACTER = (lt => '<', gt => '>', quot => q{"}, amp => '&', '#39' => q{'});

# Takes a page; returns the following for each of its timelines; x is in seconds.
#     title, words
#     dates   [texts of the ticks of the horizontal scale]
#     points  [{ class, at => [x, y], words }, ...]
#     lines   [{ class, words, ends => [[x, y], [x, y]] }, ...]. The ends of a line through the whole height are [x]
sub timelines {
    my ($html) = @_;
    return map { _panel($_) }
        map { m{<li(?: class="whole")?>(.*?)</li>}sg } $html =~ m{<ul class="timelines(?: wide)?">(.*?)</ul>}sg;
}

sub _panel {
    my ($panel) = @_;
    my ($title) = map { _text($_) } $panel =~ m{<p[^>]*>(.*?)</p>}s;
    my ($words, $picture) = $panel =~ m{<svg [^>]*\baria-label="([^"]*)"[^>]*>(.*?)</svg>}s;
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
    my @dates = map { $_->[1] } grep { $_->[0] !~ /class="tick up"/ } @texts;
    my %panel = (title => $title, words => _text($words), points => \@points);
    return { %panel, lines => \@lines, dates => \@dates };
}

sub _ends {
    my ($about, $x, $at) = @_;
    my $is_rule = $about->{y1} eq '0' && $about->{y2} eq '100%';
    return [map { $is_rule ? [$x->(_percent($about->{"x$_"}))] : $at->(@$about{ "x$_", "y$_" }) } 1, 2];
}

sub _texts {
    my ($svg) = @_;
    my @texts;
    push @texts, [$1, $2] while $svg =~ m{<text ([^>]*)>(.*?)</text>}sg;
    return @texts;
}

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
