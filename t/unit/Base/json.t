# Tests of reading and writing JSON. t/run/fuzz.t compares both with JSON::PP.

use strict;
use warnings;

use Test::More;

use UnixBench::Base::JSON ();

local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

sub encode { return UnixBench::Base::JSON::encode(@_) }
sub decode { return UnixBench::Base::JSON::decode(@_) }

# [data, its JSON]: the JSON is read back as the same data.
my @WRITTEN = (
    ['',                                     '""'],
    ['1',                                    '"1"'],
    [1,                                      '1'],
    [-5,                                     '-5'],
    [[1, [2, []], {}],                       '[1,[2,[]],{}]'],
    [{ b => 1, a => [], B => '' },           '{"B":"","a":[],"b":1}'],
    [{ '' => { '' => undef } },              '{"":{"":null}}'],
    ["\"\\/\b\f\n\r\t",                      '"\"\\\\/\b\f\n\r\t"'],
    ["\0\x01\x1f\x7f",                       '"\u0000\u0001\u001f\u007f"'],
    ["caf\xc3\xa9 \xf0\x9f\x98\x80",         "\"caf\xc3\xa9 \xf0\x9f\x98\x80\""],
    ["\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9", "\"\xe2\x80\xa7\\u2028\\u2029\""],
    ["\xe2\x80\xae\xc2\x9b\xf3\xa0\x81\x81", '"\u202e\u009b\udb40\udc41"'],
    [{ "\xc3\xa9\n" => 1 },                  "{\"\xc3\xa9\\n\":1}"],
);

# [bytes that are not UTF-8, their JSON]: the JSON is read back as the same bytes.
my @NO_UTF8 = (
    ["caf\xe9",           'caf\udce9'],
    ["\x80\xbf\xff",      '\udc80\udcbf\udcff'],
    ["\xc3\xc3\xa9",      "\\udcc3\xc3\xa9"],
    ["\xe0\x9f\xbf",      '\udce0\udc9f\udcbf'],
    ["\xed\xa0\x80",      '\udced\udca0\udc80'],
    ["\xf0\x9f\x98",      '\udcf0\udc9f\udc98'],
    ["\xf0\xe2\x80\xa8",  '\udcf0\u2028'],
    ["\xf5\x80\x80\x80x", '\udcf5\udc80\udc80\udc80x'],
);

# [number, its JSON]: numbers that need more than 15 digits, and other special ones.
my @NUMBERS = (
    [0.1 + 0.2,                  '0.30000000000000004'],
    [5e-324,                     '4.94065645841247e-324'],
    [1.7976931348623157e308,     '1.7976931348623157e+308'],
    [0 * -1.5,                   '-0'],
    [9_007_199_254_740_993,      '9007199254740993'],
    [18_446_744_073_709_551_615, '18446744073709551615'],
    [-9_223_372_036_854_775_808, '-9223372036854775808'],
    [2**64,                      '1.8446744073709552e+19'],
    [1e19,                       '10000000000000000000'],
    [1e22,                       '1e+22'],
);

# [data that can't be written as JSON, pattern of the error].
my @UNWRITTEN = (
    [9**9**9,            qr/\Acannot be JSON: the number \+?inf/i],
    [-sin(9**9**9),      qr/\Acannot be JSON: the number [-+]?nan/i],
    [sub { 1 },          qr/\Acannot be JSON: a reference to CODE\n\z/],
    [[\'x'],             qr/\Acannot be JSON: a reference to SCALAR\n\z/],
    [bless({}, 'Thing'), qr/\Acannot be JSON: a reference to Thing\n\z/],
);

# [JSON, its data].
my @READ = (
    [" \t\r\n[ 1 ,\n2\t]\r ",                   [1, 2]],
    ['{ "a" : { "b" : [ null ] } , "c" : "" }', { a => { b => [undef] }, c => '' }],
    ['[true,false,null]',                       [1, 0, undef]],
    ['true',                                    1],
    ['[0,-0.0,1.5e3,1E-2,1e+2,-12]',            [0, 0, 1500, 0.01, 100, -12]],
    ['1e-999',                                  0],
    ['"\u0041\u00e9\u20AC\ud83d\uDE00\/\\\\"',  "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80/\\"],
    ["\"\x7f\xef\xbb\xbf\xef\xbf\xbf\"",        "\x7f\xef\xbb\xbf\xef\xbf\xbf"],
    ['"\u0000"',                                "\0"],
    (map { [qq{"$_->[1]"}, $_->[0]] } @NO_UTF8),
);

# [JSON that is refused, the error].
my @REFUSED = (
    (
        map { [$_, 'a value is missing at byte 0'] } q{},
        qw(NaN nan inf +1 .5 - -x tru TRUE True undef 'a' ] } : /),
        q{,}
    ),
    (
        map { [$_, 'more text after the end at byte ' . (length($_) - 1)] } '[]]',
        '1 2', '01', '{}}', 'nulll', '""a', "1\0"
    ),
    (map { [$_, 'more text after the end at byte 1'] } qw(1. 1.e5 1e 1e+ 0x10)),
    ['[1,]',                          'a value is missing at byte 3'],
    ['[,1]',                          'a value is missing at byte 1'],
    ['[1}',                           '"," or "]" is missing at byte 2'],
    ['[',                             'a value is missing at byte 1'],
    ['{',                             'a key is missing at byte 1'],
    ['{"a":1,}',                      'a key is missing at byte 7'],
    ['{"a"}',                         '":" is missing at byte 4'],
    ['{"a":}',                        'a value is missing at byte 5'],
    ['"\\',                           'an invalid escape at byte 1'],
    ['"\"',                           'a text without an end at byte 3'],
    ['"\x41"',                        'an invalid escape at byte 1'],
    ['"\u12g4"',                      'an invalid escape at byte 1'],
    ["\"a\n\"",                       'a control character at byte 2'],
    ["[1]\xff",                       'a byte that is not UTF-8 at byte 3'],
    ["\"\xc3\"",                      'a byte that is not UTF-8 at byte 1'],
    ["\"\xf4\x90\x80\x80\"",          'a byte that is not UTF-8 at byte 1'],
    ["\xef\xbb\xbf1",                 'a value is missing at byte 0'],
    ['"\ud800"',                      'half of a surrogate pair at byte 1'],
    ['"\ud83d\u0041"',                'half of a surrogate pair at byte 1'],
    ['"\udfff"',                      'half of a surrogate pair at byte 1'],
    ['{"a":1,"b":2,"a":3}',           'the same key again at byte 13'],
    ['{"a":1,"\u0061":3}',            'the same key again at byte 7'],
    ['1e999',                         'a number out of range at byte 0'],
    ['[' x 101 . ']' x 101,           'more than 100 levels at byte 100'],
    ['{"a":' x 101 . '1' . '}' x 101, 'more than 100 levels at byte 500'],
);

for my $case (@WRITTEN) {
    my ($data, $json) = @$case;
    is(encode($data), $json, "encode writes $json");
    is_deeply(decode($json), $data, "decode reads it back: $json");
}

for my $case (@NO_UTF8) {
    my ($bytes, $json) = @$case;
    is(encode({ $bytes => [$bytes] }), qq({"$json":["$json"]}), "bytes that are not UTF-8 are written as $json");
    is_deeply(decode(encode({ $bytes => [$bytes] })), { $bytes => [$bytes] }, "they are read back: $json");
}

for my $case (@NUMBERS) {
    my ($number, $json) = @$case;
    is(encode($number),          $json,              "encode writes the number $json");
    is(pack('d', decode($json)), pack('d', $number), "the number is read back to the last bit: $json");
}

for my $case (@UNWRITTEN) {
    my ($data, $message) = @$case;
    is(eval { encode([$data]) }, undef, "encode dies: $message");
    like($@, $message, "the error gives the reason: $message");
    unlike($@, qr/0x[0-9a-f]{4}/, "the error shows no address in memory: $message");
}

for my $case (@READ) {
    my ($json, $data) = @$case;
    is_deeply(decode($json), $data, "decode reads $json");
}

for my $case (@REFUSED) {
    my ($json, $message) = @$case;
    is(eval { decode($json); 'read' } // $@, "not JSON: $message\n", "decode refuses: $message");
}

subtest 'numbers and texts are kept apart' => sub {
    my ($number, $text, $both) = (5, '5', '0.5');
    my $shown = "$number";
    my $sum   = $text + 1;
    is(encode([$number]),   '[5]',      'a number that was printed stays a number');
    is(encode([$text]),     '["5"]',    'a text that was used in a sum stays a text');
    is(encode([0 + $both]), '[0.5]',    'a text plus 0 is a number');
    is(encode([!!1, !!0]),  '["1",""]', q(Perl's truth values are texts));
};

subtest 'characters are written and read as UTF-8' => sub {
    my $text = "caf\x{e9} \x{263a}";
    is(encode({ $text => $text }),       "{\"caf\xc3\xa9 \xe2\x98\xba\":\"caf\xc3\xa9 \xe2\x98\xba\"}", 'characters');
    is(length $text,                     6,                          'encode does not change the given text');
    is(decode("\"caf\x{e9} \x{263a}\""), "caf\xc3\xa9 \xe2\x98\xba", 'decode reads characters as UTF-8');
    is(
        eval { encode({ "\x{e9}\x{263a}" => 1, "\xc3\xa9\xe2\x98\xba" => 2 }) } // $@,
        "cannot be JSON: the same key twice\n",
        'two keys with the same UTF-8 bytes are refused'
    );
};

subtest 'encode_as writes data by a shape' => sub {
    my %shape = (
        text    => 'text',
        list    => [{ at => 'number' }],
        more    => { '*' => 'text' },
        is      => 'boolean',
        is_not  => 'boolean',
        word    => qr/\A(?:good|bad)\z/,
        'none?' => 'number',
    );
    my %data = (
        text   => 5,
        list   => [{ at => '1.50', other => 1 }, { at => 0.1 + 0.2 }],
        more   => { 'a"' => 1, "\xff" => 'first', '\xff' => "caf\xc3\xa9 \xe9" },
        is     => 5,
        is_not => q{},
        word   => 'bad',
        waste  => 'x',
    );
    my $json = UnixBench::Base::JSON::encode_as(\%data, \%shape);
    my $list = '"list":[{"at":1.5},{"at":0.30000000000000004}]';
    my $more = qq["more":{"\\\\xff":"caf\xc3\xa9 \\\\xe9","a\\"":"1"}];
    is($json, qq({"is":true,"is_not":false,$list,$more,"none":null,"text":"5","word":"bad"}), 'each kind');
    is_deeply([@data{qw(text waste)}, $data{list}[0]{at}], [5, 'x', '1.50'], 'the data itself does not change');
};

subtest '100 levels are the limit' => sub {
    my $deep = 1;
    $deep = [$deep] for 1 .. 100;
    is(encode($deep),                         '[' x 100 . '1' . ']' x 100,              '100 levels are written');
    is(eval { encode({ a => $deep }) } // $@, "cannot be JSON: more than 100 levels\n", '101 levels are refused');
    my @around;
    push @around, \@around;
    is(eval { encode(\@around) } // $@, "cannot be JSON: more than 100 levels\n", 'data that contains itself');
    @around = ();
};

subtest 'long texts are written and read' => sub {
    my %text = (plain => 'x' x 1e6, escaped => "\n" x 3e5, 'not UTF-8' => "\xff" x 1e5, 'UTF-8' => "\xc3\xa9" x 5e5);
    ok(decode(encode($text{$_})) eq $text{$_}, "a long text is read back: $_") for sort keys %text;
    is(scalar @{ decode('[' . join(',', ('[]') x 50_000) . ']') }, 50_000, '50,000 values are read');
    is(eval { decode('"' . '\n' x 1e5) } // $@, "not JSON: a text without an end at byte 200001\n", 'without an end');
};

done_testing;
