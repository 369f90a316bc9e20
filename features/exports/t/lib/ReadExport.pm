package ReadExport;

# Exported values, read by the programs that they are for, or checked with their schema.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();
use IO::Handle     ();
use IPC::Open2     qw(open2);
use JSON::PP       ();

use InPath      qw(path_of);
use OtherReader qw(file_with python_with);

our @EXPORT_OK = qw(complaints_of_promtool complaints_of_schema read_csv read_openmetrics why_not);

my $DATA = File::Basename::dirname(__FILE__) . '/../data';

# Each script has a function that takes the path of a file, and perhaps that of a schema, and returns data. Python
# starts slowly, so one process for each script answers all questions: a line with paths, separated by tabs.
my %SCRIPT = (
    prometheus_client => <<'END_OF_OPENMETRICS',
from prometheus_client import openmetrics, parser
from prometheus_client.openmetrics.parser import text_string_to_metric_families as strictly

def samples(families):
    return [[s.name, s.labels, s.value, s.timestamp] for f in families for s in f.samples]

def answer(path):
    text = open(path, encoding='utf-8', newline='').read()
    try:
        families = list(strictly(text))
        classic = list(parser.text_string_to_metric_families(text))
        return dict(types={f.name: f.type for f in families}, helps=[f.documentation for f in families],
                    samples=samples(families), classic=samples(classic))
    except Exception as error:
        return dict(error=str(error))
END_OF_OPENMETRICS
    jsonschema => <<'END_OF_SCHEMA',
from jsonschema import Draft202012Validator

def once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError('a key twice')
    return dict(pairs)

def answer(*paths):
    try:
        data, schema = [json.load(open(path, encoding='utf-8'), object_pairs_hook=once) for path in paths]
        errors = Draft202012Validator(schema).iter_errors(data)
        return [error.json_path + ': ' + error.message for error in errors]
    except ValueError as error:
        return [str(error)]
END_OF_SCHEMA
    csv => <<'END_OF_CSV',
import csv

def answer(path):
    return list(csv.DictReader(open(path, encoding='utf-8', newline=''), strict=True))
END_OF_CSV
);
my $LOOP = <<'END_OF_LOOP';

import json, sys
for line in sys.stdin:
    print(json.dumps(answer(*line.rstrip('\n').split('\t'))), flush=True)
END_OF_LOOP

my (%python, %process);

# Takes a module of Python; returns the tool that is missing to use it, as [tool => NAME], or undef.
sub why_not {
    my ($module) = @_;
    return defined _python($module) ? undef : [tool => "python3 with $module"];
}

# Takes OpenMetrics text; returns { error } if the parser of Prometheus' Python client refuses it, else
#     types    { name of a metric => its type }
#     helps    [help, ...]
#     samples  [[name, { label => text }, value, time or undef], ...]
#     classic  the same as samples, read in the classic text format of Prometheus, which node_exporter reads
sub read_openmetrics {
    my ($text) = @_;
    return _said('prometheus_client', file_with($text));
}

# Takes CSV with a heading; returns [{ column => field }, ...] as Python's csv reads it.
sub read_csv {
    my ($text) = @_;
    return _said('csv', file_with($text));
}

# Takes JSON and the name of a schema in t/data; returns the complaints of Python's jsonschema, joined.
sub complaints_of_schema {
    my ($json, $name) = @_;
    return join '; ', @{ _said('jsonschema', file_with($json), "$DATA/$name.schema.json") };
}

# Takes OpenMetrics text; returns what promtool says against it, or undef if there is no promtool.
sub complaints_of_promtool {
    my ($text)   = @_;
    my $promtool = path_of('promtool') // return;
    my $file     = file_with($text);
    return scalar qx('$promtool' check metrics < '$file' 2>&1);
}

# Takes a module and paths; returns what its script answers.
sub _said {
    my ($module, @files) = @_;
    $process{$module} ||= do {
        open2(my $from, my $to, _python($module), '-c', $SCRIPT{$module} . $LOOP);
        $to->autoflush;
        { from => $from, to => $to };
    };
    print { $process{$module}{to} } join("\t", @files), "\n";
    my $line = readline $process{$module}{from};
    return JSON::PP->new->ascii->decode($line // die "$module: no answer\n");
}

# Returns the path of a Python that has a module, or undef. Looks for it only once.
sub _python {
    my ($module) = @_;
    $python{$module} = python_with($module) if !exists $python{$module};
    return $python{$module};
}

1;
