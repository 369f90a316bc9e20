package UnixBench::Report::Topic::Scores;

# The topic of scores: all tests of a run in one table, and its indexes in another one.
#
# On a page, each test with an index also has a picture: a bar from the index of all tests to its own index, with the
# interval. Each pass is a dot.

use strict;
use warnings;

use UnixBench::Base::Result  qw(is_measured unmeasured);
use UnixBench::Base::Text    qw(counted);
use UnixBench::Report::Block qw(
    bar cell column dot fold grid in_brief in_detail in_full joined paragraphs picture quiet row rule span
    strong table
);
use UnixBench::Report::Wording   qw(copies_title index_text index_title index_value score_title table_title);
use UnixBench::Score::Score      qw(LOWEST_THIRD);
use UnixBench::Warnings::Wording qw(modes_text);

use constant {
    HALF => ': half of the 95 % interval; variation: coefficient of variation; lowest, highest: passes compared '
        . 'with the score.',
    OF_OFFICIAL => 'Result and index are the classic ones, without '
        . LOWEST_THIRD
        . '. Untrimmed is the result over all passes, with half of its 95 % interval.',
    OF_QUICK    => ' is half of the 95 % interval of the result, which includes all passes.',
    UNTRIMMED   => 'The classic report leaves out ' . LOWEST_THIRD . ', so its scores are a little higher.',
    UNDISTURBED => 'Undisturbed: the index without disturbed passes. All other values include them.',
    PICTURES    =>
        'A bar goes from the index of all tests to that of one test. The line across its end is the 95 % interval, and '
        . 'each dot is a pass. Low bars are normal for some tests: ./Run explain TEST. Scores include all passes.',
    DISTURBED => ' A hollow dot is a disturbed pass.',
    NOISY     => ' Noisy: the passes vary by more than 5 %.',
};
use constant {
    HEIGHT      => 30,
    BAR_AT      => 3,
    BAR_HEIGHT  => 12,
    INTERVAL_AT => 9,
    DOTS_AT     => 23,
};

# The values of a test, see UnixBench::Report::View::rows.
my @COLUMNS = (
    column('Test',       title     => 'word'),
    column('Result',     score     => 'rate',    in          => 'brief',       is_optional => 1),
    column('Score',      value     => 'rate',    in          => 'full detail', is_optional => 1),
    column('Unit',       unit      => 'word',    in          => 'full brief',  is_optional => 1),
    column('Baseline',   baseline  => 'rate',    in          => 'full brief',  is_optional => 1),
    column('Index',      classic   => 'rate',    in          => 'brief',       is_optional => 1),
    column('Index',      index     => 'rate',    in          => 'full',        is_optional => 1),
    column('Untrimmed',  untrimmed => 'rate',    in          => 'brief',       is_optional => 1),
    column(cell('sign'), estimate  => 'half',    is_optional => 1),
    column('Variation',  cv        => 'percent', is_optional => 1),
    column('Passes',     passes    => 'count',   in          => 'detail brief', is_optional => 1),
    column('Lowest',     lowest    => 'change',  in          => 'detail',       is_optional => 1),
    column('Highest',    highest   => 'change',  in          => 'detail',       is_optional => 1),
);

my @INDEXES = (
    column('Classic',       classic     => 'rate',     is_optional => 1),
    column('Value',         value       => 'rate',     is_optional => 1),
    column('Untrimmed',     untrimmed   => 'rate',     is_optional => 1),
    column(cell('sign'),    estimate    => 'half',     is_optional => 1),
    column('95 % interval', estimate    => 'interval', is_optional => 1),
    column('Undisturbed',   undisturbed => 'estimate', is_optional => 1),
);

my @CLASSIC = (
    column('Test',    title   => 'word'),
    column('Score',   score   => 'tenths'),
    column('Unit',    unit    => 'word'),
    column('Time',    time_s  => 'seconds'),
    column('Samples', samples => 'count'),
);

my @CLASSIC_INDEX = (
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
                my @sentences = map { _sentence($run, $_, $view->of_index($run, $_)) } @{ $run->{indexes} };
                return (paragraphs(@sentences), _tests($view, $run), quiet(_about($view, $run, 'brief')));
            }
        ),
    );
}

# Takes a view and a run; returns the table of its indexes: the classic one, that of all passes, and that without
# disturbed passes. A quick run has no classic index of its own, because no pass is left out anyway.
sub indexes {
    my ($view, $run) = @_;
    my @rows  = map { _index($run, $_, $view->of_index($run, $_)) } @{ $run->{indexes} } or return;
    my %title = (caption => 'Indexes, and how sure they are', corner => 'Index');
    return table(%title, columns => [column('Index', title => 'word'), @INDEXES], rows => \@rows);
}

sub _index {
    my ($run, $index, $known) = @_;
    my $value   = $known->{estimate}{value};
    my %numbers = defined $run->{rounds} ? (value => $value) : (classic => index_value($index), untrimmed => $value);
    return row(index_title($index), { %$known, %numbers });
}

# Returns an index in a sentence. In an official run, the classic index and the value with the interval are two numbers.
# In a quick run they are the same number.
sub _sentence {
    my ($run, $index, $known) = @_;
    my ($estimate, $undisturbed) = @$known{qw(estimate undisturbed)};
    my $mean  = $index->{mean_of_others};
    my $title = $mean ? "$index->{title} index" : index_title($index);
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
    my @rows = map { _row($_) } $view->rows($run);
    return table(%more, columns => \@COLUMNS, rows => \@rows, remarks => 'Remarks');
}

sub _row {
    my ($test) = @_;
    return row($test->{title}, undef, reason => $test->{reason}) if defined $test->{reason};
    return row($test->{title}, $test, $test->{modes} ? (remark => modes_text($test->{modes})) : ());
}

# Returns the same for a page, with a picture of each test that has an index, the highest index first.
sub _pictures {
    my ($view, $run) = @_;
    my @indexes  = @{ $run->{indexes} };
    my @profiles = map { $view->profile($run, $_) } @indexes;
    my %place    = map { ($_->{name} => $_) } map { _places($_) } @profiles;
    my @tests =
        sort { _by_index($place{ $a->{name} }, $place{ $b->{name} }) || $a->{title} cmp $b->{title} } $view->rows($run);
    my @values = map {
        (
            _ends($_),
            map {
                (_ends($_), map { $_->{index} } @{ $_->{passes} })
            } @{ $_->{tests} }
        )
    } @profiles;
    my ($first, @others) = @COLUMNS;
    return table(
        title   => 'Results',
        columns => [$first, @values ? picture('Index', \@values, HEIGHT) : (), @others],
        rows    => [map { _drawn($_, $place{ $_->{name} }) } @tests],
        foot    => [map { _whole($indexes[$_], $profiles[$_]{estimate}) } 0 .. $#indexes],
        legend  => [@values ? _legend(values %place) : ()],
    );
}

# Takes a profile; returns its tests, each with the estimate of the whole index.
sub _places {
    my ($profile) = @_;
    return map { +{ %$_, middle => $profile->{estimate}{value} } } @{ $profile->{tests} };
}

# The highest index comes first, and tests without an index last.
sub _by_index {
    my ($first, $second) = @_;
    return !$first <=> !$second || $first && $second->{estimate}{value} <=> $first->{estimate}{value};
}

sub _ends {
    my ($of) = @_;
    return grep { defined } @{ $of->{estimate} }{qw(value low high)};
}

sub _legend {
    my (@tests)       = @_;
    my $has_disturbed = grep { $_->{is_disturbed} } map { @{ $_->{passes} } } @tests;
    my $has_noisy     = grep { $_->{is_noisy} } @tests;
    return join q{}, PICTURES, $has_disturbed ? DISTURBED : (), $has_noisy ? NOISY : ();
}

# Takes a test, and its place in the profile of an index if it has one. Returns its row. Modes are in the spread of each
# test: there is no room for them beside the picture.
sub _drawn {
    my ($test, $place) = @_;
    my $row = { %{ _row($test) }, remark => undef, badges => [$test->{is_noisy} ? 'noisy' : ()] };
    return $row if !$row->{item} || !$place;
    my ($estimate, $middle) = @$place{qw(estimate middle)};
    my @shapes = (
        grid(),
        bar($place->{is_noisy} ? 'bar noisy' : 'bar', $middle, $estimate->{value}, BAR_AT, BAR_HEIGHT),
        rule('mean', $middle),
        _line($estimate), (map { _dot($_) } @{ $place->{passes} }),
    );
    return { %$row, shapes => \@shapes, words => _words($place) };
}

sub _line {
    my ($estimate) = @_;
    return defined $estimate->{low} ? span('interval', @$estimate{qw(low high)}, INTERVAL_AT) : ();
}

sub _dot {
    my ($pass) = @_;
    my $class = $pass->{is_disturbed} ? 'pass disturbed' : 'pass';
    return dot($class, $pass->{index}, DOTS_AT, ["pass $pass->{number}: ", cell(rate => $pass->{index})]);
}

sub _words {
    my ($place) = @_;
    my @passes  = sort { $a <=> $b } map { $_->{index} } @{ $place->{passes} };
    my $range   = { low => $passes[0], high => $passes[-1] };
    return joined(
        ', ',
        ['index ', cell(rate => $place->{estimate}{value})],
        _interval_words($place->{estimate}),
        [counted(scalar @passes, 'pass', 'passes'), @passes > 1 ? (' from ', cell(interval => $range)) : ()]
    );
}

sub _interval_words {
    my ($estimate) = @_;
    return defined $estimate->{low} ? ['95 % interval ', cell(interval => $estimate)] : ();
}

# Returns the row for the index itself.
sub _whole {
    my ($index, $estimate) = @_;
    my @shapes = (rule('mean', $estimate->{value}), _line($estimate));
    my $value  = [$index->{lacking} ? 'mean ' : 'index ', cell(rate => $estimate->{value})];
    return row(
        index_title($index),
        { index => $estimate->{value}, estimate => $estimate },
        shapes => \@shapes,
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
        table(caption => 'Results', columns => \@CLASSIC, rows => \@rows),
        map { _classic_index($_) } @{ $run->{indexes} }
    );
}

sub _classic_index {
    my ($index) = @_;
    return table(
        caption => table_title($index),
        columns => \@CLASSIC_INDEX,
        rows    => [map { row($_->{title}, $_) } @{ $index->{rows} }],
        foot    => [row(score_title($index), { index => index_text($index) })],
    );
}

# Returns sentences that explain the numbers, for one extent.
sub _about {
    my ($view, $run, $extent) = @_;
    my @tests   = $view->measured($run);
    my $trimmed = grep  { $_->{samples} < @{ $_->{passes} } } @tests;
    my $is_calm = !grep { $view->of_index($run, $_)->{undisturbed} } @{ $run->{indexes} };
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
    return 'Quick run, an estimate: ' . counted($run->{rounds}, 'round', 'rounds') . "$order.";
}

sub _repeated {
    my ($run)    = @_;
    my $repeated = map { @{ $_->{set_aside} || [] } } map { @{ $_->{passes} } } @{ $run->{tests} };
    my $were     = $repeated == 1 ? 'was' : 'were';
    my $passes   = counted($repeated, 'short pass', 'short passes');
    return $repeated ? "$passes $were disturbed and repeated; the first attempts are not counted." : ();
}

1;
