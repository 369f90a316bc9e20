# The picture that ubgears draws. To record it again, and then look at it:
# UB_RECORD=1 prove -Ilib t-all/graphics/gears-picture.t
use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../t/lib);
use Golden                         qw(fail_as_recorded);
use Needs                          qw(skip_without);
use Picture                        ();
use SeenGears                      qw(%GEAR $TOOTH_DEPTH colours_on gear_of is_face_on seen_at);
use VirtualDisplay                 ();
use WatchedGears                   qw(picture why_not);

my $why_not = why_not('xwd');
skip_without(@$why_not) if $why_not;
my $display = VirtualDisplay->new or skip_without(@$VirtualDisplay::WHY_NOT);
$ENV{DISPLAY} = $display->name;

my $RECORDED = "$FindBin::Bin/data/gears.png";
my $ALIKE    = 0.003;                            # share of pixels in which drivers may differ
my $VIEW     = [20, 30];                         # degrees

my ($picture, $result) = picture(0, [qw(-n 50 -warmup 0.1)]);
die "no picture of ubgears\n" if !$picture;
if ($ENV{UB_RECORD}) {
    $picture->write_png($RECORDED);
    fail_as_recorded('gears.png');
}
my $recorded = Picture->from_png($RECORDED);

# Takes a number and keys; returns the picture of that number after these keys were pressed.
sub with_keys {
    my ($number, @keys) = @_;
    my ($seen) = picture($number, [qw(-n 20)], WATCH_DO => join ',', @keys);
    return $seen;
}

subtest 'the recorded picture' => sub {
    is_deeply [$picture->width, $picture->height, $result->{status}], [300, 300, 0],
        'size of the picture, and exit status 0';
    cmp_ok $picture->share_unlike($recorded), '<', $ALIKE, 'the picture is like the recorded one';
    is with_keys(0)->share_unlike($picture), 0, 'each ninth picture is the same in every pixel';
};

subtest 'wrong pictures' => sub {
    my %wrong = (
        'mirrored'                => $recorded->mirrored,
        'red and green exchanged' => $recorded->recoloured(sub { @_[1, 0, 2] }),
        'of another size'         => Picture->new(300, 299, ''),
        'turned by 2 degrees'     => with_keys(1),
        'turned by 8 degrees'     => with_keys(4),
        'turned by 10 degrees'    => with_keys(5),
        'seen from elsewhere'     => with_keys(0, 'Left'),
    );
    for my $gear (keys %GEAR) {
        $wrong{"without $gear"} = $recorded->recoloured(sub { gear_of(@_) eq $gear ? (0, 0, 0) : @_ });
    }
    cmp_ok $wrong{$_}->share_unlike($recorded), '>', 10 * $ALIKE, "a wrong picture is recognised: $_"
        for sort keys %wrong;
};

# Returns the pairs of gears that touch, the number of pixels of each gear, and their centre.
sub seen {
    my (%touching, %count, %centre);
    for my $y (1 .. 299) {
        for my $x (1 .. 299) {
            my ($gear, @beside) = map { gear_of($picture->pixel(@$_)) } [$x, $y], [$x - 1, $y], [$x, $y - 1];
            next if !$gear;
            $touching{ join '-', sort $gear, $_ } = 1 for grep { $_ && $_ ne $gear } @beside;
            my $so_far = $count{$gear}++;
            $centre{$gear}[$_] += ([$x, $y]->[$_] - ($centre{$gear}[$_] // 0)) / ($so_far + 1) for 0, 1;
        }
    }
    return (\%touching, \%count, \%centre);
}

subtest 'the gears mesh' => sub {
    my ($touching, $count, $centre) = seen();
    is_deeply [sort keys %$touching], ['blue-red', 'green-red'], 'the red gear touches the other two';
    my %share = (red => 0.19, green => 0.052, blue => 0.04);
    for my $gear (sort keys %GEAR) {
        my @expected = seen_at($VIEW, @{ $GEAR{$gear}{axis} }, 0);
        cmp_ok abs($count->{$gear} / 300 / 300 / $share{$gear} - 1), '<', 0.05, "$gear: share of the picture";
        cmp_ok abs($centre->{$gear}[$_] - $expected[$_]), '<', 5, "$gear: centre, " . qw(x y) [$_] for 0, 1;
    }
};

# Returns the number of places, on two circles, where a gear's face is hidden or not fully lit.
sub flaws {
    my ($seen, $view, $gear) = @_;
    my ($inner, $outer) = @{ $GEAR{$gear} }{qw(inner outer)};
    return scalar grep { !$_ } map { is_face_on($seen, $view, $gear, $_) } 1.1 * $inner, $outer - 0.6 * $TOOTH_DEPTH;
}

subtest 'faces' => sub {
    for my $gear (sort keys %GEAR) {
        my ($inner, $outer, $teeth) = @{ $GEAR{$gear} }{qw(inner outer teeth)};
        my @beyond = map { is_face_on($picture, $VIEW, $gear, $_) } 0.8 * $inner, $outer + 0.7 * $TOOTH_DEPTH;
        my @around = is_face_on($picture, $VIEW, $gear, $outer);
        is flaws($picture, $VIEW, $gear), 0, "$gear: the face is complete, lit and not hidden";
        is scalar(grep { $_ } @beyond),   0, "$gear: no face in the hole and beyond the teeth";
        is scalar(grep { $around[$_] && !$around[$_ - 1] } 0 .. $#around), $teeth, "$gear: number of teeth";
    }
};

subtest 'walls of the holes' => sub {
    for my $gear (sort keys %GEAR) {
        my @wall   = grep { gear_of(@$_) eq $gear } colours_on($picture, $VIEW, $gear, $GEAR{$gear}{inner}, 0);
        my %shades = map  { join(',', @$_) => 1 } @wall;
        cmp_ok scalar(keys %shades), '>', 10, "$gear: the wall of the hole is smooth";
    }
};

subtest 'arrows turn the view' => sub {
    my %view = (Right => [20, 35], Left => [20, 25], Down => [25, 30], Up => [15, 30]);
    for my $key (sort keys %view) {
        my $seen = with_keys(0, $key);
        is flaws($seen, $view{$key}, $_), 0, "the key $key turns the gear $_" for sort keys %GEAR;
    }
    my $behind = with_keys(0, ('Right') x 30);
    is flaws($behind, [20, 180], $_), 0, "the gear $_ is complete from behind" for sort keys %GEAR;
};

done_testing;
