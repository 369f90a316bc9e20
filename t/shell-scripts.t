use strict;
use warnings;

use File::Copy qw(copy);
use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use TestProgram qw(entries is_error path_of run scratch write_file);

subtest 'multi.sh and tst.sh' => sub {
    my $home = scratch() . "/it's a \"home\"";
    make_path("$home/bin", "$home/testdir", "$home/scratch", "$home/elsewhere");
    for my $script (qw(multi.sh tst.sh)) {
        copy("pgms/$script", "$home/bin/$script") or die "copy: $!";
        chmod 0755, "$home/bin/$script";
    }
    copy('testdir/sort.src', "$home/testdir/sort.src") or die "copy: $!";
    my %plain = (
        UB_TESTDIR           => undef,
        UB_BINDIR            => undef,
        UB_TMPDIR            => undef,
        MULTI_SH_WORK_FACTOR => undef
    );
    my @shells = grep { defined } path_of('dash'), path_of('bash'), path_of('busybox');
    for my $shell (@shells) {
        my @shell = ($shell, $shell =~ /busybox/ ? 'sh' : ());
        for my $case (
            ['multi.sh', [3], 'testdir',   {}],
            ['multi.sh', [2], 'elsewhere', { UB_TESTDIR => "$home/testdir" }],
            [
                'multi.sh',
                [2],
                'elsewhere',
                {
                    UB_BINDIR  => "$home/bin",
                    UB_SCRATCH => undef,
                    UB_TMPDIR  => "$home/scratch"
                }
            ],
            ['multi.sh', [2], 'elsewhere', { MULTI_SH_WORK_FACTOR => 3 }],
            ['tst.sh',   [],  'testdir',   {}],
            )
        {
            my ($script, $arguments, $in, $environment) = @$case;
            my $result = run(
                [@shell, "$home/bin/$script", @$arguments],
                in  => "$home/$in",
                env => { %plain, UB_SCRATCH => "$home/scratch", %$environment }
            );
            my $what = join ' ', @shell, $script, @$arguments, sort keys %$environment;
            is_deeply $result, { status => 0, out => '', err => '' }, $what;
            is_deeply [entries("$home/scratch"), entries("$home/elsewhere")], [], "$what: leaves nothing";
        }
        for my $wrong ([], ['x'], ['0'], ['1', '2']) {
            is_error(run([@shell, "$home/bin/multi.sh", @$wrong]), 2, 'usage', "@shell multi.sh @$wrong");
        }
        my $absent = run(
            [@shell, "$home/bin/multi.sh", 1],
            in  => "$home/elsewhere",
            env => { %plain, UB_SCRATCH => "$home/absent" }
        );
        is_error($absent, 1, 'tst.sh: sort', "@shell: no scratch directory");
    }

    my $log = "$home/log";
    make_path("$home/wrappers");
    for my $name (qw(sort od grep tee wc rm cat)) {
        my $real = path_of($name) or next;
        write_file("$home/wrappers/$name", "#!/bin/sh\necho $name >> \"\$LOG\"\nexec $real \"\$\@\"\n");
        chmod 0755, "$home/wrappers/$name";
    }
    run(
        ["$home/bin/tst.sh"],
        in  => "$home/testdir",
        env => {
            %plain,
            UB_SCRATCH => "$home/scratch",
            LOG        => $log,
            PATH       => "$home/wrappers:$ENV{PATH}"
        }
    );
    open my $file, '<', $log or die "$log: $!";
    is join(' ', sort map { chomp; $_ } <$file>), 'grep od rm sort sort tee wc', 'tst.sh: seven processes';
};

done_testing;
