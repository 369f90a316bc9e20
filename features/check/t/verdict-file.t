# Verdict files: their format, the block of a result, and the command check, as monitoring systems call it. And the
# JUnit XML of verdicts. Servers accept what the schema of Jenkins' xUnit plugin allows, and so is the recorded
# document.

use strict;
use warnings;

use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../accept/t/lib ../../../t/lib);
use Cases                          qw(%COUNT);
use Fixture                        qw(failed host interrupted measured rendered run skipped steady_result);
use Golden                         qw(is_golden no_golden_left_over);
use Outcomes                       qw(hostile_text);
use Place                          qw(place write_file);
use Verdicts                       qw(judged judged_together);
use UnixBench::Check::JUnit;
use UnixBench::Check::Verdict;
use UnixBench::Check::VerdictFile;
use UnixBench::Base::Files;
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
    return eval { @blocks = UnixBench::Check::VerdictFile::blocks($text); 1 } ? \@blocks : $@;
}

is(UnixBench::Check::VerdictFile::text(\%BLOCK), $TEXT, 'a block has a line for each fact');
is_deeply(blocks_in($TEXT), [\%BLOCK], 'a block is read as it was written');

subtest 'a torn file' => sub {
    my @hosts = map {
        { %BLOCK, host => "n$_", indexes => [], $_ == 2 ? (state => 'fail', cause => 'x') : () }
    } 1 .. 12;
    my $text = UnixBench::Check::VerdictFile::text(@hosts);
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
    my $write = \&UnixBench::Check::VerdictFile::text;
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
    return blocks_in(UnixBench::Check::Verdict::render(@views > 1 ? \@views : $views[0], @cases))->[0];
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

# check, as monitoring systems call it: ./Run in a process of its own.

my $RUN   = "$FindBin::Bin/../../../Run";
my $PLACE = place();
my $FILE  = "$PLACE/verdict";

use constant { HOUR_S => 3600, DAY_S => 86_400 };

# Takes facts to replace; returns the block of a run that ended an hour ago.
sub block {
    return { host => 'vm-17', state => 'pass', reason => '1 requirement is met', ended => time - HOUR_S - 5, @_ };
}

# Takes blocks; writes them to the file.
sub verdict {
    my (@blocks) = @_;
    UnixBench::Base::Files::write_to($FILE, UnixBench::Check::VerdictFile::text(@blocks));
    return;
}

# Takes words; returns the exit status, and what Run prints on both outputs, without the directory of the file.
sub checked {
    my (@words) = @_;
    my $pid = open(my $out, q{-|}) // die "fork: $!\n";
    if (!$pid) {
        open STDERR, '>&', \*STDOUT or POSIX::_exit(99);
        exec {$^X} $^X, $RUN, @words or POSIX::_exit(99);
    }
    my $said = join q{}, readline $out;
    close $out;
    return [$? >> 8, $said =~ s/\Q$PLACE\E/PLACE/gr];
}

# [facts of the block, words, exit status, the line without its beginning].
my $AGO     = 'vm-17, 1 hour ago';
my $TOO_OLD = 'the verdict is older than 7d: measure again';
my %INDEXES = (indexes => [[index_1 => '1586.8'], [index_8 => '6104.2']]);
my @CASES   = (
    [{},                                           [] => 0, "OK: $AGO: 1 requirement is met"],
    [{ state => 'inconclusive', reason => 'why' }, [] => 1, "WARNING: $AGO: why"],
    [{ state => 'fail', reason => 'why' },         [] => 2, "CRITICAL: $AGO: why"],
    [{ state => 'unknown', reason => 'why' },      [] => 3, "UNKNOWN: $AGO: why"],
    [{%INDEXES}, []                  => 0, "OK: $AGO: 1 requirement is met | index_1=1586.8 index_8=6104.2"],
    [{},         ['--max-age', '1h'] => 3, "UNKNOWN: $AGO: the verdict is older than 1h: measure again"],
    [{},         ['--max-age=2h']    => 0, "OK: $AGO: 1 requirement is met"],
    [{ ended => time - 8 * DAY_S - 5 },                  []  => 3, "UNKNOWN: vm-17, 8 days ago: $TOO_OLD"],
    [{ ended => time - 8 * DAY_S - 5, state => 'fail' }, []  => 3, "UNKNOWN: vm-17, 8 days ago: $TOO_OLD"],
    [{ ended => time - 6 * DAY_S - 5 },                  []  => 0, 'OK: vm-17, 6 days ago: 1 requirement is met'],
    [{ ended => time - 8 * DAY_S - 5 }, ['--max-age', '30d'] => 0, 'OK: vm-17, 8 days ago: 1 requirement is met'],
    [{ ended => time + 30 },            []                   => 0, 'OK: vm-17: 1 requirement is met'],
    [{ ended => time + 600 },           [] => 3, 'UNKNOWN: vm-17: the verdict is from the future: set the clocks'],
    [
        { host => '<script>', reason => 'index<=9' },
        [] => 0,
        'OK: \\x3cscript>, 1 hour ago: index<=9'
    ],
    [
        { host => "a\e[31m\nb|c=1", reason => "caf\xc3\xa9 \xff \xe2\x80\xae | x=9" },
        [] => 0,
        "OK: a\\x1b[31m\\nb\\x7cc=1, 1 hour ago: caf\xc3\xa9 \\xff \\x{202e} \\x7c x=9"
    ],
);
for my $case (@CASES) {
    my ($facts, $words, $status, $line) = @$case;
    verdict(block(%$facts));
    is_deeply(checked('check', $FILE, @$words), [$status, "UNIXBENCH $line\n"], $line);
}

subtest 'several hosts' => sub {
    my @good = map { block(host => "n0$_") } 1 .. 3;
    my $old  = block(host => 'n07', ended => 1);
    my %slow = (state => 'fail', cause => 'pipe>=9 (1 copy): below the limit');
    my @bad  = map { block(host => "n1$_", %slow, reason => "pipe>=9 (1 copy): $_") } 0, 1;
    my $open = block(host => 'n20', state => 'inconclusive', reason => 'pipe>=9 (1 copy): other load');
    my %said = (
        OK       => [0, "3 of 3 hosts pass", @good],
        WARNING  => [1, '3 of 4 hosts pass; inconclusive: n20 (pipe>=9 (1 copy): other load)', @good, $open],
        CRITICAL => [
            2,
            '3 of 7 hosts pass; fail: n10, n11 (pipe>=9 (1 copy): below the limit); '
                . "unknown: n07 ($TOO_OLD); inconclusive: n20 (pipe>=9 (1 copy): other load)",
            $bad[0],
            $old,
            @good,
            $open,
            $bad[1]
        ],
        UNKNOWN => [3, "3 of 4 hosts pass; unknown: n07 ($TOO_OLD)", $old, @good],
    );
    for my $word (sort keys %said) {
        my ($status, $line, @blocks) = @{ $said{$word} };
        verdict(@blocks);
        is_deeply(checked('check', $FILE), [$status, "UNIXBENCH $word: $line\n"], $word);
    }
    verdict(map { block(host => "n$_", state => 'fail') } 1 .. 1000);
    my $many = checked('check', $FILE)->[1];
    like($many, qr/: 0 of 1000 hosts pass; fail: n1, n2, .*, n1000 [(]1 requirement is met[)]\n\z/, 'many hosts');
    cmp_ok(length $many, '<', 1100, 'are not all named');
};

subtest 'files without a verdict' => sub {
    mkfifo("$PLACE/pipe", 0600) or die "pipe: $!\n";
    open my $huge, '>', "$PLACE/huge" or die "huge: $!\n";
    truncate $huge, 2**33 or die "huge: $!\n";
    close $huge;
    my %why = (
        "$PLACE/none"        => 'PLACE/none: No such file or directory',
        "$PLACE"             => 'PLACE: it is not a plain file',
        "$PLACE/pipe"        => 'PLACE/pipe: it is not a plain file',
        '/dev/zero'          => '/dev/zero: it is not a plain file',
        "$PLACE/huge"        => 'PLACE/huge: it is too large for a verdict',
        "$PLACE/a\e[31m\n|b" => 'PLACE/a\\x1b[31m\\n\\x7cb: No such file or directory',
    );
    is_deeply(checked('check', $_), [3, "UNIXBENCH UNKNOWN: can't read $why{$_}\n"], $why{$_}) for sort keys %why;
};

subtest 'wrong usage is unknown, not critical' => sub {
    verdict(block());
    my %why = (
        'check'                    => 'check needs a file: ./Run check FILE',
        "check $FILE --max-age 7w" => 'option --max-age needs a time such as 90, 90s, 5m, 1h or 7d, not "7w"',
        "check $FILE -x"           => 'check has no option -x. See ./Run help check for the options.',
        "check $FILE pipe"         => 'check takes one file, not 2',
    );
    is_deeply(checked(split / /), [3, "UNIXBENCH UNKNOWN: $why{$_}\n"], s/\Q$PLACE\E/PLACE/r) for sort keys %why;
    my $first = "Run: check is a command: it must be the first word; see $RUN help check\n";
    is_deeply(checked(qw(explain check)), [2, $first], 'another command understands the word');
    my $status = system $^X, '-e', 'close STDOUT; exec $^X, @ARGV', $RUN, 'check', $FILE;
    is($status >> 8, 3, 'a closed output is unknown');
};

# It may be called each minute for each host, so it loads its own modules, and those that parse the command line.
subtest 'a check loads few modules' => sub {
    write_file("$PLACE/Tell.pm", 'package Tell; END { $, = "\\n"; print {*STDERR} sort keys %INC } 1;');
    verdict(block());
    local $ENV{PERL5OPT} = "-I$PLACE -MTell";
    my @loaded = map { m{UnixBench/(.*)[.]pm} } @{ checked('check', $FILE) }[1] =~ /^(.*)$/mg;
    my @own    = qw(Accept Bisect Changes Check Check/Command Check/VerdictFile);
    is_deeply(\@loaded, [sort @own, qw(Base/Time CLI/Declaration CLI/Options Command Features)], 'these');
};

# JUnit.

subtest 'every verdict' => sub {
    my @runs = (
        run(
            1,
            measured('pipe', 1, 990, 1010),
            failed('syscall', 'killed by SIGSEGV (pass 2, copy 1)', 24_657_547),
            interrupted('spawn', hostile_text(), 9),
        ),
        run(4, skipped('2d-rects', 'skipped: graphics tests run as one copy')),
    );
    my $result = steady_result(\@runs, host => host(name => hostile_text()), utc_offset_s => -12_600);
    my $xml    = rendered(
        junit => $result,
        judged($result, [1, 8], 'pipe>=97' => undef, '1:pipe>=103' => undef, '1:syscall>=1' => undef)
    );
    is_golden('verdicts.junit.xml', $xml);
    unlike($xml, qr/[\x00-\x09\x0b-\x1f\x7f]/, 'there are no control characters');
};

subtest 'the trust of the whole result' => sub {
    my $result = steady_result([run(1, measured('pipe', 1, 1000, 1010, 990))]);
    my $xml    = rendered(junit => $result, judged($result, [1], 'trust>=good' => undef));
    like(
        $xml,
        qr/<testsuite [^>]*name="The whole result"[^>]*>\n<testcase classname="UnixBench.result" name="trust&gt;=good"/,
        'has a suite of its own'
    );
};

subtest 'several results that are judged together' => sub {
    my @results = map { steady_result([run(1, measured('pipe', 1, 1, 1))]) } 1 .. 3;
    my @views   = map { UnixBench::Report::View->new(result => $_) } @results;
    my $xml     = UnixBench::Check::JUnit::render(\@views, judged_together(\@results, [1], 'pipe>=1' => undef));
    my $copy    = '1 parallel copy';
    my $names   = ["A1: $copy", "A2: $copy", "A3: $copy", '3 runs together'];
    is_deeply([$xml =~ /<testsuite [^>]*name="([^"]*)" (?:skipped="0" )?tests="1"/g],
        $names, 'each run has a suite, and all');
    my %seen = map { $_ => 1 } $xml =~ /<testcase (classname="[^"]*" name="[^"]*")/g;
    is(keys %seen, 4, 'no two cases have the same class and name');
};

no_golden_left_over();
done_testing;
