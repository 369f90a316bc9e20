package UnixBench::Report::Topic::Indexes;

# The topic of indexes: their precision, and the tests that they consist of. In the chart, each test is a bar from the
# index of all tests to its own index. The bar goes to the right if the test is stronger than the whole, to the left if
# it is weaker. A line is its interval, and each dot is a pass.

use strict;
use warnings;

use UnixBench::Base::Format    qw(counted fixed);
use UnixBench::Report::Block   qw(bar chart dot drawn grid in_brief in_full paragraphs rule span strong);
use UnixBench::Report::Wording qw(half_width index_text index_title interval percent_of);
use UnixBench::Score::Score    ();

use constant PLACE => 20;

use constant {
    LEGEND =>
        'A bar goes from the index of all tests together to that of one test: to the right where it is higher, to '
        . 'the left where it is lower. The line across its end is the 95 % interval, each dot a pass.',
    DISTURBED => ' A hollow dot is a pass that something disturbed.',
    NOISY     => ' Noisy: the passes vary by more than 5 %.',
    AXIS      => "\xe2\x86\x90 weaker, stronger \xe2\x86\x92",
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
                map { _chart($run, $_, $view->profile($run, $_)) } @indexes;
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
    return ', and nothing tells how sure that is' if !length $interval;
    return ", 95 % interval $interval (+- " . half_width($estimate) . ')';
}

sub _chart {
    my ($run, $index, $profile) = @_;
    my @tests = @{ $profile->{tests} };
    return chart(
        title   => index_title($index) . ', test by test' . (defined $run->{rounds} ? q{} : ' (all passes)'),
        axis    => AXIS,
        values  => [(map { _values($_) } @tests), _ends($profile)],
        height  => HEIGHT,
        columns => [word => 'Test', number => 'Index', number => '+-', number => 'Variation'],
        rows    => [map { _row($_, $profile->{estimate}{value}) } @tests],
        foot    => [_whole($index, $profile->{estimate})],
        legend  => [_legend(@tests)],
    );
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

sub _row {
    my ($test, $middle) = @_;
    my $estimate = $test->{estimate};
    my $strength = $estimate->{value} < $middle ? 'weak' : 'strong';
    my @shapes   = (
        grid(),
        bar("bar $strength", $middle, $estimate->{value}, BAR_AT, BAR_HEIGHT),
        rule('mean', $middle),
        _line($estimate), (map { _dot($_) } @{ $test->{passes} }),
    );
    my @cells  = (fixed($estimate->{value}), half_width($estimate), percent_of($test->{cv}));
    my @badges = $test->{is_noisy} ? 'noisy' : ();
    return drawn($test->{title}, \@shapes, _words($test, $strength), \@cells, badges => \@badges);
}

sub _line {
    my ($estimate) = @_;
    return defined $estimate->{low} ? span('interval', @$estimate{qw(low high)}, INTERVAL_AT) : ();
}

sub _dot {
    my ($pass) = @_;
    my $class = $pass->{is_disturbed} ? 'pass disturbed' : 'pass';
    return dot($class, $pass->{index}, DOTS_AT, "pass $pass->{number}: " . fixed($pass->{index}));
}

sub _words {
    my ($test, $strength) = @_;
    my @passes = sort { $a <=> $b } map { $_->{index} } @{ $test->{passes} };
    return join ', ', 'index ' . fixed($test->{estimate}{value}), _interval_words($test->{estimate}),
        ($strength eq 'weak' ? 'weaker' : 'stronger') . ' than the whole',
        counted(scalar @passes, 'pass', 'passes')
        . (@passes > 1 ? ' from ' . fixed($passes[0]) . ' to ' . fixed($passes[-1]) : q{});
}

sub _interval_words {
    my ($estimate) = @_;
    my $interval = interval($estimate);
    return length $interval ? "95 % interval $interval" : ();
}

# Returns the row of the index itself.
sub _whole {
    my ($index, $estimate) = @_;
    my @shapes = (rule('mean', $estimate->{value}), _line($estimate));
    my $value  = ($index->{lacking} ? 'mean ' : 'index ') . fixed($estimate->{value});
    my $words  = join ', ', $value, _interval_words($estimate);
    return drawn(index_title($index), \@shapes, $words, [fixed($estimate->{value}), half_width($estimate), q{}]);
}

1;
