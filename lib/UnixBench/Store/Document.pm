package UnixBench::Store::Document;

# The text of a result's JSON. Its form is fixed: the first line has the format, the schema and the summary, each test
# has a line, and the last line has the checksum of all others.
#
# A page has it in two elements of HTML that browsers do not execute. The head has the summary of the result, for
# programs that read only the first kilobytes. The body has the whole result, with the same bytes as its JSON file.

use strict;
use warnings;

use Exporter 'import';
use Fcntl qw(SEEK_END);

use UnixBench::Base::Files        ();
use UnixBench::Base::JSON         ();
use UnixBench::Base::ResultSchema ();

our @EXPORT_OK = qw(ELEMENT_END END_OF_PAGE HEAD_SIZE begin_of ends_of has_data result_in);

use constant {
    ELEMENT_END => "</script>\n",
    END_OF_PAGE => "</html>\n",
    HEAD_SIZE   => 65_536,          # bytes at the beginning of a file that show what it is
};

my %ID = (summary => 'unixbench-summary', result => 'unixbench-result');

my @FIRST = qw(format schema formulas summary);

# The keys of the next lines: all others.
my %IS_ELSEWHERE = map  { $_ => 1 } @FIRST, qw(runs sha256);
my @KEYS         = grep { !$IS_ELSEWHERE{$_} } map { $_->{key} } UnixBench::Base::ResultSchema::keys_of('document');

my %DOCUMENT = %{ UnixBench::Base::ResultSchema::shape('document') };
my %RUN      = %{ UnixBench::Base::ResultSchema::shape('run') };
my %TEST     = %{ (delete $RUN{tests})->[0] };
my ($PASS)   = @{ delete $TEST{passes} };

my $LAST = qr/\A\n"sha256":"([0-9a-f]{64})"\}\n\z/;
my $SIZE = length(qq("sha256":""}\n)) + 64;

# Takes a document without its checksum, and a function that writes text; calls the function with the text in pieces.
# The whole text of many copies would need much memory.
sub write_to {
    my ($document, $write) = @_;
    ($write, my $seal) = _sealed($write);
    $write->(_first_line($document));
    $write->(_member($document, $_) . ",\n") for @KEYS;
    $write->(qq{"runs":[\n});
    my $comma = q{};
    for my $run (@{ $document->{runs} }) {
        $write->($comma);
        _write_run($run, $write);
        $comma = ",\n";
    }
    $write->("],\n");
    $seal->();
    return;
}

# Takes the same document; returns its first line alone, with a checksum of its own.
sub summary {
    my ($document) = @_;
    my $json = q{};
    my ($write, $seal) = _sealed(sub { $json .= $_[0] });
    $write->(_first_line($document));
    $seal->();
    return $json;
}

# Takes a reference to the text of a file; returns whether its checksum is right, or undef if it has none in the form
# that write_to() writes.
sub is_sound {
    my ($text) = @_;
    return if length $$text <= $SIZE;
    my ($sum) = substr($$text, -$SIZE - 1) =~ $LAST or return;
    require Digest::SHA;
    return Digest::SHA::sha256_hex(substr $$text, 0, -$SIZE) eq $sum ? 1 : 0;
}

# Takes a function that writes text; returns two functions. The first one writes a text, and adds it to the checksum.
# The second one writes the last line. Strings are escaped where a page could not contain them, or where scripts that
# count phrases in all files of a result would find one.
sub _sealed {
    my ($write) = @_;
    require Digest::SHA;
    my $digest = Digest::SHA->new(256);
    my $add    = sub {
        my $json = _escaped($_[0]);
        $digest->add($json);
        return $write->($json);
    };
    return ($add, sub { return $write->('"sha256":"' . $digest->hexdigest . qq("}\n)) });
}

sub _escaped {
    my ($json) = @_;
    $json =~ s/</\\u003c/g;
    $json =~ s/of tests/of\\u0020tests/g;
    $json =~ s/\(Partial Only\)/(Partial\\u0020Only)/g;
    return $json;
}

sub _first_line {
    my ($document) = @_;
    return '{' . join(q{,}, map { _member($document, $_) } @FIRST) . ",\n";
}

sub _member {
    my ($document, $key) = @_;
    my ($shape) = grep { defined } @DOCUMENT{ $key, "$key?" };
    return qq{"$key":} . UnixBench::Base::JSON::encode_as($document->{$key}, $shape);
}

sub _write_run {
    my ($run, $write) = @_;
    my $comma = "\n";
    $write->(_head($run, \%RUN, 'tests'));
    for my $test (@{ $run->{tests} }) {
        $write->($comma);
        _write_test($test, $write);
        $comma = ",\n";
    }
    $write->("\n]}");
    return;
}

sub _write_test {
    my ($test, $write) = @_;
    my $comma = q{};
    $write->(_head($test, \%TEST, 'passes'));
    for my $pass (@{ $test->{passes} }) {
        $write->($comma . UnixBench::Base::JSON::encode_as($pass, $PASS));
        $comma = q{,};
    }
    $write->(']}');
    return;
}

# Returns an object up to the items of its last member, which is a list.
sub _head {
    my ($data, $shape, $list) = @_;
    return substr(UnixBench::Base::JSON::encode_as($data, $shape), 0, -1) . qq{,"$list":[};
}

# Takes "summary" or "result"; returns the start tag of its element. The data and ELEMENT_END follow. The data must not
# contain "<".
sub begin_of {
    my ($kind) = @_;
    return qq{<script type="application/json" id="$ID{$kind}">};
}

# Takes a reference to the beginning of a file; returns whether it is a page that has data.
sub has_data {
    my ($text) = @_;
    return $$text =~ /\A\s*<!DOCTYPE html>/i && index($$text, begin_of('summary')) >= 0;
}

# Takes a reference to the text of a page; returns the JSON of its result, or undef if the text does not have all of it.
sub result_in {
    my ($text) = @_;
    my $begin  = begin_of('result');
    my $from   = index $$text, $begin;
    return if $from < 0;
    $from += length $begin;
    my $to = index $$text, '<', $from;
    return $to < 0 ? undef : substr $$text, $from, $to - $from;
}

# Takes the path of a plain file; returns its first bytes, and as many of its last ones as a page ends with. Returns
# nothing if it can't be read.
sub ends_of {
    my ($path)  = @_;
    my $file    = UnixBench::Base::Files::opened_plain($path) or return;
    my $is_read = defined read $file, my $head, HEAD_SIZE;
    my $end     = q{};
    seek($file, -length END_OF_PAGE, SEEK_END) and read $file, $end, length END_OF_PAGE;
    close $file;
    return $is_read ? ($head, $end) : ();
}

1;
