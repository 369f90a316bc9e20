# The picture of a result: --export svg:FILE.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(result);
use Gallery                        qw(results);
use Cases                          qw(whole);
use InPath                         qw(path_of);
use Needs                          qw(note_without);
use Place                          qw(write_file);
use UnixBench::Compare::Published;
use UnixBench::Report::Formats;
use UnixBench::Report::View;

my @PUBLISHED = UnixBench::Compare::Published::results("$FindBin::Bin/../../..");
my %RESULT    = map { $_->{name} => $_->{result} } results();
my $PLACE     = File::Temp->newdir;

# Takes the name of a result, and perhaps the kind of the report; returns the report.
sub report {
    my ($name, $kind) = @_;
    my $view = UnixBench::Report::View->new(result => $RESULT{$name}, published => sub { @PUBLISHED });
    return UnixBench::Report::Formats::of_result($kind // 'export svg', $view);
}

# Takes a picture; returns its texts, without those of the strip and of its dots.
sub texts {
    my ($svg) = @_;
    return map { s/<[^>]*>//gr =~ s/\xc2\xa0/ /gr } $svg =~ m{<text [^>]*font-size[^>]*>(.*?)</text>}sg;
}

my %svg = map { $_ => report($_) } keys %RESULT;

subtest 'each result has a picture' => sub {
    my ($xmllint, $rsvg) = map { path_of($_) } qw(xmllint rsvg-convert);
    note_without(tool => 'xmllint') if !$xmllint;
    note_without(tool => 'rsvg-convert (librsvg2-bin)') if !$rsvg;
    for my $name (sort keys %svg) {
        my $path = write_file("$PLACE/$name.svg", $svg{$name});
        is(qx('$xmllint' --noout '$path' 2>&1), q{}, "$name: well-formed") if $xmllint;
        my $outside = qr/https?:|\burl\(|<script|\@import|\bvar\(/i;
        unlike($svg{$name} =~ s{\bxmlns="http://www.w3.org/2000/svg"}{}r, $outside, "$name: it needs no other file");
        like($svg{$name}, qr{\A<\?xml [^>]*>\n<svg [^>]* width="640" xmlns=}, "$name: it is 640 pixels wide");
        next if !$rsvg;
        my $said = qx('$rsvg' -o '$PLACE/$name.png' '$path' 2>&1);
        is_deeply([$?, $said, width_of_png("$PLACE/$name.png")], [0, q{}, 640], "$name: rsvg-convert reads it");
    }
};

# Returns the width of a picture in PNG.
sub width_of_png {
    my ($path) = @_;
    open my $file, '<:raw', $path or return;
    read $file, my $head, 24;
    return unpack 'x16 N', $head;
}

subtest 'what it shows' => sub {
    my @texts = texts($svg{two});
    is($texts[0], "UnixBench $RESULT{two}{version}", 'the program that measured, and its version');
    like($texts[1], qr/\Aofficial.*, 20\d\d-\d\d-\d\d\z/, 'the procedure and the date');
    is_deeply([grep { /^trust: / } @texts], ['trust: good'], 'the trust');
    my ($page)   = report(two => 'html');
    my ($number) = $page =~ m{<h1>UnixBench <strong>(.*?)</strong>}s;
    is(scalar(grep { /\A\Q$number\E / } @texts), 1, "the number of the page: $number");
    my $titles = ['System Benchmarks index, 1 copy', 'System Benchmarks index, 8 copies'];
    is_deeply([grep { /index, / } @texts[0 .. $#texts - 1]], $titles, 'of what they are');
    like($texts[-1], qr/\A(?:slower|faster) than .*of [0-9]+\)\z/, 'the place');
    my ($strip) = $page =~ m{<figure>\s*(<svg.*?</svg>)}s;
    my @places = $strip =~ /<circle [^>]*cx="([^"]+)"/g;
    cmp_ok(scalar @places, '>', 100, 'the strip of the page has the published results');
    is_deeply([$svg{two} =~ /<circle [^>]*cx="([^"]+)"/g], \@places, 'so does the picture');
};

subtest 'other results' => sub {
    like($svg{'sixteen-disturbed'}, qr/class="strong vague"/, 'a number that is not sure is grey');
    unlike($svg{'all-failed'}, qr/<circle/, 'without an index there is no strip');
    my ($tall, $low) = map { /\bheight="(\d+)" role/ } @svg{qw(two all-failed)};
    cmp_ok($low, '<', $tall, 'and the picture is lower');
    ok((grep { $_ eq 'No index' } texts($svg{'all-failed'})), 'a run without a number says so');
};

done_testing;
