package UnixBench::Base::Halt;

# What ends a run, or this program. The exception ends a run for a reason outside the running test, such as a full disk.
# The run can be resumed. As a string, the exception is its line. An internal error, which is a panic of Perl or a
# mistake in the suite, ends the run in the same way. It is recognized by the place in the program that Perl appends to
# its message.

use strict;
use warnings;

use Errno        qw(EMFILE ENFILE);
use Scalar::Util qw(blessed);

use UnixBench::Base::Arguments qw(named);

use overload q{""} => sub { $_[0]->line }, fallback => 1;

# Takes line => the message for the user, with its newline, and optionally is_no_space => 1 for a full disk, or spoils
# => why the states of the run can't be compared any more, in words: then it can't be resumed, either.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(line is_no_space spoils)), $class;
}

sub line { my ($self) = @_; return $self->{line} }

# Takes an exception; returns what spoils the run, or undef.
sub spoils { my ($thrown) = @_; return _is_halt($thrown) ? $thrown->{spoils} : undef }

# Takes an exception. Returns whether it ends the run: that is, whether it belongs to this class or is an internal
# error.
sub is_thrown {
    my ($thrown) = @_;
    return blessed($thrown) ? _is_halt($thrown) : _is_internal($thrown);
}

# Takes an exception. Returns whether it says that a disk is full.
sub is_no_space {
    my ($thrown) = @_;
    return _is_halt($thrown) && $thrown->{is_no_space} ? 1 : 0;
}

# Takes an error number. Returns whether it says that the disk, or the user's quota of it, is full.
sub means_no_space {
    my ($errno) = @_;
    local $! = $errno;
    return $!{ENOSPC} || $!{EDQUOT} ? 1 : 0;
}

# Takes an exception. Returns its line, which asks for a report if it is an internal error. A limit of the system on
# open files is none: it may keep Perl from loading its modules.
sub in_words {
    my ($thrown) = @_;
    return "too many open files: raise the limit by ulimit -n 1024\n"
        if _is_internal($thrown) && grep { local $! = $_; index($thrown, "$!") >= 0 } EMFILE, ENFILE;
    return _is_internal($thrown) ? "internal error, please report it: $thrown" : "$thrown";
}

sub _is_halt {
    my ($thrown) = @_;
    return blessed($thrown) && $thrown->isa(__PACKAGE__) ? 1 : 0;
}

sub _is_internal {
    my ($thrown) = @_;
    return $thrown =~ /[ ]at[ ].+[ ]line[ ][0-9]+(?:,[ ]<.*>[ ](?:line|chunk)[ ][0-9]+)?[.]\n\z/s ? 1 : 0;
}

# Linux alone has some of them. A fault of the program itself raises others, such as SEGV: a handler would not end it.
my @DEADLY = qw(HUP INT QUIT TERM USR1 USR2 ALRM VTALRM PROF XCPU ABRT TRAP SYS STKFLT PWR POLL);

# Returns the names of the signals that end a program by default, that a user or another program may send, and that this
# system has.
sub deadly_signals {
    return grep { exists $SIG{$_} } @DEADLY;
}

1;
