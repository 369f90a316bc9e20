package UnixBench::Report::Topic::Passes;

# The topic of passes: every pass of a run, and the spread of each test.

use strict;
use warnings;

use UnixBench::Base::Number      qw(fixed full_precision);
use UnixBench::Report::Block     qw(fold in_full row table);
use UnixBench::Report::Wording   qw(index_title index_value interval percent_of);
use UnixBench::Warnings::Causes  qw(tag_text);
use UnixBench::Warnings::Wording qw(modes_text);

use constant PLACE => 70;

# Takes a view and a run; returns the spreads and the passes, each in a fold.
sub of_run {
    my ($view, $run) = @_;
    return in_full(sub { _folded($view, $run) });
}

sub _folded {
    my ($view, $run) = @_;
    my @tables = $view->measured($run) ? (_indexes($view, $run), _spreads($view, $run)) : ();
    my @passes = map { _passes($view, $_) } $view->tests($run);
    return (fold('Spread of each test', @tables), fold('Every pass', @passes));
}

# Returns the table of indexes. In a quick run an index has only one value, because no pass is left out anyway.
sub _indexes {
    my ($view, $run) = @_;
    my @indexes  = @{ $run->{indexes} } or return;
    my @known    = map { $view->of_index($run, $_) } @indexes;
    my @headings = (defined $run->{rounds} ? 'Value' : qw(Classic Untrimmed), '95 % interval');
    push @headings, 'Undisturbed', '95 % interval, undisturbed' if grep { $_->{undisturbed} } @known;
    return table(
        caption => 'Indexes, and how sure they are',
        columns => [word => 'Index', map { (number => $_) } @headings],
        rows    => [map { _index($run, $indexes[$_], $known[$_]) } 0 .. $#indexes],
    );
}

sub _index {
    my ($run, $index, $known) = @_;
    my @classic = defined $run->{rounds} ? () : fixed(index_value($index));
    my @others  = map { (fixed($_->{value}), interval($_)) } grep { defined } @$known{qw(estimate undisturbed)};
    return row(index_title($index), [@classic, @others]);
}

sub _spreads {
    my ($view, $run) = @_;
    my @headings = (defined $run->{rounds} ? 'Score' : 'Untrimmed', '95 % interval', qw(Median Mean));
    push @headings, 'Standard deviation', 'Variation', 'Lowest to highest';
    return table(
        caption => 'All passes',
        columns => [word => 'Test', map { (number => $_) } @headings],
        rows    => [map { _spread($_, $view->spread($run, $_)) } $view->measured($run)],
        remarks => 'Modes',
    );
}

sub _spread {
    my ($test,     $spread) = @_;
    my ($estimate, $sd)     = @$spread{qw(estimate sd)};
    my @cells = (fixed($estimate->{value}), interval($estimate), map { fixed($_) } @$spread{qw(median mean)});
    push @cells, defined $sd ? fixed($sd) : q{}, percent_of($spread->{cv});
    push @cells, join ' to ',                    map { fixed($_) } @$spread{qw(min max)};
    return row($test->{title}, \@cells, $spread->{modes} ? (remark => modes_text($spread->{modes})) : ());
}

sub _passes {
    my ($view, $test) = @_;
    my @passes  = @{ $test->{passes} || [] } or return;
    my @columns = (word => 'Pass', map { (number => $_) } qw(Count Time Rate));
    my @rows    = map { _pass($view, $_) } @passes;
    return table(caption => $test->{title}, columns => \@columns, rows => \@rows, remarks => 'Disturbed by');
}

sub _pass {
    my ($view, $pass) = @_;
    my $disturbance = _disturbance($pass);
    my @remark      = length $disturbance ? (remark => $disturbance) : ();
    return row($pass->{number}, undef, reason => join('; ', _errors($pass)), @remark) if !defined $pass->{count};
    my $time = sprintf '%.6f s', $pass->{time_s};
    return row($pass->{number}, [full_precision($pass->{count}), $time, fixed($view->rate($pass))], @remark);
}

# Takes a pass; returns its disturbances, and those of the short passes that it replaced.
sub _disturbance {
    my ($pass) = @_;
    my @before = map { 'repeated after ' . join ' and ', _tag_texts($_) } @{ $pass->{set_aside} || [] };
    return join '; ', _tag_texts($pass), @before;
}

sub _tag_texts {
    my ($pass) = @_;
    return map { tag_text($_) } @{ $pass->{tags} || [] };
}

sub _errors {
    my ($pass) = @_;
    my @copies = @{ $pass->{copies} };
    my @failed = grep { defined $copies[$_]{error} } 0 .. $#copies;
    return $pass->{error} if !@failed;    # no copy was at fault: not all could be started, or their sum is absurd
    return map { 'copy ' . ($_ + 1) . ": $copies[$_]{error}" } @failed;
}

1;
