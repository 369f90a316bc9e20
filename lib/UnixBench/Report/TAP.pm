package UnixBench::Report::TAP;

# The verdicts in the Test Anything Protocol: https://testanything.org/tap-version-13-specification.html

use strict;
use warnings;

use UnixBench::Base::Text      qw(clean);
use UnixBench::Report::Verdict qw(copies_text finding);

# Takes a view and the cases of its result, see UnixBench::Accept::Acceptance; returns the whole output, a test point
# for each case.
sub render {
    my ($view, @cases) = @_;
    my @notes  = map { '# ' . clean($_) } @{ $view->result->{notes} };
    my $plan   = @cases ? '1..' . @cases : '1..0 # SKIP nothing was measured';
    my @points = map { _point($_ + 1, $cases[$_]) } 0 .. $#cases;
    return join q{}, map { "$_\n" } 'TAP version 13', $plan, @notes, @points;
}

# Returns the lines of a test point. An inconclusive verdict is "not ok".
sub _point {
    my ($number, $case) = @_;
    my $verdict = $case->{verdict};
    my $title   = "$number - " . _escaped(clean($case->{title}) . ', ' . copies_text($case));
    return "ok $title # SKIP " . finding($case) if $verdict eq 'SKIP';
    return ("ok $title",     '# ' . finding($case)) if $verdict eq 'PASS';
    return ("not ok $title", "# $verdict " . finding($case));
}

# Takes a text; escapes number signs, because a directive begins with one, and backslashes.
sub _escaped {
    my ($text) = @_;
    return $text =~ s/([\\#])/\\$1/gr;
}

1;
