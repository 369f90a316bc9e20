package SeenGears;

# The expected positions and colours of the three gears in a picture of 300 by 300 pixels.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(%GEAR $TOOTH_DEPTH colours_on gear_of is_face_on seen_at);

# Radii of the hole and of the middle of the teeth, width, number of teeth, position of the axis, colours from 0 to 1.
our $TOOTH_DEPTH = 0.7;
our %GEAR        = (
    red   => { inner => 1,   outer => 4, width => 1,   teeth => 20, axis => [-3,   -2],  colour => [0.8, 0.1, 0] },
    green => { inner => 0.5, outer => 2, width => 2,   teeth => 10, axis => [3.1,  -2],  colour => [0,   0.8, 0.2] },
    blue  => { inner => 1.3, outer => 2, width => 0.5, teeth => 10, axis => [-3.1, 4.2], colour => [0.2, 0.2, 1] },
);

my @BY_COLOUR = qw(red green blue);
my $DEGREE    = atan2(1, 1) / 45;

# Takes a view (degrees about x and y) and a point; returns the pixel where the point is seen.
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

# Takes the colours of a pixel; returns the gear of the strongest colour, or an empty text if the pixel is nearly black.
sub gear_of {
    my (@colours)   = @_;
    my ($strongest) = sort { $colours[$b] <=> $colours[$a] } 0 .. 2;
    return $colours[$strongest] < 12 ? '' : $BY_COLOUR[$strongest];
}

# Returns the colours on a circle about a gear's axis, at each half degree. Takes the picture, the view, the gear, the
# radius and the distance in front of the gear's middle.
sub colours_on {
    my ($picture, $view, $gear, $radius, $z) = @_;
    my ($x, $y) = @{ $GEAR{$gear}{axis} };
    return map { [$picture->pixel(seen_at($view, $x + $radius * cos $_, $y + $radius * sin $_, $z))] }
        map { $_ / 2 * $DEGREE } 0 .. 719;
}

# Takes a picture, a view, a gear and a radius; returns for each half degree 1 if the gear's face is seen there, or 0.
# It is the front face, or the back face if the view is from the back.
sub is_face_on {
    my ($picture, $view, $gear, $radius) = @_;
    my $side  = cos($view->[1] * $DEGREE) > 0 ? 1 : -1;
    my $light = 255 * _light_on_face($view, $side);
    my $face  = [map { $light * $_ } @{ $GEAR{$gear}{colour} }];
    return map { _is_like($_, $face) } colours_on($picture, $view, $gear, $radius, $side * $GEAR{$gear}{width} / 2);
}

# Returns the light on the face: 0.2 comes from all sides, the rest from one direction, by the angle of the face.
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
