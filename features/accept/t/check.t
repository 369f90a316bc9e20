# check, as monitoring systems call it: ./Run in a process of its own.

use strict;
use warnings;

use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                          qw(place);
use TestProgram                    qw(write_file);
use UnixBench::Accept::VerdictFile;
use UnixBench::Base::Files;

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
    UnixBench::Base::Files::write_to($FILE, UnixBench::Accept::VerdictFile::text(@blocks));
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
    my @own    = qw(Accept Accept/Check Accept/VerdictFile);
    is_deeply(\@loaded, [@own, qw(Base/Time CLI/Declaration CLI/Options Command Features)], 'these');
};

done_testing;
