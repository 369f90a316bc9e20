package MeasureScriptCases;

# What measure.sh does in any shell. Each sub takes the script with a shell, see MeasureScript.

use strict;
use warnings;

use Config;
use Exporter 'import';
use Test::More;

use MeasureScript qw(is_clean);
use Needs         qw(need_mount_namespaces skip_without);

use UnixBench::Base::Clock     ();
use UnixBench::Measure::Rounds ();

our @EXPORT_OK = qw(parts_of @COMBINATIONS @PLAIN);

# The cases that have no arguments and are fast.
our @PLAIN = ('rounds', 'official', 'tools', 'faults', 'arguments', 'no files', 'no /proc', 'logging', 'a lost log');

# Where an interruption comes: the kind of pass that hangs, and whether it is a pause.
my %PHASE = (
    'a pause'   => { values => { rest            => 1000 } },
    'a warm-up' => { passes => { 'warm_up hanoi' => 'hang' } },
    'a pass'    => { passes => { 'short hanoi'   => 'stubborn' } },
);
our @COMBINATIONS;
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
    'logging'                            => \&ends_a_pass_before,
    'a lost log'                         => \&notices_a_lost_log,
    'interrupted'                        => \&is_interrupted,
    'options of the caller'              => \&ignores_options,
    'a directory of another user'        => \&refuses_unsafe_places,
    'what a killed measurement has left' => \&removes_leftovers,
    'programs without x bits'            => \&names_missing_x_bits,
);

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
    my $ended    = $script->run_script(
        words  => [qw(--quick -c 1 -c 2 -c 1 -i 3), @tests],
        passes => { 'short pipe' => 'exit3' },
    );
    is($ended->{status}, 0, 'a quick measurement') or diag $ended->{err};
    is_clean($ended, 'quick');
    my $log = $ended->{log};
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
    my $ended = $script->run_script(
        words  => [qw(-c 8 -i 2 pipe hanoi)],
        tools  => undef,
        passes => { 'official pipe' => 'environment {scratch}/x' },
    );
    is($ended->{status}, 0, 'an official measurement') or diag $ended->{err};
    is_clean($ended, 'official');
    my $log = $ended->{log};
    is_deeply(_made($log), { 8 => { pipe => '2 0', hanoi => '1 0' } }, 'official: the passes that -i asks for');
    is(scalar @{ $log->{passes} }, 3, 'official: each pass is whole');
    my @watched = grep { $_->{looks} } @{ $log->{passes} };
    is(scalar @watched, -r '/proc/stat' ? 3 : 0, 'official: each pass is watched');
    my $home = $ended->{home};

    for my $number (1 .. 8) {
        my ($said, @scratch) = _told($log->{passes}[0]{made}[$number - 1]);
        is($said->{place}, "$home/testdir", "official: copy $number starts in testdir");
        like(
            $said->{scratch},
            qr{\A\Q$home\E/scratch/measure[.][^/]+/scratch[.]$number\z},
            '... with its own directory'
        );
        is($said->{argument}, "$said->{scratch}/x", '... which its arguments name');
    }
    my %source = map { $_->{source} => 1 } @{ $log->{facts} };
    ok($source{$_}, "official: the log has facts of $_") for 'uname', '/proc/cpuinfo', '/proc/meminfo', 'sha256';
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

sub _told {
    my ($copy) = @_;
    return { map { split /[|]/, $_, 2 } @{ $copy->{said} } };
}

sub needs_few_tools {
    my ($script)      = @_;
    my %whole_seconds = (sleep => 'case $1 in *.*) exit 1 ;; esac; exec ' . InPath::path_of('sleep') . ' "$1"');
    my %cases         = (
        'none'              => { gate => 0, how => { tools => [] } },
        'all but fractions' => { gate => 1, how => { tools => [qw(mkfifo sleep)], tool => \%whole_seconds } },
    );
    for my $case (sort keys %cases) {
        my $ended = $script->run_script(words => [qw(--quick -c 2 -i 1 hanoi)], %{ $cases{$case}{how} });
        is($ended->{status}, 0, "tools: $case") or diag $ended->{err};
        is_clean($ended, $case);
        my $gate = $cases{$case}{gate} || $script->has_own('mkfifo') ? 1 : 0;
        is($ended->{log}{plan}{gate},  $gate,         "$case: the log says whether there is a gate");
        is(($ended->{err} =~ tr/\n//), $gate ? 0 : 1, "$case: one line says so, too") or diag $ended->{err};
        is_deeply(_made($ended->{log}), { 2 => { hanoi => '1 0' } }, "$case: the pass was made");
        like($ended->{log}{plan}{cpus}, qr/\A[1-9]\d*\z/, "$case: the number of CPUs is known");
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
    my $ended = $script->run_script(
        %how,
        words  => [qw(-c 2 -i 1), @{ $how{words} || [] }, @tests],
        passes => { map { ("official $_" => $behaviour{$_}) } @tests },
        limits => { map { ("official $_" => 1) } grep { $SAID{ $behaviour{$_} } =~ /\Alate/ } @tests },
    );
    is($ended->{status}, 0, "programs with faults, $what") or diag $ended->{err};
    is_clean($ended, $what);
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
    my $ended =
        $script->run_script(words => ['sysexec', 'hanoi'], passes => { 'official hanoi' => 'x {bindir}/absent' });
    is($ended->{status}, 0, 'a program is missing: the other test is measured');
    is_clean($ended, 'a program is missing');
    is_deeply(
        [map { "$_->{test} $_->{reason}" } @{ $ended->{log}{skipped} }],
        ['hanoi skipped: there is no program absent'],
        'the log says which test is skipped, and why'
    );
    like($ended->{err}, qr/^measure[.]sh: hanoi is skipped: there is no program absent$/m, 'a line says so, too');
    $ended = $script->run_script(words => ['hanoi'], passes => { 'official hanoi' => 'x {bindir}/absent' });
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
        my %how   = (before => \@hiding, passes => { 'short hanoi' => 'count' });
        my $ended = $script->run_script(%how, words => [qw(--quick -c 2 -i 1 hanoi)]);
        is($ended->{status}, 0, 'the script succeeds') or diag $ended->{err};
        is_clean($ended, 'without /proc');
        is_deeply(_made($ended->{log}), { 2 => { hanoi => '1 0' } }, 'the pass was made');
    };
}

# The tool that checks a line sends the script SIGTERM in the middle of a pass.
sub ends_a_pass_before {
    my ($script) = @_;
    my $cksum = <<'END' . InPath::path_of('cksum');
IFS= read -r line
case $line in
    *'|said|1|COUNT'*)
        while [ ! -s "$UB_CASE/scratch/pid" ]; do sleep 0.01; done
        read -r pid < "$UB_CASE/scratch/pid"
        kill -TERM "$pid" ;;
esac
printf %s "$line" | exec \
END
    my %how     = (tools => ['cksum'], tool => { cksum => $cksum });
    my $running = $script->start_script(words => [qw(--quick -c 1 -i 9 hanoi)], %how);
    my $path    = Place::write_file("$running->{home}/scratch/pid", "$running->{pid}\n");
    my $ended   = MeasureScript::ended($running);
    unlink $path;
    is_stopped($script, $ended, 'TERM', 'SIGTERM while a pass is logged');
    my $log = $ended->{log};
    is(scalar @{ $log->{passes} }, 1, 'SIGTERM while a pass is logged: the pass is whole');
    return;
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
    for my $options (['-eu'], ['-aCx']) {
        my $ended = $script->run_script(words => [qw(--quick -c 2 -i 1 hanoi)], options => $options, env => \%env);
        is($ended->{status}, 0, "options @$options") or diag $ended->{err};
        is_clean($ended, "options @$options");
        is_deeply(_made($ended->{log}), { 2 => { hanoi => '1 0' } }, "options @$options: the pass was made");
    }
    return;
}

# A directory of another user, with links at the names that the script could use.
sub refuses_unsafe_places {
    my ($script) = @_;
    return subtest 'a directory of another user' => sub {
        skip_without(machine => 'root') if $> != 0;
        my $place = Place::place();
        mkdir "$place/home";
        Place::write_file("$place/precious", "precious\n");
        chown 65_534, 65_534, "$place/home" or die "chown: $!\n";
        chmod 0755, $place;
        for my $tools ([qw(mkfifo)], [qw(mkfifo ls)]) {
            for my $inside ("$place/home", "$place/home/mine") {
                mkdir $inside;
                my $ended = $script->run_script(
                    words => [qw(--quick -c 1 -i 1 hanoi)],
                    env   => { UB_TMPDIR => $inside },
                    tools => $tools
                );
                is("$ended->{status}$ended->{out}", 1, 'it is refused, and there is no log');
                like(
                    $ended->{err},
                    qr/\Ameasure[.]sh: \S+ is not safe: another user could replace \S+home; /,
                    '... one line names the directory'
                );
            }
            is_deeply(Place::names_in("$place/home/mine"), [], 'no file was written');
        }
        is(Place::text_of("$place/precious"), "precious\n", 'other files stay as they are');
    };
}

# The directory and the processes of a measurement that was killed, and of one that is running.
sub removes_leftovers {
    my ($script) = @_;
    my %hang     = (words => [qw(--quick -c 2 -i 1 hanoi)], passes => { 'short hanoi' => 'hang' });
    my $killed   = $script->start_script(%hang);
    MeasureScript::await_sleepers($killed, 2);
    my @left = @{ Place::names_in("$killed->{home}/scratch") };
    is(scalar @left, 1, 'a measurement has a directory');
    my $beside = $script->run_script(words => [qw(--quick -c 1 -i 1 hanoi)], passes => { 'short hanoi' => 'count' });
    is_deeply(Place::names_in("$killed->{home}/scratch"), \@left, 'another call leaves it while the first one runs');
    kill KILL => $killed->{pid};
    MeasureScript::ended($killed);
    is_deeply(Place::names_in("$killed->{home}/scratch"), \@left, 'kill -9 leaves it');
    my $next = $script->run_script(words => [qw(--quick -c 1 -i 1 hanoi)], passes => { 'short hanoi' => 'count' });
    is($next->{status}, 0, 'what a killed measurement has left: the next call succeeds');
    is_clean($next, 'what a killed measurement has left');
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

# Takes a script, a signal, a phase and a number of copies.
sub is_interrupted {
    my ($script, $signal, $phase, $copies) = @_;
    my $what    = "SIG$signal during $phase of $copies";
    my $running = $script->start_script(words => ['--quick', '-c', $copies, 'hanoi'], %{ $PHASE{$phase} });
    MeasureScript::await_sleepers($running, $phase eq 'a pause' ? 1 : $copies);
    kill $signal => $running->{pid};
    return is_stopped($script, MeasureScript::ended($running), $signal, $what);
}

# Tests that a script has ended as its shell does when it gets that signal: mksh and zsh exit at SIGHUP.
sub is_stopped {
    my ($script, $ended, $signal, $what) = @_;
    is($ended->{status}, $script->status_after($signal), "$what: the script dies of it");
    like($ended->{out}, qr/[|]stop[|]$signal[|]/, "$what: the log says so");
    is_clean($ended, $what);
    return;
}

1;
