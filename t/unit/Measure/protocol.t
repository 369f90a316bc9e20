use strict;
use warnings;

use Test::More;

use UnixBench::Measure::Protocol;
use UnixBench::Score;

local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

my %GOOD = (COUNT => [5, 1, 'lps']);

# [output of a program, its data].
my @UNDERSTOOD = (
    ["COUNT|5|1|lps\n"                 => {%GOOD}],
    ['COUNT|5|1|lps'                   => {%GOOD}],
    ["COUNT|5|1|lps\r\n"               => {%GOOD}],
    ["COUNT|5.25|60|lpm\n"             => { COUNT       => [5.25,      60, 'lpm'] }],
    ["COUNT|1.5e+06|0|MWIPS\n"         => { COUNT       => ['1.5e+06', 0,  'MWIPS'] }],
    ["COUNT|5|1|a unit of mine\n"      => { COUNT       => [5,         1,  'a unit of mine'] }],
    ["COUNT|5|1|lps\nTIME|30.003119\n" => { %GOOD, TIME => ['30.003119'] }],
    ["\n  \nCOUNT|5|1|lps\n\t\n"       => {%GOOD}],
    ["RENDERER|llvmpipe (LLVM)\n"      => { RENDERER => ['llvmpipe (LLVM)'] }],
    ["SAMPLE|1|2||4\n"                 => { SAMPLE   => [1, 2, q{}, 4] }],
    ["Empty|\n"                        => { Empty    => [q{}] }],
    ["LAST|1\nLAST|2\n"                => { LAST     => [2] }],
    ["LIST|1|2|3\nLIST|4|5\n"          => { LIST     => [4, 5] }],
    ["TIMER|5\nCOUNTER|6\nERRORS|7\n"  => { TIMER    => [5], COUNTER => [6], ERRORS => [7] }],
    [q{}                               => {}],
);

# [line, the start of its error].
my $WRONG_FORM = 'expected COUNT|score|timebase|label or TIME|seconds: "';
my @MALFORMED  = (
    (
        map { ["COUNT|$_|1|lps" => qq{not a count: "COUNT|$_|1|lps"}] } q{},
        qw(-1 +1 nan NaN inf Infinity 1e999 0x10 x),
        '1,5',    '1 ',    ' 1', '1e', '.5', '9' x 21, '1e300', '1.' . '3' x 21,
        '1.1e50', '1e-51', '5e-324'
    ),
    (map { ["COUNT|$_|1|lps" => qq{counted nothing: "COUNT|$_|1|lps"}] } qw(0 0.0 0e5 1e-999)),
    (map { ["COUNT|5|$_|lps" => 'not a timebase: "'] } q{},        qw(-1 nan 1e999 x 1e51 1e-51 5e-324)),
    (map { ["COUNT|5|1|$_"   => 'not a label: "'] } q{},           q{ }, "\xff", "l\tps", 'x' x 33),
    (map { ["TIME|$_"        => 'not a time in seconds: "'] } q{}, qw(0 -1 nan inf 1e999 0.0 x 1e51 1e-51)),
    (map { [$_ => $WRONG_FORM] } qw(COUNT COUNT| COUNT|5 COUNT|5|1 COUNT|5|1|lps| COUNT0|5 TIME TIME|5| TIME0|5)),
    ['ERROR|no space left'       => 'no space left'],
    ['ERROR|'                    => 'an error without a message'],
    ['ERROR| '                   => 'an error without a message'],
    ['ERROR|a|b'                 => 'a|b'],
    ['ERROR0|x'                  => 'ERROR0|x'],
    ['cannot open display'       => 'cannot open display'],
    ['|5|1|lps'                  => '|5|1|lps'],
    ['a name|5'                  => 'a name|5'],
    ["bell\a and \xff"           => 'bell\\x07 and \\xff'],
    ["\xe2\x80\x98a\xe2\x80\x99" => "\xe2\x80\x98a\xe2\x80\x99"],
    ["\0"                        => '\\x00'],
    ['x' x 65 . '|1'             => 'xxxx'],
);

sub heard {
    my @pieces = @_;
    my $reader = UnixBench::Measure::Protocol->new(ref $pieces[0] ? @{ shift @pieces } : ());
    $reader->add($_) for @pieces;
    $reader->finish;
    return $reader;
}

for my $case (@UNDERSTOOD) {
    my ($said, $data) = @$case;
    my $reader = heard($said);
    is_deeply($reader->data, $data, 'data of ' . explain_text($said));
    is($reader->error, undef, 'no error in ' . explain_text($said));
    is_deeply(heard(split //, $said)->data, $data, 'the same data byte by byte: ' . explain_text($said));
}

for my $case (@MALFORMED) {
    my ($line, $error) = @$case;
    my $reader = heard("COUNT|5|1|lps\n$line\n");
    is(index($reader->error // q{}, $error), 0, 'error of ' . explain_text($line)) or diag $reader->error // 'none';
    is_deeply($reader->data->{ERROR}, [$reader->error], 'the error is part of the data: ' . explain_text($line));
    is($reader->data->{COUNT}[0], 5, 'the count before it is kept: ' . explain_text($line));
}

# A command in front of the program may print such lines, too.
subtest 'a line that may come only once' => sub {
    my %first = (COUNT => '5|1|lps', TIME => '2.5', LOOPS => '7', REFUSED => '3');
    for my $name (sort keys %first) {
        my $others = join q{}, map { "$_|$first{$_}\n" } grep { $_ ne $name } sort keys %first;
        for my $second ($first{$name}, $first{$name} =~ s/\A[0-9]/9000/r) {
            my $reader = heard($others . "$name|$first{$name}\n$name|$second\n");
            is($reader->error, qq{a second $name line: "$name|$second"}, "$name|$second: an error");
            is_deeply($reader->data->{$name}, [split /[|]/, $first{$name}], "$name: the first one is kept");
        }
    }
    my $under = heard([is_under => 1], "COUNT|900000000|1|lps\nCOUNT|5|1|lps\n");
    is($under->error, 'a second COUNT line: "COUNT|5|1|lps"', 'also under a command');
};

subtest 'what the program has used' => sub {
    my $line   = 'USED|2000000|1000000|700000|100000|3|1|20|4';
    my %used   = (clock_s  => 2,  span_s => 1, user_s => 0.7, kernel_s => 0.1, minor_faults => 3, major_faults => 1);
    my %alone  = (switches => 20, forced_switches => 4);
    my $reader = heard("COUNT|5|1|lps\n$line|500000\n");
    is_deeply($reader->used,          { %used, %alone, waited_s => 0.5 }, 'times in seconds');
    is_deeply($reader->data,          {%GOOD},                            'the line is not part of the data');
    is_deeply(heard("$line\n")->used, { %used, %alone },                  'without the time of waiting');
    is(heard("$line\n" x 2)->error,                       qq{a second USED line: "$line"}, 'twice');
    is(heard("USED|-5|1|1|1|1|1|1|1\n")->used->{clock_s}, -5e-6,                           'a clock that went back');

    for my $values ('1|1|-5|0|0|0|0|0|7', '1|1|1|1|1|1|1|1|1234567890123456') {
        is(heard("USED|$values\n")->error, qq{negative or too large: "USED|$values"}, $values);
    }
    is(heard("COUNT|5|1|lps\n")->used, undef, 'it is unknown without the line');
    is_deeply(heard("USED|a thing\n")->data, { USED => ['a thing'] }, 'a line of another program with that name');
};

subtest 'long lines and many lines are limited' => sub {
    my $megabyte = 'x' x 1_048_576;
    cmp_ok(length heard("$megabyte\n")->error, '<', 200, 'the error quotes only the start of a megabyte');
    is_deeply(heard($megabyte, "\nCOUNT|5|1|lps\n")->data, { %GOOD, ERROR => [heard($megabyte)->error] }, 'a count');
    is(length heard("NOTE|$megabyte")->data->{NOTE}[0], 4096 - length 'NOTE|', 'a long value is cut');
    cmp_ok(scalar keys %{ heard(map { "N$_|1\n" } 1 .. 5000)->data }, '<=', 1000, 'at most 1,000 names are kept');
    my $values = sub { return scalar map { @$_ } values %{ heard(@_)->data } };
    is($values->(map { "N$_|1|2|3\n" } 1 .. 5000),          999,  'at most 999 values are kept');
    is($values->(map { "N|$_|2|3\n" } 1 .. 5000),           3,    'a name that is repeated keeps only its last values');
    is($values->('LIST' . '|1' x 998, "\nCOUNT|5|1|lps\n"), 1001, 'a count is always kept');
    is(heard("one\ntwo\n")->error, 'one (and 1 more line)',     'the first error is shown, and another one is counted');
    is(heard(join "\n", 1 .. 9)->error, '1 (and 8 more lines)', 'the first error is shown, and others are counted');
};

subtest 'a count that was understood can be scored' => sub {
    for my $timebase (qw(0 0.0 00 0e0 1e-999)) {
        my $counted = heard("COUNT|5|$timebase|MWIPS\n")->counted;
        my $pass    = UnixBench::Score::pass([{ time_s => 2, %$counted }]);
        is(eval { UnixBench::Score::rate($pass) }, 5, "timebase $timebase: the count is a rate");
    }
    my @ends = qw(1e-50 1e50);
    for my $said (
        map {
            my $count = $_;
            map { "COUNT|$count|$_|lps\nTIME|$_\n" } @ends
        } @ends
        )
    {
        my $counted = heard($said)->counted;
        my $pass    = UnixBench::Score::pass([($counted) x 1024]);
        my $score   = eval { UnixBench::Score::test([$pass, $pass])->{score} };
        ok($score && $score < 9**9**9, 'the smallest and the largest have a score: ' . explain_text($said)) or diag $@;
    }
};

subtest 'under a command of the user' => sub {
    my @said = ([is_under => 1], "WARNING: no network\n", "and more\n");
    is(heard(@said, "COUNT|5|1|lps\n")->error, undef, 'its texts do no harm if something is counted');
    is_deeply(heard(@said, "COUNT|5|1|lps\n")->data->{said}, ['WARNING: no network'], 'the first one is kept');
    is(heard(@said)->error, 'WARNING: no network', 'without a count the first one is the error');
    is(heard(@said, "ERROR|no space\n", "COUNT|5|1|lps\n")->error, 'no space', 'an ERROR line is always an error');
    like(heard([is_under => 1], "COUNT|x\n")->error, qr/\Aexpected COUNT/, 'and so is a wrong COUNT line');
};

# t/lib/Fuzz.pm feeds random bytes, in pieces of random size.
sub explain_text {
    my ($text) = @_;
    $text =~ s/([^\x20-\x7e])/sprintf '\\x%02x', ord $1/ge;
    return length $text > 60 ? substr($text, 0, 60) . '...' : $text;
}

done_testing();
