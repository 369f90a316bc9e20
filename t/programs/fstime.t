use strict;
use warnings;

use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs       qw(need_built skip_without);
use TestProgram qw(command content count_of entries finish is_error path_of program run scratch start write_file);

need_built('fstime');

subtest 'files that fstime makes' => sub {
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
        my $full = run([
            @inside,           "$tmpfs && \"\$0\" -c -t 1 -p 1 -s 0 -d \"\$1\"; s=\$?; ls -A \"\$1\"; exit \$s",
            program('fstime'), $directory
        ]);
        is_error($full, 1, 'fstime: write: No space left on device', 'a full disk');
        is $full->{out}, '', 'a full disk: no file is left';
    }
};

# fstime -f FILE: the user gives the first file, which -w writes, and -r and -c read.

sub block {
    my ($size) = @_;
    return join q{}, map { chr(($_ ^ $_ >> 8) & 255) } 0 .. $size - 1;
}

sub fstime { return run(command('fstime', @_)) }

sub loops_of { my ($result) = @_; return ($result->{err} =~ /^LOOPS\|([0-9]+)$/m)[0] }

# Writes that many blocks of 1024 bytes to a file in a directory of its own; returns its path.
sub filled {
    my ($blocks) = @_;
    my $file     = scratch() . '/filled';
    my $result   = fstime('-w', -n => $blocks, -m => $blocks, -f => $file);
    is $result->{status}, 0, "$blocks blocks are written" or diag $result->{err};
    return $file;
}

subtest '-w writes the file' => sub {
    for my $case ([1024, 20, 20], [256, 5, 20], [4096, 8, 2], [8192, 1, 1]) {
        my ($size, $kb, $blocks) = @$case;
        my $place  = scratch();
        my @size   = (-b => $size, -m => $kb);
        my $result = fstime('-w', -n => 2 * $blocks, @size, -d => "$place/absent", -f => "$place/filled");
        is $result->{status}, 0,           "@size: exit status" or diag $result->{err};
        is loops_of($result), 2 * $blocks, "@size: LOOPS";
        ok content("$place/filled") eq block($size) x $blocks, "@size: content";
        is_deeply [entries($place)], ['filled'], "@size: there is no other file";
    }
    my $longer = write_file(scratch() . '/longer', 'x' x 9000);
    is fstime('-w', -n => 3, -m => 3, -f => $longer)->{status}, 0, 'an existing file is replaced';
    ok content($longer) eq block(1024) x 3, 'the replaced file has the right content';
    is fstime('-w', -t => '0.1', -s => 0, -m => 5, -f => $longer)->{status}, 0, 'timed work succeeds';
    ok content($longer) eq block(1024) x 5, 'timed work leaves a complete file';
};

subtest '-r and -c read the file' => sub {
    my ($file, $directory) = (filled(20), scratch());
    chmod 0400, $file or die "chmod: $!\n";
    my @before = (stat $file)[1, 2, 7, 9, 10];
    for my $part (qw(-r -c)) {
        my @rest = (-m => 20, -d => $directory, -f => $file);
        for my $blocks (5, 50) {
            my $result = fstime($part, -n => $blocks, @rest);
            is_deeply [$result->{status}, loops_of($result)], [0, $blocks], "$part: $blocks blocks"
                or diag $result->{err};
        }
        for my $priming_s (0, '0.1') {
            my $result;
            for my $seconds (0.1, 1, 10) {    # until a loop is done, on a busy machine
                $result = fstime($part, -t => $seconds, -p => $priming_s, -s => 0, @rest);
                last if $result->{status} || loops_of($result);
            }
            is $result->{status}, 0, "$part, timed, priming for $priming_s s" or diag $result->{err};
            cmp_ok loops_of($result), '>', 0, "$part, timed: LOOPS";
        }
        my @both = map { start(command('fstime', $part, -n => 50, @rest)) } 1, 2;
        is_deeply [map { finish($_)->{status} } @both], [0, 0], "$part: two programs may read it at once";
    }
    is_deeply [(stat $file)[1, 2, 7, 9, 10]], \@before, 'the file was not changed';
    is_deeply [entries($directory)],          [],       'no other file is left';
};

subtest 'the file must have the content that -w writes' => sub {
    my $place = scratch();
    my $file  = "$place/file's \"name\"";
    my @size  = (-b => 2048, -m => 10);
    my $hint  = "to fill it: fstime -w -n 5 @size -f FILE";
    my @cases = (
        [undef,  'No such file or directory'],
        [0,      '0 bytes instead of 10240'],
        [10_239, '10239 bytes instead of 10240'],
        [10_241, '10241 bytes instead of 10240'],
    );
    for my $case (@cases) {
        my ($bytes, $why) = @$case;
        write_file($file, 'x' x $bytes) if defined $bytes;
        for my $part (qw(-r -c)) {
            my $result = fstime($part, @size, -d => $place, -f => $file);
            is_error($result, 1, qr/\Q$file: $why; $hint\E$/, "$part, $why");
            is $result->{err} =~ tr/\n//, 1, "$part, $why: one line of message";
        }
    }
    write_file($file, block(2048) x 4 . block(2047) . 'x');
    for my $part (qw(-r -c)) {
        my $result = fstime($part, -n => 5, @size, -d => $place, -f => $file);
        is_error($result, 1, 'byte 2047 of a block is not what was written', "$part, wrong bytes");
    }
    is fstime(qw(-w -n 5), @size, -f => $file)->{status}, 0, 'the command in the message succeeds';
    is fstime(qw(-c -n 5), @size, -d => $place, -f => $file)->{status}, 0, 'the file is accepted after that command';
    is_deeply [entries($place)], [$file =~ s{.*/}{}r], 'no other file is left';
    is_error(fstime('-f'), 2, 'usage: .*-f FILE', '-f without a name');
};

subtest 'files that are not regular files' => sub {
    my $place = scratch();
    mkfifo("$place/fifo", 0600) or die "mkfifo: $!\n";
    for my $part (qw(-w -r -c)) {
        is_error(fstime($part, -d => $place, -f => $_), 1, 'is not a regular file', "$part $_")
            for "$place/fifo", $place;
        is_error(fstime($part, -d => $place, -f => q{}),        1, 'No such file',        "$part, an empty name");
        is_error(fstime($part, -d => $place, -f => 'f' x 9000), 1, 'File ?name too long', "$part, a long name");
    }
    is_error(fstime('-w', -f => "$place/absent/filled"), 1, 'absent/filled: No such file', '-w in a missing directory');
    is_deeply [entries($place)], ['fifo'], 'files that are not regular stay';
};

done_testing;
