# Requirements about the ratio of a state to the plain machine.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../under/t/lib ../../under/lib ../../../t/lib);
use Gallery::Experiments qw(experiment);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Ratio;
use UnixBench::Accept::Requirement;
use UnixBench::Accept::Verdict qw(sentence);
use UnixBench::Summary;

my @TESTS = qw(pipe syscall);

is_deeply(
    [
        map { UnixBench::Accept::Ratio::states_of(UnixBench::Summary::of($_)) }
            experiment([qw(env env)], tests => ['pipe'])
    ],
    [3, 1, 1],
    'only the first result has ratios'
);

# Takes a requirement, a function that changes the cell of pipe in B, and arguments of experiment(). Returns the case.
sub judged {
    my ($text, $change, %with) = @_;
    my ($result) = experiment(['env'], tests => \@TESTS, factors => [0.9], %with);
    my ($row)    = grep { ($_->{name} // q{}) eq 'pipe' } @{ $result->{experiment}{tables}[0]{rows} };
    $change->($row->{others}[0], $result) if $change;
    my $summary  = UnixBench::Summary::of($result);
    my $asked    = UnixBench::Accept::Requirement::request_of($summary, {});
    my @criteria = UnixBench::Accept::Requirement::of([UnixBench::Accept::Requirement::of_word($text)], $asked, {});
    my ($case) =
        grep { $_->{kind} eq 'requirement' } UnixBench::Accept::Acceptance::cases($summary, $result, @criteria);
    return $case;
}

sub verdict { return judged(@_)->{verdict} }

subtest 'the interval decides' => sub {
    is(verdict('b/a:pipe>=0.89'), 'PASS', 'it is above the limit');
    is(verdict('b/a:pipe>=0.91'), 'FAIL', 'it is below');
    like(
        sentence(judged('b/a:pipe>=0.9')),
        qr/\AINCONCLUSIVE .* 0[.]9\d*, somewhere from 0[.]8\d+ to 0[.]9\d+: more rounds [(]--max-time[)] narrow it\z/,
        'the limit is inside'
    );
    my $failed = judged('b/a:pipe>=0.5', undef, factors => [{ pipe => undef }]);
    like("$failed->{verdict}: $failed->{reason}", qr/\AINCONCLUSIVE: exit status 125/, 'the test has failed in B');
    is(verdict('b/a:pipe>=0.5', sub { delete $_[1]{experiment} }), 'INCONCLUSIVE', 'a run without a complete round');
    my %all = (tests => undef, copies => [1, 8], factors => [0.9]);
    is(verdict('8:b/a:index>=0.89', undef, %all), 'PASS', 'an index has a ratio with each number of copies');
    is(verdict('8:b/a:index>=0.91', undef, %all), 'FAIL', 'and may be below the limit');
};

subtest 'other load' => sub {
    my $open = sub { @{ $_[0] }{qw(verdict is_disturbed)} = ('inconclusive', 1) };
    my $case = judged('b/a:pipe>=0.91', $open);
    my $why  = 'INCONCLUSIVE: other load disturbed its passes: stop it and measure again';
    is("$case->{verdict}: $case->{reason}", $why,           'it leaves a ratio below the limit open');
    is(verdict('b/a:pipe>=0.1', $open),     'INCONCLUSIVE', 'and one above: load may have slowed A');
    my $bound = sub { @{ $_[0] }{qw(verdict is_disturbed bound)} = ('slower', 1, { ratio => 0.32 }) };
    like(sentence(judged('b/a:pipe>=0.5', $bound)), qr/\AFAIL .*: 0[.]9\d*, at most 0[.]32\z/, 'it explains a part');
    is(verdict('b/a:pipe>=0.3', $bound),                                 'INCONCLUSIVE', 'of what is missing');
    is(verdict('b/a:pipe>=0.1', sub { $_[0]{remarks} = ['its start'] }), 'INCONCLUSIVE', 'so does a long start');
};

subtest 'an unfinished run' => sub {
    my ($first, $other) = map { $_->{runs}[0] } experiment(['env'], tests => \@TESTS, factors => [0.9]);
    my %criterion = (name => 'pipe', category => undef, state => 1, copies => 1);
    my $found     = UnixBench::Accept::Ratio::found(\%criterion, undef, { %$first, others => [$other] });
    cmp_ok(abs($found->{ratio}{value} - 0.9), '<', 0.01, 'has the ratio of its pairs so far');
    is_deeply([@$found{qw(remarks is_disturbed)}], [[], 0], 'which is not open');
};

done_testing;
