package UnixBench::ResultFile;

# The one place that turns files into results, or into what comparing needs of them.

use strict;
use warnings;

use UnixBench::ClassicReport ();
use UnixBench::Files         ();
use UnixBench::Format        qw(clean);
use UnixBench::JSON::Reader  ();
use UnixBench::ResultShape   ();
use UnixBench::Shape         ();

use constant SHOWN_MAX => 160;

my $HEAD = qr/\A\{"format":"@{[UnixBench::ResultShape::FORMAT]}","schema":([0-9]+),"summary":(.*),\n\z/s;

# Takes the path of a result's JSON, or of a text report of any UnixBench; returns its summary, see UnixBench::Summary.
# Dies with one line when it can't be read or is something else.
sub summary {
    my ($path) = @_;
    my $summary = _summary_at_head($path);
    return _checked($path, $summary, \%UnixBench::ResultShape::SUMMARY) if $summary;
    my $text = _content($path);
    return _document($path, $text)->{summary} if $text =~ /\A\s*\{/;
    return UnixBench::ClassicReport::summary($text) // die _no_result($path, 'neither JSON nor a report');
}

# Takes the path of a result's JSON; returns the result. Dies with one line when it can't be read or is something else.
sub result {
    my ($path) = @_;
    my $text = _content($path);
    die _no_result($path, 'a text report, not JSON') if $text !~ /\A\s*\{/ && UnixBench::ClassicReport::summary($text);
    my $result = _document($path, $text);
    delete @$result{qw(format summary)};
    return $result;
}

# The summary of a file whose first line is as UnixBench::Report::JSON writes it, or undef.
sub _summary_at_head {
    my ($path) = @_;
    open my $file, '<:raw', $path or return;
    my $line = readline $file;
    close $file;
    my ($schema, $json) = ($line // q{}) =~ $HEAD or return;
    _check_schema($path, $schema);
    return _decoded($path, $json);
}

sub _document {
    my ($path, $text) = @_;
    my $document = _decoded($path, $text);
    die _no_result($path, 'no JSON of a result')
        if ref $document ne 'HASH' || ($document->{format} // q{}) ne UnixBench::ResultShape::FORMAT;
    _check_schema($path, $document->{schema});
    return _checked($path, $document, \%UnixBench::ResultShape::DOCUMENT);
}

sub _decoded {
    my ($path, $json) = @_;
    my $data = eval { UnixBench::JSON::Reader::decode($json) };
    return $data // die _no_result($path, $@ || 'null');
}

sub _check_schema {
    my ($path, $schema) = @_;
    return if ($schema // q{}) eq UnixBench::ResultShape::SCHEMA;
    die _no_result($path, 'its schema is ' . clean($schema) . ', not ' . UnixBench::ResultShape::SCHEMA);
}

sub _checked {
    my ($path, $data, $shape) = @_;
    my $difference = UnixBench::Shape::difference($data, $shape) // return $data;
    die _no_result($path, substr clean($difference), 0, SHOWN_MAX);
}

sub _content {
    my ($path) = @_;
    return UnixBench::Files::content($path) // die "can't read $path: $!\n";
}

sub _no_result {
    my ($path, $why) = @_;
    chomp $why;
    return "$path is no result: $why\n";
}

1;
