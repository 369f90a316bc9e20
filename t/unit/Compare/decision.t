# Tests of what decides the exit status of a comparison: --fail-on, and quick estimates against official results.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons qw(found);
use Machines    qw(classic side spread_rates);
use UnixBench::Compare::Comparison;

use constant STEP => 0.001;

my %TEST  = (pipe => { name => 'pipe', tests => ['pipe'] }, fs => { name => 'fs', tests => [qw(fstime fsbuffer)] });
my %INDEX = (name => 'index', tests => undef);

# Takes a label, { test => factor }, the step between passes, and parts of a summary; returns a side with one copy.
sub one {
    my ($label, $factors, $step, %with) = @_;
    return side($label, runs => { 1 => rates($factors, $step) }, %with);
}

sub rates {
    my ($factors, $step) = @_;
    return {
        map { $_ => $factors->{$_} =~ m{[a-z]} ? $factors->{$_} : spread_rates(100 * $factors->{$_}, $step // STEP) }
            keys %$factors
    };
}

# Takes [words of --fail-on] and sides; returns the comparison.
sub compared {
    my ($words, @sides) = @_;
    return UnixBench::Compare::Comparison::of(\@sides, min_effect => 0.02, fail_on => $words);
}

# Takes the same; returns [is_worse, is_open, the sentences about words that can't decide].
sub decided {
    my $comparison = compared(@_);
    return [@$comparison{qw(is_worse is_open)}, @{ $comparison->{undecided} }];
}

my %both  = (pipe => 1,   spawn => 1);
my %worse = (pipe => 0.8, spawn => 1.3);
my ($old, $new) = (one(a => \%both), one(b => \%worse));

subtest 'a test decides instead of the index' => sub {
    is_deeply(decided(undef,                  $old, $new), [0, 0], 'the index is faster');
    is_deeply(decided([\%INDEX],              $old, $new), [0, 0], 'the same, by its name');
    is_deeply(decided([$TEST{pipe}],          $old, $new), [1, 0], 'a test is slower');
    is_deeply(decided([\%INDEX, $TEST{pipe}], $old, $new), [1, 0], 'one of several names is slower');
    is_deeply(decided([$TEST{pipe}],          $new, $old), [0, 0], 'a test is faster');
    is_deeply(decided([$TEST{pipe}], $old, $old, $new), [1, 0], 'the third of three results is slower');
    my ($pair) = @{ compared([$TEST{pipe}], $old, $new)->{pairs} };
    is_deeply([map { $_->{name} } @{ $pair->{decisive} }], ['pipe'], 'the pair knows what decides');
    like((found(compared(undef, $old, $new)))[0], qr/: inconclusive .*; slower: pipe\z/, 'slower tests are named');
};

subtest 'any test decides' => sub {
    my %any = (name => 'any');
    is_deeply(decided([\%any], $old, $new), [1, 0], 'one is slower');
    is_deeply(decided([\%any], $old, $old), [0, 0], 'none is');
    my $rows = [
        map { { name => $_, verdict => 'slower', ratio => UnixBench::Score::Estimate::around(0.9, $_, 20) } } 0.04,
        0.049
    ];
    my @rows =
        UnixBench::Compare::Comparison::_named({ tests => [@$rows, ({ %{ $rows->[0] } }) x 4], indexes => [] }, \%any);
    is_deeply([map { $_->{verdict} } @rows], [('inconclusive') x 6], 'they share the chance of a false one');
    for my $case ([1, 'slower', 'a single one has all of it'], [0.1, 'inconclusive', 'other pairs have their part']) {
        my %pair = (tests => [$rows->[0]], indexes => [], share => $case->[0]);
        is((UnixBench::Compare::Comparison::_named(\%pair, \%any))[0]{verdict}, $case->[1], $case->[2]);
    }
    my @four = map { side($_->[0], runs => { 1 => rates($_->[1]), 4 => rates($_->[1]) }) } [a => \%both],
        [b => \%worse];
    my @shares = map { $_->{share} } @{ compared(undef, @four, $new)->{pairs} };
    is_deeply(\@shares, [1 / 4, 1 / 4, 1 / 2], 'the pairs of a side share its part');
};

subtest 'a name that can not decide is reported' => sub {
    my $why    = 'both sides need it, measured in the same way and with the same number of copies, with an interval';
    my $never  = sub { "option --fail-on $_[0]: it does not decide about $_[1]: $why" };
    my $some   = one(c => { %both, fstime => 1 });
    my $failed = one(d => { %both, pipe   => 'failed: exit status 3' });
    my ($whole, $part) = map { one(e => { %both, fstime => 1, fsbuffer => $_ }) } 1, 'failed: exit status 3';
    my $text    = { label => 'text', summary => classic($new->{summary}) };
    my $four    = side('four', runs => { 4 => rates(\%worse) });
    my @several = map { side('s', runs => { 1 => rates(\%both), 4 => rates($_) }) } \%both, { spawn => 1 };
    my @alone   = map { side('s', runs => { 1 => rates({ %both, ubgears => 1 }), 4 => rates(\%both) }) } 1, 2;
    my $ubgears = { name => 'ubgears', tests => ['ubgears'] };
    my @cases   = (
        ['no side has measured it',              $TEST{fs},   [$old,  $new], 'B'],
        ['one test of an alias is enough',       $TEST{fs},   [$some, $some]],
        ['only the first side has measured it',  $TEST{fs},   [$some, $new],         'B'],
        ['only the second side has measured it', $TEST{fs},   [$new, $some],         'B'],
        ['one test of an alias has failed',      $TEST{fs},   [$whole, $part],       'B'],
        ['it failed in the third result',        $TEST{pipe}, [$old, $old, $failed], 'C'],
        ['the indexes have other tests',         \%INDEX,     [$old, $failed],       'B'],
        ['a text report',                        $TEST{pipe}, [$old, $text],         'B'],
        ['other numbers of copies',              $TEST{pipe}, [$old, $four],         'B'],
        ['missing with one number of copies',    $TEST{pipe}, \@several,             'B'],
        ['only measured with one copy',          $ubgears,    \@alone],
    );

    for my $case (@cases) {
        my ($what, $word, $sides, $letter) = @$case;
        is_deeply(decided([$word], @$sides), [0, 0, defined $letter ? $never->($word->{name}, $letter) : ()], $what);
    }
    is_deeply(decided(undef, $old, $failed), [0, 0], 'without --fail-on, this is not reported');
};

subtest 'a quick estimate is never slower than an official result' => sub {
    my %quick = (procedure => { kind => 'quick', time_factor => 1, work_factor => 1 });
    my %half  = map { $_ => 0.5 } keys %both;
    my ($short, $short_slow, $slow) =
        (one(q => \%both, STEP, %quick), one(r => \%half, STEP, %quick), one(s => \%half));
    for my $case ([$old, $short_slow], [$short, $slow]) {
        my $comparison = compared(undef, @$case);
        my ($pair) = @{ $comparison->{pairs} };
        is($pair->{indexes}[0]{verdict}, 'slower', 'the index is slower');
        is_deeply([@$comparison{qw(is_worse is_open)}], [0, 0], 'this does not lead to exit status 3');
        is($pair->{is_mixed}, 1, 'the pair is marked');
    }
    is(compared(undef, $short, $short_slow)->{is_worse},      1, 'two quick estimates');
    is(compared(undef, $old, $short, $slow)->{is_worse},      1, 'two of three results are official');
    is(scalar @{ decided([$TEST{pipe}], $old, $short_slow) }, 3, '--fail-on says so');
    my ($same) = @{ compared(undef, $short, $short)->{pairs} };
    my ($wide) = @{ compared(undef, $old,   $short)->{pairs} };
    for my $end ([low => 1 / 1.03], [high => 1.03]) {
        my ($key, $factor) = @$end;
        my ($narrow, $wider) = map { $_->{tests}[0]{ratio}{$key} } $same, $wide;
        cmp_ok(abs($wider / $narrow / $factor - 1), '<', 1e-12, "the interval is 3 % wider: $key");
    }
    is($same->{indexes}[0]{verdict}, 'equal',        'two quick estimates are equal');
    is($wide->{indexes}[0]{verdict}, 'inconclusive', 'within 2 % an estimate and a result are not known to be equal');
    is($wide->{indexes}[0]{runs_needed}, undef,      'more runs would not change that');
};

done_testing();
