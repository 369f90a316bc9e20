package SeenGears;

# Where the three gears must be seen in a picture of 300 by 300 pixels, and of which colours.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(%GEAR $TOOTH_DEPTH colours_on gear_of is_face_on seen_at);

# Radii of the hole and of the middle of the teeth, width, number of teeth, axis, colour from 0 to 1.
our $TOOTH_DEPTH = 0.7;
our %GEAR        = (
    red   => { inner => 1,   outer => 4, width => 1,   teeth => 20, axis => [-3,   -2],  colour => [0.8, 0.1, 0] },
    green => { inner => 0.5, outer => 2, width => 2,   teeth => 10, axis => [3.1,  -2],  colour => [0,   0.8, 0.2] },
    blue  => { inner => 1.3, outer => 2, width => 0.5, teeth => 10, axis => [-3.1, 4.2], colour => [0.2, 0.2, 1] },
);

my @BY_COLOUR = qw(red green blue);
my $DEGREE    = atan2(1, 1) / 45;

# The pixel in which a point is seen when the view is turned by these degrees about x and y.
sub seen_at {
    my ($view, $x, $y, $z) = @_;
    ($x, $z) = _turned($x, $z, $view->[1]);
    ($z, $y) = _turned($z, $y, $view->[0]);
    my $scale = 150 * 5 / (40 - $z);
    return (int(150 + $scale * $x), int(150 - $scale * $y));
}

sub _turned {
    my ($from, $to, $degrees) = @_;
    my ($cosine, $sine) = (cos($degrees * $DEGREE), sin($degrees * $DEGREE));
    return ($from * $cosine + $to * $sine, $to * $cosine - $from * $sine);
}

# The gear that a pixel of these colours belongs to, by the strongest; none when it is black or hardly lit.
sub gear_of {
    my (@colours)   = @_;
    my ($strongest) = sort { $colours[$b] <=> $colours[$a] } 0 .. 2;
    return $colours[$strongest] < 12 ? '' : $BY_COLOUR[$strongest];
}

# The colours that are seen on a circle about a gear's axis, so far in front of its middle, at each half degree.
sub colours_on {
    my ($picture, $view, $gear, $radius, $z) = @_;
    my ($x, $y) = @{ $GEAR{$gear}{axis} };
    return map { [$picture->pixel(seen_at($view, $x + $radius * cos $_, $y + $radius * sin $_, $z))] }
        map { $_ / 2 * $DEGREE } 0 .. 719;
}

# Whether it is the gear's face that is seen there, 1 or 0: that in front, or at the back for a view from there.
sub is_face_on {
    my ($picture, $view, $gear, $radius) = @_;
    my $side  = cos($view->[1] * $DEGREE) > 0 ? 1 : -1;
    my $light = 255 * _light_on_face($view, $side);
    my $face  = [map { $light * $_ } @{ $GEAR{$gear}{colour} }];
    return map { _is_like($_, $face) } colours_on($picture, $view, $gear, $radius, $side * $GEAR{$gear}{width} / 2);
}

# A fifth comes from everywhere, the rest from one direction, as much as the face is turned to it.
sub _light_on_face {
    my ($view, $side) = @_;
    my ($x, $z)       = _turned(0, $side, $view->[1]);
    ($z, my $y) = _turned($z, 0, $view->[0]);
    return 0.2 + ($x * 5 + $y * 5 + $z * 10) / sqrt(5**2 + 5**2 + 10**2);
}

sub _is_like {
    my ($colours, $others) = @_;
    return (grep { abs($colours->[$_] - $others->[$_]) > 2 } 0 .. 2) ? 0 : 1;
}

1;
