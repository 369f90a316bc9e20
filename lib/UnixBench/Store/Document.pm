package UnixBench::Store::Document;

# The checker of results: turns the JSON of a result into its document or its summary, and refuses JSON that was
# changed, is incomplete, or contradicts itself.

use strict;
use warnings;

use UnixBench::Base::Format       qw(clean);
use UnixBench::Base::JSONReader   ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Shape        ();
use UnixBench::Store::Agreement   ();
use UnixBench::Store::Sense       ();
use UnixBench::Store::Summary     ();
use UnixBench::Version            ();

my $FIRST = '{"format":';
my $OWN  = $FIRST . '"' . UnixBench::Base::ResultSchema::FORMAT . '","schema":' . UnixBench::Base::ResultSchema::SCHEMA;
my $HEAD = qr/\A\Q$OWN\E,"summary":(.*),\z/s;

my $CHANGED = 'it was changed after it was written: its checksum (sha256, at its end) does not match';

# Takes a reference to the JSON of a result; returns its summary, see UnixBench::Store::Summary. If the checksum of the
# JSON is right, only the first line is parsed. If another program has written it in another form, all of it is checked,
# as of() does. Dies with the reason, a line, if it is refused; with a reference to what it
# is if another version of UnixBench wrote it.
sub summary {
    my ($json) = @_;
    my ($line) = _is_sealed($json) ? substr($$json, 0, index $$json, "\n") =~ $HEAD : ();
    return defined $line ? _summary($line) : of($json)->{summary};
}

# Takes the same; returns the whole document after all checks. Dies in the same way.
sub of {
    my ($json) = @_;
    die "an unfinished run; use --resume to finish it\n" if $$json =~ /\A\{"head":/;
    my $document = _decoded($$json);
    my $format   = ref $document eq 'HASH' ? $document->{format} // q{} : q{};
    die "JSON, but not from UnixBench\n" if $format ne UnixBench::Base::ResultSchema::FORMAT;
    _check_version(@$document{qw(schema version)});
    _check_shape($document, UnixBench::Base::ResultSchema::shape('document'));
    UnixBench::Store::Sense::check_summary($document->{summary});
    UnixBench::Store::Sense::check_result($document);
    UnixBench::Store::Agreement::check($document);
    die "$CHANGED\n" if !(_is_sealed($json) // 1);
    return $document;
}

sub _summary {
    my ($json) = @_;
    my $summary = _decoded($json);
    _check_shape($summary, UnixBench::Base::ResultSchema::shape('summary'));
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

sub _check_version {
    my ($schema, $version) = @_;
    my $writer = UnixBench::Base::ResultSchema::other_writer($schema, $version) // return;
    my $what   = "a result of $writer, which version $UnixBench::Version::VERSION can't read; use that version, or "
        . 'measure again';
    die \$what;
}

sub _check_shape {
    my ($data, $shape) = @_;
    my $difference = UnixBench::Base::Shape::difference($data, $shape) // return;
    die "$difference\n";
}

1;
