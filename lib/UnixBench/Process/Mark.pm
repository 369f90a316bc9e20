package UnixBench::Process::Mark;

# A mark on this program that every process inherits which it starts, directly or not, whatever that process does to its
# environment, session, group and open files. The guardian finds the processes of a killed Run by it.
#
# The mark is the soft limit RLIMIT_RTTIME of setrlimit(2), with a value that no other Run has. The kernel reads this
# limit only for real-time processes. The value is so large (more than 18,000 years of CPU time) that it limits nothing.

use strict;
use warnings;

use Config qw(%Config);

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Process::Tree   ();

use constant {
    RTTIME   => 15,
    BYTES    => 8,          # of a number
    FIRST    => 1 << 59,    # the lowest value, in microseconds
    CHOICES  => 1 << 36,
    PID_BITS => 22,
};

# The number of the system call prlimit64(2), which differs between architectures.
my @PRLIMIT = (
    [qr/\Ax86_64(?!.*x32)/                      => 302],
    [qr/\A(?:aarch64|riscv(?:32|64)|loongarch)/ => 261],
    [qr/\Ai[3-6]86/                             => 340],
    [qr/\Aarm/                                  => 369],
    [qr/\As390x?\b/                             => 334],
    [qr/\A(?:powerpc|ppc)/                      => 325],
);

# Chooses a mark, and tries it, but does not leave it set. Dies if this system has no such limit or does not let it be
# set, or if the limit is already so low that another value would have an effect. The mark of another Run may be
# replaced.
sub new {
    my ($class, @given) = @_;
    named(\@given);
    my ($number) = map { $_->[1] } grep { $Config{archname} =~ $_->[0] } @PRLIMIT;
    die "no known limit\n" if $^O ne 'linux' || !$number || $Config{ivsize} < BYTES;
    my $old = pack 'Q2', 0, 0;
    syscall($number, 0, RTTIME, 0, $old) == 0 or die "prlimit: $!\n";
    my ($soft, $hard) = unpack 'Q2', $old;
    my $value = FIRST + (int(rand CHOICES) << PID_BITS) + $$ % (1 << PID_BITS);
    die "the limit is too low\n" if $soft < FIRST || $value >= $hard;
    my $self     = bless { number => $number, value => $value, soft => $soft, hard => $hard }, $class;
    my $is_known = $self->put && $self->_is_on($$);
    $self->remove;
    die "the limit can't be set\n" if !$is_known;
    return $self;
}

# Marks this program and all processes that it starts from now on. Returns whether that was possible.
sub put { my ($self) = @_; return $self->_set('value') }

# Removes the mark from this program alone.
sub remove { my ($self) = @_; return $self->_set('soft') }

sub _set {
    my ($self, $which) = @_;
    return syscall($self->{number}, 0, RTTIME, pack('Q2', @$self{ $which, 'hard' }), 0) == 0;
}

# Returns the PIDs of the living processes that have this mark.
sub bearers {
    my ($self) = @_;
    return grep { $self->_is_on($_) } UnixBench::Process::Tree::all();
}

sub _is_on {
    my ($self, $pid) = @_;
    my ($soft) = (UnixBench::Base::Files::content("/proc/$pid/limits") // q{}) =~ /^Max realtime timeout\s+([0-9]+)\s/m;
    return defined $soft && $soft eq $self->{value};
}

1;
