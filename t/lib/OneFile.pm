package OneFile;

# Runs one test file for t/suite, until it ends: a process that it has left behind may keep its standard output open.

use strict;
use warnings;

use IO::Handle  ();
use IO::Select  ();
use POSIX       ();
use Time::HiRes qw(time);

# Each process of a test file has this in its environment.
use constant MARK => 'UB_TEST_FILE';

# Seconds between two looks whether the test has ended while its output is open.
use constant LOOK => 0.5;

# Takes the file for a test's standard error, the number of seconds after which it hangs, and the command that runs it.
# Copies what the test prints, and exits as the test does. A test that hangs is ended, with all processes that it began,
# and a line in that file says so.
sub run {
    my ($said, $seconds, @command) = @_;
    open STDERR, '>', $said or die "$said: $!\n";
    pipe my $from, my $to or die "pipe: $!\n";
    local $ENV{ +MARK } = "$$";
    my $test = fork // die "fork: $!\n";
    if (!$test) {
        open STDOUT, '>&', $to or die "$!\n";
        exec @command or die "$command[0]: $!\n";
    }
    close $to;
    my $status = _copied($from, $test, time + $seconds);
    if (!defined $status) {
        print {*STDERR} "nothing more within $seconds s: it hung, and was ended\n";
        kill KILL => $test, _marked();
        waitpid $test, 0;
        exit 1;
    }
    exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
}

# Copies the test's output until the test has ended and there is no more; returns its status, or undef if this is after
# its time.
sub _copied {
    my ($from, $test, $end) = @_;
    STDOUT->autoflush(1);
    my $select = IO::Select->new($from);
    my ($status, $is_open) = (undef, 1);
    while ($is_open || !defined $status) {
        return if time > $end;
        $status //= waitpid($test, POSIX::WNOHANG()) ? $? : undef;
        my $is_last = defined $status;
        if ($is_open && $select->can_read($is_last ? 0 : LOOK)) {
            $is_open = sysread $from, my $text, 65_536;
            print $text if $is_open;
        }
        elsif ($is_last) {
            print {*STDERR} map { 'it left a process behind: ' . _command($_) . "\n" } _marked() if $is_open;
            last;
        }
        elsif (!$is_open) { select undef, undef, undef, LOOK / 10 }
    }
    return $status;
}

# Returns the process ids of the test's processes.
sub _marked {
    my $mark = MARK . "=$$";
    return grep { $_ != $$ && _text("/proc/$_/environ") =~ /(?:\A|\0)$mark(?:\0|\z)/ }
        map { /([0-9]+)/ } glob '/proc/[0-9]*';
}

# Takes a process id; returns this and the command.
sub _command {
    my ($id) = @_;
    return join q{ }, $id, split /\0/, _text("/proc/$id/cmdline");
}

# Returns the contents of a file, or an empty text if there is none.
sub _text {
    my ($path) = @_;
    open my $file, '<', $path or return q{};
    local $/ = undef;
    return readline($file) // q{};
}

1;
