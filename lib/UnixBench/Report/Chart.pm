package UnixBench::Report::Chart;

# Charts: what is drawn, as plain data. Only pages show them. UnixBench::Report::HTML::Chart draws them.
#
# A chart is a column of a table, with a drawing in each row, or a block of its own. It consists of shapes. A shape is
# placed by its values, on a logarithmic scale if nothing else is said. y and height are in pixels, y is measured from
# the top. The kinds below make the shapes of a chart, so that equal things look alike on all pages.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);

use UnixBench::Compare::Published ();
use UnixBench::Report::Block      qw(cell column);

our @EXPORT_OK = qw(among bar bars bars_column curves dot dots dots_column grid picture rule span strip timelines);

use constant { ROW => 30, MIDDLE => 15, BELOW => 25, BAND_AT => 3, BAND_HEIGHT => 24, BAR_AT => 8, BAR_HEIGHT => 14 };
use constant { STRIP => 78, LABELS_TO => 44, DOTS_AT => 58 };
use constant ROOM       => 1.05;    # a ratio of the ends of a timeline's scale to its middle, at least
use constant OWN_SCALES => 'Each picture has a scale of its own.';

# Kinds.

# Takes the meaning of the axis and all values that have to be on it; returns a column for dots().
sub dots_column {
    my ($axis, @values) = @_;
    return picture($axis, \@values, ROW);
}

# Takes, all optional,
#   band          [low, high] of what is usual
#   rules         { class => value } of vertical lines
#   points        [estimate, ...], see UnixBench::Score::Estimate, perhaps with a class
#   below         [[class, value, description], ...] of small dots below the points
# Returns the shapes of a row.
sub dots {
    my (%chart) = @_;
    my %rules = %{ $chart{rules} || {} };
    return (
        ($chart{band} ? bar('band', @{ $chart{band} }, BAND_AT, BAND_HEIGHT) : ()),
        grid(),
        (map { rule($_, $rules{$_}) } sort keys %rules),
        (map { dot(@$_[0, 1], BELOW, $_->[2]) } @{ $chart{below} || [] }),
        (map { _point($_) } @{ $chart{points} || [] }),
    );
}

sub _point {
    my ($estimate) = @_;
    return (
        defined $estimate->{low} ? span('interval', @$estimate{qw(low high)}, MIDDLE) : (),
        dot(join(q{ }, 'point', $estimate->{class} // ()), $estimate->{value}, MIDDLE)
    );
}

# Takes
#   axis    the meaning of the scale
#   values  [[value, description], ...], a dot for each
#   names   [[value, name], ...], those of them that have a name on the chart, the most important first. One that has
#           no room has none
#   owns    [estimates with class and words], which have large dots among the others
#   words   a description of the chart
# Returns the block: one axis with all these values, so that one's own place is seen among them. The names stand above
# the bars.
sub strip {
    my (%chart) = @_;
    my @owns = @{ $chart{owns} };
    return {
        kind   => 'chart',
        axis   => $chart{axis},
        words  => $chart{words},
        height => STRIP,
        values => [(grep { defined } map { @$_{qw(low value high)} } @owns), map { $_->[0] } @{ $chart{values} }],
        shapes => [
            grid(),
            (
                map { defined $_->{low} ? bar("own $_->{class}", @$_{qw(low high)}, LABELS_TO, STRIP - LABELS_TO) : () }
                    @owns
            ),
            { shape => 'labels', labels => $chart{names}, to => LABELS_TO, end => DOTS_AT },
            (map { dot('machine',         $_->[0],     DOTS_AT, $_->[1]) } @{ $chart{values} }),
            (map { dot("own $_->{class}", $_->{value}, DOTS_AT, $_->{words}) } @owns),
        ],
    };
}

# Takes [published results, see UnixBench::Compare::Published], and names of others, which are more important. Returns
# values and names for strip().
sub among {
    my ($published, @names) = @_;
    my @values = map { [$_->{index}, [UnixBench::Compare::Published::name_of($_), ': ', cell(tenths => $_->{index})]] }
        @$published;
    my @known = map { [@$_{qw(index known_as)}] } UnixBench::Compare::Published::anchors(@$published);
    return (values => \@values, names => [@names, @known]);
}

# Takes
#   axes      the meaning of both axes
#   from, to  the ends of the horizontal scale, in seconds since 1970 (UTC); they may be equal
#   are_wide  whether each panel is as wide as the page (optional)
#   panels    [{ title, words (a description), is_wide (optional), points, steps, marks }, ...], with
#     points  [[class, time, value, low, high, description], ...], at least one, with values above 0. low and high are
#             the interval, or undef. The class is "run", perhaps with "slow", or with "poor" or "outlier" (not
#             evidence)
#     steps   [[class, from, to, value], ...], the mean from one time to another: "step", perhaps with "drift"
#     marks   [[class, time, description], ...], events: "event", perhaps with "worse", "better" or "other" (a new
#             series begins), and with "provisional" or "accepted"
# Returns the block: a small picture for each panel. All have the same linear scale of time. Each has a logarithmic
# scale of its own for values.
sub timelines {
    my (%chart) = @_;
    my @panels = map { _with_scale($_) } @{ $chart{panels} };
    return { %chart, kind => 'timelines', panels => \@panels, @panels > 1 ? (above => OWN_SCALES) : () };
}

# The scale is that of means and of runs that are evidence. Others may be drawn at the edge.
sub _with_scale {
    my ($panel) = @_;
    my @points  = @{ $panel->{points} };
    my @sure    = grep { $_->[0] !~ / (?:poor|outlier)\z/ } @points;
    my @means   = map  { $_->[3] } @{ $panel->{steps} };
    return { %$panel, y => [_with_room(@means, map { $_->[2] } @sure || @means ? @sure : @points)] };
}

# The ends are so far from each other that noise does not look like a change.
sub _with_room {
    my (@values) = @_;
    my ($low, $high) = (min(@values), max(@values));
    my $middle = sqrt $low * $high;
    return (min($low, $middle / ROOM), max($high, $middle * ROOM));
}

# Takes
#   axes   the meaning of both axes
#   words  a description of the chart
#   ideal  [[x, y], [x, y]]: a dashed line between two points
#   lines  [{ name, points => [[x, y, description], ...] }, ...], each with at least two points
# Returns the block: lines in one picture, with their names at the ends. Both scales are logarithmic.
sub curves {
    my (%chart) = @_;
    return { %chart, kind => 'curves' };
}

# Shapes.

# Takes the meaning of the axis and numbers of at least 0; returns a column for bars(), on a linear scale from 0.
sub bars_column {
    my ($axis, @values) = @_;
    return { %{ picture($axis, \@values, ROW) }, is_linear => 1 };
}

# Takes a class and a value; returns the shapes of a row: a bar from 0 to the value.
sub bars { my ($class, $value) = @_; return (grid(), bar("bar $class", 0, $value, BAR_AT, BAR_HEIGHT)) }

# Takes the meaning of a scale, all values that have to be on it, and the height of a row in pixels. Returns a column of
# pictures, which only a page shows.
sub picture {
    my ($axis, $values, $height) = @_;
    return {
        %{ column($axis, shapes => 'picture', in => 'full') },
        values => $values,
        height => $height,
    };
}

# Takes a class, two values, y, height, and perhaps a description; returns a bar between the values.
sub bar {
    my ($class, $from, $to, $y, $height, $words) = @_;
    return { shape => 'bar', class => $class, from => $from, to => $to, y => $y, height => $height, words => $words };
}

# Takes a class, two values and y; returns a line between the values.
sub span {
    my ($class, $from, $to, $y) = @_;
    return { shape => 'span', class => $class, from => $from, to => $to, y => $y };
}

# Takes a class, a value, and perhaps a description; returns a vertical line through the whole height at this value.
sub rule {
    my ($class, $at, $words) = @_;
    return { shape => 'rule', class => $class, at => $at, words => $words };
}

# Takes a class, a value, y and a description; returns a dot.
sub dot {
    my ($class, $at, $y, $words) = @_;
    return { shape => 'dot', class => $class, at => $at, y => $y, words => $words };
}

# Returns vertical lines at the values that are printed at the scale.
sub grid { return { shape => 'grid' } }

1;
