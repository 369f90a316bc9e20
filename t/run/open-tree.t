use strict;
use warnings;

use FindBin;
use Test::More;

use File::Path ();

use lib "$FindBin::Bin/../lib";
use TestRun                qw(own_tree);
use Place                  qw(write_program);
use UnixBench::Base::Files ();

use constant OTHER => 54_321;    # the number of another user, and of another group

# A tree with mode 0777 everywhere, as after chmod -R 777, or on a drive of Windows.
my ($test, $tree) = own_tree();
my $old = umask 0;
mkdir "$tree/$_" for qw(results tmp);
umask $old;
system('chmod', '-R', '777', $tree) == 0 or die "chmod: $?\n";

my $line = "Run: all users can write to $tree, so they could replace the programs that are measured (chmod -R o-w)\n";

subtest 'it is measured, with one line of warning' => sub {
    my $run = $test->run(qw(-q -c 1 -i 1 hanoi));
    is($run->{status}, 0,     'exit status 0');
    is($run->{err},    $line, 'the line');
    $run = $test->run(qw(-q --quick -c 1 --max-time 1 syscall hanoi pipe));
    is(scalar(() = $run->{err} =~ /^\Q$line\E/mg), 1, 'a quick run has it once');
    like($run->{out}, qr/^Pipe Throughput +[0-9]/m, 'and measures');
    is($test->run(qw(-q --no-identity -c 1 -i 1 hanoi))->{err} =~ s/the directory of this suite/$tree/r,
        $line, 'without names, it has no path');
    my ($page) = glob "$tree/results/*.html";
    is($test->run('report', $page)->{err}, q{}, 'report does not measure, and prints no warning');
};

subtest 'an interrupted run is resumed, although all users can write to its journal' => sub {
    my $once = "[ -e '$tree/once' ] || { : > '$tree/once'; kill -INT \$PPID; exec sleep 100; }";
    rename "$tree/pgms/syscall", "$tree/pgms/real" or die "rename: $!\n";
    write_program("$tree/pgms/syscall", "#!/bin/sh\n$once\nexec '$tree/pgms/real' \"\$@\"\n");
    my $run = $test->run(qw(-q -c 1 -i 3 hanoi syscall));
    like($run->{err}, qr/to resume: /, 'a run is interrupted');
    my ($journal) = glob "$tree/results/*.journal";
    chmod 0777, $journal;
    $run = $test->run('-q', '--resume', $journal =~ s/[.]journal\z//r);
    is($run->{status}, 0,     'it is resumed') || diag $run->{err};
    is($run->{err},    $line, 'with the line');
};

subtest 'another place that all users can write to is refused' => sub {
    mkdir my $open = $test->place('open') or die "mkdir: $!\n";
    chmod 0777, $open;
    local $test->{env} = { %{ $test->{env} }, UB_TMPDIR => "$open/tmp" };
    my $run = $test->run(qw(-q -c 1 -i 1 hanoi));
    is($run->{status}, 1, 'exit status 1');
    like($run->{err}, qr{^Run: scratch files are not safe in \Q$open\E/tmp: .* by UB_TMPDIR$}m, 'one line');
};

subtest 'modules that other users could change are refused before they are loaded' => sub {
    system('chmod', '-R', 'go-w', $tree) == 0 or die "chmod: $?\n";
    my $evil = "$tree/features/evil/lib/UnixBench";
    File::Path::make_path($evil);
    is($test->run('--version')->{status}, 0, 'a folder without a module is ignored');
    my $module = q[package UnixBench::Evil; print "loaded\n"; sub declaration { return {} } 1;];
    UnixBench::Base::Files::write_whole("$evil/Evil.pm", $module);
    like($test->run('--help')->{out}, qr/\Aloaded\n/, 'a module in it is loaded');
    my $lib = "$tree/lib/UnixBench";

    for my $open ("$evil/Evil.pm", "$lib/Features.pm", "$lib/Base/OtherUsers.pm", "$lib/Score", "$tree/features") {
        my $mode = (stat $open)[2] & 0777;
        chmod $mode | 0022, $open, "$tree/pgms";
        my $line = "other users decide what is run: $open can be written to by all users (chmod -R go-w, chown -R)";
        for my $words (['--help'], ['doctor'], [qw(report x)], [qw(-q hanoi)]) {
            my $run = $test->run(@$words);
            is_deeply([@$run{qw(status out err)}], [1, q{}, "Run: $line\n"], "@$words: $open");
        }
        chmod $mode, $open;
    }
    return if $> != 0 || !chown OTHER, OTHER, "$evil/Evil.pm";
    like($test->run('--version')->{err}, qr{Evil[.]pm belongs to another user}, 'a module of another user');
    chown 0, OTHER, "$evil/Evil.pm";
    chmod 0664, "$evil/Evil.pm";
    like($test->run('--version')->{err}, qr{Evil[.]pm can be written to by another group}, 'that a group could change');
    chown OTHER, OTHER, "$tree/Run";
    is($test->run('--version')->{err}, q{}, 'which is that of Run');
};

done_testing;
