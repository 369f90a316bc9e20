package ReadJUnit;

# JUnit XML, read by parsers other than ours.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();
use JSON::PP       ();

use InPath      qw(path_of);
use OtherReader qw(file_with python_with);

our @EXPORT_OK = qw(complaints_of_schema has_junitparser has_xmllint read_by_junitparser);

my $DATA = File::Basename::dirname(__FILE__) . '/../data';

my $SCRIPT = <<'END';
import json, sys
from junitparser import JUnitXml

def case(c):
    results = [[type(r).__name__, r.type, r.message, r.text] for r in c.result]
    return [c.classname, c.name, c.time, results, c.system_out]

def suite(s):
    return dict(name=s.name, counts=[s.tests, s.failures, s.errors, s.skipped], time=s.time, hostname=s.hostname,
                timestamp=s.timestamp, cases=[case(c) for c in s])

x = JUnitXml.fromfile(sys.argv[1])
print(json.dumps(dict(counts=[x.tests, x.failures, x.errors], suites=[suite(s) for s in x])))
END

my $xmllint = path_of('xmllint');
my $python  = python_with('junitparser');

sub has_xmllint     { return defined $xmllint }
sub has_junitparser { return defined $python }

# Takes a document; returns the messages of xmllint with the schema of Jenkins' xUnit plugin, or an empty text if it is
# valid.
sub complaints_of_schema {
    my ($xml) = @_;
    my $file  = file_with($xml);
    my $said  = qx('$xmllint' --nonet --noout --schema '$DATA/junit.xsd' '$file' 2>&1);
    return $said =~ s/^\Q$file\E validates\n\z//r;
}

# Takes a document; returns { counts => [tests, failures, errors], suites => [suite, ...] }. A suite is a hash of:
#     name
#     counts     [tests, failures, errors, skipped]
#     time, hostname, timestamp
#     cases      [[class name, name, time, [[kind, type, message, text]], output], ...]
sub read_by_junitparser {
    my ($xml) = @_;
    my ($file, $script) = map { file_with($_) } $xml, $SCRIPT;
    my $said = qx('$python' '$script' '$file');
    return JSON::PP->new->ascii->decode($said);
}

1;
