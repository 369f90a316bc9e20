package UnixBench::Progress::Estimate;

# Estimates the time left of a measurement. An official run makes all its passes: each takes the median of the passes of
# its test so far, or else the planned time. A quick run takes at most its time limit. The methods for events have the
# names of the events of UnixBench::Measure::Runner.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Plan::Plan      ();
use UnixBench::Score::Stats    qw(median);

# Takes plan, see UnixBench::Plan::Plan.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(plan));
    return bless { %$given, copies => [@{ $given->{plan}{copies} }], left => {}, took_s => {} }, $class;
}

# Takes a run that begins, and the watch that knows its elapsed time.
sub run_started {
    my ($self, $run, $watch) = @_;
    return if $run->{state};
    @$self{qw(watch copies_now rounds)} = ($watch, shift @{ $self->{copies} }, 0);
    my @tests = UnixBench::Plan::Plan::measured($self->{plan}, $self->{copies_now});
    $self->{left} = { map { $_->{lane} => $_->{passes_wanted} } @tests };
    return;
}

sub pass_started {
    my ($self) = @_;
    $self->{began_s} = $self->{watch}->elapsed_s;
    return;
}

sub pass_done {
    my ($self, $pass, $test) = @_;
    $self->{left}{ $test->{lane} }--;
    my $began_s = delete $self->{began_s} // return;    # from before a resume
    push @{ $self->{took_s}{ $test->{lane} } }, $self->{watch}->elapsed_s - $began_s if !defined $pass->{error};
    return;
}

sub test_done {
    my ($self, $test) = @_;
    delete $self->{left}{ $test->{lane} };
    return;
}

sub round_done {
    my ($self, $run) = @_;
    $self->{rounds} = $run->{rounds};
    return;
}

# Returns the seconds until all runs and extra passes are done, of a quick run at most. Has to be called when no pass is
# under way.
sub left_s {
    my ($self) = @_;
    my $plan = $self->{plan};
    return List::Util::sum(UnixBench::Plan::Plan::extra_s($plan), map { $self->_later_s($_) } @{ $self->{copies} }) +
        ($plan->{quick} ? $self->_rest_of_quick_s() : $self->_passes_s($self->{left}));
}

# Returns the seconds of the rest of a quick run.
sub _rest_of_quick_s {
    my ($self) = @_;
    my ($plan, $watch) = @$self{qw(plan watch)};
    return 0 if !$watch || !%{ $self->{left} };
    return $plan->{pace}->left_s($self->{rounds}) if $plan->{pace};
    return List::Util::max(0, UnixBench::Plan::Plan::run_s($plan, $self->{copies_now}) - $watch->elapsed_s);
}

# Takes the number of copies of a run that has not begun; returns its seconds.
sub _later_s {
    my ($self, $copies) = @_;
    my $plan  = $self->{plan};
    my @tests = UnixBench::Plan::Plan::measured($plan, $copies) or return 0;
    return $self->_passes_s({ map { $_->{lane} => $_->{passes_wanted} } @tests }) if !$plan->{quick};
    return $plan->{pace} ? $plan->{pace}->left_s(0) : UnixBench::Plan::Plan::run_s($plan, $copies);
}

# Takes { lane => passes }; returns their seconds, with the pauses before them. The median is used because a single
# suspended pass hardly affects it.
sub _passes_s {
    my ($self, $passes) = @_;
    my $plan      = $self->{plan};
    my $pause_s   = List::Util::sum(UnixBench::Plan::Plan::START_S, @{ $plan->{settle_s} });
    my %planned_s = map { $_->{lane} => $_->{pass_s} + $pause_s } UnixBench::Plan::Plan::lanes($plan);
    my $pass_s = sub { my $took_s = $self->{took_s}{ $_[0] }; return $took_s ? median(@$took_s) : $planned_s{ $_[0] } };
    return List::Util::sum(0, map { $passes->{$_} * $pass_s->($_) } sort keys %$passes);
}

1;
