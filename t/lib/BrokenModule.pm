package BrokenModule;

# Loaded into Run by PERL5OPT with the path of a module: the text in the file UB_BROKEN is loaded instead of that
# module.

use strict;
use warnings;

my $broken;

sub import {
    (undef, $broken) = @_;
    return;
}

# By now, the directory of the suite is at the beginning of @INC.
INIT { unshift @INC, \&_text_of }

sub _text_of {
    my (undef, $path) = @_;
    return if $path ne $broken;
    open my $file, '<', $ENV{UB_BROKEN} or die "$ENV{UB_BROKEN}: $!\n";
    return $file;
}

1;
