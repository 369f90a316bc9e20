package UnixBench::Report::Topic::Scores;

# The topic of scores: all tests of a run in one table, and its indexes in another one.
#
# On a page, each test with an index also has a picture: its index with the interval, a dot for each pass, and a band
# where most published machines lie.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Result  qw(is_measured unmeasured);
use UnixBench::Base::Text    qw(counted);
use UnixBench::Report::Block qw(
    cell column columns_of fold in_brief in_detail in_full joined paragraphs quiet row strong table
);
use UnixBench::Report::Chart     qw(dots dots_column);
use UnixBench::Report::Wording   qw(copies_title index_text index_title index_value score_title table_title);
use UnixBench::Score::Score      qw(LOWEST_THIRD);
use UnixBench::Warnings::Passes  ();
use UnixBench::Warnings::Wording qw(modes_text);

our @EXPORT_OK = qw(indexes spreads);

use constant {
    HALF => ': half of the 95 % interval; variation: coefficient of variation; lowest, highest: passes compared '
        . 'with the score.',
    OF_OFFICIAL => 'Result and index are the classic ones, without '
        . LOWEST_THIRD
        . '. Untrimmed is the result over all passes, with half of its 95 % interval.',
    OF_QUICK    => ' is half of the 95 % interval of the result, which includes all passes.',
    UNTRIMMED   => 'The classic report leaves out ' . LOWEST_THIRD . ', so its scores are a little higher.',
    UNDISTURBED => 'Undisturbed: the index without disturbed passes. All other values include them.',
    POINT       => 'A large dot is the index of a test, with its 95 % interval; below it, each small dot is a pass.',
    BAND        => 'In the pale band are 80 % of the published machines.',
    MODES       => 'Two large dots: the passes gather around two values.',
    FLOOR       => 'At least: other load disturbed more than a quarter of the passes. The large dot is that floor.',
    DISTURBED   => 'A hollow dot is a disturbed pass.',
    LOW         => 'Some tests have a low index on every new machine: ./Run explain TEST. Scores include all passes.',
};

# All columns of the tests of a run. A terminal and a ticket have one table of them ("tests"). A page has three: next to
# the pictures ("drawn"), and in folds, as in the text report ("classic") and with the spread of all passes.
my @TESTS = (
    column('Test',               title     => 'word'),
    column('Index',              index     => 'known',    tables => 'drawn', is_optional => 1),
    column(cell('sign'),         sure      => 'half',     tables => 'drawn', is_optional => 1),
    column('Result',             score     => 'rate',     tables => 'tests', in          => 'brief', is_optional => 1),
    column('Score',              score     => 'tenths',   tables => 'classic'),
    column('Score',              value     => 'rate',     tables => 'tests spread',  in => 'detail', is_optional => 1),
    column('Score',              known     => 'cells',    tables => 'drawn',         is_optional => 1),
    column('Unit',               unit      => 'word',     tables => 'tests classic', in => 'brief', is_optional => 1),
    column('Time',               time_s    => 'seconds',  tables => 'classic'),
    column('Samples',            samples   => 'count',    tables => 'classic'),
    column('Baseline',           baseline  => 'rate',     tables => 'tests', in => 'brief', is_optional => 1),
    column('Index',              classic   => 'rate',     tables => 'tests', in => 'brief', is_optional => 1),
    column('Untrimmed',          untrimmed => 'rate',     tables => 'tests', in => 'brief', is_optional => 1),
    column(cell('sign'),         estimate  => 'half',     tables => 'tests', is_optional => 1),
    column('95 % interval',      estimate  => 'interval', tables => 'spread'),
    column('Median',             median    => 'rate',     tables => 'spread'),
    column('Mean',               mean      => 'rate',     tables => 'spread'),
    column('Standard deviation', sd        => 'rate',     tables => 'spread'),
    column('Variation',          cv        => 'percent',  tables => 'tests spread', is_optional => 1),
    column('Variation',          variation => 'cells',    tables => 'drawn',        is_optional => 1),
    column('Lowest to highest',  range     => 'interval', tables => 'spread'),
    column('Passes',             passes    => 'count',    tables => 'tests', in => 'detail brief', is_optional => 1),
    column('Lowest',             lowest    => 'change',   tables => 'tests', in => 'detail',       is_optional => 1),
    column('Highest',            highest   => 'change',   tables => 'tests', in => 'detail',       is_optional => 1),
);

# All columns of the indexes of a run.
my @INDEXES = (
    column('Index',         title       => 'word'),
    column('Classic',       classic     => 'rate',     is_optional => 1),
    column('Value',         value       => 'rate',     is_optional => 1),
    column('Untrimmed',     untrimmed   => 'rate',     is_optional => 1),
    column(cell('sign'),    estimate    => 'half',     is_optional => 1),
    column('95 % interval', estimate    => 'interval', is_optional => 1),
    column('Undisturbed',   undisturbed => 'estimate', is_optional => 1),
);

# All columns of the tests of an index.
my @OF_INDEX = (
    column('Test', title => 'word'),
    map { column(@$_ => 'tenths', none => '---') } [Baseline => 'baseline'],
    [Result => 'score'],
    [Index  => 'index']
);

# Takes a view; returns how to read the tables of a terminal.
sub before_runs {
    my ($view) = @_;
    return in_detail(paragraphs($view->runs ? ['Scores include all passes. ', cell('sign'), HALF] : ()));
}

# Takes a view and a run; returns its scores and indexes.
sub of_run {
    my ($view, $run) = @_;
    return (
        in_full(sub { (_pictures($view, $run), quiet(_about($view, $run, 'full')), _classic($view, $run)) }),
        in_detail(
            sub {
                (
                    _tests($view, $run, corner => copies_title($run->{copies})),
                    indexes($view, $run),
                    paragraphs(_about($view, $run, 'detail'))
                )
            }
        ),
        in_brief(
            sub {
                my @sentences = map { _sentence($run, $_, $view->of_index($run, $_), $view->floor_of($run, $_)) }
                    @{ $run->{indexes} };
                return (paragraphs(@sentences), _tests($view, $run), quiet(_about($view, $run, 'brief')));
            }
        ),
    );
}

# Takes a view and a run; returns the table of its indexes: the classic one, that of all passes, and that without
# disturbed passes. A quick run has no classic index of its own, because no pass is left out anyway.
sub indexes {
    my ($view, $run) = @_;
    my @rows  = map { _index($view, $run, $_) } @{ $run->{indexes} } or return;
    my %title = (caption => 'Indexes, and how sure they are', corner => 'Index');
    return table(%title, columns => \@INDEXES, rows => \@rows);
}

# Returns the row of an index. A floor has no interval.
sub _index {
    my ($view, $run, $index) = @_;
    my $known   = $view->of_index($run, $index);
    my $floor   = $view->floor_of($run, $index);
    my $value   = $floor                 ? _floor_text($floor) : $known->{estimate}{value};
    my %numbers = defined $run->{rounds} ? (value => $value)   : (classic => index_value($index), untrimmed => $value);
    return row(index_title($index), $floor ? \%numbers : { %$known, %numbers });
}

sub _floor_text { my ($floor) = @_; return [@{ _at_least($floor) }, ' (disturbed)'] }

sub _at_least { my ($floor) = @_; return ['at least ', cell(least => $floor->{at_least})] }

# Returns an index in a sentence. In an official run, the classic index and the value with the interval are two numbers.
# In a quick run they are the same number.
sub _sentence {
    my ($run, $index, $known, $floor) = @_;
    my ($estimate, $undisturbed) = @$known{qw(estimate undisturbed)};
    my $mean  = $index->{mean_of_others};
    my $title = $mean ? "$index->{title} index" : index_title($index);
    return strong(["$title: ", _floor_text($floor)]) if $floor;
    my @parts = strong(["$title: ", index_text($index)]);
    push @parts, '; ' . UnixBench::Score::Score::mean_title($index) . q{ }, cell(rate => $mean->{value}) if $mean;
    push @parts,
        defined $run->{rounds}
        ? (', an estimate after ' . counted($run->{rounds}, 'round', 'rounds'), _interval($estimate))
        : (', the classic one; untrimmed ', cell(rate => $estimate->{value}), _interval($estimate));
    push @parts, '; undisturbed ', cell(rate => $undisturbed->{value}), _interval($undisturbed) if $undisturbed;
    return \@parts;
}

sub _interval {
    my ($estimate) = @_;
    return ', without an interval' if !defined $estimate->{low};
    return (', 95 % interval ', cell(interval => $estimate), ' (', cell(plus_minus => $estimate), ')');
}

# Takes a view, a run, and more of a table; returns the tests of the run in the order of the reports.
sub _tests {
    my ($view, $run, %more) = @_;
    my @rows = map { _row($_, _floor_of($view, $run, $_)) } $view->rows($run);
    return table(%more, columns => [columns_of(tests => @TESTS)], rows => \@rows, remarks => 'Remarks');
}

# Returns the floor of a test that was measured, if it is one.
sub _floor_of {
    my ($view, $run, $test) = @_;
    return defined $test->{reason} ? undef : $view->floor_of($run, $test);
}

# Takes a test, and its floor if it is one; returns its row.
sub _row {
    my ($test, $floor) = @_;
    return row($test->{title}, undef,                     reason => $test->{reason}) if defined $test->{reason};
    return row($test->{title}, _spread_of($test, $floor), _remark($test, $floor));
}

# Takes the same; returns the test. A floor has no interval.
sub _spread_of {
    my ($test, $floor) = @_;
    return $floor ? { %$test, estimate => undef } : $test;
}

sub _remark {
    my ($test, $floor) = @_;
    my @remarks = ($test->{modes} ? modes_text($test->{modes}) : (), $floor ? _floor_text($floor) : ());
    return @remarks ? (remark => joined('; ', @remarks)) : ();
}

# Takes a view and a run; returns the table of the spread of each measured test.
sub spreads {
    my ($view, $run) = @_;
    my @rows = map { _spread($_, _floor_of($view, $run, $_)) } grep { !defined $_->{reason} } $view->rows($run);
    return table(caption => 'All passes', columns => [_folded('spread')], rows => \@rows, remarks => 'Modes');
}

sub _spread {
    my ($test, $floor) = @_;
    my %spread = (%{ _spread_of($test, $floor) }, range => { low => $test->{min}, high => $test->{max} });
    return row($test->{title}, \%spread, _remark($test, $floor));
}

# Takes the name of a table of tests in a fold; returns its columns. All of them are shown.
sub _folded {
    my ($table) = @_;
    return map { +{ %$_, in => undef, is_optional => 0 } } columns_of($table => @TESTS);
}

# Returns the same for a page, with a picture of each test that has an index, the highest index first. All runs have the
# same axis.
sub _pictures {
    my ($view, $run) = @_;
    my @indexes = @{ $run->{indexes} };
    my $profile = $view->profiles($run);
    my @tests =
        sort { _by_index($profile->{ $a->{name} }, $profile->{ $b->{name} }) || $a->{title} cmp $b->{title} }
        $view->rows($run);
    my @drawn = %$profile ? dots_column('Index', map { _values_on_axis($view, $_) } $view->runs) : ();
    my %floor = map { $_->{name} => scalar _floor_of($view, $run, $_) } @tests;
    my @shown = map { $floor{$_} ? { %{ $profile->{$_} }, modes => undef } : $profile->{$_} } sort keys %$profile;
    my ($title, @others) = columns_of(drawn => @TESTS);
    return table(
        title   => 'Tests',
        columns => [$title, @drawn, @others],
        rows    => [map { _drawn($_, $profile->{ $_->{name} }, $floor{ $_->{name} }) } @tests],
        foot    => [map { _whole($_, _estimate($view, $run, $_), $view->floor_of($run, $_)) } @indexes],
        legend  => [(@shown ? _legend(@shown) : ()), ((grep { $_ } values %floor) ? FLOOR : ())],
    );
}

# Takes a view and a run; returns the values of the run that have to be on the axis of indexes.
sub _values_on_axis {
    my ($view, $run) = @_;
    my @profiles  = values %{ $view->profiles($run) };
    my @estimates = (
        (map { _on_axis($view, $run, $_, $_->{estimate}) } @profiles),
        map { _on_axis($view, $run, $_, _estimate($view, $run, $_)) } @{ $run->{indexes} }
    );
    my @ends = grep { defined } map { @$_{qw(value low high)} } map { ($_, $_->{machine} // ()) } @estimates;
    return (
        @ends,
        map {
            (@{ $_->{band} || [] }, map { $_->{index} } @{ $_->{passes} })
        } @profiles
    );
}

# Takes a view, a run, a profile or an index of it, and the estimate of its index; returns that or, if it is a floor, an
# estimate without an interval: that of passes which differ wildly would stretch the axis.
sub _on_axis {
    my ($view, $run, $of, $estimate) = @_;
    my $floor = $view->floor_of($run, $of) or return $estimate;
    my $known = defined $of->{name} ? $view->spread($run, $of) : $view->of_index($run, $of);
    return { value => $floor->{at_least} * $estimate->{value} / $known->{estimate}{value} };
}

# Takes a view, a run and one of its indexes; returns the estimate of the index, with that of the machine.
sub _estimate {
    my ($view, $run, $index) = @_;
    return $view->with_machine($run, $index, $view->of_index($run, $index)->{estimate});
}

# The highest index comes first, and tests without an index last.
sub _by_index {
    my ($first, $second) = @_;
    return !$first <=> !$second || $first && $second->{estimate}{value} <=> $first->{estimate}{value};
}

sub _legend {
    my (@tests) = @_;
    return join q{ }, POINT,
        ((grep { $_->{band} } @tests)                                   ? BAND      : ()),
        ((grep { $_->{modes} } @tests)                                  ? MODES     : ()),
        ((grep { $_->{is_disturbed} } map { @{ $_->{passes} } } @tests) ? DISTURBED : ()),
        LOW;
}

# Takes a test and its floor, and the index of that or undef; returns the values of columns without intervals.
sub _floors {
    my ($test, $floor, $index) = @_;
    return (
        sure  => undef,
        known => ['at least ', cell(least => $floor->{at_least}), " $test->{unit}"],
        index => $index && ['at least ', cell(least => $index->{value})],
    );
}

# Takes a test, its profile if it has an index, and its floor if it is one; returns its row.
sub _drawn {
    my ($test, $profile, $floor) = @_;
    return row($test->{title}, undef, reason => $test->{reason}) if defined $test->{reason};
    my $index = $profile ? $profile->{estimate} : undef;
    $index = { value => $floor->{at_least} / $test->{estimate}{value} * $index->{value} } if $floor && $index;
    my @modes = $floor ? () : @{ $test->{modes} || [] };
    my %item  = (
        sure      => @modes ? undef                         : _with_interval($test->{estimate}),
        known     => @modes ? _modes($test->{unit}, @modes) : [cell(known => $test->{estimate}), " $test->{unit}"],
        index     => @modes ? undef                         : $index,
        variation => scalar _variation($test),
        $floor ? _floors($test, $floor, $index) : (),
    );
    return row($test->{title}, \%item) if !$profile;
    my @points = @modes ? map { { value => $_->{index} } } @{ $profile->{modes} } : $index;
    my @passes = map          { _dot($_) } @{ $profile->{passes} };
    my @shapes = dots(band => $profile->{band}, points => \@points, below => \@passes);
    return row($test->{title}, \%item, shapes => \@shapes, words => _words($profile, $floor && $index));
}

# Returns an estimate, or undef if it has no interval.
sub _with_interval {
    my ($estimate) = @_;
    return defined $estimate->{low} ? $estimate : undef;
}

# Returns the values of two modes. Each stays in one line.
sub _modes {
    my ($unit, @modes) = @_;
    my $space = "\xc2\xa0";
    return joined(
        ', ',
        map {
            [cell(known => { value => $_->{rate} }), "$space$unit${space}in$space", cell(whole_percent => $_->{share})]
        } @modes
    );
}

sub _variation {
    my ($test) = @_;
    return if !defined $test->{cv};
    return [cell(percent => $test->{cv}), UnixBench::Warnings::Passes::is_noisy($test->{cv}) ? ', noisy' : ()];
}

sub _dot {
    my ($pass) = @_;
    my $class = $pass->{is_disturbed} ? 'pass disturbed' : 'pass';
    return [$class, $pass->{index}, ["pass $pass->{number}: ", cell(rate => $pass->{index})]];
}

# Takes a profile, and the estimate of its index if that is a floor; returns the description of its picture.
sub _words {
    my ($profile, $floor) = @_;
    my @passes = sort { $a <=> $b } map { $_->{index} } @{ $profile->{passes} };
    my $range  = { low => $passes[0], high => $passes[-1] };
    return joined(
        ', ',
        $floor
        ? ['index at least ', cell(least => $floor->{value})]
        : (['index ', cell(rate => $profile->{estimate}{value})], _interval_words($profile->{estimate})),
        [counted(scalar @passes, 'pass', 'passes'), @passes > 1 ? (' from ', cell(interval => $range)) : ()]
    );
}

sub _interval_words {
    my ($estimate) = @_;
    my @machine    = $estimate->{machine} ? ['of the machine ', cell(interval => $estimate->{machine})] : ();
    return defined $estimate->{low} ? (['95 % interval ', cell(interval => $estimate)], @machine) : ();
}

# Takes an index, its estimate, and its floor if it is one; returns its row.
sub _whole {
    my ($index, $estimate, $floor) = @_;
    return row(
        index_title($index), { index => _at_least($floor) },
        shapes => [dots(points => [{ value => $floor->{at_least} }])],
        words  => _floor_text($floor)
    ) if $floor;
    my $value = [$index->{lacking} ? 'mean ' : 'index ', cell(rate => $estimate->{value})];
    return row(
        index_title($index),
        { index => $estimate, sure => _with_interval($estimate) },
        shapes => [dots(points => [$estimate])],
        words  => joined(', ', $value, _interval_words($estimate))
    );
}

# Returns the tables of the text report, folded.
sub _classic {
    my ($view, $run) = @_;
    my @rows =
        map { row($_->{title}, is_measured($_) ? $_ : undef, is_measured($_) ? () : (reason => unmeasured($_))) }
        $view->tests($run);
    return fold(
        'Classic report',
        table(caption => 'Results', columns => [_folded('classic')], rows => \@rows),
        map { _classic_index($_) } @{ $run->{indexes} }
    );
}

sub _classic_index {
    my ($index) = @_;
    return table(
        caption => table_title($index),
        columns => \@OF_INDEX,
        rows    => [map { row($_->{title}, $_) } @{ $index->{rows} }],
        foot    => [row(score_title($index), { index => index_text($index) })],
    );
}

# Returns sentences that explain the numbers, for one extent.
sub _about {
    my ($view, $run, $extent) = @_;
    my @tests   = $view->measured($run);
    my $trimmed = grep { $_->{samples} < @{ $_->{passes} } } @tests;
    my $is_calm =
        !grep { $view->of_index($run, $_)->{undisturbed} && !$view->floor_of($run, $_) } @{ $run->{indexes} };
    return (
        ($extent eq 'brief' && @tests ? defined $run->{rounds} ? [cell('sign'), OF_QUICK] : OF_OFFICIAL : ()),
            _quick($view, $run),
            ($extent eq 'full' && $trimmed ? UNTRIMMED : ()),
            ($extent eq 'full' || $is_calm ? ()        : UNDISTURBED),
            _repeated($run),
    );
}

sub _quick {
    my ($view, $run) = @_;
    return if !defined $run->{rounds};
    my $seed  = $view->result->{procedure}{seed};
    my $order = defined $seed ? " in random order (seed $seed)" : q{};
    return counted($run->{rounds}, 'round', 'rounds') . "$order.";
}

sub _repeated {
    my ($run)    = @_;
    my $repeated = map { @{ $_->{set_aside} || [] } } map { @{ $_->{passes} } } @{ $run->{tests} };
    my $were     = $repeated == 1 ? 'was' : 'were';
    my $passes   = counted($repeated, 'short pass', 'short passes');
    return $repeated ? "$passes $were disturbed and repeated; the first attempts are not counted." : ();
}

1;
