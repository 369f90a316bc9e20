package UnixBench::Trace::Names;

# The names of system calls by their numbers, which differ between architectures.

use strict;
use warnings;

use UnixBench::Process::Command ();

use constant { NUMBER_MAX => 0x3fff_ffff, DEPTH_MAX => 10 };    # larger numbers are those of x32

my $MACRO   = qr/^#define[ \t]+(\w+)[ \t]+(\S.*?)[ \t\r]*$/am;
my $INTEGER = qr/\A(0[xX][0-9a-fA-F]{1,8}|0[0-7]{0,9}|[1-9][0-9]{0,9})[uUlL]{0,3}\z/;

# Macros that look like calls, but are limits and bases of numbers.
my %IS_NO_CALL = map { $_ => 1 } qw(syscalls arch_specific_syscall);

# Asks the headers of the C library by way of a compiler. Returns { number => name }, empty if there is no compiler.
sub known {
    for my $compiler ([split q{ }, $ENV{CC} // q{}], map { [$_] } qw(cc gcc clang)) {
        next if !@$compiler;
        my $macros =
            UnixBench::Process::Command::output_of([@$compiler, qw(-E -dM -include sys/syscall.h -x c /dev/null)]);
        return of_macros($macros) if defined $macros;
    }
    return {};
}

# Takes the macros of <sys/syscall.h>, as "cc -E -dM" prints them. Returns { number => name }. Of several names for a
# number it prefers one with a macro SYS_ as well, then the shortest, then the first in the alphabet.
sub of_macros {
    my ($text)  = @_;
    my %meaning = $text =~ /$MACRO/g;
    my @names   = grep { /\A[a-z0-9_]+\z/ && !$IS_NO_CALL{$_} } map { /\A(?:__NR|SYS)_(\w+)\z/ } keys %meaning;
    my %rank    = map  { $_ => exists $meaning{"SYS_$_"} ? 0 : 1 } @names;
    my (%known, %name);
    for my $name (sort { $rank{$a} <=> $rank{$b} || length $a <=> length $b || $a cmp $b } keys %rank) {
        my ($macro) = grep { exists $meaning{$_} } "__NR_$name", "SYS_$name";
        my $number  = _value($macro, \%meaning, \%known, 0);
        $name{$number} //= $name if defined $number && $number <= NUMBER_MAX;
    }
    return \%name;
}

# Returns the value of a macro, which is an integer, another macro, or a sum of these. A macro that refers to itself has
# none.
sub _value {
    my ($macro, $meaning, $known, $depth) = @_;
    return $known->{$macro} if exists $known->{$macro} || $depth > DEPTH_MAX || !exists $meaning->{$macro};
    $known->{$macro} = undef;
    my @terms  = map { s/\A\s+|\s+\z//gr } split /[+]/, $meaning->{$macro} =~ tr/()/  /r, -1;
    my @values = map { _integer($_) // _value($_, $meaning, $known, $depth + 1) } @terms;
    return $known->{$macro} if !@values || grep { !defined } @values;
    $known->{$macro} += $_ for @values;
    return $known->{$macro};
}

sub _integer {
    my ($term)   = @_;
    my ($digits) = $term =~ $INTEGER;
    return defined $digits && $digits =~ /\A0/ ? oct $digits : $digits;
}

1;
