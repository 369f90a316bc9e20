package UnixBench::Command::CheckTracing;

# Checks a tracer: compares the system calls that it sees with those that a program is known to make, in their order.

use strict;
use warnings;

use UnixBench::Base::Arguments      qw(named);
use UnixBench::Base::Clock          ();
use UnixBench::Base::Files          ();
use UnixBench::Base::Trust          ();
use UnixBench::Measure::PassSandbox ();
use UnixBench::Measure::Scratch     ();
use UnixBench::Measure::ValidPass   ();
use UnixBench::Process::Command     ();
use UnixBench::Process::Process     ();
use UnixBench::Trace::Sequence      ();
use UnixBench::Trace::Tracer        ();

use constant { TIMES => 1000, LIMIT_S => 60 };

# The system calls of one loop of "syscall mix".
my @LOOP = qw(dup close getpid getuid umask);

# Takes context => UnixBench::Command::RunContext and console => UnixBench::CLI::Console.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(context console)), $class;
}

# Runs the program and prints what the tracer saw. Returns "done" if all calls came as expected, else "failed". Dies
# with one line if the program can't be run or traced. In any case its processes and scratch files are removed. After an
# interruption, dies of the signal.
sub run {
    my ($self) = @_;
    my $found  = $self->_found;
    my $signal = $self->{process}->interrupted;
    UnixBench::Process::Command::die_of($signal) if defined $signal;
    my $is_printed = $self->{console}->answer($found->{text});
    return $is_printed && $found->{is_right} ? 'done' : 'failed';
}

# Returns { is_right, text }, or nothing after an interruption.
sub _found {
    my ($self)   = @_;
    my $settings = $self->{context}->settings;
    my $clock    = UnixBench::Base::Clock->new;
    UnixBench::Base::Trust::check_scratch(@$settings{qw(tmpdir home)});
    UnixBench::Base::Files::make_directory($settings->{tmpdir});
    my $scratch = UnixBench::Measure::Scratch->new(parent => $settings->{tmpdir});
    my $process = $self->{process} = UnixBench::Process::Process->new(clock => $clock);
    my $found   = eval { $process->start_guardian($scratch->path); $self->_followed($clock, $scratch) };
    my $why_not = $@;
    $scratch->remove;
    $process->release;
    die $why_not if !$found && !$process->interrupted;
    return $found;
}

sub _followed {
    my ($self, $clock, $scratch) = @_;
    my ($context, $process) = @$self{qw(context process)};
    my %edge   = (process => $process, clock => $clock);
    my $tracer = UnixBench::Trace::Tracer::find(%edge, dir => $scratch->directory('tracer'), $context->of_tracers);
    die "system calls can't be observed: $tracer->{why_not}\n" if !$tracer->{tracer};
    my $sandbox = UnixBench::Measure::PassSandbox->new(%edge, scratch => $scratch, testdir => q{/});
    my $passes  = UnixBench::Measure::ValidPass->new(process => $process, one_pass => sub { $sandbox->one_pass(@_) });
    return _judged($tracer, $passes->observe($tracer->{tracer}, $self->_test, 1, program => 'sequence'));
}

sub _test {
    my ($self) = @_;
    my $bindir = $self->{context}->settings->{bindir};
    return { command => ["$bindir/syscall", '-n', TIMES, 'mix'], limit_s => LIMIT_S };
}

sub _judged {
    my ($tracer, $pass) = @_;
    return if !$pass;
    die "$pass->{error}\n" if defined $pass->{error};
    my $verdict = UnixBench::Trace::Sequence::verdict($pass->{traced}, loop => \@LOOP, times => TIMES);
    my $by      = 'Observed by ' . $tracer->{tracer}->name;
    $by .= ": $tracer->{why_not}" if defined $tracer->{why_not};
    return { is_right => $verdict->{is_right}, text => "$by.\n" . UnixBench::Trace::Sequence::in_words($verdict) };
}

1;
