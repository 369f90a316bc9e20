package Documents::Observed;

# The commands of documents that observe system calls, for t/long/documents/documents.t.

use strict;
use warnings;

use ObservedRun qw(why_not_strace);

# Takes a command of a document; returns the reason why it can't be tried here, as Needs::note_without takes it, or
# undef.
sub why_not {
    my ($command) = @_;
    return $command =~ /--observe/ ? why_not_strace() : undef;
}

1;
