# What is found on machines that are made up, and where the result of a user has its two processes.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../lib ../../../t/lib);
use Fixture                        qw(measured rendered result run);
use MadeUpCpus                     qw(found_of measuring plan_of rounds_of topology_of);
use Place                          qw(place write_file);
use UnixBench::Base::JSON          ();
use UnixBench::Cpus::Measurement   ();
use UnixBench::Cpus::Own           ();
use UnixBench::Cpus::Worth         ();
use UnixBench::Report::EndBlock    qw(block_lines);
use UnixBench::Report::View        ();
use UnixBench::Score::Stats        qw(are_sure);
use UnixBench::Store::EarlierRuns  ();
use UnixBench::Store::ResultNames  ();

# What is found of machines that are made up.

srand 1;

my $THREADS = topology_of([map { +{ core => $_ % 4 } } 0 .. 7]);
my $CORES   = topology_of([map { +{} } 0 .. 7]);
my $BOTH    = topology_of([{}, {}]);
my @FOUR    = (core_of => sub { $_[0] % 4 });

sub near { my ($value, $expected, $name) = @_; return cmp_ok(abs($value - $expected), '<', 0.02 * $expected, $name) }

subtest 'true threads' => sub {
    my $found = found_of($THREADS, @FOUR);
    is($found->{pairs}{word}, 'true', 'the pairs are true');
    my ($dhry, $syscall) = @{ $found->{worth} };
    near($dhry->{$_}{value},      4 * 1.32, "8 CPUs, $_") for qw(alone busy);
    near($syscall->{busy}{value}, 4 * 1.5,  '8 CPUs by system calls');
    near($dhry->{adds},           0.32,     'what the second thread adds');
    is_deeply([@$dhry{qw(shape from copies)}], ['corner', 4, 8], 'the corner');
    cmp_ok($dhry->{alone}{low}, '<', $dhry->{alone}{high}, 'the worth has an interval');
    is(scalar @{ $found->{kinds} }, 1, 'one kind');
    is($found->{rounds},            7, 'seven rounds');
};

subtest 'a copy that is alone has a faster clock' => sub {
    my $found = found_of($THREADS, @FOUR, turbo => 1.2);
    near($found->{worth}[0]{busy}{value},  4 * 1.32,       'what others do that are busy');
    near($found->{worth}[0]{alone}{value}, 4 * 1.32 / 1.2, 'and one that is alone');
};

my @PAIRS = map { +{ core => int($_ / 2) } } 0 .. 5;
my @NEAR  = (core_of => sub { int($_[0] / 2) });

my %WORD = (
    'threads that are cores'                => [$THREADS, {},                                    'false', 'line'],
    'cores'                                 => [$CORES,   {},                                    'true',  'line'],
    'cores that are threads of neighbours'  => [$CORES,   { core_of => sub { int($_[0] / 2) } }, 'false', 'corner'],
    'cores that are threads of both halves' => [$CORES,   {@FOUR},                      'false',        'corner|line'],
    'two CPUs that are cores'               => [$BOTH,    {},                           'true',         'line'],
    'two CPUs that are threads'             => [$BOTH,    { core_of => sub { 0 } },     'false',        'corner'],
    'two CPUs with a faster clock alone'    => [$BOTH,    { turbo => 1.13 },            'undetermined', 'line'],
    'two CPUs from which a host takes 12 %' => [$BOTH,    { taken => [[0.01, 0.024]] }, 'undetermined', 'line'],
    'three cores with threads'              => [topology_of(\@PAIRS),                  {@NEAR}, 'true', 'corner 3'],
    'two cores with threads, two without'   => [topology_of([@PAIRS[0 .. 3], {}, {}]), {@NEAR}, 'true', 'corner 4'],
    'a core with two true threads'          =>
        [topology_of([{ core => 0 }, { core => 0 }]), { core_of => sub { 0 } }, 'true', 'corner'],
);
for my $name (sort keys %WORD) {
    my ($topology, $truth, $word, $shape) = @{ $WORD{$name} };
    my $found = found_of($topology, %$truth);
    is($found->{pairs}{word}, $word, "$name: the declaration is $word");
    like(join(q{ }, @{ $found->{worth}[0] }{qw(shape from)}), qr/\A(?:$shape)\b/, "$name: $shape");
}

subtest 'more virtual CPUs than the host has' => sub {
    my $rounds = rounds_of($CORES);
    for my $slice (map { values %$_ } @$rounds) {
        $slice->{rate} *= $slice->{seconds} > 0.45 ? 2 / ($slice->{seconds} / 0.2) : 1;
    }
    my $found = UnixBench::Cpus::Measurement::found(plan_of($CORES), $rounds);
    near($found->{worth}[0]{alone}{value}, 2, '8 CPUs do the work of 2');
    is($found->{worth}[0]{shape}, 'corner',       'with a corner');
    is($found->{pairs}{word},     'undetermined', 'no pair of them shares a core, but they share something');
};

subtest 'more rounds, if a statement is not sure' => sub {
    my @wild  = (noise => sub { 1 + 0.4 * (($_[0] * 7919) % 11 / 11 - 0.5) });
    my $found = found_of($THREADS, @wild);
    cmp_ok($found->{rounds}, '>', 7, 'there are more than seven');
    is($found->{rounds} % 7, 0, 'seven at a time');
    my $rounds = rounds_of($CORES, noise => sub { $_[0] % 2 ? 2 : 0.5 });
    is(scalar @$rounds, 28, 'there are 28 at most');
    my $keys = 'packed dhry2reg packed syscall spread dhry2reg spread syscall';
    is(join(q{ }, sort keys %{ $rounds->[-1] }), $keys, 'these have the conditions of pairs alone');
    my $count = 0;
    is(UnixBench::Cpus::Measurement::rounds(plan_of($BOTH), sub { $count++ < 3 ? measuring()->(@_) : undef }),
        undef, 'an interruption ends them');
};

subtest 'kinds' => sub {
    my @mixed = ((map { +{ capacity => 1024 } } 0 .. 3), map { +{ capacity => 500 } } 4 .. 7);
    my $found = found_of(topology_of(\@mixed), speed_of => sub { $_[0] < 4 ? 1 : 0.6 });
    is_deeply(
        [map { [@$_{qw(name cpus)}] } map { +{ %$_, cpus => [sort @{ $_->{cpus} }] } } @{ $found->{kinds} }],
        [['capacity 1024', [0 .. 3]], ['capacity 500', [4 .. 7]]],
        'two kinds have the names of their capacities'
    );
    near($found->{kinds}[1]{value}, 0.6, 'the speed of the second');
    is(scalar(grep { $_->{beside} } @{ $found->{alone} }), 0, 'each CPU is as the others of its kind');
    my $unnamed = found_of($CORES, speed_of => sub { $_[0] == 3 ? 0.8 : 1 });
    is_deeply([map { $_->{name} } @{ $unnamed->{kinds} }], ['kind 1', 'kind 2'], 'undeclared ones have numbers');
    my $favoured = found_of(topology_of(\@mixed));
    is_deeply([map { $_->{name} } @{ $favoured->{kinds} }], [undef], 'equal speeds are one kind, whatever is declared');
    my ($odd, @more) = grep { $_->{beside} } @{ found_of($CORES, speed_of => sub { $_[0] == 3 ? 0.97 : 1 })->{alone} };
    is_deeply([map { $_->{cpu} } $odd, @more], [3], 'a CPU that is 3 % slower is of the same kind, and the only one');
    cmp_ok(abs($odd->{beside}{value} - 0.97), '<', 0.006, 'and its distance is known');
    my $noisy = found_of($CORES, noise => sub { 1 + 0.2 * (($_[0] * 7919) % 11 / 11 - 0.5) });
    is_deeply([map { $_->{name} } @{ $noisy->{kinds} }], [undef], 'noise makes no kinds');
};

subtest 'mixed CPUs without threads' => sub {
    my @mixed = ((map { +{ capacity => 500 } } 0 .. 3), map { +{ capacity => 1024 } } 4 .. 7);
    my $speed = sub { $_[0] < 4 ? 0.6 : 1 };
    is(found_of(topology_of(\@mixed), speed_of => $speed)->{pairs}{word}, 'true', 'those of one class are compared');
    is(found_of($CORES,               speed_of => $speed)->{pairs}{word}, 'undetermined', 'but not undeclared kinds');
    my @two = ({ capacity => 500 }, { capacity => 1024 });
    is(found_of(topology_of(\@two), speed_of => sub { $_[0] ? 1 : 0.6 })->{pairs}{word},
        'undetermined', 'nor two different CPUs');
};

subtest 'a quota' => sub {
    my @quota = (taken => [[0.005, 0.075], [0.085, 0.075]], quota => { quota_run_s => 0.005, quota_period_s => 0.08 });
    my $found = found_of($THREADS, @FOUR, @quota, most => 2);
    is($found->{pairs}{word}, 'undetermined', 'all copies share it, so pairs are not named');
    near($found->{worth}[0]{alone}{value}, 2, 'the work of all by that of one copy');
    is($found->{worth}[0]{busy}, undef, 'none has a core while others are busy');
};

subtest 'other processes, or the host' => sub {
    for my $case ([0.04, 1, 'true'], [0.06, 1, 'undetermined'], [0.06, 0, 'undetermined']) {
        my ($taken_s, $others, $word) = @$case;
        my $found = found_of($THREADS, @FOUR, taken => [[0.01, $taken_s]], others => $others);
        is($found->{pairs}{word}, $word, "in $taken_s s of 0.2 s");
    }
};

subtest 'statements' => sub {
    is_deeply([are_sure(0.025, 0.001, 0.02, 0.2)], [1, 0, 0], 'a second one needs more than the last one');
    is_deeply([are_sure(0.025, 0.02, 0.001)],      [1, 1],    'Holm is not Bonferroni');
    is_deeply([are_sure(0.025, 0.03)],             [0],       'the level is 2.5 %');
    my @shapes = ([1.0, 'corner'], [1.9, 'line'], [1.32, 'corner'], [0.8, 'falls'], [2, 'line']);
    for my $case (@shapes) {
        my ($ratio, $expected) = @$case;
        my %shape =
            UnixBench::Cpus::Worth::shape({ low => $ratio - 0.02, value => $ratio, high => $ratio + 0.02 }, 4, 8);
        is($shape{shape}, $expected, "$ratio times as much is $expected");
    }
    my %wide = UnixBench::Cpus::Worth::shape({ low => 1.5, value => 1.7, high => 1.9 }, 4, 8);
    is($wide{shape}, 'undetermined', 'an interval with an edge');
    my %single = UnixBench::Cpus::Worth::shape({ value => 1.7 }, 4, 8);
    is($single{shape}, 'undetermined', 'a single round');
};

# Time that was taken, and what explains it.

# Takes [[begin, length], ...] in ms and further keys; returns a slice of 200 ms on one CPU.
sub slice {
    my ($pieces, %more) = @_;
    my @pieces = map { [0, map { $_ / 1000 } @$_] } @$pieces;
    return { seconds => 0.2, waited_s => 0, stolen_s => 0, throttled_s => 0, pieces => \@pieces, %more };
}

sub taken { return UnixBench::Cpus::Measurement::taken(@_) }

# Compares values with two digits.
sub is_taken {
    my ($taken, $expected, $name) = @_;
    my %rounded = map { $_ => defined $taken->{$_} ? sprintf '%.3g', $taken->{$_} : undef } keys %$expected;
    return is_deeply(\%rounded, $expected, $name);
}

is_taken(taken(slice([])), { share => 0, rest => 0, period_s => undef }, 'nothing is missing');
my %none = (stolen => 0, quota => 0, others => 0);
is_taken(taken((slice([[10, 4], [100, 6]])) x 7), { %none, share => 0.05, rest => 0.05 }, 'nothing explains pieces');
is_deeply(taken((slice([[10, 4], [100, 6]])) x 2)->{sizes}, [(0.004, 0.006) x 2], 'the sizes of all pieces');
for my $case (
    ['others',          { stolen_s    => 0.01,  waited_s => 0.006 }, { stolen => 0.05,  others => 0.03, rest => 0.02 }],
    ['a quota',         { throttled_s => 0.02,  waited_s => 0.02 },  { quota  => 0.1,   others => 0,    rest => 0 }],
    ['no more',         { stolen_s    => 5,     waited_s => 5 },     { stolen => 0.1,   others => 0,    rest => 0 }],
    ['what is unknown', { stolen_s    => undef, waited_s => undef }, { stolen => undef, others => undef, rest => 0.1 }],
    )
{
    my ($name, $of, $expected) = @$case;
    is_taken(taken(slice([[10, 20]], %$of)), { share => 0.1, %$expected }, "20 ms, explained by $name");
}
is_taken(taken((slice([[5, 75], [85, 75], [165, 30]])) x 7), { period_s => 0.08 },  'a period');
is_taken(taken((slice([[5, 5],  [20, 5],  [130, 5]])) x 7),  { period_s => undef }, 'no period');
my $two = { %{ slice([]) }, pieces => [[0, 0.01, 0.001], [1, 0.012, 0.001], [0, 0.06, 0.001], [1, 0.062, 0.001]] };
is_taken(taken(($two) x 3), { period_s => 0.05 }, 'the pieces of each CPU have their own period');

# Where the two processes of context1 were in a run: in the only measured place that can have its rate.

my $DIRECTORY = place();
my %RESULT    = %{ result([run(1, measured('context1', 1, 1e6))]) };
my ($RATE, $HOST, $MODEL) = ($RESULT{runs}[0]{tests}[0]{score}, $RESULT{host}{name}, $RESULT{host}{cpus}[0]{model});

# Takes names of places, each with its rate in that of the run and a part of it, half of its interval. Measures them.
sub places {
    my (@of) = @_;
    my @places;
    while (my ($name, $rate, $half) = splice @of, 0, 3) {
        my %rate;
        @rate{qw(low value high)} = map { $RATE * $rate * $_ } 1 / (1 + $half), 1, 1 + $half;
        push @places, { name => $name, rate => \%rate, index => $rate };
    }
    return \@places;
}

# Takes a host, a day and places; writes their file. Returns the key place at the end of a run.
sub found {
    my ($host, $day, @places) = @_;
    my %measured = (host => $host, model => $MODEL, cpus => { places => places(@places) });
    write_file("$DIRECTORY/$host-2026-12-$day-cpus.json", UnixBench::Base::JSON::encode(\%measured));
    UnixBench::Store::EarlierRuns::of("$DIRECTORY", sub { }, my $result = {%RESULT});
    return $result->{place};
}

is(found($HOST, '01', A => 1.4, 0.1, B => 8,   0.1), undef, 'no place has the rate');
is(found($HOST, '02', A => 1.1, 0.1, B => 1.6, 0.1), undef, 'places are near each other');
is(found($HOST, '03', A => 1.1, 0.1, B => 3,   1),   undef, 'a place may be nearer');
is(found($HOST, '04', A => 1.1, 0.1, B => 8,   0.1), 'A',   'one place has the rate');
is(found('other', '05', B => 1, 0.1), 'A', 'another machine does not count');

local $SIG{__WARN__} = sub { fail("Perl warns: @_") };
my $places = UnixBench::Base::JSON::encode(places(B => 1, 0.1));
my $number = 6;
for my $text (
    '[]',
    '{',
    '{"cpus":[]}',
    qq({"host":null,"model":"$MODEL","cpus":{"places":$places}}),
    qq({"host":"$HOST","model":"$MODEL","cpus":{"places":{}}}),
    qq({"host":"$HOST","model":"$MODEL","cpus":{"places":[{"name":"B","rate":{"low":"x","value":1,"high":2}}]}}),
    )
{
    write_file("$DIRECTORY/$HOST-2026-12-1" . $number++ . '-cpus.json', $text);
    is(found($HOST, '04', A => 1.1, 0.1, B => 8, 0.1), 'A', "a file that says nothing is passed over: $text");
}

write_file("$DIRECTORY/new.json", rendered(json => \%RESULT));
my @newest = (UnixBench::Store::ResultNames->new(directory => "$DIRECTORY"), $HOST, $MODEL);
my $own    = UnixBench::Cpus::Own::newest(@newest, places(A => 1.1, 0.1, B => 8, 0.1));
is_deeply([@$own{qw(result place other)}], [qw(new A B)], 'the newest result, its place, and the fastest one');

my %placed = (%RESULT, place => 'two cores');
my $says   = qr/Switching\W+one copy of context1 ran on two cores \(.\/Run cpus\)/;
like(join("\n", block_lines(UnixBench::Report::View->new(result => \%placed), 72)), qr/^$says$/m, 'the block says so');
like(rendered(html => \%placed),                                                    qr/>$says</,  'the page, too');
is(rendered(text => \%placed), rendered(text => \%RESULT), 'the classic report does not change');
unlike(rendered(html => \%RESULT), qr/context1 ran/, 'an unknown place is not named');

done_testing;
