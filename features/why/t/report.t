# The factors of results: by the real program, and the reports.

use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(measured result run);
use Golden                         qw(is_golden no_golden_left_over);
use LoadedRun;
use Machines  qw(facts_of side worked_summary);
use Rendered  qw(rendered);
use ValidPage qw(is_valid_page);
use UnixBench::Compare::Comparison;
use UnixBench::Report::Block qw(text_of);
use UnixBench::Report::Comparison;
use UnixBench::Report::Formats;
use UnixBench::Why::Blocks qw(reason_texts);

# Takes a label, facts, and { test => what differs from what a usual copy used }; returns a side.
sub machine {
    my ($label, $facts, %work) = @_;
    my $summary = worked_summary(\%work, facts_of(CPU => '2 x AMD EPYC', Cores => 1, %$facts));
    return { label => $label, summary => $summary };
}

my %old = (
    spawn    => { rate => 8000,    user => 0.1, per_loop => { faults => 27.2, switches => 2 } },
    dhry2reg => { rate => 7.8e7,   user => 1 },
    fstime   => { rate => 645_000, user => 0.1 },
    syscall  => { rate => 2.4e6 },
);
my %new = (
    spawn    => { rate => 5700,    user => 0.075, clock_mhz => 3147, per_loop => { faults => 41, switches => 2 } },
    dhry2reg => { rate => 7.56e7,  user => 1,     clock_mhz => 3147 },
    fstime   => { rate => 322_000, user => 0.1,   clock_mhz => 3147, cpu => 0.5 },
    syscall  => { rate => 2.39e6,  user => 0.3 },
);
my %slower =
    (Kernel => '6.18.44', 'Mitigation vmscape' => 'Mitigation: IBPB', 'File system' => 'tmpfs', Swap => '2 GB');
my %sides = (
    whole => [
        machine('old.html', { Kernel => '6.12.9', 'File system' => 'ext4' }, %old),
        machine('new.html', \%slower,                                        %new)
    ],
    equal   => [map { machine("$_.html", {}, %old) } qw(a b)],
    unknown => [
        machine('old.html', {}, %old),
        side('7.html', runs => { 1 => { pipe => [1], spawn => [8000, 8001] } }, version => '7.1.0')
    ],
);

# Takes the kind of a report, and two sides; returns the report of their comparison with the factors.
sub compared_as {
    my ($kind, $sides) = @_;
    my $comparison = UnixBench::Compare::Comparison::of($sides);
    return UnixBench::Report::Formats::of_blocks($kind,
        UnixBench::Report::Comparison::report_of($comparison, { why => 1 }));
}

is_golden('compare-whole.txt', compared_as(text => $sides{whole}));
is_valid_page($_, compared_as(html => $sides{$_})) for sort keys %sides;
like(compared_as(text => $sides{equal}),   qr/^No test is slower or faster beyond its interval[.]$/m, 'equal sides');
like(compared_as(text => $sides{unknown}), qr/^B lacks CPU times; a run notes them/m,                 'no CPU times');

like(compared_as(html => $sides{whole}), qr{<summary>Why: the factors of each ratio</summary>}, 'a page has a fold');

# Takes what differs in the second run of spawn; returns the report of the comparison as text.
sub spawn_compared {
    my (%differ) = @_;
    my @sides = (machine('a', {}, spawn => $old{spawn}), machine('b', {}, spawn => { %{ $old{spawn} }, %differ }));
    return compared_as(text => \@sides);
}

subtest 'the sentence of a test' => sub {
    my $text = spawn_compared(rate => 7440, cpu => 1.386, user => 0.05);
    like(
        $text,
        qr/^Process\ Creation:\ kernel\ work\ -[0-9.]+\ %\ [(][0-9]+\ ->\ [0-9]+\ cycles\ a\ loop[)];
            \ the\ other\ way:\ CPU\ time\ [+]40[.]0\ %/mx,
        'the factor that points the way of the ratio, then the other one'
    );
    my %vague = (df => 2, map { $_ => 1e-2 } qw(cpu clock loop user kernel both));
    $text = spawn_compared(rate => 7000, cpu => 0.866, errors => \%vague);
    like($text, qr/^No factor is beyond its interval: Process Creation$/m, 'no factor is sure');
    unlike($text, qr/No test is slower/, 'but the test is slower');
};

# [names that are named, what the sentence says of them], with the same factors of user and kernel work.
for my $case (
    [['user'],          'user work -8.5 %; that explains only 42 % of the difference'],
    [[qw(kernel user)], 'kernel work -11.7 %, user work -8.5 %'],
    )
{
    my ($named,   $text)   = @$case;
    my ($largest, @others) = @$named;
    my %factors = (user => { value => 0.915 }, kernel => { value => 0.883 });
    my %row =
        (title => 'T', counts => [], ratio => 0.808, factors => \%factors, largest => $largest, others => \@others);
    my $said = text_of([reason_texts(\%row)], { sign => '+-', blank => q{ } });
    is($said, "T: $text", "what is said if @$named is named");
}

# Takes a run; adds what its copies used: each CPU second does less if there are several.
sub with_use {
    my ($run) = @_;
    for my $pass (map { @{ $_->{passes} } } @{ $run->{tests} }) {
        my $lived_s = $run->{copies} * $pass->{copies}[0]{elapsed_s};
        $pass->{used} = {
            user_s       => 0.25 * $lived_s,
            kernel_s     => 0.75 * $lived_s,
            minor_faults => 100,
            major_faults => 0,
            clock_mhz    => 3244
        };
    }
    return $run;
}

subtest 'a result with two numbers of copies' => sub {
    my @runs   = map { with_use(run($_->[0], measured(pipe => @$_))) } [1, 16e6, 16.1e6, 16e6], [8, 9e6, 9.1e6, 9e6];
    my $result = result(\@runs);
    is_golden('report.md', rendered('markdown why' => $result));
    like(rendered(html => $result), qr{<summary>Why: each of 8.{1,6}copies against 1.{1,6}copy</summary>}, 'the page');
    my $why = JSON::PP::decode_json(rendered(json => $result))->{why};
    is_deeply([map { $_->{copies} } @$why], [[1, 8]], 'and so has the JSON');
};

# The option --why of the real program, with results whose copies have used known CPU times.

# Takes numbers of copies; returns a result in which eight copies do half as much each.
sub result_with {
    my (@copies) = @_;
    my %rates = (1 => [16e6, 16.1e6, 16e6], 8 => [9e6, 9.1e6, 9e6]);
    return result([map { with_use(run($_, measured(pipe => $_, @{ $rates{$_} }))) } @copies]);
}

my $PLACE  = TestRun->new;
my %RESULT = (one => result_with(1), both => result_with(1, 8), state => result_with(1));
$RESULT{state}{procedure}{turns} = { commands => ['nice'], state => 1 };
$PLACE->write('results', "$_.json", rendered(json => $RESULT{$_})) for keys %RESULT;

# The first call of report writes the reports that are missing.
$PLACE->run('report', $_) for qw(one both);

# [words of the command line, what a successful run prints].
my @CASES = (
    ['report both -q --why',           qr/^Pipe Throughput: .*kernel work -[0-9.]+ %/m],
    ['report both --why --markdown -', qr/^- Pipe Throughput: .*kernel work -[0-9.]+ %/m],
    ['compare one both --why',         qr/^Factors +Ratio/m],
);
for my $case (@CASES) {
    my ($words, $said) = @$case;
    my $run = $PLACE->run(split q{ }, $words);
    is_deeply([@$run{qw(status err)}], [0, q{}], "$words: exit status 0, no error");
    like($run->{out}, $said, '... and what is said');
}
like($PLACE->run(qw(report one -q --why))->{out},   qr/only one number of copies.*compare A B --why/s, 'one number');
like($PLACE->run(qw(report state -q --why))->{out}, qr/only one state .*compare NAME NAME-b --why/,    'one state');
unlike($PLACE->run(qw(report both -q))->{out}, qr/kernel work/, 'nothing has them unasked');

no_golden_left_over();
done_testing;
