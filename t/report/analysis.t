# The reports of an analysis. To record them again: UB_RECORD=1 prove -Ilib t/report/analysis.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Analyses                             qw(analyses analysis_of typed_in);
use Golden                               qw(is_golden no_golden_left_over);
use LoadPair                             qw(load_pass load_side);
use ValidMarkdown                        qw(are_valid_markdown);
use ValidPage                            qw(is_valid_page);
use Rendered                             qw(analysis_as unstyled);
use UnixBench::Report::Analysis::Numbers qw(amount money ratio_text);
use UnixBench::Store::ClassicReport;

my %analysis = analyses();
my %text     = map { $_ => analysis_as(text     => $analysis{$_}) } keys %analysis;
my %markdown = map { $_ => analysis_as(markdown => $analysis{$_}) } keys %analysis;
my %html     = map { $_ => analysis_as(html     => $analysis{$_}) } keys %analysis;

for my $name (sort keys %analysis) {
    is_golden("analysis-$name.txt", $text{$name});
    unlike($text{$name}, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters or needless blanks");
    unlike(
        $text{$name},
        qr/Index Score|Benchmark Run|of tests|\bparallel copy|lps|MWIPS/,
        "$name: no text that scripts search for"
    );
    is(UnixBench::Store::ClassicReport::summary($text{$name}), undef,
        "$name: our parser does not take it for a report");
    my @wide = grep { length > 110 } split /\n/, $text{$name};
    is_deeply(\@wide, [], "$name: no line is longer than 110") if $name ne 'hostile' && $name ne 'forced';
    is_valid_page($name, $html{$name});
}
are_valid_markdown(%markdown);
is_golden("analysis-$_.md",     $markdown{$_}) for qw(multics pair);
is_golden('analysis-pair.html', unstyled($html{pair}));

# Returns the text of a page, without its markup. No-break spaces become blanks.
sub read_page {
    my ($html) = @_;
    my ($main) = $html =~ m{<main>(.*)</main>}s;
    $main =~ s{</mtext><mtext[^>]*>}{ / }g;
    $main =~ s/\xc2\xa0/ /g;
    return $main =~ s/<[^>]*>//gr =~ s/&quot;/"/gr =~ s/[ \n]+/ /gr;
}

sub sentences { my ($text) = @_; return $text =~ s/[ \n]+/ /gr }

# Returns the three reports of an analysis, in one line each.
sub reports {
    my ($analysis) = @_;
    return (
        text     => sentences(analysis_as(text     => $analysis)),
        Markdown => sentences(analysis_as(markdown => $analysis)) =~ s/[*`]//gr,
        HTML     => read_page(analysis_as(html     => $analysis)),
    );
}

sub all_say {
    my ($analysis, $pattern, $name) = @_;
    my %report = reports($analysis);
    like($report{$_}, $pattern, "$_: $name") for sort keys %report;
    return;
}

subtest 'the numbers of 1973' => sub {
    my %formula = (
        'total effect' => '14213 s / 4860 s = 2.9 { total effect of the new system, B }',
        'processor'    => '7999 s / 4031 s = 2.0 { effect of the processor, and of all else that makes the same work '
            . 'cheaper }',
        'product'    => '2.0 x 1.45 = 2.9 { product of the two }',
        'shift 1'    => '1995.07 / 685.66 = 2.9 { ratio of the costs }',
        'shift 2'    => '1421.30 / 619.25 = 2.3 { ratio of the costs }',
        'shift 3'    => '598.40 / 524.36 = 1.1 { ratio of the costs }',
        'shares'     => '0.791 / 0.544 = 1.45 { effect of less overhead }',
        'the shares' => 'A spent 54.44 % of the time in which it was not idle on useful work, and B 79.09 %',
        'agreement'  => 'The product agrees with the total effect, 2.9: it is 1.4 % less.',
    );
    my %report = reports($analysis{multics});
    for my $name (sort keys %formula) {
        like($report{$_}, qr/\Q$formula{$name}\E/, "$name, $_") for qw(HTML Markdown);
    }
    my %in_text = (
        total     => qr/^ +A total CPU +14213 s .*\n.* = +2[.]9 .*\n +B total CPU +4860 s /m,
        processor => qr/^ +A good CPU +7999 s .*\n.* = +2[.]0 .*\n +B good CPU +4031 s /m,
        useful    => qr{^ +B useful / B non-idle +71[.]47 / 90[.]36 +0[.]791 .*\n.* = +1[.]45 }m,
        useless   => qr{ = +1[.]45 .*\n +A useful / A non-idle +53[.]33 / 97[.]96 +0[.]544 }m,
        product   => qr/^ +2[.]0 x 1[.]45 +=  2[.]9 /m,
        shift1    => qr/^ +A cost, shift1 +1995[.]07 .*\n.* = +2[.]9 .*\n +B cost, shift1 +685[.]66 /m,
        shift2    => qr/^ +A cost, shift2 +1421[.]30 .*\n.* = +2[.]3 .*\n +B cost, shift2 +619[.]25 /m,
        shift3    => qr/^ +A cost, shift3 +598[.]40 .*\n.* = +1[.]1 .*\n +B cost, shift3 +524[.]36 /m,
        elapsed   => qr/^Elapsed time \(min\) +249[.]7 +91[.]4 +2[.]732$/m,
    );
    like($text{multics}, $in_text{$_}, "$_, text") for sort keys %in_text;
    all_say($analysis{multics}, qr/The product agrees with the total effect, 2[.]9: it is 1[.]4 % less[.]/,
        'agreement');
};

subtest 'fractions on a page' => sub {
    my @fractions =
        $html{multics} =~ s/\xc2\xa0/ /gr =~ m{<mfrac><mtext[^>]*>(.*?)</mtext><mtext[^>]*>(.*?)</mtext></mfrac>}g;
    is_deeply([@fractions[0 .. 3]], ['A total CPU', 'B total CPU', '14213 s', '4860 s'], 'formulas have fractions');
};

subtest 'either direction' => sub {
    my ($of_a, $of_b) = ({ cpu_total_s => 100, cpu_good_s => 80, other_pct => 50, idle_zero_pct => 20 }, {});
    my %double = (cpu_total_s => 200, cpu_good_s => 160, other_pct => 25, idle_zero_pct => 20);
    my %half   = (cpu_total_s => 50,  cpu_good_s => 40,  other_pct => 70, idle_zero_pct => 20);
    my %cost   = (cost => { x => 10 });
    my $said   = sub { return analysis_of(typed_in({ %$of_a, cost => { x => 10 } }, {@_})) };
    my $worse  = $said->(%double, cost => { x => 20 });
    all_say($worse, qr/B used 2[.]0 times the CPU time of A[.]/, 'B used more CPU time');
    all_say(
        $worse,
        qr/B needed 2[.]0 times as much of it as A[.] .* makes the same work dearer in B/,
        'B needed more time for the same work'
    );
    all_say($worse, qr/more of the time of B goes into overhead[.]/, 'B has more overhead');
    all_say(
        $worse,
        qr/cost 2[.]0 times as much on B as on A, in step with the total effect, 0[.]50[.]/,
        'B is more expensive'
    );
    my $better = $said->(%half, cost => { x => 5 });
    all_say($better, qr/A used 2[.]0 times the CPU time of B[.]/,     'B used less CPU time');
    all_say($better, qr/less of the time of B goes into overhead[.]/, 'B has less overhead');
    my $same = $said->(%$of_a, %cost);
    all_say($same, qr/A and B used the same CPU time, within the interval[.]/,                'equal CPU time');
    all_say($same, qr/of the work itself: it is the same on A and B, within the interval[.]/, 'equal good time');
    all_say($same, qr/no difference in overhead is shown[.]/,                                 'equal overhead');
    all_say($same, qr/The product agrees with the total effect, 1[.]0[.]/, 'the product of equal systems agrees');
    all_say($same, qr/The work cost the same, within the interval, in step with the total effect/, 'equal cost');
};

subtest 'intervals' => sub {
    my $pattern = qr/\(95 %(?: interval)?:? [\d.]+ to [\d.]+\)/;
    all_say($analysis{pair}, qr/= 2[.]17 $pattern \{ /, 'an effect has an interval');
    all_say(
        $analysis{pair},
        qr/\(95 % interval of one by the other: [\d.]+ to [\d.]+\)/,
        'the agreement has an interval'
    );
    my ($low, $high) = $text{pair} =~ /^Elapsed time \(s\) .* ([\d.]+)-([\d.]+)$/m;
    ok($low && $low < 1.367 && $high > 1.367, 'a meter has an interval');
};

subtest 'responses and stretch' => sub {
    all_say($analysis{pair}, qr/Response, compile, $_ \(s\)/,  "$_ of the responses of a class") for qw(mean p95);
    all_say($analysis{pair}, qr/Stretch\W+2[.]50\d?\W+1[.]39/, 'the stretch is reported');
    unlike($text{apart}, qr/Stretch/, 'without a load of one user there is no stretch');
};

subtest 'parts that are left out' => sub {
    my $analysis = analysis_of(typed_in({ cpu_total_s => undef, cpu_good_s => 0 }, { cpu_total_s => undef }));
    all_say(
        $analysis,
        qr/The total effect is left out: A and B have no total CPU time \(cpu_total_s\)[.]/,
        'a missing meter'
    );
    all_say($analysis, qr/The effect of the processor is left out: the good CPU time of A is 0[.]/, 'a meter of 0');
    all_say(
        $analysis,
        qr/The product is left out: the good CPU time of A is 0[.]/,
        'the product of a part that is left out'
    );
    $analysis = analysis_of(typed_in({ cpu_total_s => undef }, {}));
    all_say($analysis, qr/There is no total effect to compare it with[.]/, 'no total effect to compare with');
    $analysis =
        analysis_of(typed_in({ other_pct => undef, cost => { x => 1 } }, { idle_zero_pct => undef, cost => {} }));
    all_say(
        $analysis,
        qr/is left out: A has no useful time \(other_pct\); B has no idle time \(idle_zero_pct\)[.]/,
        'two missing meters'
    );
    all_say($analysis, qr/The cost "x" is left out: B has no cost[.]/, 'a missing cost');
    my $nothing = analysis_of(typed_in({ map { $_ => undef } qw(cpu_total_s cpu_good_s other_pct elapsed_min) }, {}),
        prices => [1, 2]);
    all_say(
        $nothing,
        qr/The cost of a run is left out: A has no elapsed time \(elapsed_s\)[.]/,
        'a price without a time'
    );
    unlike(analysis_as(html => $nothing), qr/class="cards"/, 'without a result there are no cards');
};

subtest 'notes for the reader' => sub {
    all_say(
        $analysis{apart},
        qr/The product differs by 4\d[.]\d % from the total effect/,
        'the product differs from the total effect'
    );
    all_say(
        $analysis{apart},
        qr/The two parts do not explain the total/,
        'a note says that the parts do not explain the total'
    );
    all_say(
        $analysis{apart},
        qr/A: 3 lines failed, 1 of 20 users did not finish[.] CPU times, page faults/,
        'users that did not finish'
    );
    all_say($analysis{apart}, qr/A has 2 CPUs, B 16: effects are of CPU time/,  'different numbers of CPUs');
    all_say($analysis{apart}, qr/One pass has no interval[.]/,                  'a single pass');
    all_say($analysis{pair},  qr/Values of several passes are geometric means/, 'several passes');
    all_say(
        $analysis{forced},
        qr/The procedures differ \(--force\): .*users of the multi-user load: 20 in A, 10 in B/,
        'a forced analysis'
    );
    all_say($analysis{forced}, qr/Two loads, 20 users with pauses of 0.04 to 0.3 s and 10 users/, 'different loads');
    my @scripts = map { load_side("$_.json", [load_pass()], load => { script => $_ x 8 }) } 'ab12', 'cd34';
    all_say(analysis_of(@scripts, is_forced => 1), qr/Two loads, 20 users with pauses/, 'different scripts');
    all_say(
        $analysis{priced},
        qr/follows the total effect, 2[.]9, would be 3[.]51 an hour for B, as A costs 1[.]2; it is 3[.]/,
        'the price of a run'
    );
};

subtest 'hostile names' => sub {
    unlike($html{hostile}, qr/<script|<b>|<i>/, 'no markup of hostile names is on the page');

    like($text{hostile}, qr/\\x1b\[31m/, 'escape characters are shown as text');
};

subtest 'numbers' => sub {
    my @amounts = (
        [14213,           1, '14213'],
        [249.7 * 60 / 60, 1, '249.7'],
        [61.23456,        0, '61.23'],
        [12345.678,       0, '12346'],
        [7,               1, '7'],
        [0,               0, '0'],
        [0.0123456,       0, '0.01235'],
        [1e11,            1, '100000000000'],
        [999.96,          0, '1000']
    );
    is(amount(@$_[0, 1]), $_->[2], "the amount $_->[0]") for @amounts;
    my %money = (1995.07 => '1995.07', 1421.3 => '1421.30', 0 => '0.00', 0.01234 => '0.0123', 0.999 => '1.00');
    is(money($_), $money{$_}, "money $_") for sort keys %money;
    my $ratio = sub { my ($value, @ends) = @_; return { value => $value, low => $ends[0], high => $ends[1] } };
    is(ratio_text($ratio->(2.9244)),         '2.9',   'a ratio of unknown spread has two digits');
    is(ratio_text($ratio->(1.4531), 1),      '1.45',  'a ratio may have three digits');
    is(ratio_text($ratio->(2.9244, 2.8, 3)), '2.92',  'a ratio of known spread has three digits');
    is(ratio_text($ratio->(1.03)),           '1.03',  'a ratio slightly above 1 has three digits');
    is(ratio_text($ratio->(0.996)),          '0.996', 'a ratio slightly below 1 has three digits');
    is(ratio_text($ratio->(1)),              '1.0',   'a ratio of 1 has two digits');
};

no_golden_left_over();
done_testing();
