use strict;
use warnings;

use File::Copy qw(copy);
use File::Path qw(make_path remove_tree);
use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use TestProgram qw(created entries finish is_built is_error path_of run scratch start write_file);
use TestRun;

# multi.sh and tst.sh, by each shell that may be /bin/sh: the same output, the same status, nothing left.
my @TOOLS   = qw(sort od grep tee wc rm);
my %PLAIN   = map { $_ => undef } qw(UB_TESTDIR UB_BINDIR UB_TMPDIR MULTI_SH_WORK_FACTOR LC_ALL);
my $SUCCESS = { status => 0, out => '', err => '' };

# What others may have put where a file is to go.
my %PLANTED = (
    'a link'             => 'ln -s ../victim',
    'a dangling link'    => 'ln -s ../new',
    'a link to a device' => 'ln -s /dev/null',
    'a file'             => 'cp ../victim',
    'a directory'        => 'mkdir',
);

for my $words ([qw(dash)], [qw(bash)], [qw(bash --posix)], [qw(busybox sh)], [qw(mksh)]) {
SKIP: {
        my ($name, @options) = @$words;
        my $path = path_of($name) or skip "$name is not here", 1;
        subtest "@$words" => \&tests, join ' ', $path, @options;
    }
}

subtest 'without the locale of the tests, through the whole of Run' => sub {
    plan skip_all => 'the programs are not built: make' if !is_built('looper');
    my $bash = path_of('bash') or plan skip_all => 'bash is not here';
    my $home = home($bash);
    my $test = TestRun->new(
        programs => { looper     => '../../pgms/looper', 'multi.sh'     => undef },
        env      => { UB_TESTDIR => "$home/testdir",     UB_TIME_FACTOR => 0.02, LOCPATH => '/nowhere', LANG => 'C' }
    );
    copy("$home/bin/$_", $test->place('bin', $_)) && chmod 0755, $test->place('bin', $_) for qw(multi.sh tst.sh);
    my $ended = $test->run(qw(-q -c 1 -i 1 shell1));
    is $ended->{status}, 0, 'bash says nothing that makes the test fail' or diag $ended->{out};
    cmp_ok $test->scores->{'Shell Scripts (1 concurrent)'} // 0, '>', 0, 'measured';
};

done_testing;

# shell: what stands behind "#!".
sub tests {
    my ($shell) = @_;
    my $home = home($shell);
    succeeds($home, $shell);
    is_refused($home);
    goes_around_others($home);
    creates_only_what_is_new($home);
SKIP: {
        skip "$shell has tools of its own", 1 if has_own_tools($shell);
        works_with_seven_processes($home);
        fails_with_its_tools($home);
        is_interrupted($home);
    }
    is_deeply [entries("$home/scratch"), entries("$home/elsewhere")], [], 'nothing is left';
    return;
}

# A tree with the scripts, begun by that shell.
sub home {
    my ($shell) = @_;
    my $home = scratch() . "/it's a \"home\"";
    make_path(map { "$home/$_" } qw(bin testdir scratch elsewhere tools));
    for my $script (qw(multi.sh tst.sh)) {
        open my $file, '<', "pgms/$script" or die "$script: $!";
        my ($first, @others) = <$file>;
        chmod 0755, write_file("$home/bin/$script", join '', "#!$shell\n", @others);
    }
    copy('testdir/sort.src', "$home/testdir/sort.src") or die "copy: $!";
    return $home;
}

# Some look for a command among their own before they look in PATH.
sub has_own_tools {
    my ($shell) = @_;
    my $tools   = scratch();
    my $script  = write_file("$tools/script", "#!$shell\nPATH=$tools:\$PATH\nwc < /dev/null\n");
    chmod 0755, $script, write_file("$tools/wc", "#!/bin/sh\nexit 3\n");
    return run([$script])->{status} != 3;
}

# Starts a script. %how: words, in, env, before (words that stand before it).
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
        'a longer text'  => ['multi.sh', %twice, env => { MULTI_SH_WORK_FACTOR => 3 }],
        'unknown locale' => ['multi.sh', %twice, env => { LANG                 => 'xx_XX.utf8' }],
    );
    delete $cases{'unknown locale'} if $shell =~ /mksh/;    # which itself complains
    for my $what (sort keys %cases) {
        is_deeply finish(started($home, @{ $cases{$what} })),             $SUCCESS, $what;
        is_deeply [entries("$home/scratch"), entries("$home/elsewhere")], [],       "$what: leaves nothing";
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
    is_error(finish(started($home, 'multi.sh', words => [1], env => \%absent)), 1, 'tst.sh: sort', 'no scratch');
    $absent{MULTI_SH_WORK_FACTOR} = 2;
    is_error(finish(started($home, 'multi.sh', words => [1], env => \%absent)), 1, 'multi.sh: cat', 'nor for the text');
    rename "$home/testdir/sort.src", "$home/text" or die "rename: $!";
    is_error(finish(started($home, 'multi.sh', words => [1])), 1, 'tst.sh: sort', 'no text');
    rename "$home/text", "$home/testdir/sort.src" or die "rename: $!";
    return;
}

# The shell that plants something becomes the script, so that it knows what names the script tries first.
sub goes_around_others {
    my ($home) = @_;
    write_file("$home/victim", "mine\n");
    for my $case (map { [$_, 'tst.sh'], [$_, 'multi.sh', 2] } sort keys %PLANTED) {
        my ($what, $script, @words) = @$case;
        my $names = '$$.sorted tst-$$.dumped tst-$$.found tst-$$.counted multi-$$.text';
        my $plant =
            "cd ../scratch; for name in tst-$names; do $PLANTED{$what} \$name; done; cd ../testdir; exec \"\$@\"";
        my %how = (words => \@words, before => ['/bin/sh', '-c', $plant, 'sh'], env => { MULTI_SH_WORK_FACTOR => 2 });
        is_deeply finish(started($home, $script, %how)), $SUCCESS, "$script beside $what";
        my @left = map { "$home/scratch/$_" } entries("$home/scratch");
        is_deeply [map { content($_) } @left], [('mine') x @left], "$what: as it was";
        is scalar(@left), 5, "$what: nothing more";
        is_deeply [content("$home/victim"), -e "$home/new"], ['mine', undef], "$what: nothing elsewhere either";
        remove_tree("$home/scratch", { keep_root => 1 });
    }
    return;
}

# Somebody may be quicker than the look at what is there.
sub creates_only_what_is_new {
    my ($home) = @_;
    my $flags = created(
        ["$home/bin/multi.sh", 1],
        in  => "$home/testdir",
        env => { %PLAIN, UB_SCRATCH => "$home/scratch", MULTI_SH_WORK_FACTOR => 2 }
    );
SKIP: {
        skip 'nothing can be traced: strace', 2 if !$flags;
        is scalar(keys %$flags),                         5,  'files are created';
        is join(' ', grep { !/O_EXCL/ } values %$flags), '', 'none that is there already';
    }
    return;
}

# A word of a file; of what is none, nothing can have been changed.
sub content {
    my ($path) = @_;
    return 'mine' if -l $path || !-f _;
    open my $file, '<', $path or die "$path: $!";
    return join ' ', map { split } <$file>;
}

# Puts a tool in the place of the system's; returns the environment that finds it.
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
        %environment = with_tool($home, $name,
            "echo $name >> \"\$LOG\"; [ $name != rm ] || ls -l \"\$@\" >> \"\$LOG\"\n" . "exec $real \"\$@\"");
    }
    my $mask = umask 0;
    run(["$home/bin/tst.sh"], in => "$home/testdir", env => { %PLAIN, UB_SCRATCH => "$home/scratch", %environment });
    umask $mask;
    my @log = split /\n/, text("$home/log");
    is join(' ', sort grep { !/ / } @log),               'grep od rm sort sort tee wc', 'seven processes';
    is scalar(grep { /^-rw-------.*\/scratch\// } @log), 4, 'four files, which nobody else can read';
    remove_tree("$home/tools", { keep_root => 1 });
    return;
}

sub fails_with_its_tools {
    my ($home) = @_;
    for my $tool (@TOOLS) {
        my %environment = with_tool($home, $tool, 'exit 3');
        my $ended       = finish(started($home, 'multi.sh', words => [1], env => \%environment));
        is_error($ended, 1, "tst.sh: .*\\b$tool\\b.* failed", "$tool fails");
        remove_tree("$home/$_", { keep_root => 1 }) for 'tools', $tool eq 'rm' ? 'scratch' : ();
        is_deeply [entries("$home/scratch")], [], "$tool fails: leaves nothing";
    }
    return;
}

# The copies' sorts wait until multi.sh has been told to end.
sub is_interrupted {
    my ($home) = @_;
    mkfifo("$home/$_", 0600) or die "mkfifo: $!" for 'here', 'go';
    my %environment = with_tool($home, 'sort', "echo > '../here'; read -r line < '../go'");
    my $running     = started($home, 'multi.sh', words => [2], env => \%environment);
    open my $here, '<', "$home/here" or die "here: $!";
    my $said = '';
    sysread $here, $said, 2 - length $said, length $said while length $said < 2;
    kill TERM => $running->{pid};
    open my $go, '+<', "$home/go" or die "go: $!";
    syswrite $go, "\n\n\n\n";
    is finish($running)->{status}, 1, 'interrupted: status';
    is_deeply [entries("$home/scratch")], [], 'interrupted: leaves nothing';
    remove_tree("$home/tools", { keep_root => 1 });
    return;
}

sub text {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!";
    return join '', <$file>;
}
