use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use FakeProcess;
use Place     qw(place);
use ToldTimes ();
use UnixBench::Base::Clock;
use UnixBench::Base::Halt;
use UnixBench::Measure::PassSandbox;
use UnixBench::Measure::Scratch;
use UnixBench::Process;

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
