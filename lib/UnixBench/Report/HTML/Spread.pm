package UnixBench::Report::HTML::Spread;

# How sure the numbers of a run are, as parts of the page.

use strict;
use warnings;

use UnixBench::Base::Format      qw(fixed);
use UnixBench::Base::Result      qw(is_measured tests_by_title);
use UnixBench::Remarks::Wording  qw(modes_text);
use UnixBench::Report::Page      qw(quiet);
use UnixBench::Report::PageTable qw(number row table text);
use UnixBench::Report::SpreadWording
    qw(interval passes_sentence percent_of quick_sentence repeated_sentence undisturbed_sentence);
use UnixBench::Report::Wording qw(index_title index_value);
use UnixBench::Score::Spread   ();

# Takes the procedure and a run; returns what there is to say of its passes and rounds, nothing when nothing was
# measured.
sub sentences {
    my ($procedure, $run) = @_;
    return if !grep { is_measured($_) } @{ $run->{tests} };
    return quiet(
        quick_sentence($procedure, $run),
        passes_sentence($run), undisturbed_sentence($run),
        repeated_sentence($run)
    );
}

# Takes a run; returns the tables of how sure its indexes are and how far the passes of its tests lie apart; nothing
# when nothing was measured.
sub tables {
    my ($run) = @_;
    my @tests = grep { is_measured($_) } tests_by_title($run->{tests}) or return;
    return (_indexes($run), _tests($run, @tests));
}

sub _tests {
    my ($run, @tests) = @_;
    my $spreads   = UnixBench::Score::Spread::of_run($run);
    my $has_modes = grep { $_->{modes} } values %$spreads;
    my @headings  = (
        'Test',
        map { "*$_" } defined $run->{rounds} ? 'Score' : 'Untrimmed',
        '95 % interval',
        'Median', 'Mean', 'Standard deviation', 'Variation'
    );
    push @headings, '*Lowest to highest', $has_modes ? 'Modes' : ();
    my @rows = map { _test($_, $spreads->{ $_->{name} }, $has_modes) } @tests;
    return table('All passes, none left out', \@headings, \@rows);
}

sub _test {
    my ($test,     $spread, $has_modes) = @_;
    my ($estimate, $sd,     $cv)        = @$spread{qw(estimate sd cv)};
    my @numbers = (fixed($estimate->{value}), interval($estimate), map { fixed($_) } @$spread{qw(median mean)});
    push @numbers, defined $sd ? fixed($sd) : q{}, percent_of($cv), join ' to ',
        map { fixed($_) } @$spread{qw(min max)};
    my $modes = $spread->{modes} ? modes_text($spread->{modes}) : q{};
    return row($test->{title}, (map { number($_) } @numbers), $has_modes ? text($modes) : ());
}

# That of a quick run leaves out nothing anyway.
sub _indexes {
    my ($run)    = @_;
    my @indexes  = @{ $run->{indexes} } or return;
    my @known    = map { UnixBench::Score::Spread::of_index($_, $run) } @indexes;
    my @headings = ('Index', defined $run->{rounds} ? '*Value' : ('*Classic', '*Untrimmed'), '*95 % interval');
    push @headings, '*Undisturbed', '*95 % interval, undisturbed' if grep { $_->{undisturbed} } @known;
    my @rows = map { _index(scalar @headings, $run, $indexes[$_], $known[$_]) } 0 .. $#indexes;
    return table('Indexes, and how sure they are', \@headings, \@rows);
}

sub _index {
    my ($columns, $run, $index, $known) = @_;
    my @classic = defined $run->{rounds} ? () : fixed(index_value($index));
    my @others  = map { (fixed($_->{value}), interval($_)) } grep { defined } @$known{qw(estimate undisturbed)};
    my @numbers = (@classic, @others);
    return row(index_title($index), map { number($_ // q{}) } @numbers[0 .. $columns - 2]);
}

1;
