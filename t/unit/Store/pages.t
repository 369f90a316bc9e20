use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(measured result run);
use Rendered qw(rendered);
use UnixBench::Base::JSON;
use UnixBench::Store::Document qw(begin_of has_data result_in);
use UnixBench::Store::ResultFile;
use UnixBench::Store::Summary;

# The data in a result's page, and how it is read.

my $PLACE  = File::Temp->newdir;
my %FACTS  = (notes => ['</script><!-- "of tests" (Partial Only)']);
my $RESULT = result([run(2, measured('pipe', 2, 5e6, 5.1e6), measured('spawn', 2, 247_371, 242_919))], %FACTS);
my $PAGE   = rendered(html => $RESULT);
my $JSON   = rendered(json => $RESULT);

# Writes a text to a file; returns its path.
sub file {
    my ($text, $name) = @_;
    my $path = "$PLACE/" . ($name // 'x.html');
    open my $file, '>:raw', $path or die "$path: $!\n";
    print {$file} $text;
    close $file or die "$path: $!\n";
    return $path;
}

# Takes a text; returns the summary of a file with that text, or the error without the path.
sub summary_of {
    my ($text) = @_;
    my $path = file($text);
    return eval { UnixBench::Store::ResultFile::summary($path) } // $@ =~ s/\A\Q$path\E //r;
}

# The same for the result.
sub result_of {
    my ($text) = @_;
    my $path = file($text);
    return eval { UnixBench::Store::ResultFile::result($path) } // $@ =~ s/\A\Q$path\E //r;
}

my $SUMMARY = summary_of($JSON);
my $WHOLE   = result_of($JSON);
is(ref $WHOLE, 'HASH', 'the JSON of the result is read');

subtest 'a page has the data in two elements' => sub {
    ok(has_data(\$PAGE), 'the page has data');
    is(result_in(\$PAGE), $JSON, 'the body has the bytes of the JSON file');
    my ($summary) = $PAGE =~ /\Q@{[begin_of('summary')]}\E([^<]*)/;
    is(UnixBench::Store::Document::is_sound(\$summary), 1, 'the summary has a checksum of its own');
    is_deeply(UnixBench::Base::JSON::decode($summary)->{summary}, $SUMMARY, 'the head has the summary of the result');
    like(
        $PAGE,
        qr{\A<!DOCTYPE html>.*\Q@{[begin_of('summary')]}\E.*</head>.*\Q@{[begin_of('result')]}\E.*</html>\n\z}s,
        'the summary is in the head, the result in the body'
    );
    cmp_ok(index($PAGE, begin_of('summary')), '<', 32_768, 'the summary is near the beginning');
    is(scalar(() = $PAGE =~ /<script/g), 2, 'a page has no other script element');
    unlike($JSON, qr/<|of tests|[(]Partial Only[)]/, 'the data has no text that ends an element or that scripts count');
    is_deeply($WHOLE->{notes}, $FACTS{notes}, 'such texts are read back unchanged');
};

subtest 'has_data recognises a page of a result' => sub {
    my $begin = begin_of('summary');
    my %pages = (
        "<!DOCTYPE html>$begin"                  => 1,
        "\n  <!doctype HTML>\n<p>x</p>$begin"    => 1,
        $begin                                   => 0,
        "x<!DOCTYPE html>$begin"                 => 0,
        "<!DOCTYPE html>@{[begin_of('result')]}" => 0,
        '<!DOCTYPE html><script>'                => 0,
        q{}                                      => 0,
        $JSON                                    => 0,
    );
    is(!!has_data(\$_), !!$pages{$_}, substr $_, 0, 60) for sort keys %pages;
    my $cut = substr $PAGE, 0, index($PAGE, $begin) + 200;
    is(result_in(\$cut), undef, 'a result that is missing is not returned');
};

subtest 'a page is read like the JSON file' => sub {
    is_deeply(result_of($PAGE),                                       $WHOLE,   'result');
    is_deeply(summary_of($PAGE),                                      $SUMMARY, 'summary');
    is_deeply(result_of("\xef\xbb\xbf$PAGE"),                         $WHOLE,   'after a byte order mark');
    is_deeply(summary_of("\xef\xbb\xbf$PAGE"),                        $SUMMARY, 'its summary');
    is_deeply(result_of($PAGE =~ s/<title>[^<]*/<title>My machine/r), $WHOLE,   'with another title');
};

# Take a text and its replacement; return the page with that change in the data of the body, or of the head.
my $BODY = index $PAGE, begin_of('result');
sub in_body { return changed($BODY, @_) }
sub in_head { return changed(0,     @_) }

sub changed {
    my ($from, $old, $new) = @_;
    my ($before, $after) = (substr($PAGE, 0, $from), substr $PAGE, $from);
    $after =~ s/\Q$old\E/$new/ or die "no $old\n";
    return $before . $after;
}

my $TORN    = qr/\Ais not a result: a page whose end is missing; copy it again\n\z/;
my $CHANGED = qr/\Ais not a result: it was changed after it was written: its checksum [(].*[)] does not match\n\z/;
my $HEAD    = index $PAGE, begin_of('summary');

my ($SUM) = substr($PAGE, $BODY) =~ /"sha256":"([0-9a-f]{64})"\}\n</ or die "no checksum\n";

# [what is wrong with a page, its text, the error].
my @WRONG = (
    ['the data of the body is missing', substr($PAGE, 0, $BODY - 10),               $TORN],
    ['half of the summary',             substr($PAGE, 0, $HEAD + 300),              $TORN],
    ['a changed checksum in the body',  in_body($SUM, $SUM =~ tr/0-9a-f/1-9a-f0/r), $CHANGED],
    ['a changed summary in the body',   in_body('"name":"vm"', '"name":"wm"'),      $CHANGED],
);
for my $case (@WRONG) {
    my ($what, $text, $error) = @$case;
    like(result_of($text),  $error, "$what: the result is refused");
    like(summary_of($text), $error, "$what: the summary is refused");
}

subtest 'a changed summary in the head is not used' => sub {
    my $text = in_head('"name":"vm"', '"name":"wm"');
    is_deeply(result_of($text),  $WHOLE,   'the result is read');
    is_deeply(summary_of($text), $SUMMARY, 'the summary is that of the body');
};

subtest 'a page of an earlier version is refused' => sub {
    my $old = $PAGE =~ s/"schema":[0-9]+/"schema":2/gr =~ s/^"version":"[^"]*"/"version":"7.1.0"/mr;
    like($_->($old), qr/\Ais a result of UnixBench 7[.]1[.]0, which version \S+ can't read; [^\n]+\n\z/, 'one line')
        for \&summary_of, \&result_of;
    my $other;
    ok(!eval { UnixBench::Store::ResultFile::summary(file($old), other_writer => \$other) }, 'callers are told');
    like($other, qr/\Aa result of UnixBench 7[.]1[.]0, /, '... what it is');
    undef $other;
    ok(!eval { UnixBench::Store::ResultFile::summaries(file('a result of'), other_writer => \$other) }, 'another file');
    is($other, undef, '... is something else, whatever its text is');
};

done_testing;
