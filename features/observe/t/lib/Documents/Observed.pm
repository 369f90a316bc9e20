package Documents::Observed;

# The commands of documents that observe system calls, for t/long/documents/documents.t.

use strict;
use warnings;

use Needs qw(tracing);

# Takes a command of a document; returns the reason why it can't be tried here, as Needs::note_without takes it, or
# undef.
sub why_not {
    my ($command) = @_;
    return if $command !~ /--observe/;
    return system('strace -qq -o /dev/null true 2>/dev/null') ? [tracing()] : undef;
}

1;
