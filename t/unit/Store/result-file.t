# Tests of what is a result, and what is not: pages, JSON, and text reports. The checksum of a result decides whether it
# is read, whichever command reads it.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(measured rendered resealed result run);
use Place   qw(text_of write_file);
use UnixBench::Base::JSON;
use UnixBench::Base::ResultSchema;
use UnixBench::Command::Compare;
use UnixBench::Store::Document qw(begin_of has_data);
use UnixBench::Store::Journal;
use UnixBench::Store::ResultFile;
use UnixBench::Summary;
use UnixBench::Version;

my $PLACE = File::Temp->newdir;
local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

# A result of two runs, with indexes, and with texts that a page can't have.
my %FACTS  = (notes => ['</script><!-- "of tests" (Partial Only)']);
my $RESULT = result(
    [
        run(1, measured('pipe', 1, 5e6, 5.1e6, 5.05e6), measured('spawn', 1, 247_371, 242_919, 243_989)),
        run(2, measured('pipe', 2, 5e6, 5.1e6, 5.15e6), measured('spawn', 2, 247_371, 242_919, 243_989)),
    ],
    %FACTS
);
my $JSON = rendered(json => $RESULT);
my $PAGE = rendered(html => $RESULT);
my $BODY = index $PAGE, begin_of('result');
my $HEAD = index $PAGE, begin_of('summary');

# Takes a text, and perhaps a name; writes it to a file, and returns its path.
sub file { my ($text, $name) = @_; return write_file("$PLACE/" . ($name // 'x'), $text) }

# Takes result or summary, and a path; returns what is read from it as such, or the error.
sub read_as {
    my ($what, $path) = @_;
    return eval { UnixBench::Store::ResultFile->can($what)->($path) } // $@;
}

my ($WHOLE, $SUMMARY) = map { read_as($_, file($JSON)) } qw(result summary);
is_deeply($WHOLE->{notes}, $FACTS{notes},                  'all texts are read back unchanged');
is_deeply($SUMMARY,        UnixBench::Summary::of($WHOLE), 'the summary is that of the result');

subtest 'the summary of a page' => sub {
    my ($summary) = $PAGE =~ /\Q@{[begin_of('summary')]}\E([^<]*)/;
    is(UnixBench::Store::Document::is_sound(\$summary), 1, 'has a checksum of its own');
    is_deeply(UnixBench::Base::JSON::decode($summary)->{summary}, $SUMMARY, 'is that of the result');
};

subtest 'has_data recognises a page of a result' => sub {
    my $begin = begin_of('summary');
    ok(has_data(\$_), 'a page: ' . substr $_, 0, 60) for "<!DOCTYPE html>$begin", "\n  <!doctype HTML>\n<p>x</p>$begin";
    ok(!has_data(\$_), 'not one: ' . substr $_, 0, 60) for $begin, "x<!DOCTYPE html>$begin", '<!DOCTYPE html>', $JSON;
};

# Each form of a result.
my %FORMS = (
    'a page'                            => $PAGE,
    'a page with another title'         => $PAGE =~ s/<title>[^<]*/<title>My machine/r,
    'a page with another summary in it' => $PAGE =~ s/"name":"vm"/"name":"wm"/r,
    'a page after a byte order mark'    => "\xef\xbb\xbf$PAGE",
    'JSON after a byte order mark'      => "\xef\xbb\xbf$JSON",
);
for my $form (sort keys %FORMS) {
    my $path = file($FORMS{$form});
    is_deeply(read_as(result  => $path), $WHOLE,   "$form: the result");
    is_deeply(read_as(summary => $path), $SUMMARY, "$form: the summary");
}

subtest 'a text report has only a summary' => sub {
    my $path = file(rendered(text => $RESULT));
    is(read_as(summary => $path)->{runs}[1]{copies}, 2, 'the summary of a text report is read');
    my $why = 'a text report, without the data of the passes';
    is(read_as(result => $path), "$path is not a result: $why\n", 'a text report is not a result');
};

# Returns the head of a journal of the result.
sub journal {
    my %head = map { $_ => $RESULT->{$_} } grep { $_ ne 'runs' } keys %$RESULT;
    return UnixBench::Store::Journal->new->line(head => pid => 1, result => \%head);
}

my $NEITHER = 'neither JSON nor a report';
my $CHANGED = 'it was changed after it was written: its checksum (sha256, at its end) does not match';
my $END     = qr/: its end is missing; copy it again/;
my $TORN    = 'a page whose end is missing; copy it again';

# [name, text that is not a result, why].
#<<< a table
my @NONE = (
    ['an empty file'         => q{},                                         $NEITHER],
    ['bytes'                 => join(q{}, map { chr } 0 .. 255) x 50,        $NEITHER],
    ['a MB in a line'        => 'x' x 1e6,                                   $NEITHER],
    ['many lines'            => "abc 1.0 lps (1.0 s, 1 samples)\n" x 3e3,    $NEITHER],
    ['UTF-16'                => "\xff\xfe{\0}\0", 'UTF-16, not UTF-8; convert it with iconv'],
    ['a number'              => '5',                                         'JSON, but not from UnixBench'],
    ['other JSON'            => '{"format":"spec","schema":1,"runs":[]}',    'JSON, but not from UnixBench'],
    ['an endless text'       => '{"' . '\\n' x 5e4,                          qr/not JSON: a text without an end .*/],
    ['a journal'             => journal(), 'an unfinished run; use --resume to finish it'],
    ['half a head'           => substr($JSON, 0, 300),                       qr/not JSON: .+ at byte 300$END/],
    ['half of the file'      => substr($JSON, 0, length($JSON) / 2),         qr/not JSON: .+ at byte [0-9]+$END/],
    ['only the first line'   => $JSON =~ s/\n.*/\n/sr,                       qr/not JSON: a key is missing at .*$END/],
    ['without its last line' => $JSON =~ s/"sha256":.*//sr,                  qr/not JSON: a key is missing at .*$END/],
    ['the file twice'        => $JSON x 2,                                   qr/not JSON: more text after the end .*/],
    ['a changed head'        => $JSON =~ s/"copies":2/"copies":3/r,          $CHANGED],
    ['another text'          => $JSON =~ s/"asked":\["index"/"asked":["indey"/r,   $CHANGED],
    ['another checksum'      => $JSON =~ s/"sha256":"\K[0-9a-f]{4}/ffff/r,         $CHANGED],
    ['without a checksum'    => $JSON =~ s/,\n"sha256":[^\n]*/}/r,
        'it has no checksum (sha256, at its end); give the file that Run wrote'],
    ['another form'          => UnixBench::Base::JSON::encode(UnixBench::Base::JSON::decode($JSON)),
        q{another program wrote it anew, so its checksum can't be checked; give the file that Run wrote}],
    ['half of a page'        => substr($PAGE, 0, $BODY - 10),                $TORN],
    ['half of the summary'   => substr($PAGE, 0, $HEAD + 300),               $TORN],
    ['a changed page'        => substr($PAGE, 0, $BODY) . substr($PAGE, $BODY) =~ s/"vm"/"wm"/r, $CHANGED],
);
#>>>

for my $case (@NONE) {
    my ($name, $text, $why) = @$case;
    my $path     = file($text);
    my $expected = ref $why ? qr/\A\Q$path\E is not a result: $why\n\z/ : qr/\A\Q$path is not a result: $why\E\n\z/;
    like(read_as($_, $path), $expected, "$name: not a $_") for qw(result summary);
}

# What has a right checksum, but another shape. Its summary is used alone.
my @MISSHAPEN = (
    ['version: not a text'                 => sub { s/^"version":[^\n]+/"version":[],/m }],
    ['utc_offset_s: not a time in seconds' => sub { s/"utc_offset_s":0/"utc_offset_s":null/ }],
    ['asked is missing'                    => sub { s/^"asked":[^\n]+\n//m }],
);
for my $case (@MISSHAPEN) {
    my ($why, $change) = @$case;
    local $_ = $JSON;
    $change->();
    my $path = file(resealed($_));
    is(read_as(result => $path), "$path is not a result: $why\n", "refused: $why");
}
is_deeply(read_as(summary => file(resealed($JSON =~ s/"df":\K[0-9.]+/0/r))), $SUMMARY, 'another shape: computed');

my $SOUND = file($JSON, 'sound');

# Takes the path of a file; returns what each way in which commands read it says about it, each once.
sub said {
    my ($path) = @_;
    my @ways   = map { UnixBench::Store::ResultFile->can($_) } qw(result summary summaries outlines);
    push @ways, map { my $first = $_; sub { UnixBench::Command::Compare::of(files => [$first, @_]) } } $SOUND, $path;
    my %said = map { (eval { $_->($path); 1 } ? 'read' : $@) => 1 } @ways;
    return join q{}, sort keys %said;
}

my $NUMBER = qr/[0-9.]+(?:e[+-]?[0-9]+)?/;

# Takes a pattern and a factor; returns a function that multiplies the number after the pattern, which is behind the
# summary.
sub times_below {
    my ($pattern, $factor) = @_;
    return sub { s/(\n"version".*?$pattern)($NUMBER)/$1 . $2 * $factor/es }
}

# [what is altered, how]. Values that another version may compute in another way.
my @COMPUTED = (
    ['the estimate in the summary' => sub { s/"high":\K$NUMBER/1.5 * $&/e }],
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
        my $path = file($_);
        is(said($path), "$path is not a result: $CHANGED\n", 'and the file is refused');
    }
};

subtest 'a file with a right checksum is read, even if this version would compute other values' => sub {
    for my $alteration (@COMPUTED) {
        my ($what, $how) = @$alteration;
        local $_ = $JSON;
        $how->();
        is(said(file(resealed($_))), 'read', $what);
    }
};

subtest 'scores and indexes are those of the file' => sub {
    my %path_of = (
        'this version' => file(resealed($JSON =~ s/"score":\K$NUMBER/4711/gr =~ s/"index":\K$NUMBER/815/gr), 'altered')
    );
    $path_of{'other formulas'} =
        file(resealed(text_of($path_of{'this version'}) =~ s/"formulas":\K[0-9]+/99/r), 'other');
    for my $name (sort keys %path_of) {
        my ($run)   = @{ UnixBench::Store::ResultFile::result($path_of{$name})->{runs} };
        my ($short) = @{ UnixBench::Store::ResultFile::summary($path_of{$name})->{runs} };
        is_deeply([map { $_->{tests}[0]{score} } $run,   $short], [4711, 4711], "$name: the score");
        is_deeply([map { $_->{indexes}[0]{index} } $run, $short], [815,  815],  "$name: the index");
    }
};

subtest 'a result of another version' => sub {
    my $next   = UnixBench::Base::ResultSchema::SCHEMA + 1;
    my $newer  = resealed($JSON =~ s/"schema":\K[0-9]+/$next/r =~ s/^"version":\K"8.0.0"/"9.1"/mr);
    my %writer = (
        'UnixBench 7.0.0'              => '{"format":"unixbench-result","schema":1,"version":"7.0.0"}',
        'UnixBench 9.1'                => $newer,
        'another version of UnixBench' => '{"format":"unixbench-result","schema":"3x","version":"\u001b"}',
    );
    for my $writer (sort keys %writer) {
        my $path   = file($writer{$writer});
        my $reason = "a result of $writer, which version $UnixBench::Version::VERSION can't read";
        is(said($path), "$path is $reason; use that version, or measure again\n", "that of $writer is refused");
        my $other;
        ok(!eval { UnixBench::Store::ResultFile::summary($path, other_writer => \$other) }, 'callers are told');
        like($other, qr/\A\Q$reason\E/, '... what it is');
    }
    my $other;
    ok(!eval { UnixBench::Store::ResultFile::summaries(file('a result of'), other_writer => \$other) }, 'another file');
    is($other, undef, '... is something else, whatever its text is');
};

done_testing;
