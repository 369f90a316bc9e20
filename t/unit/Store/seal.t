# Tests that the checksum of a result decides whether it is read, whichever command reads it.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(measured result run);
use Place    qw(text_of write_file);
use Rendered qw(rendered resealed);
use UnixBench::Base::ResultSchema;
use UnixBench::Command::Compare;
use UnixBench::Store::ResultFile;

my $PLACE = File::Temp->newdir;

my $JSON = rendered(
    json => result([
        run(1, measured('pipe', 1, 5e6, 5.1e6, 5.05e6), measured('spawn', 1, 247_371, 242_919, 243_989)),
        run(2, measured('pipe', 2, 5e6, 5.1e6, 5.15e6), measured('spawn', 2, 247_371, 242_919, 243_989)),
    ])
);
my $SOUND = file('sound.json', $JSON);
my $NEXT  = UnixBench::Base::ResultSchema::SCHEMA + 1;

sub file { my ($name, $text) = @_; return write_file("$PLACE/$name", $text) }

# Takes the path of a file; returns the ways in which the file is read: [name => function].
sub ways {
    my ($path) = @_;
    return (
        ['report'          => sub { UnixBench::Store::ResultFile::result($path) }],
        ['summary'         => sub { UnixBench::Store::ResultFile::summary($path) }],
        ['compare'         => sub { UnixBench::Command::Compare::of(files => [$SOUND, $path]) }],
        ['compare, itself' => sub { UnixBench::Command::Compare::of(files => [$path,  $path]) }],
        ['summaries'       => sub { UnixBench::Store::ResultFile::summaries($path) }],
    );
}

# Takes a path; returns what each way says about it, each once.
sub said {
    my ($path) = @_;
    my %said = map { (eval { $_->[1]->(); 1 } ? 'read' : $@) => 1 } ways($path);
    return join q{}, sort keys %said;
}

sub refused {
    my ($path, $why) = @_;
    return "$path is not a result: $why\n";
}

my $NUMBER  = qr/[0-9.]+(?:e[+-]?[0-9]+)?/;
my $CHANGED = 'it was changed after it was written: its checksum (sha256, at its end) does not match';

# Takes a pattern whose first group stays, and a factor; returns a function that multiplies the number after the
# pattern.
sub times_of {
    my ($pattern, $factor) = @_;
    return sub { s/($pattern)($NUMBER)/$1 . $2 * $factor/e }
}

# Takes the same; returns a function that multiplies such a number after the summary.
sub times_below {
    my ($pattern, $factor) = @_;
    return sub { s/(\n"version".*?$pattern)($NUMBER)/$1 . $2 * $factor/es }
}

# [what is altered, how]. Values that another version may compute in another way.
my @COMPUTED = (
    ['the estimate in the summary' => times_of('"high":', 1.5)],
    ['no summary'                  => sub { s/"summary":\{\N*\},\n/"summary":{},\n/ }],
    ['the score of a test'         => times_below('"rows".*?"score":', 1.01)],
    ['the gain'                    => sub { s/^("gain":.*?"gain":)($NUMBER)/$1 . 2 * $2/em }],
    ['the warnings'                => sub { s/^"remarks":\N*/"remarks":[{"kind":"tomorrow","seen":"x","new":[1]}],/m }],
    ['an unknown key'              => sub { s/^"asked":/"x\\u001b[31m":0,\n"asked":/m }],
    ['an unknown key of a pass'    => sub { s/"copies":\[\{"count"/"aged_s":[1],"copies":[{"count"/ }],
    ['an unknown fact'             => sub { s/^"facts":null/"facts":{"moon":"full"}/m }],
    ['an unknown cause' => sub { s/"tags":\[\]/"tags":[{"cause":"moon","level":"note","value":1,"by":null}]/ }],
);

# Values that were measured.
my @MEASURED = (
    ['the count of a pass' => times_below('"copies":\[\{.*?\}\],"count":', 10)],
    ['the procedure'       => sub { s/^("procedure":.*)"official"/$1"quick"/m }],
);

is(said($SOUND), 'read', 'a sound file is read by all commands');

subtest 'a file that was changed is refused by all commands' => sub {
    for my $alteration (@COMPUTED, @MEASURED) {
        my ($what, $how) = @$alteration;
        local $_ = $JSON;
        $how->();
        isnt($_, $JSON, "$what is altered");
        my $path = file('altered.json', $_);
        is(said($path), refused($path, $CHANGED), 'and the file is refused');
    }
};

subtest 'a file with a right checksum is read, even if this version would compute other values' => sub {
    for my $alteration (@COMPUTED) {
        my ($what, $how) = @$alteration;
        local $_ = $JSON;
        $how->();
        is(said(file('altered.json', resealed($_))), 'read', $what);
    }
};

subtest 'scores and indexes are those of the file' => sub {
    my %path_of = ('this version' =>
            file('altered.json', resealed($JSON =~ s/"score":\K$NUMBER/4711/gr =~ s/"index":\K$NUMBER/815/gr)),);
    $path_of{'other formulas'} =
        file('other.json', resealed(text_of($path_of{'this version'}) =~ s/"formulas":\K[0-9]+/99/r));
    for my $name (sort keys %path_of) {
        my ($run)   = @{ UnixBench::Store::ResultFile::result($path_of{$name})->{runs} };
        my ($short) = @{ UnixBench::Store::ResultFile::summary($path_of{$name})->{runs} };
        is_deeply([map { $_->{tests}[0]{score} } $run,   $short], [4711, 4711], "$name: the score");
        is_deeply([map { $_->{indexes}[0]{index} } $run, $short], [815,  815],  "$name: the index");
    }
};

subtest 'a result of a newer release' => sub {
    my $path = file('newer.json', resealed($JSON =~ s/"schema":\K[0-9]+/$NEXT/r =~ s/^"version":\K"8.0.0"/"9.1"/mr));
    my $what = "a result of UnixBench 9.1, which version $UnixBench::Version::VERSION can't read";
    is(said($path), "$path is $what; use that version, or measure again\n", 'is refused with the version to use');
};

done_testing;
