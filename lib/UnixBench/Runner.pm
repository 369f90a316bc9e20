package UnixBench::Runner;

# Measures what the plan says: for each number of copies each test, for each test its passes.

use strict;
use warnings;

use UnixBench::Format qw(counted);
use UnixBench::Plan   ();
use UnixBench::Score  ();

use constant { RATE_LEAST => 1e-30, RATE_MOST => 1e30 };    # beyond that no computer counts

# Takes process => UnixBench::Process, clock => UnixBench::Clock, one_pass => coderef (a test of the plan and a
# number of copies in, results of the copies out), cpu_count, and functions to call as things happen:
# on => { run_started => (run), test_started => (test, run), pass_done => (pass, test, run),
# test_done => (test, run) }.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Runs the plan and returns its runs, each { copies, started, ended, cpu_count, tests }; after an
# interruption, those that were begun.
sub run {
    my ($self, $plan) = @_;
    my @runs;
    for my $copies (@{ $plan->{copies} }) {
        last if $self->{process}->interrupted;
        push @runs, $self->_run($plan, $copies);
    }
    return @runs;
}

sub _run {
    my ($self, $plan, $copies) = @_;
    my $run = {
        copies    => $copies,
        started   => $self->{clock}->wall_s,
        cpu_count => $self->{cpu_count},
        tests     => [],
    };
    $self->_tell(run_started => $run);
    for my $planned (@{ $plan->{tests} }) {
        last if $self->{process}->interrupted;
        my $test = { (map { $_ => $planned->{$_} } qw(name title category command passes_wanted)), passes => [] };
        push @{ $run->{tests} }, $test;
        $self->_tell(test_started => $test, $run);
        $self->_test($plan, $planned, $test, $run);
        $self->_tell(test_done => $test, $run);
    }
    $run->{ended} = $self->{clock}->wall_s;
    return $run;
}

sub _test {
    my ($self, $plan, $planned, $test, $run) = @_;
    my $why_not = UnixBench::Plan::skipped($planned, $run->{copies});
    return _without($test, skipped => $why_not) if defined $why_not;
    for my $number (1 .. $planned->{passes_wanted}) {
        my $pass = $self->_pass($plan, $planned, $number, $run->{copies});
        return _interrupted($test, $number - 1) if $self->{process}->interrupted;
        push @{ $test->{passes} }, $pass;
        $self->_tell(pass_done => $pass, $test, $run);
        return _without($test, failed => "$pass->{error} ($pass->{where})") if defined $pass->{error};
    }
    %$test = (%$test, status => 'measured', %{ UnixBench::Score::test($test->{passes}) });
    return;
}

sub _pass {
    my ($self, $plan, $planned, $number, $copies) = @_;
    for my $pause_s (@{ $plan->{settle_s} }) {
        $self->{process}->call('sync');
        $self->{process}->pause($pause_s);
    }
    my $pass = { number => $number, copies => [] };
    return $pass if $self->{process}->interrupted;
    my $is_done = eval { $pass->{copies} = [$self->{one_pass}->($planned, $copies)]; 1 };
    chomp($pass->{error} = $@) if !$is_done;
    return $self->{process}->interrupted ? $pass : _judged($pass);
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
    return $pass if $rate > RATE_LEAST && $rate < RATE_MOST;
    my $error = sprintf 'a count of %g in %g s is no measurement', @$pass{qw(count time_s)};
    return { (map { $_ => $pass->{$_} } qw(number copies)), error => $error, where => "pass $pass->{number}" };
}

sub _interrupted {
    my ($test, $finished) = @_;
    my $wanted = counted($test->{passes_wanted}, 'pass', 'passes');
    return _without($test, interrupted => "interrupted after $finished of $wanted");
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
