use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(failed interrupted measured result run skipped tag tagged);
use UnixBench::Warnings::All;
use UnixBench::Warnings::Trust;
use UnixBench::Warnings::Wording;

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
    is_deeply([@{ trust([run(1, $test)], [0.01], 0) }{qw(level disturbed)}], [$level, $disturbed], "$number: $level");
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
    trust([run(1, test_of('pipe', \%little), failed('spawn', 'no', 1000))], [0.01, undef, 0.02], 3, %INTERRUPTED),
    {
        level => 'incomplete',
        (map { $_ => undef } qw(worst also steal)),
        (map { $_ => 0 } qw(disturbed loaded limited)),
        (map { $_ => 1 } qw(tests failed is_interrupted)),
        passes     => 22,
        noisy      => 3,
        half_width => 0.02
    },
    'passes, failed and noisy tests are counted, the widest interval is known, and a little disturbance is none'
);

# The part of the CPU time that others got, of passes of 1 and of 3 seconds.
my $stolen = test_of('pipe');
@$_{qw(steal time_s)} = (undef, 1) for @{ $stolen->{passes} };
@{ $stolen->{passes}[0] }{qw(steal time_s)} = (0.08, 1);
@{ $stolen->{passes}[1] }{qw(steal time_s)} = (0,    3);
for my $case ([kvm => 0.02], [none => undef]) {
    my ($hypervisor, $steal) = @$case;
    my %facts = (facts => { virtualization => { hypervisor => $hypervisor } });
    is(trust([run(1, $stolen)], [0.01], 0, %facts)->{steal}, $steal, "steal, hypervisor $hypervisor");
}

# Takes tests of one run each; returns the worst cause as a text.
sub worst {
    my (@tests) = @_;
    my $worst = trust([map { run(1, $_) } @tests], [0.01], 0)->{worst};
    return "$worst->{cause} $worst->{worst} in $worst->{passes}";
}

# Takes a cause, a name and CPUs; returns the tags of a pass that this process disturbed.
sub by {
    return [{
        %{ tag($_[0], 'disturbed', $_[3] // $_[2]) },
        by => [{ name => $_[1], pid => 7, cpus => $_[2] }],
        @_[4 .. $#_]
    }];
}

# One cause disturbed more passes, but another one has the process that used most.
my %by   = ((map { $_ => by(others => dpkg => 0.2) } 1 .. 3), map { $_ => by(run_queue => yes => 1) } 4, 5);
my $load = result([run(1, test_of('pipe', \%by))]);
is(UnixBench::Warnings::Trust::judged($load, [0.01], 0)->{worst}{by}[0]{name}, 'yes', 'the process that used most');
my ($warning) = grep { $_->{kind} eq 'load' } UnixBench::Warnings::All::of($load);
like(UnixBench::Warnings::Wording::of($warning)->{seen}, qr/, above all yes [(]5 of 20/, 'also in the warning');

subtest 'a process is named if it used at least half of what others did' => sub {
    my $unseen = ', above all processes that are not seen from here';
    my @two    = ([cc => 0.3, 0.6], [ld => 0.3, 0.6]);
    my %many   = (
        'half'            => [', above all sshd', [sshd => 0.8, 1.6]],
        'less'            => [$unseen,            [sshd => 0.3, 1.58]],
        'one of many'     => [q{},                @two, [as => 0.3, 0.6]],
        'more are seen'   => [q{},                [sshd => 0.3, 1.58, seen => 1.5]],
        'two of one name' => [', above all cc',   @two[0, 0, 1]],
    );
    for my $what (sort keys %many) {
        my ($culprit, @by) = @{ $many{$what} };
        my $number = 0;
        my %passes = map { ++$number => by(others => @$_) } @by;
        $_->{by}[0]{pid} = $number++ for map { @$_ } values %passes;
        my ($seen) = UnixBench::Warnings::All::of(result([run(1, test_of('pipe', \%passes))]));
        my $words = UnixBench::Warnings::Wording::of($seen);
        like($words->{seen}, qr/ CPUs used\Q$culprit\E [(]/, $what);
        my $stop = $culprit eq $unseen ? 'They run on the host or in other containers' : 'Stop them[.]';
        like($words->{advice}, qr/\A$stop/, "$what: the advice");
    }
    my ($tag) = @{ by(others => sshd => 0.3, 1.58) };
    my $text = 'processes that are not seen from here used 1.28 CPUs and sshd (PID 7) used 0.30 CPUs';
    is(UnixBench::Warnings::Wording::tag_text($tag), "other processes: 1.58 CPUs, $text", 'in the log of a pass');
};

my %two = (%{ disturbed(others => 0.4, 1 .. 3) }, %{ disturbed(steal => 0.9, 4 .. 5) });
my %one = (%little, 1 => [tag('steal', 'disturbed', 0.3)]);

# [what, cause, tests].
my @WORST = (
    ['the worst value',         'others 0.6 in 2', map { test_of('pipe', disturbed(others => $_, 1)) } 0.4, 0.6],
    ['the most frequent cause', 'others 0.4 in 3', test_of('pipe', \%two)],
    ['all runs together',       'steal 0.9 in 4',  map { test_of('pipe', $_) } \%two, disturbed(steal => 0.2, 1, 2)],
    ['without a little disturbance', 'steal 0.3 in 1', test_of('pipe', \%one)],
    ['the lowest is the worst', 'overlap 0.5 in 3', map { test_of('pipe', disturbed(overlap => $_, 1)) } 0.8, 0.5, 0.7],
    [
        'equally frequent: by name',
        'others 1 in 1',
        test_of('pipe', { 1 => [map { tag($_, 'disturbed', 1) } qw(swap others)] })
    ],
);
for my $case (@WORST) {
    my ($what, $worst, @tests) = @$case;
    is(worst(@tests), $worst, "the worst cause: $what");
}

sub trend {
    return UnixBench::Warnings::Trust::trend(map { log } @_);
}

sub near { my ($is, $should, $name) = @_; return cmp_ok(abs($is - $should), '<', 1e-9, $name) }

subtest 'a trend is found' => sub {
    near(trend(map { exp } map { 0.01 * $_ } 0 .. 9),  0.09,  'rates rise by 1 % from pass to pass');
    near(trend(map { exp } map { -0.02 * $_ } 0 .. 4), -0.08, 'rates fall');
    is(trend((100) x 9),                                  undef, 'equal rates have no trend');
    is(trend(map { exp } map { 0.1 * $_ } 0 .. 3),        undef, 'too few passes have no trend');
    is(trend(map { exp } map { 0.003 * $_ } 0 .. 9),      undef, 'a rise of 2.7 % in all is not reported');
    is(trend(map { 100 + 3 * $_ + 8 * ($_ % 2) } 0 .. 5), undef, 'a rise that may be chance');

    # Ten logarithms 0.01 x, plus and minus 0.01 in turn, have the slope 0.0093939 with a standard error of 0.0012121.
    # So t is 7.75, above the limit of 5.04.
    near(
        trend(map { exp } map { 0.01 * $_ + ($_ % 2 ? -0.01 : 0.01) } 0 .. 9),
        9 * 0.00939393939393939,
        'a rise that is not chance'
    );
};

done_testing;
