package UnixBench::Command::Compare;

# Results in files, compared: two and more with the first of them, many as a fleet, two multi-user loads effect by
# effect.

use strict;
use warnings;

use UnixBench::Compare::Analysis        ();
use UnixBench::Compare::Comparison      ();
use UnixBench::Compare::Fleet           ();
use UnixBench::Compare::Fleet::Outliers ();
use UnixBench::Report::Analysis         ();
use UnixBench::Report::Comparison       ();
use UnixBench::Report::Fleet            ();
use UnixBench::Score::MultiUser         ();
use UnixBench::Store::ResultFile        ();
use UnixBench::Store::Summary           ();

use constant { MIN_EFFECT => 0.02, FLEET => UnixBench::Compare::Fleet::Outliers::FEWEST };

# Takes files, two or more paths; min_effect, the part of a value below which a difference does not matter, 0.02 when
# undef, not for a fleet; force, whether results that were not measured in the same way are compared, too. For an
# analysis, in place of min_effect: analysis, true; prices, [A's, B's] of an hour, or undef; and of files there are two
# results, or one with meters that were typed in. Returns { report, see UnixBench::Report::Block, is_worse }: is_worse
# when an index is worse than the first file's, or a machine of a fleet is slow. Dies, a line for each reason, when a
# file can't be read or the results can't be compared.
sub of {
    my (%asked) = @_;
    return _analysis(%asked) if $asked{analysis};
    my $is_fleet = @{ $asked{files} } >= FLEET;
    die 'option --min-effect is for fewer than ' . FLEET . " results: so many are a fleet\n"
        if $is_fleet && defined $asked{min_effect};
    my %shared;
    my @sides = map { { label => $_, summary => _summary($_, $is_fleet, \%shared) } } @{ $asked{files} };
    return of_sides(\@sides, %asked);
}

sub _summary {
    my ($file, $is_fleet, $shared) = @_;
    my $summary = UnixBench::Store::ResultFile::summary($file, is_hasty => $is_fleet);
    return $is_fleet ? UnixBench::Compare::Fleet::lean($summary, $shared) : $summary;
}

# Takes sides, two or more, each { label (its file), summary }, and the same but files; returns and dies as of does.
sub of_sides {
    my ($sides, %asked) = @_;
    return @$sides >= FLEET ? _fleet($sides, %asked) : _comparison($sides, %asked);
}

sub _comparison {
    my ($sides, %asked) = @_;
    my %with       = (min_effect => $asked{min_effect} // MIN_EFFECT, is_forced => $asked{force});
    my $comparison = UnixBench::Compare::Comparison::of($sides, %with);
    _check($comparison, $asked{force}, map { "$_->{letter} is $_->{label}" } @{ $comparison->{sides} });
    return {
        report   => UnixBench::Report::Comparison::report_of($comparison),
        is_worse => $comparison->{is_worse},
    };
}

sub _fleet {
    my ($sides, %asked) = @_;
    my $fleet = UnixBench::Compare::Fleet::of($sides, is_forced => $asked{force});
    _check($fleet, $asked{force});
    return {
        report   => UnixBench::Report::Fleet::report_of($fleet),
        is_worse => $fleet->{is_slow},
    };
}

sub _analysis {
    my (%asked) = @_;
    my @files = @{ $asked{files} };
    die 'option --analysis takes two results, or one file with the meters of two systems, not ' . @files . " files\n"
        if @files > 2;
    die "option --min-effect is not for --analysis\n" if defined $asked{min_effect};
    my @sides    = @files == 1 ? UnixBench::Store::ResultFile::typed_in(@files) : map { _side($_) } @files;
    my $analysis = UnixBench::Compare::Analysis::of(\@sides, is_forced => $asked{force}, prices => $asked{prices});
    _check($analysis, $asked{force}, map { "$_->{letter} is $_->{label}" } @{ $analysis->{sides} });
    return {
        report   => UnixBench::Report::Analysis::report_of($analysis),
        is_worse => 0,
    };
}

# A side of an analysis.
sub _side {
    my ($file)  = @_;
    my $result  = UnixBench::Store::ResultFile::result($file);
    my ($load)  = grep { @{ $_->{passes} } } map { _load($_) } @{ $result->{runs} };
    my $nothing = { passes => [] };
    return { label => $file, summary => UnixBench::Store::Summary::of($result), %{ $load || $nothing } };
}

sub _load {
    my ($run)       = @_;
    my ($shortfall) = grep { defined } map { scalar UnixBench::Score::MultiUser::shortfall($_) } @{ $run->{tests} };
    return {
        passes    => [UnixBench::Score::MultiUser::passes($run)],
        cpu_count => $run->{cpu_count},
        shortfall => $shortfall,
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
