package UnixBench::Measure::ValidPass;

# A pass that counts: the machine has settled before it, what disturbed it is noted, and it is made again where this
# program was stopped meanwhile or, in a quick run, where the disturbance may be gone.

use strict;
use warnings;

use UnixBench::Base::Halt   ();
use UnixBench::Score::Score ();

use constant { REPEATS_MOST => 2, DRAIN_LOOK_S => 0.02 };

# What an X server that is not ours does for a graphics test looks like this.
use constant OF_DISPLAYS => qw(others);

# Takes what UnixBench::Measure::Runner is given of process, clock, one_pass, noise and is_draining, settle_s, the
# pauses before each pass, and forget, a function to call with the seconds that were spent on a pass for nothing.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Takes a test of the plan, the number of the pass, one of copies and, in a quick run, a function that tells whether
# there is time to repeat it. Returns the pass, with error and where it failed, or nothing when interrupted. Dies when
# the run can't go on, see UnixBench::Base::Halt.
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

sub _is_disturbed {
    my ($self, $pass) = @_;
    return !defined $pass->{error} && $self->{noise} && $self->{noise}->is_worth_repeating($pass->{tags});
}

# A pass during which something was stopped is made again; where that happens each time, the test has failed. Returns
# nothing when interrupted.
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

# Lets pages that are on their way to the disk get there, for so long at most.
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

# Why the test has failed, in words; dies once more of what is not the test's fault.
sub _reason {
    my ($thrown) = @_;
    die $thrown if UnixBench::Base::Halt::is_thrown($thrown);
    return $thrown =~ s/\n\z//r;
}

# The pass with its count, or with what went wrong in the first copy that failed.
sub _judged {
    my ($pass)   = @_;
    my $copies   = $pass->{copies};
    my ($failed) = grep { defined $copies->[$_]{error} } 0 .. $#$copies;
    return { %$pass, error => $copies->[$failed]{error}, where => "pass $pass->{number}, copy " . ($failed + 1) }
        if defined $failed;
    return { %$pass, where => "pass $pass->{number}" } if defined $pass->{error};
    return _scored($pass, UnixBench::Score::Score::pass($copies));
}

# Each number may be sound and their rate absurd.
sub _scored {
    my ($pass, $counted) = @_;
    return { %$pass, %$counted } if UnixBench::Score::Score::is_sensible(UnixBench::Score::Score::rate($counted));
    my $error = sprintf 'a count of %g in %g s is no measurement', @$counted{qw(count time_s)};
    return { %$pass, error => $error, where => "pass $pass->{number}" };
}

1;
