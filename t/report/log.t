# The log of a result. To record the logs again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases   qw(cases);
use Fixture qw(measured skipped);
use Golden  qw(is_golden no_golden_left_over);
use UnixBench::Report::Text;

sub pieces {
    my ($test, $copies) = @_;
    return (
        UnixBench::Report::Text::test_head($test, $copies),
        (map { UnixBench::Report::Text::pass($_) } @{ $test->{passes} }),
        UnixBench::Report::Text::test_tail($test, $copies)
    );
}

# Returns a log with the facts of each copy in one line, which is easier to read.
sub with_short_copies {
    my ($log) = @_;
    return $log =~ s/\n(?=# )/  /gr;
}

# One case of each kind of line, of which the last run is recorded. The log does not depend on the rest of a case.
my %IS_RECORDED = map { $_ => 1 } qw(several-copies hostile);

for my $case (cases()) {
    my $result = $case->{result};
    my @logs   = map {
        my $run = $_;
        [map { pieces($_, $run->{copies}) } @{ $run->{tests} }]
    } @{ $result->{runs} };
    my @pieces = map { @$_ } @logs;
    my $log    = join q{}, @pieces;
    is_golden("$case->{name}.log", with_short_copies(join q{}, @{ $logs[-1] })) if $IS_RECORDED{ $case->{name} };
    unlike($log, qr/of tests|\(Partial Only\)/, "$case->{name}: no text that scripts count in the report");
    is_deeply([grep { !/\n\z/ } @pieces], [], "$case->{name}: each piece ends its line");
}

subtest 'head and tail' => sub {
    my $test = measured('spawn', 1, 247_371, 242_919, 243_989);
    my @head = split /\n/, UnixBench::Report::Text::test_head($test, 1);
    is($head[0], '#' x 56,                                              'the head begins with a line');
    is($head[1], 'Process Creation -- 1 copy',                          'the head has the title');
    is($head[2], '==> "/opt/my suite/pgms/spawn" 30 "/opt/x/multi.sh"', 'the head has the command');
    like(UnixBench::Report::Text::test_head($test, 4), qr/^Process Creation -- 4 copies$/m, 'the number of copies');
    @{$test}{qw(score time_s)} = (8188.34084738901, 30.0029255);
    is(UnixBench::Report::Text::test_tail($test, 1), <<'END', 'the tail has the scores of the passes and the result');
*Dump score:     242919.0
Count score:     243989.0
Count score:     247371.0

>>>> Results of 1 copy
>>>> score: 8188.34084738901
>>>> time: 30.0029255
>>>> iterations: 2

END
    like(UnixBench::Report::Text::test_tail($test, 4), qr/^>>>> Sum of 4 copies$/m, 'the sum of several copies');
    is(
        UnixBench::Report::Text::test_tail(skipped('pipe', 'one copy only'), 2),
        ">>>> no measured results: one copy only\n\n",
        'the tail has the reason if there is no result'
    );
};

subtest 'pass' => sub {
    my %data = (COUNT => [5, 1, 'lps'], TIME => [2], Zeta => ['z'], alpha => ['a'], 'x.' => [map { "v$_" } 0 .. 10]);
    my %copy = (pid   => 7, elapsed_s => 2, status => 0, gated => 0, output => "said\nthis", data => \%data);
    my $copy = { pid => 8, signal => 11, error => "killed by\tSIGSEGV", gated => 1, data => {}, output => "x\n" };
    is(UnixBench::Report::Text::pass({ number => 3, copies => [\%copy, $copy] }), <<'END', 'its copies in turn');
#### Pass 3

said
this
# COUNT0: 5
# COUNT1: 1
# COUNT2: lps
# TIME: 2
# Zeta: z
# alpha: a
# elapsed: 2.000000
# gate: none, its time counts from its exec
# pid: 7
# status: 0
# x.0: v0
# x.1: v1
# x.10: v10
# x.2: v2
# x.3: v3
# x.4: v4
# x.5: v5
# x.6: v6
# x.7: v7
# x.8: v8
# x.9: v9

x
# ERROR: killed by\tSIGSEGV
# pid: 8
# signal: 11

END
};

no_golden_left_over();
done_testing();
