package UnixBench::Over::Topic;

# What a run with --over shows: a timeline, slow rounds and hours, in reports and in the block at the end of a run.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result  qw(offset_at);
use UnixBench::Base::Text    qw(counted);
use UnixBench::Base::Time    qw(duration_in_brief iso_time);
use UnixBench::Catalog       ();
use UnixBench::Over::Figures ();
use UnixBench::Report::Block qw(at_most in_full list section);
use UnixBench::Report::Cell  qw(cell);
use UnixBench::Report::Chart qw(timelines);

use constant {
    STEPS   => 3,     # changes of the level in the block
    MOST    => 12,    # the same in a report
    PERCENT => 100,
    HOURS   => 24,    # of a day
};

use constant AXES =>
    'Left to right: the time. Bottom to top: the value. A point is a round, a hollow one a slow round: '
    . 'below 90 % of the median, a horizontal line. A vertical line is a change of the level by 8 % or more.';

# Takes a view; returns the entries of the block, see UnixBench::Report::EndBlock.
sub block_entries {
    my ($view)  = @_;
    my @figures = grep { defined } map { $view->of_run(over => $_) } $view->runs;
    return map { [Over => _texts(STEPS, _clock($view, $_), $_)] } @figures;
}

sub _texts {
    my ($most, $when, $figures) = @_;
    my $others = sub { "$_[0] more" };
    return (
        [
            counted(scalar @{ $figures->{rounds} }, 'round', 'rounds'),
            ', 90 % of them from ',
            cell(rate => $figures->{p5}),
            ' to ', cell(rate => $figures->{p95})
        ],
        [cell(percent => $figures->{below}), ' below 90 % of the median'],
        _extremes($when, @$figures{qw(lowest highest)}),
        defined $figures->{idle}
        ? ['CPUs idle ', cell(percent => $figures->{idle}), ', stolen ', cell(percent => $figures->{stolen})]
        : (),
        at_most(
            $most,
            $others,
            map { ['the level changed by ', cell(change => $_->{by}), ' at ', $when->($_->{at})] }
                @{ $figures->{changes} }
        ),
    );
}

sub _extremes {
    my ($when, $lowest, $highest) = @_;
    return if !$lowest;
    my $hour      = sub { my ($of) = @_; return ($when->($of->{from}), ' (', cell(rate => $of->{value}), ')') };
    my $are_alike = !$lowest->{is_shown} && !$highest->{is_shown};
    return ['lowest hour ', $hour->($lowest), ', highest ', $hour->($highest),
        $are_alike ? '; no more than chance' : ()];
}

# By the clocks of the machine: with the date if an hour of the day comes twice.
sub _clock {
    my ($view,  $figures) = @_;
    my ($first, $last)    = map { int($_->{at} / UnixBench::Over::Figures::HOUR_S) } @{ $figures->{rounds} }[0, -1];
    my $is_long = $last - $first >= HOURS;
    return sub {
        my ($date, $clock) = split /T/, iso_time(int $_[0], offset_at($view->result, $_[0]));
        return join q{ }, $is_long ? substr $date, length 'YYYY-' : (), substr $clock, 0, length 'HH:MM';
    };
}

# Takes a view and a run; returns its section.
sub of_run {
    my ($view, $run) = @_;
    my $figures = $view->of_run(over => $run) // return;
    my $title   = _title($figures);
    my $when    = _clock($view, $figures);
    my $result  = $view->result;
    my $ahead_s = $result->{utc_offset_s};
    return section(
        { id => "over-$run->{copies}", title => 'Over ' . duration_in_brief($view->result->{procedure}{over}{over_s}) },
        in_full(sub {
            timelines(
                axes     => AXES,
                are_wide => 1,
                clock_of => sub { my $at = $_[0] - $ahead_s; return $at + offset_at($result, $at) },
                from     => $figures->{rounds}[0]{at} + $ahead_s,
                to       => $figures->{rounds}[-1]{at} + $ahead_s,
                panels   => [_panels($title, $when, $ahead_s, $figures)]
            );
        }),
        list(undef, _texts(MOST, $when, $figures)),
    );
}

sub _title {
    my ($figures) = @_;
    my $test = UnixBench::Catalog::test($figures->{name});
    return $test ? $test->{title} : $figures->{name} eq 'mean' ? 'Mean of the tests' : 'Index';
}

# Returns the panels of the timelines: the value, and what else is known of the rounds. Times are those of the zone when
# the run began. Slow rounds do not change the scale.
sub _panels {
    my ($title, $when, $ahead_s, $figures) = @_;
    my @rounds = @{ $figures->{rounds} };
    my $slow   = UnixBench::Over::Figures::LOW() * $figures->{median};
    my $point  = sub {
        my ($round, $value, $words) = @_;
        return [
            $round->{value} < $slow ? 'run outlier' : 'run',
            $round->{at} + $ahead_s,
            $value, undef, undef, [$when->($round->{at}), ': ', $words]
        ];
    };
    my $marks  = _marks($when, $ahead_s, $figures);
    my @median = (map({ $rounds[$_]{at} + $ahead_s } 0, -1), $figures->{median});
    my @panels;
    for my $panel (_plotted($title, @rounds)) {
        my ($name, $of) = @$panel;
        push @panels,
            {
            title  => $name,
            words  => "$name by time",
            points => [map { $point->($_, $of->($_)) } @rounds],
            steps  => @panels ? [] : [['step', @median]],
            marks  => $marks,
            };
    }
    return @panels;
}

sub _marks {
    my ($when, $ahead_s, $figures) = @_;
    return [
        map { [
            'event ' . ($_->{by} < 0 ? 'worse' : 'better'),
            $_->{at} + $ahead_s,
            [cell(change => $_->{by}), ' from ', $when->($_->{at})]
        ] } @{ $figures->{changes} }
    ];
}

# Returns [title, function from a round to its value and how this is shown] for each panel.
sub _plotted {
    my ($title, @rounds) = @_;
    my $unstolen = sub {
        my $left = 1 - ($_[0]{steal} // 0);
        return (List::Util::max(1, PERCENT * $left), [cell(percent => $left)]);
    };
    my @plotted = ([$title, sub { ($_[0]{value}, cell(rate => $_[0]{value})) }]);
    push @plotted, ['CPU time that was not stolen, %', $unstolen] if grep { defined $_->{steal} } @rounds;
    push @plotted, ['Clock of the CPU, MHz', sub { ($_[0]{clock_mhz}, [cell(digits => $_[0]{clock_mhz}), ' MHz']) }]
        if !grep { !defined $_->{clock_mhz} } @rounds;
    return @plotted;
}

1;
