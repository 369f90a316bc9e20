use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(failed interrupted measured result run skipped tag tagged);
use UnixBench::Warnings::Trust;

use constant PASSES => 20;

# Takes the name of a test and { number of a pass => [tag, ...] }; returns a test of 20 passes with these tags.
sub test_of {
    my ($name, $tags) = @_;
    return tagged(measured($name, 1, (1000) x PASSES), $tags || {});
}

# Takes a cause, its value and numbers of passes; returns the tags of a test with these passes disturbed.
sub disturbed {
    my ($cause, $value, @passes) = @_;
    return { map { $_ => [tag($cause, 'disturbed', $value)] } @passes };
}

# Takes runs, half-widths, the number of noisy tests and facts of the result; returns the trust.
sub trust {
    my ($runs, $half_widths, $noisy, %facts) = @_;
    return UnixBench::Warnings::Trust::judged(result($runs, %facts), $half_widths, $noisy);
}

my $CALM          = [run(1, test_of('pipe'))];
my $DISTURBED_RUN = [run(1, test_of('pipe', disturbed(load => 0.5, 1 .. 20)))];
my %INTERRUPTED   = (procedure => { kind => 'official', interruption => { by => 'SIGINT' } });

# [what, level, runs, half-widths, noisy tests, facts].
my @LEVELS = (
    ['a calm run',                        'good',       $CALM, [0.01],             0],
    ['an interval of exactly 3 %',        'good',       $CALM, [0.03],             0],
    ['an interval above 3 %',             'fair',       $CALM, [0.031],            0],
    ['an interval of exactly 10 %',       'fair',       $CALM, [0.1],              0],
    ['an interval above 10 %',            'poor',       $CALM, [0.101],            0],
    ['the widest of several intervals',   'poor',       $CALM, [0.01, 0.2, undef], 0],
    ['one noisy test',                    'fair',       $CALM, [0.01],             1],
    ['a wide interval and a noisy test',  'poor',       $CALM, [0.2],              1],
    ['no interval',                       'unknown',    $CALM, [],                 0],
    ['an index without an interval',      'unknown',    $CALM, [undef],            0],
    ['no interval, but a noisy test',     'fair',       $CALM, [],                 1],
    ['no run',                            'incomplete', [],    [],                 0],
    ['an interrupted run',                'incomplete', $CALM, [0.01],             0, %INTERRUPTED],
    ['a failed test',                     'incomplete', [run(1, test_of('pipe'), failed('spawn', 'no'))], [0.01], 0],
    ['an interrupted run, wide interval', 'poor',       $CALM,          [0.24], 0, %INTERRUPTED],
    ['an interrupted run, a bit wide',    'incomplete', $CALM,          [0.04], 0, %INTERRUPTED],
    ['an interrupted run, disturbed',     'poor',       $DISTURBED_RUN, [],     0, %INTERRUPTED],
    ['a failed test, wide interval',      'poor',       [run(1, test_of('pipe'), failed('spawn', 'no'))],    [0.2],  0],
    ['failed tests only',                 'incomplete', [run(1, failed('spawn', 'no'))],                     [],     0],
    ['a skipped test',                    'good',       [run(1, test_of('pipe'), skipped('2d-text', 'no'))], [0.01], 0],
    ['skipped tests only',                'incomplete', [run(1, skipped('2d-text', 'no'))],                  [],     0],
);
for my $case (@LEVELS) {
    my ($what, $level, @given) = @$case;
    is(trust(@given)->{level}, $level, "$what: $level");
}

# The level of a run whose passes show no CPU times of the system, and disturbances of some of them.
for my $case ([0, 'unknown', undef], [5, 'unknown', undef], [6, 'poor', 6]) {
    my ($number, $level, $disturbed) = @$case;
    my $test = test_of('pipe', disturbed(waited => 0.5, 1 .. $number));
    $_->{tags} = undef for grep { !@{ $_->{tags} } } @{ $test->{passes} };
    is_deeply(
        [@{ trust([run(1, $test)], [0.01], 0) }{qw(level disturbed)}],
        [$level, $disturbed],
        "nothing is known of other load, but $number passes waited: $level"
    );
}

# The number of disturbed passes, of 20 => the level.
my %DISTURBED = (0 => 'good', 1 => 'good', 2 => 'fair', 5 => 'fair', 6 => 'poor', 20 => 'poor');
for my $number (sort { $a <=> $b } keys %DISTURBED) {
    my $trust = trust([run(1, test_of('pipe', disturbed(steal => 0.1, 1 .. $number)))], [0.01], 0);
    is($trust->{level},     $DISTURBED{$number}, "$number of 20 passes were disturbed: $DISTURBED{$number}");
    is($trust->{disturbed}, $number,             'these passes are counted');
}
my %little = map { $_ => [tag('steal', 'note', 0.01)] } 1 .. PASSES;
is_deeply(
    trust([run(1, test_of('pipe', \%little))], [0.01], 0),
    {
        level          => 'good',
        passes         => 20,
        disturbed      => 0,
        loaded         => 0,
        limited        => 0,
        worst          => undef,
        tests          => 1,
        failed         => 0,
        is_interrupted => 0,
        noisy          => 0,
        half_width     => 0.01
    },
    'passes that were disturbed a little are not disturbed'
);
is_deeply(
    trust([run(1, test_of('pipe'), failed('spawn', 'no', 1000))], [0.01, undef, 0.02], 3, %INTERRUPTED),
    {
        level          => 'incomplete',
        passes         => 22,
        disturbed      => 0,
        loaded         => 0,
        limited        => 0,
        worst          => undef,
        tests          => 1,
        failed         => 1,
        is_interrupted => 1,
        noisy          => 3,
        half_width     => 0.02
    },
    'passes, failed and noisy tests are counted, and the widest interval is known'
);

# Takes tests of one run each; returns the worst cause as a text.
sub worst {
    my (@tests) = @_;
    my $worst = trust([map { run(1, $_) } @tests], [0.01], 0)->{worst};
    return "$worst->{cause} $worst->{worst} in $worst->{passes}";
}

is(
    worst(test_of('pipe', { 1 => [tag('others', 'disturbed', 0.4)], 2 => [tag('others', 'disturbed', 0.6)] })),
    'others 0.6 in 2',
    'the worst value of the cause is known'
);
my %two = (%{ disturbed(others => 0.4, 1 .. 3) }, %{ disturbed(steal => 0.9, 4 .. 5) });
is(worst(test_of('pipe', \%two)), 'others 0.4 in 3', 'the cause that disturbed most passes is reported');
is(
    worst(test_of('pipe', \%two), test_of('pipe', disturbed(steal => 0.2, 1 .. 2))),
    'steal 0.9 in 4',
    'passes of all runs are counted together'
);
is(
    worst(test_of('pipe', { %little, 1 => [tag('steal', 'disturbed', 0.3)] })),
    'steal 0.3 in 1',
    'passes that were disturbed a little are not counted'
);
is(
    worst(map { test_of('pipe', disturbed(overlap => $_, 1)) } 0.8, 0.5, 0.7),
    'overlap 0.5 in 3',
    'of a cause whose lowest value is the worst, the lowest is reported'
);
is(
    worst(test_of('pipe', { 1 => [map { tag($_, 'disturbed', 1) } qw(swap others)] })),
    'others 1 in 1',
    'of causes that are equally frequent, the first by name is reported'
);

done_testing;
