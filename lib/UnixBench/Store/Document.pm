package UnixBench::Store::Document;

# The checker of results: turns the JSON of a result into its document or its summary, and refuses JSON that was
# changed, is incomplete, or contradicts itself.

use strict;
use warnings;

use UnixBench::Base::Format       qw(clean listed);
use UnixBench::Base::JSONReader   ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Store::Agreement   ();
use UnixBench::Store::Schema1     ();
use UnixBench::Store::Sense       ();
use UnixBench::Store::Summary     ();

my $FIRST = '{"format":';
my $OWN  = $FIRST . '"' . UnixBench::Base::ResultSchema::FORMAT . '","schema":' . UnixBench::Base::ResultSchema::SCHEMA;
my $HEAD = qr/\A\Q$OWN\E,"summary":(.*),\z/s;

my $CHANGED = 'it was changed after it was written: its checksum (sha256, at its end) does not match';

# Takes a reference to the JSON of a result; returns its summary, see UnixBench::Store::Summary. If the checksum of the
# JSON is right, only the first line is parsed, unless an earlier version has written an incomplete summary. Without a
# checksum, all of it is checked, as of() does. Dies with the reason, a line, if it is refused.
sub summary {
    my ($json)  = @_;
    my ($line)  = _is_sealed($json) ? substr($$json, 0, index $$json, "\n") =~ $HEAD : ();
    my $summary = defined $line ? _summary($line) : undef;
    return $summary && UnixBench::Store::Summary::is_complete($summary) ? $summary : of($json)->{summary};
}

# Takes the same; returns the whole document after all checks. Dies in the same way.
sub of {
    my ($json) = @_;
    die "an unfinished run; use --resume to finish it\n" if $$json =~ /\A\{"head":/;
    my $document = _decoded($$json);
    my $format   = ref $document eq 'HASH' ? $document->{format} // q{} : q{};
    die "JSON, but not from UnixBench\n" if $format ne UnixBench::Base::ResultSchema::FORMAT;
    _check_schema($document->{schema});
    UnixBench::Store::Schema1::upgrade_document($document)
        if $document->{schema} == UnixBench::Store::Schema1::SCHEMA;
    _check_shape($document, \%UnixBench::Base::ResultSchema::DOCUMENT);
    UnixBench::Store::Sense::check_summary($document->{summary});
    UnixBench::Store::Sense::check_result($document);
    UnixBench::Store::Summary::complete($document);
    UnixBench::Store::Agreement::check($document);
    die "$CHANGED\n" if !(_is_sealed($json) // 1);
    return $document;
}

sub _summary {
    my ($json) = @_;
    my $summary = _decoded($json);
    _check_shape($summary, \%UnixBench::Base::ResultSchema::SUMMARY);
    UnixBench::Store::Sense::check_summary($summary);
    UnixBench::Store::Agreement::check_summary($summary);
    return $summary;
}

# Returns whether the checksum is right. Returns undef if there is none, or if another program has written the data in
# another form.
sub _is_sealed {
    my ($json) = @_;
    return substr($$json, 0, length $FIRST) eq $FIRST ? UnixBench::Store::Summary::is_sound($json) : undef;
}

sub _decoded {
    my ($json) = @_;
    my $data = eval { UnixBench::Base::JSONReader::decode($json) };
    return $data if defined $data;
    my $why = $@ || "null\n";
    chomp $why;
    my ($byte)  = $why  =~ / at byte ([0-9]+)\z/;
    my $is_torn = $json !~ /\}\s*\z/ || defined $byte && $byte >= length $json;
    $why .= ': its end is missing; copy it again' if $is_torn && substr($json, 0, length $FIRST) eq $FIRST;
    die "$why\n";
}

sub _check_schema {
    my ($schema) = @_;
    my @known    = (UnixBench::Store::Schema1::SCHEMA, UnixBench::Base::ResultSchema::SCHEMA);
    my $given    = clean(ref $schema ? 'none' : $schema // 'none');
    return if grep { $given eq $_ } @known;
    die "its schema is $given, and this program knows " . listed(@known) . " only\n";
}

sub _check_shape {
    my ($data, $shape) = @_;
    my $difference = UnixBench::Base::Shape::difference($data, $shape) // return;
    die "$difference\n";
}

1;
