use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Alive qw(eventually is_alive);
use UnixBench::Clock;
use UnixBench::Process;
use UnixBench::ProcessTree;
use Workbench qw(elsewhere start_shell);

# How a process leaves its group. The last two leave a parent that ends when they have noted their number.
my $UNTIL_NOTED = 'select undef, undef, undef, 0.01 until -s $ARGV[0]; exit';
my %LEAVES      = (
    'another process group'     => 'setpgrp 0, 0',
    'the group of its starter'  => 'setpgrp 0, getpgrp getppid',
    'a session of its own'      => "if (fork) { $UNTIL_NOTED } setsid()",
    'a daemon without a parent' => "if (fork) { $UNTIL_NOTED } setsid(); fork and exit; %ENV = ()",
);

my $PLACE = File::Temp->newdir;

# The text of a shell command that starts a program which leaves its group, notes its number and sleeps.
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

subtest 'descent' => sub {
    my $child = fork // die "fork: $!\n";
    if (!$child) { exec 'sleep', 1000 or die "sleep: $!\n" }
    ok((grep { $_ == $child } UnixBench::ProcessTree::children($$)), 'a child');
    ok((grep { $_ == $child } UnixBench::ProcessTree::descendants(getppid)),
        'of whoever has started this program, too');
    is_deeply([UnixBench::ProcessTree::descendants($child)], [], 'which has none');
    ok(UnixBench::ProcessTree::is_running($child), 'is running');
    kill KILL => $child;
    waitpid $child, 0;
    ok(!UnixBench::ProcessTree::is_running($child), 'no longer');
    is_deeply([grep { $_ == $child } UnixBench::ProcessTree::children($$)], [], 'nor a child');
};

subtest 'the environment' => sub {
    my $mark  = "UB_SCRATCH=$PLACE/";
    my $start = sub {
        my ($value) = @_;
        my $pid = fork // die "fork: $!\n";
        return $pid if $pid;
        local $ENV{UB_SCRATCH} = $value;
        exec 'sleep', 1000 or die "sleep: $!\n";
    };
    my ($ours, @others) = map { $start->($_) } "$PLACE/copy1", "$PLACE", "elsewhere$PLACE/copy1";
    ok(eventually(sub { "@{[UnixBench::ProcessTree::with_environment($mark)]}" eq $ours }), 'finds that process alone');
    kill KILL => $ours, @others;
    waitpid $_, 0 for $ours, @others;
};

# What a copy does, in a process that is guarded and may then be killed.
sub leave {
    my ($way) = @_;
    unlink "$PLACE/left";
    my $process = UnixBench::Process->new(clock => UnixBench::Clock->new);
    $process->start_guardian("$PLACE/scratch");
    local $ENV{UB_SCRATCH} = "$PLACE/scratch/copy1";
    my $copy = start_shell($process, leaver($way), $PLACE);
    noted();
    return ($process, $copy);
}

for my $where (sort keys %LEAVES) {
    subtest "a copy that moves to $where is ended with its pass" => sub {
        plan skip_all => 'no process can adopt others here' if !UnixBench::ProcessTree::adopt_orphans(1);
        UnixBench::ProcessTree::adopt_orphans(0);
        my ($process, $copy) = leave($LEAVES{$where});
        my ($pid,     $left) = ($copy->{pid}, noted());
        ok($left, 'it was there');
        $process->signal_group('KILL', $pid) if $left == $pid;
        $process->sleep_until(undef) until $process->ended({ $pid => 1 })->{$pid};
        $process->end_group($pid);
        $process->clear_groups;
        ok(!is_alive($left), 'it is gone');
        $process->release;
    };
    subtest "a copy that moves to $where is ended when this program is killed" => sub {
        plan skip_all => 'a program without parent and environment is not found then' if $LEAVES{$where} =~ /ENV/;
        elsewhere(sub { leave($LEAVES{$where}); kill KILL => $$ });
        my $left = noted();
        ok($left,                                'it was there');
        ok(eventually(sub { !is_alive($left) }), 'the guardian ends it');
    };
}

done_testing();
