package UnixBench::Defect;

# Tells an internal error from one that was foreseen. Perl adds the place in the program to the one; the other is a line
# that ends where its author ended it.

use strict;
use warnings;

# Takes what was thrown; returns whether it is an internal error: a panic of Perl, or a mistake in the suite.
sub is_thrown {
    my ($error) = @_;
    return $error =~ /[ ]at[ ].+[ ]line[ ][0-9]+(?:,[ ]<.*>[ ](?:line|chunk)[ ][0-9]+)?[.]\n\z/s ? 1 : 0;
}

# Takes what was thrown; returns the line that says so.
sub in_words {
    my ($error) = @_;
    return is_thrown($error) ? "internal error, please report it: $error" : "$error";
}

1;
