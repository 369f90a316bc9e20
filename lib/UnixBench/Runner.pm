package UnixBench::Runner;

# Measures what the plan says: for each number of copies each test, for each test its passes.

use strict;
use warnings;

use UnixBench::Format  qw(counted);
use UnixBench::NoSpace ();
use UnixBench::Plan    ();
use UnixBench::Score   ();

# Takes process => UnixBench::Process, clock => UnixBench::Clock, one_pass => coderef (a test of the plan and a
# number of copies in, results of the copies out), cpu_count, and functions to call as things happen:
# on => { run_started => (run), test_started => (test, run), pass_done => (pass, test, run),
# test_done => (test, run), run_done => (run) }; the last not for a run that was interrupted.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Runs the plan and returns its runs, each { copies, started, ended, cpu_count, tests }; after an
# interruption, those that were begun. What was measured before is not measured again: kept => [{ started,
# ended, passes => { name of test => [pass, ...] } }, ...] for the first of the runs.
sub run {
    my ($self, $plan, $kept) = @_;
    my ($number, @runs) = (0);
    for my $copies (@{ $plan->{copies} }) {
        last if $self->{process}->interrupted;
        push @runs, $self->_run($plan, $copies, $kept->[$number++] || { passes => {} });
    }
    return @runs;
}

# Takes the number of finished passes and a test; returns status and reason of that test.
sub interrupted_after {
    my ($finished, $test) = @_;
    return (interrupted => "interrupted after $finished of " . counted($test->{passes_wanted}, 'pass', 'passes'));
}

sub _run {
    my ($self, $plan, $copies, $kept) = @_;
    my $run = {
        copies    => $copies,
        started   => $kept->{started} // $self->{clock}->wall_s,
        cpu_count => $self->{cpu_count},
        tests     => [],
    };
    $self->_tell(run_started => $run);
    for my $planned (@{ $plan->{tests} }) {
        last if $self->{process}->interrupted;
        my $test = { (map { $_ => $planned->{$_} } qw(name title category command passes_wanted)), passes => [] };
        push @{ $run->{tests} }, $test;
        $self->_tell(test_started => $test, $run);
        $self->_test($plan, $planned, $test, $run, @{ $kept->{passes}{ $test->{name} } || [] });
        $self->_tell(test_done => $test, $run);
    }
    $run->{ended} = $kept->{ended} // $self->{clock}->wall_s;
    $self->_tell(run_done => $run) if !$self->{process}->interrupted;
    return $run;
}

sub _test {
    my ($self, $plan, $planned, $test, $run, @kept) = @_;
    my $why_not = UnixBench::Plan::skipped($planned, $run->{copies});
    return _without($test, skipped => $why_not) if defined $why_not;
    for my $number (1 .. $planned->{passes_wanted}) {
        my $pass = shift @kept || $self->_undisturbed_pass($plan, $planned, $number, $run->{copies})
            or return _without($test, interrupted_after($number - 1, $test));
        push @{ $test->{passes} }, $pass;
        $self->_tell(pass_done => $pass, $test, $run);
        return _without($test, failed => "$pass->{error} ($pass->{where})") if defined $pass->{error};
    }
    %$test = (%$test, status => 'measured', %{ UnixBench::Score::test($test->{passes}) });
    return;
}

# A pass during which this program was stopped and continued is made again. Returns nothing when interrupted.
sub _undisturbed_pass {
    my ($self, $plan, $planned, $number, $copies) = @_;
    my $process = $self->{process};
    my ($pass, $stops);
    do {
        $self->_settle($plan);
        $stops = $process->stops;
        $pass  = $process->interrupted ? undef : $self->_pass($planned, $number, $copies);
    } while ($process->stops > $stops && !$process->interrupted);
    return $process->interrupted ? undef : _judged($pass);
}

sub _settle {
    my ($self, $plan) = @_;
    for my $pause_s (@{ $plan->{settle_s} }) {
        $self->{process}->call('sync');
        $self->{process}->pause($pause_s);
    }
    return;
}

sub _pass {
    my ($self, $planned, $number, $copies) = @_;
    my $pass    = { number => $number, copies => [] };
    my $is_done = eval { $pass->{copies} = [$self->{one_pass}->($planned, $copies)]; 1 };
    die $@ if UnixBench::NoSpace::is_thrown($@);
    chomp($pass->{error} = $@) if !$is_done;
    return $pass;
}

# The pass with its count, or with what went wrong in the first copy that failed.
sub _judged {
    my ($pass)   = @_;
    my $copies   = $pass->{copies};
    my ($failed) = grep { defined $copies->[$_]{error} } 0 .. $#$copies;
    return { %$pass, error => $copies->[$failed]{error}, where => "pass $pass->{number}, copy " . ($failed + 1) }
        if defined $failed;
    return { %$pass, where => "pass $pass->{number}" } if defined $pass->{error};
    return _scored({ %$pass, %{ UnixBench::Score::pass($copies) } });
}

# Each number may be sound and their rate absurd.
sub _scored {
    my ($pass) = @_;
    my $rate = UnixBench::Score::rate($pass);
    return $pass if UnixBench::Score::is_sensible($rate);
    my $error = sprintf 'a count of %g in %g s is no measurement', @$pass{qw(count time_s)};
    return { (map { $_ => $pass->{$_} } qw(number copies)), error => $error, where => "pass $pass->{number}" };
}

sub _without {
    my ($test, $status, $reason) = @_;
    @$test{qw(status reason)} = ($status, $reason);
    return;
}

sub _tell {
    my ($self, $event, @what) = @_;
    $self->{on}{$event}->(@what) if $self->{on}{$event};
    return;
}

1;
