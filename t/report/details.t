# The details of a result. To record the texts again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases                 qw(cases);
use Fixture               qw(failed measured quick_run result run sliced);
use Golden                qw(is_golden no_golden_left_over);
use Rendered              qw(rendered);
use UnixBench::Base::Text qw(folded plain);

my @RECORDED = qw(modes disturbed);

# Texts that other programs search for in standard output, some of them in any case.
my $MARK =
    qr/lps|MWIPS|aborting|of tests|\(Partial Only\)|Index Score|Benchmark Run|parallel cop|[ ]samples\)|-{71}|={71}/i;

sub render { return rendered(details => @_) }

# Returns the details with each sentence in one line.
sub unfolded { return render(@_) =~ s/\n {2,}/ /gr }

# Takes details; returns what is recorded of them: without one copy, and without the steps that features advise.
sub recorded {
    my ($text) = @_;
    $text =~ s/\A1 copy.*?(?=^4 copies)//ms;
    $text =~ s/(may be oversold).*?[.]\s+(Steal that stays is the)\s+/$1. $2 /s;
    return $text;
}

for my $case (cases()) {
    my $name = $case->{name};
    my $text = render($case->{result});
    is_golden("$name.details.txt", recorded($text)) if grep { $_ eq $name } @RECORDED;
    unlike($text, $MARK,                        "$name: no text that other programs search for");
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$name: no control characters");
    unlike($text, qr/[ ]$|\n\n\n|\A\n/m, "$name: no trailing blanks, double blank lines or blank line at the top");
    is_deeply([grep { length > 100 } split /\n/, $text], [], "$name: at most 100 columns");
    next if !@{ $case->{result}{runs} };
    like($text, qr/[^\n]\n\z/, "$name: ends with a newline");
}

is(render(result([])), q{}, 'without runs there are no details');

subtest 'a test of many passes' => sub {
    my $text = render(result([run(1, measured('spawn', 1, 3030, 2985, 3097.5, 2940, 3015))]));

    # Runs of a virtual machine differ by 2 %: Student's t of 8 degrees of freedom, and the passes of this run.
    like($text, qr/^Process Creation +7[.]97 +7 % +100 +1[.]9 % +5 +8[.]0$/m, 'the line of a test has its estimate');
};

subtest 'quick runs' => sub {
    my @even = map { 1000 + $_ } 0, 2, 0, 2, 1;
    my %with = (procedure => { kind => 'quick', seed => 7, precision => 0.01 });
    my $text = unfolded(result([quick_run(5, 1, sliced('pipe', 1, @even))], %with));
    like($text, qr/5 rounds in random order \(seed 7\)[.]$/m, 'rounds and seed of a quick run');
    unlike($text, qr/precision after/, 'a precision that was reached is not mentioned');
    unlike($text, qr/classic/i,        'a quick run has one kind of index');
    my $one = unfolded(result([quick_run(1, 1, sliced('pipe', 1, 1000))], %with));
    like($one, qr/1 round in random order \(seed 7\)[.]$/m,                       'a quick run of one round');
    like($one, qr/index: precision after 1 round is unknown [(]wanted 1 %[)][.]/, 'an unknown precision is a warning');
    my $none = render(result([quick_run(3, 1, failed('pipe', 'gone'))], %with));
    like($none, qr/no measured results: gone\n/, 'a quick run without a score');
    unlike($none, qr/precision/, 'a quick run without a score has no precision');
};

subtest 'folding of lines' => sub {
    my @lines = folded('word ' x 50, 3);
    is(scalar(grep { /\A   (?:  )?word( word)*\z/ && length() <= 100 } @lines), scalar @lines, 'at blanks');
    is(join(q{ }, map { split } @lines), 'word ' x 49 . 'word',                                'all words are there');
    is_deeply([map { length } folded('x' x 250)], [98, 100, 56], 'a very long word is broken');
    is(plain("helps\n"), 'helpx73\n' =~ s/px/p\\x/r, 'texts that programs search for are escaped');
};

no_golden_left_over();
done_testing;
