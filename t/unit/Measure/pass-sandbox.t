use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(names_in place write_program);
use FakeProcess;
use ToldTimes ();
use UnixBench::Base::Files;
use UnixBench::Measure::Scratch;
use UnixBench::Base::Clock;
use UnixBench::Measure::ValidPass;
use UnixBench::Process;
use UnixBench::Base::Halt;
use UnixBench::Measure::PassSandbox;

my $PLACE = File::Temp->newdir;

sub touch { UnixBench::Base::Files::write_whole($_, 'text') for @_; return }

mkdir "$PLACE/outside" or die "mkdir: $!\n";
touch("$PLACE/outside/kept");

subtest 'a scratch directory is new and private' => sub {
    my ($one, $two) = map { UnixBench::Measure::Scratch->new(parent => "$PLACE") } 1, 2;
    isnt($one->path, $two->path, 'each has a path of its own');
    is((stat $one->path)[2] & 0777, 0700, 'the mode of a scratch directory is 0700');
    is(eval { UnixBench::Measure::Scratch->new(parent => "$PLACE/absent"); 1 }, undef, 'no parent directory');
    like($@, qr/\Acan't make directory/, "the error says what can't be made");
    $_->remove for $one, $two;
};

subtest 'a scratch directory is cleared and removed' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    my ($path, $copy) = ($scratch->path, @{ $scratch->for_copies(1) });
    touch("$copy/file", "$copy.out");
    symlink "$PLACE/outside/kept", "$path/link" or die "symlink: $!\n";
    symlink "$PLACE/outside",      "$copy/link" or die "symlink: $!\n";
    $scratch->clear;
    is_deeply(names_in($copy), [], 'the directory of a copy is emptied');
    is(-s "$copy.out", 0, 'the output of a copy is emptied');
    is_deeply($scratch->for_copies(2), [$copy, "$path/copy2"], 'directories are used again');
    symlink "$PLACE/outside", "$copy/link" or die "symlink: $!\n";
    $scratch->remove;
    ok(!-e $path, 'the directory is removed');
    is(UnixBench::Base::Files::content("$PLACE/outside/kept"), 'text', 'links are not followed');
};

subtest 'another directory in its place is not removed' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    rename $scratch->path, $scratch->path . '.moved' or die "rename: $!\n";
    mkdir $scratch->path or die "mkdir: $!\n";
    $scratch->remove;
    ok(-d $scratch->path, 'remove keeps the other directory');
};

subtest 'size_kb returns the size of all files' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    my $before  = $scratch->size_kb;
    my ($copy)  = @{ $scratch->for_copies(1) };
    UnixBench::Base::Files::write_whole("$copy/file", 'x' x 300_000);
    cmp_ok($scratch->size_kb, '>=', $before + 290, 'the file of a copy is included');
    $scratch->remove;
};

subtest 'is_full returns whether the disk is full' => sub {
    my $scratch = UnixBench::Measure::Scratch->new(parent => "$PLACE");
    is($scratch->is_full, 0, 'the disk is not full');
    is_deeply(names_in($scratch->path), [], 'the check leaves no file');
    my $look = '$SIG{XFSZ} = "IGNORE"; print UnixBench::Measure::Scratch->new(parent => shift)->is_full';
    my $said = qx{ulimit -f 8; '$^X' '-I$FindBin::Bin/../../../lib' -MUnixBench::Measure::Scratch -e '$look' '$PLACE'};
    is($said, 0, 'a limit on file sizes is not a full disk');
    rmdir $scratch->path;
    is($scratch->is_full, 0, 'a directory that is gone is not a full disk');
};

# Tests of the clock of the CPUs, with programs that print what a test wants.

my $place   = place();
my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);

# Takes lines of a shell script; returns the clock by that program, on a machine with four CPUs.
sub clock_of {
    my ($lines) = @_;
    write_program("$place/clock", "#!/bin/sh\n$lines\n") if defined $lines;
    return UnixBench::Measure::ValidPass->new(
        process       => $process,
        clock_program => defined $lines ? "$place/clock" : "$place/none",
        cpu_count     => 4
    );
}

# A copy with an even number has a clock of 4 GHz, any other has 1 GHz.
my $good = 'n=1; while [ $n -le $1 ]; do echo "CLOCK|$((n % 2 ? 1 : 4))000000000" >&2; n=$((n + 1)); done';
for my $case ([1, 1000], [2, 2000], [4, 2000], [64, 2000]) {
    my ($copies, $mhz) = @$case;
    is(sprintf('%.6g', clock_of($good)->clock_mhz($copies)), $mhz, "the mean clock of $copies copies");
}
is(clock_of()->clock_mhz(1), undef, 'without the program it is unknown');
my %FAULTS = (
    'a program that fails'    => 'echo "CLOCK|3000000000" >&2; exit 1',
    'a line too few'          => 'echo "CLOCK|3000000000" >&2',
    'a line without a number' => 'echo "CLOCK|fast" >&2; echo "CLOCK|3000000000" >&2',
    'a clock of 0'            => 'echo "CLOCK|0" >&2; echo "CLOCK|3000000000" >&2',
);
for my $what (sort keys %FAULTS) {
    my $clock = clock_of("echo >> $place/runs; $FAULTS{$what}");
    is($clock->clock_mhz(2), undef, "$what: it is unknown");
    is($clock->clock_mhz(2), undef, "$what: and stays so");
    is(-s "$place/runs",     1,     "$what: the program is not run again");
    unlink "$place/runs";
}
$process->release;

# A fake scratch directory in which no directory of a copy can be made.
package FakeScratch {
    sub new        { my ($class, %is) = @_; return bless { path => '/s', %is }, $class }
    sub path       { my ($self) = @_; return $self->{path} }
    sub for_copies { die "can't make it\n" }
    sub is_there   { return 1 }
    sub size_kb    { return 0 }
    sub is_full    { my ($self) = @_; return $self->{is_full} }
    sub clear      { my ($self) = @_; $self->{is_clear}++; return }
}

# Takes properties of the scratch directory. Makes a pass; returns its error and the directory.
sub thrown {
    my (%is)    = @_;
    my $scratch = FakeScratch->new(%is);
    my $process = FakeProcess->new;
    my $sandbox = UnixBench::Measure::PassSandbox->new(
        process => $process,
        clock   => $process,
        scratch => $scratch,
    );
    my $is_done = eval { $sandbox->one_pass({ command => ['/p'] }, 1); 1 };
    return ($is_done ? undef : $@, $scratch);
}

my ($why_not, $scratch) = thrown(is_full => 0);
is($why_not, "can't make it\n", "a directory that can't be made fails the test");
ok($scratch->{is_clear}, 'the files of the pass are removed');
($why_not) = thrown(is_full => 1);
ok(UnixBench::Base::Halt::is_no_space($why_not), 'a full disk ends the run');
is("$why_not", "no space left for scratch files in /s\n", 'the error names the scratch directory');

subtest 'a directory whose name is a placeholder is not replaced' => sub {
    my $home    = place();
    my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);
    mkdir "$home/{scratch}" or die "mkdir: $!\n";
    my $program = "$home/{scratch}/tell";
    symlink "$FindBin::Bin/../../bin/tell", $program or die "symlink: $!\n";
    my $made = UnixBench::Measure::PassSandbox->new(
        process => $process,
        clock   => UnixBench::Base::Clock->new,
        scratch => my $inside = UnixBench::Measure::Scratch->new(parent => "$home/{scratch}"),
        testdir => '/',
    );
    my @words  = ($program, '{scratch}/x', "$home/{scratch}/y");
    my ($copy) = $made->one_pass({ command => \@words, limit_s => 20 }, 1);
    my $own    = $inside->path . '/copy1';
    is($copy->{error}, undef, 'the program of that directory runs');
    like($copy->{output}, qr{^arguments:\Q$own/x $home/{scratch}/y\E$}m, 'only {scratch} at the start of a word');
    $process->release;
};

# A program that prints its variables, and reports a time if it is asked to.
my @PROGRAM = ('/bin/sh', '-c', <<'END');
echo "words:$WORDS"
echo "asked:$UB_TIME"
echo "used:$UB_USED"
echo 'COUNT|12|1|lps' >&2
test -z "$UB_TIME" || echo 'TIME|0.25' >&2
END

# Takes the words of each state but the first, and keys of a test; returns the results of two copies of the program.
sub in_state {
    my ($states, %test) = @_;
    my $around  = delete $test{around};
    my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);
    my $scratch = UnixBench::Measure::Scratch->new(parent => my $parent = place());
    my $sandbox = UnixBench::Measure::PassSandbox->new(
        process => $process,
        clock   => UnixBench::Base::Clock->new,
        scratch => $scratch,
        testdir => '/',
        home    => '/the home',
        states  => [{ words => [] }, map { { words => $_, option => '--with' } } @$states],
    );
    my %pass =
        (name => 'pipe', command => \@PROGRAM, limit_s => 20, reports_time => 1, is_under => $test{state}, %test);
    my @copies = $sandbox->one_pass(\%pass, 2, $around);
    $process->release;
    return map { { %$_, own => $scratch->path . '/copy', words => join q{}, $_->{output} =~ /^words:(.*)$/m } } @copies;
}

my @ENV = qw(/usr/bin/env);

subtest 'the command of a state stands in front of that of each copy' => sub {
    my @words  = (@ENV, 'WORDS={test} in {home}, {scratch} and {other} {test}');
    my @copies = in_state([\@words], state => 1);
    my @filled = (map { "pipe in /the home, $copies[0]{own}$_ and {other} pipe" } 1, 2);
    is_deeply([map { $_->{words} } @copies],                         \@filled, 'with its placeholders filled in');
    is_deeply([map { $_->{error} } @copies],                         [undef, undef], 'and the copies run');
    is_deeply([map { $_->{words} } in_state([\@words], state => 0)], [q{},   q{}],   'the first state has no command');
    my ($copy) = in_state([[@ENV, 'WORDS=b'], [@ENV, 'WORDS=c']], state => 2);
    is($copy->{words}, 'c', 'the third state has its own');
};

subtest 'what programs have used' => sub {
    my $around = { is_followed => 1, before => sub { }, after => sub { }, words => sub { @_ } };
    my @asked  = map { /^used:(.*)$/m } map { $_->{output} } in_state([], state => 0);
    is_deeply(\@asked, [1, 1], 'they are asked for it');
    @asked = map { /^used:(.*)$/m } map { $_->{output} } in_state([], state => 0, around => $around);
    is_deeply(\@asked, [0, 0], 'but not in a pass that a tracer follows');
};

subtest 'with several states, the time of a pass is that of the work' => sub {
    my $asked = sub { return map { /^asked:(.*)$/m } map { $_->{output} } @_ };
    my @plain = in_state([], state => 0);
    is_deeply([$asked->(@plain)], [q{}, q{}], 'with one state, a program is not asked for it');
    isnt($plain[0]{time_s}, 0.25, 'and the time is that of its process');
    for my $state (0, 1) {
        my @copies = in_state([\@ENV], state => $state);
        is_deeply([$asked->(@copies)],            [1,    1],    "state $state: a program is asked");
        is_deeply([map { $_->{time_s} } @copies], [0.25, 0.25], "state $state: its time is used");
    }
    my @without = in_state([[@ENV, qw(-u UB_TIME)]], state => 1);
    my @lost =
        (('UB_TIME is missing in its environment: the command has to pass on UB_TIME, UB_SCRATCH and UB_TMPDIR') x 2);
    is_deeply([map { $_->{error} } @without], \@lost, 'a command that removes the variable is an error');
    my ($failed) = in_state([[@ENV, qw(-u UB_TIME)]], state => 1, command => ['/bin/sh', '-c', 'exit 3']);
    is($failed->{error}, 'exit status 3', 'but not the reason of a copy that has failed');
};

subtest 'the start of a command is measured if a program reports no time' => sub {
    my @slow = ('/bin/sh', '-c', 'sleep 0.2; exec "$@"', 'slow');
    my ($copy) = in_state([\@slow], state => 1, reports_time => 0);
    cmp_ok($copy->{data}{start}[0], '>=', 0.2, 'in the same state');
    is($copy->{error},                                   undef, 'the pass is valid');
    is((in_state([\@slow], state => 1))[0]{data}{start}, undef, 'not for a program that reports its time');
    is((in_state([\@slow], state => 0, reports_time => 0))[0]{data}{start}, undef, 'nor without a command');
};

done_testing;
