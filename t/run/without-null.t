use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs   qw(need_mount_namespaces need_tools skip_without);
use TestRun qw(waited);

skip_without(machine => 'root') if $> != 0;
need_tools('unshare');
need_mount_namespaces();

# Runs Run in a mount namespace whose /dev is made by a shell text; returns the run.
sub run_where {
    my ($text, @words) = @_;
    my $test = TestRun->new;
    mkdir $test->place('dev') or die "mkdir: $!\n";
    my $script = "set -e; cd '@{[$test->place('dev')]}'; $text; mount --bind . /dev; exec \"\$0\" \"\$@\"";
    my @run    = ($^X, "$TestRun::HOME/Run", @words);
    return waited($test->started_by('unshare', '-m', '/bin/sh', '-c', $script, @run));
}

my $REMEDY = 'make it as root: mknod -m 666 /dev/null c 1 3';

for my $words ([qw(-q -c 1 -i 1 hanoi)], ['doctor'], ['--dry-run'], ['--list'], ['--bogus']) {
    my $run = run_where(':', @$words);
    is_deeply(
        [@$run{qw(status out err)}],
        [1, q{}, "Run: can't open /dev/null: No such file or directory; $REMEDY\n"],
        "without /dev/null: @$words"
    );
}

my $run = run_where('mkdir null', '--list');
is($run->{err}, "Run: can't open /dev/null: Is a directory; $REMEDY\n", '/dev/null is a directory');

done_testing();
