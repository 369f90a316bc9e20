# Tests that results of schema 1, which version 7.0.0 wrote, become the results that this version would have written.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases        qw(cases);
use Earlier      qw(as_schema_1);
use Fixture      qw(measured result run);
use Interactive  qw(response);
use MultiUserRun qw(load_lines played);
use Rendered     qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Base::JSONReader;
use UnixBench::Report::Log;
use UnixBench::Store::ResultFile;
use UnixBench::Store::Schema1;

my $OLD   = "$FindBin::Bin/../../data/result-7.0.0.json";
my $PLACE = File::Temp->newdir;

sub file {
    my ($text) = @_;
    UnixBench::Base::Files::write_whole("$PLACE/x.json", $text);
    return "$PLACE/x.json";
}

subtest 'a result that version 7.0.0 has written is converted' => sub {
    my $text   = UnixBench::Base::Files::content($OLD);
    my $result = UnixBench::Store::ResultFile::result($OLD);
    is($result->{schema}, 2, 'the result has the current schema');
    my ($copy) = @{ $result->{runs}[0]{tests}[0]{passes}[0]{copies} };
    my ($flat) = $text =~ /"data":(\{[^}]*\})/;
    is($flat, '{"COUNT0":"247371","COUNT1":"1","COUNT2":"lps"}', 'the file has flat keys');
    is_deeply($copy->{data},                     { COUNT => [247_371, 1, 'lps'] }, 'the result has lists');
    is_deeply([@$copy{qw(count timebase unit)}], [247_371, 1, 'lps'],              'the result has named fields');
    my $anew = file(rendered(json => $result));
    my $back = as_schema_1(UnixBench::Base::Files::content($anew));
    is_deeply(known(decoded($back)->{$_}), known(decoded($text)->{$_}), "$_ stays the same")
        for qw(summary procedure runs notes schema);
};

sub decoded { return UnixBench::Base::JSONReader::decode($_[0]) }

# Takes data; returns it without keys whose value is null, which mean the same as missing keys.
sub known {
    my ($data) = @_;
    return [map { known($_) } @$data] if ref $data eq 'ARRAY';
    return $data if ref $data ne 'HASH';
    return { map { $_ => known($data->{$_}) } grep { defined $data->{$_} } keys %$data };
}

# Takes a result; returns it without the parts of the procedure that schema 1 had only as notes.
sub plain {
    my ($result) = @_;
    my %procedure = %{ $result->{procedure} };
    delete @procedure{qw(display baseline replacements resumptions interruption load_change)};
    return { %$result, procedure => \%procedure };
}

for my $case (cases()) {
    my ($name, $result) = @$case{qw(name result)};
    my $json = rendered(json => $result);
    my ($now, $then) = map { UnixBench::Store::ResultFile::result(file($_)) } $json, as_schema_1($json);
    is_deeply(known(plain($then)), known(plain($now)), "$name: the same result in both schemas");
    is(
        UnixBench::Report::Log::render($then),
        UnixBench::Report::Log::render($now),
        "$name: the same log in both schemas"
    );
}

# [flat keys, the lists that they become, name].
my @DATA = (
    [{ A0      => 1, A1      => 2 } => { A      => [1, 2] }],
    [{ 'a.1.0' => 1, 'a.1.1' => 2 } => { 'a.1.' => [1, 2] }],
    [{ map { ("c$_" => $_) } 0 .. 14 } => { c => [0 .. 14] }],
    [{ A0 => 1 }                  => { A0 => [1] },                      'a single number is not a list'],
    [{ A1 => 1, A2 => 2 }         => { A1 => [1], A2 => [2] },           'numbers of a list begin with 0'],
    [{ A0 => 1, A2 => 2 }         => { A0 => [1], A2 => [2] },           'numbers of a list have no gap'],
    [{ A00 => 1, A01 => 2 }       => { A00 => [1], A01 => [2] },         'numbers of a list have no leading zeros'],
    [{ A0 => 1, A1 => 2, A => 3 } => { A0 => [1], A1 => [2], A => [3] }, 'another key has the name of the list'],
    [{ map { ("trial.$_" => 9) } 1, 2, 10, 11, 12 }           => { map { ("trial.$_" => [9]) } 1, 2, 10, 11, 12 }],
    [{ COUNT0 => 5 }                                          => { COUNT => [5] }, 'half a count is a list'],
    [{ COUNT0 => 5, COUNT1 => 1, COUNT2 => 'lps', TIME => 2 } => { COUNT => [5, 1, 'lps'], TIME => [2] }],
    [{ NEW => [1, 2], TEXT => 'x' } => { NEW => [[1, 2]], TEXT => ['x'] }, 'a list is left to the check of the shape'],
);
for my $row (@DATA) {
    my ($flat, $lines, $name) = @$row;
    my %copy = (error => 'x', data => $flat);
    UnixBench::Store::Schema1::upgrade_pass({ copies => [\%copy] });
    is_deeply($copy{data}, $lines, $name // 'lists of ' . join q{ }, sort keys %$lines);
}

subtest 'notes become data' => sub {
    my @notes  = ('virtual display (Xvfb)', 'resumed Fri Nov 20 2026 02:12:30');
    my $result = result([run(1, measured('pipe', 1, 1000))], notes => \@notes, utc_offset_s => 3600);
    my $json   = as_schema_1(rendered(json => $result));
    my $read   = UnixBench::Store::ResultFile::result(file($json));
    is_deeply(
        [@{ $read->{procedure} }{qw(display resumptions)}],
        ['virtual', [1_795_137_150]],
        'display and resumptions are data'
    );
    is_deeply($read->{notes}, \@notes, 'the notes are kept');
    my $summary = UnixBench::Store::ResultFile::summary(file($json));
    is_deeply(
        [@{ $summary->{procedure} }{qw(display resumptions)}],
        ['virtual', [1_795_137_150]],
        'they are data in the summary, too'
    );
};

subtest 'a display is known only if a test needed one' => sub {
    my %read = map { $_ => UnixBench::Store::ResultFile::result(file(as_schema_1(_of_test($_)))) } qw(pipe ubgears);
    is($read{pipe}{procedure}{display},    undef,   'pipe needs no display');
    is($read{ubgears}{procedure}{display}, 'given', 'ubgears needs a display');
};

sub _of_test {
    my ($name) = @_;
    return rendered(json => result([run(1, measured($name, 1, 1000))]));
}

subtest 'values that schema 1 did not have are refused' => sub {
    my $json = as_schema_1(_of_test('pipe')) =~ s/"procedure":[{]/"procedure":{"baseline":"odd",/gr;
    ok(!eval { UnixBench::Store::ResultFile::result(file($json)) }, 'an unknown baseline is refused');
    like($@, qr/baseline/, 'the error names the baseline');
};

subtest 'data of programs is converted' => sub {
    for my $test (played([load_lines(lost => 1, alone => 1)]), response(1)) {
        my $json = rendered(json => result([run(1, $test)]));
        my ($now, $then) = map { UnixBench::Store::ResultFile::result(file($_))->{runs} } $json, as_schema_1($json);
        is_deeply(known($then), known($now), "$test->{name}: the same data in both schemas");
    }
};

# Data of a wrong shape is left to the check of the shape.
for my $odd (
    '{}', '{"runs":5}', '{"runs":[5,{"tests":{}}]}',
    '{"summary":[],"procedure":"x","notes":[{}]}',
    '{"notes":[{},null],"procedure":{}}',
    '{"runs":[{"tests":[{"passes":[{"copies":[{"data":[]},{"data":{"COUNT0":{}}}]}]}]}]}'
    )
{
    my $document = decoded($odd);
    ok(eval { UnixBench::Store::Schema1::upgrade_document($document); 1 }, "no error in the conversion: $odd")
        or diag $@;
}

done_testing;
