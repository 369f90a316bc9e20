package UnixBench::Report::IndexChart;

# An index and its tests as a picture: each test a bar from the index to its own, to the right where it is stronger than
# the whole, to the left where it is weaker, with its interval, and every pass as a dot.

use strict;
use warnings;

use UnixBench::Base::Format          qw(counted fixed);
use UnixBench::Report::Page          qw(quiet);
use UnixBench::Report::PageTable     qw(PLUS_MINUS badge drawing number row table);
use UnixBench::Report::Picture       qw(axis bar dot picture rule span);
use UnixBench::Report::Profile       ();
use UnixBench::Report::Scale         ();
use UnixBench::Report::SpreadWording qw(half_width interval percent_of);
use UnixBench::Report::Wording       qw(index_title);

use constant {
    LEGEND =>
        'A bar goes from the index of all tests together to that of one test: to the right where it is higher, to '
        . 'the left where it is lower. The line across its end is the 95 % interval, each dot a pass.',
    DISTURBED => ' A hollow dot is a pass that something disturbed.',
    NOISY     => ' Noisy: the passes vary by more than 5 %.',
};
use constant {
    HEIGHT      => 30,
    BAR_AT      => 3,
    BAR_HEIGHT  => 12,
    INTERVAL_AT => 9,
    DOTS_AT     => 23
};

# Takes a run and one of its indexes; returns the picture, a table with a drawing in each row, and how to read it.
sub of_index {
    my ($run, $index) = @_;
    my $profile  = UnixBench::Report::Profile::of_index($run, $index);
    my @tests    = @{ $profile->{tests} };
    my $middle   = $profile->{estimate}{value};
    my $scale    = UnixBench::Report::Scale::logarithmic(map { _values($_) } @tests, { %$profile, passes => [] });
    my $caption  = index_title($index) . ', test by test' . (defined $run->{rounds} ? q{} : ' (all passes)');
    my @headings = (
        'Test',   ["\xe2\x86\x90 weaker, stronger \xe2\x86\x92", axis($scale)],
        '*Index', q{*} . PLUS_MINUS, '*Variation'
    );
    my @rows = map { _row($_, $scale, $middle) } @tests;
    return (table($caption, \@headings, \@rows, _whole($index, $profile, $scale)), quiet(_legend(@tests)));
}

sub _legend {
    my (@tests)       = @_;
    my $has_disturbed = grep { $_->{is_disturbed} } map { @{ $_->{passes} } } @tests;
    my $has_noisy     = grep { $_->{is_noisy} } @tests;
    return join q{}, LEGEND, $has_disturbed ? DISTURBED : (), $has_noisy ? NOISY : ();
}

sub _values {
    my ($test) = @_;
    return grep { defined } @{ $test->{estimate} }{qw(value low high)}, map { $_->{index} } @{ $test->{passes} };
}

sub _row {
    my ($test, $scale, $middle) = @_;
    my $estimate = $test->{estimate};
    my $strength = $estimate->{value} < $middle ? 'weak' : 'strong';
    my @parts    = (
        (map { rule('grid', $scale, $_) } @{ $scale->{ticks} }),
        bar("bar $strength", $scale, $middle, $estimate->{value}, BAR_AT, BAR_HEIGHT),
        rule('mean', $scale, $middle),
        _interval($scale, $estimate),
        (map { _dot($scale, $_) } @{ $test->{passes} }),
    );
    my @title = ($test->{title}, $test->{is_noisy} ? badge('noisy') : ());
    return row(
        \@title,
        drawing(picture(_words($test, $strength), HEIGHT, @parts)),
        number(fixed($estimate->{value})),
        number(half_width($estimate)),
        number(percent_of($test->{cv}))
    );
}

sub _interval {
    my ($scale, $estimate) = @_;
    return if !defined $estimate->{low};
    return span('interval', $scale, @$estimate{qw(low high)}, INTERVAL_AT);
}

sub _dot {
    my ($scale, $pass) = @_;
    my $class = $pass->{is_disturbed} ? 'pass disturbed' : 'pass';
    return dot($class, $scale, $pass->{index}, DOTS_AT, "pass $pass->{number}: " . fixed($pass->{index}));
}

sub _words {
    my ($test, $strength) = @_;
    my $estimate = $test->{estimate};
    my $interval = interval($estimate);
    my @passes   = sort { $a <=> $b } map { $_->{index} } @{ $test->{passes} };
    return join ', ', "index " . fixed($estimate->{value}),
        (length $interval    ? "95 % interval $interval" : ()),
        ($strength eq 'weak' ? 'weaker'                  : 'stronger') . ' than the whole',
        counted(scalar @passes, 'pass', 'passes')
        . (@passes > 1 ? ' from ' . fixed($passes[0]) . ' to ' . fixed($passes[-1]) : q{});
}

# The line of the index itself.
sub _whole {
    my ($index, $profile, $scale) = @_;
    my $estimate = $profile->{estimate};
    my @parts    = (rule('mean', $scale, $estimate->{value}), _interval($scale, $estimate));
    my $interval = interval($estimate);
    my $words =
          ($index->{lacking} ? 'mean ' : 'index ')
        . fixed($estimate->{value})
        . (length $interval ? ", 95 % interval $interval" : q{});
    return row(
        index_title($index),
        drawing(picture($words, HEIGHT, @parts)),
        number(fixed($estimate->{value})),
        number(half_width($estimate)),
        number(q{})
    );
}

1;
