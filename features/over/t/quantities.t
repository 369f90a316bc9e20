# Requirements on a run with --over: NAME:p5, NAME:median and NAME:worst-hour.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use Fixture qw(baseline measured result run);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Requirement;
use UnixBench::Plan::Baseline;
use UnixBench::Store::Summary;

use constant { START => 1_795_140_000, SLOT => 60, ROUNDS => 200 };

# Takes a function that returns the factor of a round, and perhaps the tags of a round; returns the result.
sub made {
    my ($factor_of, $tags_of) = @_;
    my @tests = map {
        measured($_, 1, map { int 1_000_000 * $factor_of->($_) } 1 .. ROUNDS)
    } qw(pipe syscall);
    for my $pass (map { @{ $_->{passes} } } @tests) {
        @$pass{qw(began time_s tags)} =
            (START + SLOT * $pass->{number}, 1, $tags_of ? $tags_of->($pass->{number}) : []);
    }
    my $result = result([{ %{ run(1, @tests) }, rounds => ROUNDS }]);
    my %quick  = (kind => 'quick', over => { over_s => SLOT * ROUNDS, rounds => ROUNDS });
    $result->{procedure} = { %{ $result->{procedure} }, %quick };
    return $result;
}

# Takes a result and an expression; returns the case of that requirement. Dies if it is refused.
sub case_of {
    my ($result, $text) = @_;
    my $summary = UnixBench::Store::Summary::of($result);
    my $asked   = UnixBench::Accept::Requirement::request_of($summary, UnixBench::Plan::Baseline::parse(baseline()));
    my $requirement = UnixBench::Accept::Requirement::of_word($text);
    UnixBench::Accept::Requirement::check([$requirement], $asked);
    my @criteria = UnixBench::Accept::Requirement::of([$requirement], $asked, {});
    my ($case) =
        grep { $_->{kind} eq 'requirement' } UnixBench::Accept::Acceptance::cases($result, $summary, @criteria);
    return $case;
}

sub verdict { my (@of) = @_; return case_of(@of)->{verdict} }

# Values vary by 3 %; the last hour of three is a tenth slower.
my $DAY = made(sub { my ($round) = @_; (1 + 0.03 * sin 5 * $round) * ($round > 140 ? 0.9 : 1) });

subtest 'the grammar' => sub {
    my $parsed = sub { my ($text) = @_; return { %{ UnixBench::Accept::Requirement::parse($text) }, text => undef } };
    my %usual  = (text => undef, copies => undef, name => 'index', category => 'system', number => 1000, file => undef);
    is_deeply($parsed->('index:p5>=1000'), { %usual, quantity => 'p5', is_own => 0 }, 'NAME:p5');
    is_deeply(
        $parsed->('8 : pipe : worst-hour >= 0.9 * pipe'),
        {
            %usual,
            copies   => 8,
            name     => 'pipe',
            category => undef,
            number   => 0.9,
            quantity => 'worst-hour',
            is_own   => 1
        },
        'N:NAME:worst-hour, and the value of the same run'
    );
    is_deeply(
        $parsed->('index:p5>=0.9*good'),
        { %usual, number => 0.9, file => 'good', quantity => 'p5', is_own => 0 },
        'another result'
    );
    is($parsed->('index>=0.9*index')->{file}, 'index', 'without a quantity, *index is a result');
    ok(!eval { $parsed->('index:p4>=1000') }, 'an unknown word is refused');
    like($@, qr/\Arequirement "index:p4>=1000": unknown name "p4"/, 'with its name');
};

subtest 'verdicts' => sub {
    my $p5 = case_of($DAY, 'pipe:p5>=1');
    cmp_ok(abs($p5->{value} / 873_000 - 1), '<', 0.01,         "5 % of the rounds are slower than $p5->{value}");
    cmp_ok($p5->{low},                      '<', $p5->{value}, 'its interval begins below');
    cmp_ok($p5->{high},                     '>', $p5->{value}, 'and ends above');
    is(verdict($DAY, 'pipe:p5>=800000'),       'PASS',         'met');
    is(verdict($DAY, 'pipe:p5>=950000'),       'FAIL',         'not met');
    is(verdict($DAY, "pipe:p5>=$p5->{value}"), 'INCONCLUSIVE', 'the limit is within the interval');
    is(verdict($DAY, 'pipe:p5>=0.85*pipe'),    'PASS',         'met by the value of the same run');
    is(verdict($DAY, 'pipe:p5>=0.98*pipe'),    'FAIL',         'not met by it');
    is(verdict($DAY, 'pipe:median>=0.9*pipe'), 'PASS',         'the median');
    my $hour = case_of($DAY, 'pipe:worst-hour>=990000');
    is($hour->{verdict}, 'FAIL', 'the worst hour');
    cmp_ok(abs($hour->{value} / 900_000 - 1), '<', 0.02, "its mean: $hour->{value}");
};

subtest 'what is not known' => sub {
    my $plain = made(sub { 1 });
    delete $plain->{procedure}{over};
    ok(!eval { case_of($plain, 'pipe:p5>=1') }, 'a run without --over has none');
    is($@, qq{requirement "pipe:p5>=1": p5 is not known of the result: it needs --over\n}, 'and the line says so');
    my $few = made(sub { 1 });
    splice @{ $_->{passes} }, 20 for @{ $few->{runs}[0]{tests} };
    is(verdict($few, 'pipe:p5>=1'), 'INCONCLUSIVE', 'neither have 20 rounds');
};

subtest 'other load' => sub {
    my $slow = sub { my ($round) = @_; return $round % 10 ? 1 + 0.01 * sin $round : 0.7 };
    my $loaded =
        sub { my ($round) = @_; return $round % 10 ? [] : [{ cause => 'others', level => 'disturbed', value => 1 }] };
    is(verdict(made($slow),          'pipe:p5>=900000'), 'FAIL',         'slow rounds do not meet it');
    is(verdict(made($slow, $loaded), 'pipe:p5>=900000'), 'INCONCLUSIVE', 'unless other load is the reason');
};

done_testing;
