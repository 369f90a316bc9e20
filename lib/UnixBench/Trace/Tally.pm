package UnixBench::Trace::Tally;

# System calls by name: how often each was made and how long they took.

use strict;
use warnings;

use List::Util ();

# An empty tally.
sub new {
    my ($class) = @_;
    return bless {}, $class;
}

# Takes the name of a call and what is to be added to it: count, how often it was made; returned, how many of these came
# back; total_ns, in which time; max_ns, the longest; delays, { from_ns => count }. What is left out is 0 or not known.
sub add {
    my ($self, $name, %more) = @_;
    my $call = $self->{$name} ||= { name => $name, count => 0, returned => 0, total_ns => 0 };
    $call->{$_} += $more{$_} // 0 for qw(count returned total_ns);
    $call->{max_ns} = List::Util::max(grep { defined } $call->{max_ns}, $more{max_ns});
    my $delays = $more{delays} || {};
    $call->{delays}{$_} += $delays->{$_} for keys %$delays;
    return;
}

# Returns the calls as a result has them, see UnixBench::Trace::Syscalls, in their order. Of delays there are only those
# that occurred.
sub calls {
    my ($self) = @_;
    return in_order(map { _call($_) } values %$self);
}

# Takes calls, returns them in the order of a result: what took longest first, then by count, then by name.
sub in_order {
    my (@calls) = @_;
    my @sorted =
        sort { $b->{total_ns} <=> $a->{total_ns} || $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} } @calls;
    return @sorted;
}

# Returns { count, returned, total_ns, max_ns } of all calls; max_ns is undef where it is not known.
sub sum {
    my ($self) = @_;
    my @calls  = values %$self;
    my %sum    = map { $_ => 0 } qw(count returned total_ns);
    for my $field (keys %sum) {
        $sum{$field} += $_->{$field} for @calls;
    }
    return { %sum, max_ns => List::Util::max(grep { defined } map { $_->{max_ns} } @calls) };
}

# Takes a number, returns { name, count } of so many calls: those that were made most often, equals by name.
sub top {
    my ($self, $most) = @_;
    my @calls = sort { $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} } values %$self;
    splice @calls, $most if @calls > $most;
    return map { +{ name => $_->{name}, count => $_->{count} } } @calls;
}

sub _call {
    my ($call) = @_;
    my $delays = $call->{delays};
    my @from   = sort { $a <=> $b } grep { $delays->{$_} } keys %{ $delays || {} };
    return {
        (map { $_ => $call->{$_} } qw(name count returned total_ns max_ns)),
        delays => @from ? [map { +{ from_ns => $_ + 0, count => $delays->{$_} } } @from] : undef,
    };
}

1;
