# What measure.sh does in any shell: that of Debian and that of small systems, or all cases by each of the shells in
# UB_SHELLS, as t/long/shells.t asks. Each case takes the script with a shell, see MeasureScript.

use strict;
use warnings;

use Config;
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive                          qw(eventually of_environment);
use Needs                          qw(need_mount_namespaces need_tools skip_without);
use InPath                         qw(path_of);
use Place                          qw(content names_in place text_of write_file);
use PseudoTerminal                 ();
use UnixBench::Base::Clock         ();
use UnixBench::Measure::Rounds     ();
use UnixBench::Target::Log         ();

need_tools(qw(dash busybox));
$SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);    # a shell can't trap what its parent ignores

# Runs of pgms/measure.sh by one shell, in a tree of its own. The programs that it measures are t/bin/behave.
package MeasureScript {
    use Cwd            qw(abs_path);
    use File::Basename qw(basename);
    use Test::More;

    use Alive       qw(eventually of_environment);
    use InPath      qw(path_of);
    use Place       qw(content names_in place write_file write_program);
    use TestProgram qw(finish start);

    my $ROOT  = abs_path("$FindBin::Bin/../../..");
    my $TABLE = table(0.01);

    # The tools that the script needs. Most tests do without those that it uses if they are there, because each line
    # takes two processes with cksum.
    my @NEEDED = qw(mkdir printf rm sh sleep);

    # Takes a factor; returns the table of tests with times multiplied by it.
    sub table {
        my ($factor) = @_;
        return TestProgram::run([$^X, 'features/target/build/measure-table', $factor], in => $ROOT)->{out};
    }

    # Takes the words that start a shell.
    sub new {
        my ($class, @shell) = @_;
        my $home = place();
        mkdir "$home/$_" or die "mkdir: $!\n" for qw(pgms scratch testdir);
        my @programs = grep { !/measure[.]table/ } glob "$ROOT/pgms/*";
        symlink $_, "$home/pgms/" . basename($_) or die "symlink: $!\n" for "$ROOT/t/bin/behave", @programs;
        symlink $_, "$home/testdir/" . basename($_) or die "symlink: $!\n" for glob "$ROOT/testdir/*";
        return bless { shell => [path_of($shell[0]), @shell[1 .. $#shell]], home => $home }, $class;
    }

    # Returns whether this shell has a tool of its own, whatever is in PATH.
    sub has_own {
        my ($self, $tool) = @_;
        my $ended = TestProgram::run([@{ $self->{shell} }, '-c', "command -v $tool"], env => { PATH => '/nowhere' });
        return $ended->{status} == 0;
    }

    # Returns the exit status, or -signal, of this shell when it gets a signal.
    sub status_after {
        my ($self, $signal) = @_;
        return TestProgram::run([@{ $self->{shell} }, '-c', "kill -s $signal \$\$; exit 0"])->{status};
    }

    # Starts the script. %how:
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
        my ($self, %how) = @_;
        write_file("$self->{home}/pgms/measure.table", _table(%how));
        my $has_all = exists $how{tools} && !$how{tools};
        my @before  = map { path_of($_) // $_ } @{ $how{before} || [] };
        my @tools   = (path_of('env'), 'PATH=' . ($has_all ? $ENV{PATH} : _path(%how)));
        my @script  = (@{ $self->{shell} }, @{ $how{options} || [] }, "$self->{home}/pgms/measure.sh");
        my %env     = (UB_TMPDIR => "$self->{home}/scratch", UB_CASE => "$self->{home}", %{ $how{env} || {} });
        return { %{ start([@before, @tools, @script, @{ $how{words} }], env => \%env) }, home => $self->{home} };
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

    # Returns how the script ended. Tests that the exit status is 1 only if a test failed or was skipped, and that
    # nothing is left.
    sub measured {
        my ($self, $what, %how) = @_;
        my $ended  = ended($self->start_script(%how));
        my @failed = grep { $_->{has_failed} } map { values %$_ } values %{ $ended->{log}{made} || {} };
        push @failed, @{ $ended->{log}{skipped} || [] };
        is($ended->{status}, @failed ? 1 : 0, "$what: the exit status") or diag $ended->{err};
        is_clean($ended, $what);
        return $ended;
    }

    # Waits until that number of processes sleep for 1000 seconds. If they never do, ends the script.
    sub await_sleepers {
        my ($running, $number) = @_;
        my $sleepers = sub {
            return $number == grep { content("/proc/$_/cmdline") eq "sleep\0001000\0" } of_environment(_mark($running));
        };
        return if ok(eventually(sub { $sleepers->() || TestProgram::has_ended($running) }), "$number processes sleep");
        return kill KILL => -$running->{pid};
    }

    # Tests that the script has left no process and no file, and a log with all its lines.
    sub is_clean {
        my ($ended, $what) = @_;
        my $why_not = $ended->{log}{why_not} // q{};
        is($why_not =~ s/.*has no whole pass; .*\n//r, q{}, "$what: the log can be used, or has no pass");
        like($ended->{out}, qr/[|]end[|][^\n]+[|][.]\n\z/, "$what: the log has its last line") or diag $ended->{err};
        ok(eventually(sub { !of_environment(_mark($ended)) }), "$what: no process is left");
        is_deeply(names_in("$ended->{home}/scratch"), [], "$what: no file is left");
        return;
    }

    sub _mark { my ($of) = @_; return "UB_CASE=$of->{home}" }

    sub _table {
        my (%how) = @_;
        my $table = $TABLE =~ s/[{]bindir[}]\/(\S+)/{bindir}\/behave $1/gr;
        $table =~ s/^(test[|].*[|]).*$/$1/mg;    # any of the other programs may be missing here
        for my $kind_and_test (keys %{ $how{passes} || {} }) {
            my $begin   = quotemeta join q{|}, 'pass', split(q{ }, $kind_and_test), q{};
            my $limit   = $how{limits}{$kind_and_test} // 9999;
            my $command = "{bindir}/behave $how{passes}{$kind_and_test}";
            $table =~ s/^($begin)\d+([|]\d+[|]).*$/$1$limit$2$command/m or die "the table has no $kind_and_test\n";
        }
        my %value = (rounds => 1, %{ $how{values} || {} });
        $table =~ s/^(value[|]$_[|]).*$/$1$value{$_}/m for keys %value;
        return $table;
    }

    # Makes a directory with only those tools; returns its path.
    sub _path {
        my (%how) = @_;
        my $place = TestProgram::scratch();
        for my $tool (@NEEDED, @{ $how{tools} || ['mkfifo'] }) {
            my $text = ($how{tool} || {})->{$tool};
            if (defined $text) { write_program("$place/$tool", "#!/bin/sh\n$text\n"); next }
            my $path = path_of($tool) or next;
            symlink $path, "$place/$tool" or die "$tool: $!\n";
        }
        return $place;
    }
}

# Where an interruption comes: the kind of pass that hangs, and whether it is a pause.
my %PHASE = (
    'a pause'   => { values => { rest            => 1000 } },
    'a warm-up' => { passes => { 'warm_up hanoi' => 'hang' } },
    'a pass'    => { passes => { 'short hanoi'   => 'stubborn' } },
);
my @SIGNALS;
for my $signal (qw(HUP INT TERM)) {
    for my $phase (sort keys %PHASE) {
        push @SIGNALS, map { ["SIG$signal during $phase of $_", $signal, $phase, $_] } 1, 8;
    }
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
    garbage => "status 0\n" . <<'END',
COUNT|a[$(echo >&2)]|1|lps
COUNT|08|1|lps
TIME|1.x
TIME|9 9
?=0?UB|1|end|1
?
|late
0|late
1|=0
END
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

# Takes a script, a name, and the arguments of start_script(). Tests that it makes a short pass of two copies.
sub makes_a_pass {
    my ($script, $what, %how) = @_;
    my $ended = $script->measured($what, words => [qw(--quick -c 2 hanoi)], %how);
    is_deeply(made($ended->{log}), { 2 => { hanoi => '1 0' } }, "$what: the pass was made");
    like($ended->{err}, qr/^done: copy the log .* run [.]\/Run report LOG there\n\z/m, "$what: a line says what next");
    return $ended;
}

# Takes a script, [the behaviour of programs], what they have, and how the script is started. The last program counts.
# Returns how the script ended.
sub survives {
    my ($script, $faults, $what, %how) = @_;
    my @tests = qw(syscall context1 pipe spawn arithoh short int long float) [0 .. @$faults];
    my %behaviour;
    @behaviour{@tests} = (@$faults, 'count');
    my $ended = $script->measured(
        $what,
        %how,
        words  => [qw(-c 2 -i 1), @{ $how{words} || [] }, @tests],
        passes => { map { ("official $_" => $behaviour{$_}) } @tests },
        limits => { map { ("official $_" => 1) } grep { $SAID{ $behaviour{$_} } =~ /\Alate/ } @tests },
    );
    my %pass = map { $_->{test} => $_ } @{ $ended->{log}{passes} };
    is(said($pass{$_}), $SAID{ $behaviour{$_} } x 2, "$what: $behaviour{$_}") for @tests;
    return $ended;
}

# Takes a pass; returns the endings of its copies and what they said.
sub said {
    my ($pass) = @_;
    my $text = q{};
    for my $copy (@{ $pass->{made} }) {
        my $ending = defined $pass->{limit_s} ? "late $pass->{limit_s}" : "status $copy->{status}";
        $text .= join q{}, map { "$_\n" } $ending, grep { length } @{ $copy->{said} };
    }
    return $text;
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
    return \@before;
}

# The cases: each takes a script, and its arguments.
my %CASE = (
    'rounds' => sub {
        my ($script) = @_;
        my @tests    = qw(syscall pipe whetstone-double dc);
        my %how      = (words => ['--quick', '-c', '1,2', '-c1', @tests], passes => { 'short pipe' => 'exit3' });
        my $ended    = $script->measured('quick', %how, values => { rounds => 3 });
        my $log      = $ended->{log};
        is("@{$log->{plan}}{qw(kind copies asked gate)}", "quick 1 2 @tests 1", 'quick: the plan');
        my $measured = join q{ }, map { "$_->{copies}:$_->{number}:$_->{test}" } @{ $log->{passes} };
        is($measured, join(q{ }, in_order($log->{plan}{seed}, @tests)), 'quick: the rounds are those of Run');
        my %made = map { $_ => '3 0' } @tests;
        is_deeply(made($log), { map { $_ => { %made, pipe => '1 1' } } 1, 2 }, 'quick: how each test ended');
        my ($whetstone) = grep { $_->{test} eq 'whetstone-double' } @{ $log->{passes} };
        like($whetstone->{command}, qr/ -n [1-9]\d*\z/, 'quick: the warm-up decides about fixed work');
        my @lines = map {
            my $copies = $_;
            map { qr/^$copies cop(?:y|ies), round $_ of 3, [0-9]+ s left$/m } 1 .. 3
        } 1, 2;
        like($ended->{err}, $_, 'quick: the progress') for @lines;
        like($ended->{err}, qr/^measure[.]sh: 2 x pipe: exit status 3; aborting this test$/m, 'quick: why it failed');
    },

    # This measurement has all tools.
    'official' => sub {
        my ($script) = @_;
        my %how      = (passes => { 'official pipe' => 'environment {scratch}/x' }, tools => undef);
        my $ended    = $script->measured('official', words => [qw(-c 8 -i2 pipe hanoi)], %how);
        my ($home, $log) = @$ended{qw(home log)};
        is_deeply(made($log), { 8 => { pipe => '2 0', hanoi => '1 0' } }, 'official: the passes that -i asks for');
        like($ended->{err}, qr/\A8 x pipe  1 2\n8 x hanoi  1\ndone: [^\n]+\n\z/, 'official: the progress');
        my @watched = grep { $_->{looks} } @{ $log->{passes} };
        is(scalar @watched, -r '/proc/stat' ? 3 : 0, 'official: each pass is watched');

        my $has_clock = TestProgram::run([TestProgram::program('clock')])->{status} == 0;
        is(scalar(grep { @{ $_->{hz} } } @{ $log->{passes} }), $has_clock ? 3 : 0, '... and the clock after it');
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
        my %cases         = (
            'none'              => { gate => 0, how => { tools => [] } },
            'all but fractions' => { gate => 1, how => { tools => [qw(mkfifo sleep)], tool => \%whole_seconds } },
        );
        for my $case (sort keys %cases) {
            my $ended = makes_a_pass($script, "tools: $case", %{ $cases{$case}{how} });
            my $gate  = $cases{$case}{gate} || $script->has_own('mkfifo') ? 1 : 0;
            is($ended->{log}{plan}{gate},                         $gate, "$case: the log says whether there is a gate");
            is(scalar(() = $ended->{err} =~ /^measure[.]sh: /mg), $gate ? 0 : 1, "$case: one line says so, too");
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
            my $ended = MeasureScript::ended($script->start_script(words => \@words));
            is("$ended->{status}$ended->{out}", 2, "@words: exit status 2, and no log");
            like($ended->{err}, qr/\Ameasure[.]sh: [^\n]*$message[^\n]*\n\z/, "@words: one line");
        }
        my %said =
            ('--version' => qr/\AUnixBench [0-9.]+\n\z/, map { $_ => qr/\AUsage: .* 2 for wrong/s } qw(-h --help));
        for my $option (sort keys %said) {
            my $ended = MeasureScript::ended($script->start_script(words => [$option]));
            like("$ended->{status}$ended->{err}$ended->{out}" =~ s/\A0//r, $said{$option}, $option);
        }
        write_file("$script->{home}/pgms/plain", "#!/bin/sh\n");
        for my $case ([absent => qr/there is no program absent/],
            [plain => qr{\S+/plain is not executable; run: chmod .*}])
        {
            my ($program, $why) = @$case;
            my %passes = (passes => { 'official hanoi' => "x {bindir}/$program" });
            my $ended  = $script->measured($program, words => [qw(sysexec hanoi)], %passes);
            my @said   = map { "$_->{test} $_->{reason}" } @{ $ended->{log}{skipped} };
            like("@said",       qr/\Ahanoi skipped: $why\z/, "$program: the log says which test is skipped, and why");
            like($ended->{err}, qr/^measure[.]sh: hanoi is skipped: $why$/m, '... and a line');
            $ended = MeasureScript::ended($script->start_script(words => ['hanoi'], %passes));
            is($ended->{status}, 1, "$program: no test can be measured: exit status 1");
            like($ended->{err}, qr/^measure[.]sh: no test can be measured here$/m, '... a line says so');
            is_deeply(names_in("$ended->{home}/scratch"), [], '... and no file is left');
        }
    },
    'no files' => sub {
        my ($script) = @_;
        my $read_only = 'mount --bind /tmp /tmp && mount -o remount,ro,bind';
        subtest '/tmp can not be written' => sub {
            my %how = (before => mounting("$read_only /tmp"), env => { UB_TMPDIR => '/nowhere' }, words => ['fstime']);
            my $ended = survives($script, [qw(hang crash flood daemon)], 'without files', %how);
            is_deeply([map { $_->{test} } @{ $ended->{log}{skipped} }], ['fstime'], 'a test of files is skipped');
        };
        subtest 'a disk that is full' => sub {
            my $room  = "$script->{home}/scratch";
            my $fill  = "mount -t tmpfs -o size=64k none $room && { cat /dev/zero > $room/x || true; } 2> /dev/null";
            my %how   = (before => mounting("$read_only /tmp && $fill"));
            my $ended = MeasureScript::ended($script->start_script(words => [qw(-c 1 -i 1 pipe fstime)], %how));
            like($ended->{err}, qr/\Ameasure[.]sh: there is no space left in \S+scratch; .*\n.*: no pipes can/,
                'lines say so');
            is($ended->{status}, 1, 'a test was skipped: exit status 1');
        };
        subtest 'a disk that gets full' => sub {
            my %how    = (before           => mounting("mount -t tmpfs -o size=64k none $script->{home}/scratch"));
            my %passes = ('official hanoi' => 'fill', 'official pipe' => 'count');
            my $ended  = $script->measured('full', words => [qw(-c 1 -i 1 hanoi pipe)], passes => \%passes, %how);
            is_deeply(made($ended->{log}), { 1 => { hanoi => '1 1', pipe => '1 0' } }, 'one test fails');
            my @said = grep { length } @{ $ended->{log}{passes}[0]{made}[0]{said} };
            is("@said", "it is full ERROR|no space left in $script->{home}/scratch", 'the log has the reasons');
            like($ended->{err}, qr/^measure[.]sh: 1 x hanoi: it is full; aborting this test$/m, '... and a line');
        };
    },
    'no /proc' => sub {
        my ($script) = @_;
        subtest 'without /proc' => sub {
            my $model = q{mkdir /proc/device-tree && printf 'Pi\\0' > /proc/device-tree/model};
            my %how   = (before => mounting("mount -t tmpfs none /proc && $model"));
            my $ended = makes_a_pass($script, 'without /proc', %how, passes => { 'short hanoi' => 'count' });
            like($ended->{out}, qr{[|]/proc/device-tree/model[|]Pi}, 'a file without end of line is logged');
        };
    },
    'a terminal' => sub {
        my ($script) = @_;
        my $terminal = PseudoTerminal->new(80) or return;
        my @before   = ('sh', '-c', "exec \"\$@\" 2> $terminal->{path}", 'sh');
        $script->measured('a terminal', words => [qw(-c 1 -i 1 pipe)], before => \@before, env => { TERM => 'xterm' });
        my $line = "\r\e[J3 s left  1 x pipe  pass 1 of 1\r\r\e[Jdone: copy ";
        is(substr($terminal->seen, 0, length $line), $line, 'a line is drawn, and cleared');
    },
    'a lost log' => sub {
        my ($script) = @_;
        my @before   = ('sh', '-c', '{ "$@"; echo "status $?" >&2; } | read -r line', 'sh');
        my $ended    = MeasureScript::ended($script->start_script(words => ['hanoi'], before => \@before));
        like($ended->{err}, qr/^measure[.]sh: the log can't be written\nstatus 1$/m, 'a line says so: exit status 1');
        is_deeply(names_in("$ended->{home}/scratch"), [], 'the reader of the log has ended: no file is left');
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
        subtest 'a directory of another user' => sub {
            skip_without(machine => 'root') if $> != 0;
            my $place = place();
            mkdir "$place/home";
            chown 65_534, 65_534, "$place/home" or die "chown: $!\n";
            chmod 0755, $place;
            for my $tools ([qw(mkfifo)], [qw(mkfifo ls)]) {
                for my $inside ("$place/home", "$place/home/mine") {
                    mkdir $inside;
                    my %how   = (env => { UB_TMPDIR => $inside }, tools => $tools, words => [qw(--quick -c 1 hanoi)]);
                    my $ended = MeasureScript::ended($script->start_script(%how));
                    is("$ended->{status}$ended->{out}", 1, 'it is refused, and there is no log');
                    like($ended->{err}, qr/\Ameasure[.]sh: \S+ is not safe: another user could replace \S+home; /,
                        'why');
                }
                is_deeply(names_in("$place/home/mine"), [], 'no file was written');
            }
        };
    },

    # The directory and the processes of a measurement that was killed, and of one that is running.
    'what a killed measurement has left' => sub {
        my ($script) = @_;
        my $killed = $script->start_script(words => [qw(--quick -c 2 hanoi)], passes => { 'short hanoi' => 'hang' });
        MeasureScript::await_sleepers($killed, 2);
        my $left = sub { names_in("$killed->{home}/scratch") };
        my @own  = @{ $left->() };
        is(scalar @own, 1, 'a measurement has a directory');
        my %next = (words => [qw(--quick -c 1 hanoi)], passes => { 'short hanoi' => 'count' });
        MeasureScript::ended($script->start_script(%next));
        is_deeply($left->(), \@own, 'another call leaves it while the first one runs');
        kill KILL => $killed->{pid};
        MeasureScript::ended($killed);
        is_deeply($left->(), \@own, 'kill -9 leaves it');
        $script->measured('what a killed measurement has left', %next);
    },
);

# Takes a script, a name, a signal, a phase and a number of copies. The script ends as its shell does when it gets that
# signal: mksh and zsh exit at SIGHUP.
sub is_interrupted {
    my ($script, $what, $signal, $phase, $copies) = @_;
    my $running = $script->start_script(words => ['--quick', '-c', $copies, 'hanoi'], %{ $PHASE{$phase} });
    MeasureScript::await_sleepers($running, $phase eq 'a pause' ? 1 : $copies);
    kill $signal => $running->{pid};
    my $ended = MeasureScript::ended($running);
    is($ended->{status}, $script->status_after($signal), "$what: the script dies of it");
    like($ended->{out}, qr/[|]stop[|]$signal[|]/,                         "$what: the log says so");
    like($ended->{err}, qr/^interrupted after 0 passes: measure again$/m, '... and a line');
    MeasureScript::is_clean($ended, $what);
    return;
}

# Takes the words of a shell, and cases: names, or arguments of is_interrupted(). Tests by that shell how watchdogs end,
# and then all cases at once, each in a process of its own. A case passes if all its tests do.
sub at_once {
    my ($shell, @cases) = @_;
    ends_watchdogs($shell);
    my $place = place();
    my %of;
    for my $number (0 .. $#cases) {
        my ($name, @more) = ref $cases[$number] ? @{ $cases[$number] } : $cases[$number];
        my $test = @more ? sub { is_interrupted($_[0], $name, @more) } : $CASE{$name};
        my $pid  = fork // die "fork: $!\n";
        run_part("$place/$number", sub { $test->(MeasureScript->new(split q{ }, $shell)) }) if !$pid;
        $of{$pid} = ["$shell: $name", "$place/$number"];
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
    ok(eventually(sub { !of_environment($mark) }, 10), '... and no sleep is left')
        or kill KILL => of_environment($mark);
    return;
}

# Runs a part, which prints to the file, and ends this process.
sub run_part {
    my ($path, $part) = @_;
    open my $said, '>', $path or die "$path: $!\n";
    my $builder = Test::More->builder;
    $builder->reset;
    $builder->$_($said) for qw(output failure_output todo_output);
    if (!eval { $part->(); 1 }) {
        fail $@;
    }
    done_testing;
    close $said or die "$path: $!\n";
    exit($builder->is_passing ? 0 : 1);
}

is(text_of('pgms/measure.table'), MeasureScript::table(1), 'pgms/measure.table is current: make reference');
if (my @shells = split /,/, $ENV{UB_SHELLS} // q{}) {

    # No system has zsh as its sh, so that it has no interruptions.
    at_once($_, sort(keys %CASE), $_ eq 'zsh' ? () : @SIGNALS) for @shells;
}
else {
    at_once('dash', sort(keys %CASE), @SIGNALS[0, 5, 8, 13]);
    at_once('busybox ash', 'rounds', 'faults', @SIGNALS[3, 16]);
}

done_testing;
