# The JSON of a result.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases     qw(cases);
use Fixture   qw(rendered result);
use HostTree  qw(recorded_hosts recorded_tree);
use Golden    qw(is_golden no_golden_left_over);
use Needs     qw(skip_without);
use Validator qw(complaints schema why_no_validator);
use Place     qw(write_file);
use UnixBench::Base::JSON;
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Host::Facts;
use UnixBench::Host::Machine;
use UnixBench::Store::ResultFile;
use UnixBench::Summary;

my @KINDS = qw(text html csv json);

# Takes a result; returns its reports in one text.
sub together {
    my ($result) = @_;
    my $view = UnixBench::Report::View->new(result => $result);
    return join "== \n", map { UnixBench::Report::Formats::of_result($_, $view) } @KINDS;
}

my $WHY_NOT = why_no_validator();
my $PLACE   = File::Temp->newdir;
my @CASES   = cases();
my %JSON_OF = map { $_->{name} => rendered(json => $_->{result}) } @CASES;
local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

# Writes a text to a file of that name; returns its path.
sub file { my ($name, $text) = @_; return write_file("$PLACE/$name", $text) }

# Takes the name of a case; returns its result.
sub case {
    my ($name) = @_;
    return map { $_->{result} } grep { $_->{name} eq $name } @CASES;
}

# Tests that the validator accepts these files.
sub are_valid {
    my (@paths) = @_;
SKIP: {
        skip_without(@$WHY_NOT, scalar @paths) if $WHY_NOT;
        my @complaints = complaints(@paths);
        is($complaints[$_], q{}, "$paths[$_]: valid" =~ s{.*/}{}r) for 0 .. $#paths;
    }
    return;
}

subtest 'the schema is made from the declaration' => sub {
    my $schema = UnixBench::Base::JSON::decode(schema('result'));
    is($schema->{'$id'}, "urn:unixbench:result:@{[UnixBench::Base::ResultSchema::SCHEMA]}", 'it has its number');
    ok(!$schema->{'$defs'}{comparison}, 'it has no types of other files');
    for my $name (sort keys %{ $schema->{'$defs'} }) {
        my $type = $schema->{'$defs'}{$name};
        is_deeply([sort @{ $type->{required} }], [sort keys %{ $type->{properties} }], "$name: each of its keys");
        my @silent = grep { !length $_->{description} } $type, values %{ $type->{properties} };
        is_deeply(\@silent, [], "$name: the type and its keys have a meaning");
    }
};

subtest 'the declaration is complete' => sub {
    my @types    = UnixBench::Base::ResultSchema::types();
    my %declared = map { $_->{name} => 1 } @types;

    # Only files of features have facts that differ in this form.
    my %used = map { $_ => 1 } 'fact_apart', values %{ UnixBench::Base::ResultSchema::documents() };
    for my $key (map { @{ $_->{keys} } } @types) {
        my $type = $key->{includes} // $key->{type} =~ s/[\[\]{}]//gr;
        next if $type =~ /[|=]/ || UnixBench::Base::Shape::json_schema($type);
        next if $key->{is_of_feature} && !$declared{$type};
        ok($declared{$type}, "$type is declared") if !$used{$type}++;
    }
    is_deeply([sort keys %used], [sort keys %declared], 'each type is used');
};

subtest 'the file of every case is valid' => sub {
    are_valid(map { file("$_->{name}.json", $JSON_OF{ $_->{name} }) } @CASES);
};

# Changes of a valid document that make it invalid.
my %BREAK = (
    'a number as text'            => sub { s/"score":([0-9.]+)/"score":"$1"/ },
    'a text as a number'          => sub { s/"version":"8[.]0[.]0"/"version":7/ },
    'a number as truth'           => sub { s/"complete":false/"complete":0/ },
    'null instead of a number'    => sub { s/"copies":1\b/"copies":null/ },
    'null instead of a text'      => sub { s/"title":"[^"]+"/"title":null/ },
    'half a copy'                 => sub { s/"copies":1\b/"copies":1.5/ },
    'no copy'                     => sub { s/"copies":1\b/"copies":0/ },
    'a score of 0'                => sub { s/"score":[0-9.]+/"score":0/ },
    'a negative spread'           => sub { s/"cv":null/"cv":-1/ },
    'an object instead of a list' => sub { s/"notes":\[\]/"notes":{}/ },
    'a missing key'               => sub { s/"is_brief":false,// },
    'a missing key of a copy'     => sub { s/"elapsed_s":[0-9.]+,// },
    'an unknown key'              => sub { s/"notes":/"note":[],"notes":/ },
    'an unknown key in a pass'    => sub { s/"where":/"why":"","where":/ },
    'an unknown status'           => sub { s/"status":"measured"/"status":"done"/ },
    'an unknown category'         => sub { s/"category":"system"/"category":"4d"/ },
    'another schema'              => sub { s{"schema":[0-9]+}{"schema":1} },
    'another format'              => sub { s/"unixbench-result"/"unixbench"/ },
    'a byte that is not UTF-8'    => sub { s/Throughput/\xff/ },
    'half of the document'        => sub { $_ = substr $_, 0, length() / 2 },
);

subtest 'an invalid document is refused' => sub {
    skip_without(@$WHY_NOT) if $WHY_NOT;
    my $json  = $JSON_OF{partial};
    my @names = sort keys %BREAK;
    my @files;
    for my $name (@names) {
        local $_ = $json;
        $BREAK{$name}->();
        isnt($_, $json, "changed: $name");
        push @files, file($name, $_);
    }
    my @complaints = complaints(@files);
    isnt($complaints[$_], q{}, "refused: $names[$_]") for 0 .. $#names;
};

subtest 'machines of all kinds' => sub {
    my @files;
    for my $name (recorded_hosts()) {
        my @at    = (root => recorded_tree($name), uname => ['Linux', 'vm', '6.1.0', '#1 SMP', 'x86_64']);
        my $host  = UnixBench::Host::Machine->new(@at, now => sub { 1e9 });
        my $facts = UnixBench::Host::Facts->new(@at, which => sub { return })->facts;
        my %facts = (host => { %{ $host->head }, cpu_quota => scalar $host->quota }, facts => $facts);
        my $read  = read_again($name, result([], %facts));
        is_deeply(
            $read->{facts},
            {
                programs => undef,
                %$facts, kernel => { settings => undef, %{ $facts->{kernel} } }
            },
            "$name: facts are unchanged after reading"
        );
        is_deeply(numbered($read->{host}), numbered($facts{host}), "$name: the host is unchanged after reading");
        push @files, "$PLACE/$name.json";
    }
    are_valid(@files);
};

# Returns a host in which numbers that may be texts are numbers.
sub numbered {
    my ($host) = @_;
    my @cpus = map { { %$_, id => 0 + $_->{id}, bogomips => 0 + ($_->{bogomips} // 0) } } @{ $host->{cpus} };
    return { %$host, cpus => \@cpus };
}

my %reports;    # the reports of each case, in one text

# Writes a result to a file and returns the result that is read from it.
sub read_again {
    my ($name, $result) = @_;
    return UnixBench::Store::ResultFile::result(file("$name.json", rendered(json => $result)));
}

subtest 'a file that is read again makes the same reports' => sub {
    for my $case (@CASES) {
        my ($name, $result) = @$case{qw(name result)};
        my $path = file("$name.json", $JSON_OF{$name});
        my $read = UnixBench::Store::ResultFile::result($path);
        $reports{$name} = together($result);
        ok(together($read) eq $reports{$name}, "$name: text, HTML, CSV and JSON are the same");
        is_deeply(UnixBench::Store::ResultFile::summary($path), UnixBench::Summary::of($read), "$name: its summary");
    }
};

subtest 'any bytes in any text' => sub {
    my ($result) = case ('categories');
    my $soiled = soiled($result, UnixBench::Base::ResultSchema::shape('document'));
    is($soiled->{host}{name}, "vm\xff\0\x1f\\\"caf\xc3\xa9\xe2\x80\xa8\xed\xa0\x80\xf0\x9f\x98\x80 ", 'its bytes');
    my $read = read_again('soiled', $soiled);
    ok(together($read) eq together($soiled), 'any bytes give the same reports after reading');
    are_valid("$PLACE/soiled.json");
};

# Returns the data with bytes of all kinds added to each text that may be any text.
sub soiled {
    my ($data, $shape) = @_;
    return $data if !defined $data || ref $data && !ref $shape;
    return [map { soiled($_, $shape->[0]) } @$data] if ref $data eq 'ARRAY';
    return $shape eq 'text' ? "$data\xff\0\x1f\\\"caf\xc3\xa9\xe2\x80\xa8\xed\xa0\x80\xf0\x9f\x98\x80 " : $data
        if ref $data ne 'HASH';
    return { %$data, COUNT => [@{ $data->{COUNT} }[0, 1], soiled($data->{COUNT}[2], 'text')] } if exists $data->{COUNT};
    my %is_fixed = map { $_ => 1 } qw(id);
    return { map { $_ => $is_fixed{$_} ? $data->{$_} : soiled($data->{$_}, _shape_of($shape, $_)) } keys %$data };
}

sub _shape_of {
    my ($shape, $key) = @_;
    my ($found) = map { $shape->{$_} // () } $key, "$key?", '*';
    return $key eq 'data' ? {} : $found // 'nothing';    # of a copy's data only the unit may be any text
}

# Without a feature, a file lacks what it computes. The checksum depends on that.
my ($DOCUMENT)  = grep { $_->{name} eq 'document' } UnixBench::Base::ResultSchema::types();
my $OF_FEATURES = join q{|}, map { $_->{key} } grep { $_->{is_of_feature} } @{ $DOCUMENT->{keys} };
for my $name ('partial') {
    is_golden("$name.json", rendered(json => case ($name)), sub { $_[0] =~ s/^"(?:$OF_FEATURES|sha256)":\N*\n//gmr });
}

no_golden_left_over();
done_testing;
