use strict;
use warnings;

use Cwd        ();
use File::Temp ();
use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(measured rendered result run);
use Needs   qw(skip_without);
use Place   qw(names_in place touch);
use UnixBench::Base::Files;
use UnixBench::Base::Halt;
use UnixBench::Process::Signals;
use UnixBench::Store::ResultFile;
use UnixBench::Base::OtherUsers;

# Takes a function; returns its error, or undef.
sub error_of {
    my ($do) = @_;
    return eval { $do->(); 1 } ? undef : $@;
}

sub make_directory {
    my ($path) = @_;
    return error_of(sub { UnixBench::Base::Files::make_directory($path) });
}

sub check_writable {
    my ($path) = @_;
    return error_of(sub { UnixBench::Base::Files::check_writable($path) });
}

sub write_to {
    my ($path, $text) = @_;
    return error_of(sub { UnixBench::Base::Files::write_to($path, $text) });
}

sub content { my ($path) = @_; return UnixBench::Base::Files::content($path) }

subtest "make_directory makes a directory or says why it can't" => sub {
    my $place = place();
    my $old   = umask 0;
    is(make_directory("$place/a b/\"c\"/d\xc3\xa9"), undef, 'missing parent directories are made, too');
    umask $old;
    is((stat "$place/a b")[2] & 07777, 0775, 'other users can never write to it');
    ok(-d "$place/a b/\"c\"/d\xc3\xa9", 'the directory is there');
    is(make_directory("$place/a b"), undef, 'an existing directory is accepted');
    {
        no warnings 'redefine';
        local *POSIX::access = sub { $! = POSIX::EROFS(); return };
        my $why = "can't write to directory $place: Read-only file system\n";
        is(make_directory("$place"), $why, 'a file system that is read-only, also for root');
    }
    touch("$place/file");
    like(make_directory("$place/file/x"), qr{\Acan't make directory \Q$place\E/file/x: [^\n]+\n\z}, 'below a file');
    like(make_directory("$place/file"),   qr/\Acan't make directory [^\n]+\n\z/, 'the name of a file');
    skip_without(machine => 'the user nobody') if $> == 0 && !getpwnam 'nobody';
    chmod 0555, "$place" or die "chmod: $!\n";
    local $> = getpwnam 'nobody' if $> == 0;
    is(make_directory("$place"), "can't write to directory $place: Permission denied\n", 'one that is not writable');
};

subtest 'write_whole replaces files, and content reads them' => sub {
    my $place = place();
    my $path  = "$place/report";
    UnixBench::Base::Files::write_whole($path, $_) for 'first', "second\n";
    is(content($path), "second\n", 'the content of a file is replaced');
    is_deeply(names_in($place), ['report'], 'no temporary file is left');
    mkdir "$place/folder" or die "mkdir: $!\n";
    my $why = error_of(sub { UnixBench::Base::Files::write_whole("$place/folder", 'x') });
    like($why, qr{\Acan't write \Q$place\E/folder: [^\n]+\n\z}, 'a directory is not replaced by a file');
    is_deeply(names_in($place), [qw(folder report)], 'no temporary file is left after an error');
};

# Names of files below a place => why they can't be written, undef if they can.
my %WHY_NOT = (
    'new'         => undef,
    'there'       => undef,
    'link'        => undef,
    'new by link' => undef,
    'fifo'        => 'it is a pipe (FIFO); give a file',
    'folder'      => 'Is a directory',
    'to folder'   => 'Is a directory',
    'none/x'      => 'No such file or directory',
    'dangling'    => 'No such file or directory',
    'there/x'     => 'Not a directory',
    'round'       => 'Too many levels of symbolic links',
    'x' x 256     => 'File name too long',
);

sub place_of_all_kinds {
    my $place = place();
    touch("$place/there", "$place/target");
    mkdir "$place/folder"                or die "mkdir: $!\n";
    system('mkfifo', "$place/fifo") == 0 or die "mkfifo: $?\n";
    my %link =
        (link => 'target', 'new by link' => 'fresh', 'to folder' => 'folder', dangling => 'none/x', round => 'round');
    symlink $link{$_}, "$place/$_" or die "symlink: $!\n" for keys %link;
    return $place;
}

subtest 'files that the user names are checked first and written later' => sub {
    my $place  = place_of_all_kinds();
    my $before = names_in($place);
    for my $name (sort keys %WHY_NOT) {
        my $expected = defined $WHY_NOT{$name} ? "can't write $place/$name: $WHY_NOT{$name}\n" : undef;
        is(check_writable("$place/$name"), $expected, "check_writable: $name");
    }
    is_deeply(names_in($place), $before, 'check_writable creates no file');
    is(content("$place/fifo"),  undef, 'a FIFO has no content, and is not waited for');
    is(content("$place/there"), q{},   'check_writable keeps the content of a file');
    for my $name (sort keys %WHY_NOT) {
        my $why = write_to("$place/$name", "text of $name");
        if (defined $WHY_NOT{$name}) { like($why, qr{\Acan't write \Q$place/$name\E: [^\n]+\n\z}, "write_to: $name") }
        else                         { is(content("$place/$name"), "text of $name", "write_to: $name") || diag $why }
    }
    is_deeply([map { readlink "$place/$_" } 'link', 'new by link'], [qw(target fresh)], 'symbolic links stay links');
    is_deeply(names_in($place), [sort 'fresh', 'new', @$before],                        'no other file is left');
    is(check_writable("$place/a\nb/c"), "can't write $place/a\\nb/c: No such file or directory\n", 'its newline');
};

subtest 'a file that cannot be written to is refused' => sub {
    skip_without(machine => 'the user nobody') if $> == 0 && !getpwnam 'nobody';
    my $place = place();
    touch("$place/own", "$place/open");
    chmod 0444, "$place/own";
    chmod 0666, "$place/open";
    chmod 0555, "$place" or die "chmod: $!\n";
    local $> = getpwnam 'nobody' if $> == 0;
    is(check_writable("$place/$_"), "can't write $place/$_: Permission denied\n", "$_ is refused") for qw(own new);
    is(check_writable("$place/open") // write_to("$place/open", 'text'), undef,   'a file in a read-only directory');
    is(content("$place/open"),                                           'text',  'is written to');
};

subtest "a file NAME.new of the user is not used as a temporary file" => sub {
    my $place = place();
    touch(map { "$place/$_" } my @mine = ('a.new', "a.$$.new"));
    symlink 'victim', "$place/a.$$-1.new" or die "symlink: $!\n";
    for my $write (qw(write_to write_whole)) {
        UnixBench::Base::Files::check_writable("$place/a");
        UnixBench::Base::Files->can($write)->("$place/a", 'text');
        is_deeply(names_in($place), [sort 'a', "a.$$-1.new", @mine], "$write leaves other files alone");
    }
    my $new = UnixBench::Base::Files::write_new("$place/a", 'text');
    is($new,                                   "$place/a.$$-2.new", 'write_new takes a free name');
    is(UnixBench::Base::Files::maker_of($new), $$,                  'which tells the process that has made it');
    is(UnixBench::Base::Files::maker_of($_),   undef, "$_ is not a temporary name") for 'a.new', 'a.1.news', '1.new';
    my $long = 'x' x 255;
    UnixBench::Base::Files::write_whole("$place/$long", 'text');
    is(content("$place/$long"), 'text', 'a file with the longest name can be written');
};

subtest 'two programs write one file at once' => sub {
    my $place = place();
    my $other = sub {
        my ($write) = @_;
        $write->('begin');
        my $pid = fork // die "fork: $!\n";
        if (!$pid) {
            UnixBench::Base::Files::write_whole("$place/a", 'whole');
            POSIX::_exit(0);
        }
        waitpid $pid, 0;
        is(content("$place/a"), 'whole', 'the first to end writes it');
        $write->(' end');
    };
    UnixBench::Base::Files::write_whole("$place/a", $other);
    is(content("$place/a"), 'begin end', 'then the other one');
    is_deeply(names_in($place), ['a'], 'no file is left');
};

subtest 'no temporary file is left if the text can not be made' => sub {
    my $place = place();
    is(write_to("$place/a", sub { $_[0]->('begin'); die "no text\n" }), "no text\n", 'the error is passed on');
    is_deeply(names_in($place), [], 'no file is left');
};

subtest 'a signal removes the temporary file' => sub {
    for my $signal (UnixBench::Base::Halt::deadly_signals()) {
        my $place = place();
        my $pid   = fork // die "fork: $!\n";
        if (!$pid) {
            open STDERR, '>', '/dev/null';
            chdir $place;
            UnixBench::Base::Files::write_to("$place/a", sub { $_[0]->('begin'); kill $signal, $$; $_[0]->('end') });
            POSIX::_exit(0);
        }
        waitpid $pid, 0;
        is($? & 127, UnixBench::Process::Signals::number($signal), "$signal ends the program");
        is_deeply(names_in($place), [], 'no file is left');
    }
    my $place = place();
    local $SIG{TERM} = 'IGNORE';
    UnixBench::Base::Files::write_to("$place/a", sub { $_[0]->('begin'); kill 'TERM', $$; $_[0]->(' end') });
    is(content("$place/a"), 'begin end', 'a signal that is ignored changes nothing');
};

subtest 'a full disk is noticed when a file is written' => sub {
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    is(check_writable('/dev/full'), undef, 'check_writable accepts a full disk');
    is(write_to('/dev/full', 'x'),  "can't write /dev/full: No space left on device\n", 'write_to dies');
};

subtest "another user's file in a directory such as /tmp" => sub {
    skip_without(machine => 'another user than root') if $> != 0;
    my $place = place();
    touch("$place/theirs");
    chmod 01777, "$place";
    chmod 0666,  "$place/theirs";
    my $why_not = do { local $> = 65_534; check_writable("$place/theirs") };
    is($why_not, "can't write $place/theirs: Operation not permitted\n", 'is refused before anything is measured');
};

subtest 'a file that is a mount point is written to' => sub {
    my $place = place();
    touch("$place/inside", "$place/outside");
    my $mount = qq{mount --bind '$place/outside' '$place/inside'};
    skip_without(machine => 'a file system to mount') if system qq{unshare -m sh -c "$mount" 2>/dev/null};
    my $write =
          qq{UnixBench::Base::Files::check_writable(q{$place/inside}); }
        . qq{UnixBench::Base::Files::write_to(q{$place/inside}, q{text})};
    is(
        system(
            qq{unshare -m sh -c "$mount && '$^X' '-I$FindBin::Bin/../../../lib' -MUnixBench::Base::Files -e '$write'"}),
        0,
        'check_writable and write_to accept a mount point'
    );
    is_deeply([map { content("$place/$_") } qw(inside outside)], [q{}, 'text'], 'the text is in the mounted file');
    is_deeply(names_in($place),                                  [qw(inside outside)], 'no other file is left');
};

# Reading a file that the user has named: endless files, devices and directories are refused with an error of one line.
use constant LIMIT_S => 300;

my $PLACE  = File::Temp->newdir;
my $RESULT = result([run(1, measured('pipe', 1, 5e6, 5.1e6))]);
my $JSON   = rendered(json => $RESULT);

# Takes a path; reads it, and returns the error.
sub refusal {
    my ($path) = @_;
    local $SIG{ALRM} = sub { die "it waits without end\n" };
    alarm LIMIT_S;
    eval { UnixBench::Store::ResultFile::summary($path) };
    alarm 0;
    return $@;
}

sub is_refused {
    my ($path, $why, $name) = @_;
    return is(refusal($path), "can't read $path: $why\n", $name);
}

is_refused('/dev/zero', 'it is a device; give a file', 'an endless device is refused');
is_refused('/dev/null', 'it is a device; give a file', 'an empty device is refused');
is_refused("$PLACE",    'Is a directory',              'a directory is refused');

my $sparse = "$PLACE/sparse";
open my $file, '>:raw', $sparse or die "$sparse: $!\n";
truncate $file, 2**30 or die "$sparse: $!\n";
is_refused($sparse, 'it is larger than 16 MB, the limit for such a file', 'a sparse file of a gigabyte is refused');
syswrite $file, '{' or die "$sparse: $!\n";
close $file or die "$sparse: $!\n";
is_refused(
    $sparse,
    'it is larger than 256 MB, the limit for such a file',
    'a large file that begins like JSON is refused'
);

mkfifo("$PLACE/fifo", 0600) or die "fifo: $!\n";
symlink 'fifo', "$PLACE/link" or die "link: $!\n";
is_refused("$PLACE/$_", 'it is a pipe (FIFO); give a file', "a $_ is refused") for qw(fifo link);

# Takes a function that writes to a pipe and one that reads from a path. Runs the first in a child, with an open pipe;
# runs the second with the path of the pipe, as a shell gives it for <(COMMAND). Returns its value, with "PIPE" for that
# path.
sub piped {
    my ($write, $read) = @_;
    pipe my $reader, my $pipe or die "pipe: $!\n";
    my $writer = fork // die "fork: $!\n";
    if (!$writer) {
        local $SIG{PIPE} = 'IGNORE';
        close $reader;
        $write->($pipe);
        POSIX::_exit(0);
    }
    close $pipe;
    my $path  = '/dev/fd/' . fileno $reader;
    my $value = $read->($path);
    kill KILL => $writer;
    waitpid $writer, 0;
    return $value =~ s/\Q$path\E:/PIPE:/r;
}

for my $start (q{}, '{') {
    my $limit = length $start ? 256 : 16;
    my $why = piped(sub { my ($pipe) = @_; syswrite $pipe, $start; 1 while syswrite $pipe, "\0" x 65_536 }, \&refusal);
    is(
        $why,
        "can't read PIPE: it is larger than $limit MB, the limit for such a file\n",
        "an endless pipe that begins with '$start' is refused"
    );
}

for my $text ($JSON, rendered(text => $RESULT)) {
    my $copies = piped(sub { my ($pipe) = @_; syswrite $pipe, $_ for split /(?<=,)/, $text },
        sub { my ($path) = @_; UnixBench::Store::ResultFile::summary($path)->{runs}[0]{copies} });
    is($copies, 1, 'a pipe that ends is read piece by piece');
}

subtest 'files that the user has not named are read only if they are plain files' => sub {
    symlink '/dev/zero', "$PLACE/endless" or die "link: $!\n";
    local $SIG{ALRM} = sub { die "it waits without end\n" };
    alarm LIMIT_S;
    for my $path ("$PLACE", "$PLACE/fifo", "$PLACE/link", "$PLACE/endless", "$PLACE/sparse", "$PLACE/none", "a\0b") {
        is(UnixBench::Base::Files::content($path), undef, "content: $path");
    }
    for my $path ("$PLACE", "$PLACE/fifo", "$PLACE/endless", "$PLACE/none", "a\0b") {
        is(UnixBench::Base::Files::opened_plain($path), undef, "opened_plain: $path");
    }
    alarm 0;
    truncate "$PLACE/sparse", 65 << 20 or die "$PLACE/sparse: $!\n";
    is(UnixBench::Base::Files::content("$PLACE/sparse"),            undef,    'the limit is 64 MB');
    is(length UnixBench::Base::Files::content("$PLACE/sparse", 65), 65 << 20, 'unless a larger one is given');
    like(UnixBench::Base::Files::content("/proc/$$/stat") // "$$ (", qr/\A$$ [(]/, 'a file of the kernel is read');
};

subtest 'a silent pipe is given up after a minute' => sub {
    no warnings 'redefine';
    my @waits;
    local *UnixBench::Base::Files::has_something = sub { push @waits, $_[1]; return 0 };
    my $why = piped(sub { sleep LIMIT_S }, \&refusal);
    is($why, "can't read PIPE: this pipe sent nothing for 60 s; give a file\n", 'a pipe that is silent');
    is_deeply(\@waits, [60], 'the reader waits once, for 60 s');
};

use constant OTHER => 54_321;    # the number of another user, and of another group

my $AREA = Cwd::abs_path(my $place = place());
my $HOME = "$AREA/home";
UnixBench::Base::Files::make_directory("$AREA/$_")
    for qw(home/suite own/below open/below group/below sticky/below theirs/ours);
chmod 0777,  "$AREA/open";
chmod 0775,  "$AREA/group";
chmod 01777, "$AREA/sticky";

sub danger { return UnixBench::Base::OtherUsers::danger(@_) }

subtest 'a directory that all users can write to is unsafe' => sub {
    is(danger("$AREA/$_", "$HOME/suite"), undef, "$_ is safe")
        for qw(own own/below own/below/new own/below/../.. group/below sticky/below sticky home/suite/tmp);
    for my $path (qw(open open/below open/new own/../open/below)) {
        is(danger("$AREA/$path", "$HOME/suite"), "$AREA/open can be written to by all users", "$path is unsafe");
    }
};

subtest 'symbolic links are followed' => sub {
    my %link = (good => "$AREA/own", bad => "$AREA/open/below", up => '../own/../open', round => 'round');
    symlink $link{$_}, "$AREA/own/$_" or die "symlink: $!\n" for keys %link;
    is(danger("$AREA/own/good/below", $HOME), undef, 'a link to a safe directory is safe');
    is(danger("$AREA/own/$_/x",  $HOME), "$AREA/open can be written to by all users", "a link to it") for qw(bad up);
    is(danger("$AREA/own/round", $HOME), undef, 'a link to itself is left to other checks');
};

subtest 'a directory of another user is unsafe' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $path = "$AREA/theirs";
    chown OTHER, -1, $path or skip_without(machine => 'files of other users');
    my $said = "$path belongs to the user with the number " . OTHER;
    is(danger($_, $HOME), $said, "$_ is unsafe") for $path, "$path/ours", "$path/new";
    symlink '../own', "$AREA/sticky/theirs" or die "symlink: $!\n";
    system('chown', '-h', OTHER, "$AREA/sticky/theirs") == 0 or die "chown: $?\n";
    like(danger("$AREA/sticky/theirs/x", $HOME), qr{sticky/theirs belongs to}, 'a link of another user is unsafe');
    chown OTHER, -1, "$HOME/suite";
    is(danger("$path/ours", "$HOME/suite"), undef, 'a directory of the owner of the suite is safe');
    chown 0,     -1, "$HOME/suite";
    chown OTHER, -1, $HOME;
    is(danger("$path/ours", "$HOME/suite"), undef, 'a directory of the owner of the folder above the suite is safe');
};

subtest 'a directory that another group can write to is unsafe' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $path = "$AREA/group";
    chown 0, OTHER, $path or skip_without(machine => 'files of other users');
    chmod 0775, $path;
    my $said = "$path can be written to by the group with the number " . OTHER;
    is(danger("$path/below", "$HOME/suite"), $said, 'a group that the caller is not in is not trusted');
    chown 0, OTHER, $HOME;
    is(danger("$path/below", "$HOME/suite"), $said, 'a group that only owns the suite is not trusted');
    chmod 0775, $HOME;
    is(danger("$path/below", "$HOME/suite"), undef, 'a group that can write to the suite is trusted');
    chmod 0755, $path, $HOME;
    local $) = '0 ' . OTHER;
    chmod 0775, $path;
    is(danger("$path/below", "$HOME/suite"), undef, 'a group of the caller is trusted');
};

# Whoever could replace the programs gains nothing by replacing scratch files. All modes are 0777 after chmod -R 777,
# and on the drives of Windows.
subtest 'a suite that all users can write to' => sub {
    my $suite = "$AREA/given/suite";
    UnixBench::Base::Files::make_directory("$suite/$_") for qw(pgms tmp/below);
    my $all = sub { my ($mode, @paths) = @_; chmod $mode, @paths; return };
    is(UnixBench::Base::OtherUsers::open_tree($suite), undef, 'the usual modes');
    $all->(0777, "$suite/tmp");
    is(danger("$suite/tmp", $suite), "$suite/tmp can be written to by all users", 'tmp alone is unsafe');
    for my $below (q{}, qw(/pgms /..)) {
        my $open = $below eq '/..' ? "$AREA/given" : "$suite$below";
        $all->(0777, $open);
        is(UnixBench::Base::OtherUsers::open_tree($suite), $open, "all users can replace programs in $open");
        is(danger("$suite/$_",      $suite), undef, "$_ is as safe as the programs") for qw(tmp tmp/below new/x);
        is(danger("$AREA/open/new", $suite), "$AREA/open can be written to by all users", 'other places are');
        $all->(01777, $open);
        my $added = $below eq '/pgms' ? $open : undef;
        is(UnixBench::Base::OtherUsers::open_tree($suite), $added, 'with the sticky bit, files can only be added');
        $all->(0755, $open);
    }
    UnixBench::Base::Files::write_whole("$suite/Makefile", q{});
    $all->(0666, "$suite/Makefile");
    is(UnixBench::Base::OtherUsers::open_tree($suite), "$suite/Makefile", 'a file that all users can change');
    $all->(0777, $suite);
    symlink "$AREA/open", "$suite/away" or die "symlink: $!\n";
    like(danger("$suite/away/x", $suite), qr/can be written to by all users/, 'a link leads out of the suite');
    chown OTHER, -1, "$suite/tmp";
    is(danger("$suite/tmp", $suite), undef, 'a directory that another user has made there');
};

done_testing;
