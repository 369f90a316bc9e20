use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs       qw(need_built skip_without);
use TestProgram qw(command count_of entries is_error path_of program run scratch);

need_built(qw(fstime));

subtest fstime => sub {
    for my $part (qw(c r w)) {
        for my $case ([5, '-m', 10], [25, '-m', 10], [100, '-b', 256, '-m', 5], [3, '-b', 8192, '-m', 1]) {
            my ($blocks, @size) = @$case;
            my $directory = scratch();
            my $result    = run(command('fstime', "-$part", '-n', $blocks, '-d', $directory, @size));
            is $result->{status}, 0, "-$part @$case: exit status 0" or diag $result->{err};
            like $result->{err}, qr/^LOOPS\|$blocks$/m, "-$part @$case: LOOPS";
            is_deeply [entries($directory)], [], "-$part @$case: no file is left";
        }
        my $directory = scratch();
        my $result    = run(command('fstime', "-$part", '-t', '0.1', '-p', '0.1', '-s', '0.01', '-d', $directory));
        my ($kb, $timebase, $label) = count_of($result);
        my ($time)   = $result->{err} =~ /^TIME\|(.*)/m;
        my ($blocks) = $result->{err} =~ /^LOOPS\|(.*)/m;
        is "$timebase $label", '0 KBps', "-$part, timed: unit of the score";
        cmp_ok abs($kb - $blocks / $time), '<=', 1,   "-$part, timed: KB a second are blocks by time";
        cmp_ok $time,                      '>=', 0.1, "-$part, timed: TIME is the whole time";
        is_deeply [entries($directory)], [], "-$part, timed: no file is left";
    }
    my $directory = scratch();
    is_error(run(command('fstime', '-w', '-n', 1, '-d', "$directory/absent")), 1, 'No such file',
        'a missing directory');
    is_error(run(command('fstime', '-w', '-n', 1, '-d', '/' . 'd' x 9000)), 1, 'File ?name too long', 'a long name');
    is_error(
        run(['/bin/sh', '-c', 'ulimit -f 16 && exec "$0" -w -n 1000 -d "$1"', program('fstime'), $directory]),
        1,
        'fstime: write: File too large',
        'a small limit of file sizes'
    );
    is_deeply [entries($directory)], [], 'an error leaves no file';

SKIP: {
        my $unshare = path_of('unshare') or skip_without(tool => 'unshare', 4);
        my @inside  = ($unshare, $> == 0 ? '-m' : '-rm', '/bin/sh', '-c');
        my $tmpfs   = 'mount -t tmpfs -o size=256k none "$1"';
        skip_without(machine => 'a file system to mount', 4)
            if run([@inside, $tmpfs, 'sh', $directory])->{status} != 0;
        my $full = run(
            [
                @inside,           "$tmpfs && \"\$0\" -c -t 1 -p 1 -s 0 -d \"\$1\"; s=\$?; ls -A \"\$1\"; exit \$s",
                program('fstime'), $directory
            ]
        );
        is_error($full, 1, 'fstime: write: No space left on device', 'a full disk');
        is $full->{out}, '', 'a full disk: no file is left';
    }
};

done_testing;
