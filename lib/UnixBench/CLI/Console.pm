package UnixBench::CLI::Console;

# The output of Run: errors on standard error; messages on standard output; and the answer, which is what the user asked
# for, on standard output, too. If the answer is for a program, the messages go to standard error.

use strict;
use warnings;

use Errno qw(EPIPE);
use Fcntl qw(F_GETFL O_RDONLY O_RDWR);
use POSIX ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Format    ();
use UnixBench::Process::Writer ();

use constant {
    ACCESS   => 3,       # the bits of a handle's flags for reading, writing or both
    LINE_MAX => 1000,    # bytes of a line of an error
};

sub new {
    my ($class, @given) = @_;
    return bless named(\@given), $class;
}

# Takes an error, one line; prints it on standard error, with the name of the program before it.
sub complain {
    my ($self, $error) = @_;
    return _print_error($error);
}

# Takes an error of one or more lines about words of the command line; does the same.
sub refuse {
    my ($self, $error) = @_;
    return _print_error(split /\n/, $error);
}

# Takes a message; prints it. Returns whether that was possible.
sub inform {
    my ($self, $text) = @_;
    return $self->_print(\*STDOUT, UnixBench::Base::Format::disarmed($text));
}

# Takes the answer; prints it. Returns whether that was possible.
sub answer {
    my ($self, $text) = @_;
    return $self->_print($self->{kept} || \*STDOUT, $text);
}

# Keeps standard output for the answer; all else goes to standard error from then on. Dies if that fails.
sub keep_standard_output {
    my ($self) = @_;
    open $self->{kept}, '>&', \*STDOUT or die "can't keep standard output: $!\n";
    open STDOUT,        '>&', \*STDERR or die "can't keep standard output: $!\n";
    return;
}

# Returns the handle of a standard output that is kept, or undef.
sub kept { my ($self) = @_; return $self->{kept} }

# Takes a handle that leads to standard output, and a text; prints it, without control characters on a terminal. Returns
# nothing, or the error, a line. A reader that closes the pipe has read enough: that is not an error.
sub say_to {
    my ($out, $text) = @_;
    $out->clearerr;
    $text = UnixBench::Base::Format::disarmed($text) if -t $out;    ## no critic (ProhibitInteractiveTest)
    return if UnixBench::Process::Writer::put($out, $text);
    my $why = $! == EPIPE ? undef : "can't write to standard output: $!\n";
    close $out if fileno $out > 2;                                  # or Perl itself would complain at the end
    return $why;
}

# Returns whether standard output is a terminal, and so is mostly read by people.
sub is_for_people { return POSIX::isatty(1) ? 1 : 0 }

# Opens the standard handles that the caller has closed, so that no pipe takes their place. A file of this program may
# have taken one while the program was loaded: a handle that can only be read is not one to write to. Dies with one line
# if there is no /dev/null, on which much depends.
sub open_standard_handles {
    my $null = POSIX::open('/dev/null', O_RDWR)
        // die "can't open /dev/null: $!; make it as root: mknod -m 666 /dev/null c 1 3\n";
    POSIX::dup2($null, 0) if !defined fcntl STDIN, F_GETFL, 0;
    for my $out (\*STDOUT, \*STDERR) {
        my $mode = fcntl $out, F_GETFL, 0;
        POSIX::dup2($null, fileno $out) if !defined $mode || ($mode & ACCESS) == O_RDONLY;
    }
    return $null > 2 ? POSIX::close($null) : $null;
}

# Takes a word; returns it as a shell reads it.
sub quoted {
    my ($word) = @_;
    return $word if $word !~ m{[^\w./+:@-]};
    return q{'} . $word   =~ s/'/'\\''/gr . q{'};
}

sub _print {
    my ($self, $out, $text) = @_;
    my $error = say_to($out, $text) // return 1;
    $self->complain($error);
    return 0;
}

sub _print_error {
    my @lines = @_;
    chomp @lines;
    my $error = join "\n", map({ UnixBench::Base::Format::cut($_, LINE_MAX) } @lines), q{};
    UnixBench::Process::Writer::put(\*STDERR, "Run: $error");
    return;
}

1;
