use strict;
use warnings;

use Cwd ();
use Test::More;

use UnixBench::Command;
use UnixBench::Catalog;

# Habits of users: ways to write options that other programs accept, misspelt words, and options that contradict each
# other.

# Takes words; returns the options that differ from the default.
sub options_of {
    my (@words) = @_;
    my $options = UnixBench::Command::parse(@words);
    delete $options->{outputs};
    delete $options->{tests} if "@{ $options->{asked} || [] }" eq 'index';
    delete $options->{asked} if "@{ $options->{asked} || [] }" eq 'index';
    delete $options->{copies} if !@{ $options->{copies} };
    return $options;
}

# Takes words; returns the error, or undef if they are accepted.
sub error_of {
    my (@words) = @_;
    return eval { UnixBench::Command::parse(@words); 1 } ? undef : $@;
}

my %PIPE = (asked => ['pipe'], tests => ['pipe']);

subtest 'options are written as in other programs' => sub {
    my @same = (
        ['-c2'                    => { copies     => [2] }],
        ['-c 1,8'                 => { copies     => [1, 8] }],
        ['-c1,8'                  => { copies     => [1, 8] }],
        ['-c 4,4 -c 1'            => { copies     => [4, 4, 1] }],
        ['-i3'                    => { iterations => 3 }],
        ['-i3 -c2 pipe'           => { iterations => 3, copies => [2], %PIPE }],
        ['-h'                     => { usage      => 1 }],
        ['-V'                     => { version    => 1 }],
        ['help'                   => { command    => 'help',    words      => [] }],
        ['help compare'           => { command    => 'help',    words      => ['compare'] }],
        ['--help compare'         => { command    => 'compare', help       => 1 }],
        ['compare --help'         => { command    => 'compare', help       => 1 }],
        ['--help -q'              => { help       => 1,         quiet      => 1 }],
        ['--quick --max-time=40s' => { quick      => 1,         max_time_s => 40 }],
    );
    for my $case (@same) {
        my ($words, $expected) = @$case;
        is_deeply(options_of(split q{ }, $words), $expected, "./Run $words is accepted");
    }
    for my $words ('-c 1,8', '-c1,8') {
        is_deeply(
            UnixBench::Command::parse(split q{ }, $words),
            UnixBench::Command::parse(qw(-c 1 -c 8)),
            "$words means -c 1 -c 8"
        );
    }
};

subtest 'no word after -- is an option' => sub {
    is_deeply(options_of('--'),           {},                    'without words after it, it changes nothing');
    is_deeply(options_of(qw(-- pipe)),    {%PIPE},               'a word after it is a test');
    is_deeply(options_of(qw(-q -- pipe)), { quiet => 1, %PIPE }, 'options come before it');
    is(
        error_of(qw(pipe -- -q)),
        "unknown test \"-q\"\nSee ./Run --list for the tests.\n",
        'a word with a hyphen after it is a test, too'
    );
    is(error_of(qw(pipe -- --)), "unknown test \"--\"\nSee ./Run --list for the tests.\n", 'so is a second --');
    is_deeply(options_of(qw(report -- -r)), { command => 'report', words => ['-r'] },
        'of a command, it is an argument');
};

subtest '-- separates the sides of a comparison' => sub {
    my $sides = './Run compare A1 A2 -- B1 B2';
    my @cases = (
        ['a b'              => { words => [qw(a b)] }],
        ['a -- b'           => { words => [qw(a b)],       sets => [1, 1] }],
        ['a b c -- d e'     => { words => [qw(a b c d e)], sets => [3, 2] }],
        ['a -- b --force'   => { words => [qw(a b)], sets => [1, 1], force => 1 }],
        ['a -- b --force c' => { words => [qw(a b c)], sets => [1, 2], force => 1 }],
    );
    for my $case (@cases) {
        my ($words, $expected) = @$case;
        is_deeply(
            options_of('compare', split q{ }, $words),
            { command => 'compare', %$expected },
            "./Run compare $words is accepted"
        );
    }
    for my $words ('-- a', 'a --', 'a -- b -- c', 'a -- -- b') {
        is(
            error_of('compare', split q{ }, $words),
            "compare: \"--\" separates two sides, each with one result or more: $sides\n",
            "./Run compare $words is refused"
        );
    }
};

subtest 'a command is the first word that is not an option, nor the value of one' => sub {
    for my $case (
        ['--html report pipe'         => 'no command', 'the value of an option'],
        ['--max-age=1d report a'      => 'refused',    'an option that the command does not have'],
        ['--min-effect 2 compare a b' => 'compare',    'an option of the command before it'],
        ['--json compare -q report a' => 'report',     'the value of an option before the command'],
        ['-- compare a b'             => 'refused',    'a word after --'],
        ['report compare'             => 'report',     'a result with the name of a command'],
        )
    {
        my ($words, $expected, $what) = @$case;
        my $options = eval { UnixBench::Command::parse(split q{ }, $words) };
        is($options ? $options->{command} // 'no command' : 'refused', $expected, "$what: ./Run $words");
    }
};

subtest 'a misspelt word gets a suggestion' => sub {
    my %suggestion = (
        '--lst'        => '--list',
        '--Quick'      => '--quick',
        '-quick'       => '--quick',
        '--quikc'      => '--quick',
        '--hlep'       => '--help',
        '--max_time=4' => '--max-time',
        '--compair'    => './Run compare',
        '--dryrun'     => '--dry-run',
        '--precison'   => '--precision',
        '-C'           => '-c',
    );
    for my $word (sort keys %suggestion) {
        my $flag = $word =~ s/=.*//r;
        is(
            error_of($word),
            "unknown option $flag; did you mean $suggestion{$word}?\nSee ./Run --help for the options.\n",
            "the option $word"
        );
    }
    is(error_of($_), "unknown option $_\nSee ./Run --help for the options.\n", "nothing is similar to $_")
        for qw(-x -9 --xyzzy --frobnicate), '--' . 'x' x 41;
    my $see = "\nSee ./Run --list for the tests, and ./Run help for the commands.\n";
    is(error_of('pips'),   qq{unknown test or command "pips"; did you mean pipe?$see},     'a test');
    is(error_of('reprot'), qq{unknown test or command "reprot"; did you mean report?$see}, 'a command');
    is(error_of('xyzzyx'), qq{unknown test or command "xyzzyx"$see},                       'nothing is similar');
    is(error_of($_),       qq{unknown test or command "$_"; did you mean --$_?$see},       "$_ is an option")
        for qw(quick setup resume list version);
    is(error_of('share'), qq{unknown test or command "share"; did you mean --no-identity?$see}, 'a word for an option');
    like(error_of(qw(pipe quick)), qr/\Aunknown test "quick"; did you mean --quick[?]\n/, 'a word behind a test');
};

subtest 'options that contradict each other are refused' => sub {
    my @pairs = ([qw(-q -v)], [qw(--quick -i)],);
    my %value = ('-i' => [3], '--users' => [5]);
    my %test  = ('--users' => ['multiuser']);
    for my $pair (@pairs) {
        my ($one, $other) = @$pair;
        my @words = map { [$_, @{ $value{$_} || [] }] } $one, $other;
        my @tests = map { @{ $test{$_} || [] } } $one, $other;
        for my $order ([@words], [reverse @words]) {
            my @given = ((map { @$_ } @$order), @tests);
            like(
                error_of(@given) // 'accepted',
                qr/\Aoptions (?:$one and $other|$other and $one) contradict each other: leave out one of them\n\z/,
                "./Run @given"
            );
        }
    }
};

subtest 'a short option with a value in the same word is checked' => sub {
    my %error = (
        '-c1.5' => 'option -c needs a whole number from 1 to 65536 or all, not "1.5"',
        '-c0'   => 'option -c needs a whole number from 1 to 65536 or all, not "0"',
        '-c1,'  => 'option -c needs a whole number from 1 to 65536 or all, not ""',
        '-c,1'  => 'option -c needs a whole number from 1 to 65536 or all, not ""',
        '-c1,x' => 'option -c needs a whole number from 1 to 65536 or all, not "x"',
        '-i3x'  => 'option -i needs a whole number from 1 to 100000, not "3x"',
        '-i1,2' => 'option -i needs a whole number from 1 to 100000, not "1,2"',
    );
    is(error_of($_), "$error{$_}\n", "$_ is refused") for sort keys %error;
    like(error_of($_), qr/\Aunknown option \Q$_\E(?:;|\n)/, "$_ is refused: that option has no value")
        for qw(-v5 -qv -Vx);
};

done_testing();
