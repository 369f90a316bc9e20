# The shape of scaling: exact curves, and what is not determined.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use UnixBench::Scaling::Fit;

my @SWEEP = (1, 2, 4, 8, 12, 16, 24, 32);

# Takes a function from copies to what they do, and perhaps an error and numbers of copies; returns the shape.
sub shape {
    my ($times, $error, @copies) = @_;
    my @points =
        map { { copies => $_, value => 1000 * $times->($_), error => $error } } @copies ? @copies : @SWEEP;
    return UnixBench::Scaling::Fit::of(@points);
}

# Takes a corner and what further copies add; returns the function.
sub bent {
    my ($place, $each) = @_;
    return sub { my ($n) = @_; return $n <= $place ? $n : $place + $each * ($n - $place) };
}

# Takes a shape; returns what is known of it in words.
sub words {
    my ($of) = @_;
    return join q{ }, $of->{shape}, $of->{to} // q{-}, defined $of->{each} ? sprintf('%.3f', $of->{each}) : q{-};
}

# [what copies do, the shape: its corner, and what each further copy adds].
my @SHAPES = (
    [sub { $_[0] } => 'linear - -'],
    [bent(16, 0.31) => 'corner 16 0.310'],
    [bent(12, 0)    => 'corner 12 0.000'],
    [bent(1,  0.8)  => 'corner 1 0.800'],
    [bent(1,  0)    => 'corner 1 0.000'],
    [bent(24, 0.5)  => 'corner 24 0.500'],
    [bent(20, 0.2)  => 'corner 20 0.200', 'between two measured numbers'],
    [bent(8,  -0.2) => 'falls 8 -'],
    [sub { my ($n) = @_; return $n / (1 + 0.05 * ($n - 1)) } => 'undetermined - -', 'a smooth curve has no corner'],
);
for my $case (@SHAPES) {
    my ($times, $expected, $name) = @$case;
    is(words(shape($times, 0.005)), $expected, $name // $expected);
}

subtest 'few numbers of copies' => sub {
    is(words(shape(bent(16, 0.3), 0.005, 1, 16, 32)), 'corner 16 0.300',  'three show a corner');
    is(words(shape(sub { $_[0] }, 0.005, 4, 8, 16)),  'linear - -',       'the fewest need not be one');
    is(words(shape(sub { $_[0] }, 0.005, 1, 2)),      'undetermined - -', 'two do not');
    is(words(shape(bent(288, 0.4), 0.005, 1, 4, 8, 16, 32, 64, 128, 288, 576)), 'corner 288 0.400', 'a large machine');
};

subtest 'what is not determined' => sub {
    is(shape(bent(16, 0.3))->{shape}, 'undetermined', 'an error is unknown');
    is(shape(bent(16, 0.9),  0.03)->{shape}, 'linear',       'a corner that the errors hide');
    is(shape(bent(16, 0.81), 0.03)->{shape}, 'undetermined', 'a corner that the errors hide in part');
    my @credits = (1, 2, 4, 3, 9, 5, 14, 6);
    my %of      = map { $SWEEP[$_] => $credits[$_] } 0 .. $#SWEEP;
    is(shape(sub { $of{ $_[0] } }, 0.01)->{shape}, 'undetermined', 'a curve that goes up and down');
    my $extreme = shape(sub { $_[0] < 8 ? 1e20 : 1e-20 }, 0.01)->{shape};
    is($extreme, 'undetermined', 'absurd values');
};

done_testing;
