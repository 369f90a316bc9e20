package UnixBench::Progress::Costs;

# How many seconds a pass of each test takes, with the pauses before it: as planned, until there were some.

use strict;
use warnings;

use List::Util ();

use UnixBench::Plan::Plan   ();
use UnixBench::Score::Stats qw(median);

use constant REMEMBERED => 0.9;    # of what disturbed slices before, at each one

# Takes a plan, see UnixBench::Plan::Plan. To start a slice takes some milliseconds, to start a pass also flushes.
sub new {
    my ($class, $plan) = @_;
    my $before_s = $plan->{quick} ? 0 : List::Util::sum(UnixBench::Plan::Plan::START_S, @{ $plan->{settle_s} });
    my %planned  = map { $_->{name} => $before_s + $_->{pass_s} } @{ $plan->{tests} };
    return bless { planned_s => \%planned, took_s => {}, before_s => {}, all_s => 0, once_s => 0 }, $class;
}

# Another run begins, with its UnixBench::Measure::Stopwatch; what was measured in the last one counts until there is
# better.
sub run_started {
    my ($self, $watch) = @_;
    $self->{watch}    = $watch;
    $self->{before_s} = { map { $_ => $self->of($_) } keys %{ $self->{took_s} }, keys %{ $self->{before_s} } };
    $self->{took_s}   = {};
    return;
}

# A pass begins.
sub pass_started {
    my ($self) = @_;
    $self->{began_s} = $self->{watch}->elapsed_s;
    return;
}

# Takes a pass that is done, and its test.
sub pass_done {
    my ($self, $pass, $test) = @_;
    my $began_s = delete $self->{began_s} // return;    # measured before
    return if defined $pass->{error};
    my $took_s = $self->{watch}->elapsed_s - $began_s;
    my $once_s = $took_s / (1 + @{ $pass->{set_aside} || [] });
    push @{ $self->{took_s}{ $test->{name} } }, $once_s;
    $self->{all_s}  = $took_s + REMEMBERED * $self->{all_s};
    $self->{once_s} = $once_s + REMEMBERED * $self->{once_s};
    return;
}

# Takes the names of tests; returns the seconds that a pass of each takes together, when none is made again. Of a median
# a pass that something stopped amid a pause counts little.
sub of {
    my ($self, @names) = @_;
    return List::Util::sum(0, map { $self->_of($_) } @names);
}

sub _of {
    my ($self, $name) = @_;
    my $took_s = $self->{took_s}{$name};
    return $took_s ? median(@$took_s) : $self->{before_s}{$name} // $self->{planned_s}{$name};
}

# By what the time of slices has to be multiplied when as many are made again as in the last time.
sub repeats {
    my ($self) = @_;
    return $self->{once_s} > 0 ? $self->{all_s} / $self->{once_s} : 1;
}

1;
