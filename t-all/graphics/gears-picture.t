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
use VirtualDisplay                 ();
use WatchedGears                   qw(picture why_not);

my $why_not = why_not('xwd');
skip_without(@$why_not) if $why_not;
my $display = VirtualDisplay->new or skip_without(@$VirtualDisplay::WHY_NOT);
$ENV{DISPLAY} = $display->name;

my $RECORDED = "$FindBin::Bin/data/gears.png";
my $ALIKE    = 0.003;                            # share of pixels in which drivers may differ

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
    cmp_ok $wrong{$_}->share_unlike($recorded), '>', 10 * $ALIKE, "a wrong picture is recognised: $_"
        for sort keys %wrong;
};

done_testing;
