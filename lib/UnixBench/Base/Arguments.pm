package UnixBench::Base::Arguments;

# Checks the named arguments of constructors.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(named);

# Takes a reference to the list of arguments, NAME => value, and the names that the constructor knows. Returns a
# reference to a hash of the arguments. Dies with the place of the call if a name is unknown or a value is missing.
sub named {
    my ($given, @names) = @_;
    my ($package, $file, $line) = (caller(1))[0 .. 2];
    my $constructor = (caller 0)[0];
    die "$constructor: an argument has no value ($file, line $line)\n" if @$given % 2;
    my %given     = @$given;
    my %is_known  = map { $_ => 1 } @names;
    my ($unknown) = grep { !$is_known{$_} } sort keys %given;
    die "$constructor: there is no argument $unknown ($file, line $line)\n" if defined $unknown;
    return \%given;
}

1;
