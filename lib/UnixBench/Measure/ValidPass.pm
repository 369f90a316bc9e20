package UnixBench::Measure::ValidPass;

# Passes that are valid: a pass during which this program was stopped is made again, and an error becomes the reason of
# a failed pass. A pass that counts also waits until the machine has settled, notes what disturbed it, and may be
# repeated for that in a quick run. An observed pass, whose system calls are traced, never counts for a score.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Halt      ();
use UnixBench::Score::Score    ();

use constant { REPEATS_MOST => 2, DRAIN_LOOK_S => 0.02 };

# The tag that the work of a given X server for a graphics test looks like.
use constant OF_DISPLAYS => qw(others);

# Takes process => UnixBench::Process::Process and one_pass => function that takes a test of the plan, a number of
# copies and, for an observed pass, the functions around it, see UnixBench::Measure::PassSandbox, and returns the
# results of the copies. For passes that count also clock, noise and is_draining, see UnixBench::Measure::Runner,
# settle_s, the pauses before each pass, and forget, a function to call with the seconds that a pass took which is made
# again.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(process one_pass clock noise is_draining settle_s forget)), $class;
}

# Takes a test of the plan, the number of the pass, the number of copies and, in a quick run, a function that returns
# whether there is time to repeat it. Returns the pass, with error and the place of the failure if it failed, or nothing
# if it was interrupted. Dies if the run can't continue, see UnixBench::Base::Halt.
sub make {
    my ($self, $planned, $number, $copies, $may_repeat) = @_;
    my @set_aside;
    while (my $pass = $self->_unstopped($planned, $number, $copies)) {
        return @set_aside ? { %$pass, set_aside => \@set_aside } : $pass
            if @set_aside == REPEATS_MOST || !$may_repeat || !$self->_is_disturbed($pass) || !$may_repeat->();
        push @set_aside, { map { $_ => $pass->{$_} } qw(count time_s tags) };
    }
    return;
}

# Takes a tracer, see UnixBench::Trace::Tracer, a test of the plan as it is observed, a number of copies, and the
# options for the tracer. Returns { copies => [result, ...], traced => what the tracer returned }, or { error => the
# reason }, or undef if it was interrupted. Dies if the disk is full, see UnixBench::Base::Halt.
sub observe {
    my ($self, $tracer, $test, $copies, %options) = @_;
    my $process = $self->{process};
    return if $process->interrupted;
    my $pass;
    my $is_done = eval {
        ($pass) = $process->unstopped(sub { $self->_traced($tracer, $test, $copies, %options) });
        1;
    };
    return $is_done ? $pass : { error => _reason($@) };
}

sub _traced {
    my ($self, $tracer, $test, $copies, %options) = @_;
    my %pass;
    my $around = {
        is_followed => 1,
        before      => sub { $tracer->attach(%options) },
        words       => sub { $tracer->wrapped(@_) },
        after       => sub {
            eval { $pass{traced} = $tracer->detach; 1 } or $pass{why_not} = $@;
        },
    };
    my $is_done = eval { $pass{copies} = [$self->{one_pass}->($test, $copies, $around)]; 1 };
    my $why_not = $@;
    $tracer->give_up;
    return { error => _reason($why_not) } if !$is_done;
    my ($failed) = grep { defined } map    { $_->{error} } @{ $pass{copies} };
    my @wrong    = map  { s/\n\z//r } grep { defined } $failed, $pass{why_not};
    return @wrong ? { error => join '; ', @wrong } : \%pass;
}

sub _is_disturbed {
    my ($self, $pass) = @_;
    return !defined $pass->{error} && $self->{noise} && $self->{noise}->is_worth_repeating($pass->{tags});
}

# Makes a pass again if this program was stopped meanwhile; if that happens each time, the pass has failed. Returns
# nothing if it was interrupted.
sub _unstopped {
    my ($self, $planned, $number, $copies) = @_;
    my $process = $self->{process};
    my $once    = sub {
        $self->_settle($planned);
        return $process->interrupted ? undef : $self->_watched($planned, $number, $copies);
    };
    my $pass;
    my $is_done = eval { ($pass) = $process->unstopped($once, $self->{forget}); 1 };
    $pass = { number => $number, copies => [], error => _reason($@) } if !$is_done;
    return $pass && _judged($pass);
}

sub _settle {
    my ($self, $planned) = @_;
    for my $pause_s (@{ $self->{settle_s} }) {
        $self->{process}->call('sync');
        $self->{noise}->rest_begins if $self->{noise};
        $self->{process}->pause($pause_s);
    }
    return $planned->{drain_s} ? $self->_drain($planned->{drain_s}) : ();
}

# Waits until pages that are being written are on the disk, for some seconds at most.
sub _drain {
    my ($self, $patience_s) = @_;
    my $until_s = $self->{clock}->monotonic_s + $patience_s;
    $self->{process}->pause(DRAIN_LOOK_S)
        while $self->{is_draining}->() && $self->{clock}->monotonic_s < $until_s && !$self->{process}->interrupted;
    return;
}

sub _watched {
    my ($self, $planned, $number, $copies) = @_;
    my $pass  = { number => $number, copies => [] };
    my $noise = $self->{noise};
    $noise->before if $noise;
    my $is_done = eval { $pass->{copies} = [$self->{one_pass}->($planned, $copies)]; 1 };
    $pass->{error} = _reason($@) if !$is_done;
    return $pass if !$noise;
    return { %$pass, %{ $noise->after($pass->{copies}, $planned->{is_graphics} ? OF_DISPLAYS : ()) } };
}

# Returns an error as the reason of a failed pass; dies of an error that ends the run.
sub _reason {
    my ($thrown) = @_;
    die $thrown if UnixBench::Base::Halt::is_thrown($thrown);
    return $thrown =~ s/\n\z//r;
}

# Returns the pass with its count, or with the error of the first copy that failed.
sub _judged {
    my ($pass)   = @_;
    my $copies   = $pass->{copies};
    my ($failed) = grep { defined $copies->[$_]{error} } 0 .. $#$copies;
    return { %$pass, error => $copies->[$failed]{error}, where => "pass $pass->{number}, copy " . ($failed + 1) }
        if defined $failed;
    return { %$pass, where => "pass $pass->{number}" } if defined $pass->{error};
    return _scored($pass, UnixBench::Score::Score::pass($copies));
}

# Valid numbers may still have an absurd rate.
sub _scored {
    my ($pass, $counted) = @_;
    return { %$pass, %$counted } if UnixBench::Score::Score::is_sensible(UnixBench::Score::Score::rate($counted));
    my $error = sprintf 'a count of %g in %g s is no measurement', @$counted{qw(count time_s)};
    return { %$pass, error => $error, where => "pass $pass->{number}" };
}

1;
