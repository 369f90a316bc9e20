use strict;
use warnings;

use Test::More;

use UnixBench::Base::Text qw(fixed full_precision grouped percent significant);

is(fixed(78132483.44),               '78132483.4',        'fixed prints one decimal');
is(fixed(1.25e14),                   '125000000000000.0', 'fixed prints large numbers without an exponent');
is(full_precision(8188.34084738901), '8188.34084738901',  'full_precision prints 15 significant digits');

my @significant = (
    [2.9244,  2, '2.9'],
    [1.9844,  2, '2.0'],
    [0.04567, 3, '0.0457'],
    [0,       2, '0'],
    [1e20,    3, '1e+20'],
    [0.9999,  3, '1.00'],
    [2999.96, 4, '3000']
);
is(significant(@$_[0, 1]), $_->[2], "significant: $_->[0] with $_->[1] digits") for @significant;

{
    require POSIX;
    local $ENV{LC_ALL} = 'de_DE.utf8';
    my $before = POSIX::setlocale(POSIX::LC_ALL(), '');
    is(fixed(1.5), '1.5', 'fixed prints a decimal point in every locale');
    POSIX::setlocale(POSIX::LC_ALL(), 'C');
}

my %PERCENT = (0 => '0 %', 0.01 => '1 %', 0.01234 => '1.2 %', 0.5 => '50 %', 0.997 => '100 %', 3.14159 => '314 %');
is(percent($_), $PERCENT{$_}, "percent: $PERCENT{$_}") for sort keys %PERCENT;
is(percent(0.0125,   4), '1.25 %',  'percent prints as many digits as it is asked for');
is(percent(0.012344, 4), '1.234 %', 'percent prints no more digits than it is asked for');

subtest 'grouped groups the digits of large numbers' => sub {
    my %grouped = map { $_ => grouped($_) } '48194208', '9999', '10000 to 20000.5', 'x12345';
    is_deeply(
        \%grouped,
        {
            '48194208'         => '48,194,208',
            '9999'             => '9999',
            '10000 to 20000.5' => '10,000 to 20,000.5',
            'x12345'           => 'x12345'
        },
        'numbers of five digits or more, but no names'
    );
};

done_testing();
