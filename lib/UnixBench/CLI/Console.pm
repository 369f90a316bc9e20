package UnixBench::CLI::Console;

# The output of Run. Errors go to standard error. Messages go to standard output, and so does the answer, which is the
# text that the user asked for. If the answer is for a program, messages go to standard error. All modules call the
# command ./Run; the console prints it as the user has called it.

use strict;
use warnings;

use Errno qw(EBADF EPIPE);
use Fcntl qw(F_GETFL O_RDONLY O_RDWR);
use POSIX ();

use File::Basename ();

use UnixBench::Base::Arguments ();
use UnixBench::Base::Text      ();
use UnixBench::Process::Writer ();

use constant COMMAND => './Run';
use constant ACCESS  => 3;         # mask for the access mode in a handle's flags: reading, writing or both

# Takes perhaps command, the word by which the user has called this program (default: ./Run).
sub new {
    my ($class, @given) = @_;
    my $command =
        UnixBench::Base::Text::clean(UnixBench::Base::Arguments::named(\@given, qw(command))->{command} // COMMAND);
    return bless { command => $command, name => File::Basename::basename($command) }, $class;
}

# Takes an error of one line; prints it on standard error, after the name of the command.
sub complain {
    my ($self, $error) = @_;
    return $self->_print_error($error);
}

# Takes an error of one or more lines about the words of the command line; prints it in the same way.
sub refuse {
    my ($self, $error) = @_;
    return $self->_print_error(split /\n/, $error);
}

# Takes a message; prints it. Returns whether that worked. An error of standard output is printed once.
sub inform {
    my ($self, $text) = @_;
    return $self->_print(\*STDOUT, _broken(\*STDOUT, $self->named(UnixBench::Base::Text::disarmed($text))));
}

# Takes a printable text; does the same.
sub show {
    my ($self, $text) = @_;
    return $self->_print(\*STDOUT, $self->named($text), 1);
}

# Returns the terminal on standard output that shows a text to people, or undef if there is none:
#   columns  its width
sub screen {
    my ($self) = @_;
    return $self->{kept} || !POSIX::isatty(1) ? undef : { columns => columns() };
}

# Takes a text that names ./Run; returns it with the name by which the user has called the command.
sub named {
    my ($self, $text) = @_;
    my $command = $self->{command};
    return $command eq COMMAND ? $text : $text =~ s{(?<!\S)\Q@{[COMMAND]}\E(?!\S)}{$command}gr;
}

# Returns the number of columns of the terminal on standard output, or 80.
sub columns { return UnixBench::Process::Writer::columns(\*STDOUT, \%ENV) }

# Returns whether terminals of this environment know control sequences.
sub has_controls { return ($ENV{TERM} // q{}) !~ /\A(?:dumb)?\z/ }

# Takes the answer; prints it. Returns whether that worked.
sub answer {
    my ($self, $text) = @_;
    return $self->_print($self->{kept} || \*STDOUT, $text);
}

# Reserves standard output for the answer: all other output goes to standard error from then on. Dies if that fails.
sub keep_standard_output {
    my ($self) = @_;
    open $self->{kept}, '>&', \*STDOUT or die "can't duplicate standard output: $!\n";
    open STDOUT,        '>&', \*STDERR or die "can't duplicate standard output: $!\n";
    return;
}

# Returns the handle of the reserved standard output, or undef if it is not reserved.
sub kept { my ($self) = @_; return $self->{kept} }

# Takes a handle for standard output, a text, and perhaps whether it is printable; prints it. On a terminal, control
# characters are printed as escapes, unless the text is printable. Returns nothing, or a line with the error. It is not
# an error if the reader closes the pipe early.
sub say_to {
    my ($out, $text, $is_printable) = @_;
    $out->clearerr;
    $text = UnixBench::Base::Text::disarmed($text) if !$is_printable && -t $out;  ## no critic (ProhibitInteractiveTest)
    return if UnixBench::Process::Writer::put($out, $text);
    my $why = $! == EPIPE ? undef : "can't write to standard output: " . ($! == EBADF ? 'it is closed' : $!) . "\n";
    close $out if fileno $out > 2;    # or Perl itself would print an error at its exit
    return $why;
}

# Connects the standard handles that the caller has closed to /dev/null, so that no pipe gets their numbers. Standard
# output can't be written to then, so that each text for it is an error. While the program was loaded, one of its own
# files may have got the number of an output. So an output that can only be read is replaced, too. Dies with one line if
# there is no /dev/null.
sub open_standard_handles {
    my ($null, $closed) = map {
        POSIX::open('/dev/null', $_) // die "can't open /dev/null: $!; make it as root: mknod -m 666 /dev/null c 1 3\n"
    } O_RDWR, O_RDONLY;
    POSIX::dup2($null,   0) if !defined fcntl STDIN, F_GETFL, 0;
    POSIX::dup2($closed, 1) if !_is_writable(\*STDOUT);
    POSIX::dup2($null,   2) if !_is_writable(\*STDERR);
    POSIX::close($_) for grep { $_ > 2 } $null, $closed;
    return;
}

sub _is_writable {
    my ($out) = @_;
    my $mode  = fcntl $out, F_GETFL, 0;
    return defined $mode && ($mode & ACCESS) != O_RDONLY;
}

# Takes a word; returns it quoted for a shell.
sub quoted {
    my ($word) = @_;
    return $word if $word !~ m{[^\w./+:@-]};
    return q{'} . $word   =~ s/'/'\\''/gr . q{'};
}

# For a terminal, longer lines are broken at blanks: it would break them within words. Longer words stay whole.
sub _broken {
    my ($out, $text) = @_;
    return $text if !POSIX::isatty(fileno($out) // -1);    # it may be closed
    my $columns = UnixBench::Process::Writer::columns($out, \%ENV);
    my $lines   = sub {
        utf8::decode(my $shown = $_[0]);
        return $_[0] if length $shown <= $columns;
        my ($indent, $line) = $_[0] =~ /\A( *)(.*)/s;
        return UnixBench::Base::Text::hanging($line, $columns, length $indent, 1);
    };
    return join "\n", map { $lines->($_) } split /\n/, $text, -1;
}

sub _print {
    my ($self, $out, $text, @how) = @_;
    my $error = say_to($out, $text, @how) // return 1;
    $self->complain($error) if !$self->{told}{$error}++;
    return 0;
}

sub _print_error {
    my ($self, @lines) = @_;
    chomp @lines;
    my $error = join "\n", map({ UnixBench::Base::Text::clean($self->named($_)) } @lines), q{};
    UnixBench::Process::Writer::put(\*STDERR, _broken(\*STDERR, "$self->{name}: $error"));
    return;
}

1;
