#!/usr/bin/env perl

# JSON that was written by a shape is read as the general reader reads it. Every other text is left to that reader.

use strict;
use warnings;

use Test::More;

use UnixBench::Base::JSON         ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Base::ShapedJSON   ();

my $BY    = { name => 'text', 'cpus?' => 'unsigned' };
my $TEST  = { name => 'text', load    => [{ cause => 'text', 'by?' => [$BY] }], 'at?' => 'moment' };
my $SHAPE = {
    'kind?' => qr/\A(?:quick|official)\z/,
    facts   => { '*' => 'text' },
    counts  => { '*' => 'unsigned' },
    notes   => ['text'],
    inner   => { 'value?' => 'positive', 'change?' => 'number', 'deep?' => { is_on => 'boolean' } },
    runs    => [{ copies => 'whole', passes => 'natural', tests => [$TEST] }],
};
my %DATA = (
    kind   => 'quick',
    facts  => { CPU    => 'AMD "EPYC" <1>', Memory => "4 GB \xc2\xb5" },
    counts => { faults => 0,                calls  => 1.5e-7 },
    notes  => ["a\tb", q{}],
    inner  => { value => 1e22, change => -0.25, deep => { is_on => 1 } },
    runs   => [map { +{ copies => $_, passes => 0, tests => [test(1764000000.25), test(undef), test(-3)] } } 1, 4],
);

sub test {
    my ($at) = @_;
    return { name => 'a]},{"name":"b', at => $at, load => [{ cause => 'others', by => [{ name => 'x', cpus => 0 }] }] };
}

sub read_again { my ($json) = @_; return UnixBench::Base::ShapedJSON::decode($json, $SHAPE) }

my $JSON = UnixBench::Base::JSON::encode_as(\%DATA, $SHAPE);
is_deeply(read_again($JSON), UnixBench::Base::JSON::decode($JSON), 'the data is the same');
is(
    UnixBench::Base::JSON::encode(read_again($JSON)),
    UnixBench::Base::JSON::encode(UnixBench::Base::JSON::decode($JSON)),
    'and so are the types of its values'
);
my $BARE = UnixBench::Base::JSON::encode_as({ %DATA, runs => [], kind => undef, inner => {} }, $SHAPE);
is_deeply(read_again($BARE), UnixBench::Base::JSON::decode($BARE), 'the same of empty lists and missing values');
is(read_again("$JSON "),                   undef, 'text after the end is left to the other reader');
is(read_again(substr $JSON, 0, -1),        undef, 'so is a text without its end');
is(read_again($JSON =~ s/\xc2\xb5/\xb5/r), undef, 'and a byte that is not UTF-8');

# [text, its replacement]: each is valid in another form, or wrong.
my @OTHERS = (
    ['"quick"',     '"slow"'],
    ['"quick"',     '1'],
    ['"copies":4',  '"copies":0'],
    ['"copies":4',  '"copies": 4'],
    ['"copies":4',  '"copies":4.0'],
    ['"copies":4',  '"copies":4,"more":1'],
    ['"faults":0',  '"faults":-0'],
    ['"faults":0',  '"faults":-1'],
    ['"faults":0',  '"faults":0,"calls":1'],
    ['"faults":0',  '"faults":1e400'],
    ['-0.25',       '-0.0'],
    ['1e+22',       '0'],
    ['1764000000',  '176400000000'],
    ['true',        '1'],
    ['"CPU":',      '"Memory":'],
    ['"others"',    '"oth\\x"'],
    ['"others"',    'null'],
    ['"passes":0,', q{}],
);
for my $other (@OTHERS) {
    my ($old, $new) = @$other;
    my $changed = $JSON =~ s/\Q$old\E/$new/r;
    isnt($changed, $JSON, "$old is there") or next;
    is(read_again($changed), undef, "$new instead of $old is left to the other reader");
}

subtest 'data that is read fits its shape' => sub {
    is(UnixBench::Base::Shape::difference(read_again($_), $SHAPE), undef, 'no difference') for $JSON, $BARE;
};

done_testing;
