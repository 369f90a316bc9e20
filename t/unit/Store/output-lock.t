use strict;
use warnings;

use File::Basename qw(basename);
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(skip_without);
use Place qw(names_in place touch);
use UnixBench::Base::Files;
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

# Takes the same; returns the base alone. The files exist, and their Run has ended.
sub base_in { return reserve(@_)->base }

# Takes the common part of paths, and what follows in each; returns the texts of these files.
sub texts {
    my ($begin, @ends) = @_;
    return [map { UnixBench::Base::Files::content("$begin$_") } @ends];
}

# Takes a base; returns why its journal is not opened, or nothing.
sub why_not_opened {
    my ($base) = @_;
    return eval { UnixBench::Store::OutputFiles::opened_journal($base); 1 } ? undef : $@;
}

subtest 'reports have free names' => sub {
    my $place = place();
    is(base_in($place), "$place/box-2026-11-20-01", 'the first name');
    is(base_in($place), "$place/box-2026-11-20-02", 'the next name');
    is_deeply(names_in($place), [map { ("box-2026-11-20-0$_.journal", "box-2026-11-20-0$_.log") } 1, 2], 'two files');
    touch(map { "$place/box-2026-11-20-$_" } qw(03.html 04 05.csv 06.json));
    symlink '/nowhere/at/all', "$place/box-2026-11-20-07.log" or die "symlink: $!\n";
    is(base_in($place), "$place/box-2026-11-20-08", 'a name is free if no report has it, not even a dangling link');
    my $lock = reserve($place);
    $lock->append(log => "caf\xe9\n");
    is(UnixBench::Base::Files::content($lock->base . '.log'), "caf\xe9\n", 'the log takes any bytes');
};

subtest 'a name that was given is used' => sub {
    my $place  = place();
    my @family = map { "mine$_" } q{}, qw(.csv .html .journal .json .log);
    touch(map { "$place/$_" } @family, 'mine2', 'mine.other');
    is(base_in($place, 'mine'), "$place/mine", 'the name is used although there are files with it');
    is_deeply(names_in($place), [@family[0 .. 5], "mine.log.$$.new", qw(mine.other mine2)], 'earlier files are kept');
    for my $suffix (qw(log journal)) {
        symlink "$place/victim", "$place/$suffix.$suffix" or die "symlink: $!\n";
        UnixBench::Base::Files::write_whole("$place/victim", 'precious');
        my $lock = reserve($place, $suffix);
        $lock->append($suffix => 'x');
        $lock->publish;
        ok(!-l "$place/$suffix.$suffix", "a link with the name of the $suffix is replaced");
        is(UnixBench::Base::Files::content("$place/victim"), 'precious', "a link named $suffix is not followed");
    }
    mkdir "$place/taken" or die "mkdir: $!\n";
    touch("$place/taken.journal");
    is(eval { base_in($place, 'taken') }, undef, 'a directory of that name is refused before anything is measured');
    like($@, qr/\Acan't write [^\n]+\n\z/, 'the error is one line');
    ok(-e "$place/taken.journal", 'the journal of that name is kept');
};

# t/long/run/machines.t has a lock whose Run is alive.
subtest 'the lock of a Run that has ended' => sub {
    my $place = place();
    my $first = reserve($place, 'mine');
    my $ended = fork // die "fork: $!\n";
    POSIX::_exit(0) if !$ended;
    waitpid $ended, 0;
    $first->append(journal => qq({"resumed":{"pid":$ended}}\n));
    is(
        why_not_opened("$place/mine"),
        "process $ended, which wrote $place/mine.journal, has ended, but another process has locked this file: "
            . "find it with fuser, and end it\n",
        'the error says that the named process has ended'
    );
    $first->finish;
    is_deeply(names_in($place), ['mine.log'], 'the journal is removed at the end of the run');
    $first->append(log => 'old');
    ok(reserve($place, 'mine'), 'the name is free again');
};

subtest 'an unfinished run is resumed' => sub {
    my $place = place();
    reserve($place)->append($_ => "begun\n") for qw(journal log);
    my @names = map { "box-2026-11-20-0$_" } 1, 2;
    is_deeply([UnixBench::Store::OutputFiles::unfinished("$place")], \@names, 'there are two unfinished runs');
    my $journal = UnixBench::Store::OutputFiles::opened_journal("$place/$names[1]");
    my $again   = UnixBench::Store::OutputLock->take_over(base => "$place/$names[1]", journal => $journal);
    $again->append(journal => "gone on\n");
    is_deeply(texts("$place/$names[1]", qw(.log .journal)), [q{}, "gone on\n"], 'the log is new, the journal is not');
    is_deeply(texts("$place/$names[0]", '.journal'),        ["begun\n"],        'the journal of the other run is kept');
    reserve($place, 'mine')->give_up;
    is_deeply([grep { /mine/ } @{ names_in($place) }], [], 'a run that is given up leaves no file');
};

# Takes the common path of the files of a run, a suffix and a text. Writes that report with a temporary name; returns
# the suffix and that name.
sub written {
    my ($base, $suffix, $text) = @_;
    return [$suffix, basename(UnixBench::Base::Files::write_new("$base$suffix", $text))];
}

subtest 'an earlier result is replaced as a whole' => sub {
    my $place  = place();
    my @family = map { "mine$_" } q{}, qw(.csv .html .json .log);
    my %old =
        (map({ $_ => 'old' } @family), 'mine.csv' => 'Concurrency,', 'mine.json' => '{"format":"unixbench-result",');
    UnixBench::Base::Files::write_whole("$place/$_", $old{$_}) for @family;
    my $lock = reserve($place, 'mine');
    $lock->append(log => 'new');
    ok($lock->is_replacing, 'the lock knows that it replaces a result');
    my @written = map { written("$place/mine", $_, 'new') } q{}, '.html';
    is_deeply([texts("$place/", @family)], [[@old{@family}]], 'the earlier result is whole until publish');
    $lock->publish(@written);
    is_deeply(names_in($place), [qw(mine mine.html mine.journal mine.log)], 'publish removes the other files');
    is_deeply(texts("$place/mine", q{}, qw(.html .log)), [('new') x 3],     'publish replaces all files together');
    $lock->finish;
    UnixBench::Base::Files::write_whole("$place/mine.$_", "a user's") for qw(csv json);
    $lock = reserve($place, 'mine');
    $lock->publish(map { written("$place/mine", $_, 'new') } q{}, '.html');
    is_deeply(texts("$place/mine.", qw(csv json)), [("a user's") x 2], 'files of a user are kept');
    $lock->finish;
    unlink map { "$place/mine.$_" } qw(csv json);
    $lock = reserve($place, 'mine');
    $lock->withdraw(written("$place/mine", '.html', 'newer'));
    $lock->give_up;
    is_deeply(names_in($place), [qw(mine mine.html mine.log)], 'a run that is given up leaves no file');
    unlink reserve($place, 'mine')->{log_path};
    my $journal = UnixBench::Store::OutputFiles::opened_journal("$place/mine");
    UnixBench::Store::OutputLock->take_over(base => "$place/mine", journal => $journal)->give_up_resuming;
    is_deeply(names_in($place), [qw(mine mine.html mine.journal mine.log)], 'neither does a resumption');
    is(UnixBench::Base::Files::content("$place/mine.html"), 'new', 'a run that is given up replaces nothing');
};

# Takes what another user does during a run, in words and as a function, and the expected message, in which PLACE is the
# directory. Tests that the run ends with it, and that no other file is changed.
sub is_refused {
    my ($what, $do, $message) = @_;
    my $place = place();
    mkdir "$place/$_" or die "mkdir: $!\n" for qw(mine theirs);
    UnixBench::Base::Files::write_whole("$place/theirs/j.$_", 'theirs') for qw(html log csv);
    my $lock = reserve("$place/mine", 'j');
    my @written;
    my $is_done = eval {
        @written = $lock->within(sub { written($_[0], '.html', 'new') });
        $do->("$place");
        $lock->within(sub { $lock->append(journal => "more\n") });
        $lock->publish(@written);
        $lock->finish;
        1;
    };
    my $why_not = $@;
    is($is_done, undef,                               "$what: the run does not end as usual");
    is($why_not, $message =~ s/PLACE/$place/r . "\n", "$what: the message");
    is_deeply(texts("$place/theirs/j.", qw(html log csv)), [('theirs') x 3], "$what: no other file is changed");
    return;
}

my $MOVED = 'PLACE/mine/j.journal was moved or removed: find it, and resume the run from there';
my $OTHER = 'another program has written PLACE/mine/j.html: move that file, and resume the run';

subtest 'a directory that another user changes' => sub {
    is_refused('the journal is moved', sub { rename "$_[0]/mine/j.journal", "$_[0]/theirs/j.journal" }, $MOVED);
    is_refused(
        'all files are moved, and the directory is a link to them',
        sub {
            rename "$_[0]/mine/$_", "$_[0]/theirs/$_" for 'j.journal', grep { /html/ } @{ names_in("$_[0]/mine") };
            rename "$_[0]/mine", "$_[0]/gone";
            symlink 'theirs', "$_[0]/mine";
        },
        $MOVED
    );
    is_refused('a hard link is in the way', sub { link "$_[0]/theirs/j.html", "$_[0]/mine/j.html" }, $OTHER);
    is_refused('a link is in the way', sub { symlink '../theirs/j.html', "$_[0]/mine/j.html" }, $OTHER);
};

subtest 'a file that was replaced during the run' => sub {
    my $place = place();
    UnixBench::Base::Files::write_whole("$place/mine$_", 'old') for q{}, '.html', '.csv';
    my $lock    = reserve($place, 'mine');
    my @written = map {
        $lock->within(sub { written($_[0], $_, 'new') })
    } q{}, '.html';
    UnixBench::Base::Files::write_whole("$place/mine$_", 'other') for '.html', '.csv';
    is(eval { $lock->publish(@written); 1 },           undef, 'is not replaced');
    is(UnixBench::Base::Files::content("$place/mine"), 'old', 'neither is any other');
    unlink "$place/mine.html";
    $lock->publish(@written);
    is(UnixBench::Base::Files::content("$place/mine.csv"), 'other', 'nor removed');
};

subtest 'files of others in a directory with the sticky bit' => sub {
    my ($other) = grep { $_ } ((getpwnam 'nobody')[2]);
    skip_without(machine => 'root, and the user nobody') if $> != 0 || !$other;
    my $place = place();
    touch("$place/mine.html");
    chown $other, -1, "$place/mine.html";
    ok(eval { reserve($place, 'mine')->give_up; 1 }, 'are replaced where all users may do so') || diag $@;
    chmod 01777, "$place";
    is(eval { reserve($place, 'mine'); 1 }, undef, 'are not replaced, also not by root');
    is($@,                                  "can't write $place/mine.html: Operation not permitted\n", 'the message');
};

subtest 'temporary files are those of the run alone' => sub {
    my $place = place();
    my @users = map { ("mine$_.new", "mine$_.4711.new") } q{}, qw(.csv .html .log);
    touch("$place/mine", map { "$place/$_" } @users);
    my $lock = reserve($place, 'mine');
    $lock->append(journal => qq({"head":{"pid":4712}}\n));
    touch(map { "$place/mine$_" } my @left = qw(.4712.new .html.4712.new .log.4712-1.new -b.log.4712.new));
    undef $lock;
    unlink "$place/mine.log.$$.new";
    reserve($place, 'mine')->give_up;
    is_deeply([sort @{ names_in($place) }], [sort 'mine', @users], 'those of the earlier run go');
};

subtest 'an unfinished run of the same name is replaced' => sub {
    my $place = place();
    reserve($place, 'mine')->append(journal => "begun\n");
    my $lock = reserve($place, 'mine');
    is(-s "$place/mine.journal", 0, 'the new journal is empty');
    $lock->give_up;
    is_deeply(names_in($place), [], 'give_up leaves nothing');
};

subtest 'journals are private' => sub {
    my $place = place();
    for my $umask (0, 0777) {
        my $old      = umask $umask;
        my @journals = map { base_in($place, $_) . '.journal' } undef, "u$umask";
        umask $old;
        is_deeply([map { (stat)[2] & 07777 } @journals], [0600, 0600], "with umask $umask");
    }
    my $path = base_in($place, 'mine') . '.journal';
    for my $mode (0620, 0602) {
        chmod $mode, $path;
        my $why = "$path can be changed by other users; check its contents, then chmod 600 it\n";
        is(why_not_opened("$place/mine"), $why, "refused with the mode $mode");
    }
    chmod 0644, $path;
    is(why_not_opened("$place/mine"), undef, 'a journal that others can read is accepted');
    is((stat $path)[2] & 07777,       0600,  'it is private from then on');
};

subtest 'journals that are not plain files of their own are refused' => sub {
    my $place = place();
    UnixBench::Base::Files::write_whole("$place/precious", "precious\n");
    symlink "$place/precious", "$place/linked.journal" or die "symlink: $!\n";
    link "$place/precious", "$place/mine.journal" or skip_without(machine => 'hard links');
    mkdir "$place/folder.journal" or die "mkdir: $!\n";
    touch("$place/theirs.journal", "$place/x.log.journal");
    my %why = (
        linked  => "$place/linked.journal is a symbolic link, which may lead to another file; remove it",
        mine    => "$place/mine.journal has a second name (a hard link); replace it with a copy",
        folder  => "can't resume $place/folder.journal: Is a directory",
        absent  => "can't resume $place/absent.journal: No such file or directory",
        'x.log' =>
            "can't resume $place/x.log.journal: the name of a run must not end in .log: another file of the run has "
            . 'this suffix; rename the journal',
        $> == 0 && chown(54_321, -1, "$place/theirs.journal")
        ? (theirs => "$place/theirs.journal belongs to another user")
        : (),
    );
    is(why_not_opened("$place/$_"), "$why{$_}\n", "refused: $_") for sort keys %why;
    my $lock = reserve($place, 'mine');
    $lock->append(journal => 'x');
    is_deeply(texts($place, '/precious'), ["precious\n"], 'a new run of that name does not change the other file');
};

# Takes a directory, a name, and what the names of other states have after it; returns the base, or why there is none.
sub base_or_why {
    my ($directory, $name, @others) = @_;
    my @when = (host => 'box', time_s => $NOON);
    my @what = (directory => "$directory", name => $name, others => \@others, @when);
    return eval { UnixBench::Store::OutputLock->reserve(@what)->base } // $@;
}

subtest 'the names of other states' => sub {
    my $place = place();
    touch(map { "$place/$_" } qw(x-b.html x-b.log));
    is(base_or_why($place, qw(x -b -c)), "$place/x", 'a page and a log of a state are replaced');
    for my $file (qw(y-c y-c.json y-c.journal)) {
        touch("$place/$file");
        my $expected = "can't write $place/y-c.html: $place/y-c is another result; move it, or choose another name\n";
        is(base_or_why($place, qw(y -b -c)), $expected,  "the result of another run is not: $file");
        is(base_or_why($place, qw(y -b)),    "$place/y", 'this is only about the names that the run has');
        unlink map { "$place/$_" } $file, qw(y.log y.journal);
    }
    is_deeply([grep { /\Ay/ } @{ names_in($place) }], [], 'a run that is refused leaves nothing');

    touch("$place/box-2026-11-20-01-b.html");
    is(base_or_why($place, undef, '-b'), "$place/box-2026-11-20-02", 'names with a number are free for all states');

};

done_testing();
