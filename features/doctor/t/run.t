use strict;
use warnings;

use File::Find ();
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use FreshMachine;
use TerminalRun qw(shown);
use Needs       qw(is_user_possible path_of skip_without tracing);
use PseudoTerminal;
use TestRun qw(eventually waited);
use UnixBench::Base::Files;

use constant COLUMNS => 80;

# ./Run doctor on this machine: it finds problems and changes nothing. Each takes a few seconds, most of them asleep,
# so they run at the same time.

# x11perf, which only has to be there.
my $tools = File::Temp->newdir;
symlink '/bin/true', "$tools/x11perf" or die "symlink: $!\n";
chmod 0755, "$tools" or die "chmod: $!\n";

# A machine with a known name, a test of graphics that can be run, and a display that does not exist.
my %ENVIRONMENT = (
    (map { $_ => q{} } qw(UB_BINDIR UB_RESULTDIR UB_TMPDIR UB_TESTDIR UB_TIME_FACTOR)),
    PATH       => "$tools:$ENV{PATH}",
    DISPLAY    => ':7391',
    OTHER_HOST => 'marvin',
    PERL5OPT   => "-I$FindBin::Bin/../../../t/lib -MOtherHost",
);

# Returns a copy of the tree that is not built, has no directories for results, and belongs to the user of the test.
sub tree {
    my $tree = File::Temp->newdir;
    mkdir "$tree/$_" or die "mkdir: $!\n" for qw(build pgms);
    system('cp', '-R', (map { "$TestRun::HOME/$_" } qw(Run features lib testdir src Makefile)), "$tree") == 0
        or die "cp\n";
    system('cp', (grep { -f } glob "$TestRun::HOME/build/*"), "$tree/build") == 0 or die "cp\n";
    my @scripts = map { "$TestRun::HOME/pgms/$_" } qw(gfx-x11 index.base multi.sh tst.sh unixbench.logo);
    system('cp', @scripts, "$tree/pgms") == 0 or die "cp\n";
    chmod 0755, "$tree" or die "chmod: $!\n";
    return $tree;
}

# Returns { path => stat of it }, without the time of the last access.
sub listing {
    my ($directory) = @_;
    my %of;
    my $note = sub { $of{$File::Find::name} = join q{ }, (lstat)[0 .. 7, 9, 10] };
    File::Find::find({ wanted => $note, no_chdir => 0 }, "$directory");
    return \%of;
}

# Takes a name, a tree, words before the command, and words of the command line; starts a doctor, and returns the hash
# of TestRun's started.
sub started {
    my ($name, $tree, $by, @words) = @_;
    my $test = TestRun->new(env => \%ENVIRONMENT);
    @$test{qw(name cwd)} = ($name, '/');
    chmod 0755, $test->place or die "chmod: $!\n";
    my $run = $test->started_by(@$by, $^X, "$tree/Run", 'doctor', @words);
    return { %$run, test => $test };
}

# A process that uses half a CPU until the doctor that has to find it has ended.
my $BURNER = fork // die "fork: $!\n";
if (!$BURNER) {
    my $us = getppid;
    while (getppid == $us) {
        1 for 1 .. 300_000;
        select undef, undef, undef, 0.01;
    }
    exit;
}

my $trace     = File::Temp->new;
my $is_traced = path_of('strace') && system("strace -f -o /dev/null true 2>/dev/null") == 0;
my @STRACE = $is_traced ? ('strace', '-f', '-qq', '-e', 'trace=%file,%network,ftruncate,fchmod', '-o', "$trace") : ();
my ($new, $old) = (tree(), tree());
my $is_nobody = $> == 0 && is_user_possible();
my %before    = map { $_ => listing($_) } "$new", "$old";

my $new_tree = started(new    => $new,           \@STRACE, qw(--facts all));
my $nobody   = started(nobody => $old,           [$is_nobody ? ($^X, "$TestRun::BIN/as-nobody") : ()]);
my $here     = started(here   => $TestRun::HOME, [], qw(--no-identity -c 1 pipe));
my $gone     = started(gone   => $TestRun::HOME, []);

eventually(sub { (UnixBench::Base::Files::content("/proc/$gone->{pid}/cmdline") // q{}) =~ /doctor/ });
kill INT => $gone->{pid};
my %ended = (here => waited($here));
kill KILL => $BURNER;
waitpid $BURNER, 0;

my %there         = (things => [qw(perl stdio.h)], programs => [qw(apt-get make)], env => { MAKE => 'make' });
my $fresh_machine = FreshMachine->new(%there)->run(qw(doctor pipe dc));
$ended{ $_->{test}{name} } = waited($_) for $new_tree, $nobody, $gone;

# Tests the answer of a doctor in general.
sub is_answer {
    my ($run) = @_;
    is_deeply([@$run{qw(status signal said)}], [0, 0, q{}], 'the doctor succeeds');
    is(join("\n", grep { length > 100 } split /\n/, $run->{out}), q{}, 'lines have at most 100 columns');
    return;
}

subtest 'a tree that is not built, without directories' => sub {
    is_answer($ended{new});
    like($ended{new}{out}, qr/^   Host name +marvin$/m, 'the doctor prints facts');
    like($ended{new}{out}, qr/^   The programs will be built first: dhry2reg is not built[.]$/m, 'what is not built');
    is_deeply(listing($new), $before{$new}, 'the doctor makes and changes no file');
};

is(TestRun->new->run(qw(doctor --strict pipe -c 60000))->{status}, 4, '--strict: more copies than the limits allow');

subtest 'system calls of the doctor' => sub {
    skip_without(tracing()) if !$is_traced;
    my @calls   = map  { /\A\d+ +(\w+\(.*)/ ? $1 : () } readline $trace;
    my @writing = grep { /\A(?:open|openat|openat2|creat)\(/ && /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|\Acreat/ } @calls;
    cmp_ok(scalar @calls, '>', 100, 'the doctor was traced');
    is(join("\n", grep { !m{"/dev/(?:null|tty)"} } @writing), q{}, 'no file is opened for writing');
    my $changes = qr/\A(?:mk(?:dir|nod)|unlink|rmdir|rename|link|symlink|f?truncate|f?ch(?:mod|own)|utime|mount)\w*\(/;
    is(join("\n", grep { /$changes/ } @calls),                 q{}, 'no file is made, removed or renamed');
    is(scalar(grep { /\Aconnect\(/ && /X11|AF_INET/ } @calls), 1,   'the display of the graphics tests is tried once');
    my @programs = grep { /\Aexecve\("(?:\Q$new\E\/pgms|[^"]*\/(?:make|Xvfb|x11perf|sudo)")/ } @calls;
    is(join("\n", @programs), q{}, 'no measured program is started, built or installed');
};

subtest 'a user without write permission' => sub {
    skip_without(machine => 'root, and a tree that an ordinary user can read') if !$is_nobody;
    is_answer($ended{nobody});
    like($ended{nobody}{out}, qr/^   Can't make directory \Q$old\E\/$_: /m, "the directory $_ cannot be made")
        for qw(results tmp);
    like($ended{nobody}{out}, qr/^   Missing in \Q$old\E\/pgms: /m, 'the missing programs cannot be built');
    is_deeply(listing($old), $before{$old}, 'the doctor of an ordinary user changes no file');
};

subtest 'a busy process' => sub {
    my $out = $ended{here}{out};
    is_answer($ended{here});
    my @busiest = $out =~ /, process (\d+) +\d+ % of a CPU$/mg;
    ok(@busiest == 3 || grep({ $_ == $BURNER } @busiest), 'a busy process, or three others, are named') or diag $out;
    unlike($out, qr/^System$/m,                 'no facts are printed');
    unlike($out, qr/marvin|\Q$TestRun::HOME\E/, '--no-identity prints no names');
};

is_deeply([@{ $ended{gone} }{qw(signal out said)}], [2, q{}, q{}], 'Ctrl-C ends the doctor');

subtest 'a fresh machine' => sub {
    my $run = $fresh_machine;
    is_answer($run);
    is_deeply($run->{asked}, [], 'no package is installed and no program is built');
    like($run->{out}, qr/^   Missing: a C compiler [(]to build[)]; install with: apt-get update && /m, 'a compiler');
    like($run->{out}, qr/^   Missing: dc [(]for dc[)]; install/m, 'a missing program of a test is reported');
    unlike($run->{out}, qr/locale/, 'a missing locale is not reported if no test needs it');
};

subtest 'standard output' => sub {
    my $test   = TestRun->new(env => { TERM => 'xterm' });
    my $closed = waited($test->started_by('/bin/sh', '-c', 'exec "$0" "$@" >&-', $^X, "$TestRun::HOME/Run", 'doctor'));
    my $said   = "Run: can't write to standard output: it is closed\n";
    is_deeply([@$closed{qw(status err)}], [1, $said], 'that is closed: exit status 1, and one message');
    skip_without(machine => 'terminals') if !PseudoTerminal->new(COLUMNS);
    my ($doctor) = shown($test, {}, 'doctor');
    is_deeply([grep { length > COLUMNS } split /\n/, $doctor], [], 'a terminal breaks no line');
};

done_testing;
