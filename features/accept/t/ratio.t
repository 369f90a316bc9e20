# Requirements about the ratio of a state to the plain machine.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../under/t/lib ../../under/lib ../../../t/lib);
use Experiments qw(experiment);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Ratio;
use UnixBench::Accept::Requirement;
use UnixBench::Accept::Verdict qw(finding);
use UnixBench::Store::Summary;

sub parsed {
    my ($text) = @_;
    return eval { UnixBench::Accept::Requirement::parse($text) } || $@;
}

subtest 'the words of a requirement' => sub {
    my %meant = (
        'b/a:index>=0.9'       => [1,     undef, 'index'],
        'B/A:index>=0.9'       => [1,     undef, 'index'],
        ' c / a : pipe >= 0.9' => [2,     undef, 'pipe'],
        '8:f/a:pipe>=1'        => [5,     8,     'pipe'],
        'all:b/a:pipe>=1'      => [1,     'all', 'pipe'],
        '8:pipe>=1'            => [undef, 8,     'pipe'],
    );
    is_deeply([@{ parsed($_) }{qw(state copies name)}], $meant{$_}, $_) for sort keys %meant;
    my $other   = 'a ratio is that of a state to a, the plain machine, such as b/a';
    my $alone   = 'a ratio is compared with a number, and nothing else';
    my %refused = (
        'a/b:index>=0.9'   => $other,
        'c/b:index>=0.9'   => $other,
        'a/a:index>=0.9'   => $other,
        'b/a:index>=0.9*x' => $alone,
        'b/a:index:p5>=1'  => $alone,
        'b/a>=1'           => 'unknown name "b/a"; names are index, 2d-index, 3d-index and the tests of ./Run --list',
    );
    is(parsed($_), qq{requirement "$_": $refused{$_}\n}, "refused: $_") for sort keys %refused;
};

my @TESTS = qw(pipe syscall);

# Takes a requirement and keys of a request; returns why it is refused, or undef.
sub refusal {
    my ($text, @asked) = @_;
    my @requests = map { +{ tests => \@TESTS, copies => [1], baseline => {}, %$_ } } @asked;
    return eval { UnixBench::Accept::Requirement::check([parsed($text)], @requests); 1 } ? undef : $@;
}

subtest 'what is measured' => sub {
    my $beginning = 'requirement "c/a:pipe>=1": ';
    is(refusal('c/a:pipe>=1', { states => 3 }), undef,                                            'the third state');
    is(refusal('c/a:pipe>=1', { states => 2 }), "${beginning}there is no state C, only A to B\n", 'two states');
    my $needs = "${beginning}a ratio needs a run with --under: ";
    is(refusal('c/a:pipe>=1', {}),                 "${needs}this one has none\n",     'one state');
    is(refusal('c/a:pipe>=1', { is_result => 1 }), "${needs}name its first result\n", 'a result of one state');
    is(
        refusal('c/a:pipe>=1', ({ states => 3 }) x 2),
        "${beginning}a ratio is of one run: judge each result alone\n",
        'several results'
    );
    my @results = map { UnixBench::Accept::Ratio::states_of(UnixBench::Store::Summary::of($_)) }
        experiment([qw(env env)], tests => ['pipe']);
    is_deeply(\@results, [3, 1, 1], 'only the first result has ratios');
};

# Takes a requirement, a function that changes the cell of pipe in B, and arguments of experiment(), perhaps with
# covered, the confidence in a bisection. Returns the case.
sub judged {
    my ($text, $change, %with) = @_;
    my $covered  = delete $with{covered};
    my ($result) = experiment(['env'], tests => \@TESTS, factors => [0.9], %with);
    my ($row)    = grep { ($_->{name} // q{}) eq 'pipe' } @{ $result->{experiment}{tables}[0]{rows} };
    $change->($row->{others}[0], $result) if $change;
    my $summary = UnixBench::Store::Summary::of($result);
    $summary->{runs}[0]{covered} = $covered if defined $covered;
    my $asked    = UnixBench::Accept::Requirement::request_of($summary, {});
    my @criteria = UnixBench::Accept::Requirement::of([parsed($text)], $asked, {});
    my ($case) =
        grep { $_->{kind} eq 'requirement' } UnixBench::Accept::Acceptance::cases($result, $summary, @criteria);
    return $case;
}

sub verdict { return judged(@_)->{verdict} }

subtest 'the interval decides' => sub {
    is(verdict('b/a:pipe>=0.89'), 'PASS',         'it is above the limit');
    is(verdict('b/a:pipe>=0.91'), 'FAIL',         'it is below');
    is(verdict('b/a:pipe>=0.9'),  'INCONCLUSIVE', 'the limit is inside');
    is(
        judged('b/a:pipe>=0.9')->{reason},
        'the limit is within the interval: more rounds (--max-time) narrow it',
        'the reason has a remedy'
    );
    like(
        finding(judged('b/a:pipe>=0.91')),
        qr/\A0[.]9\d* over pairs of passes, 95 % interval 0[.]8\d+ to 0[.]9\d+\z/,
        'the finding names pairs'
    );
    my $failed = judged('b/a:pipe>=0.5', undef, factors => [{ pipe => undef }]);
    is($failed->{verdict}, 'INCONCLUSIVE', 'the test has failed in B');
    like($failed->{reason}, qr/\Aexit status 125/, 'the reason is that of the failure');
    is(verdict('b/a:pipe>=0.5', sub { delete $_[1]{experiment} }), 'INCONCLUSIVE', 'a run without a complete round');
};

subtest 'the index' => sub {
    my %all = (tests => undef, copies => [1, 8], factors => [0.9]);
    is(verdict('8:b/a:index>=0.89', undef, %all), 'PASS', 'it has a ratio with each number of copies');
    is(verdict('8:b/a:index>=0.91', undef, %all), 'FAIL', 'and may be below the limit');
};

subtest 'other load' => sub {
    my $why  = 'other load disturbed its passes: stop it and measure again';
    my $open = sub { @{ $_[0] }{qw(verdict is_disturbed)} = ('inconclusive', 1) };
    my $case = judged('b/a:pipe>=0.91', $open);
    is_deeply([@$case{qw(verdict reason)}], ['INCONCLUSIVE', $why], 'it leaves a ratio below the limit open');
    is(verdict('b/a:pipe>=0.1', $open), 'INCONCLUSIVE', 'and one above: load may have slowed A');
    is(verdict('b/a:pipe>=0.1', sub { $_[0]{remarks} = ['the start takes long'] }),
        'INCONCLUSIVE', 'so does a long start');
    my $bound = sub {
        my ($limit) = @_;
        return sub { $open->(@_); $_[0]{bound} = { ratio => $limit, explains => 2.4 } };
    };
    is(verdict('b/a:pipe>=0.91', $bound->(0.5)), 'FAIL', 'what load explains is not enough');
    is(
        judged('b/a:pipe>=0.91', $bound->(0.5))->{reason},
        'other load explains at most a factor of 2.40',
        'the reason is that factor'
    );
    is_deeply(
        [@{ judged('b/a:pipe>=0.91', $bound->(0.5), covered => 0.999) }{qw(verdict reason)}],
        [INCONCLUSIVE => 'other load disturbed its passes, and a bisection needs passes without it'],
        'a bisection does not go by it'
    );
    is(verdict('b/a:pipe>=0.4', $bound->(0.5)), 'INCONCLUSIVE', 'an upper limit is not a lower one');
    is(verdict('b/a:pipe>=1.5', $bound->(2)),   'PASS',         'B is faster anyway');
    is(verdict('b/a:pipe>=3',   $bound->(2)),   'INCONCLUSIVE', 'a lower limit is not an upper one');
};

subtest 'an unfinished run' => sub {
    my ($first, $other) = map { $_->{runs}[0] } experiment(['env'], tests => \@TESTS, factors => [0.9]);
    my %criterion = (name => 'pipe', category => undef, state => 1, copies => 1);
    my $found     = UnixBench::Accept::Ratio::found(\%criterion, undef, { %$first, others => [$other] });
    cmp_ok(abs($found->{ratio}{value} - 0.9), '<', 0.01, 'has the ratio of its pairs so far');
    is_deeply($found->{remarks}, [], 'which is not open');
};

done_testing;
