# Verdict files: their format, and the block of a result.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases                          qw(%COUNT);
use Fixture                        qw(failed host interrupted measured run steady_result);
use Outcomes                       qw(hostile_text);
use Verdicts                       qw(judged judged_together);
use UnixBench::Accept::Verdict;
use UnixBench::Accept::VerdictFile;
use UnixBench::Report::View;
use UnixBench::Summary::Cases;

my %BLOCK = (
    host    => 'vm-17',
    state   => 'pass',
    reason  => '2 requirements are met',
    ended   => 1_785_000_000,
    indexes => [['index_1', '1586.8'], ['2d-index_1', '0.5']],
);
my $TEXT = <<'--';
host=vm-17
state=pass
reason=2 requirements are met
ended=1785000000
index_1=1586.8
2d-index_1=0.5
end=1/1
--

# Takes the text of a file; returns its blocks, or why it is refused.
sub blocks_in {
    my ($text) = @_;
    my @blocks;
    return eval { @blocks = UnixBench::Accept::VerdictFile::blocks($text); 1 } ? \@blocks : $@;
}

is(UnixBench::Accept::VerdictFile::text(\%BLOCK), $TEXT, 'a block has a line for each fact');
is_deeply(blocks_in($TEXT), [\%BLOCK], 'a block is read as it was written');

subtest 'a torn file' => sub {
    my @hosts = map {
        { %BLOCK, host => "n$_", indexes => [], $_ == 2 ? (state => 'fail', cause => 'x') : () }
    } 1 .. 12;
    my $text = UnixBench::Accept::VerdictFile::text(@hosts);
    is_deeply(blocks_in($text), \@hosts, 'blocks of several hosts are read as they were written');
    is_deeply([grep { ref blocks_in(substr $text, 0, $_) } 0 .. length($text) - 1], [], 'it is refused at each end');
    is_deeply([grep { ref blocks_in(substr $TEXT, $_) } 1 .. length $TEXT], [], 'a block without its begin is refused');
};

# [a change of the text, why it is refused].
my @DAMAGED = (
    [q{} => 'it is empty'],
    [$TEXT =~ s/^(state=.*)/$1\ncause=x/mr => 'it is damaged: its state and its cause contradict each other'],
    [$TEXT =~ s/^state=.*/state=fail/mr    => 'it is damaged: its state and its cause contradict each other'],
    [$TEXT =~ s/^state=//mr                => 'it is not a verdict, or damaged'],
    [$TEXT =~ s/vm/\e[31m/r                => 'it is not a verdict, or damaged'],
    [$TEXT =~ s/\n/\r\n/gr                 => 'it is not a verdict, or damaged'],
    [$TEXT =~ s/^(state=)/$1fail\n$1/mr    => 'it is damaged: it has state twice in a block'],
    [$TEXT =~ s/^ended=/ended=-/mr         => 'it is damaged: the end of its run is not a number of seconds'],
    [$TEXT =~ s/^state.*\n//mr             => 'it is incomplete: it has no line state='],
    [$TEXT =~ s{1/1}{2/2}r                 => 'it is incomplete'],
    ["$TEXT\n$TEXT" => 'it is incomplete'],
    ["$TEXT$TEXT"   => 'it is damaged: it has host twice in a block'],
);
is(blocks_in($_->[0]), "$_->[1]\n", "refused: $_->[1]") for @DAMAGED;

is_deeply(blocks_in($TEXT =~ s/^(end=)/colour=blue\n$1/mr),                   [\%BLOCK], 'unknown names are left out');
is_deeply(blocks_in($TEXT =~ s/^index_1=.*/index_1=1e9; rm/mr)->[0]{indexes}, [['2d-index_1', '0.5']], 'no numbers');

subtest 'hostile values' => sub {
    my $write = \&UnixBench::Accept::VerdictFile::text;
    my $text  = $write->({ %BLOCK, host => hostile_text(), reason => "a\nstate=pass\nend=1/1" });
    is(scalar(() = $text =~ /\n/g), 7, 'each value is one line');
    unlike($text =~ tr/\n//dr, qr/[\x00-\x1f\x7f]/, 'there are no control characters');
    is(blocks_in($text)->[0]{reason}, 'a\nstate=pass\nend=1/1', 'line ends are escaped');
    my $long = blocks_in($write->({ %BLOCK, reason => 'x' x 100_000 }))->[0]{reason};
    cmp_ok(length $long, '<=', 1000, 'a long reason is cut');
};

# Takes [results] or a result, and its cases; returns the block.
sub block_of {
    my ($given, @cases) = @_;
    my @views = map { UnixBench::Report::View->new(result => $_) } ref $given eq 'ARRAY' ? @$given : $given;
    return blocks_in(UnixBench::Accept::Verdict::render(@views > 1 ? \@views : $views[0], @cases))->[0];
}

my @SPREAD = (1000, 1010, 990);              # counts; the rates of pipe are a tenth of them
my $PIPE   = measured('pipe', 1, @SPREAD);
my $FAILED = failed('syscall', 'killed by SIGSEGV (pass 2, copy 1)', 24_657_547);
my $VALUE  = '99.98, at most 102.5';

# [tests, requirements, state and reason].
my @STATES = (
    [[$PIPE],          ['pipe>=97']               => 'pass: 1 requirement is met'],
    [[$PIPE],          ['pipe>=97', 'pipe>=96']   => 'pass: 2 requirements are met'],
    [[$PIPE],          ['pipe>=100', 'pipe>=103'] => "fail: pipe>=103 (1 copy): $VALUE"],
    [[$PIPE],          ['pipe>=103', 'pipe>=104'] => "fail: pipe>=103 (1 copy): $VALUE; and 1 more"],
    [[$PIPE, $FAILED], ['pipe>=97'] => 'fail: System Call Overhead (1 copy): killed by SIGSEGV (pass 2, copy 1)'],
    [[$PIPE],          []           => 'unknown: there is no requirement'],
    [[interrupted('pipe', 'ended', 9)], ['pipe>=1'] => 'inconclusive: Pipe Throughput (1 copy): ended; and 1 more'],
);
for my $case (@STATES) {
    my ($tests, $required, $expected) = @$case;
    my $result = steady_result([run(1, @$tests)], asked => ['all']);
    my $block  = block_of($result, judged($result, [1], map { $_ => undef } @$required));
    is("$block->{state}: $block->{reason}", $expected, $expected);
}

subtest 'a result that is not complete never passes' => sub {
    my $of = sub {
        my ($interruption, @doubts) = @_;
        my $result = steady_result([run(1, $PIPE)], procedure => { kind => 'official', interruption => $interruption });
        my $block  = block_of($result, judged($result, [1], 'pipe>=1' => undef), @doubts);
        return "$block->{state}: $block->{reason}";
    };
    is($of->({ signal  => 'TERM' }),      'inconclusive: the run was interrupted by SIGTERM', 'a signal');
    is($of->({ problem => 'disk full' }), 'inconclusive: disk full',                          'a problem');
    is($of->(undef, UnixBench::Summary::Cases::doubt("it is doubted\n")), 'inconclusive: it is doubted', 'a doubt');
};

subtest 'the facts about the result' => sub {
    my @index = map { measured($_, 8, $COUNT{$_}) } UnixBench::Catalog::expand('index');
    my @runs  = ({ %{ run(8, @index) }, ended => 1_785_003_600.4 }, run(16, measured('pipe', 16, 1000)));
    $runs[1]{ended} = 1_785_003_599;
    my $block = block_of(steady_result(\@runs, host => host(name => 'vm-17')));
    is_deeply([@$block{qw(host ended)}], ['vm-17', 1_785_003_600], 'the end is that of the last run');
    is_deeply($block->{indexes}, [[index_8 => sprintf '%.1f', $runs[0]{indexes}[0]{index}]], 'no partial index');
};

subtest 'several results that are judged together' => sub {
    my @results = map { steady_result([{ %{ run(1, $PIPE) }, ended => $_ }]) } 5, 9, 7;
    my @cases   = judged_together(\@results, [1], 'pipe>=1' => undef);
    my $facts   = ['pass', '1 requirement is met by 3 runs', 9];
    is_deeply([@{ block_of(\@results, @cases) }{qw(state reason ended)}], $facts, 'those of the newest');
    $results[0]{procedure}{interruption} = { signal => 'TERM' };
    is(block_of(\@results, @cases)->{state}, 'inconclusive', 'they never pass if one was interrupted');
};

done_testing;
