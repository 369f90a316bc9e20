package UnixBench::Store::OtherFiles;

# Files of other kinds, such as logs, from which features make results. A feature declares for each kind:
#   word    what the help calls such a file
#   about   a sentence on it for the help of the command report
#   reader  a module with two subs:
#     likeness   takes a reference to a text; returns words that describe such a file in a message, or nothing if the
#                text is something else
#     read_file  takes the path of a file, and its text if that was read already. Returns nothing if it is something
#                else, or a function that takes a UnixBench::Call::Call and returns the result. Both die with one line
#                if no result can be made of the file
# It also declares files of its own in the directory of results, with other keys:
#   name    NAME of the file NAME.log, in small letters. No result can have this name
#   about   what it has

use strict;
use warnings;

use UnixBench::Features qw(loaded);

# Takes a reference to a text; returns words that describe it, or undef if no feature knows such a file.
sub likeness {
    my ($text) = @_;
    return _first(sub { $_[0]->can('likeness')->($text) });
}

# Takes the path of a file, and its text if that was read already; returns what the first reader that knows the file
# returns, or undef.
sub read_file {
    my (@file) = @_;
    return _first(sub { $_[0]->can('read_file')->(@file) });
}

# Takes a function of a reader; returns the first value that is defined.
sub _first {
    my ($ask) = @_;
    for my $kind (grep { $_->{reader} } UnixBench::Features::list('files')) {
        my $found = $ask->(loaded($kind->{reader}));
        return $found if defined $found;
    }
    return;
}

1;
