use strict;
use warnings;

use Test::More;

use UnixBench::Base::Nearest qw(nearest);

my @KNOWN = qw(pipe syscall quick max-time pips C);

# [misspelt name, the known name that is found, or undef].
my @CASES = (
    ['pipe'     => 'pipe',     'a known name'],
    ['PIPE'     => 'pipe',     'a name in capitals'],
    ['qick'     => 'quick',    'a letter is missing'],
    ['quiick'   => 'quick',    'a letter is added'],
    ['quack'    => 'quick',    'a letter is replaced'],
    ['quikc'    => undef,      'two of five letters differ'],
    ['sycal'    => undef,      'two of five letters are missing'],
    ['sicall'   => 'syscall',  'two of six letters differ'],
    ['max_tine' => 'max-time', 'two of eight letters differ'],
    ['pixe'     => 'pipe',     'the second known name is less similar'],
    ['pipx'     => 'pipe',     'two known names are equally similar: the first is found'],
    ['pp'       => undef,      'two letters of a short name differ'],
    ['c'        => 'C',        'one letter in the other case'],
    ['x'        => undef,      'one other letter'],
    [q{}        => undef,      'an empty name'],
);

for my $case (@CASES) {
    my ($wrong, $found, $what) = @$case;
    is(nearest($wrong, @KNOWN), $found, "$what: $wrong");
}

is(nearest('pipe'), undef, 'without known names, none is found');
my $long = 'x' x 40;
is(nearest("${long}x", "${long}x"), undef,      'a name of 41 characters is not compared');
is(nearest($long,      "${long}x"), "${long}x", 'a name of 40 characters is compared');

done_testing();
