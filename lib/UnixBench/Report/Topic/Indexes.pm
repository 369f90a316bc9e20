package UnixBench::Report::Topic::Indexes;

# The topic of indexes: on a page the table of all tests of a run, with a chart; in Markdown a sentence for each index.
#
# In the chart each test is a bar from the index of all tests to its own index, with the interval. Each pass is a dot.

use strict;
use warnings;

use UnixBench::Base::Number    qw(fixed plus_minus);
use UnixBench::Base::Result    qw(unmeasured);
use UnixBench::Base::Text      qw(counted);
use UnixBench::Report::Block   qw(bar chart dot drawn grid in_brief in_full paragraphs row rule span strong table);
use UnixBench::Report::Wording qw(half_width index_text index_title interval percent_of whole_number);
use UnixBench::Score::Score    ();

use constant PLACE => 20;

use constant {
    LEGEND =>
        'A bar goes from the index of all tests to that of one test. The line across its end is the 95 % interval, and '
        . 'each dot is a pass. Low bars are normal for some tests: ./Run explain TEST. Scores include all passes.',
    DISTURBED => ' A hollow dot is a disturbed pass.',
    NOISY     => ' Noisy: the passes vary by more than 5 %.',
    AXIS      => 'Index',
};
use constant {
    HEIGHT      => 30,
    BAR_AT      => 3,
    BAR_HEIGHT  => 12,
    INTERVAL_AT => 9,
    DOTS_AT     => 23,
};

# Takes a view and a run; returns its indexes: as charts for a page, as sentences for a ticket.
sub of_run {
    my ($view, $run) = @_;
    my @indexes = @{ $run->{indexes} };
    return (
        in_full(
            sub {
                _table($view, $run);
            }
        ),
        in_brief(
            sub {
                paragraphs(map { _sentence($run, $_, $view->of_index($run, $_)) } @indexes);
            }
        ),
    );
}

# Returns an index in a sentence. In an official run, the classic index and the value with the interval are two numbers.
# In a quick run they are the same number.
sub _sentence {
    my ($run, $index, $known) = @_;
    my ($estimate, $undisturbed) = @$known{qw(estimate undisturbed)};
    my $mean  = $index->{mean_of_others};
    my $title = $mean ? "$index->{title} index" : index_title($index);
    my @parts = $mean ? '; ' . UnixBench::Score::Score::mean_title($index) . q{ } . fixed($mean->{value}) : ();
    push @parts,
        defined $run->{rounds}
        ? (', an estimate after ' . counted($run->{rounds}, 'round', 'rounds'), _interval($estimate))
        : (', the classic one; untrimmed ' . fixed($estimate->{value}), _interval($estimate));
    push @parts, '; undisturbed ' . fixed($undisturbed->{value}), _interval($undisturbed) if $undisturbed;
    return [strong("$title: " . index_text($index)), join q{}, @parts];
}

sub _interval {
    my ($estimate) = @_;
    my $interval = interval($estimate);
    return ', without an interval' if !length $interval;
    return ", 95 % interval $interval (" . plus_minus(half_width($estimate)) . ')';
}

# Returns the table of a run for a page: all tests, with a bar for each test that has an index.
sub _table {
    my ($view, $run) = @_;
    my @indexes  = @{ $run->{indexes} };
    my @profiles = map  { $view->profile($run, $_) } @indexes;
    my %place    = map  { ($_->{name} => $_) } map { _places($_) } @profiles;
    my @tests    = sort { _by_index($place{ $a->{name} }, $place{ $b->{name} }) || $a->{title} cmp $b->{title} }
        $view->tests($run);
    my %about = (
        title   => 'Results',
        columns =>
            [word => 'Test', number => 'Score', word => 'Unit', map { (number => $_) } qw(Baseline Index +- Variation)],
        rows => [map { _row($view, $run, $_, $place{ $_->{name} }) } @tests],
        foot => [map { _whole($indexes[$_], $profiles[$_]{estimate}) } 0 .. $#indexes],
    );
    my @values = map {
        (_ends($_), map { _values($_) } @{ $_->{tests} })
    } @profiles or return table(_without_empty_columns(%about));
    return chart(%about, axis => AXIS, values => \@values, height => HEIGHT, legend => [_legend(values %place)]);
}

# Takes the arguments of a table; returns them without the columns in which all cells are empty.
sub _without_empty_columns {
    my (%table)  = @_;
    my @headings = @{ $table{columns} };
    my @rows     = grep { $_->{cells} } @{ $table{rows} };
    my $has_text = sub {
        my ($at) = @_;
        return grep { length($_->{cells}[$at] // q{}) } @rows;
    };
    my @kept = grep { $has_text->($_) } 0 .. @headings / 2 - 2 or return %table;
    return (
        %table,
        columns => [@headings[0, 1], map { @headings[2 * $_ + 2, 2 * $_ + 3] } @kept],
        rows    => [map { $_->{cells} ? { %$_, cells => [@{ $_->{cells} }[@kept]] } : $_ } @{ $table{rows} }],
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

sub _values {
    my ($test) = @_;
    return (_ends($test), map { $_->{index} } @{ $test->{passes} });
}

sub _ends {
    my ($of) = @_;
    return grep { defined } @{ $of->{estimate} }{qw(value low high)};
}

sub _legend {
    my (@tests)       = @_;
    my $has_disturbed = grep { $_->{is_disturbed} } map { @{ $_->{passes} } } @tests;
    my $has_noisy     = grep { $_->{is_noisy} } @tests;
    return join q{}, LEGEND, $has_disturbed ? DISTURBED : (), $has_noisy ? NOISY : ();
}

# Takes a test, and its place in the profile of an index if it has one. Returns its row.
sub _row {
    my ($view, $run, $test, $place) = @_;
    my $spread = $view->spread($run, $test);
    return row($test->{title}, undef, reason => unmeasured($test)) if !$spread;
    my ($estimate, $is_noisy) = ($spread->{estimate}, $view->is_noisy($run, $test));
    my @index =
        $place
        ? map { whole_number($_) } 10 * $estimate->{value} / $place->{estimate}{value}, $place->{estimate}{value}
        : (q{}, q{});
    my @cells =
        (whole_number($estimate->{value}), $test->{unit}, @index, half_width($estimate), percent_of($spread->{cv}));
    my %more = (badges => $is_noisy ? ['noisy'] : []);
    return drawn($test->{title}, [],              q{},            \@cells, %more) if !$place;
    return drawn($test->{title}, _shapes($place), _words($place), \@cells, %more);
}

sub _shapes {
    my ($place) = @_;
    my ($estimate, $middle) = @$place{qw(estimate middle)};
    return [
        grid(),
        bar($place->{is_noisy} ? 'bar noisy' : 'bar', $middle, $estimate->{value}, BAR_AT, BAR_HEIGHT),
        rule('mean', $middle),
        _line($estimate), (map { _dot($_) } @{ $place->{passes} }),
    ];
}

sub _line {
    my ($estimate) = @_;
    return defined $estimate->{low} ? span('interval', @$estimate{qw(low high)}, INTERVAL_AT) : ();
}

sub _dot {
    my ($pass) = @_;
    my $class = $pass->{is_disturbed} ? 'pass disturbed' : 'pass';
    return dot($class, $pass->{index}, DOTS_AT, "pass $pass->{number}: " . whole_number($pass->{index}));
}

sub _words {
    my ($place) = @_;
    my @passes = sort { $a <=> $b } map { $_->{index} } @{ $place->{passes} };
    return join ', ', 'index ' . whole_number($place->{estimate}{value}), _interval_words($place->{estimate}),
        counted(scalar @passes, 'pass', 'passes')
        . (@passes > 1 ? ' from ' . whole_number($passes[0]) . ' to ' . whole_number($passes[-1]) : q{});
}

sub _interval_words {
    my ($estimate) = @_;
    return defined $estimate->{low}
        ? '95 % interval ' . join ' to ', map { whole_number($_) } @$estimate{qw(low high)}
        : ();
}

# Returns the row for the index itself.
sub _whole {
    my ($index, $estimate) = @_;
    my @shapes = (rule('mean', $estimate->{value}), _line($estimate));
    my $value  = ($index->{lacking} ? 'mean ' : 'index ') . whole_number($estimate->{value});
    my $words  = join ', ', $value, _interval_words($estimate);
    my @cells  = (q{}, q{}, q{}, whole_number($estimate->{value}), half_width($estimate), q{});
    return drawn(index_title($index), \@shapes, $words, \@cells);
}

1;
