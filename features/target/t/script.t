# What measure.sh does in any shell: that of Debian and that of small systems, or all cases by each of the shells in
# UB_SHELLS, as t/long/shells.t asks. Each case takes a script: { shell => [its words], home => a tree of its own }.

use strict;
use warnings;

use Config;
use Cwd            qw(abs_path);
use File::Basename qw(basename);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Needs qw(need_mount_namespaces need_tools path_of skip_without);
use Place                      qw(content eventually names_in of_environment place text_of write_file write_program);
use PseudoTerminal             ();
use TestProgram                qw(finish has_ended start);
use UnixBench::Base::Clock     ();
use UnixBench::Measure::Rounds ();
use UnixBench::Target::Log     ();

need_tools(qw(dash busybox));
$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);    # a shell can't trap what its parent ignores

my $ROOT  = abs_path("$FindBin::Bin/../../..");
my $TABLE = table(0.01);

# The tools that the script needs. Most cases do without those that it uses if they are there, because each line takes
# two processes with cksum.
my @NEEDED = qw(mkdir printf rm sh sleep);

# Takes a factor; returns the table of tests with times multiplied by it.
sub table { return TestProgram::run([$^X, 'features/target/build/measure-table', $_[0]], in => $ROOT)->{out} }

# Takes the words that start a shell; returns a script by it. The programs that it measures are t/bin/behave.
sub script_by {
    my (@shell) = @_;
    my $home = place();
    mkdir "$home/$_" or die "mkdir: $!\n" for qw(pgms scratch testdir);
    my @programs = ("$ROOT/t/bin/behave", grep { !/measure[.]table/ } glob "$ROOT/pgms/*");
    for my $pair ((map { [pgms => $_] } @programs), map { [testdir => $_] } glob "$ROOT/testdir/*") {
        my ($place, $path) = @$pair;
        symlink $path, "$home/$place/" . basename($path) or die "symlink: $!\n";
    }
    return { shell => [path_of($shell[0]), @shell[1 .. $#shell]], home => $home };
}

# Takes a script, a command for its shell and the arguments of TestProgram::run(); returns how the shell ended.
sub of_shell {
    my ($script, $command, @how) = @_;
    return TestProgram::run([@{ $script->{shell} }, '-c', $command], @how);
}

# Starts a script. %how:
#   words   its arguments
#   tools   [of the tools that it can do without, those that are there] (default: mkfifo), or undef: all tools
#   tool    { name => the text of a shell script that is there instead }
#   passes  { "kind test" => the words of t/bin/behave }
#   limits  { "kind test" => the limit of the pass in seconds } (default: one that is not reached)
#   values  { name => value in the table } (default: one round)
#   env     { name => value }
#   before  [words before the command]
#   options [options of the shell]
sub start_script {
    my ($script, %how) = @_;
    my $home  = $script->{home};
    my $table = $TABLE =~ s/[{]bindir[}]\/(\S+)/{bindir}\/behave $1/gr;
    $table =~ s/^(test[|].*[|]).*$/$1/mg;    # any of the other programs may be missing here
    for my $pass (keys %{ $how{passes} || {} }) {
        my $begin = quotemeta join q{|}, 'pass', split(q{ }, $pass), q{};
        my $limit = $how{limits}{$pass} // 9999;
        $table =~ s/^($begin)\d+([|]\d+[|]).*$/$1$limit$2\{bindir}\/behave $how{passes}{$pass}/m or die "no $pass\n";
    }
    my %value = (rounds => 1, %{ $how{values} || {} });
    $table =~ s/^(value[|]$_[|]).*$/$1$value{$_}/m for keys %value;
    write_file("$home/pgms/measure.table", $table);
    my $path   = exists $how{tools} && !$how{tools} ? $ENV{PATH} : directory_of_tools(%how);
    my @before = ((map { path_of($_) // $_ } @{ $how{before} || [] }), path_of('env'), "PATH=$path");
    my @script = (@{ $script->{shell} }, @{ $how{options} || [] }, "$home/pgms/measure.sh", @{ $how{words} });
    my %env    = (UB_TMPDIR => "$home/scratch", UB_CASE => "$home", %{ $how{env} || {} });
    return { %{ start([@before, @script], env => \%env) }, home => $home };
}

# Makes a directory with only those tools; returns its path.
sub directory_of_tools {
    my (%how) = @_;
    my $place = TestProgram::scratch();
    for my $tool (@NEEDED, @{ $how{tools} || ['mkfifo'] }) {
        my $text = ($how{tool} || {})->{$tool};
        my $path = path_of($tool);
        write_program("$place/$tool", "#!/bin/sh\n$text\n") if defined $text;
        symlink $path, "$place/$tool" or die "$tool: $!\n" if !defined $text && $path;
    }
    return $place;
}

# Waits for the end of the script; returns { status => exit status, or -signal; out, err; log => see
# UnixBench::Target::Log }.
sub ended {
    my ($running) = @_;
    my $ended = finish($running);
    no warnings 'redefine';
    local *UnixBench::Target::Log::_planned = sub { return {} };    # the commands are those of this test
    my $log = eval { UnixBench::Target::Log::read_file('log', $ended->{out}) };
    return { %$ended, home => $running->{home}, log => $log // { why_not => $@ } };
}

# Takes a script and how it is started; returns how it ended.
sub run_script { return ended(start_script(@_)) }

# Returns how the script ended. Tests that the exit status is 1 only if a test failed or was skipped, and that nothing
# is left.
sub measured {
    my ($script, $what, %how) = @_;
    my $ended  = run_script($script, %how);
    my @failed = grep { $_->{has_failed} } map { values %$_ } values %{ $ended->{log}{made} || {} };
    is($ended->{status}, @failed || @{ $ended->{log}{skipped} || [] } ? 1 : 0, "$what: status") or diag $ended->{err};
    is_clean($ended, $what);
    return $ended;
}

sub mark { return "UB_CASE=$_[0]{home}" }

# Waits until that number of processes sleep for 1000 seconds. If they never do, ends the script.
sub await_sleepers {
    my ($running, $number) = @_;
    my $sleepers = sub {
        return $number == grep { content("/proc/$_/cmdline") eq "sleep\0001000\0" } of_environment(mark($running));
    };
    return if ok(eventually(sub { $sleepers->() || has_ended($running) }), "$number processes sleep");
    return kill KILL => -$running->{pid};
}

# Tests that the script has left no process and no file, and a log with all its lines.
sub is_clean {
    my ($ended, $what) = @_;
    is(($ended->{log}{why_not} // q{}) =~ s/.*has no whole pass; .*\n//r, q{}, "$what: the log is right");
    like($ended->{out}, qr/[|]end[|][^\n]+[|][.]\n\z/, "$what: the log has its last line") or diag $ended->{err};
    ok(eventually(sub { !of_environment(mark($ended)) }), "$what: no process is left");
    return has_no_file($ended, $what);
}

sub has_no_file { return is_deeply(names_in("$_[0]{home}/scratch"), [], "$_[1]: no file is left") }

# Where an interruption comes: the kind of pass that hangs, and whether it is a pause.
my %PHASE = (
    'a pause'   => { values => { rest            => 1000 } },
    'a warm-up' => { passes => { 'warm_up hanoi' => 'hang' } },
    'a pass'    => { passes => { 'short hanoi'   => 'stubborn' } },
);
my @SIGNALS;
for my $signal (qw(HUP INT TERM)) {
    push @SIGNALS, map { ([$signal, $_, 1], [$signal, $_, 8]) } sort keys %PHASE;
}

my %NUMBER;
@NUMBER{ split q{ }, $Config{sig_name} } = split q{ }, $Config{sig_num};

# What the log says about a copy that behaves in that way, see t/bin/behave. Empty lines are left out.
my $COUNT = "COUNT|1000|1|lps\nTIME|0.010000000\n";
my %SAID  = (
    count   => "status 0\n$COUNT",
    crash   => 'status ' . (128 + $NUMBER{SEGV}) . "\n",
    daemon  => "status 0\n$COUNT",
    exit3   => "status 3\n",
    flood   => "status 0\n" . join(q{}, map { "line $_ of many\n" } 0 .. 99) . "ERROR|more than 100 lines\n",
    garbage => join("\n", 'status 0', 'COUNT|a[$(echo >&2)]|1|lps', 'COUNT|08|1|lps', 'TIME|1.x', 'TIME|9 9')
        . "\n?=0?UB|1|end|1\n?\n|late\n0|late\n1|=0\n",
    hang     => "late 1\n",
    long     => "status 0\nERROR|a line of 100000 characters\n",
    silent   => "status 0\n",
    stubborn => "late 1\n",
);

# Returns { copies => { test => "PASSES FAILED" } }.
sub made {
    my ($log) = @_;
    my %made;
    for my $copies (keys %{ $log->{made} }) {
        my $ended = $log->{made}{$copies};
        $made{$copies} = { map { $_ => "$ended->{$_}{number} $ended->{$_}{has_failed}" } keys %$ended };
    }
    return \%made;
}

# Takes a script, a name, and how it is started. Tests that it makes a short pass of two copies.
sub makes_a_pass {
    my ($script, $what, %how) = @_;
    my $ended = measured($script, $what, words => [qw(--quick -c 2 hanoi)], %how);
    is_deeply(made($ended->{log}), { 2 => { hanoi => '1 0' } }, "$what: the pass was made");
    like($ended->{err}, qr/^done: copy the log .* run [.]\/Run report LOG there\n\z/m, "$what: a line says what next");
    return $ended;
}

# Takes a script, [the behaviour of programs], what they have, and how the script is started. The last program counts.
# Tests what the log says about each. Returns how the script ended.
sub survives {
    my ($script, $faults, $what, %how) = @_;
    my @tests = qw(syscall context1 pipe spawn arithoh short int long float) [0 .. @$faults];
    my %behaviour;
    @behaviour{@tests} = (@$faults, 'count');
    my $ended = measured(
        $script, $what, %how,
        words  => [qw(-c 2 -i 1), @{ $how{words} || [] }, @tests],
        passes => { map { ("official $_" => $behaviour{$_}) } @tests },
        limits => { map { ("official $_" => 1) } grep { $SAID{ $behaviour{$_} } =~ /\Alate/ } @tests },
    );
    my %pass = map { $_->{test} => $_ } @{ $ended->{log}{passes} };
    for my $test (@tests) {
        my $late = $pass{$test}{limit_s};
        my @said = map {
            (defined $late ? "late $late" : "status $_->{status}", grep { length } @{ $_->{said} })
        } @{ $pass{$test}{made} };
        is(join(q{}, map { "$_\n" } @said), $SAID{ $behaviour{$test} } x 2, "$what: $behaviour{$test}");
    }
    return $ended;
}

# Takes the seed and the names of tests; returns the passes of two runs of three rounds, COPIES:ROUND:TEST. The test
# pipe fails.
sub in_order {
    my ($seed, @tests) = @_;
    my @order;
    for my $run (0, 1) {
        my @left   = map { { name => $_, lane => $_, state => 0 } } @tests;
        my %known  = (clock => UnixBench::Base::Clock->new, lanes => [@left], seed => $seed, run => $run);
        my $rounds = UnixBench::Measure::Rounds->new(%known);
        for my $round (1 .. 3) {
            @left = $rounds->begin_round(@left);
            push @order, map { join q{:}, $run + 1, $round, $_->{name} } @left;
            @left = grep { $_->{name} ne 'pipe' } @left;
        }
    }
    return @order;
}

# Takes commands of a shell that change the mounts, and returns the words that start a command after them. Skips the
# subtest if this is not allowed.
sub mounting {
    my ($commands) = @_;
    need_mount_namespaces();
    my @before = (qw(unshare -m sh -c), "$commands && exec \"\$@\"", 'sh');
    skip_without(machine => 'the right to mount') if system(@before, 'true') != 0;
    return (before => \@before);
}

# The cases: each takes a script, and its arguments.
my $READ_ONLY = 'mount --bind /tmp /tmp && mount -o remount,ro,bind';
my %CASE      = (
    'rounds' => sub {
        my ($script) = @_;
        my @tests    = qw(syscall pipe whetstone-double dc);
        my %how      = (words => ['--quick', '-c', '1,2', '-c1', @tests], passes => { 'short pipe' => 'exit3' });
        my $ended    = measured($script, 'quick', %how, values => { rounds => 3 });
        my $log      = $ended->{log};
        is("@{$log->{plan}}{qw(kind copies asked gate)}", "quick 1 2 @tests 1", 'quick: the plan');
        my $measured = join q{ }, map { "$_->{copies}:$_->{number}:$_->{test}" } @{ $log->{passes} };
        is($measured, join(q{ }, in_order($log->{plan}{seed}, @tests)), 'quick: the rounds are those of Run');
        my %made = map { $_ => '3 0' } @tests;
        is_deeply(made($log), { map { $_ => { %made, pipe => '1 1' } } 1, 2 }, 'quick: how each test ended');
        my ($whetstone) = grep { $_->{test} eq 'whetstone-double' } @{ $log->{passes} };
        like($whetstone->{command}, qr/ -n [1-9]\d*\z/, 'quick: the warm-up decides about fixed work');
        my @lines = map {
            my $of = $_;
            map { "$of, round $_ of 3, [0-9]+ s left" } 1 .. 3
        } '1 copy', '2 copies';
        like($ended->{err}, qr/^$_$/m, 'quick: the progress')
            for @lines, 'measure[.]sh: 2 x pipe: exit status 3; aborting this test';
    },

    # This measurement has all tools.
    'official' => sub {
        my ($script) = @_;
        my %how      = (passes => { 'official pipe' => 'environment {scratch}/x' }, tools => undef);
        my $ended    = measured($script, 'official', words => [qw(-c 8 -i2 pipe hanoi)], %how);
        my ($home, $log) = @$ended{qw(home log)};
        is_deeply(made($log), { 8 => { pipe => '2 0', hanoi => '1 0' } }, 'official: the passes that -i asks for');
        like($ended->{err}, qr/\A8 x pipe  1 2\n8 x hanoi  1\ndone: [^\n]+\n\z/, 'official: the progress');
        my $has_clock = TestProgram::run([TestProgram::program('clock')])->{status} == 0;
        my @watched   = map { $_->{looks} ? 1 : 0, @{ $_->{hz} } ? 1 : 0 } @{ $log->{passes} };
        is("@watched", join(q{ }, (-r '/proc/stat' ? 1 : 0, $has_clock ? 1 : 0) x 3), 'official: passes are watched');

        for my $number (1 .. 8) {
            my %said = map { split /[|]/, $_, 2 } @{ $log->{passes}[0]{made}[$number - 1]{said} };
            is($said{place}, "$home/testdir", "official: copy $number starts in testdir");
            like($said{scratch}, qr{\A\Q$home\E/scratch/measure[.][^/]+/scratch[.]$number\z}, '... with its directory');
            is($said{argument}, "$said{scratch}/x", '... which its arguments name');
        }
        my %source = map { $_->{source} => 1 } @{ $log->{facts} };
        my @groups = content('/proc/self/mountinfo') =~ / - cgroup/ ? '/proc/self/mountinfo' : ();
        ok($source{$_}, "official: facts of $_") for 'uname', '/proc/cpuinfo', 'sha256', @groups;
    },
    'tools' => sub {
        my ($script)      = @_;
        my %whole_seconds = (sleep => 'case $1 in *.*) exit 1 ;; esac; exec ' . path_of('sleep') . ' "$1"');
        my $has_own       = of_shell($script, 'command -v mkfifo', env => { PATH => '/nowhere' })->{status} == 0;
        my %cases         = (
            'none'              => [$has_own ? 1 : 0, tools => []],
            'all but fractions' => [1, tools => [qw(mkfifo sleep)], tool => \%whole_seconds],
        );
        for my $case (sort keys %cases) {
            my ($gate, %how) = @{ $cases{$case} };
            my $ended = makes_a_pass($script, "tools: $case", %how);
            is($ended->{log}{plan}{gate},                         $gate, "$case: the log says whether there is a gate");
            is(scalar(() = $ended->{err} =~ /^measure[.]sh: /mg), 1 - $gate, "$case: one line says so, too");
        }
    },
    'faults' => sub {
        my ($script) = @_;
        survives($script, [qw(stubborn crash exit3 garbage silent flood long daemon)], 'with files');
    },
    'arguments' => sub {
        my ($script) = @_;
        my @wrong = (
            [qr/unknown option -x; see/,                         '-x'],
            [qr/option -c needs .* or all, not "0"/,             '-c', 0],
            [qr/option -c needs .* not "1,,2"/,                  '-c1,,2'],
            [qr/option -i needs a value; /,                      '-i'],
            [qr/option -i needs .* not "2x"/,                    '-i', '2x'],
            [qr/options --quick and -i contradict each other/,   qw(-i 3 --quick)],
            [qr/no test nothing here; names .* measure[.]table/, 'nothing'],
        );
        for my $case (@wrong) {
            my ($message, @words) = @$case;
            my $ended = run_script($script, words => \@words);
            is("$ended->{status}$ended->{out}", 2, "@words: exit status 2, and no log");
            like($ended->{err}, qr/\Ameasure[.]sh: [^\n]*$message[^\n]*\n\z/, "@words: one line");
        }
        my %said =
            ('--version' => qr/\A0UnixBench [0-9.]+\n\z/, map { $_ => qr/\A0Usage: .* 2 for wrong/s } qw(-h --help));
        for my $option (sort keys %said) {
            my $ended = run_script($script, words => [$option]);
            like("$ended->{status}$ended->{err}$ended->{out}", $said{$option}, $option);
        }
        write_file("$script->{home}/pgms/plain", "#!/bin/sh\n");
        my %why = (absent => 'there is no program absent', plain => '\S+/plain is not executable; run: chmod .*');
        for my $program (sort keys %why) {
            my %passes = (passes => { 'official hanoi' => "x {bindir}/$program" });
            my $ended  = measured($script, $program, words => [qw(sysexec hanoi)], %passes);
            my @said   = map { "$_->{test} $_->{reason}" } @{ $ended->{log}{skipped} };
            like("@said",       qr/\Ahanoi skipped: $why{$program}\z/, "$program: the log has the reason");
            like($ended->{err}, qr/^measure[.]sh: hanoi is skipped: $why{$program}$/m, '... and a line');
            $ended = run_script($script, words => ['hanoi'], %passes);
            is($ended->{status}, 1, "$program: no test can be measured: exit status 1");
            like($ended->{err}, qr/^measure[.]sh: no test can be measured here$/m, '... a line says so');
            has_no_file($ended, $program);
        }
    },
    '/tmp can not be written' => sub {
        my ($script) = @_;
        my %how      = (mounting("$READ_ONLY /tmp"), env => { UB_TMPDIR => '/nowhere' }, words => ['fstime']);
        my $ended    = survives($script, [qw(hang crash flood daemon)], 'without files', %how);
        is_deeply([map { $_->{test} } @{ $ended->{log}{skipped} }], ['fstime'], 'a test of files is skipped');
    },
    'a disk that is full' => sub {
        my ($script) = @_;
        my $room     = "$script->{home}/scratch";
        my $fill     = "mount -t tmpfs -o size=64k none $room && { cat /dev/zero > $room/x || true; } 2> /dev/null";
        my $ended    = run_script($script, words => [qw(-c 1 -i 1 pipe fstime)], mounting("$READ_ONLY /tmp && $fill"));
        my $said     = qr/\Ameasure[.]sh: there is no space left in \S+scratch; .*\n.*: no pipes can/;
        like($ended->{err}, $said, 'lines say so');
        is($ended->{status}, 1, 'a test was skipped: exit status 1');
    },
    'a disk that gets full' => sub {
        my ($script) = @_;
        my %how = (mounting("mount -t tmpfs -o size=64k none $script->{home}/scratch"));
        $how{passes} = { 'official hanoi' => 'fill', 'official pipe' => 'count' };
        my $ended = measured($script, 'full', words => [qw(-c 1 -i 1 hanoi pipe)], %how);
        is_deeply(made($ended->{log}), { 1 => { hanoi => '1 1', pipe => '1 0' } }, 'one test fails');
        my @said = grep { length } @{ $ended->{log}{passes}[0]{made}[0]{said} };
        is("@said", "it is full ERROR|no space left in $script->{home}/scratch", 'the log has the reasons');
        like($ended->{err}, qr/^measure[.]sh: 1 x hanoi: it is full; aborting this test$/m, '... and a line');
    },
    'no /proc' => sub {
        my ($script) = @_;
        my $model    = q{mkdir /proc/device-tree && printf 'Pi\\0' > /proc/device-tree/model};
        my %how      = (mounting("mount -t tmpfs none /proc && $model"));
        my $ended    = makes_a_pass($script, 'without /proc', %how, passes => { 'short hanoi' => 'count' });
        like($ended->{out}, qr{[|]/proc/device-tree/model[|]Pi}, 'a file without end of line is logged');
    },
    'a terminal' => sub {
        my ($script) = @_;
        my $terminal = PseudoTerminal->new(80) or return;
        my @before   = ('sh', '-c', "exec \"\$@\" 2> $terminal->{path}", 'sh');
        measured($script, 'a terminal', words => [qw(-c 1 -i 1 pipe)], before => \@before, env => { TERM => 'xterm' });
        my $line = "\r\e[J3 s left  1 x pipe  pass 1 of 1\r\r\e[Jdone: copy ";
        is(substr($terminal->seen, 0, length $line), $line, 'a line is drawn, and cleared');
    },
    'a lost log' => sub {
        my ($script) = @_;
        my @before   = ('sh', '-c', '{ "$@"; echo "status $?" >&2; } | read -r line', 'sh');
        my $ended    = run_script($script, words => ['hanoi'], before => \@before);
        like($ended->{err}, qr/^measure[.]sh: the log can't be written\nstatus 1$/m, 'a line says so: exit status 1');
        has_no_file($ended, 'the reader of the log has ended');
    },

    # Options, aliases and variables of the caller. The shell reads these lines before the script.
    'options of the caller' => sub {
        my ($script) = @_;
        my %env = (IFS => '/0', CDPATH => '/tmp:/', ENV => '/nowhere', POSIXLY_CORRECT => 1, text => 'x' x 1000);
        $env{'BASH_FUNC_printf%%'} = '() { :; }';
        makes_a_pass($script, "options @$_", options => $_, env => \%env) for ['-eu'], ['-aCx'];
    },
    'a directory of another user' => sub {
        my ($script) = @_;
        skip_without(machine => 'root') if $> != 0;
        my $place = place();
        mkdir "$place/home";
        chown 65_534, 65_534, "$place/home" or die "chown: $!\n";
        chmod 0755, $place;
        for my $tools ([qw(mkfifo)], [qw(mkfifo ls)]) {
            for my $inside ("$place/home", "$place/home/mine") {
                mkdir $inside;
                my %how   = (env => { UB_TMPDIR => $inside }, tools => $tools, words => [qw(--quick -c 1 hanoi)]);
                my $ended = run_script($script, %how);
                is("$ended->{status}$ended->{out}", 1, 'it is refused, and there is no log');
                my $why = qr/\Ameasure[.]sh: \S+ is not safe: another user could replace \S+home; /;
                like($ended->{err}, $why, '... with the reason');
            }
            is_deeply(names_in("$place/home/mine"), [], 'no file was written');
        }
    },

    # The directory and the processes of a measurement that was killed, and of one that is running.
    'what a killed measurement has left' => sub {
        my ($script) = @_;
        my %hangs    = (passes => { 'short hanoi' => 'hang' });
        my $killed   = start_script($script, words => [qw(--quick -c 2 hanoi)], %hangs);
        await_sleepers($killed, 2);
        my $left = sub { names_in("$killed->{home}/scratch") };
        my @own  = @{ $left->() };
        is(scalar @own, 1, 'a measurement has a directory');
        my %next = (words => [qw(--quick -c 1 hanoi)], passes => { 'short hanoi' => 'count' });
        run_script($script, %next);
        is_deeply($left->(), \@own, 'another call leaves it while the first one runs');
        kill KILL => $killed->{pid};
        ended($killed);
        is_deeply($left->(), \@own, 'kill -9 leaves it');
        measured($script, 'what a killed measurement has left', %next);
    },
);

# Takes a script, a name, a signal, a phase and a number of copies. The script ends as its shell does when it gets that
# signal: mksh and zsh exit at SIGHUP.
sub is_interrupted {
    my ($script, $what, $signal, $phase, $copies) = @_;
    my $running = start_script($script, words => ['--quick', '-c', $copies, 'hanoi'], %{ $PHASE{$phase} });
    await_sleepers($running, $phase eq 'a pause' ? 1 : $copies);
    kill $signal => $running->{pid};
    my $ended = ended($running);
    is($ended->{status}, of_shell($script, "kill -s $signal \$\$; exit 0")->{status}, "$what: the script dies of it");
    like($ended->{out}, qr/[|]stop[|]$signal[|]/,                         "$what: the log says so");
    like($ended->{err}, qr/^interrupted after 0 passes: measure again$/m, '... and a line');
    return is_clean($ended, $what);
}

# Takes the words of a shell, and cases: names, or arguments of is_interrupted(). Tests by that shell how watchdogs end,
# and then all cases at once, each in a process of its own. A case passes if all its tests do.
sub at_once {
    my ($shell, @cases) = @_;
    ends_watchdogs($shell);
    my $place = place();
    my %of;
    for my $case (@cases) {
        my ($name, $path) = (ref $case ? "SIG$case->[0] during $case->[1] of $case->[2]" : $case, "$place/" . keys %of);
        my $test =
            ref $case ? sub { is_interrupted($_[0], $name, @$case) } : sub { subtest $name => $CASE{$name}, $_[0] };
        my $pid = fork // die "fork: $!\n";
        run_part($path, sub { $test->(script_by(split q{ }, $shell)) }) if !$pid;
        $of{$pid} = ["$shell: $name", $path];
    }
    while (%of) {
        my ($name, $path) = @{ delete $of{ waitpid -1, 0 } || next };
        is($?, 0, $name) or diag content($path);
    }
    return;
}

# Takes the words of a shell. Without /proc only the watchdog ends its sleep, however soon the copies have ended. Here
# are none, and no other case beside it: a busy machine would hide what this test looks for.
sub ends_watchdogs {
    my ($shell) = @_;
    my ($subs)  = content('pgms/measure.sh') =~ /^(complain\(\) .*?)^case /ms or die "there are no functions\n";
    my $passes  = <<'END';
list_processes() { tree='' number=$((number + 1)); }
has_gate=1 copies=0 input='' limit=4321 pids='' watchdog='' mark='' self=$$
while [ "${number:-0}" -lt 200 ]; do run_copies; done
END
    my %env   = (UB_CASE => TestProgram::scratch(), dir => TestProgram::scratch());
    my $mark  = "UB_CASE=$env{UB_CASE}";
    my $ended = TestProgram::run([(split q{ }, $shell), '-c', "$subs$passes"], env => \%env);
    is($ended->{status}, 0, "$shell: 200 passes end, each with its watchdog") or diag $ended->{err};
    return ok(eventually(sub { !of_environment($mark) }, 10), '... and no sleep is left')
        || kill KILL => of_environment($mark);
}

# Runs a part, which prints to the file, and ends this process.
sub run_part {
    my ($path, $part) = @_;
    open my $said, '>', $path or die "$path: $!\n";
    my $builder = Test::More->builder;
    $builder->reset;
    $builder->$_($said) for qw(output failure_output todo_output);
    fail $@ if !eval { $part->(); 1 };
    done_testing;
    close $said or die "$path: $!\n";
    exit($builder->is_passing ? 0 : 1);
}

is(text_of('pgms/measure.table'), table(1), 'pgms/measure.table is current: make reference');

# No system has zsh as its sh, so that it has no interruptions.
my @shells = split /,/, $ENV{UB_SHELLS} // q{};
at_once($_,            sort(keys %CASE), $_ eq 'zsh' ? () : @SIGNALS) for @shells;
at_once('dash',        sort(keys %CASE), @SIGNALS[0, 5, 8, 13]) if !@shells;
at_once('busybox ash', 'rounds',         'faults', @SIGNALS[3, 16]) if !@shells;

done_testing;
