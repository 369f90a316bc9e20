package ReadJUnit;

# JUnit XML, checked with the schema of Jenkins' xUnit plugin.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();
use Test::More;

use InPath      qw(path_of);
use Needs       qw(skip_without);
use OtherReader qw(file_with);

our @EXPORT_OK = qw(complaints_of_schema is_valid);

my $SCHEMA  = File::Basename::dirname(__FILE__) . '/../data/junit.xsd';
my $XMLLINT = path_of('xmllint');

# Takes a document; returns the messages of xmllint, or an empty text if it is valid.
sub complaints_of_schema {
    my ($xml) = @_;
    my $file  = file_with($xml);
    my $said  = qx('$XMLLINT' --nonet --noout --schema '$SCHEMA' '$file' 2>&1);
    return $said =~ s/^\Q$file\E validates\n\z//r;
}

# Takes a document and what it is; tests that it is valid.
sub is_valid {
    my ($xml, $what) = @_;
SKIP: {
        skip_without(tool => 'xmllint', 1) if !defined $XMLLINT;
        is(complaints_of_schema($xml), q{}, "$what is valid");
    }
    return;
}

1;
