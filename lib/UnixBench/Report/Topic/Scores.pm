package UnixBench::Report::Topic::Scores;

# The topic of scores: the scores and indexes of a run in tables, with their precision.

use strict;
use warnings;

use UnixBench::Base::Number      qw(fixed percent_fixed);
use UnixBench::Base::Result      qw(is_measured unmeasured);
use UnixBench::Base::Text        qw(counted);
use UnixBench::Report::Block     qw(fold in_brief in_detail in_full paragraphs quiet row table);
use UnixBench::Score::Score      qw(LOWEST_THIRD);
use UnixBench::Warnings::Wording qw(modes_text);
use UnixBench::Report::Wording   qw(
    copies_title half_width index_text index_title index_value interval percent_of score_title table_title
);

use constant PLACE => 30;

use constant {
    LEGEND =>
        'Scores include all passes. +-: half of the 95 % interval; cv: coefficient of variation; lowest, highest: '
        . 'passes compared with the score.',
    OF_OFFICIAL => 'Result and index are the classic ones, without '
        . LOWEST_THIRD
        . '. Untrimmed is the result '
        . 'over all passes, with half of its 95 % interval.',
    OF_QUICK    => 'Result and index include all passes; +- is half of the 95 % interval of the result.',
    UNTRIMMED   => 'The classic report leaves out ' . LOWEST_THIRD . ', so its scores are a little higher.',
    UNDISTURBED => 'Undisturbed: the index without disturbed passes. All other values include them.',
};

# Takes a view; returns how to read the tables of a terminal.
sub before_runs {
    my ($view) = @_;
    return in_detail(paragraphs($view->runs ? LEGEND : ()));
}

# Takes a view and a run; returns its scores and indexes.
sub of_run {
    my ($view, $run) = @_;
    my @quick = _quick($view, $run);
    my @about = _about($view, $run);
    return (
        in_detail(sub { return (_spreads($view, $run), _estimates($view, $run), paragraphs(@quick, @about)) }),
        in_brief(sub { return (_results($view, $run), quiet(_about_results($view, $run), @quick, @about)) }),
        in_full(
            sub {
                return (_about_page($view, $run, @quick), fold('Classic report', _scores($view, $run), _indexes($run)));
            }
        ),
    );
}

# Returns a table for a terminal: each test with its interval and the range of its passes.
sub _spreads {
    my ($view, $run) = @_;
    my @columns = (word => copies_title($run->{copies}), map { (number => $_) } qw(score +- cv passes lowest highest));
    return table(columns => \@columns, rows => [map { _spread_row($_, $view->spread($run, $_)) } $view->tests($run)]);
}

sub _spread_row {
    my ($test, $spread) = @_;
    return row($test->{title}, undef, reason => unmeasured($test)) if !$spread;
    my $estimate = $spread->{estimate};
    my @cells    = (fixed($estimate->{value}), half_width($estimate), percent_of($spread->{cv}), $spread->{passes});
    my @remark   = $spread->{modes} ? (remark => modes_text($spread->{modes})) : ();
    return row($test->{title}, [@cells, _ends($spread)], @remark);
}

# Returns how far the lowest and the highest rate are from the score.
sub _ends {
    my ($spread) = @_;
    return (q{}, q{}) if $spread->{passes} < 2;
    return map { percent_fixed($_ / $spread->{estimate}{value} - 1, 1, q{+}) } @$spread{qw(min max)};
}

# Returns the same table for indexes: the classic index, the index of all passes, and the one without disturbed passes.
# A quick run has no classic index of its own, because no pass is left out anyway.
sub _estimates {
    my ($view, $run) = @_;
    my @indexes = @{ $run->{indexes} } or return;
    my @known   = map { $view->of_index($run, $_) } @indexes;
    my @heads   = defined $run->{rounds} ? _value_heading(@indexes) : qw(classic untrimmed);
    push @heads, '+-', '95 % interval', (grep { $_->{undisturbed} } @known) ? qw(undisturbed +-) : ();
    my @rows = map { _estimate_row($run, $indexes[$_], $known[$_]) } 0 .. $#indexes;
    return table(columns => [word => q{}, map { (number => $_) } @heads], rows => \@rows);
}

# Returns the heading of the values: "value" if one of them is the mean of the other tests, which is not an index.
sub _value_heading {
    my (@indexes) = @_;
    return (grep { $_->{lacking} } @indexes) ? 'value' : 'index';
}

sub _estimate_row {
    my ($run, $index, $known) = @_;
    my ($estimate, $undisturbed) = @$known{qw(estimate undisturbed)};
    my @cells = defined $run->{rounds} ? () : fixed(index_value($index));
    push @cells, fixed($estimate->{value}), half_width($estimate), interval($estimate);
    push @cells, fixed($undisturbed->{value}), half_width($undisturbed) if $undisturbed;
    return row(index_title($index), \@cells);
}

# Returns the table of a ticket. A quick run has no column for the untrimmed result.
sub _results {
    my ($view, $run) = @_;
    my %row_of  = map { $_->{name} => $_ } map { @{ $_->{rows} } } @{ $run->{indexes} };
    my @columns = (word => 'Test', number => 'Result', word => 'Unit', number => 'Baseline', number => 'Index');
    push @columns, number => 'Untrimmed' if !defined $run->{rounds};
    push @columns, number => '+-', number => 'Passes';
    my @rows = map { _result_row($view, $run, $_, $row_of{ $_->{name} } || {}) } $view->tests($run);
    return table(columns => \@columns, rows => \@rows, remarks => 'Remarks');
}

sub _result_row {
    my ($view, $run, $test, $row) = @_;
    my $spread   = $view->spread($run, $test) or return row($test->{title}, undef, reason => unmeasured($test));
    my $estimate = $spread->{estimate};
    my @cells =
        (fixed($test->{score}), $test->{unit}, map { defined $_ ? fixed($_) : undef } @$row{qw(baseline index)});
    push @cells, fixed($estimate->{value}) if !defined $run->{rounds};
    push @cells, half_width($estimate), $spread->{passes};
    return row($test->{title}, \@cells) if !$view->is_noisy($run, $test);
    return row($test->{title}, \@cells, remark => 'variation ' . percent_of($spread->{cv}));
}

# Returns the table of scores for a page, with the columns of the text report.
sub _scores {
    my ($view, $run) = @_;
    my @columns = (word => 'Test', number => 'Score', word => 'Unit', number => 'Time', number => 'Samples');
    return table(caption => 'Results', columns => \@columns, rows => [map { _score_row($_) } $view->tests($run)]);
}

sub _score_row {
    my ($test) = @_;
    return row($test->{title}, undef, reason => unmeasured($test)) if !is_measured($test);
    my ($score, $time) = map { fixed($_) } @$test{qw(score time_s)};
    return row($test->{title}, [$score, $test->{unit}, "$time s", $test->{samples}]);
}

sub _indexes {
    my ($run) = @_;
    return map { _index($_) } @{ $run->{indexes} };
}

sub _index {
    my ($index) = @_;
    my @columns = (word => 'Test', map { (number => $_) } qw(Baseline Result Index));
    return table(
        caption => table_title($index),
        columns => \@columns,
        rows    => [map { _index_row($_) } @{ $index->{rows} }],
        foot    => [row(score_title($index), [undef, undef, index_text($index)])],
    );
}

sub _index_row {
    my ($row) = @_;
    return row($row->{title}, [map { defined $_ ? fixed($_) : '---' } @{$row}{qw(baseline score index)}]);
}

# Returns a sentence that explains the numbers. A warning tells how far a quick run is from the wanted precision.
sub _about_results {
    my ($view, $run) = @_;
    return $view->measured($run) ? (defined $run->{rounds} ? OF_QUICK : OF_OFFICIAL) : ();
}

sub _about_page {
    my ($view, $run, @quick) = @_;
    my @tests   = $view->measured($run) or return;
    my $trimmed = grep { $_->{samples} < @{ $_->{passes} } } @tests;
    return quiet(@quick, $trimmed ? UNTRIMMED : (), _about_repeated($run));
}

sub _quick {
    my ($view, $run) = @_;
    return if !defined $run->{rounds};
    my $seed  = $view->result->{procedure}{seed};
    my $order = defined $seed ? " in random order (seed $seed)" : q{};
    return 'Quick run, an estimate: ' . counted($run->{rounds}, 'round', 'rounds') . "$order.";
}

sub _about {
    my ($view, $run) = @_;
    my $has_undisturbed = grep { $view->of_index($run, $_)->{undisturbed} } @{ $run->{indexes} };
    return (($has_undisturbed ? UNDISTURBED : ()), _about_repeated($run));
}

sub _about_repeated {
    my ($run)    = @_;
    my $repeated = map { @{ $_->{set_aside} || [] } } map { @{ $_->{passes} } } @{ $run->{tests} };
    my $were     = $repeated == 1 ? 'was' : 'were';
    my $passes   = counted($repeated, 'short pass', 'short passes');
    return $repeated ? "$passes $were disturbed and repeated; the first attempts are not counted." : ();
}

1;
