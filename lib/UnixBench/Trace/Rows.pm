package UnixBench::Trace::Rows;

# One row for each process whose calls were watched.

use strict;
use warnings;

use List::Util ();

use constant { ROWS_MAX => 100, TOP => 3 };

# Takes processes, { at, pid, tally, max_ns }: seconds since 1970, the number, an UnixBench::Trace::Tally, the
# longest delay or undef; and { processes, count }, how many there were, and how many calls. Returns { rows, unlisted }
# as a result has them: the rows of those with most calls; unlisted, of the others, is there if there are any.
sub listed {
    my ($processes, $all) = @_;
    my @rows = map { _row($_) } @$processes;
    @rows = sort { $b->{count} <=> $a->{count} || _by_time($a, $b) } @rows;
    splice @rows, ROWS_MAX if @rows > ROWS_MAX;
    @rows = sort { _by_time($a, $b) } @rows;
    my $count    = List::Util::sum(0, map { $_->{count} } @rows);
    my %unlisted = map { $_->[0] => List::Util::max(0, $_->[1]) } [processes => $all->{processes} - @rows],
        [count => $all->{count} - $count];
    return { rows => \@rows, $unlisted{processes} || $unlisted{count} ? (unlisted => \%unlisted) : () };
}

sub _by_time {
    my ($one, $other) = @_;
    return $one->{at} <=> $other->{at} || $one->{pid} <=> $other->{pid};
}

sub _row {
    my ($process) = @_;
    my $tally = $process->{tally};
    return {
        (map { $_ => $process->{$_} } qw(at pid)), %{ $tally->sum },
        max_ns => $process->{max_ns},
        top    => [$tally->top(TOP)],
    };
}

1;
