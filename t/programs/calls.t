use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use CallCounts  qw(can_count per_loop);
use Needs       qw(need_built skip_without tracing);
use TestProgram qw(command);

# The system calls in the loops of the measured programs: exactly the expected ones, in every loop.
need_built(qw(syscall pipe context1 spawn execl));
skip_without(tracing()) if !can_count();

my %MIX = map { $_ => 1 } qw(dup close getpid getuid umask);

# Programs whose system calls in the loop are all known.
my @KNOWN = (
    [[qw(syscall mix)]    => \%MIX],
    [[qw(syscall close)]  => { dup    => 1, close => 1 }],
    [[qw(syscall getpid)] => { getpid => 1 }],
    [[qw(pipe)]           => { write  => 1, read => 1 }],
    [[qw(context1)]       => { write  => 2, read => 2 }],
);

# Programs whose loop starts a process or a program. The calls of the C library differ between systems, but are the same
# in each loop. A call that must not occur is 0.
my @STARTING = (
    [[qw(spawn)]        => { fork => 1, wait => 1, execve => 0 }],
    [[qw(syscall exec)] => { fork => 1, wait => 1, execve => 1 }],
    [[qw(execl)]        => { fork => 0, wait => 0, execve => 1 }],
);

sub of_program {
    my ($name, @arguments) = @{ $_[0] };
    return sub { command($name, '-n', $_[0], @arguments) };
}

for my $case (@KNOWN) {
    my ($words, $expected) = @$case;
    is_deeply(per_loop(1000, 2000, of_program($words)), $expected, "@$words: calls in each loop");
}

for my $case (@STARTING) {
    my ($words, $expected) = @$case;
    my $found = per_loop(50, 150, of_program($words));
    is_deeply({ map { $_ => $found->{$_} // 0 } keys %$expected },
        $expected, "@$words: processes and programs started in each loop");
    is_deeply([grep { $found->{$_} !~ /\A[0-9]+\z/ } sort keys %$found],
        [], "@$words: all other calls are the same in each loop");
}

done_testing;
