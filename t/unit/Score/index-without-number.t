# Tests that an index has no number if one of its tests was asked for and not measured. The mean of the other tests is
# never used as the index.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(baseline failed interrupted measured result run skipped);
use Rendered qw(rendered);
use UnixBench::Catalog;
use UnixBench::Plan::Baseline;
use UnixBench::Score;
use UnixBench::Store::ClassicReport;
use UnixBench::Summary;

my $BASELINE = UnixBench::Plan::Baseline::parse(baseline());
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

done_testing;
