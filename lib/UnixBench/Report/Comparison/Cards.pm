package UnixBench::Report::Comparison::Cards;

# The first thing seen of a comparison: what was found of each index, and how sure it is.

use strict;
use warnings;

use UnixBench::Report::Comparison::Wording qw(found interval_words pair_title sums);
use UnixBench::Report::Markup              qw(element);
use UnixBench::Report::Page                qw(quiet);

# Takes a comparison; returns a card for each index of each pair of runs, or for the mean of its tests. They lead to
# "#pair-" and the place of the pair.
sub cards {
    my ($comparison) = @_;
    my @pairs        = @{ $comparison->{pairs} };
    my @cards        = map { _of_pair($pairs[$_], $_, $comparison->{min_effect}) } 0 .. $#pairs;
    return element('ul', { class => 'cards' }, @cards);
}

sub _of_pair {
    my ($pair, $place, $min_effect) = @_;
    my ($first, $second) = @{ $pair->{sides} };
    my $link  = element('a', { href => "#pair-$place" }, pair_title($pair));
    my @above = (element('div', { class => 'copies' }, $link));
    my @below = quiet(map { "$_->{letter}: $_->{label}" } $second, $first);
    return map { _card(\@above, \@below, $min_effect, @$_) } sums($pair);
}

sub _card {
    my ($above, $below, $min_effect, $title, $row) = @_;
    my @lines = defined $row->{why_not} ? ('not compared', ucfirst $row->{why_not}) : _found($row, $min_effect);
    my ($found, $sure) = @lines;
    return element(
        'li', { class => $row->{verdict} // 'unknown' },
        @$above,
        element('p', { class => 'title' }, $title),
        element('p', { class => 'found' }, $found),
        element('p', { class => 'sure' },  $sure), @$below
    );
}

sub _found {
    my ($row, $min_effect) = @_;
    my $interval = interval_words($row->{ratio});
    return (found($row, $min_effect), length $interval ? "95 % interval: $interval" : 'Nothing tells how sure that is');
}

1;
