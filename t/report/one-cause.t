# A cause is told once: the reports of a run beside other load have one warning about it, and none that repeats it.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use BusyRun     qw(busy_result seen_in_page tells_once);
use Comparisons ();
use Fixture     qw(@INDEX quick_run result sliced tag tagged);
use Rendered    qw(comparison_as rendered);
use UnixBench::Compare::Comparison;
use UnixBench::Report::Comparison::Advice;
use UnixBench::Report::EndBlock qw(block_lines warning_lines);
use UnixBench::Report::View;
use UnixBench::Store::Summary;
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording;

my $result = busy_result();
my $view   = UnixBench::Report::View->new(result => $result, published => []);
my @block  = (warning_lines($view, 80), block_lines($view, 80));

tells_once('the end of a run', "@block");
tells_once('the page',         seen_in_page(rendered(html => $result)));
tells_once('Markdown',         rendered(markdown => $result));

subtest 'a comparison' => sub {
    my $summary = UnixBench::Store::Summary::of($result);
    my $quiet   = UnixBench::Store::Summary::of(result([map { quiet($_) } @{ $result->{runs} }]));
    my $sides   = [{ label => 'a', summary => $quiet }, { label => 'b', summary => $summary }];
    my $found   = UnixBench::Compare::Comparison::of($sides, min_effect => 0.02);
    for my $kind (qw(text markdown html)) {
        my $text = comparison_as($kind, $found);
        tells_once($kind, $kind eq 'html' ? seen_in_page($text) : $text);
        cmp_ok(scalar(() = $text =~ / `?[*]`?\s*(?:<|$|[|])/gm), '>=', 2 * @INDEX, "$kind: each row has a mark");
    }
};

subtest 'a comparison of three' => sub {
    my $loud   = UnixBench::Store::Summary::of($result);
    my $quiet  = UnixBench::Store::Summary::of(result([map { quiet($_) } @{ $result->{runs} }]));
    my @sides  = map { +{ label => $_->[0], summary => $_->[1] } } [a => $quiet], [b => $quiet], [c => $loud];
    my $found  = UnixBench::Compare::Comparison::of(\@sides, min_effect => 0.02);
    my ($next) = map { $_->[1] } grep { $_->[0] eq 'Next' } UnixBench::Report::Comparison::Advice::block_of($found, {});
    is($next, 'stop the other load, and measure C again', 'only the loud one is to be measured again');
    my $page  = seen_in_page(comparison_as(html => $found));
    my @title = map { s/[^ -~]+/ /r } $page =~ /(All against a, [0-9]+\W+cop(?:y|ies))/g;
    is_deeply(\@title, ['All against a, 1 copy', 'All against a, 4 copies'], 'a section for each number of copies');
    is(scalar(() = $page =~ /at least [0-9]+/g), 2, 'the index beside other load is a floor in both');
};

subtest 'a comparison of groups' => sub {
    my $summary = UnixBench::Store::Summary::of($result);
    my $quiet   = UnixBench::Store::Summary::of(result([map { quiet($_) } @{ $result->{runs} }]));
    my @groups  = (['6.1', $quiet], ['6.12', $summary]);
    my $found   = Comparisons::of_groups('kernel', undef,
        map { { name => $_->[0], sides => [{ label => $_->[0], summary => $_->[1] }] } } @groups);
    my $text = comparison_as(text => $found);
    tells_once('text', $text);
    cmp_ok(scalar(() = $text =~ / [*]$/gm), '>=', 2 * @INDEX, 'each row has a mark');
    like($text, qr/^System Benchmarks index, 1 copy: B [(]6[.]12[)]: inconclusive, because of other load$/m,
        'the group');
};

# Takes a run; returns it without disturbances.
sub quiet {
    my ($run) = @_;
    my @tests = map { tagged($_, {}) } @{ $run->{tests} };
    return { %$run, tests => \@tests };
}

subtest 'a quick run that is not precise enough' => sub {
    my @load  = tag('others', 'disturbed', 1.98);
    my @tests = map {
        tagged(sliced($_, 1, 900, 1100, 1000), { map { $_ => \@load } 1 .. 3 })
    } @INDEX;
    my %quick = (procedure => { kind => 'quick', precision => 0.01, max_time_s => 10, resumptions => [] });
    my $quick = result([quick_run(3, 1, @tests)], %quick);
    my @found = UnixBench::Warnings::All::of($quick);
    my %kinds = map { $_->{kind} => 1 } @found;
    is(join(q{ }, sort keys %kinds), 'load overtime precision varied', 'kinds of warnings');
    my @texts = UnixBench::Warnings::Wording::merged(@found);
    unlike("@texts", qr/--max-time\)?,|more time|longer/, 'none advises a longer measurement');
    my ($load, @others) = UnixBench::Warnings::Wording::gathered(@found);
    is(scalar @others,               1, 'what the load explains has one reason and one advice');
    is(scalar @{ $others[0]{seen} }, 3, 'of three sentences');
};

subtest 'little other load explains nothing' => sub {
    my @tests = map { sliced($_, 1, 900, 1100, 1000) } @INDEX;
    $tests[0] = tagged($tests[0], { 1 => [tag('others', 'disturbed', 1.98)] });
    my $quick = result([quick_run(3, 1, @tests)], procedure => { kind => 'quick', precision => 0.01 });
    my @texts = UnixBench::Warnings::Wording::merged(UnixBench::Warnings::All::of($quick));
    like("@texts", qr/Allow more time/, 'one of 36 passes is not why the run is not precise');
};

done_testing;
