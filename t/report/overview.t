# The topic at the top of a page and of a ticket: UnixBench::Report::Topic::Overview.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture                   qw(@INDEX failed measured result run tag tagged);
use Cases                     qw(whole);
use UnixBench::Report::Block  qw(within);
use UnixBench::Report::Markup qw(string_of);
use UnixBench::Report::Topic::Overview;
use UnixBench::Report::View;

my %BOX       = (machine => 'Box', kind => 'PC', copies => 1, cpu => 'Xeon', known_as => 'a box');
my @PUBLISHED = map { +{ %BOX, index => $_ } } 500, 1500, 4000;

# Takes runs; returns the view of their result.
sub view { return UnixBench::Report::View->new(result => result([@_]), published => \@PUBLISHED) }

# Takes a text; returns it as a page shows it, with blanks that may break.
sub seen { my ($text) = @_; return string_of($text) =~ s/\xc2\xa0/ /gr }

# Takes runs; returns the headline.
sub headline {
    my ($headline) = within(full => UnixBench::Report::Topic::Overview::before_runs(view(@_)));
    return $headline;
}

# Takes runs; returns the numbers of the headline as texts: "NUMBER (PRECISION): TITLE, COPIES, LINK". The title of the
# page takes the place of a number that it has.
sub numbers {
    my @texts;
    for my $item (@{ headline(@_)->{numbers} }) {
        my %is_said = map { $_ => 1 } @{ defined $item->{heading} ? $item->{says} : [] };
        my $sure    = defined $item->{sure} && !$is_said{sure} ? ' (' . seen($item->{sure}) . ')'     : q{};
        my $number  = defined $item->{number} ? seen($item->{heading} // $item->{number}) . "$sure: " : q{};
        push @texts, $number . join ', ', map { $item->{$_} } grep { !$is_said{$_} } qw(title copies link);
    }
    return @texts;
}

# Takes runs; returns the paragraphs of the headline.
sub lines {
    return map { seen($_) } map { @{ $_->{texts} } } grep { $_->{kind} eq 'paragraphs' } @{ headline(@_)->{blocks} };
}

my ($PARTIAL, $MACHINE) = ('System Benchmarks index (partial)', ', AMD EPYC, 2 CPUs');
my @UNEVEN = (0.9e6, 1.1e6, 1e6);
my %LOUD   = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 3;

# [what, numbers, runs].
my @CASES = (
    [
        'two runs',
        [
            "UnixBench partial index 80.4 \xc2\xb112 %$MACHINE: $PARTIAL, 1 copy, run-0",
            "321 (\xc2\xb112 %): $PARTIAL, 4 copies, run-1"
        ],
        map { run($_, measured('pipe', $_, 1e6, 1.01e6, 0.99e6)) } 1,
        4
    ],
    [
        'a poor result',
        ["UnixBench partial index 62 to 100$MACHINE: $PARTIAL, 1 copy, run-0"],
        run(1, measured('pipe', 1, @UNEVEN))
    ],
    [
        'beside other load',
        ["UnixBench partial index at least 75 (disturbed)$MACHINE: $PARTIAL, 1 copy, run-0"],
        run(1, tagged(measured('pipe', 1, @UNEVEN), \%LOUD))
    ],
    [
        'without an index',
        ["UnixBench Recursion Test -- Tower of Hanoi 50.00 lps$MACHINE: 1 copy, run-0"],
        run(1, measured('hanoi', 1, 1000))
    ],
    [
        'many tests without an index',
        ['No index, 1 copy, run-0'],
        run(1, map { measured($_, 1, 1000) } qw(hanoi arithoh short int))
    ],
    [
        'a failed test',
        ['none (1 test failed; mean of the other test 80.38): System Benchmarks index, 1 copy, run-0'],
        run(1, measured('pipe', 1, 1e6), failed('spawn', 'no'))
    ],
);
for my $case (@CASES) {
    my ($what, $numbers, @runs) = @$case;
    is_deeply([numbers(@runs)], $numbers, "the numbers: $what");
}
my @eight = map { run($_, measured('pipe', $_, 1e6)) } 1 .. 8;
is_deeply([map { s/.*, //r } numbers(@eight)], [qw(run-0 run-1 run-7)], 'of many numbers, the first ones and the last');
is((lines(@eight))[0], '5 more numbers below', 'and how many there are below');

subtest 'place among published results' => sub {
    is_deeply(
        [lines(whole(1))],
        [
            'Faster than 6 of 10 published results (2nd of 3).',
            'The pale parts of intervals add how much runs of this machine differ.',
            'Trust: none of 71 passes was disturbed.',
        ],
        'place and trust are sentences'
    );
    my ($strip) = grep { $_->{kind} eq 'chart' } @{ headline(whole(1))->{blocks} };
    is(scalar(grep { $_->{shape} eq 'dot' } @{ $strip->{shapes} }), 3, 'the strip has a dot for each published result');
    is_deeply(
        [map { @{ $_->{labels} } } grep { $_->{labels} } @{ $strip->{shapes} }],
        [[1500, 'a box']],
        'and the names that readers know, the median one of each'
    );
    my ($pale, $own) = map { $_->{to} / $_->{from} } grep { $_->{shape} eq 'bar' } @{ $strip->{shapes} };
    cmp_ok($pale, '>', $own, 'the interval of the machine is wider');
    my $shaky = run(1, map { measured($_, 1, 0.5e6, 1.5e6, 1e6) } @INDEX);
    my ($poor) = grep { $_->{kind} eq 'chart' } @{ headline($shaky)->{blocks} };
    is_deeply([map { $_->{class} } grep { $_->{shape} eq 'bar' } @{ $poor->{shapes} }],
        ['own doubtful'], 'a poor result has the interval of the run alone');
};

done_testing;
