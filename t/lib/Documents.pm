package Documents;

# The commands in documents: lines of code blocks and code within sentences. Two spaces end a command in a block, and a
# description follows. A line with [ ] or ... is a synopsis.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(commands_in script_in);

my $COMMAND = qr{\A(?:[A-Z_]+=\S+ )*(?:[.]/Run\b|(?:make|prove) |(?:lab|build)/[\w-]+\z|pgms/[\w-]+ )};

# Takes the text of a document. Returns its commands, each once.
sub commands_in {
    my ($text) = @_;
    my $is_block = 0;
    my (@found, %seen);
    for my $line (split /\n/, _without_scripts($text)) {
        if ($line =~ /\A```/) { $is_block = !$is_block; next }
        push @found, $is_block || $line =~ /\A {4}/ ? $line =~ s/\A +//r =~ s/ {2,}.*//r : $line =~ /`([^`]+)`/g;
    }
    return grep { /$COMMAND/ && !/\[|[.]{3}/ && !$seen{$_}++ } @found;
}

# Takes the text of a document. Returns its shell script, or undef if it has none.
sub script_in {
    my ($text) = @_;
    return $text =~ /^```\w*\n(#!.*?)^```$/ms ? $1 : undef;
}

sub _without_scripts {
    my ($text) = @_;
    return $text =~ s/^```\w*\n#!.*?^```$//msgr;
}

1;
