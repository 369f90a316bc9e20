package UnixBench::Trace::Names;

# The names of system calls by their numbers, which are other ones on each architecture.

use strict;
use warnings;

use constant { NUMBER_MAX => 0x3fff_ffff, DEPTH_MAX => 10 };    # from 0x40000000 on they are those of x32

my $MACRO   = qr/^#define[ \t]+(\w+)[ \t]+(\S.*?)[ \t\r]*$/am;
my $INTEGER = qr/\A(0[xX][0-9a-fA-F]{1,8}|0[0-7]{0,9}|[1-9][0-9]{0,9})[uUlL]{0,3}\z/;

# Names of macros that look like those of calls, and are of numbers only: limits and bases.
my %IS_NO_CALL = map { $_ => 1 } qw(syscalls arch_specific_syscall);

# Takes the macros of <sys/syscall.h>, as "cc -E -dM" prints them; returns { number => name }. Of several names for a
# number that counts for which there is a SYS_, too, then the shortest, then the first in the alphabet.
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

# A macro means an integer, another macro, or a sum of such; what means itself has no value.
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
