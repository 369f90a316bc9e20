use strict;
use warnings;

use Test::More;

use FindBin;
use lib "$FindBin::Bin/../lib";
use UnixBench::Accept::Requirement;
use UnixBench::Catalog;

# An expression => the keys that differ from the default.
my @ACCEPTED = (
    ['index>=1500'                        => {}],
    ['index>=1500.50'                     => { number => 1500.5 }],
    ['index>=1.'                          => { number => 1 }],
    ['index>=.5'                          => { number => 0.5 }],
    ['index>=1e3'                         => { number => 1000 }],
    ['index>=15E+2'                       => {}],
    ['index>=1500000e-3'                  => {}],
    ['index>=1e-300'                      => { number => 1e-300 }],
    ['index>=1e30'                        => { number => 1e30 }],
    ['index>=007'                         => { number => 7 }],
    ['  8  :  index  >=  1500  '          => { copies => 8 }],
    ["\t8:\tindex\t>=\n1500\n"            => { copies => 8 }],
    ['999999999:index>=1500'              => { copies => 999_999_999 }],
    [' all : index >= 1500'               => { copies => 'all' }],
    ['2d-index>=1500'                     => { name   => '2d-index', category => '2d' }],
    ['3d-index>=1500'                     => { name   => '3d-index', category => '3d' }],
    ['index>=0.95*last.json'              => { number => 0.95,       file     => 'last.json' }],
    ['8:index >= 0.95 * /a b/la*st.json ' => { number => 0.95,       file     => '/a b/la*st.json ', copies => 8 }],
    ["index>=1*caf\xc3\xa9>=1:2*"         => { number => 1,          file     => "caf\xc3\xa9>=1:2*" }],
    ["index>=1*a\nb"                      => { number => 1,          file     => "a\nb" }],
    ['index>=1*0'                         => { number => 1,          file     => '0' }],
    (map { ["$_>=1500" => { name => $_, category => undef }] } map { $_->{name} } UnixBench::Catalog::tests()),
);

my $NAMES  = 'names are index, 2d-index, 3d-index and the tests of ./Run --list';
my $FORM   = 'there is no ">="; a requirement is [N:]NAME>=NUMBER or [N:]NAME>=NUMBER*RESULT';
my $NUMBER = '">=" needs a number above 0 and at most 1e+30, not';
my $COPIES = 'the number of copies before ":" must be a whole number from 1 or all, not';

# An expression => the error.
my @REFUSED = (
    (map { [$_ => $FORM] } 'index>1500', 'index=>1500', 'index=1500', 'index', q{}, 'index> =1500', 'index<=1500'),
    ['index>='           => qq{$NUMBER ""}],
    ['index>==1500'      => qq{$NUMBER "=1500"}],
    ['index>=>=1500'     => qq{$NUMBER ">=1500"}],
    ['index>=*last.json' => qq{$NUMBER ""}],
    (
        map { ["index>=$_" => qq{$NUMBER "$_"}] }
            qw(-1 +1 0 0.0 0e5 nan inf Infinity 1e31 1e400 1e-400 1_000 0x10 1e 1e+ . 1.2.3 0.95xlast.json),
        '1500 lps',
        '1 2',
        '1,5',
        "\xd9\xa1"
    ),
    ['>=1'       => qq{there is no name before ">="; $NAMES}],
    ['8:>=1'     => qq{there is no name before ">="; $NAMES}],
    [' : >=1'    => qq{there is no name before ">="; $NAMES}],
    [':index>=1' => qq{$COPIES ""}],
    (map { ["$_:index>=1" => qq{$COPIES "$_"}] } qw(0 -1 +1 x 1.5 1e3 01 1000000000 All), '1 2'),
    ['1:2:index>=1'  => qq{unknown name "2:index"; $NAMES}],
    ['indx>=1'       => 'unknown name "indx"; did you mean "index"?'],
    ['pips>=1'       => 'unknown name "pips"; did you mean "pipe"?'],
    ['Pipe>=1'       => 'unknown name "Pipe"; did you mean "pipe"?'],
    ['misc-index>=1' => qq{unknown name "misc-index"; $NAMES}],
    ['pipe 2>=1'     => 'unknown name "pipe 2"; did you mean "pipe"?'],
    ['gindx>=1'      => qq{unknown name "gindx"; $NAMES}],
    ['fs>=1'         => '"fs" is an alias; name a test, such as "fstime-w"'],
    ['dhry>=1'       => '"dhry" is an alias; name a test, such as "dhry2reg"'],
    ['all>=1'        => '"all" is an alias; name a test, such as "dhry2reg"'],
    ['index>=1*'     => 'there is no result after "*"'],
);

sub refusal {
    my ($text) = @_;
    is(eval { UnixBench::Accept::Requirement::parse($text) }, undef, 'the expression is refused');
    return $@;
}

for my $case (@ACCEPTED) {
    my ($text, $expected) = @$case;
    my %default = (copies => undef, name => 'index', category => 'system', number => 1500, file => undef);
    is_deeply(UnixBench::Accept::Requirement::parse($text), { %default, text => $text, %$expected }, "accepted: $text");
}

for my $case (@REFUSED) {
    my ($text, $why) = @$case;
    is(refusal($text), qq{requirement "$text": $why\n}, "the error says: $why");
}

subtest 'every alias except index is refused' => sub {
    for my $alias (grep { $_ ne 'index' } UnixBench::Catalog::aliases()) {
        like(
            refusal("$alias>=1"),
            qr/: "\Q$alias\E" is an alias; name a test, such as "[\w-]+"\n\z/,
            "$alias is refused as an alias"
        );
    }
};

subtest 'hostile expressions are refused safely' => sub {
    like(refusal("index>=1* \t\n"), qr/: there is no result after "[*]"\n\z/, 'a file name of blanks is refused');
    is(
        refusal("\e[31m\nx>=1"),
        qq{requirement "\\x1b[31m\\nx>=1": unknown name "\\x1b[31m\\nx"; $NAMES\n},
        'control characters are escaped'
    );
    like(refusal($_), qr/\A[\x20-\x7e]{1,400}\n\z/, 'the error is one short line')
        for 'x' x 100_000, 'x' x 100_000 . '>=1', 'index>=' . '9' x 100_000, '1' x 100_000 . ':index>=1', "\xff\0>=1";
};

subtest 'named finds a test or an index in a run' => sub {
    my %run = (
        tests   => [{ name     => 'pipe',   n        => 1 }, { name     => 'syscall', n        => 2 }],
        indexes => [{ category => 'system', complete => 1 }, { category => '2d',      complete => 0 }],
    );
    my $named =
        sub { UnixBench::Accept::Requirement::named(UnixBench::Accept::Requirement::parse("$_[0]>=1"), \%run) };
    is($named->('syscall'),  $run{tests}[1],   'a test is found');
    is($named->('dhry2reg'), undef,            'a test that is missing is undef');
    is($named->('index'),    $run{indexes}[0], 'an index is found');
    is($named->('2d-index'), undef,            'an incomplete index is undef');
    is($named->('3d-index'), undef,            'an index that is missing is undef');
};

done_testing();
