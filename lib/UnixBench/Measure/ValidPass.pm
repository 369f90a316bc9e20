package UnixBench::Measure::ValidPass;

# Makes valid passes. A pass during which this program was stopped, or which ended far too late, is repeated. An error
# becomes the reason of a failed pass. A pass waits until the machine has settled, and its disturbances are recorded; in
# a quick run, a disturbed pass may be repeated.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Halt      ();
use UnixBench::Score::Score    ();

use constant { REPEATS_MOST => 2, DRAIN_LOOK_S => 0.02 };

# Takes
#   process   UnixBench::Process::Process
#   one_pass  function that makes a pass, see one_pass() in UnixBench::Measure::PassSandbox
# For passes for a score, also takes
#   clock               UnixBench::Base::Clock
#   noise, is_draining  see UnixBench::Measure::Runner
#   settle_s            [seconds of each pause before a pass]
#   clock_mhz           function that takes the number of copies of a pass that has ended, and returns the clock of the
#                       CPUs, see UnixBench::Measure::CpuClock (optional)
#   forget              function that is called with the seconds of a pass that has to be repeated because it is not
#                       valid
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(process one_pass clock noise is_draining settle_s clock_mhz forget)), $class;
}

# Makes a pass for a score. Takes a test of the plan, the numbers of the pass and of copies and, in a quick run, a
# function that returns whether there is time for a repetition. Returns the pass, with error and where if it failed, or
# nothing after an interruption. Dies if the run can't continue, see UnixBench::Base::Halt.
sub make {
    my ($self, $planned, $number, $copies, $may_repeat) = @_;
    my @set_aside;
    while (my $pass = $self->_timely($planned, $number, $copies)) {
        return @set_aside ? { %$pass, set_aside => \@set_aside } : $pass
            if @set_aside == REPEATS_MOST || !$may_repeat || !$self->_is_disturbed($pass) || !$may_repeat->();
        push @set_aside, { map { $_ => $pass->{$_} } qw(count time_s tags) };
    }
    return;
}

# Makes a pass that warms up. Takes its test and the number of copies. Returns the pass, with error and where if it
# failed, or nothing after an interruption. is_hopeless says whether a later pass would fail, too: its copies were
# ended by a signal, or ran out of time. Copies that could not start fail in the first pass, which keeps their statuses.
# Dies as make() does.
sub warm_up {
    my ($self, $planned, $copies) = @_;
    my $pass    = {};
    my $is_done = eval {
        $pass->{copies} =
            [$self->{process}->unstopped(sub { $self->{one_pass}->($planned, $copies) }, $self->{forget})];
        1;
    };
    return { error => reason($@), where => 'warm-up', is_hopeless => 0 } if !$is_done;
    return if $self->{process}->interrupted;
    my ($failed) = grep { defined $_->{error} } @{ $pass->{copies} };
    return { %$pass, %{ UnixBench::Score::Score::pass($pass->{copies}) } } if !$failed;
    my $is_hopeless = $failed->{signal} || $failed->{elapsed_s} >= $planned->{limit_s};
    return { error => $failed->{error}, where => 'warm-up', is_hopeless => $is_hopeless ? 1 : 0 };
}

sub _is_disturbed {
    my ($self, $pass) = @_;
    return !defined $pass->{error} && $self->{noise} && $self->{noise}->is_worth_repeating($pass->{tags});
}

# Makes a pass. If it was so late that it is not valid, repeats it, at most twice. Then it counts: the machine is like
# that. Returns nothing after an interruption.
sub _timely {
    my ($self, @what) = @_;
    my $repeats = 0;
    while (my $pass = $self->_unstopped(@what)) {
        my $is_too_late = delete $pass->{is_too_late};
        return $pass if !$is_too_late || $repeats++ == REPEATS_MOST;
        $self->{forget}->($self->{clock}->monotonic_s - $self->{began_s}) if $self->{forget};
    }
    return;
}

# Makes a pass, and repeats it if this program was stopped during it. If this happens each time, the pass has failed.
# Returns nothing after an interruption.
sub _unstopped {
    my ($self, $planned, $number, $copies) = @_;
    my $process = $self->{process};
    my $once    = sub {
        $self->{began_s} = $self->{clock}->monotonic_s;
        $self->_settle($planned);
        return $process->interrupted ? undef : $self->_watched($planned, $number, $copies);
    };
    my $pass;
    my $is_done = eval { ($pass) = $process->unstopped($once, $self->{forget}); 1 };
    $pass = { number => $number, copies => [], error => reason($@) } if !$is_done;
    return $pass && judged($pass);
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

# Takes seconds. Waits that long at most until all pages that are being written are on the disk.
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
    $pass->{error} = reason($@) if !$is_done;
    my @works = map { delete $_->{work} } @{ $pass->{copies} };
    return $pass if !$noise;
    $pass = { %$pass, %{ $noise->after($pass->{copies}, $planned, \@works) } };
    $pass->{used}{clock_mhz} = $self->{clock_mhz}->($copies) if $pass->{used} && $self->{clock_mhz};
    return $pass;
}

# Returns an error as the reason of a failed pass. If the error ends the run, throws it again.
sub reason {
    my ($thrown) = @_;
    die $thrown if UnixBench::Base::Halt::is_thrown($thrown);
    return $thrown =~ s/\n\z//r;
}

# Takes a pass with its copies; returns it with its count, or with the error of the first copy that failed.
sub judged {
    my ($pass)   = @_;
    my $copies   = $pass->{copies};
    my ($failed) = grep { defined $copies->[$_]{error} } 0 .. $#$copies;
    return { %$pass, error => $copies->[$failed]{error}, where => "pass $pass->{number}, copy " . ($failed + 1) }
        if defined $failed;
    return { %$pass, where => "pass $pass->{number}" } if defined $pass->{error};
    return _scored($pass, UnixBench::Score::Score::pass($copies));
}

# Returns the pass with its count. If the rate is absurd, although the numbers are valid, the pass has failed.
sub _scored {
    my ($pass, $counted) = @_;
    return { %$pass, %$counted } if UnixBench::Score::Score::is_sensible(UnixBench::Score::Score::rate($counted));
    my $error = sprintf 'a count of %g in %g s is not a measurement', @$counted{qw(count time_s)};
    return { %$pass, error => $error, where => "pass $pass->{number}" };
}

1;
