package CallCounts;

# How often a command makes each system call, as strace counts them; and a program that makes others than it should.

use strict;
use warnings;

use Exporter   qw(import);
use File::Copy qw(copy);

use InPath      qw(path_of);
use TestProgram qw(content run scratch write_file);

our @EXPORT_OK = qw(altered_syscall calls_of can_count per_loop plain_name);

# What is one call has several names: older, newer, those of 32 bits and those of a C library.
my %NAME = (
    getuid32 => 'getuid',
    (map { $_ => 'fork' } qw(clone clone3 vfork)),
    (map { $_ => 'wait' } qw(wait4 waitid waitpid)),
);

# The name that stands for a call and all that is the same.
sub plain_name { my ($name) = @_; return $NAME{$name} // $name }

# Takes a line of the source of syscall and another; returns the path of the program that is built with that instead.
# Dies when it can't be.
sub altered_syscall {
    my ($line, $by) = @_;
    my $place  = scratch();
    my $source = content('src/syscall.c') =~ s/^    \Q$line\E$/    $by/mr;
    copy('src/ub.h', $place) or die "copy: $!\n";
    write_file("$place/syscall.c", $source);
    system('cc', '-std=c17', '-O1', '-o', "$place/syscall", "$place/syscall.c") == 0 or die "cc: $?\n";
    return "$place/syscall";
}

# Whether strace is here, may trace, and counts the way we ask it to.
sub can_count {
    my $true = path_of('true') // return 0;
    return path_of('strace') && %{ calls_of([$true]) } ? 1 : 0;
}

# Takes the words of a command; returns { name => how often it and its descendants made that call }, without those that
# never come back, such as exit_group.
sub calls_of {
    my ($command) = @_;
    my $table = scratch() . '/table';
    run([path_of('strace'), qw(-f -qq -c -U), 'name,calls', '-o', $table, '--', @$command]);
    my %said = content($table) =~ /^(\w+) +([0-9]+)$/mg;
    my %count;
    $count{ plain_name($_) } += $said{$_} for grep { $_ ne 'total' } keys %said;
    return \%count;
}

# Takes two numbers of loops and a sub that returns the command of so many. Returns { name => calls in each loop }: what
# start and end do goes out by the difference.
sub per_loop {
    my ($few, $many, $command) = @_;
    my ($less, $more) = map { calls_of($command->($_)) } $few, $many;
    my %difference = map { $_ => ($more->{$_} // 0) - ($less->{$_} // 0) } keys %$less, keys %$more;
    return { map { $difference{$_} ? ($_ => $difference{$_} / ($many - $few)) : () } keys %difference };
}

1;
