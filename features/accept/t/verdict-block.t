# The verdict on a result, as a block of a verdict file.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases                          qw(%COUNT);
use Fixture                        qw(failed host interrupted measured steady_result run);
use Rendered                       qw(rendered);
use Outcomes                       qw(hostile_text);
use Verdicts                       qw(judged judged_together verdicts);
use UnixBench::Accept::VerdictFile;
use UnixBench::Accept::VerdictBlock;

my @SPREAD = (1000, 1010, 990);    # counts; the rates of pipe are a tenth of them

# Takes tests, with one copy, and requirements; returns the state and the reason.
sub state_of {
    my ($tests, @required) = @_;
    my $result = steady_result([run(1, @$tests)], asked => ['all']);
    my $block  = UnixBench::Accept::VerdictBlock::of([$result], judged($result, [1], map { $_ => undef } @required));
    return @$block{qw(state reason)};
}

subtest 'the worst case decides' => sub {
    my @pipe   = (measured('pipe', 1, @SPREAD));
    my $value  = '99.98 (97.51 to 102.5)';
    my $open   = 'about 49 more runs would decide';
    my $failed = failed('syscall', 'killed by SIGSEGV (pass 2, copy 1)', 24_657_547);
    my @cases  = (
        [[@pipe], ['pipe>=97'] => 'pass', '1 requirement is met'],
        [[@pipe], ['pipe>=97',  'pipe>=96']  => 'pass',         '2 requirements are met'],
        [[@pipe], ['pipe>=100', 'pipe>=9']   => 'inconclusive', "pipe>=100 (1 copy): $value; $open"],
        [[@pipe], ['pipe>=100', 'pipe>=103'] => 'fail',         "pipe>=103 (1 copy): $value; below the limit"],
        [[@pipe], ['pipe>=103', 'pipe>=104'] => 'fail', "pipe>=103 (1 copy): $value; below the limit; and 1 more"],
        [
            [@pipe, $failed],
            ['pipe>=97'] => 'fail',
            'System Call Overhead (1 copy): killed by SIGSEGV (pass 2, copy 1)'
        ],
        [[@pipe], [] => 'unknown', 'there is no requirement'],
    );
    for my $case (@cases) {
        my ($tests, $required, @expected) = @$case;
        is_deeply([state_of($tests, @$required)], \@expected, "required: @$required");
    }
};

subtest 'a result that is not complete never passes' => sub {
    my $met = sub {
        my (%procedure) = @_;
        my $result =
            steady_result([run(1, measured('pipe', 1, @SPREAD))], procedure => { kind => 'official', %procedure });
        return ([$result], judged($result, [1], 'pipe>=1' => undef));
    };
    my $of = \&UnixBench::Accept::VerdictBlock::of;
    is($of->($met->())->{state}, 'pass', 'a complete result passes');
    my $block = $of->($met->(interruption => { signal => 'TERM' }));
    is_deeply([@$block{qw(state reason)}], ['inconclusive', 'the run was interrupted by SIGTERM'], 'a signal');
    $block = $of->($met->(interruption => { problem => 'disk full' }));
    is_deeply([@$block{qw(state reason)}], ['inconclusive', 'disk full'], 'a problem');
    $block = $of->($met->(), UnixBench::Score::Cases::doubt("it is doubted\n"));
    is_deeply([@$block{qw(state reason)}], ['inconclusive', 'it is doubted'], 'a doubt');
    my ($state) = state_of([interrupted('pipe', 'interrupted after 1 of 10 passes', 9)], 'pipe>=1');
    is($state, 'inconclusive', 'a test that was interrupted');
};

subtest 'the facts about the result' => sub {
    my @index = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn syscall shell1 shell8);
    my $of_copies = sub {
        my ($copies, $ended) = @_;
        return { %{ run($copies, map { measured($_, $copies, $COUNT{$_}) } @index) }, ended => $ended };
    };
    my @runs =
        ($of_copies->(1, 1_785_000_000.9), $of_copies->(8, 1_785_003_600.4), run(16, measured('pipe', 16, 1000)));
    $runs[2]{ended} = 1_785_003_599;
    my $result  = steady_result(\@runs, host => host(name => 'vm-17'), utc_offset_s => 7200, version => '8.0.0');
    my $block   = UnixBench::Accept::VerdictBlock::of([$result]);
    my @indexes = map { sprintf '%.1f', $_->{indexes}[0]{index} } @runs;
    is_deeply(
        [@$block{qw(host version ended date)}],
        ['vm-17', '8.0.0', 1_785_003_600, '2026-07-25T20:20:00+02:00'],
        'the end is that of the last run'
    );
    is_deeply($block->{indexes}, [[index_1 => $indexes[0]], [index_8 => $indexes[1]]], 'a partial index is left out');
};

subtest 'several results that are judged together' => sub {
    my @results = map { steady_result([{ %{ run(1, measured('pipe', 1, @SPREAD)) }, ended => $_ }], version => $_) } 5,
        9,
        7;
    my @cases = judged_together(\@results, [1], 'pipe>=1' => undef);
    my $of    = \&UnixBench::Accept::VerdictBlock::of;
    my $block = $of->(\@results, @cases);
    is_deeply(
        [@$block{qw(state reason ended version)}],
        ['pass', '1 requirement is met by 3 runs', 9, 9],
        'the facts are those of the newest'
    );
    $results[0]{procedure}{interruption} = { signal => 'TERM' };
    is($of->(\@results, @cases)->{state}, 'inconclusive', 'they never pass if one was interrupted');
};

for (verdicts()) {
    my ($name, $result, @cases) = @$_;
    my $text = rendered(verdict => $result, @cases);
    my @read = UnixBench::Accept::VerdictFile::blocks($text);
    is(scalar @read, 1, "$name: the file has one block");
    my $is_passed = grep({ $_->{kind} eq 'requirement' } @cases) && !grep { $_->{verdict} =~ /FAIL|INCONC/ } @cases;
    is($read[0]{state} eq 'pass' ? 1 : 0, $is_passed ? 1 : 0, "$name: pass if every case passes");
    unlike($text =~ tr/\n//dr, qr/[\x00-\x1f\x7f]/, "$name: there are no control characters");
}

done_testing;
