package UnixBench::Comparing;

# Results in files, compared: two and more with the first of them, many as a fleet.

use strict;
use warnings;

use UnixBench::Comparison                   ();
use UnixBench::Fleet                        ();
use UnixBench::Fleet::Outliers              ();
use UnixBench::Report::Comparison::HTML     ();
use UnixBench::Report::Comparison::Markdown ();
use UnixBench::Report::Comparison::Text     ();
use UnixBench::Report::Fleet::HTML          ();
use UnixBench::Report::Fleet::Markdown      ();
use UnixBench::Report::Fleet::Text          ();
use UnixBench::Result::File                 ();

use constant { MIN_EFFECT => 0.02, FLEET => UnixBench::Fleet::Outliers::FEWEST };

# Takes files, two or more paths; min_effect, the part of a value below which a difference does not matter, 0.02 when
# undef, not for a fleet; force, whether results that were not measured in the same way are compared, too. Returns
# { text, html, markdown, is_worse }: is_worse when an index is worse than the first file's, or a machine of a fleet is
# slow. Dies, a line for each reason, when a file can't be read or the results can't be compared.
sub of {
    my (%asked) = @_;
    my $is_fleet = @{ $asked{files} } >= FLEET;
    die 'option --min-effect is for fewer than ' . FLEET . " results: so many are a fleet\n"
        if $is_fleet && defined $asked{min_effect};
    my @sides = map { { label => $_, summary => UnixBench::Result::File::summary($_) } } @{ $asked{files} };
    return $is_fleet ? _fleet(\@sides, %asked) : _comparison(\@sides, %asked);
}

sub _comparison {
    my ($sides, %asked) = @_;
    my %with       = (min_effect => $asked{min_effect} // MIN_EFFECT, is_forced => $asked{force});
    my $comparison = UnixBench::Comparison::of($sides, %with);
    _check($comparison, $asked{force}, map { "$_->{letter} is $_->{label}" } @{ $comparison->{sides} });
    return {
        text     => UnixBench::Report::Comparison::Text::render($comparison),
        html     => UnixBench::Report::Comparison::HTML::render($comparison),
        markdown => UnixBench::Report::Comparison::Markdown::render($comparison),
        is_worse => $comparison->{is_worse},
    };
}

sub _fleet {
    my ($sides, %asked) = @_;
    my $fleet = UnixBench::Fleet::of($sides, is_forced => $asked{force});
    _check($fleet, $asked{force});
    return {
        text     => UnixBench::Report::Fleet::Text::render($fleet),
        html     => UnixBench::Report::Fleet::HTML::render($fleet),
        markdown => UnixBench::Report::Fleet::Markdown::render($fleet),
        is_worse => $fleet->{is_slow},
    };
}

# Dies when the view was refused, with what explains its letters.
sub _check {
    my ($view, $is_forced, @letters) = @_;
    my @refusals = @{ $view->{refusals} } or return;
    push @refusals, 'to compare them all the same: --force' if @{ $view->{obstacles} } && !$is_forced;
    die join "\n", map({ s/\n/ /gr } "these results can't be compared", @letters, @refusals), q{};
}

1;
