use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive   qw(eventually is_alive);
use TestRun qw(waited);

# A script instead of make. It notes its PID, and that of a child in a session of its own, then waits for the file
# "go-on". In the end it makes the programs.
my $MAKE = <<'END';
#!/bin/sh
case "$*" in *--dry-run*) exit 0;; esac
echo x >> "$PLACE/builds"
env -i "$PERL" -MPOSIX=setsid -e 'setsid(); open F, ">", "$ARGV[0].new"; print F $$; close F;
    rename "$ARGV[0].new", $ARGV[0]; sleep 1000' "$PLACE/child" &
while [ -d "$PLACE" ] && [ ! -e "$PLACE/child" ]; do :; done
echo $$ > "$PLACE/make.new"
mv "$PLACE/make.new" "$PLACE/make"
while [ -d "$PLACE" ] && [ ! -e "$PLACE/go-on" ]; do read -r line < "$PLACE/pipe"; done
printf '#!/bin/sh\necho "COUNT|1|1|lps" >&2\n' > "$TREE/pgms/pipe"
chmod 755 "$TREE/pgms/pipe"
printf 'compiler=cc\nflags=-O2\n' > "$TREE/pgms/build.info"
touch "$TREE/pgms/"* "$TREE/testdir/large.txt"
END

# Returns a place with a tree in which "make" is the script above, and a test that runs its Run there.
sub tree {
    my $test = TestRun->new(own_group => 1);
    my $tree = $test->place('tree');
    system('mkdir', '-p', map { "$tree/$_" } qw(src pgms testdir)) == 0 or die "mkdir: $?\n";
    system('cp', '-R', grep({ -e } map { "$TestRun::HOME/$_" } qw(Run features lib share Makefile)), $tree) == 0
        or die "cp: $?\n";
    system('cp', "$TestRun::HOME/pgms/index.base", "$tree/pgms") == 0 or die "cp: $?\n";
    POSIX::mkfifo($test->place('pipe'), oct 600)                      or die "mkfifo: $!\n";
    chmod 0755, $test->write('bin', 'make', $MAKE);
    @{ $test->{env} }{qw(MAKE PLACE PERL TREE UB_BINDIR)} =
        ($test->place('bin', 'make'), $test->place, $^X, $tree, q{});
    $test->{program} = "$tree/Run";
    return $test;
}

# Starts a run whose build waits; returns the run, and the PIDs of make and of its child.
sub building {
    my ($test) = @_;
    my $run = $test->started(qw(-q -c 1 -i 1 pipe));
    ok(eventually(sub { -s $test->place('make') }), 'the build has begun');
    return ($run, map { 0 + $test->text("../$_") } qw(make child));
}

# Lets the build go on.
sub go_on {
    my ($test) = @_;
    $test->write(q{.}, 'go-on', q{});
    open my $pipe, '+<', $test->place('pipe') or die "pipe: $!\n";
    syswrite $pipe, "\n" or die "pipe: $!\n";
    return $pipe;
}

for my $signal (qw(TERM INT HUP KILL)) {
    subtest "$signal during a build" => sub {
        my $test = tree();
        my ($run, @pids) = building($test);
        kill $signal => $run->{pid};
        my %number = (HUP => 1, INT => 2, KILL => 9, TERM => 15);
        is(waited($run)->{signal}, $number{$signal}, 'Run ends by the signal');
        ok(eventually(sub { !is_alive($pids[0]) }), 'make ends');
        ok(eventually(sub { !is_alive($pids[1]) }), 'a child of make in its own session ends');
    };
}

subtest 'Ctrl-Z during a build' => sub {
    my $test = tree();
    my ($run, $make) = building($test);
    kill TSTP => $run->{pid};
    ok(eventually(sub { Alive::states($run->{pid}) eq 'T' }), 'Run stops');
    ok(eventually(sub { Alive::states($make) eq 'T' }),       'make stops');
    kill CONT => $run->{pid};
    ok(eventually(sub { Alive::states($make) ne 'T' }), 'make continues with Run');
    my $pipe = go_on($test);
    is(waited($run)->{status}, 0, 'the run succeeds');
};

subtest 'a second Run during a build' => sub {
    my $test = tree();
    my ($run) = building($test);
    $test->{name} = 2;
    my $second = $test->started(qw(-q -c 1 -i 1 pipe));
    my $line   = "Run: another Run is building the programs in @{[$test->place('tree')]}: " . "waiting for its end\n";
    my $said   = sub { return scalar index $test->text('../err2'), $line };
    ok(eventually(sub { -e $test->place('err2') && $said->() >= 0 }), 'the second one says who builds');
    my $pipe = go_on($test);
    is(waited($run)->{status},    0,     'the first run succeeds');
    is(waited($second)->{status}, 0,     'the second run succeeds');
    is($test->text('../builds'),  "x\n", 'the programs are built once');
};

done_testing();
