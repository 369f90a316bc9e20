# Timelines: small pictures of values by date, read back from the page.

use strict;
use warnings;

use FindBin;
use List::Util qw(max min);
use Test::More;

use lib "$FindBin::Bin/../lib";
use ReadCharts                     qw(timelines);
use ValidPage                      qw(is_valid_page);
use UnixBench::Report::Block       qw(document in_full);
use UnixBench::Report::Cell        qw(cell);
use UnixBench::Report::Chart       ();
use UnixBench::Report::Formats     ();
use UnixBench::Report::HTML::Chart qw(dates logarithmic part place tick_text upward);

use constant { DAY => 86_400, START  => 1_795_132_800 };    # 2026-11-20T00:00:00Z
use constant { TOP => '10.0', BOTTOM => '98.0' };           # pixels from above

# Takes panels, and perhaps the ends in days; returns their page.
sub page_of {
    my ($panels, @ends) = @_;
    my ($from,   $to)   = map { START + DAY * $_ } @ends ? @ends : (0, 100);
    my @blocks =
        in_full(UnixBench::Report::Chart::timelines(axes => 'by date', from => $from, to => $to, panels => $panels));
    return UnixBench::Report::Formats::of_blocks(html => document('Timelines', @blocks));
}

# Takes the place in a picture of a time and a value, the day and the value that are expected, and a name.
sub is_near {
    my ($got, $expected, $name) = @_;
    my ($time, $value) = @$got;
    my $days = ($time - START) / DAY;
    ok(abs($days - $expected->[0]) < 0.1 && abs($value / $expected->[1] - 1) < 0.003, $name)
        or diag "day $days, value $value, not @$expected";
    return;
}

my %PANEL = (title => ['Index ', cell(rate => 100)], words => 'in words', note => 'a <note>');

subtest 'points, intervals, steps and marks are at their places' => sub {
    my @panels = (
        {
            %PANEL,
            points => [
                ['run',         START,            100, 95,    105,   'first'],
                ['run poor',    START + 50 * DAY, 110, undef, undef, 'a <poor> one'],
                ['run outlier', START + 99 * DAY, 80,  80,    80,    undef],
            ],
            steps => [[step => START, START + 50 * DAY, 105], ['step drift', START + 50 * DAY, START + 99 * DAY, 80]],
            marks => [['event worse provisional', START + 75 * DAY, 'it <fell>']],
        },
        { %PANEL, note => undef, points => [[run => START + DAY, 1e9, undef, undef, 'one']], steps => [], marks => [] },
    );
    my $html = page_of(\@panels);
    is_valid_page(timelines => $html);
    like($html, qr{<p>Index 100[.]0</p>\s*<svg aria-label="in words" }, 'title and words');
    my ($first, $second) = timelines($html);
    my @points = @{ $first->{points} };
    is_deeply([map { $_->{class} } @points], ['run',   'run poor',     'run outlier'], 'classes of points');
    is_deeply([map { $_->{words} } @points], ['first', 'a <poor> one', q{}],           'descriptions of points');
    is_near($points[0]{at}, [0, 100], 'the place of a point');

    my ($mark, $one, $other, $from, $then) = @{ $first->{lines} };
    is_deeply([map { $_->{class} } $from, $then], ['step', 'step drift'], 'classes of steps');
    is_near($then->{ends}[0], [50, 80], 'the begin of a step');
    is_near($then->{ends}[1], [99, 80], 'the end of a step');

    is_deeply([map { $_->{class} } $one, $other], [('interval') x 2], 'a point without an interval has no line');
    is_near($one->{ends}[0], [0, 95],  'the low end of an interval');
    is_near($one->{ends}[1], [0, 105], 'the high end of an interval');

    is_deeply([@$mark{qw(class words)}], ['event worse provisional', 'it <fell>'], 'a mark has a title');
    is(sprintf('%.1f', ($mark->{ends}[1][0] - START) / DAY), '75.0', 'the place of a mark');
    is(@{ $mark->{ends}[1] },                                1,      'a mark has the whole height');

    is("@{ $first->{dates} }", "@{ $second->{dates} }", 'all panels have the same dates');
    is_near($second->{points}[0]{at}, [1, 1e9], 'each panel has its own scale of values');
    is($second->{note}, undef, 'a panel without a note has no paragraph for it');
};

subtest 'vertical scales' => sub {
    my @steps  = ([step => START, START + DAY, 100], [step => START + DAY, START + 2 * DAY, 200]);
    my $height = sub {
        my ($steps, @values) = @_;
        my @points = map { [$_->[0], START, $_->[1], undef, undef, undef] } map { ref ? $_ : [run => $_] } @values;
        return page_of([{ %PANEL, points => \@points, steps => $steps, marks => [] }]) =~
            /<circle [^>]*cy="([0-9.]+)"/g;
    };
    my @noise = $height->([], 99.9, 100.1);
    ok($noise[0] - $noise[1] > 1 && $noise[0] - $noise[1] < 3, 'noise is small') or diag "@noise";
    is_deeply([$height->([], 100 / 1.06, 106)],    [BOTTOM, TOP], 'larger differences have the whole height');
    is_deeply([$height->([], 50)],                 ['54.0'],      'a single value is in the middle');
    is_deeply([$height->([], ['run poor' => 50])], ['54.0'],      'also one that is not evidence');
    is_deeply([$height->(\@steps, 100, 200)],      [BOTTOM, TOP], 'the means of steps are on the scale');
    is_deeply(
        [$height->(\@steps, 100, 200, ['run outlier' => 49], ['run poor' => 0])],
        [BOTTOM, TOP, BOTTOM, BOTTOM],
        'runs that are not evidence are at the edge'
    );
};

# The scales of charts, also of time.
# Values => the ticks of their scale.
my %TICKS_OF = (
    '331 6720'     => '500 1000 2000 5000',
    '163 21756'    => '300 1000 3000 10000',
    '20 1e9'       => '100 10000 1000000 100000000',
    '0.97 1.04'    => '0.98 1 1.02 1.04',
    '9.9 10.1'     => '9.9 9.95 10 10.05 10.1',
    '1 4'          => '1 1.5 2 2.5 3 3.5 4',
    '1609.2'       => '1600 1610 1620',
    '1e-290 1e290' => '1e-260 1e-130 1 1e+130 1e+260',
);
is("@{ logarithmic(split q{ }, $_)->{ticks} }", $TICKS_OF{$_}, "ticks for $_") for sort keys %TICKS_OF;
is("@{ upward(52, 146)->{ticks} }",             '60 90 120',   'ticks above each other');

subtest 'random values' => sub {
    srand 7;
    my @broken;
    for (1 .. 2000) {
        my $decades = 10**(rand(6) - 4);
        my @values  = map { 10**(rand($decades) - $decades / 2) } 1 .. 2 + rand 5;
        my $scale   = logarithmic(@values);
        my @ticks   = @{ $scale->{ticks} };
        my @places  = map { place($scale, $_) } sort { $a <=> $b } @values, @ticks;
        push @broken, "@values: @ticks" if @ticks < 2 || @ticks > 8 || min(@places) < 5.99 || max(@places) > 94.01;
        my $up    = upward(@values);
        my @parts = map { part($up, $_) } @{ $up->{ticks} };
        push @broken, "@values: @{ $up->{ticks} }"
            if @parts < 2 || grep { $parts[$_] - $parts[$_ - 1] < 0.16 } 1 .. $#parts;
    }
    is_deeply(\@broken, [], 'there are at least two ticks, with room for their texts');
};

my $hundred = logarithmic(10, 1000);
is(sprintf('%.6f', place($hundred, $_->[0])), sprintf('%.6f', $_->[1]), "position of $_->[0]")
    for [10, 6], [100, 50], [1000, 94], [10 * sqrt 10, 28];

# Days from 2026-11-20, and the texts of the ticks.
my %DATES = (
    '0 0'      => '23:58 00:00 00:01',
    '0.5 0.54' => '12:05 12:28 12:48',
    '0 6'      => '11-20 11-23 11-25',
    '-365 0'   => '2025-12 2026-05 2026-09',
);
for my $days (sort keys %DATES) {
    my $scale = dates(map { 1_795_132_800 + 86_400 * $_ } split q{ }, $days);
    is(join(q{ }, map { tick_text($scale, $_) } @{ $scale->{ticks} }), $DATES{$days}, "dates for the days $days");
}

done_testing;
