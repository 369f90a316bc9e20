use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(baseline failed interrupted measured rendered result run skipped);
use Place   qw(text_of);
use UnixBench::Catalog;
use UnixBench::Plan::Baseline;
use UnixBench::Score;
use UnixBench::Store::ClassicReport;
use UnixBench::Summary;

my $BASELINE = UnixBench::Plan::Baseline::parse(baseline());

sub digits { return sprintf '%.15g', $_[0] }

sub check_index {
    my ($names, $known, $what) = @_;
    my @tests = map { score($names->[$_], $known->{results}[$_]) } 0 .. $#{$names};
    my ($index, @more) = @{ UnixBench::Score::indexes(\@tests, $BASELINE) };
    is_deeply(\@more, [], "$what: one category");
    ok($index->{complete}, "$what: complete");
    is(sprintf('%.16g', $index->{index}), sprintf('%.16g', $known->{index_from_rounded_results}), "$what: index");
    cmp_ok(abs($index->{index} - $known->{index}), '<=', 0.1, "$what: index as printed");
    my %row = map  { $_->{name} => $_ } @{ $index->{rows} };
    my @far = grep { abs($row{ $names->[$_] }{index} - $known->{indexes}[$_]) > 0.1 } 0 .. $#{$names};
    is_deeply(\@far, [], "$what: index of each test");
    return;
}

sub score {
    my ($name, $score) = @_;
    my $test  = UnixBench::Catalog::test($name);
    my %facts = map { $_ => $test->{$_} } qw(name title category);
    return { %facts, status => 'measured', score => $score };
}

sub indexes {
    return UnixBench::Score::indexes([@_], $BASELINE);
}

my $known = JSON::PP->new->decode(text_of("$FindBin::Bin/../../data/score.json"));
check_index($known->{index}{tests}, $known->{index}{$_}, $_) for qw(1_copy 4_copies);

subtest 'pass adds the counts of copies' => sub {
    my @copies = map { { elapsed_s => $_, time_s => $_, count => $_ * 10, timebase => 60, unit => "u$_" } } 1, 2, 3;
    $copies[2]{time_s} = 6;
    my $pass = UnixBench::Score::pass(\@copies);
    is_deeply($pass, { count => 60, time_s => 3, timebase => 60, unit => 'u1' }, 'the time of a copy is used');
    is(UnixBench::Score::rate($pass),                                      1200, 'a rate by the minute');
    is(UnixBench::Score::rate({ count => 7, time_s => 3, timebase => 0 }), 7,    'a count with timebase 0 is a rate');
};

subtest 'the lowest third is dropped' => sub {
    my %dropped = (1 => 0, 2 => 0, 3 => 1, 5 => 1, 6 => 2, 10 => 3);
    for my $n (sort { $a <=> $b } keys %dropped) {
        my @passes = map { { count => $_, time_s => 1, timebase => 1 } } reverse 1 .. $n;
        my $test   = UnixBench::Score::test(\@passes);
        is($test->{samples}, $n - $dropped{$n}, "$n passes: number of passes that are kept");
        is_deeply($test->{dropped}, [1 .. $dropped{$n}],      "$n passes: the lowest are dropped");
        is_deeply($test->{kept},    [$dropped{$n} + 1 .. $n], "$n passes: the others are kept in order");
    }
    my @passes =
        ({ count => 100, time_s => 1, timebase => 1 }, map { { count => 101, time_s => 2, timebase => 1 } } 1, 2);
    is_deeply(UnixBench::Score::test(\@passes)->{dropped}, [100], 'a pass is dropped by its count, not its rate');
};

subtest 'each category has an index' => sub {
    my $partial = indexes(score('pipe', 24880), score('fstime-w', 5));
    is($partial->[0]{complete},      0,  'an index without all of its tests is partial');
    is(digits($partial->[0]{index}), 20, 'a test without a baseline does not matter');
    is_deeply([map { $_->{baseline} } @{ $partial->[0]{rows} }], [undef, 12440], 'a test without a baseline has a row');
    is_deeply(indexes(score('fstime-w', 5)),   [], 'without a test of the baseline there is no index');
    is_deeply(indexes(failed('pipe', 'gone')), [], 'a failed test has no index');
    my @order =
        map { $_->{category} } @{ indexes(map { score($_, 9) } qw(grep ubgears 2d-text pipe sysexec)) };
    is_deeply(\@order, [qw(system 2d 3d misc)], 'indexes are in the order of categories in reports');
    my ($misc) = @{ indexes(map { score($_, 9) } qw(sysexec hanoi grep)) };
    ok($misc->{complete}, 'grep and sysexec are all tests of the baseline in misc');
    my %entries = (%{$BASELINE}, 'no-such-test' => { score => 1 });
    ok(UnixBench::Score::indexes([score('ubgears', 1)], \%entries)->[0]{complete}, 'an unknown test of the baseline');
};

# An index has no number if one of its tests was asked for and not measured. The mean of the others is never used as the
# index.
my @INDEX    = grep { $BASELINE->{$_} } UnixBench::Catalog::expand('index');
my @GRAPHICS = grep { /\A2d-/ } UnixBench::Catalog::expand('graphics');
my %MAKE     = (
    failed      => sub { failed($_[0], 'killed by SIGSEGV') },
    interrupted => sub { interrupted($_[0], 'interrupted after 1 of 3 passes', 1000) },
    skipped     => sub { skipped($_[0], 'skipped: no X display') },
);

# Takes a number of copies, names of tests, and { name => kind } of those without a score; returns the run.
sub run_with {
    my ($copies, $names, %kind) = @_;
    return run(
        $copies,
        map {
                  $kind{$_}
                ? $MAKE{ $kind{$_} }->($_)
                : measured($_, 1, map { 1000 * $_ } 1, 2, 3)
        } @$names
    );
}

sub last_line {
    my ($run) = @_;
    my @lines = grep { /Index Score/ } split /\n/, rendered(text => result([$run]));
    return "@lines";
}

# [name, tests, kind of each test without a score, mark of a partial index, the reason].
#<<< a table
my @CASES = (
    ['one failed',      \@INDEX, { pipe => 'failed' }, q{},               '1 test failed'],
    ['one of each kind',    \@INDEX, { pipe => 'skipped', spawn => 'failed', execl => 'interrupted' },
 q{}, '1 test failed, 1 interrupted, 1 skipped'],
    ['two kinds',    \@INDEX, { pipe => 'skipped', spawn => 'interrupted', execl => 'interrupted' },
 q{}, '2 tests interrupted, 1 skipped'],
    ['a partial index',   [qw(pipe spawn)], { pipe => 'failed' }, ' (Partial Only)', '1 test failed'],
    ['2D index',           \@GRAPHICS, { '2d-text' => 'failed' }, q{},               '1 test failed'],
);
#>>>

for my $case (@CASES) {
    my ($name, $names, $kind, $partial, $text) = @$case;
    my $run = run_with(1, $names, %$kind);
    my ($index) = @{ $run->{indexes} };
    like(last_line($run), qr/\A(?=.{75}\z)[^(]*Index Score\Q$partial\E +none \(incomplete\)\z/, "$name: column 75");
    is(UnixBench::Score::lacking($index), $text,                 "$name: the reason in other reports");
    is($index->{index},                   undef,                 "$name: the index has no number");
    is($index->{mean_of_others}{tests},   @$names - keys %$kind, "$name: the mean is that of the other tests");
    my $read = UnixBench::Store::ClassicReport::summary(rendered(text => result([$run])));
    my $own  = UnixBench::Summary::of(result([$run]));
    is_deeply(
        [map { [@$_{qw(category index lacking)}] } @{ $read->{runs}[0]{indexes} }],
        [map { [@$_{qw(category index lacking)}] } @{ $own->{runs}[0]{indexes} }],
        "$name: the text report is read back"
    );
}

subtest 'tests that were asked for and not begun are interrupted' => sub {
    my @begun = @{ run_with(1, ['pipe', 'spawn'])->{tests} };
    my $indexes =
        sub { UnixBench::Score::indexes(\@begun, $BASELINE, @_)->[0] };
    is(UnixBench::Score::lacking($indexes->(@INDEX)), '10 tests interrupted', 'all tests of the index were asked for');
    is(UnixBench::Score::lacking($indexes->(qw(pipe spawn execl))), '1 test interrupted', 'three tests were asked for');
    ok(defined $indexes->(qw(pipe spawn fstime-w))->{index}, 'a test without a baseline is not part of the index');
    ok(defined $indexes->()->{index},                        'no other test was asked for');
};

done_testing();
