package UnixBench::Measure::World;

# The world in which a run makes its passes: processes and the guardian that ends them, the scratch directory, the
# programs as they were at the beginning, what disturbs passes, the display, and the states of the machine.

use strict;
use warnings;

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Files           ();
use UnixBench::Base::OtherUsers      ();
use UnixBench::Measure::PassSandbox  ();
use UnixBench::Measure::Scratch      ();
use UnixBench::Noise::Watch          ();
use UnixBench::Process               ();
use UnixBench::Store::SystemIdentity ();

# Takes clock, settings, plan, result, cpu_count and x_server (see UnixBench::Measure::Session), waiting (see
# UnixBench::Process), look (a function that returns the result with the facts of the moment), and is_resumed. Makes the
# directories of the run. Dies with one line if that fails.
sub new {
    my ($class, @given) = @_;
    my $given    = named(\@given, qw(clock settings plan result cpu_count x_server waiting look is_resumed));
    my $self     = bless $given, $class;
    my $settings = $self->{settings};
    UnixBench::Base::OtherUsers::check_scratch(@$settings{qw(tmpdir home)});
    for my $key (qw(resultdir tmpdir), -e $settings->{testdir} ? () : 'testdir') {
        next if eval { UnixBench::Base::Files::make_directory($settings->{$key}); 1 };
        die $self->{is_resumed} ? $@ : $@ =~ s/\n\z/; set UB_\U$key\E to another directory\n/r;
    }
    chdir q{/};    # if this user may not enter the current directory, directories can't be removed
    $self->{process} = UnixBench::Process->new(map { $_ => $self->{$_} } qw(clock waiting));
    return $self;
}

# Starts the guardian, gets into each state once, and makes everything ready for passes. Takes a function that notes the
# facts in the states, see UnixBench::Measure::Recorder::note_states. Dies with one line if that fails; leave() then
# removes what there is.
sub enter {
    my ($self, $note_states) = @_;
    my $plan = $self->{plan};
    $self->{scratch} = UnixBench::Measure::Scratch->new(parent => $self->{settings}{tmpdir});
    my ($last) = map { $_->{off} || () } @{ $plan->{states} };
    $self->{process}->start_guardian($self->{scratch}->path, $last);
    $note_states->($self->_try_states) if $plan->{experiment};
    $self->{sandbox} = $self->_sandbox;
    $self->{noise}   = UnixBench::Noise::Watch->new(
        usable_cpus => $self->{cpu_count},
        firmware    => $self->_firmware,
        (map { $_ => $self->{$_} } qw(clock x_server)),
        map { $_ => $plan->{quick} ? 1 : 0 } qw(is_overlap_judged has_rounds)
    );
    $_->prepare(map { $_ => $self->{$_} } qw(process clock scratch result)) for @{ $plan->{extras} };
    return;
}

# Gets into each state of an experiment once. Returns [facts in the states], and perhaps in_a_row => how many passes are
# in a row: in a resumed run, as many as before.
sub _try_states {
    my ($self) = @_;
    my $plan   = $self->{plan};
    my $keeper = $self->{keeper} = $plan->{experiment}->keeper(
        states => $plan->{states},
        output => $self->{scratch}->path . '/switch',
        map { $_ => $self->{$_} } qw(process clock look)
    );
    $self->{why_not} = $keeper->begin;
    die $self->{why_not} if defined $self->{why_not} && $self->{is_resumed};
    my $turns = $self->{result}{procedure}{turns};
    $plan->{in_a_row} = $self->{is_resumed} ? $turns->{in_a_row} : $keeper->in_a_row($plan);
    return ([$keeper->facts], $plan->{in_a_row} ? (in_a_row => $plan->{in_a_row}) : ());
}

# Each pass gets the programs as they were at the beginning, also after a resume.
sub _sandbox {
    my ($self) = @_;
    my %of     = map { $_ => $self->{$_} } qw(plan settings);
    my $known  = $self->{result}{facts}{programs} || UnixBench::Store::SystemIdentity::digests(@of{qw(plan settings)});
    return UnixBench::Measure::PassSandbox->new(
        is_timed  => $of{plan}{quick} ? 1 : 0,
        originals => UnixBench::Store::SystemIdentity->new(%of, digests => $known),
        (map { $_ => $self->{$_} } qw(process clock scratch)),
        (map { $_ => $of{settings}{$_} } qw(testdir home)),
        map { $_ => $of{plan}{$_} } qw(display states)
    );
}

# Returns the function that asks the firmware of a Raspberry Pi whether it slows the CPUs down, or undef on other
# machines.
sub _firmware {
    my ($self)    = @_;
    my ($program) = grep { -x && !-d _ } map { "$_/vcgencmd" } grep { m{\A/} } split /:/, $ENV{PATH} // q{};
    my @command   = ('/bin/sh', '-c', 'exec timeout 1 "$0" get_throttled >&2', $program);
    return defined $program ? sub { ($self->{process}->errors_of(@command))[1] } : undef;
}

# Tries the states of an experiment before anything is measured, see UnixBench::Plan::Wish. Returns why the run can't
# begin, a line, or nothing. A resumed run is not tried again.
sub refusal {
    my ($self) = @_;
    my $experiment = $self->{plan}{experiment};
    return if !$experiment || $self->{is_resumed};
    my %with = map { $_ => $self->{$_} } qw(clock process sandbox keeper);
    return $self->{why_not} // $experiment->refusal($self->{plan}, %with);
}

# Takes the renderer of graphics tests before a resume, or undef. Adds the present one to the result, and returns it, or
# nothing without one; see UnixBench::Measure::Display.
sub renderer {
    my ($self, $before) = @_;
    require UnixBench::Measure::Display;
    my $now    = UnixBench::Measure::Display::renderer(map { $_ => $self->{$_} } qw(process clock settings sandbox));
    my $result = $self->{result};
    my ($name, %facts) = UnixBench::Measure::Display::facts($now // $before // return, $self->{plan}{display});
    $result->{host}  = { %{ $result->{host} }, graphics => $name };
    $result->{facts} = { %{ $result->{facts} || {} }, graphics => \%facts };
    return $now;
}

# Returns what makes passes: process, clock, cpu_count, keeper (of the states, or undef), noise
# (UnixBench::Noise::Watch), and one_pass, a function that makes a pass in the state of its test.
sub means {
    my ($self) = @_;
    my $one_pass = sub {
        $self->{keeper}->enter($_[0]{state} // 0) if $self->{keeper};
        return $self->{sandbox}->one_pass(@_);
    };
    return (one_pass => $one_pass, map { $_ => $self->{$_} } qw(process clock cpu_count keeper noise));
}

# Returns the PIDs of other Runs that measure on this machine; and the name of the signal that interrupted the run, or
# undef.
sub other_runs  { my ($self) = @_; return $self->{noise}->other_runs }
sub interrupted { my ($self) = @_; return $self->{process}->interrupted }

# Gets out of the last state. Dies if that fails.
sub end_states { my ($self) = @_; return $self->{keeper} && $self->{keeper}->end }

# Removes the scratch directory and ends what is left of the run. Returns nothing.
sub leave {
    my ($self) = @_;
    $self->{scratch}->remove if $self->{scratch};
    $self->{process}->release;
    return;
}

1;
