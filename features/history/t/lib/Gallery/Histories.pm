package Gallery::Histories;

# Pages of histories.

use strict;
use warnings;

use Gallery::Hostile ();
use Histories        qw(histories history_of hostile_history many_weeks);
use UnixBench::History::Report;

# Returns the pages, each { name, html }.
sub pages {
    my %history = histories();
    my @texts   = Gallery::Hostile::texts();
    my $turn    = 0;
    return map { _page(@$_) } (
        (map { [$_ => $history{$_}] } qw(flat step eventful single)),
        [long            => _long()],
        [hour            => _hour()],
        [hostile         => hostile_history(sub { return join q{ }, @texts })],
        ['hostile-turns' => hostile_history(sub { return $texts[$turn++ % @texts] })],
    );
}

# Returns the faults that t-all/pages/faults.t plants: [name, selector, attribute, value, the finding].
sub faults {
    #<<< a table
    return {
        'history-eventful' => [
            [date        => 'circle.run',       'cx',         '50%',              '^date of the point: '],
            [value       => 'circle.run',       'cy',         '60',               '^value of the point: '],
            [run_words   => 'circle.run title', 'text',       'week-00',          '^a point without its date '],
            [outside     => 'circle.run',       'cy',         '-9',               '^circle.run beyond its picture'],
            [runs_gone   => 'circle.run',       'class',      'other',            '^an interval without its point'],
            [of_another  => 'line.interval',    'transform',  'translate(0 40)',  '^an interval without its point'],
            [mean_value  => 'line.step',        'data-value', '7.7',              '^value of the step: '],
            [mean_end    => 'line.step',        'x2',         '50.3%',            '^a step that ends at no point'],
            [event       => 'line.event',       'x1',         '50.3%',            '^date of the event: '],
            [event_words => 'line.event title', 'text',       'a change',         '^a vertical line without its '],
            [unlisted    => 'line.event title', 'text',       '2026-01-01: -9 %', '^an event that the page does '],
            [short       => 'line.event',       'y2',         '50',               '^a vertical line that is not '],
            [value_tick  => '.timelines .up',   'text',       '7.7',              '^tick: '],
            [date_tick   => '.tick:not(.up)',   'text',       '2026-02',          '^tick: '],
            [tick_on     => 'li:not(.whole) .tick:not(.up)', 'style',      'font-size: 99px',  '^a tick on another: '],
            [link        => '.timelines a',     'text',       '2026-01-01',       '^a link to another change: '],
        ],
    };
    #>>>
}

# Returns a history of more runs than the charts show, with a step each year.
sub _long {
    my @factors = (1, 0.8, 1.3, 1.2, 0.9);
    return history_of(
        map { many_weeks([52 * $_, 52 * $_ + 51], factor => { spawn => $factors[$_], pipe => 1 + $_ / 10 }) }
            0 .. $#factors);
}

# Returns a history of runs in one hour, with a step of the index.
sub _hour {
    my %measures = (measures => [qw(pipe spawn system)]);
    my @results =
        (many_weeks([0, 5], %measures), many_weeks([6, 11], %measures, factor => { spawn => 0.7, system => 0.9 }));
    $results[$_]{outline}{started} = $results[0]{outline}{started} + 300 * $_ for 0 .. $#results;
    return history_of(@results);
}

sub _page {
    my ($name, $history) = @_;
    return { name => "history-$name", html => UnixBench::History::Report::in_format(html => $history) };
}

1;
