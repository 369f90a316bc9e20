package UnixBench::Result::File;

# The one place that turns files into results, or into what comparing needs of them, and into meters that were typed in.

use strict;
use warnings;

use Errno qw(EISDIR);

use UnixBench::Analysis::TypedIn ();
use UnixBench::ClassicReport     ();
use UnixBench::Format            qw(clean);
use UnixBench::JSON::Reader      ();
use UnixBench::Result::Sense     ();
use UnixBench::Result::Shape     ();
use UnixBench::Shape             ();

use constant SHOWN_MAX => 160;

my $HEAD    = qr/\A\{"format":"@{[UnixBench::Result::Shape::FORMAT]}","schema":([0-9]+),"summary":(.*),\n\z/s;
my $BOM     = qr/\xef\xbb\xbf/;
my $IS_JSON = qr/\A(?:$BOM)?\s*\{/;

# Takes the path of a result's JSON, or of a text report of any UnixBench; returns its summary, see
# UnixBench::Result::Summary. Dies with one line when it can't be read or is something else.
sub summary {
    my ($path) = @_;
    my $file   = _opened($path);
    my $line   = _read($path, $file, "\n");
    my ($schema, $json) = $line =~ $HEAD;
    return _summary($path, $schema, $json) if defined $json;
    my $text = $line . _read($path, $file, undef);
    return _document($path, $text)->{summary} if $text =~ $IS_JSON;
    return UnixBench::ClassicReport::summary($text) // die _no_result($path, 'neither JSON nor a report');
}

# Takes the path of a result's JSON; returns the result. Dies with one line when it can't be read or is something else.
sub result {
    my ($path) = @_;
    my $text = _read($path, _opened($path), undef);
    die _no_result($path, 'a text report, not JSON') if $text !~ $IS_JSON && UnixBench::ClassicReport::summary($text);
    my $result = _document($path, $text);
    delete @$result{qw(format summary gain remarks)};
    return $result;
}

# Takes the path of a file with the meters of two systems, typed in; returns them, see UnixBench::Analysis::TypedIn.
# Dies with one line when it can't be read or is something else.
sub typed_in {
    my ($path)  = @_;
    my $text    = _read($path, _opened($path), undef);
    my @systems = eval { UnixBench::Analysis::TypedIn::systems(_decoded_meters($text)) };
    die clean($path) . ' has no meters of two systems: ' . _why($@) . "\n" if !@systems;
    return @systems;
}

sub _decoded_meters {
    my ($text) = @_;
    die "it is a run that is not finished\n" if $text =~ /\A\{"head":/;
    my $data   = UnixBench::JSON::Reader::decode($text =~ s/\A$BOM//r);
    my $format = ref $data eq 'HASH' ? $data->{format} // q{} : q{};
    die "it is one result; needed are two, or one file with typed-in meters\n"
        if $format eq UnixBench::Result::Shape::FORMAT;
    return $data;
}

sub _summary {
    my ($path, $schema, $json) = @_;
    _check_schema($path, $schema);
    my $summary = _decoded($path, $json);
    _check_shape($path, $summary, \%UnixBench::Result::Shape::SUMMARY);
    _check_sense($path, sub { UnixBench::Result::Sense::check_summary($summary) });
    return $summary;
}

sub _document {
    my ($path, $text) = @_;
    die _no_result($path, 'a run that is not finished; go on with it by --resume') if $text =~ /\A\{"head":/;
    my $document = _decoded($path, $text =~ s/\A$BOM//r);
    my $format   = ref $document eq 'HASH' ? $document->{format} // q{} : q{};
    die _no_result($path, 'JSON of something else') if $format ne UnixBench::Result::Shape::FORMAT;
    _check_schema($path, $document->{schema});
    _check_shape($path, $document, \%UnixBench::Result::Shape::DOCUMENT);
    _check_sense($path, sub { UnixBench::Result::Sense::check_summary($document->{summary}) });
    _check_sense($path, sub { UnixBench::Result::Sense::check_result($document) });
    return $document;
}

sub _decoded {
    my ($path, $json) = @_;
    my $data = eval { UnixBench::JSON::Reader::decode($json) };
    return $data // die _no_result($path, $@ || 'null');
}

sub _check_schema {
    my ($path,  $schema) = @_;
    my ($known, $given)  = (UnixBench::Result::Shape::SCHEMA, clean(ref $schema ? 'none' : $schema // 'none'));
    die _no_result($path, "its schema is $given, and this program knows $known only") if $given ne $known;
    return;
}

sub _check_shape {
    my ($path, $data, $shape) = @_;
    my $difference = UnixBench::Shape::difference($data, $shape) // return;
    die _no_result($path, $difference);
}

sub _check_sense {
    my ($path, $check) = @_;
    return if eval { $check->(); 1 };
    die _no_result($path, $@);
}

sub _opened {
    my ($path)  = @_;
    my $is_open = open my $file, '<:raw', $path;
    local $! = EISDIR if $is_open && -d $file;
    die "can't read " . clean($path) . ": $!\n" if !$is_open || -d $file;
    return $file;
}

# Reads up to a separator, or to the end; a directory can be opened, but not read.
sub _read {
    my ($path, $file, $separator) = @_;
    local ($/, $!) = ($separator, 0);
    my $text = readline $file;
    die "can't read " . clean($path) . ": $!\n" if !defined $text && $! != 0;
    return $text // q{};
}

sub _no_result {
    my ($path, $why) = @_;
    return clean($path) . ' is no result: ' . _why($why) . "\n";
}

sub _why {
    my ($why) = @_;
    chomp $why;
    return substr clean($why), 0, SHOWN_MAX;
}

1;
