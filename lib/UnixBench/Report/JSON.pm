package UnixBench::Report::JSON;

# The whole result as JSON, described by share/result.schema.json.

use strict;
use warnings;

use UnixBench::JSON::Writer ();
use UnixBench::Result       qw(is_measured);
use UnixBench::ResultShape  ();
use UnixBench::Score        ();
use UnixBench::Shape        ();
use UnixBench::Spread       ();
use UnixBench::Summary      ();

# Behind the summary, which has a line with the first two of its own.
my @KEYS = qw(version procedure asked is_brief utc_offset_s host language build facts notes);

# Takes a result, returns it as a file: its first line holds the summary, and each test has a line.
sub render {
    my ($result) = @_;
    my $document = _document($result);
    my @lines    = (
        '{' . join(q{,}, map { _member($document, $_) } qw(format schema summary)) . ',',
        (map { _member($document, $_) . ',' } @KEYS), '"runs":[',
    );
    return join("\n", @lines, join(",\n", map { _run($_) } @{ $result->{runs} }), ']}') . "\n";
}

sub _document {
    my ($result) = @_;
    my %shape = %UnixBench::ResultShape::DOCUMENT;
    delete $shape{runs};
    my $summary = UnixBench::Summary::of($result);
    return UnixBench::Shape::fitted({ %$result, format => UnixBench::ResultShape::FORMAT, summary => $summary },
        \%shape);
}

sub _member {
    my ($document, $key) = @_;
    return qq{"$key":} . UnixBench::JSON::Writer::encode_plainly($document->{$key});
}

sub _run {
    my ($run)   = @_;
    my %spread  = map { $_->{name} => UnixBench::Spread::of_test($_) } grep { is_measured($_) } @{ $run->{tests} };
    my @indexes = map { +{ %$_, estimate => UnixBench::Spread::of_index($_, \%spread) } } @{ $run->{indexes} };
    my %shape         = %UnixBench::ResultShape::RUN;
    my $shape_of_test = delete $shape{tests};
    my @tests         = map { _encoded(_test($_, $spread{ $_->{name} }), $shape_of_test->[0]) } @{ $run->{tests} };
    my $head          = _encoded({ %$run, indexes => \@indexes }, \%shape);
    return join "\n", substr($head, 0, -1) . ',"tests":[', join(",\n", @tests), ']}';
}

sub _test {
    my ($test, $spread) = @_;
    return { %$test, spread => $spread, passes => [map { _pass($_) } @{ $test->{passes} }] };
}

sub _pass {
    my ($pass) = @_;
    return { %$pass, copies => [map { _copy($_) } @{ $pass->{copies} }] };
}

# The copy with its count and time as numbers.
sub _copy {
    my ($copy) = @_;
    return $copy if defined $copy->{error};
    return { %$copy, count => $copy->{data}{COUNT0}, time_s => UnixBench::Score::copy_time_s($copy) };
}

sub _encoded {
    my ($data, $shape) = @_;
    return UnixBench::JSON::Writer::encode_plainly(UnixBench::Shape::fitted($data, $shape));
}

1;
