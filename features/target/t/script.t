# What measure.sh does in any shell: that of Debian and that of small systems, or all cases by each of the shells in
# UB_SHELLS, as t/long/shells.t asks. Each case takes the script with a shell, see MeasureScript.

use strict;
use warnings;

use Config;
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Needs                          qw(need_mount_namespaces need_tools skip_without);
use Place                          qw(content place text_of);
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
    #   values  { name => value in the table }
    #   env     { name => value }
    #   before  [words before the command]
    #   options [options of the shell]
    sub start_script {
        my ($self, %how) = @_;
        write_file("$self->{home}/pgms/measure.table", _table(%how));
        my $has_all = exists $how{tools} && !$how{tools};
        my @tools   = (path_of('env'), 'PATH=' . ($has_all ? $ENV{PATH} : _path(%how)));
        my @shell   = (@{ $self->{shell} }, @{ $how{options} || [] });
        my @before  = map { path_of($_) // $_ } @{ $how{before} || [] };
        my $running = start([@before, @tools, @shell, "$self->{home}/pgms/measure.sh", @{ $how{words} }],
            env => { UB_TMPDIR => "$self->{home}/scratch", UB_CASE => "$self->{home}", %{ $how{env} || {} } });
        return { %$running, home => $self->{home} };
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

    sub run_script { my ($self, %how) = @_; return ended($self->start_script(%how)) }

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

    # Returns the text of the table.
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
        for my $name (keys %{ $how{values} || {} }) { $table =~ s/^(value[|]$name[|]).*$/$1$how{values}{$name}/m }
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

# The cases that have no arguments: those that are fast, and others.
my @PLAIN  = ('rounds', 'official', 'tools', 'faults', 'arguments', 'no files', 'no /proc', 'a lost log');
my @OTHERS = (
    'options of the caller',
    'a directory of another user',
    'what a killed measurement has left',
    'programs without x bits'
);

# Where an interruption comes: the kind of pass that hangs, and whether it is a pause.
my %PHASE = (
    'a pause'   => { values => { rest            => 1000 } },
    'a warm-up' => { passes => { 'warm_up hanoi' => 'hang' } },
    'a pass'    => { passes => { 'short hanoi'   => 'stubborn' } },
);
my @COMBINATIONS;
for my $signal (qw(HUP INT TERM)) {
    for my $phase (sort keys %PHASE) {
        push @COMBINATIONS, map { [interrupted => $signal, $phase, $_] } 1, 8;
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

my %CASE = (
    'rounds'                             => \&measures_rounds,
    'official'                           => \&measures_officially,
    'tools'                              => \&needs_few_tools,
    'faults'                             => \&survives_faults,
    'arguments'                          => \&refuses,
    'no files'                           => \&needs_no_directory,
    'no /proc'                           => \&needs_no_proc,
    'a lost log'                         => \&notices_a_lost_log,
    'interrupted'                        => \&is_interrupted,
    'options of the caller'              => \&ignores_options,
    'a directory of another user'        => \&refuses_unsafe_places,
    'what a killed measurement has left' => \&removes_leftovers,
    'programs without x bits'            => \&names_missing_x_bits,
);

# Takes a script, a name, and the arguments of start_script() of MeasureScript. Tests that it succeeds and leaves
# nothing; returns how it ended.
sub succeeds {
    my ($script, $what, %how) = @_;
    my $ended = $script->run_script(%how);
    is($ended->{status}, 0, "$what: exit status 0") or diag $ended->{err};
    MeasureScript::is_clean($ended, $what);
    return $ended;
}

# Takes the same; tests that the script makes a short pass of hanoi with two copies, too.
sub makes_a_pass {
    my ($script, $what, %how) = @_;
    my $ended = succeeds($script, $what, words => [qw(--quick -c 2 -i 1 hanoi)], %how);
    is_deeply(_made($ended->{log}), { 2 => { hanoi => '1 0' } }, "$what: the pass was made");
    return $ended;
}

# Takes a shell, [words], and names of cases, perhaps with arguments. Returns { name => a function that tests it }.
sub parts_of {
    my ($shell, @cases) = @_;
    my %parts;
    for my $case (@cases) {
        my ($name, @arguments) = ref $case ? @$case : $case;
        $parts{"@$shell: @{[$name, @arguments]}"} = sub { $CASE{$name}->(MeasureScript->new(@$shell), @arguments) };
    }
    return %parts;
}

sub measures_rounds {
    my ($script) = @_;
    my @tests    = qw(syscall pipe whetstone-double dc);
    my %how      = (words => [qw(--quick -c 1 -c 2 -c 1 -i 3), @tests], passes => { 'short pipe' => 'exit3' });
    my $log      = succeeds($script, 'quick', %how)->{log};
    is("@{$log->{plan}}{qw(kind copies asked gate)}", "quick 1 2 @tests 1", 'quick: the plan');
    my $measured = join q{ }, map { "$_->{copies}:$_->{number}:$_->{test}" } @{ $log->{passes} };
    is($measured, join(q{ }, _in_order($log->{plan}{seed}, @tests)), 'quick: the rounds are those of Run');
    my %ended = map { $_ => '3 0' } @tests;
    is_deeply(_made($log), { map { $_ => { %ended, pipe => '1 1' } } 1, 2 }, 'quick: the log says how each test ended');
    my ($whetstone) = grep { $_->{test} eq 'whetstone-double' } @{ $log->{passes} };
    like($whetstone->{command}, qr/ -n [1-9]\d*\z/, 'quick: the warm-up decides about fixed work');
    return;
}

# Returns the passes of a quick measurement of those tests, COPIES:ROUND:TEST. The test pipe fails.
sub _in_order {
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

# This measurement has all tools.
sub measures_officially {
    my ($script) = @_;
    my %how = (passes => { 'official pipe' => 'environment {scratch}/x' }, tools => undef);
    my ($home, $log) = @{ succeeds($script, 'official', words => [qw(-c 8 -i 2 pipe hanoi)], %how) }{qw(home log)};
    is_deeply(_made($log), { 8 => { pipe => '2 0', hanoi => '1 0' } }, 'official: the passes that -i asks for');
    my @watched = grep { $_->{looks} } @{ $log->{passes} };
    is(scalar @watched, -r '/proc/stat' ? 3 : 0, 'official: each pass is watched');
    for my $number (1 .. 8) {
        my %said = map { split /[|]/, $_, 2 } @{ $log->{passes}[0]{made}[$number - 1]{said} };
        is($said{place}, "$home/testdir", "official: copy $number starts in testdir");
        like($said{scratch}, qr{\A\Q$home\E/scratch/measure[.][^/]+/scratch[.]$number\z}, '... with its own directory');
        is($said{argument}, "$said{scratch}/x", '... which its arguments name');
    }
    my %source = map { $_->{source} => 1 } @{ $log->{facts} };
    ok($source{$_}, "official: the log has facts of $_") for 'uname', '/proc/cpuinfo', '/proc/self/mountinfo', 'sha256';
    return;
}

# Returns { copies => { test => "PASSES FAILED" } }.
sub _made {
    my ($log) = @_;
    my %made;
    for my $copies (keys %{ $log->{made} }) {
        my $ended = $log->{made}{$copies};
        $made{$copies} = { map { $_ => "$ended->{$_}{number} $ended->{$_}{has_failed}" } keys %$ended };
    }
    return \%made;
}

sub needs_few_tools {
    my ($script)      = @_;
    my %whole_seconds = (sleep => 'case $1 in *.*) exit 1 ;; esac; exec ' . MeasureScript::path_of('sleep') . ' "$1"');
    my %cases         = (
        'none'              => { gate => 0, how => { tools => [] } },
        'all but fractions' => { gate => 1, how => { tools => [qw(mkfifo sleep)], tool => \%whole_seconds } },
    );
    for my $case (sort keys %cases) {
        my $ended = makes_a_pass($script, "tools: $case", %{ $cases{$case}{how} });
        my $gate  = $cases{$case}{gate} || $script->has_own('mkfifo') ? 1 : 0;
        is($ended->{log}{plan}{gate},  $gate,         "$case: the log says whether there is a gate");
        is(($ended->{err} =~ tr/\n//), $gate ? 0 : 1, "$case: one line says so, too") or diag $ended->{err};
    }
    return;
}

sub survives_faults {
    my ($script) = @_;
    _survives($script, [qw(stubborn crash exit3 garbage silent flood long daemon)], 'with files');
    return;
}

# Takes a script, [the behaviour of programs], what they have, and how the script is started. The last program counts.
# Returns how the script ended.
sub _survives {
    my ($script, $faults, $what, %how) = @_;
    my @tests = qw(syscall context1 pipe spawn arithoh short int long float) [0 .. @$faults];
    my %behaviour;
    @behaviour{@tests} = (@$faults, 'count');
    my $ended = succeeds(
        $script, $what,
        %how,
        words  => [qw(-c 2 -i 1), @{ $how{words} || [] }, @tests],
        passes => { map { ("official $_" => $behaviour{$_}) } @tests },
        limits => { map { ("official $_" => 1) } grep { $SAID{ $behaviour{$_} } =~ /\Alate/ } @tests },
    );
    my %pass = map { $_->{test} => $_ } @{ $ended->{log}{passes} };
    is(_said($pass{$_}), $SAID{ $behaviour{$_} } x 2, "$what: $behaviour{$_}") for @tests;
    return $ended;
}

# Takes a pass; returns the endings of its copies and what they said.
sub _said {
    my ($pass) = @_;
    my $text = q{};
    for my $copy (@{ $pass->{made} }) {
        my $ending = defined $pass->{limit_s} ? "late $pass->{limit_s}" : "status $copy->{status}";
        $text .= join q{}, map { "$_\n" } $ending, grep { length } @{ $copy->{said} };
    }
    return $text;
}

sub refuses {
    my ($script) = @_;
    my %wrong = (
        'a wrong option'  => [qr/unknown option -x; usage/,                       '-x'],
        'no copies'       => [qr/option -c needs .* not "0"/,                     '-c', 0],
        'a wrong number'  => [qr/option -i needs .* not "2x"/,                    '-i', '2x'],
        'an unknown test' => [qr/no test nothing here; names .* measure[.]table/, 'nothing'],
    );
    for my $case (sort keys %wrong) {
        my ($message, @words) = @{ $wrong{$case} };
        my $ended = $script->run_script(words => \@words);
        is("$ended->{status}$ended->{out}", 2, "$case: exit status 2, and no log");
        like($ended->{err}, qr/\Ameasure[.]sh: [^\n]*$message[^\n]*\n\z/, "$case: one line");
    }
    my %absent = (passes => { 'official hanoi' => 'x {bindir}/absent' });
    my $ended  = succeeds($script, 'a program is missing', words => ['sysexec', 'hanoi'], %absent);
    is_deeply(
        [map { "$_->{test} $_->{reason}" } @{ $ended->{log}{skipped} }],
        ['hanoi skipped: there is no program absent'],
        'the log says which test is skipped, and why'
    );
    like($ended->{err}, qr/^measure[.]sh: hanoi is skipped: there is no program absent$/m, 'a line says so, too');
    $ended = $script->run_script(words => ['hanoi'], %absent);
    is($ended->{status}, 1, 'no test can be measured: exit status 1');
    like($ended->{err}, qr/^measure[.]sh: no test can be measured here$/m, 'no test can be measured: a line says so');
    is_deeply(Place::names_in("$ended->{home}/scratch"), [], 'no test can be measured: no file is left');
    return;
}

# /tmp can't be written in a mount namespace of its own.
sub needs_no_directory {
    my ($script) = @_;
    return subtest 'without a directory' => sub {
        need_mount_namespaces();
        my @read_only =
            (qw(unshare -m sh -c), 'mount --bind /tmp /tmp && mount -o remount,ro,bind /tmp && exec "$@"', 'sh');
        my %how = (before => [@read_only], env => { UB_TMPDIR => '/nowhere' });
        skip_without(machine => 'the right to mount') if system(@read_only, 'true') != 0;
        my $ended = _survives($script, [qw(hang crash flood daemon)], 'without files', %how, words => ['fstime']);
        is_deeply([map { $_->{test} } @{ $ended->{log}{skipped} }], ['fstime'], 'a test that needs files is skipped');

    };
}

# /proc is empty in a mount namespace of its own.
sub needs_no_proc {
    my ($script) = @_;
    return subtest 'without /proc' => sub {
        need_mount_namespaces();
        my @hiding = (qw(unshare -m sh -c), 'mount -t tmpfs none /proc && exec "$@"', 'sh');
        skip_without(machine => 'the right to mount') if system(@hiding, 'true') != 0;
        makes_a_pass($script, 'without /proc', before => \@hiding, passes => { 'short hanoi' => 'count' });
    };
}

# Options, aliases and variables of the caller. The shell reads these lines before the script.
sub ignores_options {
    my ($script) = @_;
    my %env = (
        IFS                  => '/0',
        CDPATH               => '/tmp:/',
        ENV                  => '/nowhere',
        POSIXLY_CORRECT      => 1,
        'text'               => 'x' x 1000,
        'BASH_FUNC_printf%%' => '() { :; }',
    );
    makes_a_pass($script, "options @$_", options => $_, env => \%env) for ['-eu'], ['-aCx'];
    return;
}

# A directory of another user.
sub refuses_unsafe_places {
    my ($script) = @_;
    return subtest 'a directory of another user' => sub {
        skip_without(machine => 'root') if $> != 0;
        my $place = place();
        mkdir "$place/home";
        chown 65_534, 65_534, "$place/home" or die "chown: $!\n";
        chmod 0755, $place;
        for my $tools ([qw(mkfifo)], [qw(mkfifo ls)]) {
            for my $inside ("$place/home", "$place/home/mine") {
                mkdir $inside;
                my %how   = (env => { UB_TMPDIR => $inside }, tools => $tools);
                my $ended = $script->run_script(words => [qw(--quick -c 1 -i 1 hanoi)], %how);
                is("$ended->{status}$ended->{out}", 1, 'it is refused, and there is no log');
                like($ended->{err}, qr/\Ameasure[.]sh: \S+ is not safe: another user could replace \S+home; /,
                    '... why');
            }
            is_deeply(Place::names_in("$place/home/mine"), [], 'no file was written');
        }
    };
}

# The directory and the processes of a measurement that was killed, and of one that is running.
sub removes_leftovers {
    my ($script) = @_;
    my $killed = $script->start_script(words => [qw(--quick -c 2 -i 1 hanoi)], passes => { 'short hanoi' => 'hang' });
    MeasureScript::await_sleepers($killed, 2);
    my $left = sub { Place::names_in("$killed->{home}/scratch") };
    my @own  = @{ $left->() };
    is(scalar @own, 1, 'a measurement has a directory');
    my %next = (words => [qw(--quick -c 1 -i 1 hanoi)], passes => { 'short hanoi' => 'count' });
    $script->run_script(%next);
    is_deeply($left->(), \@own, 'another call leaves it while the first one runs');
    kill KILL => $killed->{pid};
    MeasureScript::ended($killed);
    is_deeply($left->(), \@own, 'kill -9 leaves it');
    succeeds($script, 'what a killed measurement has left', %next);
    return;
}

sub names_missing_x_bits {
    my ($script) = @_;
    my $program = "$script->{home}/pgms/plain";
    Place::write_file($program, "#!/bin/sh\n");
    my %how   = (passes => { 'official hanoi' => 'x {bindir}/plain' });
    my $ended = $script->run_script(words => ['hanoi'], %how);
    is($ended->{status}, 1, 'programs without x bits: exit status 1');
    like(
        $ended->{err},
        qr{hanoi is skipped: \Q$program\E is not executable; run: chmod [+]x \S+/pgms/[*]$}m,
        '... and the line says what to do'
    );
    return;
}

sub notices_a_lost_log {
    my ($script) = @_;
    my $ended = $script->run_script(
        words  => [qw(hanoi)],
        before => ['sh', '-c', '{ "$@"; echo "status $?" >&2; } | read -r line', 'sh']
    );
    like(
        $ended->{err},
        qr/^measure[.]sh: the log can't be written$/m,
        'the reader of the log has ended: a line says so'
    );
    like($ended->{err}, qr/^status 1$/m, 'the reader of the log has ended: exit status 1');
    is_deeply(Place::names_in("$ended->{home}/scratch"), [], 'the reader of the log has ended: no file is left');
    return;
}

# Takes a script, a signal, a phase and a number of copies. The script ends as its shell does when it gets that signal:
# mksh and zsh exit at SIGHUP.
sub is_interrupted {
    my ($script, $signal, $phase, $copies) = @_;
    my $what    = "SIG$signal during $phase of $copies";
    my $running = $script->start_script(words => ['--quick', '-c', $copies, 'hanoi'], %{ $PHASE{$phase} });
    MeasureScript::await_sleepers($running, $phase eq 'a pause' ? 1 : $copies);
    kill $signal => $running->{pid};
    my $ended = MeasureScript::ended($running);
    is($ended->{status}, $script->status_after($signal), "$what: the script dies of it");
    like($ended->{out}, qr/[|]stop[|]$signal[|]/, "$what: the log says so");
    MeasureScript::is_clean($ended, $what);
    return;
}

# Takes the names of parts, each with a function that tests something. A part passes if all its tests do.
sub at_once {
    my (%parts) = @_;
    my $place = place();
    my (%name_of, $number);
    for my $name (sort keys %parts) {
        my $path = "$place/" . ++$number;
        my $pid  = fork // die "fork: $!\n";
        if (!$pid) { run_part($path, $parts{$name}) }
        $name_of{$pid} = [$name, $path];
    }
    while (%name_of) {
        my ($name, $path) = @{ delete $name_of{ waitpid -1, 0 } || next };
        is($?, 0, $name) or diag content($path);
    }
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

    # No system has zsh as its sh, so that it has no combinations.
    at_once(parts_of([split q{ }], @PLAIN, @OTHERS, $_ eq 'zsh' ? () : @COMBINATIONS)) for @shells;
}
else {
    at_once(
        parts_of(['dash'], @PLAIN, @OTHERS, @COMBINATIONS[0, 5, 8, 13]),
        parts_of([qw(busybox ash)], 'rounds', 'faults', @COMBINATIONS[3, 16]),
    );
}

done_testing;
