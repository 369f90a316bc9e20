use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../$_" } qw(../lib lib);
use Needs                             qw(need_built path_of skip_without tracing);
use TestProgram                       qw(command content is_error run scratch);

# The same call has several names: older and newer ones, those of 32 bits, and those of a C library.
my %NAME = (
    getuid32 => 'getuid',
    (map { $_ => 'fork' } qw(clone clone3 vfork)),
    (map { $_ => 'wait' } qw(wait4 waitid waitpid)),
);

# Takes the name of a call; returns the one name that is used for it and its variants.
sub plain_name { my ($name) = @_; return $NAME{$name} // $name }

# Returns 1 if strace is installed, may trace and can count calls as needed; otherwise 0.
sub can_count {
    my $true = path_of('true') // return 0;
    return path_of('strace') && %{ calls_of([$true]) } ? 1 : 0;
}

# Takes the words of a command; returns { name => how often it and its descendants made that call }. Calls that never
# return, such as exit_group, are not included.
sub calls_of {
    my ($command) = @_;
    my $table = scratch() . '/table';
    run([path_of('strace'), qw(-f -qq -c -U), 'name,calls', '-o', $table, '--', @$command]);
    my %said = content($table) =~ /^(\w+) +([0-9]+)$/mg;
    my %count;
    $count{ plain_name($_) } += $said{$_} for grep { $_ ne 'total' } keys %said;
    return \%count;
}

# Takes the words of a command; returns the names of the calls of a mix that it makes, in order.
sub mix_of {
    my ($command) = @_;
    my $lines     = scratch() . '/lines';
    my $filter    = 'trace=/^(dup|close|getpid|getuid(32)?|umask)$';
    run([path_of('strace'), qw(-qq -e), $filter, '-o', $lines, '--', @$command]);
    return map { plain_name($_) } content($lines) =~ /^(\w+)[(]/mg;
}

# Takes two numbers of loops and a function that returns the command for a number of loops. Returns { name => calls in
# each loop }: the difference removes the calls at the start and at the end.
sub per_loop {
    my ($few, $many, $command) = @_;
    my ($less, $more) = map { calls_of($command->($_)) } $few, $many;
    my %difference = map { $_ => ($more->{$_} // 0) - ($less->{$_} // 0) } keys %$less, keys %$more;
    return { map { $difference{$_} ? ($_ => $difference{$_} / ($many - $few)) : () } keys %difference };
}

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

# The program calls dup and close before its loop, too.
my $order = join q{ }, mix_of(command(qw(syscall -n 1000 mix)));
like($order, qr/^[^g]*close (?:dup close getpid getuid umask ){1000}[^g]*$/, 'syscall mix: the order of its calls');

for my $case (@STARTING) {
    my ($words, $expected) = @$case;
    my $found = per_loop(50, 150, of_program($words));
    is_deeply({ map { $_ => $found->{$_} // 0 } keys %$expected },       $expected, "@$words: what each loop starts");
    is_deeply([grep { $found->{$_} !~ /\A[0-9]+\z/ } sort keys %$found], [], "@$words: other calls in each loop");
}

# Tests of the program clock, which measures the clock of the CPUs.

need_built('clock');

# Takes arguments; returns the lines of standard error.
sub lines {
    my (@arguments) = @_;
    my $result = run(command(clock => @arguments));
    is($result->{status}, 0,   'exit status 0') or diag $result->{err};
    is($result->{out},    q{}, 'nothing on standard output');
    return split /^/, $result->{err};
}

subtest 'a clock for each copy' => sub {
    for my $copies (undef, 1, 3) {
        my @lines = lines($copies // ());
        is(scalar @lines, $copies // 1, 'a line for each of ' . ($copies // 'the default'));
        is(scalar(grep { !/\ACLOCK[|][1-9][0-9]{6,10}\n\z/ } @lines), 0, 'each has steps a second') or diag @lines;
    }
};

subtest 'wrong arguments' => sub {
    is_error(run(command(clock => @$_)), 2, qr/usage: clock \[COPIES\]/, "clock @$_") for [0], ['x'], [3601], [1, 2];
};

done_testing;
