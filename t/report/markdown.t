# The Markdown reports. To record them again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases         qw(cases);
use Fixture       qw(failed host measured result run);
use Golden        qw(is_golden no_golden_left_over);
use Machines      qw(side spread_rates);
use ValidMarkdown qw(are_valid_markdown);
use Rendered      qw(comparison_as rendered);
use UnixBench::Compare::Comparison;
use UnixBench::Catalog;

# Words with a meaning in Markdown, with harmless ones between them.
our @WORDS = split q{ }, <<'END';
| || \| \\| \ ` `` ``` `x` **x** __x__ *a* _b_ ~~x~~ ~x~ [a](http://x.y) ![a](b) [^1] [[x]] [ ] {{x}} {% $x^2$
<b> </td> <script>alert(1)</script> <!-- --> <http://x.y> &amp; &#64;all & @all @org/team (@x) "@x", user@host.org
#1 a/b#2 GH-3 x/gh-3 !4 $5 %6 ~label &7 :smile: :100: :) #
http://x.y HTTPS://X.Y www.x.y www. x.com ftp://a.b mailto:a@b.c //x /close ::: > - + * 1. 1) ## == === --- +- -- --all
-x -1 1.2 12:34:56 1:2 a:b (x) (a_b) "x_y" foo( f(x_y) `foo' x' a. b.c. ... @ /a/b C:\x word another 12.5 it's Recursion
END
push @WORDS, "\0", "\n", "\e[31m", "\xff", "caf\xc3\xa9", "\xe2\x80\xae", q{  }, map { $_ x 90 } qw(x - ` |-);

my %result_of = map { $_->{name} => $_->{result} } cases();
my %text_of   = map { $_         => rendered('markdown details' => $result_of{$_}) } keys %result_of;
are_valid_markdown(%text_of);
is_golden('hostile.md', $text_of{hostile});

subtest 'the short form has at most 30 lines' => sub {
    my %ticket = map { $_ => rendered(markdown => $result_of{$_}) } keys %result_of;
    are_valid_markdown(%ticket);
    for my $name (sort keys %ticket) {
        cmp_ok(scalar(() = $ticket{$name} =~ /\n/g), '<=', 30, "$name: lines");
        is_golden("$name-short.md", $ticket{$name}) if $name eq 'several-copies';
    }
    my @tests = map { measured($_->{name}, 1, 1000, 1010) } grep { !$_->{load} } UnixBench::Catalog::tests();
    my $many  = rendered(markdown => result([run(1, @tests)]));
    cmp_ok(scalar(() = $many =~ /\n/g), '<=', 30, 'many tests');
    like($many, qr{^[|] [0-9]+ more tests in the long form: `--details` [|]}m, 'the rest is counted, and where it is');
};

# Takes a text; returns a result that has it in every place where a text may come from outside.
sub hostile_result {
    my ($text) = @_;
    my $test   = { %{ measured('pipe', 1, 1000, 1300) }, title => "$text x", unit => $text };
    my $failed = { %{ failed('spawn', $text) }, title => "y $text" };
    my %host   = map { $_ => $text } qw(name system os release);
    my $host   = host(%host, cpus => [{ id => 0, model => $text }]);
    my $build  = { map { $_ => $text } qw(compiler version flags) };
    return result([run(1, $test, $failed)], host => $host, notes => [$text, "$text x"], build => $build);
}

subtest 'hostile machines' => sub {
    are_valid_markdown(machines => join "\n", map { rendered('markdown details' => hostile_result($_)) } @WORDS);
};

sub nasty { return qq{<b>"&'\t\e[31m\n\xff \@all #1 | `x` } . '-' x 80 }

# Takes a name and a factor of speed; returns a machine.
sub machine {
    my ($label, $factor, %with) = @_;
    my %tests = (pipe => spread_rates(1000 * $factor, 0.01), spawn => spread_rates(50 * $factor, 0.02));
    return side($label, runs => { 1 => { %tests, %{ delete $with{tests} || {} } } }, %with);
}

subtest 'comparisons' => sub {
    my %odd = (name => nasty(), notes => [nasty()], facts => { nasty() => nasty(), Kernel => '6.1 #1 SMP' });
    my @sides =
        (machine('a.json', 1), machine('b.json', 0.9), machine(nasty(), 1, %odd, tests => { execl => nasty() }));
    my %seen = (worse => [@sides[0, 1]], hostile => \@sides);
    my %text;
    for my $name (keys %seen) {
        my $comparison = UnixBench::Compare::Comparison::of($seen{$name}, min_effect => 0.02);
        $text{$name} = comparison_as(markdown => $comparison);
    }
    are_valid_markdown(%text);
    for my $name (sort keys %text) {
        is_golden("comparison-$name.md", $text{$name}) if $name eq 'hostile';
        my $title =
            $name eq 'hostile'
            ? qr/^## UnixBench comparison, 3 results: a first, b last$/m
            : qr/^## UnixBench comparison, 10 % slower: b against a$/m;
        like($text{$name}, $title, "$name: the title has the verdict, and names the sides");
        like($text{$name}, qr/^[|] .*1[.]6 [|] +(?:2[.]0 % [|] +)?0[.]900 [|] 10 % slower [(]/m, "$name: the index");
    }
};

no_golden_left_over();
done_testing();
