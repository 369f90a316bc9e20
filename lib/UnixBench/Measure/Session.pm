package UnixBench::Measure::Session;

# A run from its beginning to its end: reserves the names of the reports, enters the world in which passes are made,
# measures the plan, writes each pass when it is done and the reports at the end, and leaves the world in any case. That
# is: processes and the guardian that ends them, the scratch directory, the programs as they were at the beginning, what
# disturbs passes, the display, and the states of the machine.

use strict;
use warnings;

use File::Basename qw(dirname);

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Files           ();
use UnixBench::Base::Halt            ();
use UnixBench::Base::OtherUsers      ();
use UnixBench::Host::FactList        ();
use UnixBench::Measure::PassSandbox  ();
use UnixBench::Measure::Recorder     ();
use UnixBench::Measure::Runner       ();
use UnixBench::Measure::Scratch      ();
use UnixBench::Noise::Watch          ();
use UnixBench::Process               ();
use UnixBench::Score                 ();
use UnixBench::Store::EarlierRuns    ();
use UnixBench::Store::OutputLock     ();
use UnixBench::Store::SystemIdentity ();

# Takes
#   clock, settings    UnixBench::Base::Clock, and settings of UnixBench::CLI::Environment
#   plan, result       the plan, and the result without runs
#   baseline           the parsed baseline, or {}
#   cpu_count          number of usable CPUs
#   listeners          [hashes of functions for the runner and extra passes]; the function measured is called after all
#                      passes, or after an error. Extra passes (see UnixBench::Plan::Wish) have the events
#                        extra_started  test, run, its number from 0, the extra
#                        extra_done     the same; the test has what was measured
#   words, environment [words] of the command line that asks for the same run again, and { NAME => value } for them
#   is_decided         function that takes the result and a run and returns whether more passes would not change the
#                      verdict on this run
#   began_s            see UnixBench::Measure::Runner (optional)
#   x_server           see UnixBench::Noise::Watch (optional)
#   redaction          UnixBench::Store::Redaction (optional)
#   as_it_is           function that takes a result without runs, and returns it with the facts of this moment
#   published   a function that returns published results, see UnixBench::Compare::Published
# To resume a run, also takes base (of its files) and journal (the open one), so_far (its contents), and present (the
# result with the facts of this moment), and needs no words.
sub new {
    my ($class, @given) = @_;
    my $given = named(
        \@given,
        qw(clock settings plan result baseline cpu_count listeners words environment is_decided began_s),
        qw(x_server redaction published base journal so_far present as_it_is)
    );
    my %so_far = (runs => [], resumed => [], changes => [], seal => q{});
    my $self   = bless { so_far => \%so_far, %$given, problems => [] }, $class;
    $self->{recorder} = UnixBench::Measure::Recorder->new(
        (map { $_ => $self->{plan}{$_} } qw(states experiment)),
        map { $_ => $self->{$_} } qw(result published redaction)
    );
    return $self;
}

# Begins the run: enters its world, reserves the names of the report files, and writes the first line of the journal.
# Returns the base of the reports, a path. Dies if that fails, and removes what it has made.
sub begin {
    my ($self) = @_;
    $self->_make_directories;
    chdir q{/};    # if this user may not enter the current directory, directories can't be removed
    my $waiting = _all_of(@{ $self->{listeners} })->{waiting};
    $self->{process} = UnixBench::Process->new(clock => $self->{clock}, waiting => $waiting);
    return $self->base if eval { $self->_begin; 1 };
    my $why_not = $@;
    my $give_up = $self->{journal} ? 'give_up_resuming' : 'give_up';
    $self->{lock}->$give_up if $self->{lock};
    $self->_leave;
    die $why_not;
}

sub _make_directories {
    my ($self) = @_;
    my $settings = $self->{settings};
    UnixBench::Base::OtherUsers::check_scratch(@$settings{qw(tmpdir home)});
    for my $key (qw(resultdir tmpdir), -e $settings->{testdir} ? () : 'testdir') {
        next if eval { UnixBench::Base::Files::make_directory($settings->{$key}); 1 };
        die $self->{journal} ? $@ : $@ =~ s/\n\z/; set UB_\U$key\E to another directory\n/r;
    }
    return;
}

# Does the work of begin(). The lock is taken before the guardian starts, so the guardian keeps it until everything is
# cleaned up.
sub _begin {
    my ($self) = @_;
    my ($now, $recorder) = ($self->{clock}->wall_s, $self->{recorder});
    $self->{lock} = $self->_lock($now);
    $recorder->open_files(@$self{qw(lock so_far)});
    $self->_enter;
    my %own = (began_s => $self->{began_s}, clock_program => "$self->{settings}{bindir}/clock");
    $self->{runner} = UnixBench::Measure::Runner->new($self->_means, %own, $self->_what_ends_rounds);
    $recorder->begin($self->_head) if !$self->{journal};
    $self->_note_renderer if defined $self->{plan}{display};
    return $self->{journal} ? $self->_note_resumption($now) : ();
}

# Starts the guardian, gets into each state once, and makes everything ready for passes. Dies with one line if that
# fails; _leave() then removes what there is.
sub _enter {
    my ($self) = @_;
    my $plan = $self->{plan};
    $self->{scratch} = UnixBench::Measure::Scratch->new(parent => $self->{settings}{tmpdir});
    my ($last) = map { $_->{off} || () } @{ $plan->{states} };
    $self->{process}->start_guardian($self->{scratch}->path, $last);
    $self->{recorder}->note_states($self->_try_states) if $plan->{experiment};
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
        look   => sub { $self->{as_it_is}->($self->_begun) },
        map { $_ => $self->{$_} } qw(process clock)
    );
    $self->{why_not} = $keeper->begin;
    die $self->{why_not} if defined $self->{why_not} && $self->{journal};
    my $turns = $self->{result}{procedure}{turns};
    $plan->{in_a_row} = $self->{journal} ? $turns->{in_a_row} : $keeper->in_a_row($plan);
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

# Tries the states of an experiment before anything is measured, see UnixBench::Plan::Wish. If the run can't begin,
# gives up the names of the reports, cleans up, and returns why, a line. Else returns nothing. A resumed run is not
# tried again.
sub refusal {
    my ($self) = @_;
    my $experiment = $self->{plan}{experiment};
    return if !$experiment || $self->{journal};
    my %with    = map { $_ => $self->{$_} } qw(clock process sandbox keeper);
    my $why_not = $self->{why_not} // $experiment->refusal($self->{plan}, %with) // return;
    $self->{lock}->give_up;
    $self->_leave;
    return $why_not;
}

# Measures all runs and writes the reports. Returns the text report, or undef if the result contradicts itself: then no
# report is written. Afterwards the result has its runs. After an interruption, or if the journal can't be written any
# more, these have everything that was measured before. See interrupted(), problems() and is_whole().
sub measure {
    my ($self) = @_;
    my $is_done =
        $self->_try(sub { $self->{runner}->run($self->{plan}, $self->{so_far}{runs}); $self->_measure_extras });
    $is_done = $self->_try(sub { $self->{keeper} && $self->{keeper}->end }) && $is_done;
    $_->() for map { $_->{measured} || () } @{ $self->{listeners} };
    $is_done &&= $self->_try(sub { $self->_note_changes($self->{as_it_is}->($self->_present)) });
    my ($signal, $recorder) = ($self->interrupted, $self->{recorder});
    my $note = sub { push @{ $self->{notices} }, @_ };
    $recorder->complete(
        when_s  => $self->{clock}->wall_s,
        indexes => sub { $self->_indexes(@_) },
        signal  => $signal,
        problem => $is_done ? undef : $self->{problems}[0],
        earlier => sub { UnixBench::Store::EarlierRuns::of(dirname($self->base), $note, @_) },
    );
    my $text = $recorder->write_reports(sub { $self->_try(@_) }, $self->{settings});
    push @{ $self->{problems} }, grep { defined } $recorder->problem;
    $self->{is_whole} = !$signal && !@{ $self->{problems} } && $self->_try(sub { $recorder->finish });
    $self->_try(sub { $recorder->finish }) if $self->{is_spoilt};
    $self->_leave;
    return $text;
}

sub _leave {
    my ($self) = @_;
    $self->{scratch}->remove if $self->{scratch};
    $self->{process}->release;
    return;
}

# Returns the base, which is the path that all reports have in common; whether the journal exists, so that the run can
# be resumed; whether everything was measured and written; and the name of the signal that interrupted it, or undef.
sub base        { my ($self) = @_; return $self->{lock}->base }
sub is_kept     { my ($self) = @_; return $self->{lock}->is_kept }
sub is_whole    { my ($self) = @_; return $self->{is_whole} }
sub interrupted { my ($self) = @_; return $self->{process}->interrupted }

# Returns the PIDs of other Runs that are measuring on this machine.
sub other_runs { my ($self) = @_; return $self->{noise}->other_runs }

# Returns lines, after measure(): the errors that are not those of tests; about earlier results that can't be read; and
# about tests that have failed in another state than the first.
sub problems { my ($self) = @_; return @{ $self->{problems} } }
sub notices  { my ($self) = @_; return @{ $self->{notices} || [] } }
sub failure  { my ($self) = @_; return $self->{recorder}->failure }

# Returns the result of the first state, and those of all states, which have all runs after measure(); and the view of
# the first, see UnixBench::Report::View.
sub result  { my ($self) = @_; return $self->{recorder}->first }
sub results { my ($self) = @_; return $self->{recorder}->all }
sub view    { my ($self) = @_; return $self->{recorder}->view }

# Notes the renderer of graphics tests, also in the result. Dies if it differs from that before a resume. See
# UnixBench::Measure::Display.
sub _note_renderer {
    my ($self) = @_;
    require UnixBench::Measure::Display;
    my ($result, $before) = ($self->{result}, $self->{so_far}{renderer});
    my $now = UnixBench::Measure::Display::renderer(map { $_ => $self->{$_} } qw(process clock settings sandbox));
    my ($name, %facts) = UnixBench::Measure::Display::facts($now // $before // return, $self->{plan}{display});
    $result->{host}  = { %{ $result->{host} }, graphics => $name };
    $result->{facts} = { %{ $result->{facts} || {} }, graphics => \%facts };
    return if !$now;
    die "can't resume $self->{base}.journal: renderer was $before->{name}, is $now->{name}\n"
        if $before && $before->{name} ne $now->{name};
    return $before ? () : $self->{recorder}->note(renderer => %$now);
}

sub _lock {
    my ($self, $now) = @_;
    my @others = map { UnixBench::Measure::Recorder::suffix($_) } 1 .. $#{ $self->{plan}{states} };
    return UnixBench::Store::OutputLock->take_over(others => \@others, map { $_ => $self->{$_} } qw(base journal))
        if $self->{journal};
    my ($directory, $name) = @{ $self->{settings} }{qw(resultdir output_name)};
    my %name = (host => $self->{result}{host}{name}, time_s => $now, name => $name);
    return UnixBench::Store::OutputLock->reserve(directory => $directory, others => \@others, %name);
}

sub _head {
    my ($self) = @_;
    my ($plan, $result, $settings) = @$self{qw(plan result settings)};
    return (
        pid         => $$,
        words       => $self->{words},
        environment => $self->{environment},
        fingerprint => UnixBench::Store::SystemIdentity::take($plan, $result, $self->{cpu_count}, $settings),
        result      => { map { $_ => $result->{$_} } grep { $_ ne 'runs' } keys %$result },
    );
}

sub _note_resumption {
    my ($self, $now) = @_;
    my $resumed = $self->{so_far}{resumed};
    push @$resumed, $now;
    $self->{result}{procedure}{resumptions} = $resumed;
    $self->{recorder}->note(resumed => at => $now, pid => $$);
    return $self->_note_changes($self->_present);
}

# Returns the result without runs, with the facts of the present part of the run.
sub _present { my ($self) = @_; return $self->{present} || $self->_begun }

# Returns the result without runs, with the facts of the beginning.
sub _begun { my ($self) = @_; return $self->{so_far}{head} ? $self->{so_far}{head}{result} : $self->{result} }

# Takes the result with the facts of this moment; notes the changes since the last look in the result and in the
# journal.
sub _note_changes {
    my ($self, $now) = @_;
    my $known   = $self->{so_far}{changes};
    my $at      = $self->{clock}->wall_s;
    my @changes = UnixBench::Host::FactList::changes($self->_begun, $now, $known);
    push @$known, map { +{ at => $at, fact => $_->{fact}, was => $_->{was}, is => $_->{is} } } @changes;
    $self->{result}{changes} = $known if @$known;
    $self->{recorder}->note(changed => %{ $known->[$_] }) for @$known - @changes .. $#$known;
    return;
}

# Returns what the runner and extra passes need: functions for their events, and one_pass, a function that makes a pass
# in the state of its test.
sub _means {
    my ($self) = @_;
    my $one_pass = sub {
        $self->{keeper}->enter($_[0]{state} // 0) if $self->{keeper};
        return $self->{sandbox}->one_pass(@_);
    };
    my $on = _all_of(@{ $self->{listeners} }, $self->{recorder}->listeners);
    return (on => $on, one_pass => $one_pass, map { $_ => $self->{$_} } qw(process clock cpu_count keeper noise));
}

# Makes the extra passes after all other passes, so that they disturb no pass for a score. What was measured before a
# resume becomes part of the result in any case.
sub _measure_extras {
    my ($self) = @_;
    my $runs   = [$self->{recorder}->runs];
    my %means  = $self->_means;
    my %of     = (runs => $runs, plan => $self->{plan}, map { $_ => $means{$_} } qw(process one_pass on));
    for my $extra (@{ $self->{plan}{extras} }) {
        $extra->keep($runs, $self->{so_far}{runs});
        $extra->measure(%of);
    }
    return;
}

sub _what_ends_rounds {
    my ($self) = @_;
    my $quick = $self->{plan}{quick} or return;
    require UnixBench::Score::StopRule;
    my $rule = UnixBench::Score::StopRule->new(
        factor     => $self->{plan}{factor},
        is_decided => sub { $self->{is_decided}->($self->{result}, @_) },
        map { $_ => $quick->{$_} } qw(precision max_time_s limits_s)
    );
    my $is_draining = sub { $self->{noise}->is_writing_back };
    return (rule => $rule, indexes => sub { $self->_indexes(@_) }, is_draining => $is_draining);
}

sub _indexes {
    my ($self, $tests) = @_;
    my @asked = map { $_->{name} } @{ $self->{plan}{tests} };
    return UnixBench::Score::indexes($tests, $self->{baseline}, @asked);
}

# Calls a function and notes its error, so that everything else is still done. Returns whether there was no error.
sub _try {
    my ($self, $do) = @_;
    my $is_done = eval { $do->(); 1 };
    $self->_note_problem($@) if !$is_done;
    return $is_done;
}

sub _note_problem {
    my ($self,    $error)  = @_;
    my ($problem, $spoils) = map { UnixBench::Base::Halt->can($_)->($error) } qw(in_words spoils);
    $self->{recorder}->note_states([], spoilt => $self->{is_spoilt} = $spoils) if defined $spoils;
    push @{ $self->{problems} }, $problem if !grep { $_ eq $problem } @{ $self->{problems} };
    return;
}

sub _all_of {
    my @sets = @_;
    my %of;
    for my $set   (@sets) { push @{ $of{$_} }, $set->{$_} || () for keys %$set }
    for my $event (keys %of) {
        my $functions = $of{$event};
        $of{$event} = sub { $_->(@_) for @$functions };
    }
    return \%of;
}

1;
