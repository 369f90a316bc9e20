package UnixBench::Measure::ValidPass;

# Makes a valid pass: waits until the machine has settled, makes the pass, records its disturbances and the clock of the
# CPUs, and makes it again while there is a reason to. An error becomes the reason of a failed pass.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Halt      ();
use UnixBench::Score           ();
use UnixBench::Score::Stats    qw(geometric_mean);

use constant { DRAIN_LOOK_S => 0.02, TRIES_MOST => 10 };

# The reasons to make a pass again, and how often at most for each.
my %REPEATS_MOST = (
    stopped   => TRIES_MOST - 1,    # this program was stopped, frozen or suspended
    late      => 2,                 # it ended far too late
    disturbed => 2,                 # something disturbed it, and a quick run has time
);

# Load that is there after as many passes in a row and all their repetitions stays: more passes tell more than repeated
# ones. A pass that nothing disturbs ends that.
use constant IN_VAIN => 3;

# Takes
#   process   UnixBench::Process
#   clock     UnixBench::Base::Clock
#   one_pass  function that makes a pass, see one_pass() in UnixBench::Measure::PassSandbox
#   noise, is_draining  see UnixBench::Measure::Runner
#   settle_s            [seconds of each pause before a pass]
#   clock_program       path of the program that measures the clock of the CPUs (optional)
#   cpu_count           number of usable CPUs
#   forget              function that is called with the seconds of a pass that has to be repeated because it is not
#                       valid (optional)
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(process clock one_pass noise is_draining settle_s clock_program cpu_count forget));
    return bless { forget => sub { }, in_vain => 0, %$given }, $class;
}

# Makes a pass for a score. Takes a test of the plan, the numbers of the pass and of copies and, in a quick run, a
# function that returns whether there is time for a repetition. Returns the pass, with error and where if it failed, or
# nothing after an interruption. After its last repetition a pass has failed if this program was stopped, and counts if
# it was late or disturbed: the machine is like that. Dies if the run can't continue, see UnixBench::Base::Halt.
sub make {
    my ($self, $planned, $number, $copies, $may_repeat) = @_;
    my $process = $self->{process};
    my (%made, @set_aside);
    my ($pass, $why);
    while (1) {
        my ($stops, $began_s) = ($process->stops, $self->{clock}->monotonic_s);
        $pass = $self->_once($planned, $number, $copies);
        return if $process->interrupted;
        $why = $process->stops > $stops ? 'stopped' : $self->_why_again($pass, $may_repeat);
        last if !defined $why || $made{$why}++ == $REPEATS_MOST{$why};
        last if $why eq 'disturbed' && ($self->{in_vain} >= IN_VAIN || !$may_repeat->());
        if ($why eq 'disturbed') {
            push @set_aside, { map { $_ => $pass->{$_} } qw(count time_s tags) };
        }
        else { $self->{forget}->($self->{clock}->monotonic_s - $began_s) }
    }
    $self->{in_vain} = ($why // q{}) eq 'disturbed' ? $self->{in_vain} + 1 : 0;
    return _last($pass, $why, @set_aside);
}

# Makes a pass that warms up. Takes its test and the number of copies. Returns the pass, with error and where if it
# failed, or nothing after an interruption. is_hopeless says whether a later pass would fail, too: its copies were
# ended by a signal, or ran out of time. Copies that could not start fail in the first pass, which keeps their statuses.
# Dies as make() does.
sub warm_up {
    my ($self, $planned, $copies) = @_;
    my $pass = $self->make($planned, undef, $copies) or return;
    return $pass if !defined $pass->{error};
    my ($failed) = grep { defined $_->{error} } @{ $pass->{copies} };
    my $is_hopeless = $failed && ($failed->{signal} || $failed->{elapsed_s} >= $planned->{limit_s});
    return { error => $pass->{error}, where => 'warm-up', is_hopeless => $is_hopeless ? 1 : 0 };
}

sub _why_again {
    my ($self, $pass, $may_repeat) = @_;
    return 'late' if $pass->{is_too_late};
    return if !$may_repeat || defined $pass->{error} || !$self->{noise};
    return $self->{noise}->is_worth_repeating($pass->{tags}) ? 'disturbed' : undef;
}

# Takes the last pass, the reason to make it again or undef, and the passes that were set aside. Returns it as it
# counts.
sub _last {
    my ($pass, $why, @set_aside) = @_;
    $why //= q{};
    my $error = 'it was stopped, frozen or suspended in each of ' . TRIES_MOST . ' tries';
    $pass = judged({ number => $pass->{number}, copies => [], error => $error }) if $why eq 'stopped';
    delete $pass->{is_too_late};
    return @set_aside ? { %$pass, set_aside => \@set_aside } : $pass;
}

# Makes a pass once. A pass without a number warms up: it follows the one before at once, and may be disturbed.
sub _once {
    my ($self, $planned, $number, $copies) = @_;
    my $noise = defined $number ? $self->{noise} : undef;
    my $pass  = { number => $number, copies => [] };
    $self->_settle($planned) if defined $number;
    return $pass if $self->{process}->interrupted;
    $noise->before if $noise;
    my $is_done = eval { $pass->{copies} = [$self->{one_pass}->($planned, $copies)]; 1 };
    $pass->{error} = reason($@) if !$is_done;
    my @works = map { delete $_->{work} } @{ $pass->{copies} };
    $pass = { %$pass, %{ $noise->after($pass->{copies}, $planned, \@works) } } if $noise;
    delete $_->{cpu_stats} for @{ $pass->{copies} };
    $pass->{used}{clock_mhz} = $self->clock_mhz($copies) if $pass->{used} && defined $self->{clock_program};
    return judged($pass);
}

# Takes the number of copies of a pass that has just ended. Returns the clock of the CPUs in MHz, the geometric mean of
# as many processes as there were copies, at most one for each CPU: steps of a chain, see src/clock.c. /proc/cpuinfo
# does not know it: virtual machines see the nominal clock there, and the actual one depends on the load. Returns undef
# if the program is missing, fails, or knows no chain for this processor. Then it is not run again.
sub clock_mhz {
    my ($self,    $copies)  = @_;
    my ($process, $program) = @$self{qw(process clock_program)};
    return if $self->{has_no_clock} || $process->interrupted || !-x $program;
    my $processes = List::Util::min($copies, $self->{cpu_count});
    my ($status, $said) = $process->errors_of($program, $processes);
    return if $process->interrupted;
    my @hz = $said =~ /^CLOCK[|]([1-9][0-9]{5,11})$/mg;
    return geometric_mean(@hz) / 1e6 if $status == 0 && @hz == $processes;
    $self->{has_no_clock} = 1;
    return;
}

# Waits until the machine has settled. For a test that writes, also waits until all pages that are being written are on
# the disk, but only some seconds.
sub _settle {
    my ($self,    $planned) = @_;
    my ($process, $clock)   = @$self{qw(process clock)};
    for my $pause_s (@{ $self->{settle_s} }) {
        $process->call('sync');
        $self->{noise}->rest_begins if $self->{noise};
        $process->pause($pause_s);
    }
    return if !$planned->{drain_s};
    my $until_s = $clock->monotonic_s + $planned->{drain_s};
    $process->pause(DRAIN_LOOK_S)
        while $self->{is_draining}->() && $clock->monotonic_s < $until_s && !$process->interrupted;
    return;
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
    my $where    = 'pass ' . ($pass->{number} // 'that warms up');
    return { %$pass, error => $copies->[$failed]{error}, where => "$where, copy " . ($failed + 1) } if defined $failed;
    return { %$pass, where => $where } if defined $pass->{error};
    my $counted = UnixBench::Score::pass($copies);
    return { %$pass, %$counted } if UnixBench::Score::is_sensible(UnixBench::Score::rate($counted));
    my $error = sprintf 'a count of %g in %g s is not a measurement', @$counted{qw(count time_s)};
    return { %$pass, error => $error, where => $where };
}

1;
