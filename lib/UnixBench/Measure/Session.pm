package UnixBench::Measure::Session;

# Measures a plan and keeps the result: writes each pass when it is done, and the reports at the end. Cleans up in any
# case.

use strict;
use warnings;

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Files           ();
use UnixBench::Base::Halt            ();
use UnixBench::Base::Result          ();
use UnixBench::Measure::Observer     ();
use UnixBench::Measure::PassSandbox  ();
use UnixBench::Measure::Recorder     ();
use UnixBench::Measure::Runner       ();
use UnixBench::Measure::Scratch      ();
use UnixBench::Noise::Watch          ();
use UnixBench::Process::Process      ();
use UnixBench::Report::Formats       ();
use UnixBench::Report::Notes         ();
use UnixBench::Report::View          ();
use UnixBench::Score::Score          ();
use UnixBench::Score::StopRule       ();
use UnixBench::Store::OutputLock     ();
use UnixBench::Store::SystemIdentity ();

use constant PAGE => '.html';    # the suffix of the report with all data

# Takes
#   clock, settings    UnixBench::Base::Clock, and settings of UnixBench::CLI::Environment
#   plan, result       the plan, and the result without runs
#   baseline           the parsed baseline, or {}
#   cpu_count          number of usable CPUs
#   listeners          [hashes of functions for the runner]; the function measured is called after all passes, or after
#                      an error
#   words              [words] of the command line that asks for the same run again
#   environment        { NAME => value } for the same purpose
#   is_decided         function that takes the result and a run and returns whether the verdict on each requirement for
#                      this run is final
#   began_s            see UnixBench::Measure::Runner (optional)
#   redaction          UnixBench::Store::Redaction (optional)
#   system             UnixBench::Store::SystemFiles (optional)
#   published          [published results], see UnixBench::Compare::Published
#   find_tracer        function that finds a tracer, see UnixBench::Trace::Tracer (optional)
#   with_rows          see UnixBench::Measure::Observer (optional)
# To resume a run, takes result, base, journal and so_far from UnixBench::Measure::Resume, and needs no words.
sub new {
    my ($class, @given) = @_;
    my $given = named(
        \@given,
        qw(clock settings plan result baseline cpu_count listeners words environment is_decided began_s),
        qw(redaction published find_tracer with_rows base journal so_far system)
    );
    my %so_far = (runs => [], resumed => [], seal => q{});
    return bless { published => [], so_far => \%so_far, %$given, problems => [] }, $class;
}

# Prepares the run: reserves the names of the report files, makes the scratch directory, starts the guardian, and writes
# the first line of the journal. Returns the base of the reports, a path. Dies if that fails, and removes what it has
# made.
sub begin {
    my ($self) = @_;
    my $settings = $self->{settings};
    UnixBench::Base::Files::check_scratch(@$settings{qw(tmpdir home)});
    $self->_make($_) for qw(resultdir tmpdir), -e $settings->{testdir} ? () : 'testdir';
    chdir q{/};    # if this user may not enter the current directory, directories can't be removed
    $self->{process} = UnixBench::Process::Process->new(
        clock   => $self->{clock},
        waiting => _all_of(@{ $self->{listeners} })->{waiting},
    );
    return $self->base if eval { $self->_begin; 1 };
    my $why_not = $@;
    $self->{lock}->give_up if $self->{lock} && !$self->{journal};
    $self->_clean_up;
    die $why_not;
}

# Measures all runs and writes the reports. Returns the text report, or undef if the result contradicts itself: then no
# report is written. Afterwards the result has its runs. After an interruption, or if the journal can't be written any
# more, these have everything that was measured before. See interrupted(), problems() and is_whole().
sub measure {
    my ($self) = @_;
    my $is_done = $self->_try(sub { $self->_run; $self->_observe });
    $_->() for map { $_->{measured} || () } @{ $self->{listeners} };
    my $signal = $self->interrupted;
    $self->_complete_procedure($signal, $is_done ? undef : $self->{problems}[0]);
    $self->_complete($_) for @{ $self->{result}{runs} };
    $self->{result} = $self->{redaction}->result($self->{result}) if $self->{redaction};
    my $text = $self->_write_reports;
    $self->{is_whole} = !$signal && !@{ $self->{problems} } && $self->_try(sub { $self->{recorder}->finish });
    $self->_clean_up;
    return $text;
}

# Returns the base: the path that all reports have in common. It changes if the files are moved during the run.
sub base { my ($self) = @_; return $self->{lock}->base }

# Returns the PIDs of other Runs that are measuring on this machine.
sub other_runs { my ($self) = @_; return $self->{noise}->other_runs }

# Returns the new base of an unfinished run that had this name before, or undef.
sub unfinished { my ($self) = @_; return $self->{lock}->unfinished }

# Returns whether the journal exists, so that the run can be resumed.
sub is_kept { my ($self) = @_; return $self->{lock}->is_kept }

# Returns lines about files of the run that were moved or removed.
sub notices { my ($self) = @_; return $self->{recorder}->notices }

# Returns the errors that are not those of tests, each in a line.
sub problems { my ($self) = @_; return @{ $self->{problems} } }

# Returns the result, with all its runs after measure().
sub result { my ($self) = @_; return $self->{result} }

# Returns the view of the result, see UnixBench::Report::View, after measure().
sub view { my ($self) = @_; return $self->{view} }

# Returns the name of the signal that interrupted the run, or undef.
sub interrupted { my ($self) = @_; return $self->{process}->interrupted }

# Returns whether everything was measured and written. If not, the run can be resumed from the journal.
sub is_whole { my ($self) = @_; return $self->{is_whole} }

sub _make {
    my ($self, $key) = @_;
    return if eval { UnixBench::Base::Files::make_directory($self->{settings}{$key}); 1 };
    die $@ if $self->{journal};
    die $@ =~ s/\n\z/; set UB_\U$key\E to another directory\n/r;
}

# Does the work of begin(). The lock is taken before the guardian starts, so the guardian keeps it until everything is
# cleaned up.
sub _begin {
    my ($self) = @_;
    my $now = $self->{clock}->wall_s;
    $self->{lock}     = $self->_lock($now);
    $self->{recorder} = UnixBench::Measure::Recorder->new(
        lock      => $self->{lock},
        so_far    => $self->{so_far},
        redaction => $self->{redaction}
    );
    $self->{scratch} = UnixBench::Measure::Scratch->new(parent => $self->{settings}{tmpdir});
    $self->{process}->start_guardian($self->{scratch}->path);
    $self->{sandbox} = $self->_sandbox;
    $self->{noise}   = $self->_noise;
    $self->_find_tracer if $self->{find_tracer};
    $self->{recorder}->begin($self->_head) if !$self->{journal};
    $self->_note_renderer;
    return $self->{journal} ? $self->_note_resumption($now) : ();
}

sub _sandbox {
    my ($self) = @_;
    return UnixBench::Measure::PassSandbox->new(
        process   => $self->{process},
        clock     => $self->{clock},
        scratch   => $self->{scratch},
        testdir   => $self->{settings}{testdir},
        display   => $self->{plan}{display},
        originals => $self->_originals,
    );
}

sub _originals {
    my ($self) = @_;
    my ($plan, $settings, $result) = @$self{qw(plan settings result)};
    my $digests = $result->{facts}{programs} || UnixBench::Store::SystemIdentity::digests($plan, $settings);
    return UnixBench::Store::SystemIdentity->new(
        plan           => $plan,
        settings       => $settings,
        digests        => $digests,
        system         => $self->{system},
        system_digests => $result->{facts}{system_files},
    );
}

# Finds the tracer of system calls before anything is measured.
sub _find_tracer {
    my ($self) = @_;
    my $found = $self->{find_tracer}->(
        dir => $self->{scratch}->directory('tracer'),
        map { $_ => $self->{$_} } qw(process clock)
    );
    my $tracer = $self->{tracer} = $found->{tracer};
    $self->{result}{observing} = { tracer => $tracer && $tracer->name, why_not => $found->{why_not} };
    return;
}

# Notes the renderer of graphics tests in the result. Dies if it differs from that before a resume.
sub _note_renderer {
    my ($self) = @_;
    return if !defined $self->{plan}{display};
    require UnixBench::Measure::Display;
    my $name = UnixBench::Measure::Display::renderer(
        gears => "$self->{settings}{bindir}/ubgears",
        map { $_ => $self->{$_} } qw(process sandbox)
    );
    my $before = $self->{so_far}{renderer};
    die "can't resume $self->{base}.journal: renderer was $before, is $name\n"
        if defined $before && defined $name && $before ne $name;
    $self->{recorder}->note(renderer => name => $name) if defined $name && !defined $before;
    $self->{result}{host}{graphics} = $name // $before;
    return;
}

sub _lock {
    my ($self, $now) = @_;
    return UnixBench::Store::OutputLock->take_over(map { $_ => $self->{$_} } qw(base journal)) if $self->{journal};
    my ($directory, $name) = @{ $self->{settings} }{qw(resultdir output_name)};
    return UnixBench::Store::OutputLock->reserve(
        directory => $directory,
        host      => $self->{result}{host}{name},
        time_s    => $now,
        name      => $name,
    );
}

# Returns the data for the first line of the journal: everything that is needed to resume the run.
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
    return $self->{recorder}->note(resumed => at => $now, pid => $$);
}

# Makes all passes. Each run becomes part of the result when it starts, so that nothing is lost after an error.
sub _run {
    my ($self) = @_;
    my $noise  = $self->{noise};
    my $keep   = { run_started => sub { push @{ $self->{result}{runs} }, $_[0] } };
    my $runner = UnixBench::Measure::Runner->new(
        process   => $self->{process},
        clock     => $self->{clock},
        cpu_count => $self->{cpu_count},
        one_pass  => $self->_one_pass,
        noise     => $noise,
        began_s   => $self->{began_s},
        on        => _all_of(@{ $self->{listeners} }, $self->{recorder}->listeners, $keep),
        $self->_what_ends_rounds($noise),
    );
    $runner->run($self->{plan}, $self->{so_far}{runs});
    return;
}

# Observes the tests after all other passes, so that no pass for a score is traced. Observations from before a resume
# become part of the result in any case.
sub _observe {
    my ($self) = @_;
    my @kept   = map { $_->{observed} } @{ $self->{so_far}{runs} };
    my $runs   = $self->{result}{runs};
    UnixBench::Measure::Observer::keep($runs, \@kept);
    return if !$self->{tracer} || $self->interrupted;
    return UnixBench::Measure::Observer->new(
        one_pass => $self->_one_pass,
        on       => _all_of(@{ $self->{listeners} }, $self->{recorder}->listeners),
        map { $_ => $self->{$_} } qw(process tracer with_rows)
    )->observe($self->{plan}, $runs);
}

# Returns the function that makes a pass.
sub _one_pass {
    my ($self) = @_;
    return sub { $self->{sandbox}->one_pass(@_) };
}

sub _noise {
    my ($self) = @_;
    return UnixBench::Noise::Watch->new(
        clock       => $self->{clock},
        usable_cpus => $self->{cpu_count},
        map { $_ => $self->{plan}{quick} ? 1 : 0 } qw(is_overlap_judged has_rounds),
    );
}

# Returns the runner's arguments that only a quick plan needs.
sub _what_ends_rounds {
    my ($self, $noise) = @_;
    my $quick = $self->{plan}{quick} or return;
    my $rule  = UnixBench::Score::StopRule->new(
        (map { $_ => $quick->{$_} } qw(precision max_time_s)),
        is_decided => sub { $self->{is_decided}->($self->{result}, @_) },
    );
    return (
        rule        => $rule,
        indexes     => sub { $self->_indexes(@_) },
        is_draining => sub { $noise->is_writing_back },
    );
}

sub _indexes {
    my ($self, $tests) = @_;
    my @asked = map { $_->{name} } @{ $self->{plan}{tests} };
    return UnixBench::Score::Score::indexes($tests, $self->{baseline}, @asked);
}

sub _clean_up {
    my ($self) = @_;
    $self->{scratch}->remove if $self->{scratch};
    $self->{process}->release;
    return;
}

# Adds to the procedure how the run ended. Takes the name of the signal that interrupted the run, or undef, and the
# error that ended it, a line or undef.
sub _complete_procedure {
    my ($self, $signal, $problem) = @_;
    my $result    = $self->{result};
    my $procedure = $result->{procedure};
    $procedure->{replacements} = [UnixBench::Base::Result::replacements($result->{runs})];
    chomp $problem if defined $problem;
    $procedure->{interruption} = { signal => $signal, problem => $problem } if defined $signal || defined $problem;
    $result->{notes}           = [UnixBench::Report::Notes::of($result)];
    return;
}

# Completes a run: its end, the status of tests that were interrupted, and its indexes.
sub _complete {
    my ($self, $run) = @_;
    $run->{ended} = $self->{clock}->wall_s if !defined $run->{ended};
    for my $test (grep { !$_->{status} } @{ $run->{tests} }) {
        @$test{qw(status reason)} = UnixBench::Measure::Runner::interrupted_after(scalar @{ $test->{passes} }, $test);
    }
    $run->{indexes} = $self->_indexes($run->{tests});
    return;
}

# Writes the reports; returns the text report, empty if it could not be made. That file is the newest, because some
# scripts take the newest file that is neither a log nor a page for the report. Before the reports get their names, the
# result is read back from its page. If it is not sound, removes the reports and returns nothing.
sub _write_reports {
    my ($self)  = @_;
    my $view    = $self->{view} = UnixBench::Report::View->new(map { $_ => $self->{$_} } qw(result published));
    my $kind_of = UnixBench::Report::Formats::files(grep { $self->{settings}{$_} } qw(csv json));
    my $text    = q{};
    my %write   = (q{} => sub { $self->{recorder}->write_report(q{}, $text = _source($view, 'text')) });
    for my $suffix (grep { length } keys %$kind_of) {
        $write{$suffix} = sub { $self->{recorder}->write_report($suffix, _source($view, $kind_of->{$suffix})) };
    }
    my @written = grep { $self->_try($write{$_}) } reverse sort keys %write;
    return $self->_withdraw if grep({ $_ eq PAGE } @written) && !$self->_is_page_sound;
    $self->_try(sub { $self->{recorder}->publish(@written == keys %write) });
    return $text;
}

sub _is_page_sound {
    my ($self) = @_;
    return 1 if eval { $self->{recorder}->check_page(PAGE); 1 };
    push @{ $self->{problems} }, "no report was written, because the result can't be read back: $@";
    return;
}

sub _withdraw {
    my ($self) = @_;
    $self->_try(sub { $self->{recorder}->withdraw });
    return;
}

sub _source {
    my ($view, $kind) = @_;
    return UnixBench::Report::Formats::source_of($kind, $view);
}

# Calls a function and notes its error, so that everything else is still done. Returns whether there was no error.
sub _try {
    my ($self, $do) = @_;
    my $is_done = eval { $do->(); 1 };
    push @{ $self->{problems} }, UnixBench::Base::Halt::in_words($@) if !$is_done;
    return $is_done;
}

# Takes sets of functions; returns one set of functions that call those of all sets.
sub _all_of {
    my @sets   = @_;
    my %events = map { $_ => 1 } map { keys %$_ } @sets;
    my %all;
    for my $event (keys %events) {
        my @functions = grep { $_ } map { $_->{$event} } @sets;
        $all{$event} = sub { $_->(@_) for @functions };
    }
    return \%all;
}

1;
