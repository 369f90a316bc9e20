# The values for systems that keep and plot results, and the picture of a result.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(failed host measured quick_run rendered result run skipped sliced);
use Gallery                        qw(results);
use Golden                         qw(is_golden no_golden_left_over);
use Needs                          qw(note_without path_of);
use Worked                         qw(worked FACTS);
use UnixBench::Base::JSON;
use UnixBench::Catalog;
use UnixBench::Compare::Published;
use UnixBench::Report::Formats;
use UnixBench::Report::View;
use UnixBench::Summary::Cases;
use UnixBench::Summary;
use Outcomes  qw(hostile_text outcomes);
use Validator qw(are_valid_json);
use Place     qw(file_with place write_file);

my $SCHEMA = "$FindBin::Bin/data/github-action-benchmark.schema.json";

# Takes OpenMetrics text; returns what promtool says against it, or undef if there is no promtool.
sub complaints_of_promtool {
    my ($text)   = @_;
    my $promtool = path_of('promtool') // return;
    my $file     = file_with($text);
    return scalar qx('$promtool' check metrics < '$file' 2>&1);
}

my @FORMATS = UnixBench::Exports::names();

# A result with an index, and small ones of two hosts. A test of the second host has failed.
my @TESTS = UnixBench::Catalog::expand('index');
my $GOOD  = result(
    [
        map {
            my $copies = $_;
            run($copies, map { measured($_, $copies, 1e6, 1.01e6, 1.02e6) } @TESTS)
        } 1,
        2
    ],
    host => host(name => 'web1')
);
my @PIPE = worked(measured('pipe', 1, 1000, 1010, 1000), 2e7, 2.02e7, 2e7);
my $WEB  = result([run(1, measured('ubgears', 1, 500, 510), @PIPE)], host => host(name => 'web1'), facts => FACTS);
my $BAD  = result(
    [run(1, measured('pipe', 1, 1000, 1010), failed('spawn', 'killed'), skipped('2d-rects', 'skipped: no display'))],
    host => host(name => 'web,"2"'));

# Takes a kind of export and results; returns the text for all of them.
sub together {
    my ($format, @results) = @_;
    my @given = map { +{ host => $_->{host}{name}, summary => UnixBench::Summary::of($_) } } @results;
    return UnixBench::Report::Formats::of_results("export $format", @given);
}

sub decoded { return UnixBench::Base::JSON::decode($_[0]) }

# Takes a verdict, a title, the name of a test, and perhaps a value; returns the case of a requirement.
sub required {
    my ($verdict, $title, $name, $value) = @_;
    my %case = (kind => 'requirement', verdict => $verdict, title => $title, name => $name, run => 0, copies => 1);
    return { %case, value => $value };
}

for (outcomes(), ['two numbers of copies', $GOOD]) {
    my ($name, $result) = @$_;
    my @tests  = map { @$_ } UnixBench::Summary::Cases::by_run(UnixBench::Summary::of($result), $result);
    my ($pipe) = grep { $_->{name} eq 'pipe' && defined $_->{score} } @tests;
    my @cases  = (@tests, $pipe ? required(FAIL => 'pipe>=2*' . hostile_text(), pipe => 9) : ());
    my %text   = map { $_ => rendered("export $_" => $result, @cases) } @FORMATS;
    unlike($text{$_}, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$name, $_: no control characters") for @FORMATS;

    my $complaints = complaints_of_promtool($text{openmetrics});
    is($complaints // q{}, q{}, "$name: promtool has no complaint");
    are_valid_json($SCHEMA, $name => $text{'github-action-benchmark'});
    my @lines = split /\n/, $text{lava};
    my @read  = map { [/\A([A-Za-z0-9._-]+) (pass|fail|skip)(?: ([0-9.e+]+) ([A-Za-z0-9._-]+))?\z/] } @lines;
    is(scalar(grep { @$_ } @read), scalar @lines, "$name, lava: each line has the form of a case");
    my %seen = map { ($_->[0] // q{}) => 1 } @read;
    is(keys %seen, @lines, "$name, lava: all names differ");
}

subtest 'values and intervals are those of the result' => sub {
    my $view   = UnixBench::Report::View->new(result => $GOOD);
    my ($run)  = $view->runs;
    my $index  = $run->{indexes}[0]{estimate};
    my ($pipe) = grep { $_->{name} eq 'pipe' } $view->measured($run);
    my $text   = together(openmetrics => $GOOD);
    my %found  = $text =~ /^unixbench_index[{]category="system",copies="1",bound="(\w+)"[}] (\S+)$/mg;
    my @wanted = (estimate => $index->{value}, lower => $index->{low}, upper => $index->{high});
    is_deeply(_digits(%found), _digits(@wanted), 'an index');
    my ($rate) = $text =~ /^unixbench_rate[{]test="pipe",copies="1",unit="lps"[}] (\S+)$/m;
    is_deeply(_digits(rate => $rate), _digits(rate => $pipe->{estimate}{value}), 'a rate');
};

# Takes numbers by name; returns them with 12 digits.
sub _digits {
    my (%number) = @_;
    return { map { $_ => sprintf '%.12g', $number{$_} } keys %number };
}

subtest 'how far a result can be trusted' => sub {
    my @cases = (
        [{ level => 'fair',    passes => 60 }, 2],
        [{ level => 'poor',    passes => 60, loaded => 6, limited => 60 }, 1, 0.1, 1],
        [{ level => 'unknown', passes => 60 }, undef],
        [undef, undef],
    );
    for my $case (@cases) {
        my ($trust, $figure, @apart) = @$case;
        my $name    = $trust ? $trust->{level} : 'a text report';
        my @given   = { host => 'web1', summary => { procedure => {}, runs => [], trust => $trust } };
        my $text    = UnixBench::Report::Formats::of_results('export openmetrics', @given);
        my ($found) = $text =~ /^unixbench_trust ([0-9.]+)$/m;
        is($found, $figure, "$name: the figure");
        is_deeply([map { $text =~ /^unixbench_disturbed_by_${_}_ratio ([0-9.]+)$/m } qw(load limit)],
            \@apart, "$name: other load and limits apart");
    }
};

subtest 'labels are columns of csv' => sub {
    my @labelled = map { result($WEB->{runs}, labels => $_->[1], host => host(name => $_->[0])) }
        [web1 => { round => "2\e[31m", name => '=1+1' }], [web2 => { state => 'new' }];
    my $csv = together(csv => @labelled);
    like($csv, qr/,label_name,label_round,label_state\n/, 'each label has one');
    like($csv, qr/,'=1[+]1,2\\x1b\[31m,\n/,               'a formula or a control character is harmless');
    like($csv, qr/,,,new\n/,                              'a label that a result lacks is empty');
};

subtest 'one result and several' => sub {
    for my $format (@FORMATS) {
        is_golden("one.$format", together($format, $BAD));
        is_golden("two.$format", together($format, $WEB, $BAD));
    }
};

subtest 'requirements' => sub {
    my @cases = map { required(@$_) } [PASS => 'pipe>=1', 'pipe', 99.98], [FAIL => 'pipe>=1e9', 'pipe', 99.98],
        [INCONCLUSIVE => 'spawn>=1', 'spawn'];
    my $lava    = rendered('export lava' => $BAD, @cases);
    my $of_lava = ['require-pipe-1-1 pass 99.98 lps', 'require-pipe-1e9-1 fail 99.98 lps', 'require-spawn-1-1 skip'];
    is_deeply([$lava =~ /^(require-.*)$/mg], $of_lava, 'lava has verdict, value and unit of each');
    my $metrics = rendered('export openmetrics' => $BAD, @cases);
    my @held    = $metrics =~ /^unixbench_verdict[{]requirement="([^"]+)",copies="1",verdict="([a-z]+)"[}] 1$/mg;
    is("@held", 'pipe>=1 pass pipe>=1e9 fail spawn>=1 inconclusive', 'are metrics: one verdict of each holds');
    is(scalar(() = $metrics =~ /^unixbench_verdict.* 0$/mg), 6,      'the others do not');
};

subtest 'the procedure' => sub {
    my @tests = map { sliced($_, 1, 100, 101, 102) } @TESTS;
    my %as    = (quick => { kind => 'quick' }, changed => { kind => 'official', time_factor => 0.1 }, unknown => {});
    for my $word (sort keys %as) {
        my $result = result([quick_run(3, 1, @tests)], procedure => $as{$word});
        like(together(openmetrics => $result), qr/^unixbench_run_info[{].*,procedure="$word"[}] 1$/m, $word);
        like(together('github-action-benchmark' => $result), qr/; 8[.]0[.]0 $word"/, "$word: github-action-benchmark");
    }
};

subtest 'an index of a part of its tests is left out' => sub {
    my $part = result([run(1, measured('pipe', 1, 1000, 1010))]);
    unlike(together($_ => $part), qr/system/i, $_) for @FORMATS;
};

subtest 'a number of copies that was measured twice' => sub {
    my $result = result([map { run(2, measured('pipe', 2, $_, $_, $_)) } 100_000, 300_000]);
    my @read   = grep { $_->{unit} eq 'lps' } @{ decoded(together('github-action-benchmark' => $result)) };
    is(@read, 1, 'there is one value');
    like($read[0]{value}, qr/\A59[0-9]{3}/, 'the last time counts');
};

subtest 'texts of any bytes' => sub {
    my $pipe = { %{ measured('pipe', 1, 1000, 1010) }, name => "p\xefpe", title => "P\xefpe", unit => "lp\xff" };
    for my $format (@FORMATS) {
        my $text = together($format, $GOOD, result([run(1, $pipe)], host => host(name => "v\xfcm")));
        ok(utf8::decode($text), "$format is UTF-8");
    }
};

# The picture: --export svg:FILE.

my @PUBLISHED = UnixBench::Compare::Published::results("$FindBin::Bin/../../..");
my %RESULT    = map { $_->{name} => $_->{result} } results();
my $PLACE     = place();

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

no_golden_left_over();
done_testing();
