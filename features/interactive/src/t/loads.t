use strict;
use warnings;

use File::Temp ();
use FindBin    qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use LoadModules           qw(load_modules);
use Needs                 qw(need_compiler skip_without);
use TestProgram           qw(path_of);

need_compiler();

my $DRIVER = driver('load', load_modules());
my $PLACE  = File::Temp->newdir;
my ($TERM, $KILL) = (15, 9);

# Takes words for the driver and, if the driver is to be started by a command, that command. Runs a load once; returns {
# kind => list of what was seen of it }.
sub lived {
    my ($words, @by) = @_;
    my @words = ($DRIVER, $words->[0], "directory=$PLACE", 'disk=16', 'memory=32', @$words[1 .. $#$words]);
    my %seen;
    for my $line (said_by(@by, @words)) {
        my ($kind, $what) = split /\|/, $line, 2;
        push @{ $seen{$kind} }, $what;
    }
    return \%seen;
}

# Words for the driver; parts, whether it reports that it is steady, files that it has open, other processes, and the
# fewest and most file descriptors that these have.
my @LIVES = (    # in Hack, a round of all processes is 40000 messages
    [['None'],               [],                 0, 0, 0],
    [['Video'],              ['ns of work'],     0, 0, 0],
    [['X'],                  ['ns of work'],     0, 0, 0],
    [['Custom', 'custom=1'], ['ns of work'],     0, 0, 0],
    [['Burn'],               ['bursts of 1 ms'], 0, 0, 0],
    [['Burn', 'threads=1'],  ['bursts of 1 ms'], 0, 0, 0],
    [['Write'],              ['bytes'],          1, 1, 0],
    [['Read'],               ['bytes'],          0, 2, 0],
    [['Ring', 'threads=1'],  ['hops'],           0, 0, 0],
    [['Ring', 'threads=3'],  ['hops'],           0, 0, 0],
    [['Compile'],            ['bursts of 1 ms', 'bytes', 'bytes', 'processes'], 1, 3],
    [['Memload'],            ['pages'],                                         1, 0, 0],
    [['Hack', 'threads=1', 'least=80000'], ['messages'], 0, 0, 40, '1|20'],
    [['Hack', 'threads=8'], ['messages'], 0, 0, 80],
    [['Command', 'command=:'], ['runs'], 0, 0],
);

sub check_life {
    my ($words, $end, $parts, $steady, $files, $processes, $descriptors) = @_;
    my $name = "@$words, $end";
    my $seen = lived([@$words, "end=$end"]);
SKIP: {
        skip_without(machine => "room for this load: $name: $seen->{impossible}[0]", 1) if $seen->{impossible};
        is_deeply($seen->{part} || [], [map { "$_|counts" } @$parts], "$name: each part counts");
        is_deeply(
            [@$seen{qw(steady nameless)}],
            [[$steady], [$files]],
            "$name: whether it reports a steady state, and its open files"
        );
        is_deeply($seen->{processes},   [$processes],   "$name: number of other processes") if defined $processes;
        is_deeply($seen->{descriptors}, [$descriptors], "$name: file descriptors of the other processes")
            if defined $descriptors;
        is_deeply($seen->{ended}, ['signal|' . ($end eq 'TERM' ? $TERM : $KILL)], "$name: it runs until the signal");
        is_deeply([@$seen{qw(left names why)}], [[0], [0, 0], ['']],              "$name: nothing is left");
    }
    return;
}

for my $life (@LIVES) {
    my ($words, @seen) = @$life;
    check_life($words, $_, @seen) for qw(TERM KILL);
}
check_life(['Hack'], 'first', ['messages'], 0, 0, 40);

# A command that is running ends with the load's process. Processes that the command has started end with the group.
for my $case (['exec sleep 1000', 'first'], ['sleep 1000', 'TERM'], ['trap "" TERM; sleep 1000; :', 'KILL']) {
    my ($command, $end) = @$case;
    my $seen = lived(['Command', "command=$command", 'patience=300', "end=$end"]);
    is_deeply(
        [@$seen{qw(part left)}],
        [['runs|nothing'], [0]],
        "Command, $command, $end: nothing is counted, and no process is left"
    );
}

# Files are 16 MiB, and are written or read four times.
SKIP: {
    my ($write, $read) = map { lived([$_, 'least=67108864']) } qw(Write Read);
    skip_without(machine => "room for files: $write->{impossible}[0]", 2) if $write->{impossible};
    is_deeply([@$write{qw(part largest)}], [['bytes|counts'], [16]], 'Write begins again when its file is full');
    my ($how) = @{ $read->{read} };
    skip_without(machine => 'files that do not stay in memory', 1) if $how ne 'disk';
    cmp_ok($read->{resident}[0], '<', 50, "Read: the file does not stay in memory (D22)");
}

# Words for the driver; why the load is impossible.
my $LITTLE     = 'its file needs 16 MiB';
my @IMPOSSIBLE = (
    [['Write', 'directory=/absent'], "can't create a file in /absent: No such file or directory; use another --tmpdir"],
    [['Read',  'directory=/absent'], "can't create a file in /absent: No such file or directory; use another --tmpdir"],
    [['Compile', 'directory=/proc'], qr{\Acan't create a file in /proc: .*; use another --tmpdir\z}],
    [['Write',   "directory=$0"],    qr{: Not a directory; use another --tmpdir\z}],
    [['Write',   'disk=15'],         qr{\A$LITTLE; raise --max-disk}],
    [['Memload', 'memory=15'],       'it needs 16 MiB of memory; raise --max-mem'],
    [['Memload', 'memory=1'],        'it needs 16 MiB of memory; raise --max-mem'],
    [['Command'],              'it has no command; use --load-cmd'],
    [['Command', 'command= '], 'it has no command; use --load-cmd'],
    [['Custom'],               'it is not defined; use -C and -I'],
);
for my $case (@IMPOSSIBLE) {
    my ($words, $why) = @$case;
    my $said = lived($words)->{impossible} || ['it is possible'];
    ref $why ? like($said->[0], $why, "@$words: the reason") : is($said->[0], $why, "@$words: the reason");
}
like(
    lived(['Write'], 'sh', '-c', 'ulimit -f 2048; exec "$0" "$@"')->{impossible}[0],
    qr{\A$LITTLE; .*ulimit -f},
    'Write is impossible with a small limit of file sizes'
);

# Words for the driver; why the load fails.
my $NO_FILE = "can't write a file in /absent: No such file or directory; use another --tmpdir, or a smaller --max-disk";
my $NOBODYS = $> == 0 ? 'user=65534' : 'user=0';
my $FAILED  = 'failed 3 times in a row, the last time';
my @FAILING = (
    [['Write', 'directory=/absent', 'forced=1'], $NO_FILE],
    [['Read',  'directory=/absent', 'forced=1'], 'its file is missing: Bad file descriptor'],
    [
        ['Memload', 'memory=0', 'addresses=10', 'forced=1'],
        qr{\Ait needs 16 MiB of memory, and 0 MiB are available; .*ulimit -v}
    ],
    [['Burn', $NOBODYS, 'processes=10', 'threads=99'], qr{\Acan't start a thread: .*; use a smaller -L\z}],
    [['Hack', 'files=20'], "can't create sockets: Too many open files; raise the limit of open files (ulimit -n)"],
    [['Hack', $NOBODYS, 'processes=10'], qr{\Acan't start a process: .*; use a smaller -L, or .*ulimit -u}],
    [['Command', 'command=exit 4'],      qq("exit 4" $FAILED with status 4)],
    [
        ['Command', 'command=absent-command 2>/dev/null'],
        qq("absent-command 2>/dev/null" $FAILED with status 127 (not found))
    ],
    [['Command', 'command=kill -9 $$'], qq("kill -9 \$\$" $FAILED by signal 9 (Killed))],
);

sub check_failure {
    my ($seen, $why, $name) = @_;
    ref $why ? like($seen->{why}[0], $why, $name) : is($seen->{why}[0], $why, $name);
    is_deeply(
        [@$seen{qw(ended left)}],
        [['status|3'], [0]],
        "$name: the load ends, and so does all that it has started"
    );
    return;
}
check_failure(lived([@{ $_->[0] }, 'failing=1']), $_->[1], "@{ $_->[0] }") for @FAILING;

my $memory = lived(['Memload', 'memory=0', 'addresses=60', 'forced=1']);
is_deeply([@$memory{qw(part steady why)}], [['pages|counts'], [1], ['']], 'Memload stays within RLIMIT_AS');

SKIP: {
    my $unshare = path_of('unshare') or skip_without(tool => 'unshare', 5);
    local $ENV{PLACE} = $PLACE;
    my @inside = ($unshare, $> == 0 ? '-m' : '-rm', 'sh', '-c');
    my $sized  = sub { 'mount -t tmpfs -o ' . $_[0] . ' none "$PLACE" 2>/dev/null' };
    my $on     = sub { (@inside, $sized->(@_) . ' && exec "$0" "$@"') };
    skip_without(machine => 'a file system to mount', 5) if system(@inside, $sized->('size=4m')) != 0;
    my $cached = lived(['Read'], $on->('size=176m'));
    is_deeply(
        [@$cached{qw(read resident)}],
        [['cached'], [100]],
        'Read on a file system in memory reports that its file is cached'
    );
    check_failure(
        lived(['Write', 'full=1', 'failing=1'], $on->('size=176m')),
        qr{\Acan't write a file in \Q$PLACE\E: No space left on device; use another --tmpdir, or },
        'Write fails on a full disk'
    );
    is(
        lived(['Write'], $on->('size=176m,ro'))->{impossible}[0],
        "can't create a file in $PLACE: Read-only file system; use another --tmpdir",
        'Write is impossible on a read-only file system'
    );
    is(
        lived(['Write'], $on->('size=60m'))->{impossible}[0],
        "$LITTLE, and a tenth of the free space in $PLACE is 6 MiB; use another --tmpdir",
        'Write is impossible on a small file system'
    );
}

done_testing;
