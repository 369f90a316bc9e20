use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons qw(compared found);
use Machines    qw(classic side spread_rates);
use Fixture     qw(@INDEX comparison_as measured run steady_result tag tagged);
use UnixBench::Compare::Comparison;
use UnixBench::Summary;

# Tests of what decides the exit status of a comparison: --fail-on, and quick estimates against official results.

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
sub compared_by {
    my ($words, @sides) = @_;
    return UnixBench::Compare::Comparison::of(\@sides, min_effect => 0.02, fail_on => $words);
}

# Takes the same; returns [is_worse, is_open, the sentences about words that can't decide].
sub decided {
    my $comparison = compared_by(@_);
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
    my ($pair) = @{ compared_by([$TEST{pipe}], $old, $new)->{pairs} };
    is_deeply([map { $_->{name} } @{ $pair->{decisive} }], ['pipe'], 'the pair knows what decides');
    like((found(compared_by(undef, $old, $new)))[0], qr/: inconclusive .*; slower: pipe\z/, 'slower tests are named');
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
    my @shares = map { $_->{share} } @{ compared_by(undef, @four, $new)->{pairs} };
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
        my $comparison = compared_by(undef, @$case);
        my ($pair) = @{ $comparison->{pairs} };
        is($pair->{indexes}[0]{verdict}, 'slower', 'the index is slower');
        is_deeply([@$comparison{qw(is_worse is_open)}], [0, 0], 'this does not lead to exit status 3');
        is($pair->{is_mixed}, 1, 'the pair is marked');
    }
    is(compared_by(undef, $short, $short_slow)->{is_worse},   1, 'two quick estimates');
    is(compared_by(undef, $old, $short, $slow)->{is_worse},   1, 'two of three results are official');
    is(scalar @{ decided([$TEST{pipe}], $old, $short_slow) }, 3, '--fail-on says so');
    my ($same) = @{ compared_by(undef, $short, $short)->{pairs} };
    my ($wide) = @{ compared_by(undef, $old,   $short)->{pairs} };
    for my $end ([low => 1 / 1.03], [high => 1.03]) {
        my ($key, $factor) = @$end;
        my ($narrow, $wider) = map { $_->{tests}[0]{ratio}{$key} } $same, $wide;
        cmp_ok(abs($wider / $narrow / $factor - 1), '<', 1e-12, "the interval is 3 % wider: $key");
    }
    is($same->{indexes}[0]{verdict}, 'equal',        'two quick estimates are equal');
    is($wide->{indexes}[0]{verdict}, 'inconclusive', 'within 2 % an estimate and a result are not known to be equal');
    is($wide->{indexes}[0]{runs_needed}, undef,      'more runs would not change that');
};

# Tests of comparisons beside other load: passes without it decide alone, or the row is inconclusive.

use constant { PASSES => 8, SLOW => 0.56 };

my @OTHERS = (others => disturbed => 1.4);

# Takes the name of a test, a number of passes, how many of the first of them are disturbed, and the tag. Returns the
# test. Disturbed passes are 44 % slower.
sub slowed {
    my ($name, $passes, $count, @tag) = @_;
    my @counts = map { (1000 + $_ % 3) * ($_ <= $count ? SLOW : 1) } 1 .. $passes;
    return tagged(measured($name, 1, @counts), { map { $_ => [tag(@tag)] } 1 .. $count });
}

# Takes a letter or a label and tests; returns a side of a machine that hardly varies from run to run.
sub side_beside_load {
    my ($label, @tests) = @_;
    return { label => $label, summary => UnixBench::Summary::of(steady_result([run(1, @tests)])) };
}

# Takes the same numbers as slowed(); returns a side with all tests of the index.
sub of_index {
    my ($label, @how) = @_;
    return side_beside_load($label, map { slowed($_, @how) } @INDEX);
}

# Takes a comparison; returns the verdicts on the index of each pair, is_worse and is_open.
sub verdicts {
    my ($comparison) = @_;
    return [
        (map { $_->{indexes}[0] ? $_->{indexes}[0]{verdict} : $_->{mean}{verdict} } @{ $comparison->{pairs} }),
        @$comparison{qw(is_worse is_open)}
    ];
}

my $QUIET = of_index('a', PASSES, 0, @OTHERS);

subtest 'a machine compared with itself beside other load' => sub {
    my $loud = of_index('b', PASSES, PASSES, @OTHERS);
    my $why  = qr/96 of 96 passes were disturbed [(]other load/;
    for my $case (['B', $QUIET, $loud], ['A', $loud, $QUIET]) {
        my ($letter, @sides) = @$case;
        my $comparison = compared(\@sides);
        is_deeply(verdicts($comparison), ['inconclusive', 0, 1], "disturbed in $letter: the index is inconclusive");
        my ($pair) = @{ $comparison->{pairs} };
        is_deeply([grep { $_->{verdict} ne 'inconclusive' } @{ $pair->{tests} }, $pair->{mean}],
            [], "disturbed in $letter: so are all tests and their mean");
        my ($first) = found($comparison);
        my $said = 'System Benchmarks index, 1 copy: inconclusive, because of other load';
        is($first, $said, "disturbed in $letter: the finding");
        my $text = comparison_as(text => $comparison);
        like($text, qr/^Trust in $letter is poor: .*$why/m, "disturbed in $letter: a sentence names the cause");
        like($text, qr/^Pipe Throughput .* inconclusive [*]\nPipe/m, "disturbed in $letter: the row has a mark");
    }
    my $comparison = compared([$loud, $loud]);
    my $marked =
        qr/^[*] Other load was at work during passes of this row[.]\n.*^Pipe Throughput .* inconclusive [*]$/ms;
    like(comparison_as(text => $comparison), $marked, 'equal values are inconclusive, too, if both are disturbed');
};

subtest 'passes without other load decide alone' => sub {
    my $some       = of_index('b', PASSES, 5, @OTHERS);
    my $comparison = compared([$QUIET, $some]);
    is_deeply(verdicts($comparison), ['equal', 0, 0], 'three passes of each test decide');
    my ($pair) = @{ $comparison->{pairs} };
    is_deeply($pair->{indexes}[0]{shares}, [[96, 96], [36, 96]], 'the index says how many passes decide');
    my $text = comparison_as(text => $comparison);
    like($text, qr/^Pipe Throughput .* equal [(].*[)] [*]$/m, 'rows have a mark');
    is_deeply(verdicts(compared([$QUIET, of_index('b', PASSES, 6, @OTHERS)])), ['inconclusive', 0, 1], 'two passes');
    my $one = side_beside_load('b', map { slowed($_, PASSES, $_ eq 'pipe' ? 6 : 0, @OTHERS) } @INDEX);
    like((found(compared([$QUIET, $one])))[0], qr/: inconclusive, because of other load\z/, 'open by one test');
    my $short = of_index('a', 2, 0, @OTHERS);
    is_deeply(verdicts(compared([$short, $some])), ['inconclusive', 0, 1], 'each side needs three passes of each test');
    my $slower = side_beside_load('c', map { measured($_, 1, map { 800 + $_ % 3 } 1 .. PASSES) } @INDEX);
    is_deeply(verdicts(compared([$some, $slower])), ['slower', 1, 0], 'a machine is slower than these passes');
};

# Takes a factor, a number of passes, how many of them other processes disturbed, and the part of the time for which the
# copies ran; returns the tests of an index with that factor.
sub with_cpu_time {
    my ($factor, $passes, $count, $ran) = @_;
    my @tests;
    for my $name (@INDEX) {
        my $test = tagged(measured($name, 1, map { $factor * (1000 + $_ % 3) } 1 .. $passes),
            { map { $_ => [tag(@OTHERS)] } 1 .. $count });
        for my $pass (@{ $test->{passes} }) {
            my $span_s = $pass->{copies}[0]{elapsed_s};
            $pass->{used} = { span_s => $span_s, user_s => $ran * $span_s, kernel_s => 0 };
        }
        push @tests, $test;
    }
    return @tests;
}

# Takes a comparison and the name of a test; returns its row.
sub row_of {
    my ($comparison, $name) = @_;
    return (grep { $_->{name} eq $name } @{ $comparison->{pairs}[0]{tests} })[0];
}

subtest 'what other load can explain is bounded' => sub {
    my $slow       = side_beside_load('b', with_cpu_time(1 / 65, PASSES, PASSES, 0.4));
    my $comparison = compared([$QUIET, $slow]);
    is_deeply(verdicts($comparison), ['slower', 1, 0], 'a factor of 65 beside other load is slower');
    my ($first) = found($comparison);
    like($first, qr/: B [(]vm[)] is at least [0-9.]+ times slower than A [(]vm[)]; slower: dhry2reg, /, 'in words');
    is(row_of($comparison, 'fstime')->{verdict}, 'inconclusive', 'a test that waits for disks has no ceiling');
    is_deeply(
        verdicts(compared([$QUIET, side_beside_load('b', with_cpu_time(1 / 3, PASSES, PASSES, 0.4))])),
        ['inconclusive', 0, 1],
        'a factor of 3 is not enough'
    );
    is_deeply(verdicts(compared([$QUIET, of_index('b', PASSES, PASSES, @OTHERS)])), ['inconclusive', 0, 1], 'no times');
    is_deeply(verdicts(compared([$slow,  $QUIET])), ['faster', 0, 0], 'a machine that is faster than a ceiling');
};

subtest 'what all passes used explains a ratio only if it is theirs' => sub {
    my $row = sub {
        my ($second, %more) = @_;
        my @items = map { [{ estimate => { value => $_ } }] } 100, $second;
        return { ratio => { low => 1.09, high => 1.11 }, items => \@items, %more };
    };
    my %quiet = (shares => [[10, 10], [7, 10]]);
    my $is    = sub { return UnixBench::Compare::Comparison::_is_of_others(@_) };
    is($is->($row->(110)),                          0, 'no other load');
    is($is->($row->(110, %quiet)),                  0, 'quiet passes decide, and the others are like them');
    is($is->($row->(90, %quiet)),                   1, 'the others are slower');
    is($is->($row->(110, load => [[], []])),        1, 'other load leaves it open');
    is($is->($row->(110, bound => { ratio => 1 })), 1, 'a bound decides');
};

done_testing;
