# Requirements on a run with --over: NAME:p5, NAME:median and NAME:worst-hour.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../accept/t/lib ../../../t/lib);
use Fixture qw(measured result run);
use UnixBench::Accept::Requirement;
use Verdicts qw(case_of);

use constant { START => 1_795_140_000, SLOT => 60, ROUNDS => 200 };

# Takes a function that returns the factor of a round, and perhaps of a test. Also takes the tags of a round, the part
# of the time for which its copies ran, the number of rounds, and names of tests. Returns the result.
sub made {
    my ($factor_of, $tags_of, $ran, $rounds, @names) = @_;
    $rounds //= ROUNDS;
    my @tests;
    for my $name (@names ? @names : qw(pipe syscall context1)) {
        push @tests, measured($name, 1, map { int 1_000_000 * $factor_of->($_, $name) } 1 .. $rounds);
    }
    for my $pass (map { @{ $_->{passes} } } @tests) {
        @$pass{qw(began time_s tags)} =
            (START + SLOT * $pass->{number}, 1, $tags_of ? $tags_of->($pass->{number}) : []);
        next if !defined $ran;
        my $span_s = $pass->{copies}[0]{elapsed_s};
        $pass->{used} = { span_s => $span_s, user_s => $ran * $span_s, kernel_s => 0 };
    }
    my $result = result([{ %{ run(1, @tests) }, rounds => $rounds }]);
    my %quick  = (kind => 'quick', over => { over_s => SLOT * $rounds, rounds => $rounds });
    $result->{procedure} = { %{ $result->{procedure} }, %quick };
    return $result;
}

sub verdict { my (@of) = @_; return case_of(@of)->{verdict} }

# Values vary by 3 %; the last hour of three is a tenth slower.
my $DAY = made(sub { my ($round) = @_; (1 + 0.03 * sin 5 * $round) * ($round > 140 ? 0.9 : 1) });

subtest 'the grammar' => sub {
    my $parsed = UnixBench::Accept::Requirement::of_word('8 : pipe : worst-hour >= 0.9 * pipe');
    is_deeply([@$parsed{qw(copies name quantity number is_own)}], [8, 'pipe', 'worst-hour', 0.9, 1], 'of the same run');
    ok(!eval { UnixBench::Accept::Requirement::of_word('index:p4>=1000') },     'an unknown word is refused');
    ok(!eval { UnixBench::Accept::Requirement::of_word('index:p5>=0.9*good') }, 'so is another result');
    like($@, qr/: p5 is compared with a number, or with the value in the same run, such as 0[.]9[*]index$/, 'and why');
};

subtest 'verdicts' => sub {
    my $p5 = case_of($DAY, 'pipe:p5>=1');
    cmp_ok(abs($p5->{value} / 873_000 - 1), '<', 0.01, "5 % of the rounds are slower than $p5->{value}");
    my @cases = (
        ['p5>=800000'         => 'PASS'],
        ['p5>=950000'         => 'FAIL'],
        ["p5>=$p5->{value}"   => 'INCONCLUSIVE'],
        ['p5>=0.85*pipe'      => 'PASS'],
        ['p5>=0.98*pipe'      => 'FAIL'],
        ['median>=0.9*pipe'   => 'PASS'],
        ['worst-hour>=800000' => 'PASS'],
        ['worst-hour>=990000' => 'FAIL'],
    );
    is(verdict($DAY, "pipe:$_->[0]"), $_->[1], $_->[0]) for @cases;
};

subtest 'what is not known' => sub {
    my $plain = made(sub { 1 });
    delete $plain->{procedure}{over};
    ok(!eval { case_of($plain, 'pipe:p5>=1') }, 'a run without --over has none');
    is($@, qq{requirement "pipe:p5>=1": p5 is not known of the result: it needs --over\n}, 'and the line says so');
};

subtest 'other load in all rounds' => sub {
    my $steady   = sub { my ($round) = @_; return 1 + 0.01 * sin $round };
    my $loud     = made($steady, sub { return [{ cause => 'others', level => 'disturbed', value => 1 }] }, 0.5);
    my %expected = (
        'pipe:p5>=900000'     => 'PASS',
        'pipe:p5>=2000000'    => 'INCONCLUSIVE',
        'pipe:p5>=13000000'   => 'FAIL',
        'context1:p5>=900000' => 'INCONCLUSIVE',
    );
    is(verdict($loud, $_), $expected{$_}, "$_: $expected{$_}") for sort keys %expected;
};

subtest 'few rounds' => sub {
    my $of = sub {
        my ($rounds) = @_;
        return made(sub { 1 + 0.01 * sin $_[0] }, undef, undef, $rounds);
    };
    is(verdict($of->(71), 'pipe:p5>=900000'), 'INCONCLUSIVE', 'the lowest of 71 may be above the 5 %');
    is(verdict($of->(72), 'pipe:p5>=900000'), 'PASS',         'with 72 it is below with 97.5 %');
    my $rare = made(sub { 1 }, undef, undef, 48);
    $rare->{procedure}{over}{over_s} = 30 * 3600;
    ok(!eval { case_of($rare, 'pipe:worst-hour>=1') }, 'too few for hours');
    is(
        $@,
        qq{requirement "pipe:worst-hour>=1": an hour has 1.6 rounds, and worst-hour needs 3: measure fewer tests or }
            . "copies\n",
        'and the line says so'
    );
};

done_testing;
