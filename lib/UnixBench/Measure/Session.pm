package UnixBench::Measure::Session;

# Measures a plan and keeps the result: each pass as it is done, the reports at the end. Cleans up whatever
# happens.

use strict;
use warnings;

use UnixBench::Base::Files           ();
use UnixBench::Base::Halt            ();
use UnixBench::Base::Procedure       ();
use UnixBench::Base::Trust           ();
use UnixBench::Catalog               ();
use UnixBench::Host::Writeback       ();
use UnixBench::Measure::Observer     ();
use UnixBench::Measure::PassSandbox  ();
use UnixBench::Measure::Recorder     ();
use UnixBench::Measure::Renderer     ();
use UnixBench::Measure::Runner       ();
use UnixBench::Measure::Scratch      ();
use UnixBench::Noise::Watch          ();
use UnixBench::Plan::Plan            ();
use UnixBench::Process::Process      ();
use UnixBench::Report::Notes         ();
use UnixBench::Score::Score          ();
use UnixBench::Score::StopRule       ();
use UnixBench::Store::Journal        ();
use UnixBench::Store::Originals      ();
use UnixBench::Store::OutputLock     ();
use UnixBench::Store::SystemIdentity ();

# Takes clock, settings (of UnixBench::CLI::Environment), plan, result (without runs), baseline (parsed, or {}),
# cpu_count, listeners => [hashes of functions for the runner, and perhaps measured, which is called when that is done
# or has died], words and environment, which ask for the same again, is_decided => function that takes the result and a
# run and tells whether every requirement on that is met or missed for sure, and perhaps an anonymity, see
# UnixBench::Store::Redaction; or, to go on with a run, what UnixBench::Measure::Resume's continuation() returns in
# place of those.
sub new {
    my ($class, %with) = @_;
    return bless { so_far => { runs => [], resumed => [] }, %with, problems => [] }, $class;
}

# Makes ready to measure: the names of the report files, a scratch directory, the guardian, the journal's
# first line. Returns the reports' base, a path. Dies, and leaves nothing behind, when that fails.
sub begin {
    my ($self) = @_;
    my $settings = $self->{settings};
    UnixBench::Base::Trust::check_scratch(@$settings{qw(tmpdir home)});
    $self->_make($_) for qw(resultdir tmpdir), -e $settings->{testdir} ? () : 'testdir';
    chdir q{/};    # directories can't be removed from one that this user may not enter
    $self->{process} = UnixBench::Process::Process->new(
        clock   => $self->{clock},
        waiting => _all_of(@{ $self->{listeners} })->{waiting},
    );
    return $self->{reservation}{base} if eval { $self->_begin; 1 };
    my $why_not = $@;
    UnixBench::Store::OutputLock::give_up($self->{reservation}) if $self->{reservation} && !$self->{journal};
    $self->_clean_up;
    die $why_not;
}

# Measures everything and writes the reports. Returns those, { suffix => text }; the result then holds the runs.
# After an interruption, or when nothing more can be kept, it holds what was measured until then: see
# interrupted(), problems() and is_whole().
sub measure {
    my ($self) = @_;
    my $is_done = $self->_try(sub { $self->_run; $self->_observe });
    $_->() for map { $_->{measured} || () } @{ $self->{listeners} };
    my $signal = $self->interrupted;
    $self->_complete_procedure($signal, $is_done ? undef : $self->{problems}[0]);
    $self->_complete($_) for @{ $self->{result}{runs} };
    $self->{result} = $self->{anonymity}->result($self->{result}) if $self->{anonymity};
    my $reports = $self->_write_reports;
    $self->{is_whole} = !$signal && !@{ $self->{problems} } && $self->_try(sub { $self->{recorder}->finish });
    $self->_clean_up;
    return $reports;
}

# The path that all reports have in common. It may change while the run is under way.
sub base { my ($self) = @_; return $self->{reservation}{base} }

# The base of the unfinished run that had the name of this one before, or undef.
sub unfinished { my ($self) = @_; return $self->{reservation}{unfinished} }

# Whether the journal is there, so that the run can be resumed.
sub is_kept { my ($self) = @_; return UnixBench::Store::OutputLock::is_kept($self->{reservation}) }

# What happened to the files of the run, each in a line.
sub remarks { my ($self) = @_; return $self->{recorder}->remarks }

# What went wrong beside the tests, each in a line.
sub problems { my ($self) = @_; return @{ $self->{problems} } }

# The result, with all its runs after measure().
sub result { my ($self) = @_; return $self->{result} }

# The name of the signal that interrupted the run, or undef.
sub interrupted { my ($self) = @_; return $self->{process}->interrupted }

# Whether all was measured and written; if not, the journal is there to go on from.
sub is_whole { my ($self) = @_; return $self->{is_whole} }

sub _make {
    my ($self, $key) = @_;
    return if eval { UnixBench::Base::Files::make_directory($self->{settings}{$key}); 1 };
    die $@ if $self->{journal};
    die $@ =~ s/\n\z/; choose another by UB_\U$key\E\n/r;
}

# The guardian comes behind the reservation, to hold its lock until all is cleaned up.
sub _begin {
    my ($self)      = @_;
    my $now         = $self->{clock}->wall_s;
    my $reservation = $self->{reservation} = $self->_reserve($now);
    $self->{recorder} = UnixBench::Measure::Recorder->new(
        reservation => $reservation,
        kept        => $self->{so_far}{runs},
        anonymity   => $self->{anonymity}
    );
    $self->{scratch} = UnixBench::Measure::Scratch->new($self->{settings}{tmpdir});
    $self->{process}->start_guardian($self->{scratch}->path);
    $self->{workplace} = $self->_workplace;
    $self->_find_tracer if $self->{find_tracer};
    $self->{recorder}->begin($self->_head) if !$self->{journal};
    $self->_note_renderer;
    return $self->{journal} ? $self->_note_resumption($now) : ();
}

sub _workplace {
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
    return UnixBench::Store::Originals->new(plan => $plan, settings => $settings, digests => $digests);
}

# What will follow system calls: that it works is known before anything is measured.
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

# Where graphics tests will be measured, it has to be the same in all parts of a result.
sub _note_renderer {
    my ($self) = @_;
    return if !defined $self->{plan}{display};
    my $gears  = "$self->{settings}{bindir}/ubgears";
    my $name   = UnixBench::Measure::Renderer::name(gears => $gears, map { $_ => $self->{$_} } qw(process workplace));
    my $before = $self->{so_far}{renderer};
    die "can't go on from $self->{base}.journal: renderer was $before, is $name\n"
        if defined $before && defined $name && $before ne $name;
    $self->{recorder}->note(renderer => name => $name) if defined $name && !defined $before;
    $self->{result}{host}{graphics} = $name // $before;
    return;
}

sub _reserve {
    my ($self, $now) = @_;
    return UnixBench::Store::OutputLock::take_over(@$self{qw(base journal)}) if $self->{journal};
    my ($directory, $name) = @{ $self->{settings} }{qw(resultdir output_name)};
    return UnixBench::Store::OutputLock::reserve($directory, $self->{result}{host}{name}, $now, $name);
}

# What a later Run needs to go on with this one.
sub _head {
    my ($self) = @_;
    my ($plan, $result, $settings) = @$self{qw(plan result settings)};
    return (
        format      => UnixBench::Store::Journal::FORMAT,
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

# Every run is part of the result from its start, so that nothing is lost when something goes wrong.
sub _run {
    my ($self) = @_;
    my $keep   = { run_started => sub { push @{ $self->{result}{runs} }, $_[0] } };
    my $runner = UnixBench::Measure::Runner->new(
        process   => $self->{process},
        clock     => $self->{clock},
        cpu_count => $self->{cpu_count},
        one_pass  => sub { $self->{workplace}->one_pass(@_) },
        noise     => $self->_noise,
        began_s   => $self->{began_s},
        on        => _all_of(@{ $self->{listeners} }, $self->{recorder}->listeners, $keep),
        $self->_what_ends_rounds,
    );
    $runner->run($self->{plan}, $self->{so_far}{runs});
    return;
}

# Behind all passes, so that none that counts is ever observed. What was observed before is part of the result anyway.
sub _observe {
    my ($self) = @_;
    my @kept   = map { $_->{observed} } @{ $self->{so_far}{runs} };
    my $runs   = $self->{result}{runs};
    UnixBench::Measure::Observer::keep($runs, \@kept);
    return if !$self->{tracer} || $self->interrupted;
    return UnixBench::Measure::Observer->new(
        on => _all_of(@{ $self->{listeners} }, $self->{recorder}->listeners),
        map { $_ => $self->{$_} } qw(process workplace tracer with_rows)
    )->observe($self->{plan}, $runs);
}

sub _noise {
    my ($self) = @_;
    return UnixBench::Noise::Watch->new(
        clock             => $self->{clock},
        usable_cpus       => $self->{cpu_count},
        is_overlap_judged => $self->{plan}{quick} ? 1 : 0,
    );
}

# What the runner needs for a quick plan.
sub _what_ends_rounds {
    my ($self) = @_;
    my $quick  = $self->{plan}{quick} or return;
    my %strict = (is_strict => UnixBench::Plan::Plan::is_kept_in_time($self->{plan}));
    my $rule   = UnixBench::Score::StopRule->new(
        (map { $_ => $quick->{$_} } qw(precision max_time_s)),
        is_decided => sub { $self->{is_decided}->($self->{result}, @_) },
        %strict,
    );
    my $writeback = UnixBench::Host::Writeback->new;
    return (
        rule => $rule,
        %strict,
        indexes     => sub { $self->_indexes(@_) },
        is_draining => sub { $writeback->is_under_way },
    );
}

sub _indexes {
    my ($self, $tests) = @_;
    my @asked = map { $_->{name} } @{ $self->{plan}{tests} };
    return UnixBench::Score::Score::indexes($tests, $self->{baseline}, [UnixBench::Catalog::categories()], @asked);
}

sub _clean_up {
    my ($self) = @_;
    $self->{scratch}->remove if $self->{scratch};
    $self->{process}->release;
    return;
}

# Takes the signal that interrupted the run, or undef, and the problem that ended it, a line or undef.
sub _complete_procedure {
    my ($self, $signal, $problem) = @_;
    my $result    = $self->{result};
    my $procedure = $result->{procedure};
    $procedure->{replacements} = [UnixBench::Base::Procedure::replacements($result->{runs})];
    chomp $problem if defined $problem;
    $procedure->{interruption} = { signal => $signal, problem => $problem } if defined $signal || defined $problem;
    $result->{notes}           = [UnixBench::Report::Notes::of($result)];
    return;
}

# Completes a run with its end and its indexes.
sub _complete {
    my ($self, $run) = @_;
    $run->{ended} = $self->{clock}->wall_s if !defined $run->{ended};
    for my $test (grep { !$_->{status} } @{ $run->{tests} }) {
        @$test{qw(status reason)} = UnixBench::Measure::Runner::interrupted_after(scalar @{ $test->{passes} }, $test);
    }
    $run->{indexes} = $self->_indexes($run->{tests});
    return;
}

# Returns the reports but for the JSON, which may be long, { suffix => text }.
sub _write_reports {
    my ($self)   = @_;
    my $csv      = $self->{settings}{csv};
    my $reports  = UnixBench::Measure::Recorder::reports($self->{result}, csv => $csv);
    my $recorder = $self->{recorder};
    my %texts    = (q{} => q{});
    my @writing;
    for my $suffix (grep { $_ ne '.json' } sort keys %$reports) {
        push @writing, sub { $recorder->write_report($suffix, $texts{$suffix} = $reports->{$suffix}->()) };
    }
    push @writing, sub { $recorder->write_json($self->{result}) };
    my @written = grep { $self->_try($_) } @writing;
    $self->_try(sub { $recorder->publish(@written == @writing) });
    return \%texts;
}

# Does what may go wrong and must not keep the rest from being done; returns whether it went well.
sub _try {
    my ($self, $do) = @_;
    my $is_done = eval { $do->(); 1 };
    push @{ $self->{problems} }, UnixBench::Base::Halt::in_words($@) if !$is_done;
    return $is_done;
}

# One set of functions that calls those of all sets.
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
