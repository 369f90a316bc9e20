package CallCounts;

# Counts of the system calls of a command, as strace counts them.

use strict;
use warnings;

use Exporter qw(import);

use InPath      qw(path_of);
use TestProgram qw(content run scratch);

our @EXPORT_OK = qw(calls_of can_count per_loop plain_name);

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

# Takes two numbers of loops and a function that returns the command for a number of loops. Returns { name => calls in
# each loop }: the difference removes the calls at the start and at the end.
sub per_loop {
    my ($few, $many, $command) = @_;
    my ($less, $more) = map { calls_of($command->($_)) } $few, $many;
    my %difference = map { $_ => ($more->{$_} // 0) - ($less->{$_} // 0) } keys %$less, keys %$more;
    return { map { $difference{$_} ? ($_ => $difference{$_} / ($many - $few)) : () } keys %difference };
}

1;
