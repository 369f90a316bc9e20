use strict;
use warnings;

use Test::More;

use UnixBench::CLI::Options;
use UnixBench::Catalog;

# Habits of users: ways to write options that other programs accept, misspelt words, and options that contradict each
# other.

# Takes words; returns the options that differ from the default.
sub options_of {
    my (@words) = @_;
    my $options = UnixBench::CLI::Options::parse(@words);
    delete @$options{qw(requirements has_standard_output)};
    delete $options->{tests} if "@{ $options->{asked} || [] }" eq 'index';
    delete $options->{asked} if "@{ $options->{asked} || [] }" eq 'index';
    delete $options->{copies} if !@{ $options->{copies} };
    return $options;
}

# Takes words; returns the error, or undef if they are accepted.
sub error_of {
    my (@words) = @_;
    return eval { UnixBench::CLI::Options::parse(@words); 1 } ? undef : $@;
}

my $GROUPS = 'Groups: measure quick look output results acceptance multiuser';
my %PIPE   = (asked => ['pipe'], tests => ['pipe']);

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
        ['help'                   => { help       => 1 }],
        ['help quick'             => { help       => 'quick' }],
        ['--help quick'           => { help       => 'quick' }],
        ['--help=quick'           => { help       => 'quick' }],
        ['--help multiuser'       => { help       => 'multiuser' }],
        ['--help -q'              => { help       => 1,       quiet => 1 }],
        ['--help quick pipe'      => { help       => 'quick', %PIPE }],
        ['--quick --max-time=40s' => { quick      => 1,       max_time_s => 40 }],
        ['--doctor --strict'      => { doctor     => 1,       strict     => 1 }],
    );
    for my $case (@same) {
        my ($words, $expected) = @$case;
        is_deeply(options_of(split q{ }, $words), $expected, "./Run $words is accepted");
    }
    for my $words ('-c 1,8', '-c1,8') {
        is_deeply(
            UnixBench::CLI::Options::parse(split q{ }, $words),
            UnixBench::CLI::Options::parse(qw(-c 1 -c 8)),
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
    is_deeply(options_of(qw(--rank -- -r)), { rank => 1, files => ['-r'] }, 'with --rank, the word is a result');
};

subtest '-- separates the sides of a comparison' => sub {
    my $sides = './Run --compare A1 A2 -- B1 B2';
    my @cases = (
        ['a b'              => { files => [qw(a b)] }],
        ['a -- b'           => { files => [qw(a b)],       sets => [1, 1] }],
        ['a b c -- d e'     => { files => [qw(a b c d e)], sets => [3, 2] }],
        ['a -- b -q'        => { files => [qw(a b)], sets => [1, 1], quiet => 1 }],
        ['a -- b --force c' => { files => [qw(a b c)], sets => [1, 2], force => 1 }],
    );
    for my $case (@cases) {
        my ($words, $expected) = @$case;
        is_deeply(
            options_of('--compare', split q{ }, $words),
            { compare => 1, %$expected },
            "./Run --compare $words is accepted"
        );
    }
    for my $words ('-- a', 'a --', 'a -- b -- c', 'a -- -- b') {
        is(
            error_of('--compare', split q{ }, $words),
            "option --compare: \"--\" separates two sides, each with one result or more: $sides\n",
            "./Run --compare $words is refused"
        );
    }
};

subtest '--fleet takes a list or results' => sub {
    is_deeply(options_of(@$_), { fleet => 1, files => [@$_[1 .. $#$_]] }, "./Run @$_ is accepted")
        for ['--fleet', 'list.csv'], ['--fleet', 'a', 'b'];
    is(error_of('--fleet'), "option --fleet needs a list or results: ./Run --fleet LIST.csv\n", 'nothing is refused');
    is_deeply(
        options_of(qw(--fleet a -q --json - --force)),
        { fleet => 1, files => ['a'], quiet => 1, json => q{-}, force => 1 },
        'options are accepted'
    );
    is(
        error_of('--fleet', 'a', split q{ }),
        'option --fleet reads existing results: leave out ' . (split)[0] . "\n",
        "--fleet with $_ is refused"
    ) for '-v', '-c 2', '--quick', '--tap', '--details', '--setup', '--no-identity';
};

subtest '--rank takes one result or none' => sub {
    is_deeply(options_of(@$_), { rank => 1, files => [@$_[1 .. $#$_]] }, "./Run @$_ is accepted")
        for ['--rank'], ['--rank', 'a'];
    is(error_of(qw(--rank a b)), "option --rank takes one result, not 2\n", 'two results are refused');
    is_deeply(options_of(qw(--rank a -q)), { rank => 1, files => ['a'], quiet => 1 }, '-q is accepted');
    is(
        error_of('--rank', 'a', split q{ }),
        'option --rank reads an existing result: leave out ' . (split)[0] . "\n",
        "--rank with $_ is refused"
    ) for '-v', '-c 2', '--quick', '--json j', '--html -', '--details', '--force';
};

subtest 'a misspelt word gets a suggestion' => sub {
    my %suggestion = (
        '--lst'          => '--list',
        '--Quick'        => '--quick',
        '-quick'         => '--quick',
        '--max_time=4'   => '--max-time',
        '--compair'      => '--compare',
        '--dryrun'       => '--dry-run',
        '--find-capacty' => '--find-capacity',
        '-C'             => '-c',
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
    is(error_of('pips'), qq{unknown test "pips"; did you mean pipe?\nSee ./Run --list for the tests.\n}, 'a test');
    is(error_of(@$_),    qq{unknown group of options "quik"; did you mean quick?\n$GROUPS\n}, "the group after $_->[0]")
        for ['--help', 'quik'], ['help', 'quik'], ['--help=quik'];
    is(error_of('--help', 'xyzzy'), qq{unknown group of options "xyzzy"\n$GROUPS\n}, 'an unknown group');
    is(error_of('--help', q{}),     qq{unknown group of options ""\n$GROUPS\n},      'an empty group');
    is(
        error_of('--help', 'pipe'),
        qq{unknown group of options "pipe"; it is a test: ./Run --explain pipe\n$GROUPS\n},
        'a test instead of a group'
    );
    is(
        error_of(qw(pipe help)),
        qq{unknown test "help"\nSee ./Run --list for the tests.\n},
        'help is a command only if it is the first word'
    );
};

subtest 'options that contradict each other are refused' => sub {
    my @pairs = (
        [qw(-q -v)],                   [qw(--quick -i)],
        [qw(--find-capacity --users)], [qw(--observe --doctor)],
        [qw(--observe --explain)],     [qw(--list --doctor)],
        [qw(--list --explain)],        [qw(--explain --doctor)],
        [qw(--resume --list)],         [qw(--resume --report)],
        [qw(--report --compare)],      [qw(--compare --rank)],
        [qw(--doctor --compare)],      [qw(--fleet --compare)],
        [qw(--fleet --report)],
    );
    my %value = ('-i' => [3], '--users' => [5], '--observe' => ['syscalls'], '--resume' => ['r'], '--report' => ['r']);
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
    is(error_of('--strict'), "option --strict needs --doctor\n", 'an option without the one that it needs is refused');
};

subtest 'a short option with a value in the same word is checked' => sub {
    my %error = (
        '-c1.5' => 'option -c needs a whole number from 1 to 65536, not "1.5"',
        '-c0'   => 'option -c needs a whole number from 1 to 65536, not "0"',
        '-c1,'  => 'option -c needs a whole number from 1 to 65536, not ""',
        '-c,1'  => 'option -c needs a whole number from 1 to 65536, not ""',
        '-c1,x' => 'option -c needs a whole number from 1 to 65536, not "x"',
        '-i3x'  => 'option -i needs a whole number from 1 to 100000, not "3x"',
        '-i1,2' => 'option -i needs a whole number from 1 to 100000, not "1,2"',
    );
    is(error_of($_), "$error{$_}\n", "$_ is refused") for sort keys %error;
    like(error_of($_), qr/\Aunknown option \Q$_\E(?:;|\n)/, "$_ is refused: that option has no value")
        for qw(-v5 -qv -Vx);
};

done_testing();
