package UnixBench::CLI::Console;

# What is printed, and in what form.

use strict;
use warnings;

use Errno qw(EPIPE);
use Fcntl qw(F_GETFL O_RDONLY O_RDWR);
use POSIX ();

use UnixBench::Base::Format    ();
use UnixBench::Process::Writer ();

use constant {
    ACCESS   => 3,       # the bits of a handle's flags that say whether it can be read, written or both
    LINE_MAX => 1000,    # bytes of a line of an error
};

# Takes an error, of one line, or of several where is_usage says that it is about words of the command line; prints it
# on standard error, with the name of the program before it.
sub complain {
    my ($text, $is_usage) = @_;
    chomp $text;
    my @lines = $is_usage ? split /\n/, $text : $text;
    my $said  = join "\n", map({ UnixBench::Base::Format::cut($_, LINE_MAX) } @lines), q{};
    UnixBench::Process::Writer::put(\*STDERR, "Run: $said");
    return;
}

# Prints a text on a handle that leads to standard output, harmless where that is a terminal; returns why that is not
# possible, a line, or undef.
# Whoever does not read on has read enough; what can't be written anywhere is an error.
sub say_to {
    my ($out, $text) = @_;
    $out->clearerr;
    $text = UnixBench::Base::Format::disarmed($text) if -t $out;    ## no critic (ProhibitInteractiveTest)
    return if UnixBench::Process::Writer::put($out, $text);
    my $why = $! == EPIPE ? undef : "can't write to standard output: $!\n";
    close $out if fileno $out > 2;                                  # or Perl itself would complain at the end
    return $why;
}

# Whether standard output is a terminal, and so, mostly, for people.
sub is_for_people { return POSIX::isatty(1) ? 1 : 0 }

# Leaves standard output to what is said last: returns a handle for that, while all else goes to standard error.
sub kept_standard_output {
    open my $out, '>&', \*STDOUT or die "can't keep standard output: $!\n";
    open STDOUT,  '>&', \*STDERR or die "can't keep standard output: $!\n";
    return $out;
}

# A pipe must never take the place of a standard handle that the caller has closed. A file of this program may have done
# so while it was loaded: what can only be read from is no place to write to.
# Dies with one line where there is no /dev/null: much here depends on it.
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

# A word as a shell takes it.
sub quoted {
    my ($word) = @_;
    return $word if $word !~ m{[^\w./+:@-]};
    return q{'} . $word   =~ s/'/'\\''/gr . q{'};
}

1;
