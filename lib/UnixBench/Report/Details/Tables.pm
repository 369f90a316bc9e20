package UnixBench::Report::Details::Tables;

# The tables of the details of a run, as lines.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format           qw(counted fixed);
use UnixBench::Base::Result           qw(is_measured tests_by_title unmeasured);
use UnixBench::Remarks::Disturbances  ();
use UnixBench::Remarks::Wording       qw(amount cause_title modes_text);
use UnixBench::Report::Columns        qw(aligned);
use UnixBench::Report::Details::Lines qw(folded plain);
use UnixBench::Report::SpreadWording  qw(ends half_width interval percent_of);
use UnixBench::Report::Wording        qw(index_title index_value);
use UnixBench::Score::Spread          ();

our @EXPORT_OK = qw(index_lines tag_lines test_lines);

# Takes a run; returns a line for each test: score, interval, variation, passes and how far they go; a second one for
# two modes, or for the reason why there is no score.
sub test_lines {
    my ($run)   = @_;
    my $spreads = UnixBench::Score::Spread::of_run($run);
    my @tests   = tests_by_title($run->{tests});
    my @heads   = (counted($run->{copies}, 'copy', 'copies'), qw(score +- cv passes lowest highest));
    my ($head, @lines) = aligned(\@heads, map { _test_row($_, $spreads->{ $_->{name} }) } @tests);
    return ($head, map { ($lines[$_], _below($tests[$_], $spreads->{ $tests[$_]{name} })) } 0 .. $#tests);
}

sub _test_row {
    my ($test, $spread) = @_;
    my $title = plain($test->{title});
    return [$title] if !$spread;
    my $estimate = $spread->{estimate};
    my @known    = (fixed($estimate->{value}), half_width($estimate), percent_of($spread->{cv}));
    return [$title, @known, $spread->{passes}, ends($spread)];
}

sub _below {
    my ($test, $spread) = @_;
    return folded(unmeasured($test), 3) if !is_measured($test);
    return $spread->{modes} ? folded(modes_text($spread->{modes}), 3) : ();
}

# Takes a run; returns a line for each index: the classic one, the one of all passes with its interval and, when there
# is one, that without what was disturbed. That of a quick run leaves out nothing anyway.
sub index_lines {
    my ($run)   = @_;
    my @indexes = @{ $run->{indexes} } or return;
    my @known   = map { UnixBench::Score::Spread::of_index($_, $run) } @indexes;
    my @heads   = (q{}, defined $run->{rounds} ? _heading(@indexes) : qw(classic untrimmed), '+-', '95 % interval');
    push @heads, qw(undisturbed +-) if grep { $_->{undisturbed} } @known;
    return aligned(\@heads, map { _index_row($run, $indexes[$_], $known[$_]) } 0 .. $#indexes);
}

# A mean of what is left is no index.
sub _heading {
    my (@indexes) = @_;
    return (grep { $_->{lacking} } @indexes) ? 'value' : 'index';
}

sub _index_row {
    my ($run, $index, $known) = @_;
    my ($estimate, $undisturbed) = @$known{qw(estimate undisturbed)};
    my @row = plain(index_title($index));
    push @row, fixed(index_value($index)) if !defined $run->{rounds};
    push @row, fixed($estimate->{value}),    half_width($estimate), interval($estimate);
    push @row, fixed($undisturbed->{value}), half_width($undisturbed) if $undisturbed;
    return \@row;
}

# Takes a run; returns a line for each cause that disturbed a test: in how many of its passes, and how badly. Which CPUs
# it may use holds for all of a run, and is remarked.
sub tag_lines {
    my ($run) = @_;
    my @found = grep { $_->{cause} ne 'affinity' }
        map { UnixBench::Remarks::Disturbances::of_test($_) } tests_by_title($run->{tests});
    my $width = List::Util::max(map { length cause_title($_->{cause}) } @found) // return;
    my @rows  = map { _tag_row($_, $width) } @found;
    return aligned(['Disturbed', sprintf('%-*s', $width, 'by'), qw(passes worst), q{}], @rows);
}

# A cause is padded, as it is a text among numbers.
sub _tag_row {
    my ($found, $width) = @_;
    my ($cause, $passes, $badly) = @$found{qw(cause passes badly)};
    my $slightly = $passes - $badly;
    my $level    = !$slightly ? q{} : $badly ? "$slightly a little" : 'a little';
    my @cells    = (sprintf('%-*s', $width, cause_title($cause)), "$passes of $found->{of}");
    push @cells, amount($cause, $found->{worst}), $level;
    return [plain($found->{title}), @cells];
}

1;
