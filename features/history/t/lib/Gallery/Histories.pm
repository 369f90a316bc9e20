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
