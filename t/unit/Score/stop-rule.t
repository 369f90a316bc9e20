use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(failed skipped);
use QuickRun qw(in_rounds run_of_rounds);
use UnixBench::Score::StopRule;

my %USUAL = (precision => 0.01, max_time_s => 120);

# Rates of rounds that differ by a ten-thousandth, and by a tenth.
my @QUIET = map { 1e6 + 100 * $_ } 1,   -1, 2,   -2, 0,   1;
my @NOISY = map { 1e6 + 1e5 * $_ } 1,   -1, 0.5, 0,  1.5, -0.5;
my @FAIR  = map { 1e6 + 1e4 * $_ } 0.8, -1, 0.5, 0,  1.2, -0.5;

# A run of some tests after so many rounds.
sub after {
    my ($rounds, %rates) = @_;
    return run_of_rounds(map { in_rounds($_, @{ $rates{$_} }[0 .. $rounds - 1]) } sort keys %rates);
}

# What is decided of a run of the pipe test after so many rounds, so many seconds after its beginning.
sub decided {
    my ($rates, $rounds, $elapsed_s, %with) = @_;
    return
        scalar UnixBench::Score::StopRule->new(%USUAL, %with)->decide(after($rounds, pipe => $rates), $elapsed_s, 16);
}

subtest 'precise enough' => sub {
    is(decided(\@QUIET, 3, 48),                    undef,     'not in three rounds');
    is(decided(\@QUIET, 4, 64),                    undef,     'not in four');
    is(decided(\@QUIET, 5, 80),                    'reached', 'in five');
    is(decided(\@NOISY, 5, 80),                    undef,     'but not with noise');
    is(decided(\@FAIR, 5, 80),                     undef,     'not within 1 %');
    is(decided(\@FAIR, 5, 80, precision => 0.02),  'reached', 'within 2 %');
    is(decided(\@NOISY, 5, 80, precision => 0.02), undef,     'not with more noise');
};

subtest 'out of time' => sub {
    is(decided(\@NOISY, 6, 102),                 undef,     'the next round ends in time');
    is(decided(\@NOISY, 6, 102.1),               'time',    'it does not');
    is(decided(\@NOISY, 3, 102.1),               'time',    'after three rounds');
    is(decided(\@NOISY, 2, 1000),                undef,     'never after two');
    is(decided(\@QUIET, 5, 1000),                'reached', 'but precise enough');
    is(decided(\@NOISY, 3, 9, max_time_s => 27), undef,     'another limit');
    is(decided(\@NOISY, 3, 9, max_time_s => 26), 'time',    'and a lower one');
};

subtest 'what is required' => sub {
    my @asked;
    my %open = (is_decided => sub { push @asked, $_[0]{rounds}; return @{ $_[0]{tests}[0]{passes} } > 5 });
    is(decided(\@QUIET, 5, 80,  %open), undef,     'it stays open: another round');
    is(decided(\@QUIET, 6, 96,  %open), 'reached', 'it is decided');
    is(decided(\@QUIET, 5, 103, %open), 'time',    'it stays open, but there is no time');
    is_deeply(\@asked, [5, 6, 5], 'it is given the run');
};

subtest 'tests that fail' => sub {
    my $rule = UnixBench::Score::StopRule->new(%USUAL);
    my @gone = (failed('pipe', 'killed by SIGSEGV'), skipped('ubgears', 'no display'));
    is($rule->decide(run_of_rounds(@gone, in_rounds('spawn', @QUIET)), 80, 16), 'reached', 'the others go on');
};

subtest 'to repeat a slice' => sub {
    my $rule  = UnixBench::Score::StopRule->new(%USUAL, max_time_s => 60);
    my %time  = (elapsed_s => 40, ahead_s => 15, pass_s => 3, round => 5, round_s => 10);
    my $is_ok = sub { $rule->may_repeat(%time, @_) ? 1 : 0 };
    is($is_ok->(),                           1, 'there is time');
    is($is_ok->(pass_s => 3.1),              0, 'but for the slice');
    is($is_ok->(ahead_s => 17),              0, 'for the rest of the round');
    is($is_ok->(elapsed_s => 43),            0, 'now');
    is($is_ok->(round => 7),                 1, 'in a round beyond those that are needed');
    is($is_ok->(round => 4),                 0, 'for the fifth round');
    is($is_ok->(round => 4, ahead_s => 5),   1, 'unless it fits');
    is($is_ok->(round => 1, elapsed_s => 0), 1, 'in the first round');
    is($is_ok->(round => 1, elapsed_s => 1), 0, 'unless four more fit');
};

# What is known of a run: the title, its half-width in units of 1e-6, the names of costly tests.
sub known_of {
    my ($run)     = @_;
    my $precision = UnixBench::Score::StopRule::precision_of($run);
    my $half      = $precision->{half_width};
    return [$precision->{of}, defined $half ? sprintf('%.0f', 1e6 * $half) : undef, "@{ $precision->{costly} }"];
}

# Slices of a test whose logarithms have a standard error of 0.35355 times this part.
sub with_noise {
    my ($name, $part, @signs) = @_;
    return in_rounds($name, map { 1e6 * exp($part * $_) } @signs ? @signs : (1, -1, 0.5, -0.5, 0));
}

subtest 'how sure a run is' => sub {
    my $title = 'System Benchmarks';
    my @hanoi = (with_noise('hanoi', 0.01), 'Recursion Test -- Tower of Hanoi');
    is_deeply(
        known_of(run_of_rounds($hanoi[0])),
        [$hanoi[1], 9816, 'hanoi'],
        'one test without an index: t(4) = 2.7764'
    );
    is_deeply(
        known_of(run_of_rounds($hanoi[0], with_noise('arithoh', 0.03))),
        [undef, 19_632, 'arithoh'],
        'two of them'
    );
    is_deeply(known_of(run_of_rounds($hanoi[0], with_noise('pipe', 0.001))), [$title, 982, 'pipe'],
        'one with an index');
    is_deeply(
        known_of(run_of_rounds(with_noise('pipe', 0.01), with_noise('2d-rects', 0.02))),
        ['2D Graphics Benchmarks', 19_632, '2d-rects'],
        'two indexes: the wider one'
    );
    is_deeply(
        known_of(run_of_rounds(with_noise('pipe', 0.01), with_noise('2d-rects', 0.02, 1))),
        ['2D Graphics Benchmarks', undef, q{}],
        'one of which nothing is known'
    );
    is_deeply(known_of(run_of_rounds(failed('pipe', 'gone'))), [undef, undef, q{}], 'no test at all');
};

subtest 'which tests cost it' => sub {
    my $costly = sub { known_of(run_of_rounds(@_))->[2] };
    my @equal  = map { with_noise($_, 0.01) } qw(context1 dhry2reg execl fsdisk fstime pipe shell1 shell8);
    is($costly->(@equal[0 .. 3]),                    'context1 dhry2reg',       'half of four');
    is($costly->(@equal[0 .. 4]),                    'context1 dhry2reg execl', 'three of five');
    is($costly->(@equal),                            'context1 dhry2reg execl', 'three of eight');
    is($costly->(@equal, with_noise('spawn', 0.03)), 'spawn',                   'one that makes half of it');
    is($costly->(@equal, with_noise('spawn', 0.02)), 'spawn context1 dhry2reg', 'one that does not, and two more');
    is($costly->(map { with_noise($_, 0) } qw(pipe spawn)), q{},                'none where nothing varies');
    is($costly->(@equal[0, 1], with_noise('hanoi', 1)),     'context1',         'none that is no part of the index');
};

done_testing;
