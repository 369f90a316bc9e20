use strict;
use warnings;

use File::Copy qw(copy);
use File::Path qw(make_path remove_tree);
use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Place       qw(text_of);
use Needs       qw(need_built skip_without);
use TestProgram qw(entries finish is_error path_of run scratch start write_file);
use TestRun;

# multi.sh and tst.sh, run by each shell that may be /bin/sh: the output and the exit status are the same, and no file
# is left.
my @TOOLS   = qw(sort od grep tee wc rm);
my %PLAIN   = map { $_ => undef } qw(UB_TESTDIR UB_BINDIR UB_TMPDIR MULTI_SH_WORK_FACTOR LC_ALL);
my $SUCCESS = { status => 0, out => '', err => '' };

# Files that another user may have put in the place of a scratch file.
my %PLANTED = (
    'a link'          => 'ln -s ../victim',
    'a dangling link' => 'ln -s ../new',
    'a directory'     => 'mkdir',
);

for my $words ([qw(dash)], [qw(bash)], [qw(bash --posix)], [qw(busybox sh)], [qw(mksh)]) {
SKIP: {
        my ($name, @options) = @$words;
        my $path = path_of($name) or skip_without(tool => $name, 1);
        subtest "@$words" => \&tests, join ' ', $path, @options;
    }
}

subtest 'a whole run without the locale of the tests' => sub {
    need_built('looper');
    my $bash = path_of('bash') or skip_without(tool => 'bash');
    my $home = home($bash);
    my $test = TestRun->new(
        programs => { looper     => '../../pgms/looper', 'multi.sh'     => undef },
        env      => { UB_TESTDIR => "$home/testdir",     UB_TIME_FACTOR => 0.02, LOCPATH => '/nowhere', LANG => 'C' }
    );
    copy("$home/bin/$_", $test->place('bin', $_)) && chmod 0755, $test->place('bin', $_)
        for qw(multi.sh tst.sh by-hand.sh);
    my $ended = $test->run(qw(-q -c 1 -i 1 shell1));
    is $ended->{status}, 0, 'messages of bash do not make the test fail' or diag $ended->{out};
    cmp_ok $test->scores->{'Shell Scripts (1 concurrent)'} // 0, '>', 0, 'shell1 is measured without the locale';
};

done_testing;

# Takes the words after "#!"; tests the scripts with that shell.
sub tests {
    my ($shell) = @_;
    my $home = home($shell);
    succeeds($home, $shell);
    is_refused($home);
    goes_around_others($home);
    if (!has_own_tools($shell)) {
        works_with_seven_processes($home);
        fails_with_its_tools($home);
        is_interrupted($home);
    }
    is_deeply [entries("$home/scratch"), entries("$home/elsewhere")], [], 'no file is left';
    return;
}

# Makes a tree with the scripts for that shell; returns its path.
sub home {
    my ($shell) = @_;
    my $home = scratch() . "/it's a \"home\"";
    make_path(map { "$home/$_" } qw(bin testdir scratch elsewhere tools));
    for my $script (qw(multi.sh tst.sh by-hand.sh)) {
        open my $file, '<', "pgms/$script" or die "$script: $!";
        my ($first, @others) = <$file>;
        chmod 0755, write_file("$home/bin/$script", join '', "#!$shell\n", @others);
    }
    copy('testdir/sort.src', "$home/testdir/sort.src") or die "copy: $!";
    return $home;
}

# Returns whether a shell uses its own commands before those in PATH.
sub has_own_tools {
    my ($shell) = @_;
    my $tools   = scratch();
    my $script  = write_file("$tools/script", "#!$shell\nPATH=$tools:\$PATH\nwc < /dev/null\n");
    chmod 0755, $script, write_file("$tools/wc", "#!/bin/sh\nexit 3\n");
    return run([$script])->{status} != 3;
}

# Starts a script. %how: words, in (directory), env, before (words before the command).
sub started {
    my ($home, $script, %how) = @_;
    return start(
        [@{ $how{before} || [] }, "$home/bin/$script", @{ $how{words} || [] }],
        in  => "$home/" . ($how{in} // 'testdir'),
        env => { %PLAIN, UB_SCRATCH => "$home/scratch", %{ $how{env} || {} } }
    );
}

sub succeeds {
    my ($home, $shell) = @_;
    my %twice   = (words => [2], in => 'elsewhere');
    my %by_hand = (UB_BINDIR => "$home/bin", UB_SCRATCH => undef, UB_TMPDIR => "$home/scratch");
    my %cases   = (
        'one'            => ['tst.sh'],
        'three'          => ['multi.sh', words => [3]],
        'UB_TESTDIR'     => ['multi.sh', %twice, env => { UB_TESTDIR => "$home/testdir" }],
        'beside bin'     => ['multi.sh', %twice],
        'by hand'        => ['multi.sh', %twice, env => \%by_hand],
        'one by hand'    => ['tst.sh',   in    => 'elsewhere',                env => \%by_hand],
        'a text'         => ['tst.sh',   words => ["$home/testdir/sort.src"], in  => 'elsewhere'],
        'a longer text'  => ['multi.sh', %twice, env => { MULTI_SH_WORK_FACTOR => 3 }],
        'unknown locale' => ['multi.sh', %twice, env => { LANG                 => 'xx_XX.utf8' }],
    );
    delete $cases{'unknown locale'} if $shell =~ /mksh/;    # mksh itself complains
    for my $what (sort keys %cases) {
        is_deeply finish(started($home, @{ $cases{$what} })),             $SUCCESS, "$what: succeeds";
        is_deeply [entries("$home/scratch"), entries("$home/elsewhere")], [],       "$what: no file is left";
    }
    return;
}

sub is_refused {
    my ($home) = @_;
    for my $words ([], ['x'], ['0'], ['-1'], ['01'], ['1.5'], [''], ['1', '2'], ['9' x 10]) {
        is_error(finish(started($home, 'multi.sh', words => $words)), 2, 'usage', "multi.sh @$words");
    }
    for my $factor ('x', '0', '-1', '1.5') {
        my $ended = finish(started($home, 'multi.sh', words => [1], env => { MULTI_SH_WORK_FACTOR => $factor }));
        is_error($ended, 2, 'MULTI_SH_WORK_FACTOR', "factor $factor");
    }
    my %absent = (UB_SCRATCH => "$home/absent");
    fails(finish(started($home, 'multi.sh', words => [1], env => \%absent)), 'multi.sh: tst.sh',
        'no scratch directory');
    rename "$home/testdir/sort.src", "$home/text" or die "rename: $!";
    fails(finish(started($home, 'multi.sh', words => [1])), 'multi.sh: tst.sh', 'no text for multi.sh');
    is_error(finish(started($home, 'tst.sh')), 1, 'tst.sh: sort.src.*UB_TESTDIR', 'no text for tst.sh');
    rename "$home/text", "$home/testdir/sort.src" or die "rename: $!";
    remove_tree("$home/scratch", { keep_root => 1 });
    return;
}

# Tests that a script failed with that message. Messages of its programs may come before it.
sub fails {
    my ($ended, $message, $what) = @_;
    is $ended->{status}, 1,  "$what: exit status 1";
    is $ended->{out},    '', "$what: nothing on standard output";
    like $ended->{err}, qr/^ERROR\|$message.*\n\z/m, "$what: message";
    return;
}

# If the scripts are run by hand, their files go to a new directory with an unpredictable name. The shell that plants
# files becomes the script by exec, so it knows the script's process number.
sub goes_around_others {
    my ($home) = @_;
    write_file("$home/victim", "mine\n");
    for my $case (map { [$_, 'tst.sh'], [$_, 'multi.sh', 2] } sort keys %PLANTED) {
        my ($what, $script, @words) = @$case;
        my $names = 'sorted.$$ dump.$$ the.$$ wc.$$ sort.src';
        my $plant = "cd ../scratch; for name in $names; do $PLANTED{$what} \$name; done; cd ../testdir; exec \"\$@\"";
        my %how   = (
            words  => \@words,
            before => ['/bin/sh', '-c', $plant, 'sh'],
            env    => { MULTI_SH_WORK_FACTOR => 2, UB_SCRATCH => undef, UB_TMPDIR => "$home/scratch" }
        );
        is_deeply finish(started($home, $script, %how)), $SUCCESS, "$script succeeds next to $what";
        my @left = map { "$home/scratch/$_" } entries("$home/scratch");
        is_deeply [map { content($_) } @left], [('mine') x @left], "$what: the planted files are unchanged";
        is scalar(@left), 5, "$what: no other file is left";
        is_deeply [content("$home/victim"), -e "$home/new"], ['mine', undef], "$what: no file elsewhere is changed";
        remove_tree("$home/scratch", { keep_root => 1 });
    }
    return;
}

# Returns the words of a file. Anything other than a regular file cannot have been changed.
sub content {
    my ($path) = @_;
    return 'mine' if -l $path || !-f _;
    open my $file, '<', $path or die "$path: $!";
    return join ' ', map { split } <$file>;
}

# Puts a tool before the system's tool of that name; returns the environment that finds it.
sub with_tool {
    my ($home, $name, $script) = @_;
    chmod 0755, write_file("$home/tools/$name", "#!/bin/sh\n$script\n");
    return (PATH => "$home/tools:$ENV{PATH}", LOG => "$home/log", TOOLS => "$home/tools");
}

sub works_with_seven_processes {
    my ($home) = @_;
    my %environment;
    for my $name (@TOOLS, 'cat') {
        my $real = path_of($name) or next;
        %environment = with_tool($home, $name, "echo $name >> \"\$LOG\"\nexec $real \"\$@\"");
    }
    run(["$home/bin/tst.sh"], in => "$home/testdir", env => { %PLAIN, UB_SCRATCH => "$home/scratch", %environment });
    my @log = split /\n/, text_of("$home/log");
    is join(' ', sort @log), 'grep od rm sort sort tee wc', 'tst.sh starts seven processes';
    remove_tree("$home/tools", { keep_root => 1 });
    return;
}

# Run treats a line on standard error as a failure, like an exit status other than 0. If a tool in a pipeline fails
# silently before the last one, the script notices missing output where that check is cheap. It does not notice a
# failure of od.
sub fails_with_its_tools {
    my ($home) = @_;
    for my $tool (@TOOLS) {
        my %environment = with_tool($home, $tool, $tool eq 'od' ? 'echo broken >&2; exit 3' : 'exit 3');
        my $ended = finish(started($home, 'multi.sh', words => [1], env => { %environment, %{ by_hand($home) } }));
        $tool eq 'od'
            ? is $ended->{err}, "broken\n", 'the message of od is on standard error'
            : fails($ended, 'multi.sh: tst.sh', "$tool fails");
        remove_tree("$home/tools",   { keep_root => 1 });
        remove_tree("$home/scratch", { keep_root => 1 }) if $tool eq 'rm';
        is_deeply [entries("$home/scratch")], [], "$tool fails: no file is left";
    }
    return;
}

# Returns the environment of a script that is run by hand: it makes and removes its own scratch directory.
sub by_hand {
    my ($home) = @_;
    return { UB_SCRATCH => undef, UB_TMPDIR => "$home/scratch" };
}

# The sorts of the copies wait until multi.sh has got the signal.
sub is_interrupted {
    my ($home) = @_;
    mkfifo("$home/$_", 0600) or die "mkfifo: $!" for 'here', 'go';
    my %environment = with_tool($home, 'sort', "echo > \"\$TOOLS/../here\"; read -r line < \"\$TOOLS/../go\"");
    my $running     = started($home, 'multi.sh', words => [2], env => { %environment, %{ by_hand($home) } });
    open my $here, '<', "$home/here" or die "here: $!";
    my $said = '';
    sysread $here, $said, 2 - length $said, length $said while length $said < 2;
    kill TERM => $running->{pid};
    open my $go, '+<', "$home/go" or die "go: $!";
    syswrite $go, "\n\n\n\n";
    is finish($running)->{status}, 1, 'multi.sh, interrupted: exit status 1';
    is_deeply [entries("$home/scratch")], [], 'multi.sh, interrupted: no file is left';
    remove_tree("$home/tools", { keep_root => 1 });
    return;
}

