use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Place      qw(write_program);
use Needs      qw(need_compiler skip_without);
use SourceTree qw(copy_of_tree shell text_of);
use TestRun;

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

done_testing;
