package Validator;

# Validation of JSON files against the JSON Schemas by another program: Python's jsonschema.

use strict;
use warnings;

use Exporter 'import';

use Cwd            ();
use File::Basename ();
use File::Temp     ();
use Test::More;

use Needs qw(note_without);
use Place qw(file_with python_with);

our @EXPORT_OK = qw(are_valid_json complaints complaints_about schema why_no_validator);

my $HOME = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/../..');

# Prints a line for each file; the line of a valid file is empty.
my $VALIDATE = <<'END';
import json, sys
from jsonschema import Draft202012Validator

def once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError('a key twice')
    return dict(pairs)

def read(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file, object_pairs_hook=once)

schema = read(sys.argv[1])
Draft202012Validator.check_schema(schema)
for path in sys.argv[2:]:
    try:
        found = Draft202012Validator(schema).iter_errors(read(path))
        errors = [error.json_path + ': ' + error.message[:200] for error in found]
    except ValueError as error:
        errors = ['no JSON: ' + str(error)]
    print(ascii('; '.join(errors)).strip("'"))
END

# Returns the tool that is missing for a validation, as [tool => NAME], or undef.
sub why_no_validator {
    return python_with('jsonschema') ? undef : [tool => 'python3 with jsonschema'];
}

# Takes paths of results; returns a text for each file: its errors, or an empty text if it is valid.
sub complaints { return complaints_about('result', @_) }

# Takes the name of a schema, such as "comparison", or the path of one, and paths; returns the same.
sub complaints_about {
    my ($name, @paths) = @_;
    open my $answers, '-|', python_with('jsonschema'), '-c', $VALIDATE, _schema_file($name), @paths
        or die "python3: $!\n";
    chomp(my @complaints = <$answers>);
    close $answers or die "the validator has failed: $?\n";
    return @complaints;
}

# Takes the name or path of a schema, and texts by name; tests that each is valid JSON by this schema, if there is a
# validator.
sub are_valid_json {
    my ($schema, %text) = @_;
    my $why_not = why_no_validator();
    return note_without(@$why_not) if $why_not;
    my @names      = sort keys %text;
    my @files      = map { file_with($text{$_}) } @names;
    my @complaints = complaints_about($schema, @files);
    return is_deeply([map { "$names[$_]: $complaints[$_]" } 0 .. $#names], [map { "$_: " } @names], 'JSON is valid');
}

# Takes the name of a JSON Schema; returns its text, as build/schema prints it.
sub schema {
    my ($name) = @_;
    my $text = qx(cd '$HOME' && '$^X' build/schema $name);
    die "build/schema has failed: $?\n" if $?;
    return $text;
}

my %schema_file;

# Takes the name of a JSON Schema, or its path; returns the path of a file with it. It is written only once.
sub _schema_file {
    my ($name) = @_;
    return $name if $name =~ m{/};
    return $schema_file{$name} if $schema_file{$name};
    my $file = $schema_file{$name} = File::Temp->new;
    print {$file} schema($name);
    close $file or die "$file: $!\n";
    return $file;
}

1;
