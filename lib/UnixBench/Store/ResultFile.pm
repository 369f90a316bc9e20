package UnixBench::Store::ResultFile;

# Reads files: results, the summaries that comparisons need, and meters that a user has typed in. A result is a page or
# JSON; a summary may come from a text report, too.

use strict;
use warnings;

use UnixBench::Base::Format              qw(clean listed);
use UnixBench::Base::JSONReader          ();
use UnixBench::Base::ResultSchema        ();
use UnixBench::Base::SafeRead            ();
use UnixBench::Base::Shape               ();
use UnixBench::Compare::Analysis::Meters ();
use UnixBench::Store::Agreement          ();
use UnixBench::Store::ClassicReport      ();
use UnixBench::Store::PageData           qw(has_data result_in summary_in);
use UnixBench::Store::Schema1            ();
use UnixBench::Store::Sense              ();
use UnixBench::Store::Summary            ();

# JSON_MB and TEXT_MB limit the size of a file. A result of 16,000 copies is smaller, and so is any text around a text
# report.
use constant { SHOWN_MAX => 160, JSON_MB => 256, TEXT_MB => 16 };

my $HEAD    = qr/\A\{"format":"@{[UnixBench::Base::ResultSchema::FORMAT]}","schema":([0-9]+),"summary":(.*),\z/s;
my $BOM     = "\xef\xbb\xbf";
my $IS_JSON = qr/\A(?:$BOM)?\s*\{/;
my $FIRST   = '{"format":';
my $CHANGED = 'it was changed after it was written: its checksum (sha256, at its end) does not match';

# Takes the path of a result's page or JSON, or of a text report of any UnixBench; returns its summary, see
# UnixBench::Store::Summary. Dies with one line if the file can't be read, is something else, or contradicts itself.
# is_hasty, for many files: only the head of a page is read, and the passes of a result without a checksum are not
# compared with its summary.
sub summary {
    my ($path, %with) = @_;
    my $text = ($with{is_hasty} ? _head_of_page($path) : undef) // _text($path);
    return _summary_in_text($path, $text) if $text !~ $IS_JSON;
    my $is_sealed = _is_sealed(\$text);
    my $is_enough = defined $is_sealed ? $is_sealed : $with{is_hasty} && _has_end($text);
    my ($schema, $json) = $is_enough ? substr($text, 0, index $text, "\n") =~ $HEAD : ();
    return defined $json ? _summary($path, $schema, $json) : _document($path, $text)->{summary};
}

# Returns the JSON of the summary in the head of a page, if it is near its beginning and its checksum is right, or
# undef.
sub _head_of_page {
    my ($path) = @_;
    my $head   = UnixBench::Base::SafeRead::beginning($path) // q{};
    my $json   = has_data(\$head) ? summary_in(\$head) : undef;
    return defined $json && _is_sealed(\$json) ? $json : undef;
}

# Takes the path of a result's page or JSON; returns the result. Dies with one line if the file can't be read, is
# something else, or contradicts itself.
sub result {
    my ($path) = @_;
    my $text = _text($path);
    die _no_result($path, 'a text report, without the data of the passes') if $text !~ $IS_JSON && _is_report($text);
    my $result = _document($path, $text);
    delete @$result{qw(format summary gain remarks sha256)};
    return $result;
}

# Returns the text of a file, or the JSON in a page.
sub _text {
    my ($path)  = @_;
    my $text    = UnixBench::Base::SafeRead::text($path, \&_limit_mb);
    my $decoded = UnixBench::Base::SafeRead::from_utf16(\$text);
    $text = $decoded if defined $decoded;
    substr $text, 0, length $BOM, q{} if substr($text, 0, length $BOM) eq $BOM;
    return $text if !has_data(\$text);
    return result_in(\$text) // die _no_result($path, 'a page whose end is missing; copy it again');
}

sub _limit_mb {
    my ($beginning) = @_;
    return $beginning =~ $IS_JSON || has_data(\$beginning) ? JSON_MB : TEXT_MB;
}

# Returns whether the checksum is right. Returns undef if there is none, or if another program has written the data in
# another form.
sub _is_sealed {
    my ($text) = @_;
    return substr($$text, 0, length $FIRST) eq $FIRST ? UnixBench::Store::Summary::is_sound($text) : undef;
}

# Returns whether the text ends like a result of any version.
sub _has_end {
    my ($text) = @_;
    return substr($text, -3) eq "]}\n";
}

sub _is_report {
    my ($text) = @_;
    return eval { UnixBench::Store::ClassicReport::summary($text) } || $@;
}

sub _summary_in_text {
    my ($path, $text) = @_;
    my $summary = eval { UnixBench::Store::ClassicReport::summary($text) };
    return $summary // die _no_result($path, $@ || UnixBench::Store::ClassicReport::likeness($text));
}

# Takes the path of a file with the meters of two systems that a user has typed in; returns them, see
# UnixBench::Compare::Analysis::Meters. Dies with one line if the file can't be read or is something else.
sub typed_in {
    my ($path)  = @_;
    my $text    = _text($path);
    my @systems = eval { UnixBench::Compare::Analysis::Meters::typed_in(_decoded_meters($text)) };
    die clean($path) . ' has no meters of two systems: ' . _why($@) . "\n" if !@systems;
    return @systems;
}

sub _decoded_meters {
    my ($text) = @_;
    die "it is an unfinished run\n" if $text =~ /\A\{"head":/;
    my $data   = UnixBench::Base::JSONReader::decode($text);
    my $format = ref $data eq 'HASH' ? $data->{format} // q{} : q{};
    die "it is one result; name two results, or one file with typed-in meters\n"
        if $format eq UnixBench::Base::ResultSchema::FORMAT;
    return $data;
}

sub _summary {
    my ($path, $schema, $json) = @_;
    _check_schema($path, $schema);
    my $summary = _decoded($path, $json);
    UnixBench::Store::Schema1::upgrade_summary($summary) if $schema == UnixBench::Store::Schema1::SCHEMA;
    _check_shape($path, $summary, \%UnixBench::Base::ResultSchema::SUMMARY);
    _check_sense($path, sub { UnixBench::Store::Sense::check_summary($summary) });
    _check_sense($path, sub { UnixBench::Store::Agreement::check_summary($summary) });
    return $summary;
}

sub _document {
    my ($path, $text) = @_;
    die _no_result($path, 'an unfinished run; use --resume to finish it') if $text =~ /\A\{"head":/;
    my $document = _decoded($path, $text);
    my $format   = ref $document eq 'HASH' ? $document->{format} // q{} : q{};
    die _no_result($path, 'JSON, but not from UnixBench') if $format ne UnixBench::Base::ResultSchema::FORMAT;
    _check_schema($path, $document->{schema});
    UnixBench::Store::Schema1::upgrade_document($document)
        if $document->{schema} == UnixBench::Store::Schema1::SCHEMA;
    _check_shape($path, $document, \%UnixBench::Base::ResultSchema::DOCUMENT);
    _check_sense($path, sub { UnixBench::Store::Sense::check_summary($document->{summary}) });
    _check_sense($path, sub { UnixBench::Store::Sense::check_result($document) });
    _check_sense($path, sub { UnixBench::Store::Agreement::check($document) });
    die _no_result($path, $CHANGED) if !(_is_sealed(\$text) // 1);
    return $document;
}

sub _decoded {
    my ($path, $json) = @_;
    my $data = eval { UnixBench::Base::JSONReader::decode($json) };
    return $data if defined $data;
    my $why = $@ || "null\n";
    chomp $why;
    my ($byte) = $why =~ / at byte ([0-9]+)\z/;
    my $is_torn = $json !~ /\}\s*\z/ || defined $byte && $byte >= length $json;
    die _no_result($path,
        $is_torn && substr($json, 0, length $FIRST) eq $FIRST ? "$why: its end is missing; copy it again" : $why);
}

sub _check_schema {
    my ($path, $schema) = @_;
    my @known = (UnixBench::Store::Schema1::SCHEMA, UnixBench::Base::ResultSchema::SCHEMA);
    my $given = clean(ref $schema ? 'none' : $schema // 'none');
    return if grep { $given eq $_ } @known;
    die _no_result($path, "its schema is $given, and this program knows " . listed(@known) . ' only');
}

sub _check_shape {
    my ($path, $data, $shape) = @_;
    my $difference = UnixBench::Base::Shape::difference($data, $shape) // return;
    die _no_result($path, $difference);
}

sub _check_sense {
    my ($path, $check) = @_;
    return if eval { $check->(); 1 };
    die _no_result($path, $@);
}

sub _no_result {
    my ($path, $why) = @_;
    return clean($path) . ' is not a result: ' . _why($why) . "\n";
}

sub _why {
    my ($why) = @_;
    chomp $why;
    return substr clean($why), 0, SHOWN_MAX;
}

1;
