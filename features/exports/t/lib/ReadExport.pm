package ReadExport;

# Exported values, read by the programs that they are for, or checked with their schema.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();

use InPath      qw(path_of);
use OtherReader qw(file_with python_with);

our @EXPORT_OK = qw(complaints_of_promtool complaints_of_schema why_not);

my $DATA = File::Basename::dirname(__FILE__) . '/../data';

# Takes the paths of data and of a schema; prints the complaints.
my $SCRIPT = <<'END_OF_SCHEMA';
import json, sys
from jsonschema import Draft202012Validator

def once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError('a key twice')
    return dict(pairs)

try:
    data, schema = [json.load(open(path, encoding='utf-8'), object_pairs_hook=once) for path in sys.argv[1:]]
    for error in Draft202012Validator(schema).iter_errors(data):
        print(error.json_path + ': ' + error.message)
except ValueError as error:
    print(error)
END_OF_SCHEMA

my $PYTHON = python_with('jsonschema');

# Returns the tool that is missing for complaints_of_schema, as [tool => NAME], or undef.
sub why_not { return defined $PYTHON ? undef : [tool => 'python3 with jsonschema'] }

# Takes JSON and the name of a schema in t/data; returns the complaints of Python's jsonschema.
sub complaints_of_schema {
    my ($json, $name) = @_;
    my $file = file_with($json);
    open my $from, q{-|}, $PYTHON, '-c', $SCRIPT, $file, "$DATA/$name.schema.json" or die "$PYTHON: $!\n";
    return join q{}, readline $from;
}

# Takes OpenMetrics text; returns what promtool says against it, or undef if there is no promtool.
sub complaints_of_promtool {
    my ($text)   = @_;
    my $promtool = path_of('promtool') // return;
    my $file     = file_with($text);
    return scalar qx('$promtool' check metrics < '$file' 2>&1);
}

1;
