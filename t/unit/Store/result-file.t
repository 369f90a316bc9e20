use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(measured result run);
use Rendered qw(rendered resealed);
use UnixBench::Base::Files;
use UnixBench::Base::JSON;
use UnixBench::Store::Journal;
use UnixBench::Store::ResultFile;
use UnixBench::Store::Document;
use UnixBench::Store::Summary;
use UnixBench::Version;

my $PLACE = File::Temp->newdir;
my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

# A result of two tests with several passes, and with an index.
my $RESULT =
    result([run(2, measured('pipe', 2, 5e6, 5.1e6, 5.05e6), measured('spawn', 2, 247_371, 242_919, 243_989))]);
my $JSON = rendered(json => $RESULT);

# Writes a text to a file; returns its path.
sub file {
    my ($text, $name) = @_;
    my $path = "$PLACE/" . ($name // 'x.json');
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return $path;
}

# Takes result or summary, and a path; returns the error of reading the path as such, or "nothing".
sub said {
    my ($what, $path) = @_;
    return eval { UnixBench::Store::ResultFile->can($what)->($path); 'nothing' } // $@;
}

subtest "a file that can't be read is reported" => sub {
    for my $what (qw(result summary)) {
        is(said($what, "$PLACE/nix"), "can't read $PLACE/nix: No such file or directory\n", "$what: a missing file");
        is(said($what, "$PLACE"),     "can't read $PLACE: Is a directory\n",                "$what: a directory");
        my $endless = UnixBench::Base::Files::content('/proc/self/mem') // "can't";
        is($endless, "can't", 'this system refuses to read /proc/self/mem') or next;
        like(
            said($what, '/proc/self/mem'),
            qr{\Acan't read /proc/self/mem: [^\n]+\n\z},
            "$what: an error while reading"
        );
    }
};

# Returns the head of a journal of the result.
sub journal {
    my %head = map { $_ => $RESULT->{$_} } grep { $_ ne 'runs' } keys %$RESULT;
    return UnixBench::Store::Journal->new->line(head => pid => 1, result => \%head);
}

my $NEITHER = 'neither JSON nor a report';
my $NOT_ALL = qr/not JSON: more text after the end .*/;
my $SEALED  = UnixBench::Store::Document::is_sound(\$JSON);
my $CHANGED = 'it was changed after it was written: its checksum (sha256, at its end) does not match';
my $TORN    = ': its end is missing; copy it again';

# [name, text that is not a result, why].
#<<< a table
my @NONE = (
    ['an empty file'       => q{},                                            $NEITHER],
    ['a blank line'        => "\n",                                           $NEITHER],
    ['a number'            => '5',                                            'JSON, but not from UnixBench'],
    ['bytes'               => join(q{}, map { chr } 0 .. 255) x 50,           $NEITHER],
    ['UTF-16'              => "\xff\xfe{\0}\0", 'UTF-16, not UTF-8; convert it with iconv'],
    ['a MB in a line'      => 'x' x 1e6,                                      $NEITHER],
    ['many lines'          => "abc 1.0 lps (1.0 s, 1 samples)\n" x 3e3,       $NEITHER],
    ['an endless text'     => '{"' . '\\n' x 5e4,                             qr/not JSON: a text without an end .*/],
    ['a byte, not UTF-8'  => "{\xff}",                                       qr/not JSON: a byte that is not UTF-8 .*/],
    ['an empty object'     => '{}',                                           'JSON, but not from UnixBench'],
    ['other JSON'         => '{"format":"spec","schema":1,"runs":[]}',       'JSON, but not from UnixBench'],
    ['a journal' => journal(), 'an unfinished run; use --resume to finish it'],
    ['a longer journal' => journal() x 2, 'an unfinished run; use --resume to finish it'],
    ['a changed head'      => $JSON =~ s/"copies":2/"copies":3/r,             $CHANGED],
    ['half a head' => substr($JSON, 0, 300), qr/not JSON: .+ at byte 300: its end is missing; copy it again/],
);

# The same for texts that are wrong after the first line.
my @WRONG_BODY = (
    ['half of the file'    => substr($JSON, 0, length($JSON) / 2),            qr/not JSON: .+ at byte [0-9]+$TORN/],
    ['only the first line' => $JSON =~ s/\n.*/\n/sr, qr/not JSON: a key is missing at byte [0-9]+$TORN/],
    ['without the end' => substr($JSON, 0, -2), qr/not JSON: "," or "\}" is missing at byte [0-9]+$TORN/],
    ['without its last line' => $JSON =~ s/"sha256":.*//sr, qr/not JSON: a key is missing at byte [0-9]+$TORN/],
    ['the file twice'      => $JSON x 2,                                      $NOT_ALL],
    ['a list for a text'   => resealed($JSON =~ s/^"version":[^\n]+/"version":[],/mr),  'version: not a text'],
    ['a text for a list'   => resealed($JSON =~ s/^"notes":[^\n]+/"notes":"x",/mr),     'notes: not a list'],
    ['null for a number'   => resealed($JSON =~ s/"utc_offset_s":0/"utc_offset_s":null/r),
        qr/utc_offset_s: not a time in seconds/],
    ['a text for a number' => resealed($JSON =~ s/"utc_offset_s":0/"utc_offset_s":"UTC"/r),
        qr/utc_offset_s: not a time\b.*/],
    ['a missing key'       => resealed($JSON =~ s/^"asked":[^\n]+\n//mr),               'asked is missing'],
    ['another text'        => $JSON =~ s/"asked":\["index"/"asked":["indey"/r,   $CHANGED],
    ['another checksum'    => $JSON =~ s/"sha256":"\K[0-9a-f]{4}/ffff/r,        $CHANGED],
);
#>>>

is($SEALED, 1, 'a result has a checksum that fits');

for my $case (@NONE, @WRONG_BODY) {
    my ($name, $text, $why) = @$case;
    my $path     = file($text);
    my $expected = ref $why ? qr/\A\Q$path\E is not a result: $why\n\z/ : qr/\A\Q$path is not a result: $why\E\n\z/;
    like(said('result', $path), $expected, "$name: not a result");
    next if $name =~ /\A(?:null for|a text for|a list for|a missing key)/;
    like(said('summary', $path), $expected, "$name: not a summary");
}

# [schema, other keys, the version that is named].
my @OTHERS =
    (['1', ',"version":"7.0.0"', 'UnixBench 7.0.0'], ['"3x"', ',"version":"\u001b"', 'another version of UnixBench'],);
for my $case (@OTHERS) {
    my ($schema, $more, $writer) = @$case;
    my $path   = file(qq({"format":"unixbench-result","schema":$schema$more}));
    my $reason = "a result of $writer, which version $UnixBench::Version::VERSION can't read";
    is(said($_, $path), "$path is $reason; use that version, or measure again\n", "$_ of schema $schema: $writer")
        for qw(result summary);
}

subtest 'a text report has only a summary' => sub {
    my $path = file(rendered(text => $RESULT));
    is(UnixBench::Store::ResultFile::summary($path)->{runs}[0]{copies}, 2, 'the summary of a text report is read');
    my $why = 'a text report, without the data of the passes';
    is(said('result', $path), "$path is not a result: $why\n", 'a text report is not a result');
};

subtest 'a byte order mark is ignored' => sub {
    for my $text ($JSON, $JSON =~ s/\A[{]/{ /r) {
        my $path = file("\xef\xbb\xbf$text");
        is(UnixBench::Store::ResultFile::summary($path)->{runs}[0]{copies}, 2, 'the summary is read');
        is(UnixBench::Store::ResultFile::result($path)->{runs}[0]{copies},  2, 'the result is read');
    }
};

# Takes a function that changes the document in $_; returns the path of a file with the changed one, whose checksum is
# right.
sub changed {
    my ($change) = @_;
    local $_ = UnixBench::Base::JSON::decode($JSON);
    $change->();
    my $json = q{};
    UnixBench::Store::Document::write_to($_, sub { $json .= $_[0] });
    return file($json);
}

sub pipe_test  { return $_->{runs}[0]{tests}[0] }
sub first_pass { return pipe_test()->{passes}[0] }
sub first_copy { return first_pass()->{copies}[0] }
sub index_of   { return $_->{runs}[0]{indexes}[0] }

# [why it is not a result, change of a result that keeps its shape].
my $NO_COUNT = 'pipe: a pass must have either a count or an error';
my $NO_FIT   = 'pipe: its status and its score contradict each other';
#<<< a table
my @MISFITS = (
    (map { my $key = $_; [$NO_FIT => sub { pipe_test->{$key} = undef }] } qw(score unit time_s samples)),
    (map { my $key = $_; [$NO_COUNT => sub { first_pass->{$key} = undef }] } qw(count unit time_s timebase)),
    [$NO_FIT   => sub { pipe_test->{passes} = [] }],
    [$NO_FIT   => sub { pipe_test->{status} = 'failed' }],
    ['pipe: the passes are out of order'              => sub { first_pass->{number} = 2 }],
    ['pipe: a copy failed in a pass without an error'              => sub { first_copy->{error} = 'x' }],
    ['pipe: a copy has no valid count'   => sub { delete first_copy->{data}{COUNT} }],
    (map { my $key = $_; ['pipe: a copy has no valid count' => sub { delete first_copy->{$key} }] }
        qw(count time_s timebase unit)),
    ['pipe: a rate is out of range'           => sub { @{ first_pass() }{qw(count time_s)} = (1e60, 1e-60) }],
    ['pipe: a rate is out of range'           => sub { @{ first_pass() }{qw(count timebase)} = (1e-60, 0) }],
    ['a baseline is out of range' => sub { index_of->{rows}[0]{baseline} = 1e-100 }],
    ['runs[0].started: not a time in seconds'            => sub { $_->{runs}[0]{started} = 1e300 }],
    ['runs[0].ended: not a time in seconds'              => sub { $_->{runs}[0]{ended} = 1e15 }],
    ['utc_offset_s: not a time in seconds'               => sub { $_->{utc_offset_s} = 1e15 }],
    ['host.name: not a text'                    => sub { $_->{host}{name} = undef }],
);
#>>>

for my $misfit (@MISFITS) {
    my ($why, $change) = @$misfit;
    my $path = changed($change);
    is(said('result', $path), "$path is not a result: $why\n", "refused: $why");
}

subtest 'a result with a test that failed in its second pass is read' => sub {
    my $path = file($JSON);
    local $_ = UnixBench::Store::ResultFile::result($path);
    my $test = pipe_test();
    @$test{qw(status reason score unit time_s samples dropped kept)} = ('failed', 'x');
    @{ $test->{passes}[1] }{qw(count time_s timebase unit error)} = ((undef) x 4, 'x');
    $_->{runs}[0]{indexes} = [];
    is(said('result', file(rendered(json => $_))), 'nothing', 'the result is read');
};

sub summary_test     { return $_->{summary}{runs}[0]{tests}[0] }
sub summary_estimate { return summary_test()->{estimate} }
sub summary_index    { return $_->{summary}{runs}[0]{indexes}[0] }

# [why a summary makes no sense, change of it]. Then the summary is computed from the passes.
my $NO_VALUE    = 'pipe is measured, but a value is missing';
my $NO_INTERVAL = 'an interval does not contain its value';
my $ABSURD      = 'an interval is out of range';
my $WHOLE       = UnixBench::Store::ResultFile::summary(file($JSON));
#<<< a table
my @MISFIT_SUMMARIES = (
    (map { my $key = $_; [$NO_VALUE => sub { summary_test->{$key} = undef }] } qw(score unit passes estimate)),
    (map { my $key = $_; [$NO_INTERVAL => sub { summary_estimate->{$key} = undef }] } qw(low high log_se df)),
    (map { my $low = $_; [$NO_INTERVAL => sub { summary_estimate->{low} = $low }] } 1e300, undef),
    (map { my $df = $_; [$ABSURD => sub { summary_estimate->{df} = $df }] } 0.5, 1e300),
    [$ABSURD => sub { summary_estimate->{log_se} = 1e300 }],
    [$NO_INTERVAL => sub { summary_index->{estimate}{low} = undef }],
    ['pipe: the variation is out of range' => sub { summary_test->{cv} = 1e300 }],
    ['pipe appears twice'         => sub { $_->{summary}{runs}[0]{tests}[1]{name} = 'pipe' }],
    ['summary.started: not a time in seconds'  => sub { $_->{summary}{started} = 1e300 }],
    ['summary.runs[0].tests[0].estimate.df: not a number from 1e-150 to 1e150' => sub { summary_estimate->{df} = 0 }],
    ['summary.runs[0].tests[0].estimate.log_se: not a number from 0' => sub { summary_estimate->{log_se} = -1 }],
);
#>>>

for my $misfit (@MISFIT_SUMMARIES) {
    my ($why, $change) = @$misfit;
    my $path = changed($change);
    is_deeply(UnixBench::Store::ResultFile::summary($path), $WHOLE, "a summary that is not used: $why");
}

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

done_testing;
