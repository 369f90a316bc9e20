# The checks of t-all/pages/pages.t find faults that are planted in pages.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use Browser                              ();
use Browser::Code                        ();
use Browser::Inspection                  ();
use Browser::PlantedFaults               qw(planted_faults);
use Browser::Print                       ();
use Gallery::Results                     ();
use Needs                                qw(skip_without);
use Place                                qw(place write_file);
use Rendered                             qw(rendered);

skip_without(@{ Browser::why_not() }) if Browser::why_not();

my $place   = place();
my $browser = Browser->new(Browser::Code::code());

sub written {
    my ($html) = @_;
    return write_file("$place/page name.html", $html);
}

sub page {
    my ($body, $style) = @_;
    return <<"END";
<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Title</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>* { margin: 0 } $style</style></head>
<body><main><h1>Title</h1>$body</main></body></html>
END
}

# Takes body, style, and the name of the only look to check, or undef for all; returns the checks with findings, { what
# => [finding, ...] }.
sub findings {
    my ($body, $style, $look) = @_;
    my @pictures = ($look // 'print') =~ /print/ ? (pictures => "$place/picture") : ();
    my $seen     = Browser::Inspection::inspect($browser, written(page($body, $style)), look => $look, @pictures);
    return { map { $_->[0] => $_->[1] } grep { @{ $_->[1] } } @{ $seen->{checked} } };
}

sub look_for {
    my ($what) = @_;
    return if $what =~ /meanwhile/;
    return $what =~ /^(\d+-\w+)/ ? $1 : '718-print';
}

sub why_not {
    my ($what) = @_;
    return $what =~ /axe/ ? Browser::Code::why_no_axe() : $what eq 'printed' ? Browser::Print::why_not() : undef;
}

my $good = '<p>All is <b>well</b>.</p><details><summary>More</summary><p>Is here.</p></details>';
is_deeply(findings($good, 'body { background: #fff; color: #111 }'), {}, 'a page without faults has no findings');

for my $fault (planted_faults()) {
    my ($name, $what, $finding) = @$fault{qw(name what finding)};
SKIP: {
        skip_without(@{ why_not($what) }, 1) if why_not($what);
        my $found = findings(@$fault{qw(body style)}, look_for($what));
        ok((grep { /$finding/ } @{ $found->{$what} || [] }), "the planted fault $name is found by: $what")
            or diag explain $found;
    }
}

# The charts of real pages, each with one part that is moved a little or missing.
my %page_of = map { $_->{name} => $_->{result} } grep { $_->{name} =~ /\A(?:two|multiuser)\z/ } Gallery::Results::all();
$_ = rendered(html => $_) for values %page_of;
my @MOVED = (
    [bar           => 'rect.bar',      'width',      '90%',          '^bar: '],
    [interval      => 'line.interval', 'x2',         '97%',          '^end of the interval: '],
    [pass          => 'circle.pass',   'cx',         '50.3%',        '^pass 1: '],
    [mean          => 'line.mean',     'transform',  'translate(2)', '^mean: '],
    [tick          => 'text.tick',     'data-value', '7.7',          '^tick: '],
    [count         => 'circle.count',  'cx',         '50.3%',        '^gain: '],
    [stray         => 'circle.pass',   'cy',         '-9',           '^circle.pass.* beyond its picture: '],
    [gone          => 'circle.pass',   'class',      'other',        '^9 dots for 10 passes'],
    [interval_gone => 'line.interval', 'class',      'other',        '^an interval in the table or'],
    [bar_begin     => 'rect.bar',      'x',          '50%',          '^a bar that does not begin at the mean'],
    [no_axis       => 'svg.axis',      'class',      'other',        '^a picture without an axis'],
);
my @MOVED_RESPONSES = (
    [p50       => 'rect.bar',        'x',     '9%',    '^begin of the bar: '],
    [p95       => 'rect.bar',        'width', '9%',    '^end of the bar: '],
    [tail      => 'line.tail',       'x1',    '60%',   '^begin of the line: '],
    [max       => 'line.tail',       'x2',    '60%',   '^end of the line: '],
    [longest   => 'circle.response', 'cx',    '50.3%', '^the longest: '],
    [tail_gone => 'line.tail',       'class', 'other', '^no bar, no line, or no number for it: '],
    [dot_gone  => 'circle.response', 'class', 'other', '^no bar, or no line of the mean: '],
);
for my $fault ((map { [two => @$_] } @MOVED), map { [multiuser => @$_] } @MOVED_RESPONSES) {
    my ($of, $name, $selector, $attribute, $value, $finding) = @$fault;
    $browser->look(width => 1280, height => 800, scheme => 'light', medium => 'screen');
    $browser->open_file(written($page_of{$of}));
    is_deeply($browser->seen('pictureFindings()'), [], "chart, $name: no finding before the change");
    $browser->own_value("document.querySelector('table.chart $selector').setAttribute('$attribute', '$value')");
    my $found = $browser->seen('pictureFindings()');
    ok((grep { /$finding/ } @$found), "chart, $name: the change is found") or diag explain $found;
}

done_testing;
