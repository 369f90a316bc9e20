# Tests of comparisons beside other load: passes without it decide alone, or the row is inconclusive.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture     qw(@INDEX measured run steady_result tag tagged);
use Comparisons qw(compared found);
use Rendered    qw(comparison_as);
use UnixBench::Compare::Comparison;
use UnixBench::Summary;

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
sub side {
    my ($label, @tests) = @_;
    return { label => $label, summary => UnixBench::Summary::of(steady_result([run(1, @tests)])) };
}

# Takes the same numbers as slowed(); returns a side with all tests of the index.
sub of_index {
    my ($label, @how) = @_;
    return side($label, map { slowed($_, @how) } @INDEX);
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
    my $one = side('b', map { slowed($_, PASSES, $_ eq 'pipe' ? 6 : 0, @OTHERS) } @INDEX);
    like((found(compared([$QUIET, $one])))[0], qr/: inconclusive, because of other load\z/, 'open by one test');
    my $short = of_index('a', 2, 0, @OTHERS);
    is_deeply(verdicts(compared([$short, $some])), ['inconclusive', 0, 1], 'each side needs three passes of each test');
    my $slower = side('c', map { measured($_, 1, map { 800 + $_ % 3 } 1 .. PASSES) } @INDEX);
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
    my $slow       = side('b', with_cpu_time(1 / 65, PASSES, PASSES, 0.4));
    my $comparison = compared([$QUIET, $slow]);
    is_deeply(verdicts($comparison), ['slower', 1, 0], 'a factor of 65 beside other load is slower');
    my ($first) = found($comparison);
    like($first, qr/: B [(]vm[)] is at least [0-9.]+ times slower than A [(]vm[)]; slower: dhry2reg, /, 'in words');
    is(row_of($comparison, 'fstime')->{verdict}, 'inconclusive', 'a test that waits for disks has no ceiling');
    is_deeply(
        verdicts(compared([$QUIET, side('b', with_cpu_time(1 / 3, PASSES, PASSES, 0.4))])),
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

done_testing();
