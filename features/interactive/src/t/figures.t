use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use InterbenchReport      qw(figures);
use Needs                 qw(need_compiler);

need_compiler();

my $NOT_KNOWN = "\xe2\x80\x93";

# Kind, size, then pairs of a number and its text.
my @CASES = (
    [
        'digits', 0,
        0         => '0',
        1         => '1.00',
        12.34     => '12.3',
        99.94     => '99.9',
        99.96     => '100',
        100       => '100',
        999.4     => '999',
        999.6     => '1000',
        1234      => '1230',
        12_345    => '12300',
        99_950    => '100000',
        3.6e9     => '3600000000',
        9.22e15   => '9220000000000000',
        1e18      => $NOT_KNOWN,
        0.5       => '0.500',
        0.0123    => '0.0123',
        0.001     => '0.00100',
        0.000_999 => '<0.001',
        1e-300    => '<0.001',
        -1        => $NOT_KNOWN,
        -0.001    => $NOT_KNOWN,
        'nan'     => $NOT_KNOWN,
        'inf'     => $NOT_KNOWN,
        '-inf'    => $NOT_KNOWN,
    ],
    ['us', 0, 0 => '0', 1   => '0.00100', 1500 => '1.50',    12_345_678 => '12300', -1 => $NOT_KNOWN],
    ['ms', 0, 0 => '0', 999 => '<0.001',  1500 => '0.00150', 12_345_678 => '12.3',  -1 => $NOT_KNOWN],
    [
        'percent', 0,
        0          => '0',
        1          => '100',
        0.5        => '50.0',
        0.999      => '99.9',
        0.999_506  => '99.9',
        0.999_9999 => '99.9',
        1.0001     => '100',
        1.034      => '103',
        12.5       => '1250',
        0.000_1    => '0.0100',
        1e-7       => '<0.001',
        '1/300'    => '0.333',
        '299/300'  => '99.7',
        '0/300'    => '0',
        '300/300'  => '100',
        '0/0'      => $NOT_KNOWN,
        '1/0'      => $NOT_KNOWN,
        -1         => $NOT_KNOWN,
    ],
    [
        'exact', 3,
        0           => '0',
        1           => '1',
        10          => '10',
        100         => '100',
        1.5         => '1.5',
        1.2344      => '1.234',
        0.000_4     => '0',
        2_500_000.1 => '2500000.1',
        1e17        => '100000000000000000',
        1e18        => 'unknown',
        -0.1        => 'unknown',
        'nan'       => 'unknown',
        'inf'       => 'unknown',
    ],
    ['exact', 0, 0 => '0', 1 => '1', 10 => '10', 1200 => '1200', -1 => 'unknown'],

    # The numbers of the sample table in the manual page of the old program.
    [
        'legacy', 0,
        0.495  => '0.495',
        0      => '0',
        11.7   => '11.7',
        27.9   => '27.9',
        28.1   => '28.1',
        4.02   => '4.02',
        1.09   => '1.09',
        45     => '45',
        1815   => '1815',
        3335   => '3335',
        3351   => '3351',
        372    => '372',
        100    => '100',
        99.96  => '100',
        100.4  => '100',
        100.6  => '101',
        96     => '96',
        89.6   => '89.6',
        78.499 => '78.5',
        97.04  => '97',
        -1     => '-',
        'nan'  => '-',
    ],
    ['legacy', 7,  0.495     => '  0.495',     1815  => '   1815',   12_345_678 => '12345678', -1 => '      -'],
    ['legacy', -9, 0.495     => '0.495    ',   193.4 => '193      ', -1 => '-        '],
    ['legacy', 11, 62.666_67 => '       62.7', 100   => '        100'],
);

for my $case (@CASES) {
    my ($kind, $size, @pairs) = @$case;
    my @numbers = @pairs[grep { $_ % 2 == 0 } 0 .. $#pairs];
    my @texts   = @pairs[grep { $_ % 2 } 0 .. $#pairs];
    my @said    = figures($kind, $size, @numbers);
    is $said[$_], $texts[$_], "$kind, size $size: $numbers[$_] is written as $texts[$_]" for 0 .. $#texts;
}

# Frames on time of 300, and the percentage that is printed.
my %MET   = (288 => '96', 188 => '62.7', 132 => '44', 236 => '78.7', 264 => '88', 131 => '43.7', 255 => '85');
my @met   = sort { $a <=> $b } keys %MET;
my @texts = figures('legacy', 0, map { 100 * $_ / 300 } @met);
is $texts[$_], $MET{ $met[$_] }, "$met[$_] of 300 frames on time: the percentage" for 0 .. $#met;

done_testing;
