use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs      qw(need_compiler skip_without);
use Place      qw(write_program);
use SourceTree qw(copy_of_tree shell);
use TestRun    qw(eventually is_alive waited);
use UnixBench::Process::Signals;

my $HOME = $TestRun::HOME;
need_compiler();
skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;

# A tree with the sources and the real Run. Two programs are built, because all are built in t/long/build/makefile.t.
my $tree = copy_of_tree('tree');
$ENV{tree} = $tree;
shell($HOME,
    'cp -R Run $(ls -d features 2>/dev/null) "$tree"; cp -R lib/UnixBench "$tree/lib"; cp pgms/index.base "$tree/pgms"'
);
our $FLAGS = '-O0 -fno-fast-math';

# Runs hanoi with those words after a change of its source, which a command of the shell makes; returns the result of
# TestRun's run.
sub run_after {
    my ($change, @words) = @_;
    my $test =
        TestRun->new(env => { UB_BINDIR => q{}, UB_TESTDIR => q{}, MAKE => "$tree/make", UB_GCC_OPTIONS => $FLAGS });
    $test->{program} = "$tree/Run";
    shell($tree, "cp '$HOME/src/hanoi.c' '$HOME/src/pipe.c' src && $change && rm -f pgms/hanoi pgms/build.info");
    return $test->run(@words, qw(-i 1 -c 1 hanoi));
}

write_program("$tree/make", qq{#!/bin/sh\nexec make "PROGRAMS=hanoi pipe" "\$@"\n});

my $LINE = qr/^Building the programs\n/;

subtest 'a build is one line' => sub {
    my $run = run_after('true');
    is($run->{status}, 0, 'the run succeeds') or diag $run->{said};
    like($run->{out}, qr/\A$LINE/, 'the first line says so');
    unlike("$run->{out}$run->{said}", qr/-o pgms/, 'no command of make is printed');
    is($run->{err}, q{}, 'nothing else is printed');
};

subtest 'with -q and -v' => sub {
    my $run = run_after('true', '-q');
    is_deeply([@$run{qw(status err)}], [0, q{}], '-q: the run succeeds');
    unlike($run->{out}, qr/Building|-o pgms/, '-q: no line');
    $run = run_after('true', '-v');
    is($run->{status}, 0, '-v: the run succeeds');
    like($run->{out}, qr/^\S+ $FLAGS .* -o pgms\/hanoi /m, '-v: the commands of make');
    unlike($run->{out}, qr/Building/, '-v: no line that sums them up');
};

subtest 'a build that fails' => sub {
    my $error = qr/src\/hanoi[.]c:[0-9]+:[0-9]+: error: /;
    for my $words ([], ['-q']) {
        my $run = run_after('echo "syntax error" >> src/hanoi.c', @$words);
        is($run->{status}, 1, "exit status 1: @$words");
        like($run->{err}, qr/^$error/m,                                      "the error of the compiler: @$words");
        like($run->{err}, qr/^Run: hanoi can't be built: $error[^\n]*\n\z/m, "its first line is the last: @$words");
    }
    my $run = run_after('echo "syntax error" >> src/hanoi.c', qw(-q pipe));
    is($run->{status}, 1, 'exit status 1 beside another test');
    like($run->{out}, qr/^Pipe Throughput +[0-9.]+ lps/m,                 'which is measured');
    like($run->{err}, qr/^Run: hanoi can't be built, for hanoi: $error/m, 'the program is named with its test');
    is(run_after('echo "#error" >> src/pipe.c', '-q')->{status}, 0, 'the failure of another program stops nothing');
};

subtest 'a compiler that does not work' => sub {
    my $run = do { local $FLAGS = '--no-such-flag'; run_after('true', '-q') };
    is($run->{status}, 1, 'exit status 1');
    like($run->{err}, qr/^Run: the programs can't be built: [^\n]*no-such-flag[^\n]*\n\z/m, 'it says why');
};

# A script instead of make. It notes its PID, and that of a child in a session of its own, then waits for the file
# "go-on". In the end it makes the programs.
my $MAKE = <<'END';
#!/bin/sh
case "$*" in *--dry-run*) exit 0;; esac
echo x >> "$PLACE/builds"
env -i "$PERL" -MPOSIX=setsid -e 'setsid(); open F, ">", "$ARGV[0].new"; print F $$; close F;
    rename "$ARGV[0].new", $ARGV[0]; sleep 1000' "$PLACE/child" &
while [ -d "$PLACE" ] && [ ! -e "$PLACE/child" ]; do :; done
echo $$ > "$PLACE/make.new"
mv "$PLACE/make.new" "$PLACE/make"
while [ -d "$PLACE" ] && [ ! -e "$PLACE/go-on" ]; do read -r line < "$PLACE/pipe"; done
printf '#!/bin/sh\necho "COUNT|1|1|lps" >&2\n' > "$TREE/pgms/pipe"
chmod 755 "$TREE/pgms/pipe"
printf 'compiler=cc\nflags=-O2\n' > "$TREE/pgms/build.info"
touch "$TREE/pgms/"* "$TREE/testdir/large.txt"
END

# Returns a place with a tree in which "make" is the script above, and a test that runs its Run there.
sub tree {
    my $test = TestRun->new(own_group => 1);
    my $tree = $test->place('tree');
    system('mkdir', '-p', map { "$tree/$_" } qw(src pgms testdir)) == 0 or die "mkdir: $?\n";
    system('cp', '-R', grep({ -e } map { "$TestRun::HOME/$_" } qw(Run features lib share Makefile)), $tree) == 0
        or die "cp: $?\n";
    system('cp', "$TestRun::HOME/pgms/index.base", "$tree/pgms") == 0 or die "cp: $?\n";
    POSIX::mkfifo($test->place('pipe'), oct 600)                      or die "mkfifo: $!\n";
    chmod 0755, $test->write('bin', 'make', $MAKE);
    @{ $test->{env} }{qw(MAKE PLACE PERL TREE UB_BINDIR)} =
        ($test->place('bin', 'make'), $test->place, $^X, $tree, q{});
    $test->{program} = "$tree/Run";
    return $test;
}

# Starts a run whose build waits; returns the run, and the PIDs of make and of its child.
sub building {
    my ($test) = @_;
    my $run = $test->started(qw(-q -c 1 -i 1 pipe));
    ok(eventually(sub { -s $test->place('make') }), 'the build has begun');
    return ($run, map { 0 + $test->text("../$_") } qw(make child));
}

# Lets the build go on.
sub go_on {
    my ($test) = @_;
    $test->write(q{.}, 'go-on', q{});
    open my $pipe, '+<', $test->place('pipe') or die "pipe: $!\n";
    syswrite $pipe, "\n" or die "pipe: $!\n";
    return $pipe;
}

for my $signal (qw(TERM INT HUP KILL)) {
    subtest "$signal during a build" => sub {
        my $test = tree();
        my ($run, @pids) = building($test);
        kill $signal => $run->{pid};
        is(waited($run)->{signal}, UnixBench::Process::Signals::number($signal), 'Run ends by the signal');
        ok(eventually(sub { !is_alive($pids[0]) }), 'make ends');
        ok(eventually(sub { !is_alive($pids[1]) }), 'a child of make in its own session ends');
    };
}

subtest 'Ctrl-Z during a build' => sub {
    my $test = tree();
    my ($run, $make) = building($test);
    kill TSTP => $run->{pid};
    ok(eventually(sub { Place::states($run->{pid}) eq 'T' }), 'Run stops');
    ok(eventually(sub { Place::states($make) eq 'T' }),       'make stops');
    kill CONT => $run->{pid};
    ok(eventually(sub { Place::states($make) ne 'T' }), 'make continues with Run');
    my $pipe = go_on($test);
    is(waited($run)->{status}, 0, 'the run succeeds');
};

subtest 'a second Run during a build' => sub {
    my $test = tree();
    my ($run) = building($test);
    $test->{name} = 2;
    my $second = $test->started(qw(-q -c 1 -i 1 pipe));
    my $line   = "Run: another Run is building the programs in @{[$test->place('tree')]}: " . "waiting for its end\n";
    my $said   = sub { return scalar index $test->text('../err2'), $line };
    ok(eventually(sub { -e $test->place('err2') && $said->() >= 0 }), 'the second one says who builds');
    my $pipe = go_on($test);
    is(waited($run)->{status},    0,     'the first run succeeds');
    is(waited($second)->{status}, 0,     'the second run succeeds');
    is($test->text('../builds'),  "x\n", 'the programs are built once');
};

done_testing;
