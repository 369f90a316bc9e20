package UnixBench::Command::CheckTracing;

# Holds the system calls that a tracer sees against those that a program is known to make, in their order.

use strict;
use warnings;

use UnixBench::Base::Clock          ();
use UnixBench::Base::Files          ();
use UnixBench::Base::Trust          ();
use UnixBench::Measure::ValidPass   ();
use UnixBench::Measure::PassSandbox ();
use UnixBench::Measure::Scratch     ();
use UnixBench::Process::Process     ();
use UnixBench::Trace::Sequence      ();
use UnixBench::Trace::Tracer        ();

use constant { TIMES => 1000, LIMIT_S => 60 };

# A loop of "syscall mix".
my @LOOP = qw(dup close getpid getuid umask);

# Takes survey => UnixBench::Command::RunContext.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Runs the program and returns { is_right, text }: whether all came as expected, and what was seen, in words. Dies with
# one line when it can't be run or followed; afterwards nothing of it is left.
sub made {
    my ($self)   = @_;
    my $settings = $self->{survey}{settings};
    my $clock    = UnixBench::Base::Clock->new;
    UnixBench::Base::Trust::check_scratch(@$settings{qw(tmpdir home)});
    UnixBench::Base::Files::make_directory($settings->{tmpdir});
    my $scratch = UnixBench::Measure::Scratch->new(parent => $settings->{tmpdir});
    my $process = $self->{process} = UnixBench::Process::Process->new(clock => $clock);
    my $found   = eval { $process->start_guardian($scratch->path); $self->_made($clock, $scratch) };
    my $why_not = $@;
    $scratch->remove;
    $process->release;
    die $why_not if !$found && !$self->interrupted;
    return $found;
}

# The name of the signal that interrupted it, or undef.
sub interrupted { my ($self) = @_; return $self->{process}->interrupted }

sub _made {
    my ($self, $clock, $scratch) = @_;
    my ($survey, $process) = @$self{qw(survey process)};
    my %edge   = (process => $process, clock => $clock);
    my $tracer = UnixBench::Trace::Tracer::find(%edge, dir => $scratch->directory('tracer'), $survey->of_tracers);
    die "system calls can't be observed: $tracer->{why_not}\n" if !$tracer->{tracer};
    my $sandbox = UnixBench::Measure::PassSandbox->new(%edge, scratch => $scratch, testdir => q{/});
    my $passes  = UnixBench::Measure::ValidPass->new(process => $process, one_pass => sub { $sandbox->one_pass(@_) });
    return _judged($tracer, $passes->observe($tracer->{tracer}, $self->_test, 1, program => 'sequence'));
}

sub _test {
    my ($self) = @_;
    my $bindir = $self->{survey}{settings}{bindir};
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
