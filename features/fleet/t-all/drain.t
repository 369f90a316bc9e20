# The lines of the guides that act on verdicts take machines out of service only if these were measured as too slow or
# broken. Run has measured the machines; programs that only note their words stand for Slurm and Kubernetes.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../accept/lib ../../../t/lib ../../../lib);
use Alive                          qw(eventually);
use Guide                          qw(block);
use KnownRates                     qw(give_rates rated);
use SourceTree                     qw(text_of);
use TestProgram                    qw(content write_file);
use TestRun                        qw(waited);
use UnixBench::Accept::VerdictFile;

# Only the machine "disturbed" has other load.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my $ROOT     = "$FindBin::Bin/../../..";
my $GUIDE    = text_of("$ROOT/docs/fleet.md");
my @GOOD     = (1_000_000, 1_001_000, 999_000);
my @SLOW     = (500_000,   501_000,   499_000);
my @REQUIRED = qw(--require syscall>=900000);
my $PLACE    = rated({});
mkdir $PLACE->place($_) or die "mkdir: $!\n" for qw(bin2 verdicts nodes unixbench-results);
for my $program (qw(scontrol kubectl sbatch)) {
    $PLACE->write('bin2', $program, qq{#!/bin/sh\necho "\${0##*/} \$*" >> '@{[$PLACE->place("called")]}'\n});
    chmod 0755, $PLACE->place('bin2', $program);
}

my $FULL = "#!/bin/sh\necho 'ERROR|write: No space left on device' >&2\nexit 1\n";

# Each machine: the rates of its passes, and perhaps its programs (names in t/bin, or scripts), the load during its
# passes, further words for Run, and the signal that interrupts its run. is is the state of its verdict.
my %MACHINE = (
    healthy     => { is => 'pass',         rates => \@GOOD },
    slow        => { is => 'fail',         rates => \@SLOW },
    disturbed   => { is => 'inconclusive', rates => \@SLOW, load => 'others:disturbed:1' },
    uneven      => { is => 'inconclusive', rates => [600_000, 1_000_000, 1_400_000] },
    short       => { is => 'inconclusive', rates => \@SLOW, words    => [qw(-i 1)] },
    interrupted => { is => 'inconclusive', rates => \@SLOW, words    => [qw(-i 60)], signal => 'TERM' },
    failed      => { is => 'unknown',      rates => \@GOOD, programs => { pipe => 'exit3' } },
    full        => { is => 'unknown',      rates => \@GOOD, programs => { pipe => $FULL } },
    killed      => { is => 'unknown',      rates => \@GOOD, programs => { pipe => "#!/bin/sh\nkill -KILL \$\$\n" } },
    unfit       => { is => 'unknown',      rates => \@GOOD, programs => { map { $_ => 'segfault' } qw(pipe syscall) } },
    crashed     => { is => 'fail',         rates => \@GOOD, programs => { pipe => 'segfault' } },
    both        => { is => 'fail',         rates => \@SLOW, programs => { pipe => 'exit3' } },
);
my @BAD = sort grep { $MACHINE{$_}{is} eq 'fail' } keys %MACHINE;

# Takes the name of a machine; measures it with a verdict. Returns the line of a list, as the collection writes it.
sub measured {
    my ($name) = @_;
    my $machine = $MACHINE{$name};
    local $PLACE->{env} = { %{ $PLACE->{env} }, UB_OUTPUT_FILE_NAME => $name, PLAYED_LOAD => $machine->{load} // q{} };
    my %programs = (syscall => 'replay', pipe => 'count', %{ $machine->{programs} || {} });
    for my $program (sort keys %programs) {
        my $fake = $programs{$program};
        unlink $PLACE->place('bin', $program);
        if ($fake =~ /\A#!/) { chmod 0755, $PLACE->write('bin', $program, $fake) }
        else                 { $PLACE->put($program, $fake) }
    }
    give_rates($PLACE, syscall => $machine->{rates}) if $programs{syscall} eq 'replay';
    my @words = (qw(-q -c 1), @{ $machine->{words} || [qw(-i 3)] }, qw(syscall pipe), @REQUIRED);
    my $run   = $PLACE->started(@words, '--verdict', $PLACE->place('verdicts', $name));
    if ($machine->{signal}) {
        eventually(sub { $PLACE->report('.journal') =~ /"pass".*"pass"/s });
        kill $machine->{signal} => $run->{pid};
    }
    my $status  = waited($run)->{status};
    my $outcome = $status == 0 || $status == 3 || $status == 4 ? 'measured' : 'failed';
    return "$name,,alone,1,$outcome,,results/$name.html\n";
}

# Takes a command; runs it in the place, with the programs that only note their words. Returns what they noted.
sub called {
    my ($command) = @_;
    unlink $PLACE->place('called');
    local $ENV{PATH} = $PLACE->place('bin2') . ":$ENV{PATH}";
    is(system('sh', '-ec', "cd '@{[$PLACE->place]}'; $command"), 0, 'the command works');
    return -e $PLACE->place('called') ? content($PLACE->place('called')) : q{};
}

my @LINES = map { measured($_) } sort keys %MACHINE;
my @LIST  = (
    @LINES,
    "new,,alone,1,untried,The machine was not tried.,\n",
    qq{ready,,alone,1,untried,"The machine is ready, but no run was started.",\n},
    "busy,,alone,1,running,The run has not ended yet.,\n",
    "nodisk,,alone,1,failed,can't write: No space left on device,\n",
    "limit,,alone,1,failed,\"The run was ended after 60 s, its time limit.\",\n",
    "removed,,alone,1,measured,,results/removed.html\n",
    "gone,,alone,1,unreachable,No route to host.,\n",
    "noperl,,alone,1,refused,There is no Perl.,\n",
    "said,,alone,1,failed,state=fail,\n",
);

subtest 'the verdict on each machine' => sub {
    for my $name (sort keys %MACHINE) {
        my ($block) = UnixBench::Accept::VerdictFile::blocks(content($PLACE->place('verdicts', $name)));
        is($block->{state}, $MACHINE{$name}{is}, "$name: $block->{reason}");
    }
};

subtest 'the verdicts on a fleet' => sub {
    $PLACE->write('.', 'machines.csv', join q{}, "host,shares,phase,try,outcome,reason,result\n", @LIST);
    my $file = $PLACE->place('unixbench-results', 'verdicts');
    my $run  = $PLACE->run('fleet', $PLACE->place('machines.csv'), @REQUIRED, '--verdict', $file);
    is($run->{status}, 1, 'not all machines were measured') or diag $run->{said};
    my $lines    = block($GUIDE, q{awk '/^host=/});
    my @drained  = map { "scontrol update NodeName=$_ State=DRAIN Reason=UnixBench: FAIL" } @BAD;
    my @cordoned = map { "kubectl cordon -- $_" } @BAD;
    is(called($lines), join("\n", @drained, @cordoned, q{}), 'machines that fail are drained');
    is(content($PLACE->place('quarantine')), join(q{}, map { "$_\n" } @BAD), 'only these are in the list');
    my ($awk) = text_of("$ROOT/docs/acceptance.md") =~ /^    (awk .*) verdicts$/m;
    is(qx($awk $file), join(q{}, map { "$_\n" } @BAD), 'the line of the other guide names the same machines');
    my $junit  = $PLACE->run('fleet', $PLACE->place('machines.csv'), @REQUIRED, qw(--junit -))->{out};
    my @failed = $junit =~ /<testsuite errors="\d+" failures="[1-9]\d*" hostname="(\w+)"/g;
    is_deeply([sort @failed], \@BAD, 'JUnit has failures of these machines only');
    my $check = $PLACE->run('check', $file);
    is($check->{status}, 2, 'check is critical');
    my $named = join ', ', map { "$_ [(].*[)]" } @BAD;
    like($check->{out}, qr/: 1 of 21 hosts pass; fail: $named; unknown: /, 'check names the same, with their reasons');
};

subtest 'a name with an equals sign' => sub {
    my @blocks = map { +{ host => $_, state => 'fail', reason => 'x', ended => time, indexes => [] } } 'a=b', 'c';
    write_file($PLACE->place('unixbench-results', 'verdicts'), UnixBench::Accept::VerdictFile::text(@blocks));
    like(called(block($GUIDE, q{awk '/^host=/})), qr/^kubectl cordon -- a=b$/m, 'is not cut');
};

# Takes the path of a verdict; returns how the check for NHC ends, whether it drains the node, and what it prints.
sub nhc {
    my ($path) = @_;
    my $script =
        ". '$ROOT/features/fleet/slurm/unixbench.nhc'; die() { echo \"drained: \$2\"; }; check_unixbench '$path' 30d";
    local $ENV{UNIXBENCH} = "$ROOT/Run";
    open my $out, q{-|}, 'bash', '-c', $script or die "bash: $!\n";
    my $said = join q{}, readline $out;
    close $out;
    return [$? >> 8, $said =~ /^drained: / ? 1 : 0, $said];
}

subtest 'the check for NHC' => sub {
    for my $name (sort keys %MACHINE) {
        my ($status, $is_drained, $said) = @{ nhc($PLACE->place('verdicts', $name)) };
        my $state = $MACHINE{$name}{is};
        is_deeply([$status, $is_drained], $state eq 'fail' ? [1, 1] : [0, 0], "$name: $state");
        is($said eq q{} ? 1 : 0, $state eq 'pass' ? 1 : 0, "$name: the log has all verdicts but a pass");
    }
    my %file = (torn => "host=x\nstate=fail\n", empty => q{});
    my %old  = (host => 'x', state => 'fail', reason => 'old', ended => time - 60 * 86_400, indexes => []);
    $file{old} = UnixBench::Accept::VerdictFile::text(\%old);
    write_file($PLACE->place('verdicts', $_), $file{$_}) for sort keys %file;
    for my $name (sort keys %file, 'none') {
        my ($status, $is_drained, $said) = @{ nhc($PLACE->place('verdicts', $name)) };
        is_deeply([$status, $is_drained], [0, 0], "a verdict that is $name drains nothing");
        like($said, qr/\Acheck_unixbench: UNIXBENCH UNKNOWN: /, "a verdict that is $name is in the log");
    }
    local $ENV{PATH} = '/usr/bin:/bin';
    is(
        system(
            'bash', '-c',
            ". '$ROOT/features/fleet/slurm/unixbench.nhc'; die() { exit 9; }; check_unixbench x > /dev/null 2>&1"
        ),
        0,
        'a node without UnixBench is not drained'
    );
};

subtest 'a second array of Slurm' => sub {
    my $lines = block($GUIDE, 'sbatch --array=1-40') =~ s/\A.*\n//r;
    like(called($lines), qr/^sbatch --array=1-3 --exclude= features/, 'excludes no node before one is measured');
    $PLACE->write('nodes', $_, q{}) for qw(n1.html n2.html n3.html n2.journal);
    like(called($lines), qr/^sbatch --array=1-3 --exclude=n1,n3 features/, 'goes to nodes whose run was interrupted');
};

done_testing;
