# To record the texts again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases                    qw(cases);
use Fixture                  qw(failed measured quick_run result run sliced tag tagged);
use Golden                   qw(is_golden no_golden_left_over);
use Rendered                 qw(rendered);
use UnixBench::Report::Lines qw(folded plain);

my @RECORDED = qw(
    one-copy several-copies failed hostile quick disturbed modes interactive multiuser multiuser-incidents
    multiuser-capacity observed-strace observed-hostile
);

# What other programs search standard output for; some of it in any letters.
my $MARK =
    qr/lps|MWIPS|aborting|of tests|\(Partial Only\)|Index Score|Benchmark Run|parallel cop|[ ]samples\)|-{71}|={71}/i;

sub render { return rendered(details => @_) }

# With sentences in one line.
sub unfolded { return render(@_) =~ s/\n {2,}/ /gr }

for my $case (cases()) {
    my $name = $case->{name};
    my $text = render($case->{result});
    is_golden("$name.details.txt", $text) if grep { $_ eq $name } @RECORDED;
    unlike($text, $MARK,                        "$name: nothing that other programs look for");
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$name: no control characters");
    unlike($text, qr/[ ]$|\n\n\n|\A\n/m,        "$name: no trailing blanks, no two blank lines, none at the top");
    is_deeply([grep { length > 100 } split /\n/, $text], [], "$name: at most 100 columns");
    next if !@{ $case->{result}{runs} };
    like($text, qr/[^\n]\n\z/, "$name: ends with a newline");
}

is(render(result([])), q{}, 'nothing without runs');

subtest 'a test of many passes' => sub {
    my $text = render(result([run(1, measured('spawn', 1, 3030, 2985, 3097.5, 2940, 3015))]));

    # By Python's statistics, of the counts by their times, with t = 2.7764.
    like($text, qr/^Process Creation +100[.]4 +2[.]4% +1[.]9% +5 +-2[.]4% +[+]2[.]8%$/m, 'its line');
};

subtest 'quick runs' => sub {
    my @even = map { 1000 + $_ } 0, 1, 2, 1, 0;
    my %with = (procedure => { kind => 'quick', seed => 7, precision => 0.01 });
    my $text = unfolded(result([quick_run(5, 1, sliced('pipe', 1, @even))], %with));
    like($text, qr/5 rounds in random order \(seed 7\)[.]$/m, 'what it was');
    unlike($text, qr/is known/,          'reached: nothing to say');
    unlike($text, qr/classic|untrimmed/, 'one kind of index');
    my $one = unfolded(result([quick_run(1, 1, sliced('pipe', 1, 1000))], %with));
    like($one, qr/1 round in random order \(seed 7\)[.]$/m,                           'a single round');
    like($one, qr/index is not known to any precision after 1 round; 1 % was wanted/, '... is remarked');
    my $none = render(result([quick_run(3, 1, failed('pipe', 'gone'))], %with));
    like($none, qr/no measured results: gone\n/, 'no score at all');
    unlike($none, qr/precision/, 'has no precision');
};

subtest 'what disturbed' => sub {
    my %tags = (
        1 => [tag('steal', 'note',      0.02)],
        3 => [tag('steal', 'disturbed', 0.3), tag('affinity', 'note', 1), tag('thermal', 'note', 1)]
    );
    my $text = render(result([run(1, tagged(measured('pipe', 1, 5, 6, 7), \%tags), measured('spawn', 1, 5, 6, 7))]));
    like($text, qr/^Pipe Throughput +stolen time +2 of 3 +30 %  1 a little$/m, 'how often and how badly');
    like($text, qr/^Pipe Throughput +heat +1 of 3 +1 event +a little$/m,       'each cause');
    like($text, qr/undisturbed/,                                               'the index without it');
    like($text, qr/^Undisturbed: the index without/m,                          'and what that is');
    unlike($text, qr/^Process Creation +(?:stolen|heat)/m, 'only what was tagged');
    unlike($text, qr/^Pipe Throughput +CPUs allowed/m,     'but not what held for all of the run');
    like($text, qr/could use only 1 CPU of those online/, 'which is remarked');
};

subtest 'observed system calls' => sub {
    my %text = map { $_->{name} => render($_->{result}) } grep { $_->{result}{observing} } cases();
    like($text{observed}, qr/^exit_group +1 +0[.]000 +- +- +- +- +0[.]0 %$/m,             'all of them');
    like($text{observed}, qr/^dup +721340 +1[.]000 +181 +<256 +<1024 +60460 +23[.]2 %$/m, 'with percentiles');
    like($text{observed}, qr/^mmap +9 +0[.]000 +2118 +- +- +18404 /m,                     'but of many delays only');
    unlike($text{'observed-strace'}, qr/p50/,         'strace tells of none');
    unlike($text{'not-observed'},    qr/System call/, 'nothing where nothing was observed');
};

subtest 'lines' => sub {
    is_deeply([folded('a b')], ['a b'], 'short');
    my @lines = folded('word ' x 50, 3);
    is(scalar(grep { /\A   (?:  )?word( word)*\z/ && length() <= 100 } @lines), scalar @lines, 'broken at blanks');
    is(join(q{ }, map { split } @lines), 'word ' x 49 . 'word',                                'nothing is lost');
    my @long = folded('x' x 250);
    is_deeply([map { length } @long], [98, 100, 56], 'a word that is too long');
    is(join(q{}, map { s/\A +//r } @long), 'x' x 250, 'all of it');
    is_deeply([folded(q{})], [], 'nothing');
    is(plain("helps\n"), 'helpx73\n' =~ s/px/p\\x/r, 'harmless');
};

no_golden_left_over();
done_testing;
