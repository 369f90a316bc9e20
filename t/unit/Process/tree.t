use strict;
use warnings;

use File::Temp ();
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(eventually is_alive of_environment states);
use Needs qw(skip_without);
use UnixBench::Base::Clock;
use UnixBench::Process;
use UnixBench::Process::Tree;
use Workbench qw(elsewhere start_shell);

# Ways for a process to leave its group. In the last two its parent ends when the process has noted its number.
my $UNTIL_NOTED = 'select undef, undef, undef, 0.01 until -s $ARGV[0]; exit';
my %LEAVES      = (
    'another process group'      => 'setpgrp 0, 0',
    'the group of its starter'   => 'setpgrp 0, getpgrp getppid',
    'a session of its own'       => "if (fork) { $UNTIL_NOTED } setsid()",
    'the background as a daemon' => "if (fork) { $UNTIL_NOTED } setsid(); fork and exit; %ENV = ()",
);

my $PLACE = File::Temp->newdir;

# Takes Perl code by which a process leaves its group. Returns a shell command that starts a program which runs this
# code, notes its number and sleeps.
sub leaver {
    my ($way) = @_;
    my $note = 'open my $f, q{>}, $ARGV[0]; print {$f} $$; close $f';
    return "exec $^X -MPOSIX -e '$way; $note; exec q{sleep}, 1000' $PLACE/left";
}

sub noted {
    eventually(sub { -s "$PLACE/left" });
    open my $file, '<', "$PLACE/left" or return 0;
    return readline $file;
}

subtest 'children and descendants are found' => sub {
    my $child = fork // die "fork: $!\n";
    if (!$child) { exec 'sleep', 1000 or die "sleep: $!\n" }
    ok((grep { $_ == $child } UnixBench::Process::Tree::children($$)),         'a child is found');
    ok((grep { $_ == $child } UnixBench::Process::Tree::descendants(getppid)), 'a descendant of the parent');
    is_deeply([UnixBench::Process::Tree::descendants($child)], [], 'a process without children has no descendants');
    my $births = UnixBench::Process::Tree::births($child);
    ok(UnixBench::Process::Tree::living_since($births), 'the child is living');
    $births->{$$} = 1;
    is_deeply([UnixBench::Process::Tree::living_since($births)], [$child], 'the same number, another start time');
    kill KILL => $child;
    waitpid $child, 0;
    ok(!UnixBench::Process::Tree::living_since($births), 'the child is no longer living after it was killed');
    is_deeply([grep { $_ == $child } UnixBench::Process::Tree::children($$)], [], 'not after it was killed');
};

subtest 'a process is found by UB_SCRATCH in its environment' => sub {
    my $start = sub {
        my ($value) = @_;
        my $pid = fork // die "fork: $!\n";
        return $pid if $pid;
        local $ENV{UB_SCRATCH} = $value;
        exec 'sleep', 1000 or die "sleep: $!\n";
    };
    my ($ours, @others) = map { $start->($_) } "$PLACE/copy1", "$PLACE", "elsewhere$PLACE/copy1";
    ok(
        eventually(sub {
            "@{[UnixBench::Process::Tree::given_directory_in($PLACE, UnixBench::Process::Tree::all())]}" eq $ours;
        }),
        'only the process of this run is found'
    );
    is_deeply([UnixBench::Process::Tree::given_directory_in($PLACE, @others)], [], 'none among others');
    is_deeply([UnixBench::Process::Tree::given_directory_in($PLACE)],          [], 'none is found in an empty list');
    kill KILL => $ours, @others;
    waitpid $_, 0 for $ours, @others;
};

# Takes Perl code by which a process leaves its group. Starts a guarded copy that does so; returns the process and the
# copy.
sub leave {
    my ($way) = @_;
    unlink "$PLACE/left";
    my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);
    $process->start_guardian("$PLACE/scratch");
    local $ENV{UB_SCRATCH} = "$PLACE/scratch/copy1";
    my $copy = start_shell($process, leaver($way), $PLACE);
    noted();
    return ($process, $copy);
}

for my $where (sort keys %LEAVES) {
    subtest "a copy that moves to $where is ended with its pass" => sub {
        skip_without(machine => 'processes that adopt orphans') if !UnixBench::Process::Tree::adopt_orphans(1);
        UnixBench::Process::Tree::adopt_orphans(0);
        my ($process, $copy) = leave($LEAVES{$where});
        my ($pid,     $left) = ($copy->{pid}, noted());
        ok($left, 'the process was running');
        $process->signal_group('KILL', $pid) if $left == $pid;
        $process->sleep_until(undef) until $process->ended({ $pid => 1 })->{$pid};
        $process->end_group($pid);
        $process->clear_groups;
        ok(!is_alive($left), 'the process is gone');
        $process->release;
    };
    next if $LEAVES{$where} =~ /ENV/;    # the guardian can't find a process without parent and environment
    subtest "a copy that moves to $where is ended when this program is killed" => sub {
        elsewhere(sub { leave($LEAVES{$where}); kill KILL => $$ });
        my $left = noted();
        ok($left,                                'the process was running');
        ok(eventually(sub { !is_alive($left) }), 'the guardian ends the process');
    };
}

# Takes options of unshare; returns words that run a command as process 1 of a PID namespace. Skips the subtest if there
# can't be one.
sub unshared {
    my (@options) = @_;
    my @unshare = ('unshare', $> == 0 ? () : '--map-root-user', qw(--pid --fork --kill-child), @options);
    skip_without(machine => 'PID namespaces') if system("@unshare true 2>/dev/null") != 0;
    return @unshare;
}

# Takes options of unshare and a Perl program; runs it as process 1 of a PID namespace and returns its output.
sub said_by_first {
    my ($options, $text) = @_;
    my @unshare = unshared(@$options);
    my @perl    = (
        $^X,                          map({ "-I$FindBin::Bin/$_" } qw(../../lib ../../../lib)),
        '-MUnixBench::Process::Tree', '-MWorkbench=start_shell'
    );
    open my $said, '-|', @unshare, @perl, '-e', "\$| = 1; $text", $PLACE or die "unshare: $!\n";
    local $/ = undef;
    my $all = readline $said;
    close $said;
    return $all;
}

subtest 'a process in a container with the same UB_SCRATCH is not one of the run' => sub {
    my @words = (unshared(), 'env', "UB_SCRATCH=$PLACE/copy1", 'sleep', 1000);
    my $pid   = fork // die "fork: $!\n";
    if (!$pid) { exec @words or die "unshare: $!\n" }
    ok(eventually(sub { of_environment("UB_SCRATCH=$PLACE/copy1") }), 'a process in the container has that UB_SCRATCH');
    is_deeply([UnixBench::Process::Tree::given_directory_in($PLACE, UnixBench::Process::Tree::all())],
        [], 'the process is not found');
    kill KILL => $pid;
    waitpid $pid, 0;
};

subtest 'process 1 of a container ends only processes of its run' => sub {
    my $said = said_by_first(['--mount-proc'], <<'TEXT');
my $place   = shift;
my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);
$process->start_guardian("$place/scratch");
my %daemon  = (stranger => q{}, copy => "$place/scratch/copy1");
for my $whose (sort keys %daemon) {
    pipe my $from, my $to;
    my $parent = fork // die "fork: $!\n";
    if (!$parent) {
        fork and POSIX::_exit(0);
        $ENV{UB_SCRATCH} = $daemon{$whose};
        syswrite $to, "$$\n";
        exec 'sleep', 1000;
    }
    close $to;
    waitpid $parent, 0;
    chomp($daemon{$whose} = readline $from);
    readline $from;    # the pipe is closed by the exec
}
$process->clear_groups;
for my $whose (sort keys %daemon) {
    my $living = UnixBench::Process::Tree::living_since(UnixBench::Process::Tree::births($daemon{$whose}));
    print "$whose: ", $living + 0, "\n";
}
TEXT
    is($said, "copy: 0\nstranger: 1\n", 'the process of a copy is ended, and that of a stranger is kept');
};

subtest '/proc of another PID namespace is not used' => sub {
    my $said = said_by_first([], <<'TEXT');
my $child = fork // die;
if (!$child) { sleep 1000 }
print join q{,}, map { scalar @$_ } [UnixBench::Process::Tree::children(1)], [UnixBench::Process::Tree::descendants(1)],
    [UnixBench::Process::Tree::children($$)];
TEXT
    is($said, '0,0,0', 'no children or descendants are found');
};

# Takes whether the process is to end at once. Starts it as the leader of a group; returns its number when the group
# exists.
sub leader {
    my ($is_to_end) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        setpgrp 0, 0;
        sleep 1000 while !$is_to_end;
        POSIX::_exit(0);
    }
    eventually(sub { kill 0, -$pid });
    return $pid;
}

subtest 'groups of processes are found and killed' => sub {
    my ($runs, $stopped, $zombie, $gone) = map { leader($_) } 0, 0, 1, 1;
    kill STOP => $stopped;
    waitpid $stopped, POSIX::WUNTRACED();
    waitpid $gone,    0;
    eventually(sub { states($zombie) eq q{} });

    my @all = ($runs, $stopped, $zombie, $gone);
    is_deeply([UnixBench::Process::Tree::_living_groups(@all)], [$runs, $stopped], 'those with a living process');
    is_deeply([UnixBench::Process::Tree::_living_groups($zombie, $gone)], [],      'none without a living process');
    is_deeply(
        [UnixBench::Process::Tree::kill_groups(@all)],
        [$runs, $stopped, $zombie],
        'kill_groups returns the groups that exist'
    );
    UnixBench::Process::Tree::wait_until_gone(@all);
    is_deeply([UnixBench::Process::Tree::_living_groups(@all)], [], 'the groups are gone after wait_until_gone');
    is(waitpid($_, POSIX::WNOHANG()), $_, "process $_ was killed") for $runs, $stopped, $zombie;
};

subtest 'a group that ends when asked to is not killed' => sub {
    my $group = leader(0);
    my @killed;
    no warnings 'redefine';
    local *UnixBench::Process::Tree::kill_groups = sub { push @killed, @_; return };
    local $SIG{CHLD} = 'IGNORE';                                                       # it leaves no zombie
    UnixBench::Process::Tree::end_groups($group);
    is_deeply(\@killed, [], 'kill_groups is not called, since another group may have the number');
};

done_testing();
