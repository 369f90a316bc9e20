# check, as monitoring systems call it: ./Run in a process of its own.

use strict;
use warnings;

use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Needs                          qw(skip_without);
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

subtest 'each state has its status' => sub {
    my %expected = (
        pass         => [0, 'OK'],
        inconclusive => [1, 'WARNING'],
        fail         => [2, 'CRITICAL'],
        unknown      => [3, 'UNKNOWN'],
    );
    for my $state (sort keys %expected) {
        verdict(block(state => $state, reason => "why $state"));
        my ($status, $word) = @{ $expected{$state} };
        is_deeply(checked('check', $FILE), [$status, "UNIXBENCH $word: vm-17, 1 hour ago: why $state\n"], $state);
    }
    verdict(block(indexes => [[index_1 => '1586.8'], [index_8 => '6104.2']]));
    is_deeply(
        checked('check', $FILE),
        [0, "UNIXBENCH OK: vm-17, 1 hour ago: 1 requirement is met | index_1=1586.8 index_8=6104.2\n"],
        'indexes have the form in which Nagios plots them'
    );
};

subtest 'the age of a verdict' => sub {
    my $too_old = sub { return "vm-17, $_[0] ago: the verdict is older than $_[1]: measure again" };

    # [age, words, status, text].
    my @cases = (
        [HOUR_S + 5,    ['--max-age', '1h'],  3, $too_old->('1 hour', '1h')],
        [HOUR_S - 60,   ['--max-age', '1h'],  0, 'vm-17, 59 minutes ago: 1 requirement is met'],
        [HOUR_S + 5,    ['--max-age=2h'],     0, 'vm-17, 1 hour ago: 1 requirement is met'],
        [8 * DAY_S + 5, [],                   3, $too_old->('8 days', '7d')],
        [6 * DAY_S + 5, [],                   0, 'vm-17, 6 days ago: 1 requirement is met'],
        [8 * DAY_S + 5, ['--max-age', '30d'], 0, 'vm-17, 8 days ago: 1 requirement is met'],
        [-30,           [],                   0, 'vm-17: 1 requirement is met'],
        [-600,          [],                   3, 'vm-17: the verdict is from the future: set the clocks'],
    );
    for my $case (@cases) {
        my ($age_s, $words, $status, $text) = @$case;
        verdict(block(ended => time - $age_s, indexes => []));
        my ($is, $said) = @{ checked('check', $FILE, @$words) };
        is($is, $status, "$age_s s old, @$words: exit status");
        like($said, qr/: \Q$text\E\n\z/, "$age_s s old, @$words: text");
    }
    verdict(block(state => 'fail', ended => time - 8 * DAY_S));
    is(checked('check', $FILE)->[0], 3, 'a bad verdict that is too old is unknown');
};

subtest 'several hosts' => sub {
    my @good = map { block(host => "n0$_") } 1 .. 3;
    my $old  = block(host => 'n07', ended => 1);
    my %slow = (state => 'fail', cause => 'pipe>=9 (1 copy): below the limit');
    my @bad  = map { block(host => "n1$_", %slow, reason => "pipe>=9 (1 copy): $_; below the limit") } 0, 1;
    my $open = block(host => 'n20', state => 'inconclusive', reason => 'pipe>=9 (1 copy): other load');
    verdict(@good);
    is_deeply(checked('check', $FILE), [0, "UNIXBENCH OK: 3 of 3 hosts pass\n"], 'all hosts pass');
    verdict(@good, $open);
    is_deeply(
        checked('check', $FILE),
        [1, "UNIXBENCH WARNING: 3 of 4 hosts pass; inconclusive: n20 (pipe>=9 (1 copy): other load)\n"],
        'an inconclusive host is named'
    );
    verdict($old, @good, $open);
    is_deeply(
        checked('check', $FILE),
        [
            3,
            'UNIXBENCH UNKNOWN: 3 of 5 hosts pass; unknown: n07 (the verdict is older than 7d: measure again); '
                . "inconclusive: n20 (pipe>=9 (1 copy): other load)\n"
        ],
        'a verdict that is too old is worse than an inconclusive one'
    );
    verdict($bad[0], $old, @good, $open, $bad[1]);
    is_deeply(
        checked('check', $FILE),
        [
            2,
            'UNIXBENCH CRITICAL: 3 of 7 hosts pass; fail: n10, n11 (pipe>=9 (1 copy): below the limit); '
                . 'unknown: n07 (the verdict is older than 7d: measure again); '
                . "inconclusive: n20 (pipe>=9 (1 copy): other load)\n"
        ],
        'a host that fails is the worst, and hosts with the same cause are together'
    );
    verdict(map { block(host => "n$_", state => 'fail') } 1 .. 1000);
    my $said = checked('check', $FILE)->[1];
    like(
        $said,
        qr/: 0 of 1000 hosts pass; fail: n1, n2, .*, n20, and 980 more [(]1 requirement is met[)]\n\z/,
        'not all of many hosts are named'
    );
};

subtest 'files without a verdict' => sub {
    is_deeply(
        checked('check', "$PLACE/none"),
        [3, "UNIXBENCH UNKNOWN: can't read PLACE/none: No such file or directory\n"],
        'a missing file'
    );
    is_deeply(
        checked('check', "$PLACE"),
        [3, "UNIXBENCH UNKNOWN: can't read PLACE: it is not a plain file\n"],
        'a directory'
    );
    mkfifo("$PLACE/pipe", 0600) or die "pipe: $!\n";
    is_deeply(
        checked('check', "$PLACE/pipe"),
        [3, "UNIXBENCH UNKNOWN: can't read PLACE/pipe: it is not a plain file\n"],
        'a pipe that has no writer'
    );
    is_deeply(
        checked('check', '/dev/zero'),
        [3, "UNIXBENCH UNKNOWN: can't read /dev/zero: it is not a plain file\n"],
        'a device'
    );
    open my $huge, '>', "$PLACE/huge" or die "huge: $!\n";
    truncate $huge, 2**33 or die "huge: $!\n";
    close $huge;
    is_deeply(
        checked('check', "$PLACE/huge"),
        [3, "UNIXBENCH UNKNOWN: can't read PLACE/huge: it is too large for a verdict\n"],
        'a huge file'
    );
    my $hostile = "$PLACE/a\e[31m\n|b";
    is_deeply(
        checked('check', $hostile),
        [3, "UNIXBENCH UNKNOWN: can't read PLACE/a\\x1b[31m\\n\\x7cb: No such file or directory\n"],
        'a hostile name is printable'
    );
SKIP: {
        skip_without(machine => 'another user than root', 1) if $> == 0;
        write_file("$PLACE/closed", 'x');
        chmod 0, "$PLACE/closed";
        is_deeply(
            checked('check', "$PLACE/closed"),
            [3, "UNIXBENCH UNKNOWN: can't read PLACE/closed: Permission denied\n"],
            'a file that may not be read'
        );
    }
};

subtest 'hostile values' => sub {
    verdict(block(host => "a\e[31m\nb|c=1", reason => "caf\xc3\xa9 \xff \xe2\x80\xae | x=9"));
    is_deeply(
        checked('check', $FILE),
        [0, "UNIXBENCH OK: a\\x1b[31m\\nb\\x7cc=1, 1 hour ago: caf\xc3\xa9 \\xff \\x{202e} \\x7c x=9\n"],
        'the line has no control characters, and no values of the reason'
    );
    verdict(block(reason => "\xc3\xa9" . 'x' x 900));
    like(checked('check', $FILE)->[1], qr/: \xc3\xa9x{900}\n\z/, 'a long reason is not cut');
    my $bidi = UnixBench::Accept::VerdictFile::text(block()) =~ s/1 requirement/\xe2\x80\xae\xff/r;
    write_file($FILE, $bidi);
    is(
        checked('check', $FILE)->[1],
        "UNIXBENCH OK: vm-17, 1 hour ago: \\x{202e}\\xff is met\n",
        'also if another program has written them'
    );
};

subtest 'a file that is replaced while it is read' => sub {
    verdict(block(state => 'pass'));
    my $test   = $$;
    my $writer = fork // die "fork: $!\n";
    if (!$writer) {
        for (my $number = 0; getppid == $test; $number++) {
            verdict(block(state => $number % 2 ? 'pass' : 'fail', reason => 'x' x ($number % 900)));
        }
        POSIX::_exit(0);
    }
    my %seen;
    for (1 .. 60) {
        $seen{ checked('check', $FILE)->[0] }++;
    }
    kill KILL => $writer;
    waitpid $writer, 0;
    is_deeply([grep { $_ != 0 && $_ != 2 } keys %seen], [], 'each answer is the old verdict or the new one');
};

subtest 'wrong usage is unknown, not critical' => sub {
    verdict(block());
    my $age = 'option --max-age needs a time such as 90, 90s, 5m, 1h or 7d';
    my %why = (
        'check'                      => 'check needs a file: ./Run check FILE',
        "check $FILE --max-age"      => 'option --max-age needs a value; see ./Run help check',
        "check $FILE --max-age 7w"   => "$age, not \"7w\"",
        "check $FILE -x"             => 'check has no option -x. See ./Run help check for the options.',
        "check $FILE pipe"           => 'check takes one file, not 2',
        "check $FILE --require x>=1" => 'check has no option --require. See ./Run help check for the options.',
    );
    is_deeply(checked(split / /), [3, "UNIXBENCH UNKNOWN: $why{$_}\n"], s/\Q$PLACE\E/PLACE/r) for sort keys %why;
};

subtest 'a word of another command' => sub {
    is_deeply(
        checked(qw(explain check)),
        [2, "Run: check is a command: it must be the first word; see $RUN help check\n"],
        'the other command understands it'
    );
    like(checked(qw(help check))->[1], qr/^Usage: \S+ check /, 'so does the help');
};

subtest 'an output that cannot be written' => sub {
    verdict(block());
    my $status = sub { return system($^X, '-e', $_[0], $RUN, 'check', $FILE) >> 8 };
    is($status->('close STDOUT; exec $^X, @ARGV'), 3, 'a closed output is unknown');
SKIP: {
        skip_without(machine => '/dev/full', 1) if !-e '/dev/full';
        is($status->('open STDOUT, ">", "/dev/full"; exec $^X, @ARGV'), 3, 'a full disk is unknown');
    }
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
