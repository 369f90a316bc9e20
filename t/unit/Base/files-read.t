# Reading a file that the user has named: endless files, devices and directories are refused with an error of one line.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use POSIX qw(mkfifo);
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(measured result run);
use Rendered qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Store::ResultFile;

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
    is(
        $why,
        "can't read PIPE: this pipe sent nothing for 60 s; give a file\n",
        'the error says that the pipe was silent'
    );
    is_deeply(\@waits, [60], 'the reader waits once, for 60 s');
};

done_testing;
