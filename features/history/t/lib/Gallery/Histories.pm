package Gallery::Histories;

# Pages of histories.

use strict;
use warnings;

use Histories qw(histories history_of many_weeks);
use UnixBench::History::Report;

# Returns the pages, each { name, html }.
sub pages {
    my %history = histories();
    return map { _page(@$_) } ((map { [$_ => $history{$_}] } qw(eventful hostile single)), [long => _long()],);
}

# Returns a history of more runs than the charts show, with a step each year.
sub _long {
    my @factors = (1, 0.8, 1.3, 1.2, 0.9);
    return history_of(
        map { many_weeks([52 * $_, 52 * $_ + 51], factor => { spawn => $factors[$_], pipe => 1 + $_ / 10 }) }
            0 .. $#factors);
}

sub _page {
    my ($name, $history) = @_;
    return { name => "history-$name", html => UnixBench::History::Report::in_format(html => $history) };
}

1;
