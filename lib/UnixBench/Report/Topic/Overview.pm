package UnixBench::Report::Topic::Overview;

# The topic at the top of a page: the machine in four facts, then the indexes of each run, with their intervals and what
# the reader has to know about them.

use strict;
use warnings;

use UnixBench::Base::Text    qw(counted);
use UnixBench::Report::Block qw(
    capitalised card cards cell fold in_brief in_full linked name paragraphs quiet said screen strip
);
use UnixBench::Report::EndBlock qw(against_text block_lines trust_text);
use UnixBench::Report::Wording  qw(compiler_text copies_title index_title machine_facts);
use UnixBench::Score::Score     ();

use constant SCORES_MOST => 3;    # in a card
use constant WIDTH       => 72;

# Takes a view; returns the facts and a card for each run. In Markdown, returns the block at the end of a run instead.
sub before_runs {
    my ($view) = @_;
    return (in_brief(sub { screen(block_lines($view, WIDTH)) }), in_full(sub { (_strip($view), _cards($view)) }));
}

# Takes a view; returns the block at the end of a run, folded, to be copied.
sub of_result {
    my ($view) = @_;
    return in_full(sub { fold('Summary to copy', screen(block_lines($view, WIDTH))) });
}

sub _strip {
    my ($view)   = @_;
    my $result   = $view->result;
    my $facts    = machine_facts($result);
    my $build    = $result->{build} || {};
    my $compiler = compiler_text($build->{compiler} // q{}, $build->{version} // q{});
    my @flags    = length($build->{flags} // q{}) ? (q{ }, name($build->{flags})) : ();
    my @pairs    = (
        [CPU      => $facts->{cpu}],
        [Memory   => $facts->{memory}],
        [System   => $facts->{system}],
        [Compiler => length $compiler ? [$compiler, @flags] : q{}],
    );
    return strip(grep { ref $_->[1] || length $_->[1] } @pairs);
}

sub _cards {
    my ($view) = @_;
    my @runs   = $view->runs;
    my $rank   = against_text($view);
    return (
        cards(map { _card($view, $runs[$_], "run-$_") } 0 .. $#runs),
        paragraphs(['Trust: ', trust_text($view), q{.}]),
        (defined $rank ? paragraphs([capitalised($rank), q{.}]) : ()),
    );
}

sub _card {
    my ($view, $run, $link) = @_;
    my @indexes = map { _index($view, $run, $_, $link) } @{ $run->{indexes} };
    @indexes = _scores($view, $run) if !@indexes;
    my @concerns = _concerns($view, $run, $link);
    return card(
        title  => copies_title($run->{copies}),
        link   => $link,
        blocks => [@indexes, @concerns ? said('concern', [@concerns]) : ()],
    );
}

# Returns the scores of a run without an index, if they are few.
sub _scores {
    my ($view, $run) = @_;
    my @tests = $view->measured($run);
    return quiet('No index.') if !@tests || @tests > SCORES_MOST;
    return map { _score($run, $_, $view->spread($run, $_)->{estimate}) } @tests;
}

sub _score {
    my ($run, $test, $estimate) = @_;
    return (
        said('title',  $test->{title}),
        said('number', [cell(rate => $test->{score}), " $test->{unit}"]),
        _how_sure($run, $estimate)
    );
}

sub _index {
    my ($view, $run, $index, $link) = @_;
    my $is_lacking = $index->{lacking};
    return (
        said('title',  $is_lacking ? "$index->{title} index" : index_title($index)),
        said('number', $is_lacking ? 'none'                  : [cell(rate => $index->{index})]),
        _mean($index, $link),
        _how_sure($run, $view->of_index($run, $index)->{estimate}),
    );
}

# Returns the reason why there is no index, and the mean of the other tests instead.
sub _mean {
    my ($index, $link) = @_;
    my $mean  = $index->{mean_of_others} or return;
    my $title = ucfirst UnixBench::Score::Score::mean_title($index);
    return (said('concern', [linked(UnixBench::Score::Score::lacking($index), $link)]),
        quiet(["$title: ", cell(rate => $mean->{value})]));
}

# Returns the interval. The large number is the classic index, but the interval is that of the value of all passes. So
# that value is printed with the interval.
sub _how_sure {
    my ($run, $estimate) = @_;
    return said('sure', 'No interval: too few passes.') if !defined $estimate->{low};
    return said('sure', [cell(plus_minus => $estimate)]) if defined $run->{rounds};
    return said('sure', [cell(estimate   => $estimate), ' over all passes']);
}

# Returns one line about tests without a score, noisy tests and disturbed passes, which leads to the table. An index
# has already said why it is lacking.
sub _concerns {
    my ($view, $run, $link) = @_;
    my @tests     = $view->tests($run);
    my @passes    = map  { @{ $_->{passes} } } @tests;
    my $noisy     = grep { $view->is_noisy($run, $_) } $view->measured($run);
    my $disturbed = grep { $view->is_disturbed($_) } @passes;
    my @parts     = map  { _counted_as($_, @tests) } qw(failed interrupted skipped);
    push @parts, "$noisy noisy" if $noisy;
    push @parts, "$disturbed of " . counted(scalar @passes, 'pass', 'passes') . ' disturbed' if $disturbed;
    my %is_said = map { UnixBench::Score::Score::lacking($_) => 1 } grep { $_->{lacking} } @{ $run->{indexes} };
    @parts = grep { !$is_said{$_} } @parts;
    return @parts ? linked(join(', ', @parts), $link) : ();
}

sub _counted_as {
    my ($status, @tests) = @_;
    my $number = grep { $_->{status} eq $status } @tests;
    return $number ? counted($number, 'test', 'tests') . " $status" : ();
}

1;
