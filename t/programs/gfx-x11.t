use strict;
use warnings;

use Fcntl qw(F_SETFD FD_CLOEXEC);
use FindBin;
use List::Util qw(sum);
use Test::More;

use lib "$FindBin::Bin/../lib";
use FakeX11perf qw($PROGRAM environment gfx_x11 recorded recordings said);
use TestProgram qw(content finish has_ended is_error path_of run scratch start write_file);

# x11perf's tests and their reference rates.
my %GROUPS = (
    rects    => 'rect10=7180000 rect100=110000 oddtilerect10=1430000 eschertilerect100=18000',
    lines    => 'seg100c3=421000 wvseg100=584000 ddline100=453000 worect500=9790',
    circle   => 'circle500=28900 wddcircle100=8300 wpcircle100=39000 fspcircle100=187000',
    ellipse  => 'ddellipse100=88900 wddellipse100=6680 pellipse10=1350000 fspellipse100=269000',
    shapes   => 'triangle10=969000 trap300=11600 oddostrap300=2080 eschertiletrap300=2450',
    aashapes => 'aa4trap300=1460 aa1trap10=357000 aatrap2x300=5710 addaatrapezoid300=4460',
    polys    => 'complex10=655000 64poly100convex=105000 64poly10complex=353000 64poly100complex=105000',
    text     => 'polytext16=369000 rgb24text=2510 caa10text=15300 ca24text=2540',
    blit     => 'scroll100=52000 copypixwin10=502000 deepcopyplane10=151000 putimagexy500=0.1',
    window   => 'popup=660000 move=120000 movetree=877000 resize=136000',
);

# Summary lines of rect10 and the rates in them.
my @SUMMARIES = (
    ['   6000 trep @   0.1 msec ( 10000.0/sec): 10x10 rectangle'          => '10000'],
    ['  150000000 trep @   0.0000 msec (24600000.0/sec): 10x10 rectangle' => '24600000'],
    ['       1200 trep @   5.2259 msec (   191.5/sec): 10x10 rectangle'   => '191.5'],
    ['12 trep @ 1234.5 msec (   812.50/sec): 10x10 rectangle'             => '812.5'],
    [' 9000000 trep @   0.0001 msec (1.25e+07/sec): 10x10 rectangle'      => '12500000'],
    [' 1 trep @ 0.1 msec (7180/sec): 10x10 (5.0/sec) rectangle'           => '7180'],
);

# The output and the end of rect10, and the error for it.
my $GOOD = said(' 10000.0');
my $FONT = q{Could not load font '-misc-fixed-medium-r-normal--14-130-75-75-c-140-jisx0208.1983-*', benchmark omitted};
my $LOST = 'XIO:  fatal IO error 11 (Resource temporarily unavailable) on X server ":0"';
my $MORE = "      after 1234 requests (1234 known processed) with 0 events remaining.\n";
my $DOWN = 'X connection to :1 broken (explicit kill or server shutdown).';
my $NONE = q{x11perf:  unable to open display ':77'};
my $X    = 'X Error of failed request:  BadAlloc (insufficient resources)';
my $CODE = "  Major opcode of failed request:  53 (X_CreatePixmap)\n";

my %FAILURES = (
    'no summary'   => [{ out => said() },                     'no summary line'],
    'no output'    => [{},                                    'no summary line'],
    'no font'      => [{ out => said() . "$FONT\n\n" },       'no summary line: "' . substr($FONT, 0, 80) . '..."'],
    'no display'   => [{ err => "$NONE\n", end => 'exit 1' }, qq{exit status 1: "$NONE"}],
    'display lost' => [{ out => said(), err => "$LOST\n$MORE", end => 'exit 1' }, qq{exit status 1: "$LOST"}],
    'server ended' => [{ out => said(), err => "$DOWN\r\n", end => 'exit 1' },    qq{exit status 1: "$DOWN"}],
    'X error'      => [{ err => "$X\n$CODE", end => 'exit 1' },                   qq{exit status 1: "$X"}],
    'odd bytes'    => [{ err => "\e[1m\xff|\tx\n", end => 'exit 1' },             'exit status 1: "\x1b[1m\xff|\x09x"'],
    'exit status'  => [{ out => $GOOD, end => 'exit 3' },                         'exit status 3'],
    'signal'       => [{ out => $GOOD, end => 'kill -SEGV $$' },                  'killed by SIGSEGV'],
    'noise, signal'  => [{ out => $GOOD, err => "hello\n", end => 'kill -9 $$' }, 'killed by SIGKILL: "hello"'],
    'two summaries'  => [{ out => $GOOD . $GOOD },                                '2 summary lines'],
    'rate 0'         => [{ out => said('   0.0') },                               'a rate of 0 is not a measurement'],
    'rate too small' => [{ out => said('1e-9') },  'a rate of 1e-09 is not a measurement'],
    'rate too large' => [{ out => said('1e+99') }, 'a rate of 1e+99 is not a measurement'],
);

for my $rate ('inf', '-nan', '-1.0', '1,5', '0x10', '.', q{}) {
    my $line = "6000 trep @   0.1 msec ($rate/sec): 10x10 rectangle";
    $FAILURES{"rate $rate"} = [{ out => said($rate) }, qq{no rate in "$line"}];
}

subtest 'a single repeat' => sub {
    my $words = scratch() . '/words';
    my $once  = said() =~ s/^.*10400.*\n//mr;
    my $ended =
        gfx_x11([qw(rects 1 2)], UB_X11PERF => recordings(rect10 => { out => $once }), UB_X11PERF_WORDS => $words);
    like(content($words), qr/\A-repeat 1 -subs 25 -time 2 -rect10$/m, 'a single repeat asks x11perf for one');
    like($ended->{err},   qr/^rate[.]rect10[|]9600$/m,                'a single repeat uses its rate');
};

subtest 'a short measurement' => sub {
    my $words = scratch() . '/words';
    my $ended = gfx_x11([qw(window 1 0.3 -s)], UB_X11PERF_WORDS => $words);
    my %asked;
    for (split /\n/, content($words)) {
        like $_, qr/\A-repeat 1 -subs 25 -reps [0-9]+ -[a-z]+\z/, 'x11perf is asked for repetitions';
        push @{ $asked{$2} }, $1 if /-reps ([0-9]+) -([a-z]+)\z/;
    }
    for my $test (sort keys %asked) {
        my ($rate) = $ended->{err} =~ /^rate[.]$test[|](.+)/m;
        is $asked{$test}[0], 1, "$test: begins with one repetition, and has no calibration of seconds";
        ok abs($asked{$test}[-1] / $rate / 0.3 - 1) < 0.01, "$test: the repetitions last as long as asked for";
    }
    is_deeply [sort keys %asked], [qw(move movetree popup resize)], 'a short measurement has all tests';
    like $ended->{err}, qr/^COUNT[|]/m, 'a short measurement has a score';
    my $once  = said() =~ s/^.*10400.*\n//mr;
    my $crash = recordings(aa4trap300 => { end => 'kill -SEGV $$' }, aatrap300 => { out => $once });
    my $says  = gfx_x11([qw(aashapes 1 0.3 -s)], UB_X11PERF => $crash)->{err};
    is scalar(() = $says =~ /^replaced/mg), 1, 'a short measurement replaces a test that crashes once';
};

subtest 'all groups' => sub {
    for my $group (sort keys %GROUPS) {
        my $words = scratch() . '/words';
        my @rows  = map { row(split /=/) } split / /, $GROUPS{$group};
        my $says  = join q{}, map { "rate.$_->{test}|$_->{rate}\n" } @rows;
        my $score = sprintf '%.2f', sum(map { $_->{score} } @rows) / 4;
        my $asked = join q{}, map { "-repeat 3 -subs 25 -time 2 -$_->{test}\n" } @rows;
        my $ended = gfx_x11([$group, 3, 2], UB_X11PERF_WORDS => $words);
        is_deeply [@$ended{qw(status err)}], [0, "${says}COUNT|$score|0|score\n"],
            "$group: exit status, rates and score";
        is $ended->{out},   join(q{}, map { $_->{log} } @rows), "$group: log";
        is content($words), $asked,                             "$group: the words for x11perf";
    }
};

subtest 'summary lines' => sub {
    for my $case (@SUMMARIES) {
        my ($summary, $rate) = @$case;
        my $ended = gfx_x11([qw(rects 2 1)], UB_X11PERF => recordings(rect10 => { out => said() . "$summary\n\n" }));
        like $ended->{err}, qr/\Arate[.]rect10[|]\Q$rate\E\n/, $summary;
    }
};

subtest 'failures' => sub {
    for my $what (sort keys %FAILURES) {
        my ($recording, $error) = @{ $FAILURES{$what} };
        my $ended = gfx_x11([qw(rects 2 1)], UB_X11PERF => recordings(rect10 => $recording));
        is_deeply [@$ended{qw(status err)}], [1, "ERROR|rect10: $error\n"], $what;
        like $ended->{out}, qr/^\Q$_\E$/m, "$what: in the log" for grep { length } split /\n/, $recording->{err} // q{};
    }
};

subtest 'a test that x11perf does not know' => sub {
    my $known = recordings(oddtilerect10 => { err => "usage: x11perf [-options ...]\n", end => 'exit 1' });
    my $words = scratch() . '/words';
    my $ended = gfx_x11([qw(rects 2 1)], UB_X11PERF => $known, UB_X11PERF_WORDS => $words);
    is_error($ended, 1, 'oddtilerect10: this x11perf does not know the test$', 'the unknown test is an error');
    is scalar(my @asked = split /\n/, content($words)), 3, 'the unknown test is the last one';
};

subtest 'x11perf cannot be run' => sub {
    my $tools = scratch();
    my %path  = (PATH => $tools);
    symlink $^X, "$tools/perl" or die "symlink: $!";
    is_error(
        gfx_x11([qw(text 3 2)], %path),
        1,
        'polytext16: x11perf is not installed: install it',
        'x11perf is not installed'
    );
    chmod 0755, write_file("$tools/x11perf", "#!/nowhere\n");
    is_error(gfx_x11([qw(text 3 2)], %path), 1, q{polytext16: .*"can't run x11perf: No such file}, 'x11perf is broken');
};

subtest 'no display' => sub {
    for my $display (undef, q{}) {
        my $ended = gfx_x11([qw(text 3 2)], DISPLAY => $display);
        is_error(
            $ended, 1,
            'polytext16: DISPLAY is not set',
            defined $display ? 'DISPLAY is empty' : 'DISPLAY is not set'
        );
    }
};

subtest 'a test in which x11perf crashes' => sub {
    my %crash = (end => 'kill -SEGV $$');
    my %other = (out => said(' 14600.0'));
    my $words = scratch() . '/words';
    my %env   = (UB_X11PERF => recordings(aa4trap300 => \%crash, aatrap300 => \%other), UB_X11PERF_WORDS => $words);
    my $ended = gfx_x11([qw(aashapes 2 1)], %env);
    like $ended->{err}, qr/\Areplaced[.]aa4trap300[|]aatrap300\nrate[.]aa4trap300[|]14600\nrate[.]aa1trap10/,
        'a test that crashes is replaced';
    like $ended->{err}, qr/^COUNT[|]/m, 'there is a score after a replacement';
    like $ended->{out}, qr/^aa4trap300: rate 14600, reference 1460, score 10000[.]00$/m,
        'the log has the score of the replacement';
    like content($words), qr/-aa4trap300\n.* -aatrap300\n.* -aa1trap10\n/, 'x11perf is asked for the replacement';
    my $known = recordings(aa4trap300 => \%crash, aatrap300 => { %other, %crash });
    is_deeply [@{ gfx_x11([qw(aashapes 2 1)], UB_X11PERF => $known) }{qw(status err)}],
        [1, "ERROR|aa4trap300: killed by SIGSEGV\n"], 'a crash in the replacement, too, is an error';
    $known = recordings(aa4trap300 => { end => 'kill -9 $$' }, aatrap300 => \%other);
    is_deeply [@{ gfx_x11([qw(aashapes 2 1)], UB_X11PERF => $known) }{qw(status err)}],
        [1, "ERROR|aa4trap300: killed by SIGKILL\n"], 'a test that was killed is not replaced';
};

# How gfx-x11 is started, and how it starts x11perf.
my $COUNTED = said(' 10000.0');
my @RECTS   = qw(rects 2 1);

subtest 'wrong arguments' => sub {
    my @wrong = ([], ['rects'], [qw(rects 3)], [qw(rects 3 2 1)]);
    push @wrong, map { [$_, 3, 2] } 'squares', 'RECTS', q{}, "rects\n", 'x' x 5000;
    push @wrong, map { ['rects', $_, 2] } 0, -2, '2.0', '1001', '3x', "3\n", '9' x 30, q{};
    push @wrong, map { ['rects', 3, $_] } 0, '0.0', -1, '3600.1', '1e1', '1.2.3', 'nan', 'inf', '.', "2\n", q{};
    for my $words (@wrong) {
        my $shown = join q{ }, map { substr s/\n/\\n/r, 0, 20 } @$words;
        is_error(gfx_x11($words), 2, 'usage: gfx-x11 GROUP REPEATS SECONDS \[-s\]$', "gfx-x11 $shown");
    }
    my $groups = 'aashapes blit circle ellipse lines polys rects shapes text window';
    like gfx_x11([qw(squares 3 2)])->{err}, qr/\AERROR[|]group must be one of $groups, not "squares"/,
        'the message names all groups';
};

subtest 'repeats and seconds' => sub {
    my %asked = ('0.02' => 1, '.5' => 1, 1 => 1, '2.' => 2, '2.01' => 3, '0010' => 10, 3600 => 3600);
    for my $seconds (sort keys %asked) {
        my $words = scratch() . '/words';
        gfx_x11(['rects', 1000, $seconds], UB_X11PERF_WORDS => $words);
        like content($words), qr/\A-repeat 1000 -subs 25 -time $asked{$seconds} /, "$seconds s: the words for x11perf";
    }
};

subtest 'standard error is for the protocol' => sub {
    my %missing = (LANG => 'xx_YY.utf8', LC_ALL => undef, LOCPATH => '/nowhere', PERL_BADLANG => undef);
    my $noisy   = recordings(rect10 => { out => $COUNTED, err => "Xlib: locale not supported\nCOUNT|1|0|score\n" });
    my %library = (PERL5OPT => '-MNoise', PERL5LIB => scratch());
    write_file("$library{PERL5LIB}/Noise.pm", 'END { print {*STDERR} "noise\n" } 1;');
    my $ended = gfx_x11(\@RECTS, %missing, %library, UB_X11PERF => $noisy);
    is $ended->{status}, 0, 'messages of Perl, x11perf and a library are not an error';
    like $ended->{out}, qr/^Xlib: locale.*^noise$/ms, 'messages of x11perf and a library are in the log';
    like $ended->{err}, qr/\A(?:rate[.]\w+[|][0-9]+\n){4}COUNT[|]22668[.]37[|]0[|]score\n\z/,
        'standard error has only the protocol';
};

subtest 'standard handles' => sub {
    my %cases = (
        '<&-'         => [0, qr/^COUNT[|]/m],
        '>&-'         => [1, qr/^ERROR[|]standard output: Bad file descriptor$/],
        '>/dev/full'  => [1, qr/^ERROR[|]standard output: No space left on device$/],
        '2>/dev/full' => [1, qr/\A\z/],
        '2>&-'        => [1, qr/\A\z/],
    );
    for my $redirection (sort keys %cases) {
        next if $redirection =~ /full/ && !-e '/dev/full';
        my ($status, $says) = @{ $cases{$redirection} };
        my $ended = run(['/bin/sh', '-c', "exec \"\$0\" \"\$@\" $redirection", $PROGRAM, @RECTS], env => environment());
        is $ended->{status}, $status, "$redirection: exit status";
        like $ended->{err}, $says, "$redirection: message";
    }
};

# The shell part of gfx-x11 must pass the gate on, and x11perf must not inherit any of its file descriptors.
subtest 'gate' => sub {
    local $^F = 1000;
    my $spy = q{perl -e 'for (0 .. 999) { open my $file, "<&=", $_ or next; print "inode ", (stat $file)[1], "\n" }'};
    my $curious = recordings(rect10 => { out => $COUNTED, end => qq{echo "gate: \${UB_GATE-none}"; $spy} });
    for my $shell ('sh', 'bash', 'busybox sh') {
        my $program = begun_by(split / /, $shell) or next;
        pipe my $ready,  my $ready_end or die "pipe: $!";
        pipe my $go_end, my $go        or die "pipe: $!";
        fcntl $_, F_SETFD, FD_CLOEXEC or die "fcntl: $!" for $ready, $go;
        my $gate    = join ',', map { fileno $_ } $ready_end, $go_end;
        my $running = start([$program, @RECTS], env => environment(UB_GATE => $gate, UB_X11PERF => $curious));
        close $_ or die "close: $!" for $ready_end, $go_end;
        is sysread($ready, my $byte, 10), 1, "$shell: reports that it is ready";
        is sysread($ready, $byte,    10), 0, "$shell: reports that only once";
        ok !has_ended($running), "$shell: waits at the gate";
        is -s "$running->{scratch}/out", 0, "$shell: has not begun";
        my @ours = map { (stat)[1] } $ready, $go, "$running->{scratch}/err";
        close $go or die "close: $!";
        my $ended = finish($running);
        is $ended->{status}, 0, "$shell: runs after the gate opens" or diag $ended->{err};
        like $ended->{out},   qr/^gate: none\ninode /m, "$shell: x11perf has no UB_GATE";
        unlike $ended->{out}, qr/^inode $_$/m,          "$shell: x11perf has not inherited the gate" for @ours;
    }
};

done_testing;

# Takes a test and its reference rate; returns its expected rate, score and lines in the log.
sub row {
    my ($test, $reference) = @_;
    my $said   = recorded($test);
    my ($rate) = $said =~ / trep @.*[(] *([0-9]+)[.]0\/sec[)]/;
    my $score  = 1000 * $rate / $reference;
    my $line   = sprintf "%s: rate %d, reference %s, score %.2f\n", $test, $rate, $reference, $score;
    return { test => $test, rate => $rate, score => $score, log => $said . $line };
}

# Returns the path of a copy of the program that begins with that shell, or nothing if the shell is not installed.
sub begun_by {
    my ($name, @options) = @_;
    my $shell = path_of($name) // return;
    my $path  = write_file(scratch() . '/gfx-x11', content($PROGRAM) =~ s/.*/join q{ }, "#!$shell", @options/er);
    chmod 0755, $path;
    return $path;
}
