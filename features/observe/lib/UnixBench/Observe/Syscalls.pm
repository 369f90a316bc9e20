package UnixBench::Observe::Syscalls;

# A tally of system calls: for each name their number and their times.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);

use constant {
    ROWS_MAX => 100,
    TOP      => 3,     # calls in the row of a process
};

# Makes an empty tally.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given), $class;
}

# Adds calls of one name. Takes the name and the numbers below; a missing number is 0 or unknown.
#   count     number of calls
#   returned  number of those that returned
#   total_ns  the time of those
#   max_ns    the longest time of one
sub add {
    my ($self, $name, %more) = @_;
    my $call = $self->{$name} ||= { name => $name, count => 0, returned => 0, total_ns => 0, max_ns => undef };
    $call->{$_} += $more{$_} // 0 for qw(count returned total_ns);
    $call->{max_ns} = List::Util::max(grep { defined } $call->{max_ns}, $more{max_ns});
    return;
}

# Returns the calls as a result has them: by total time, then by count, then by name.
sub calls {
    my ($self) = @_;
    my @calls =
        sort { $b->{total_ns} <=> $a->{total_ns} || $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} }
        values %$self;
    return @calls;
}

# Takes [processes]. Returns { processes, rows } of a result, and unlisted if there are more than 100: the number of
# processes, rows of those with the most calls, and the sums of the others. A process has
#   at     seconds since 1970
#   pid    its number
#   tally  UnixBench::Observe::Syscalls
sub rows {
    my ($processes) = @_;
    my @rows        = sort { $b->{count} <=> $a->{count} || _by_time($a, $b) } map { _row($_) } @$processes;
    my @others      = @rows > ROWS_MAX ? splice @rows, ROWS_MAX : ();
    my %sums        = (processes => scalar @others, count => List::Util::sum(0, map { $_->{count} } @others));
    return {
        processes => scalar @$processes,
        rows      => [sort { _by_time($a, $b) } @rows],
        @others ? (unlisted => \%sums) : (),
    };
}

sub _by_time {
    my ($one, $other) = @_;
    return $one->{at} <=> $other->{at} || $one->{pid} <=> $other->{pid};
}

sub _row {
    my ($process) = @_;
    my @calls     = sort { $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} } values %{ $process->{tally} };
    my %row       = map  { $_ => $process->{$_} } qw(at pid);
    for my $field (qw(count returned total_ns)) {
        $row{$field} = List::Util::sum(map { $_->{$field} } @calls);
    }
    $row{max_ns} = List::Util::max(grep { defined } map { $_->{max_ns} } @calls);
    $row{top}    = [map { +{ name => $_->{name}, count => $_->{count} } } grep { defined } @calls[0 .. TOP - 1]];
    return \%row;
}

1;
