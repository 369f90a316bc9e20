package UnixBench::Report::Topic::Overview;

# The topic at the top of a page: the indexes of each run, their precision, their strongest and weakest tests, and
# problems.

use strict;
use warnings;

use UnixBench::Base::Format    qw(fixed listed);
use UnixBench::Report::Block   qw(beside card cards in_full paragraphs quiet said);
use UnixBench::Report::View    ();
use UnixBench::Report::Wording qw(copies_title half_width index_title interval);
use UnixBench::Score::Score    ();

use constant PLACE => 10;

use constant PLUS_MINUS => "\xc2\xb1";

# Takes a view; returns a card for each run.
sub before_runs {
    my ($view) = @_;
    my @runs = $view->runs;
    return in_full(
        sub {
            cards(map { _card($view, $runs[$_], "run-$_") } 0 .. $#runs);
        }
    );
}

sub _card {
    my ($view, $run, $link) = @_;
    my @indexes  = map { _index($view, $run, $_) } @{ $run->{indexes} };
    my @concerns = said('concern', _concerns($view, $run));
    return card(
        title  => copies_title($run->{copies}),
        link   => $link,
        blocks => [@indexes ? @indexes : quiet('No index.'), @concerns],
    );
}

sub _index {
    my ($view, $run, $index) = @_;
    my $is_lacking = $index->{lacking};
    my @value      = (
        said('title',  $is_lacking ? "$index->{title} index" : index_title($index)),
        said('number', $is_lacking ? 'none'                  : fixed($index->{index})),
        _mean($index), _how_sure($run, $view->of_index($run, $index)->{estimate}),
    );
    return beside(\@value, [paragraphs(_extremes(@{ $index->{rows} }))]);
}

# Returns why an index has no number, and the mean of its measured tests. Returns nothing if it has a number.
sub _mean {
    my ($index) = @_;
    my $mean    = $index->{mean_of_others} or return;
    my $what    = ucfirst UnixBench::Score::Score::mean_title($index) . q{: } . fixed($mean->{value});
    return (said('concern', UnixBench::Score::Score::lacking($index)), quiet($what));
}

# Returns the precision of an index. The large number above it is the classic index. The interval is of all passes, so
# the value of all passes is printed with it.
sub _how_sure {
    my ($run, $estimate) = @_;
    my $half = half_width($estimate);
    return said('sure', 'Nothing tells how sure that is.') if !length $half;
    my $sure = PLUS_MINUS . " $half";
    $sure = fixed($estimate->{value}) . " $sure with no pass left out" if !defined $run->{rounds};
    return (said('sure', $sure), quiet('95 % interval ' . interval($estimate)));
}

# Returns the strongest and the weakest test with their indexes. These are classic ones, like the index above them.
sub _extremes {
    my (@rows) = @_;
    @rows = sort { $b->{index} <=> $a->{index} || $a->{title} cmp $b->{title} } grep { defined $_->{index} } @rows;
    return if @rows < 2;
    my ($strongest, $weakest) = map { "$_->{title}, " . fixed($_->{index}) } @rows[0, -1];
    return ("Strongest: $strongest", "Weakest: $weakest");
}

# Returns problems that the reader should know: tests that failed, were interrupted or skipped, are noisy, or were
# disturbed.
sub _concerns {
    my ($view, $run) = @_;
    my @tests    = $view->tests($run);
    my @measured = $view->measured($run);
    my @statuses = qw(failed interrupted skipped);
    my @concerns = (
        (map { [$_ => _with_status($_, @tests)] } @statuses),
        [noisy     => grep { $view->is_noisy($run, $_) } @measured],
        [disturbed => grep { _has_disturbed($view, $_) } @measured],
    );
    return map { _concern(@$_) } @concerns;
}

sub _with_status {
    my ($status, @tests) = @_;
    return grep { $_->{status} eq $status } @tests;
}

sub _has_disturbed {
    my ($view, $test) = @_;
    return scalar grep { $view->is_disturbed($_) } @{ $test->{passes} };
}

sub _concern {
    my ($what, @tests) = @_;
    return @tests ? ucfirst "$what: " . listed(map { $_->{title} } @tests) : ();
}

1;
