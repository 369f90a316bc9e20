package UnixBench::Report::Numbers;

# The numbers that sum up a run, with the digits that are known and their precision: those of its indexes or, without
# any, of its tests. The block, titles and pages show them.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Catalog       ();
use UnixBench::Report::Block qw(cell);
use UnixBench::Score::Repeat ();
use UnixBench::Score::Score  ();

our @EXPORT_OK = qw(brief_name numbers_of texts_of_number with_precision within);

use constant WHOLE => 0.01;    # half-widths of an assumption have no decimals from here on

# Takes a view and a run; returns the numbers that sum it up: those of its indexes or, without any, of its measured
# tests. Each is { index or test, number (with the digits that are known), sure (its precision, or undef), is_floor }.
# If an index lacks tests, the number is the mean of the others. If other load disturbed it, it is a floor. If the trust
# is poor for other reasons, numbers are ranges with two digits.
sub numbers_of {
    my ($view, $run) = @_;
    my @indexes = @{ $run->{indexes} };
    return map { _number($view, $run, index => $_) } @indexes if @indexes;
    return map { _number($view, $run, test  => $_) } $view->measured($run);
}

sub _number {
    my ($view, $run, $what, $of) = @_;
    my $is_index = $what eq 'index';
    my $known    = $is_index ? $view->of_index($run, $of) : $view->spread($run, $of);
    my $floor    = $view->floor_of($run, $of);
    my ($number, $sure) = texts_of_number($known->{estimate}, $view->is_poor, $floor, $view->repeat_of($run, $of));
    return { $what => $of, number => $number, sure => $sure, is_floor => $floor ? 1 : 0 };
}

# Takes an estimate, whether the trust in it is poor, bounds if it is only a floor, see UnixBench::Score::OtherLoad, and
# its repeat, see UnixBench::Score::Repeat, if that is known. Returns the number, and how far the next run may be.
# Without a repeat, that is its interval in this run.
sub texts_of_number {
    my ($estimate, $is_poor, $bounds, $repeat) = @_;
    return (['at least ', cell(least => $bounds->{at_least})], '(disturbed)') if $bounds;
    return (cell(vague => $estimate),                                                undef) if $is_poor;
    return (cell(known => UnixBench::Score::Repeat::of_machine($estimate, $repeat)), within($repeat)) if $repeat;
    return (cell(known => $estimate), defined $estimate->{low} ? cell(plus_minus => $estimate) : undef);
}

# Takes a repeat; returns how far the next run may be. What is assumed has no decimals.
sub within {
    my ($repeat) = @_;
    return cell(precision => $repeat->{next}) if $repeat->{known} || $repeat->{next} < WHOLE;
    return [cell('sign'), cell(whole_percent => $repeat->{next})];
}

# Takes a number of a run, and perhaps its unit; returns both with the precision, a text.
sub with_precision {
    my ($of, @unit) = @_;
    return [$of->{number}, @unit, defined $of->{sure} ? (q{ }, $of->{sure}) : ()];
}

# Takes an index; returns its name in short, empty for the usual one, such as "2D".
sub brief_name {
    my ($index) = @_;
    my $category = UnixBench::Catalog::category($index->{category}) || {};
    return $category->{brief} // UnixBench::Score::Score::subject($index);
}

1;
