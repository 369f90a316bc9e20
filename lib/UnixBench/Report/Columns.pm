package UnixBench::Report::Columns;

# How texts about several results are laid out.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format qw(clean defused);

our @EXPORT_OK = qw(aligned headed text_of);

# What scripts take for the beginning of a report, or for its score.
my @MARKS = ('Index Score', 'Benchmark Run', 'parallel cop');

# Takes blocks of lines, each a list; returns the text, made printable, with blank lines between blocks.
sub text_of {
    my (@blocks) = @_;
    return join "\n", map { _block(@$_) } grep { @$_ } @blocks;
}

sub _block {
    my (@lines) = @_;
    return join q{}, map { defused(clean($_), @MARKS) . "\n" } @lines;
}

# Takes a line and those that belong below it; returns them all, or nothing when there are none below.
sub headed {
    my ($head, @lines) = @_;
    return @lines ? ($head, map { "   $_" } @lines) : ();
}

# Takes rows, each a list of texts, some perhaps undef; returns them as lines of columns, the first of which begin, and
# the others end, at the same place.
sub aligned {
    my (@rows) = @_;
    my @widths;
    for my $row (@rows) {
        $widths[$_] = List::Util::max($widths[$_] // 0, length($row->[$_] // q{})) for 0 .. $#$row;
    }
    return map { _line($_, @widths) } @rows;
}

sub _line {
    my ($row,   @widths) = @_;
    my ($first, @others) = map { $_ // q{} } @$row;
    my $line = sprintf '%-*s', shift @widths, $first;
    $line .= sprintf '  %*s', $widths[$_], $others[$_] for 0 .. $#others;
    return $line =~ s/ +\z//r;
}

1;
