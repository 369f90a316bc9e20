use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use Place qw(names_in place touch);
use UnixBench::Base::Files;
use UnixBench::Store::JournalFile;
use UnixBench::Store::OutputFiles;
use UnixBench::Store::OutputLock;

my $NOON = POSIX::mktime(0, 0, 12, 20, 10, 126);    # 2026-11-20, local time

sub reserve {
    my ($directory, $name) = @_;
    return UnixBench::Store::OutputLock->reserve(
        directory => "$directory",
        host      => 'box',
        time_s    => $NOON,
        name      => $name
    );
}

# The base alone: the files are there, and their Run is gone.
sub base_in { return reserve(@_)->base }

subtest 'names of reports' => sub {
    my $place = place();
    is(base_in($place), "$place/box-2026-11-20-01", 'the first');
    is(base_in($place), "$place/box-2026-11-20-02", 'the next');
    is_deeply(
        names_in($place),
        [map { ("box-2026-11-20-0$_.journal", "box-2026-11-20-0$_.log") } 1, 2],
        'a journal and a log for each'
    );
    touch(map { "$place/box-2026-11-20-$_" } qw(03.html 04 05.csv 06.json));
    symlink '/nowhere/at/all', "$place/box-2026-11-20-07.log" or die "symlink: $!\n";
    is(base_in($place), "$place/box-2026-11-20-08", 'one that no file of the family has, not even a dangling link');
    my $lock = reserve($place);
    $lock->append(log => "caf\xe9\n");
    is(UnixBench::Base::Files::content($lock->base . '.log'), "caf\xe9\n", 'the log takes bytes');
};

subtest 'host names' => sub {
    my %base = (
        'a.b-c'       => 'a.b-c',
        '../../x'     => '_._.._x',
        "a b\n\$(id)" => 'a_b___id_',
        '-rf'         => '_rf',
        '.hidden'     => '_hidden'
    );
    for my $host (sort keys %base) {
        my $place = place();
        is(
            UnixBench::Store::OutputLock->reserve(directory => "$place", host => $host, time_s => $NOON)->base,
            "$place/$base{$host}-2026-11-20-01",
            $host =~ s/\n/?/r
        );
        is_deeply([map { !!/\A[A-Za-z0-9_]/ } @{ names_in($place) }], [1, 1], 'and nothing elsewhere');
    }
};

subtest 'a name that was given' => sub {
    my $place  = place();
    my @family = map { "mine$_" } q{}, qw(.csv .html .journal .json .log);
    touch(map { "$place/$_" } @family, 'mine2', 'mine.other');
    is(base_in($place, 'mine'), "$place/mine", 'is taken');
    is_deeply(
        names_in($place),
        [@family[0 .. 5], 'mine.log.new', qw(mine.other mine2)],
        'and nothing of the earlier result is touched'
    );
    for my $suffix (qw(log journal)) {
        symlink "$place/victim", "$place/$suffix.$suffix" or die "symlink: $!\n";
        UnixBench::Base::Files::write_whole("$place/victim", 'precious');
        my $lock = reserve($place, $suffix);
        $lock->append($suffix => 'x');
        $lock->publish;
        ok(!-l "$place/$suffix.$suffix", "a link in place of the $suffix is replaced");
        is(UnixBench::Base::Files::content("$place/victim"), 'precious', 'and not followed');
    }
    mkdir "$place/taken" or die "mkdir: $!\n";
    touch("$place/taken.journal");
    is(eval { base_in($place, 'taken') }, undef, 'a directory of that name is refused before anything is measured');
    like($@, qr/\Acan't write [^\n]+\n\z/, 'in one line');
    ok(-e "$place/taken.journal", 'and what was there stays');
};

subtest 'two at the same moment' => sub {
    my $place = place();
    pipe my $gate, my $open or die "pipe: $!\n";
    my @pids = map { reserver($place, $gate, $open) } 1 .. 8;
    close $open;
    waitpid $_, 0 for @pids;
    is(scalar(grep { /[.]log\z/ } @{ names_in($place) }), 8 * 10, 'each gets names of its own');
};

# A process that waits for the gate and reserves ten names.
sub reserver {
    my ($place, $gate, $open) = @_;
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    close $open;
    sysread $gate, my $nothing, 1;
    my @own = map { base_in($place) } 1 .. 10;
    POSIX::_exit(@own == 10 ? 0 : 1);
}

subtest 'a name that another Run has' => sub {
    my $place = place();
    my $first = reserve($place, 'mine');
    $first->append(journal => qq({"head":{"pid":$$}}\n));
    is(eval { reserve($place, 'mine'); 1 }, undef, 'is not taken');
    is(
        $@,
        "another Run (process $$) is measuring and writing $place/mine: wait for its end, or choose another name\n",
        'says who has it'
    );
    is(eval { UnixBench::Store::JournalFile::opened("$place/mine"); 1 }, undef,           'nor gone on with');
    is(UnixBench::Base::Files::content("$place/mine.journal"), qq({"head":{"pid":$$}}\n), 'its journal is as it was');
    my $ended = fork // die "fork: $!\n";
    POSIX::_exit(0) if !$ended;
    waitpid $ended, 0;
    $first->append(journal => qq({"resumed":{"pid":$ended}}\n));
    is(eval { UnixBench::Store::JournalFile::opened("$place/mine"); 1 },
        undef, 'also where the process named has ended');
    is(
        $@,
        "process $ended that wrote $place/mine.journal has ended, but another holds its lock: "
            . "end that (fuser tells which)\n",
        'which is said'
    );
    $first->finish;
    is_deeply(names_in($place), ['mine.log'], 'when it is done the journal is gone');
    $first->append(log => 'old');
    ok(reserve($place, 'mine'), 'and the name is free');
};

subtest 'going on' => sub {
    my $place = place();
    is_deeply([UnixBench::Store::OutputFiles::unfinished("$place")], [], 'none unfinished');
    reserve($place)->append($_ => "begun\n") for qw(journal log);
    my $name = 'box-2026-11-20-02';
    is_deeply([UnixBench::Store::OutputFiles::unfinished("$place")], ['box-2026-11-20-01', $name], 'two unfinished');
    my $journal = UnixBench::Store::JournalFile::opened("$place/$name");
    my $again   = UnixBench::Store::OutputLock->take_over(base => "$place/$name", journal => $journal);
    $again->append(journal => "gone on\n");
    is(UnixBench::Base::Files::content("$place/$name.log"), q{}, 'the log is new');
    like(UnixBench::Base::Files::content("$place/box-2026-11-20-01.journal"), qr/\Abegun\n\z/, 'others are left alone');
    is(UnixBench::Base::Files::content("$place/$name.journal"), "gone on\n", 'the journal is appended to');
    reserve($place, 'mine')->give_up;
    is_deeply([grep { /mine/ } @{ names_in($place) }], [], 'what is given up leaves nothing');
};

subtest 'an earlier result' => sub {
    my $place  = place();
    my @family = map { "mine$_" } q{}, qw(.csv .html .json .log);
    UnixBench::Base::Files::write_whole("$place/$_", 'old') for @family;
    my $lock = reserve($place, 'mine');
    $lock->append(log => 'new');
    is_deeply([map { UnixBench::Base::Files::content("$place/$_") } @family], [('old') x 5], 'stays whole');
    ok($lock->is_replacing, 'is known');
    UnixBench::Base::Files::write_new("$place/mine$_", 'new') for q{}, '.html';
    is_deeply([map { UnixBench::Base::Files::content("$place/$_") } @family], [('old') x 5], 'until all is written');
    $lock->publish(q{}, '.html');
    is_deeply(names_in($place), [qw(mine mine.html mine.journal mine.log)], 'then goes');
    is_deeply(
        [map { UnixBench::Base::Files::content("$place/mine$_") } q{}, qw(.html .log)],
        [('new') x 3],
        'all together'
    );
    $lock->finish;
    $lock = reserve($place, 'mine');
    UnixBench::Base::Files::write_new("$place/mine.html", 'newer');
    $lock->withdraw('.html');
    $lock->give_up;
    is_deeply(names_in($place), [qw(mine mine.html mine.log)], 'what is given up leaves nothing');
    is(UnixBench::Base::Files::content("$place/mine.html"), 'new', 'and replaces nothing');
};

subtest 'an unfinished run of that name' => sub {
    my $place = place();
    for my $number (1, 2) {
        my $old = reserve($place, 'mine');
        $old->append(journal => "begun $number\n");
    }
    my $lock = reserve($place, 'mine');
    is($lock->unfinished, "$place/mine-unfinished-2", 'gets another');
    is_deeply(
        [map { UnixBench::Base::Files::content("$place/mine-unfinished-$_.journal") } 1, 2],
        ["begun 1\n",                                                                    "begun 2\n"],
        'and nothing of it is lost'
    );
    is(-s "$place/mine.journal", 0, 'the new one is new');
    $lock->give_up;
    is(UnixBench::Base::Files::content("$place/mine.journal"), "begun 2\n", 'given up, it has its name again');
    my $long = 'x' x 240;
    reserve($place, $long)->append(journal => "begun\n");
    is(
        reserve($place, $long)->unfinished,
        "$place/" . substr($long, 0, 220) . '-unfinished-1',
        'also one that can hardly be longer'
    );
};

subtest 'modes' => sub {
    my $place = place();
    for my $umask (0, 022, 0777) {
        my $old = umask $umask;
        my @journals =
            map { $_->base . '.journal' } reserve($place), reserve($place, "u$umask"), reserve($place, "u$umask.2");
        umask $old;
        is_deeply([map { (stat)[2] & 07777 } @journals], [(0600) x 3], sprintf 'private with umask %03o', $umask);
    }
    my $path = base_in($place, 'mine') . '.journal';
    for my $mode (0620, 0602, 0666) {
        chmod $mode, $path;
        is(eval { UnixBench::Store::JournalFile::opened("$place/mine"); 1 }, undef, sprintf '%03o is refused', $mode);
        is($@, "$path can be changed by others: look at what it says, then chmod 600 it\n", 'says so');
    }
    chmod 0644, $path;
    ok(UnixBench::Store::JournalFile::opened("$place/mine"), 'one that others can read is not');
    is((stat $path)[2] & 07777, 0600, 'and is private from then on');
};

subtest 'second names' => sub {
    my $place = place();
    UnixBench::Base::Files::write_whole("$place/precious", "precious\n");
    link "$place/precious", "$place/mine.journal" or skip_without(machine => 'hard links');
    is(eval { UnixBench::Store::JournalFile::opened("$place/mine"); 1 }, undef, 'a run with one is not resumed');
    is($@, "$place/mine.journal has a second name (a hard link): put a copy in its place\n", 'says so');
    my $lock = reserve($place, 'mine');
    $lock->append(journal => 'x');
    is(UnixBench::Base::Files::content("$place/precious"), "precious\n", 'the other file is left as it is');
    is($lock->unfinished,                                  undef,        'and is no unfinished run');
};

subtest 'journals that are not ours' => sub {
    my $place = place();
    UnixBench::Base::Files::write_whole("$place/precious.txt", 'precious');
    symlink "$place/precious.txt", "$place/linked.journal" or die "symlink: $!\n";
    mkdir "$place/folder.journal" or die "mkdir: $!\n";
    my %why = (
        linked => "$place/linked.journal is a link: it would be followed to somebody's file",
        folder => "can't go on from $place/folder.journal: Is a directory",
        absent => "can't go on from $place/absent.journal: No such file or directory",
    );
    for my $name (sort keys %why) {
        is(eval { UnixBench::Store::JournalFile::opened("$place/$name"); 1 }, undef,           "$name is refused");
        is($@,                                                                "$why{$name}\n", 'says why');
    }
};

subtest 'a journal of another user' => sub {
    my ($other) = grep { $_ } ((getpwnam 'nobody')[2]);
    skip_without(machine => 'root, and the user nobody') if $> != 0 || !$other;
    my $place = place();
    touch("$place/theirs.journal");
    chown $other, -1, "$place/theirs.journal";
    is(eval { UnixBench::Store::JournalFile::opened("$place/theirs"); 1 }, undef, 'of another user');
    is($@, "$place/theirs.journal belongs to somebody else\n",                    'says so');
};

subtest 'where nothing can be written' => sub {
    skip_without(machine => 'the user nobody') if $> == 0 && !getpwnam 'nobody';
    my $place = place();
    chmod 0555, "$place" or die "chmod: $!\n";
    local $> = getpwnam 'nobody' if $> == 0;
    for my $name (undef, 'mine') {
        is(eval { reserve($place, $name); 1 }, undef, 'refused');
        like($@, qr/\Acan't write [^\n]*: Permission denied\n\z/, 'says so');
    }
};

done_testing();
