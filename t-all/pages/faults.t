# The checks of t-all/pages/pages.t find faults that are planted in pages.

use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use Browser                              ();
use Browser::Code                        ();
use Browser::Inspection                  ();
use Browser::PlantedFaults               qw(planted_faults);
use Browser::Print                       ();
use Comparisons                          qw(comparisons);
use Gallery                              qw(planted result_page);
use Gallery::Results                     ();
use Needs                                qw(skip_without);
use Place                                qw(place write_file);
use Rendered                             qw(comparison_as);

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

# The charts of real pages, each with one part that is changed: an attribute or, as "text", its contents.
my %CHANGED = (
    two => [
        [point         => 'table circle.point',         'cx',    '90%',   '^point: '],
        [point_gone    => 'table circle.point',         'class', 'other', '^0 large dots, not 1'],
        [index         => 'table td[data-label=Index]', 'text',  '1',     '^point: '],
        [sum           => 'tfoot circle.point',         'cx',    '90%',   '^point: .*Benchmarks index'],
        [interval      => 'line.interval',              'x2',    '97%',   '^end of the interval: '],
        [interval_gone => 'line.interval',              'class', 'other', '^an interval in the table, the words or'],
        [pale          => 'line.pale',                  'x2',    '99%',   '^end of the pale interval: '],
        [pale_gone     => 'line.pale',               'class', 'other', '^an interval of the machine in the words or'],
        [half          => 'td[data-label="\u00b1"]', 'text',  '90 %',  '^begin of the interval: '],
        [words         => 'td.picture > svg',        'aria-label', '95 % interval 1 to 2', '^end of the interval: '],
        [pass          => 'circle.pass',             'cx',         '50.3%',                '^pass 1: '],
        [pass_words    => 'circle.pass title',       'text',       'pass 1: 9',            '^pass: '],
        [gone          => 'circle.pass',             'class',      'other',                '^9 dots for 10 passes'],
        [stray         => 'circle.pass',          'cy',         '-9',           '^circle.pass.* beyond its picture: '],
        [band          => 'rect.band',            'x',          '9%',           '^begin of the band: '],
        [band_end      => 'rect.band',            'width',      '9%',           '^end of the band: '],
        [band_gone     => 'rect.band',            'class',      'other',        '^no band: '],
        [tick          => 'table text.tick',      'data-value', '7.7',          '^tick: '],
        [no_axis       => 'table svg.axis',       'class',      'other',        '^a picture without an axis'],
        [picture       => 'td.picture',           'class',      'other',        '^no picture: '],
        [gain          => '#scaling .point',      'cx',         '50.3%',        '^point: '],
        [times         => 'td[data-label=Times]', 'text',       '7.7',          '^point: '],
        [none          => '#scaling .mean',       'transform',  'translate(2)', '^mean: '],
        [ideal         => 'line.ideal',           'transform',  'translate(2)', '^ideal: '],
        [ideal_gone    => 'line.ideal',           'class',      'other',        '^no ideal: '],
        [kind          => '#scaling th.number',   'text',       'Other',        '^a picture of what kind: '],
        [own           => 'line.own',             'transform',  'translate(3)', '^own tick: '],
        [own_gone      => 'line.own',             'class',      'other',        '^no tick, interval or number'],
        [number        => '.headline h1 strong',  'text',       '1000',         '^own tick: '],
        [own_begin     => 'rect.own',             'x',          '70%',          '^begin of the own interval: '],
        [own_end       => 'rect.own',             'width',      '9%',           '^end of the own interval: '],
        [own_pale      => 'rect.pale',            'width',      '0.1%',         '^own tick beyond the pale interval: '],
        [own_words => 'figure > svg',  'aria-label',  'this result: 1 to 2 among 9 published ones', '^end of the own'],
        [machine   => 'figure circle', 'cx',          '50.3%',                                      '^machine: '],
        [machine_gone => 'figure circle',    'class', 'other',                   '^\d+ dots for \d+ published indexes'],
        [label        => 'text.label',       'x',     '9%',                      '^a label beside its line: '],
        [label_on     => 'text.label',       'style', 'font-size: 99px',         '^a label on another: '],
        [label_in     => 'rect.own',         'style', 'x: 0; y: 0; width: 100%', '^a label in a bar: '],
        [leader       => 'line.leader',      'transform',  'translate(0 2.5)', '^a label that leads to no dot: '],
        [leader_gone  => 'line.leader',      'class',      'other',            '^not a line for each label: '],
        [strip_tick   => 'figure text.tick', 'data-value', '7.7',              '^tick: '],
        [strip_stray  => 'figure circle',    'cy',         '99',               '^circle.machine beyond its picture: '],
    ],
    eight => [
        [up          => '.multiples circle',                   'cy',    '50',    '^speed-up of the point: '],
        [across      => '.multiples circle',                   'cx',    '50%',   '^copies of the point: '],
        [of_indexes  => '.multiples > li:nth-child(2) circle', 'cy',    '50',    '^speed-up of the gain: '],
        [spot_gone   => '.multiples > li:nth-child(2) circle', 'class', 'other', '^6 points for 7 numbers of copies: '],
        [curve       => 'line.curve',                          'y2',    '50',    '^speed-up of the curve: '],
        [curve_gone  => 'line.curve',                          'class', 'other', '^6 pieces of the curve: '],
        [diagonal    => 'line.ideal',                          'y2',    '50',    '^speed-up of the ideal: '],
        [level       => '.tick.up',                  'data-value',      '7.7',              '^tick: '],
        [column      => '.multiples .tick:not(.up)', 'data-value',      '7.7',              '^tick: '],
        [panel_words => '.multiples svg',            'aria-label',      '2 copies 1 times', '^words of other points: '],
        [note        => '.multiples .quiet', 'text', '9 times, efficiency 9 %', '^a note with another speed-up: '],
        [beyond      => '.multiples circle', 'cy',   '-9',                      '^circle.point beyond its picture: '],
    ],
    disturbed => [
        [mode      => 'circle.point + circle.point', 'cx',    '90%',   '^point: '],
        [mode_gone => 'circle.point + circle.point', 'class', 'other', '^1 large dots, not 2'],
        [doubtful  => 'rect.own',                    'width', '99%',   '^end of the own interval: '],
    ],
    sets => [
        [ratio       => 'circle.point',           'cx',         '9%',                    '^point: '],
        [side        => 'td[data-label=A]',       'text',       '9.9 M',                 '^point: '],
        [ratio_words => 'td.picture > svg',       'aria-label', 'ratio 2.000',           '^point: '],
        [ratio_gone  => 'line.mean',              'transform',  'translate(2)',          '^mean: '],
        [change      => 'td[data-label=Verdict]', 'text',       '9 % slower (8 to 9 %)', '^end of the interval: '],
        [within      => 'line.interval',          'x2',        '97%',           '^an interval beside its point: '],
        [limit       => 'rect.band',              'width',     '9%',            '^end of the band: '],
        [limit_gone  => 'rect.band',              'class',     'other',         '^no band: '],
        [repeated    => 'circle.run',             'cx',        '9%',            '^run: '],
        [other_side  => 'circle.run',             'cy',        '25',            '^1,3 runs of the sides, not 2,3: '],
        [apart       => 'line.mean',              'transform', 'translate(99)', '^runs of the sides at other ratios: '],
    ],
);

# Changes a part of the page that is shown; keeps what the part was.
my $CHANGE = <<'END';
    window.changed = document.querySelector(selector);
    window.before = attribute === 'text' ? changed.innerHTML : changed.getAttribute(attribute);
    if (attribute === 'text') changed.textContent = value; else changed.setAttribute(attribute, value);
END
my $UNDO = <<'END';
    if (attribute === 'text') changed.innerHTML = before;
    else if (before === null) changed.removeAttribute(attribute);
    else changed.setAttribute(attribute, before);
END

my $finder  = 'pictureFindings({})';
my %page_of = map { $_->{name} => result_page($_->{result}) } grep { $CHANGED{ $_->{name} } } Gallery::Results::all();
$page_of{sets} = comparison_as(html => { comparisons() }->{sets});
my %planted = %{ planted() };
$page_of{$_} = shift @{ $CHANGED{$_} = $planted{$_} } for keys %planted;
for my $of (sort keys %CHANGED) {
    $browser->look(width => 1280, height => 800, scheme => 'light', medium => 'screen');
    $browser->open_file(written($page_of{$of}));
    is_deeply($browser->seen($finder), [], "chart of $of: no finding before the changes");
    for my $fault (@{ $CHANGED{$of} }) {
        my ($name, $selector, $attribute, $value, $finding) = @$fault;
        my $known = "const [selector, attribute, value] = ['$selector', '$attribute', '$value'];";
        $browser->seen("{ $known $CHANGE }");
        my $found = $browser->seen($finder);
        ok((grep { /$finding/ } @$found), "chart of $of, $name: the change is found") or diag explain $found;
        $browser->seen("{ $known $UNDO }");
    }
    is_deeply($browser->seen($finder), [], "chart of $of: no finding after the changes");
}

done_testing;
