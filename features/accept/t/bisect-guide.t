use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use GitBisection;
use Guide  qw(block);
use InPath qw(path_of);
use Needs  qw(skip_without);
use Place  qw(content text_of write_program);
use TestRun;

# The scripts of docs/kernels.md, with a fake kernel: a file of the tree that says how fast the fake program is. To
# reboot is to copy the files of the tree.

skip_without(tool => 'git') if !path_of('git');

my $GUIDE = text_of("$TestRun::HOME/docs/kernels.md");
my $SLOW  = 4;

# The programs that the scripts call.
my %FAKE = (
    'make' => <<'END_OF_MAKE',
case $* in
*kernelrelease*) for word; do case $word in LOCALVERSION=*) echo "6.18.0${word#*=}" ;; esac; done ;;
*modules_install*) [ ! -e "$PLACE/full" ] ;;
*) [ ! -e unbuilt ] ;;
esac
END_OF_MAKE
    'boot-once' => <<'END_OF_BOOT',
echo boot >> "$PLACE/boots"
[ -e panics ] || { rm -f "$PLACE"/booted/*; cp * "$PLACE/booted"; echo "$1" > "$PLACE/booted/release"; }
END_OF_BOOT
    'uname' => 'cat "$PLACE/booted/release"',
    'sleep' => ':',
    'sync'  => ':',
    'vng'   => <<'END_OF_VNG',
rm -f "$PLACE"/booted/*; cp * "$PLACE/booted"
for command; do :; done
[ -e panics ] || sh -c "$command"
END_OF_VNG
);

# Returns a repository and the script that begins with this comment, which is written there. The directories of the
# guide are those of the repository.
sub prepared {
    my ($beginning) = @_;
    srand 42;
    my $repository = GitBisection->new(commits => 8, slow => $SLOW, by => 0.05, noise => 0.005);
    my $place      = $repository->place;
    mkdir "$place/$_" or die "$_: $!\n" for qw(booted fakes lib log);
    write_program("$place/fakes/$_", "#!/bin/sh\n$FAKE{$_}\n") for keys %FAKE;
    my $script = block($GUIDE, $beginning) =~ s{/opt/unixbench/Run}{$^X $TestRun::HOME/Run}r;
    $script =~ s{/usr/src/linux}{$place/tree};
    $script =~ s{/var/(?=lib|log|tmp)}{$place/}g;
    $script =~ s/pipe>=1267500/pipe>=975000/ or die "no requirement\n";
    write_program("$place/script", $script);
    return ($repository, PLACE => "$place", UB_TREE => "$place/booted", PATH => "$place/fakes:$ENV{PATH}");
}

# Takes the repository and the environment of its script; calls the script at each boot, until it has an answer.
# Returns what git printed at the end.
sub rebooted {
    my ($repository, %env) = @_;
    my $place = $repository->place;
    $repository->shell('cd tree && git bisect start main main~7');
    for (1 .. 20) {
        my $boots = -s "$place/boots" // 0;
        $repository->shell('./script; : bisect', %env);
        last if (-s "$place/boots" // 0) == $boots;
    }
    return content("$place/log/bisect-step.git");
}

subtest 'a machine that reboots' => sub {
    my ($repository, %env) = prepared('# bisect-step:');
    my $said = rebooted($repository, %env);
    like($said, qr/is the first bad commit\n.*^ +commit $SLOW$/ms,                      'the slow kernel is found');
    like(content($repository->place('log/bisect-step')), qr/^Run: FAIL pipe>=975000 /m, 'the verdicts are in the log');
};

subtest 'a kernel that does not boot' => sub {
    my ($repository, %env) = prepared('# bisect-step:');
    my ($first) =
        $repository->shell('cd tree && git bisect start main main~7 >&2; git log -1 --format=%s') =~ /([0-9]+)/;
    $env{PLACE} = $repository->place;
    Place::touch($repository->place('tree/panics'));
    $repository->shell('./script; : bisect', %env);
    unlink $repository->place('tree/panics');
    Place::write_file($repository->place('booted/release'), "6.1.0-usual\n");
    $repository->shell('./script; : bisect', %env);
    like($repository->shell('cd tree && git bisect log'), qr/^git bisect skip/m, "commit $first is skipped");
};

subtest 'a kernel that can not be installed' => sub {
    my ($repository, %env) = prepared('# bisect-step:');
    Place::touch($repository->place('full'));
    rebooted($repository, %env);
    unlike($repository->shell('cd tree && git bisect log'), qr/^git bisect (?:good|bad|skip)/m, 'it is not judged');
    ok(!-e $repository->place('boots'), 'and nothing is booted');
};

subtest 'a virtual machine' => sub {
    my ($repository, %env) = prepared('# vm-step:');
    my $out = $repository->shell('cd tree && git bisect start main main~7 && git bisect run sh ../script 2>&1', %env);
    like($out, qr/is the first bad commit\n.*^ +commit $SLOW$/ms, 'the slow kernel is found') || diag $out;
};

done_testing;
