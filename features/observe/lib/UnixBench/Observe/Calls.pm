package UnixBench::Observe::Calls;

# The sums of the system calls that a tracer has seen, as a result has them.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

our @EXPORT_OK = qw(add calls_of rows total whole);

use constant {
    ROWS_MAX => 100,    # processes that have a row
    TOP      => 3,      # calls in the row of a process
};

# Takes the output of a tracer, and its name; returns the output. Dies with one line if its last line has no end.
sub whole {
    my ($text, $tracer) = @_;
    die "the output of $tracer is cut off: it was killed, or the disk is full\n" if $text =~ /[^\n]\z/;
    return $text;
}

# Adds calls of one name to a tally, { name => call }. Takes the tally, the name and the numbers below; a missing number
# is 0 or unknown.
#   count     number of calls
#   returned  number of those that returned
#   total_ns  the time of those
#   max_ns    the longest time of one
sub add {
    my ($tally, $name, %more) = @_;
    my $call = $tally->{$name} ||= { name => $name, count => 0, returned => 0, total_ns => 0, max_ns => undef };
    $call->{$_} += $more{$_} // 0 for qw(count returned total_ns);
    $call->{max_ns} = List::Util::max(grep { defined } $call->{max_ns}, $more{max_ns});
    return;
}

# Takes a tally; returns the calls as a result has them: by total time, then by count, then by name. Dies with one line
# that names the tracer if there are none.
sub calls_of {
    my ($tally, $tracer) = @_;
    my @calls =
        sort { $b->{total_ns} <=> $a->{total_ns} || $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} }
        values %$tally;
    die "$tracer printed nothing\n" if !@calls;
    return \@calls;
}

# Takes [processes], [the calls of all], and the number of all processes, of which a tracer may not know each. Returns
# { processes, rows } of a result, and unlisted if there are processes without a row: the number of processes, rows of
# the 100 with the most calls, and the sums of the others. A process has
#   at     seconds since 1970
#   pid    its number
#   tally  { name => call }
sub rows {
    my ($processes, $calls, $number) = @_;
    my @rows = sort { $b->{count} <=> $a->{count} || _by_time($a, $b) } map { _row($_) } @$processes;
    splice @rows, ROWS_MAX if @rows > ROWS_MAX;
    my $unlisted = { processes => $number - @rows, count => total('count', @$calls) - total('count', @rows) };
    return {
        processes => $number,
        rows      => [sort { _by_time($a, $b) } @rows],
        $unlisted->{processes} ? (unlisted => $unlisted) : (),
    };
}

sub _by_time {
    my ($one, $other) = @_;
    return $one->{at} <=> $other->{at} || $one->{pid} <=> $other->{pid};
}

sub _row {
    my ($process) = @_;
    my @calls = sort { $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} } values %{ $process->{tally} };
    return {
        (map { $_ => $process->{$_} } qw(at pid)),
        (map { $_ => total($_, @calls) } qw(count returned total_ns)),
        max_ns => List::Util::max(grep { defined } map { $_->{max_ns} } @calls),
        top    => [map { +{ name => $_->{name}, count => $_->{count} } } grep { defined } @calls[0 .. TOP - 1]],
    };
}

# Takes a key and hashes; returns the sum of their values.
sub total { my ($field, @of) = @_; return List::Util::sum(0, map { $_->{$field} } @of) }

1;
