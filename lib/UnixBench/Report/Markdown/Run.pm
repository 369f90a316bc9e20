package UnixBench::Report::Markdown::Run;

# One run as Markdown: its indexes and a table of its tests.

use strict;
use warnings;

use UnixBench::Base::Format             qw(counted fixed);
use UnixBench::Base::Result             qw(is_measured tests_by_title unmeasured);
use UnixBench::Report::Markdown::Blocks qw(heading paragraph table);
use UnixBench::Report::Markdown::Text   qw(bold inline);
use UnixBench::Report::Profile          ();
use UnixBench::Report::SpreadWording
    qw(half_width interval percent_of quick_sentence repeated_sentence undisturbed_sentence);
use UnixBench::Report::Wording qw(index_text index_title);
use UnixBench::Score::Score    ();
use UnixBench::Score::Spread   ();

use constant {
    OF_OFFICIAL => 'Result and index are the classic ones, without the worst third of the passes; untrimmed is the '
        . 'result of all passes, +- half of its 95 % interval.',
    OF_QUICK => 'Result and index are of all passes; +- is half of the 95 % interval of the result.',
};

# Takes the procedure and a run; returns its section.
sub section {
    my ($procedure, $run) = @_;
    my @legend    = defined $run->{rounds}                       ? OF_QUICK : OF_OFFICIAL;
    my @sentences = grep({ is_measured($_) } @{ $run->{tests} }) ? @legend  : ();
    push @sentences, quick_sentence($procedure, $run), undisturbed_sentence($run), repeated_sentence($run);
    return (
        heading(3, counted($run->{copies}, 'parallel copy', 'parallel copies')),
        paragraph(map { _index($run, $_) } @{ $run->{indexes} }),
        _table($run), @sentences ? paragraph("@sentences") : (),
    );
}

# The classic index and the one that the interval is of are two numbers; those of a quick run are one.
sub _index {
    my ($run,      $index)       = @_;
    my ($estimate, $undisturbed) = @{ UnixBench::Score::Spread::of_index($index, $run) }{qw(estimate undisturbed)};
    my $mean  = $index->{mean_of_others};
    my $title = $mean ? "$index->{title} index" : index_title($index);
    my @parts = $mean ? '; ' . UnixBench::Score::Score::mean_title($index) . q{ } . fixed($mean->{value}) : ();
    push @parts,
        defined $run->{rounds}
        ? (', an estimate after ' . counted($run->{rounds}, 'round', 'rounds'), _interval($estimate))
        : (', the classic one; untrimmed ' . fixed($estimate->{value}), _interval($estimate));
    push @parts, '; undisturbed ' . fixed($undisturbed->{value}), _interval($undisturbed) if $undisturbed;
    return inline(bold("$title: " . index_text($index)), join q{}, @parts);
}

sub _interval {
    my ($estimate) = @_;
    my $interval = interval($estimate);
    return ', and nothing tells how sure that is' if !length $interval;
    return ", 95 % interval $interval (+- " . half_width($estimate) . ')';
}

# The last column is left out where it has nothing to say.
sub _table {
    my ($run)    = @_;
    my $spreads  = UnixBench::Score::Spread::of_run($run);
    my %row_of   = map { $_->{name} => $_ } map { @{ $_->{rows} } } @{ $run->{indexes} };
    my @headings = ('Test', '*Result', 'Unit', '*Baseline', '*Index', _untrimmed($run, '*Untrimmed'), '*+-', '*Passes');
    my @rows;
    for my $test (tests_by_title($run->{tests})) {
        my $spread = $spreads->{ $test->{name} };
        my @cells  = $spread ? _measured($run, $test, $spread, $row_of{ $test->{name} }) : $test->{title};
        push @rows, [@cells[0 .. $#headings], $spread ? _noise($spread) : unmeasured($test)];
    }
    push @headings, 'Remarks' if grep { defined $_->[-1] } @rows;
    return table(\@headings, @rows);
}

sub _measured {
    my ($run, $test, $spread, $row) = @_;
    my ($baseline, $index) = map { defined $_ ? fixed($_) : undef } @{ $row || {} }{qw(baseline index)};
    my $estimate = $spread->{estimate};
    my @sure     = (_untrimmed($run, fixed($estimate->{value})), half_width($estimate), $spread->{passes});
    return ($test->{title}, fixed($test->{score}), $test->{unit}, $baseline, $index, @sure);
}

# A column that a quick run has no use for.
sub _untrimmed {
    my ($run, $cell) = @_;
    return defined $run->{rounds} ? () : $cell;
}

sub _noise {
    my ($spread) = @_;
    return UnixBench::Report::Profile::is_noisy($spread) ? 'variation ' . percent_of($spread->{cv}) : undef;
}

1;
