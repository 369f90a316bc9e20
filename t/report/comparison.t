# The reports of a comparison. blocks.t records the blocks of its page.
# To record them again: UB_RECORD=1 prove -Ilib -r t/report

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
    is_golden("comparison-$name.txt", $text);
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

subtest 'the first lines' => sub {
    my $index   = 'System Benchmarks index';
    my $partial = 'System Benchmarks index (partial)';
    my $each    = 'one run each, 0.0 % from run to run';
    my %first   = (
        worse => ["$index, 1 copy: B (vm) is 3.7 % slower (3.2 to 4.1 %) than A (vm): $each"],
        three => [
            '3 results: kernel-2 first, kernel-0 last (1 copy)',
            q{},
            "$partial, 1 copy: A (vm) and B (vm) are equal within 2 % (-0.7 to +1.7 %)",
            "$partial, 4 copies: B (vm) is 16 % slower (15 to 17 %) than A (vm)",
            "$partial, 1 copy: C (vm) is 30 % faster (28 to 32 %) than A (vm)",
            "$partial, 4 copies: C (vm) is 13 % faster (12 to 14 %) than A (vm)",
        ],
        classic =>
            ["$index, 1 copy against 4 copies: B (4-copies) is 2.46 times as fast as A (1-copy), without an interval",],
        forced => [
            q{The procedures differ (--force): compiler flags: <b>"&'\t\x1b[31m\n\xff System Benchmarks Index},
            q{  Scor\x65 9 -------------------- in A, -O3 in B.},
            'A quick estimate against an official result (B is quick): intervals are 3 % wider, and the exit',
            '  status is never 3.',
            q{},
            "$partial, 1 copy: not compared, because its tests differ",
            'Mean of 2 tests in common, 1 copy: B (vm) is as fast as A, without an interval',
        ],
        sets => [
            "$index, 1 copy: inconclusive (-5.0 to +10 %): 2 runs each, 1.8 % from run to run",
            "$index, 4 copies: B (vm) is 9.0 % faster (5.3 to 13 %) than A (vm): 2 runs each, 0.8 % from run to run",
            'B (vm) against A (vm), 1 copy: to show a difference of 2 % with this scatter, about 7 to 126 runs',
            '  of each side are needed.',
        ],
    );
    for my $name (sort keys %first) {
        my @lines  = split /\n/, comparison_as(text => $comparison{$name});
        my @wanted = (@{ $first{$name} }, q{});
        is_deeply([@lines[0 .. $#wanted]], \@wanted, $name);
    }
};

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
    like($title->(@five[0, 2], [nas => 0.5]), qr/\A3 results: pi4.* first, nas.* last\z/,
        'a host may have two results');
    like($title->(@five[0, 2]), qr/\A38 % slower: nas.* against pi4/, 'two sides have a verdict');
};

subtest 'notes on a classic report are readable' => sub {
    my $text    = UnixBench::Base::Files::content("$FindBin::Bin/../data/classic/1-copy");
    my $date    = 'Benchmark Run: Tue Mar 03 2015 10:00:00 - 10:28:00';
    my $apart   = "\n$date\n\nPipe Throughput  1000.0 lps  (10.0 s, 7 samples)\n";
    my $summary = UnixBench::Store::ClassicReport::summary($text . $apart);
    my ($note)  = grep { /without a line of their own/ } @{ $summary->{notes} };
    like($note, qr/ were not read: .*Pipe Throughput/, 'the report has results without the line of their run');
    my $sides = [map { { label => $_, summary => $summary } } 'old', 'new'];
    for my $kind (qw(text markdown)) {
        my $report = comparison_as($kind => comparison_of($sides));
        like($report, qr/without a line of their own with the number of copies/, "$kind: the note is printed");
        unlike($report, qr/\\x/, "$kind: no word of it is changed");
    }
};

subtest 'facts about a side' => sub {
    my $facts = sub {
        my (%procedure) = (kind => 'official', time_factor => 1, work_factor => 1, @_);
        return UnixBench::Report::Comparison::Wording::side_facts(side('x', runs => {}, procedure => \%procedure)) =~
            s/.*8[.]0[.]0, //r;
    };
    is($facts->(), 'official procedure', 'the official procedure');
    is($facts->(time_factor => '1.0'), 'official procedure',          'an official time factor written as 1.0');
    is($facts->(time_factor => 0.01),  'official procedure, changed', 'another time factor');
    is($facts->(work_factor => 3),     'official procedure, changed', 'another work factor');
    is($facts->(time_factor => undef), 'official procedure',          'an unknown time factor');
    is($facts->(kind        => 'quick', time_factor => 2), 'quick procedure, changed', 'a changed quick procedure');
    my $nothing = side('x', runs => {}, procedure => {}, map { $_ => undef } qw(name system date version));
    is(UnixBench::Report::Comparison::Wording::side_facts($nothing), 'nothing is known of it', 'a side without facts');
};

subtest 'alignment of columns' => sub {
    my @rows = (['title', 'a', 'long'], ['t', 'bcd', undef], ['longest', q{}, 'x']);
    is_deeply(
        [UnixBench::Report::Lines::aligned(@rows)],
        ['title      a  long', 't        bcd', 'longest          x'],
        'the first column is aligned left, the others right'
    );
};

no_golden_left_over();
done_testing();
