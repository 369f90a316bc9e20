package Guide;

# The commands of a guide, as they are written there.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(block);

# Takes the text of a document and the beginning of a line; returns the block of shell commands that has such a line.
# Dies if there is none, or more than one.
sub block {
    my ($text, $beginning) = @_;
    my @blocks = grep { /^\Q$beginning\E/m } $text =~ /^```sh\n(.*?)^```$/msg;
    push @blocks, map { s/^ {4}//mgr } grep { /^ {4}\Q$beginning\E/m } $text =~ /(?<=\n\n)((?: {4}.*\n)+)/g;
    die "there are " . @blocks . " blocks of commands with $beginning\n" if @blocks != 1;
    return $blocks[0];
}

1;
