use strict;
use warnings;

use Test::More;

use UnixBench::Base::Shape;

my %SHAPE =
    (name => 'text', count => 'whole', 'note?' => 'text', list => [{ at => 'number' }], more => { '*' => 'text' });

# [keys changed in data of that shape, the difference that is reported or undef].
my @CASES = (
    [{}, undef],
    [{ note  => undef },                undef],
    [{ list  => [{ at => '-1.5e3' }] }, undef],
    [{ name  => undef },                'name: not a text'],
    [{ count => 0 },                    'count: not a whole number from 1'],
    [{ count => '1.5' },                'count: not a whole number from 1'],
    [{ list  => {} },                   'list: not a list'],
    [{ list  => [{ at => 1 }, 5] },     'list[1]: not an object'],
    [{ list  => [{ at => '9e999' }] },  'list[0].at: not a number'],
    [{ list  => [{}] },                 'list[0]: at is missing'],
    [{ more  => { a => {} } },          'more.a: not a text'],
    [{ other => 1 },                    'unknown key other'],
);

for my $case (@CASES) {
    my ($changed, $difference) = @$case;
    my %data = (name => 'x', count => 3, list => [], more => {}, %$changed);
    is(UnixBench::Base::Shape::difference(\%data, \%SHAPE), $difference, $difference // 'data of that shape fits');
}
is(UnixBench::Base::Shape::difference(undef, {}), 'not an object', 'undef is not an object');
is(UnixBench::Base::Shape::difference(5,     []), 'not a list',    'a number is not a list');

my %KINDS = (
    number   => [[qw(0 -1 1.5 2e-7)],     ['', '1.', '.5', '+1', 'inf', "1\n", '0x1'], 'a number'],
    moment   => [[qw(0 -1 1795140750.5)], [qw(1e11 -1e300)],                           'a time in seconds'],
    unsigned => [[qw(0 1.5)],             [qw(-1 -1e-9)],                              'a number from 0'],
    positive => [[qw(1 1e-150 1e150)],    [qw(0 0.0 -1 1e-320 1e151)],                 'a number from 1e-150 to 1e150'],
    measured => [[qw(1 1e-60 1e60)],      [qw(0 -1 5e-324 1e61)],                      'a number from 1e-60 to 1e60'],
    timebase => [[qw(0 1 60 1e50)],         [qw(-1 1e-51 1e51)],           '0 or a number from 1e-50 to 1e50'],
    boolean  => [[qw(0 1)],                 [qw(2 true), q{}],             'true or false'],
    natural  => [[qw(0 7 999999999999999)], [qw(-1 1e3 1000000000000000)], 'a whole number from 0'],
    whole    => [[qw(1 65536)],             [qw(0 01)],                    'a whole number from 1'],
);
for my $kind (sort keys %KINDS) {
    my ($fit, $misfit, $words) = @{ $KINDS{$kind} };
    is(UnixBench::Base::Shape::difference($_, $kind), undef,        "$_ is of the kind $kind")       for @$fit;
    is(UnixBench::Base::Shape::difference($_, $kind), "not $words", "'$_' is not of the kind $kind") for @$misfit;
}

my $WORD = qr/\A(?:good|bad)\z/;
is(UnixBench::Base::Shape::difference('good',   $WORD), undef,              'a known word fits');
is(UnixBench::Base::Shape::difference("good\n", $WORD), 'not a known word', 'a known word with a newline does not fit');
is(UnixBench::Base::Shape::difference({ is => 'ugly' }, { is => $WORD }), 'is: not a known word', 'the key is named');

done_testing;
