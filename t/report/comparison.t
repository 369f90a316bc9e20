# The reports of a comparison. To record them again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons qw(comparison_of comparisons);
use Golden      qw(is_golden no_golden_left_over);
use Machines    qw(side);
use ValidPage   qw(is_valid_page);
use Rendered    qw(comparison_as);
use UnixBench::Base::Files;
use UnixBench::Report::Comparison::Wording;
use UnixBench::Report::Lines;
use UnixBench::Store::ClassicReport;

my %comparison = comparisons();

# Takes the lines of a report; returns [the rows of its tables], and the other lines.
sub rows_and_others {
    my (@lines) = @_;
    my (@rows, @others, $is_row);
    for my $line (@lines) {
        $is_row = 1 if $line =~ /Verdict\z/;
        $is_row = 0 if !length $line || $line eq 'Not compared:';
        push @{ $is_row ? \@rows : \@others }, $line;
    }
    return (\@rows, @others);
}

for my $name (sort keys %comparison) {
    my $text = comparison_as(text => $comparison{$name});
    is_golden("comparison-$name.txt", $text) if $name =~ /\A(?:sets|mixed|three|classic|groups)\z/;
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters or needless blanks");
    unlike(
        $text,
        qr/Index Score|Benchmark Run|of tests|\bparallel copy|lps|MWIPS/,
        "$name: no text that scripts take for a report"
    );
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: our parser does not take it for a report");
    my ($table, @others) = rows_and_others(split /\n/, $text =~ s/\A.*?^(?= *A: )//msr);
    is_deeply([grep { length > 130 } @$table], [], "$name: no row of a table is longer than 130");
    is_deeply([grep { length > 100 } @others], [], "$name: no other line below the findings is longer than 100")
        if $name ne 'forced';
    is_valid_page($name, comparison_as(html => $comparison{$name}));
}

subtest 'the title of several sides is true for all of them' => sub {
    my $text = UnixBench::Base::Files::content("$FindBin::Bin/../data/classic/1-copy");
    my $side = sub {
        my ($name, $factor) = @_;
        my $summary = UnixBench::Store::ClassicReport::summary($text);
        $summary->{name} = $name;
        $_->{score} *= $factor for map { @{ $_->{tests} } } @{ $summary->{runs} };
        $_->{index} *= $factor for map { @{ $_->{indexes} } } @{ $summary->{runs} };
        return { label => $name, summary => $summary };
    };
    my $title = sub {
        my (@sides) = @_;
        my ($line)  = comparison_as(markdown => comparison_of([map { $side->(@$_) } @sides])) =~
            /\A## UnixBench comparison, (.*)/;
        return $line;
    };
    my @five = ([pi4 => 1], [thinkpad => 1.84], [nas => 0.62], [pi5 => 2.5], [vm => 1.01]);
    is($title->(@five),                        '5 machines: pi5 first, nas last', 'the first and the last');
    is($title->(@five[0, 1, 3]),               '3 machines: pi5 first, pi4 last', 'the first side may be the last');
    is($title->(@five[3, 0, 1]),               '3 machines: pi5 first, pi4 last', 'or the first');
    is($title->([a => 1], [b => 1], [c => 1]), '3 machines: equal',               'equal sides');
    my @near = map { side($_, runs => { 1 => { pipe => [990, 1000, 1010 + length $_] } }) } qw(a ab abc);
    like(
        comparison_as(markdown => comparison_of(\@near)),
        qr/\A## UnixBench comparison, 3 results: none differs for certain\n/,
        'what is open has no order'
    );
    my $loaded = comparison_of([map { $side->(@$_) } @five]);
    $loaded->{pairs}[1]{indexes}[0]{load} =
        [[], [{ cause => 'others', worst => 1.4, passes => 5, badly => 5, of => 5 }]];
    like(
        comparison_as(markdown => $loaded),
        qr/\A## UnixBench comparison, 5 machines against pi4\n/,
        'other load leaves the order open'
    );
    like($title->(@five[0, 2], [nas => 0.5]), qr/\A3 machines: pi4 first, nas last\z/, 'a host may have two results');
    like($title->(@five[0, 2]),               qr/\A38 % slower: nas.* against pi4/,    'two sides have a verdict');
};

no_golden_left_over();
done_testing();
