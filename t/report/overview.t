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
sub view {
    return UnixBench::Report::View->new(result => result([@_]), published => sub { @PUBLISHED });
}

# Takes a text; returns it as a page shows it, with blanks that may break.
sub seen { my ($text) = @_; return string_of($text) =~ s/\xc2\xa0/ /gr }

# Takes runs; returns the headline.
sub headline {
    my ($headline) = within(full => UnixBench::Report::Topic::Overview::before_runs(view(@_)));
    return $headline;
}

# Takes runs; returns the numbers of the headline as texts: "NUMBER PRECISION: TITLE, COPIES, LINK". One that the title
# of the page has is in brackets.
sub numbers {
    my @texts;
    my @items = @{ headline(@_)->{numbers} };
    for my $item (@items) {
        my $number = join q{ }, map { seen($_) } grep { defined } @$item{qw(number sure)};
        push @texts, join ': ', (@items == 1 && $item->{is_known} ? "[$number]" : length $number ? $number : ()),
            join ', ', @$item{qw(title copies link)};
    }
    return @texts;
}

# Takes runs; returns the paragraphs of the headline.
sub lines {
    return map { seen($_) } map { @{ $_->{texts} } } grep { $_->{kind} eq 'paragraphs' } @{ headline(@_)->{blocks} };
}

my $PARTIAL = 'System Benchmarks index (partial)';
my @UNEVEN  = (0.9e6, 1.1e6, 1e6);
my %LOUD    = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 3;

# [what, numbers, runs].
my @CASES = (
    [
        'two runs',
        ["80.4 \xc2\xb112 %: $PARTIAL, 1 copy, run-0", "321 \xc2\xb112 %: $PARTIAL, 4 copies, run-1"],
        map { run($_, measured('pipe', $_, 1e6, 1.01e6, 0.99e6)) } 1, 4
    ],
    ['a poor result', ["[62 to 100]: $PARTIAL, 1 copy, run-0"], run(1, measured('pipe', 1, @UNEVEN))],
    [
        'beside other load',
        ["[at least 67 (disturbed)]: $PARTIAL, 1 copy, run-0"],
        run(1, tagged(measured('pipe', 1, @UNEVEN), \%LOUD))
    ],
    [
        'without an index',
        ['[50.00 lps]: Recursion Test -- Tower of Hanoi, 1 copy, run-0'],
        run(1, measured('hanoi', 1, 1000))
    ],
    [
        'many tests without an index',
        ['No index, 1 copy, run-0'],
        run(1, map { measured($_, 1, 1000) } qw(hanoi arithoh short int))
    ],
    [
        'a failed test',
        ['none 1 test failed; mean of the other test 80.38: System Benchmarks index, 1 copy, run-0'],
        run(1, measured('pipe', 1, 1e6), failed('spawn', 'no'))
    ],
);
for my $case (@CASES) {
    my ($what, $numbers, @runs) = @$case;
    is_deeply([numbers(@runs)], $numbers, "the numbers: $what");
}
subtest 'place among published results' => sub {
    my @sentences =
        ('Faster than 2 of 3 published results (2nd of 3).', 'Trust: good: none of 71 passes was disturbed.');
    is_deeply([lines(whole(1))], \@sentences, 'place and trust are sentences');
    my ($strip) = grep { $_->{kind} eq 'chart' } @{ headline(whole(1))->{blocks} };
    is(scalar(grep { $_->{shape} eq 'dot' } @{ $strip->{shapes} }), 4, 'the strip has a dot for each result');
    is_deeply([map { @{ $_->{labels} } } grep { $_->{labels} } @{ $strip->{shapes} }], [[1500, 'a box']], 'its name');
    my $shaky = run(1, map { measured($_, 1, 0.5e6, 1.5e6, 1e6) } @INDEX);
    my ($poor) = grep { $_->{kind} eq 'chart' } @{ headline($shaky)->{blocks} };
    is_deeply([map { $_->{class} } grep { $_->{shape} eq 'bar' } @{ $poor->{shapes} }],
        ['own doubtful'], 'a poor result has the interval of the run alone');
};

done_testing;
