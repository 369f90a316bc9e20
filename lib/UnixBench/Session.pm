package UnixBench::Session;

# Measures a plan and saves the result: logs each pass as it is done, writes the reports at the end, cleans up
# whatever happens.

use strict;
use warnings;

use UnixBench::Catalog      ();
use UnixBench::Files        ();
use UnixBench::Pass         ();
use UnixBench::Process      ();
use UnixBench::Report::CSV  ();
use UnixBench::Report::HTML ();
use UnixBench::Report::Log  ();
use UnixBench::Report::Text ();
use UnixBench::Runner       ();
use UnixBench::Score        ();

# Takes clock, settings (of UnixBench::Settings), plan, result (without runs), baseline (parsed, or {}),
# cpu_count, listeners => [hashes of functions for the runner] and is_brief.
sub new {
    my ($class, %with) = @_;
    return bless { %with, problems => [] }, $class;
}

# Reserves the names of the report files; returns their base, a path.
sub reserve {
    my ($self) = @_;
    my ($settings, $result) = @$self{qw(settings result)};
    UnixBench::Files::make_directory($settings->{$_}) for qw(resultdir tmpdir);
    UnixBench::Files::make_directory($settings->{testdir}) if !-e $settings->{testdir};
    @$self{qw(base log)} = UnixBench::Files::reserve(
        $settings->{resultdir},
        $result->{host}{name},
        $self->{clock}->wall_s,
        $settings->{output_name}
    );
    return $self->{base};
}

# Measures everything and writes the reports. Returns the text report; the result then holds the runs.
# After an interruption, or when the log can't be written any more, it holds what was measured until then:
# see interrupted() and problems().
sub measure {
    my ($self)  = @_;
    my $scratch = UnixBench::Files::make_scratch($self->{settings}{tmpdir});
    my $process = $self->{process} = UnixBench::Process->new(clock => $self->{clock});
    $self->_try(sub { $process->start_guardian($scratch); $self->_run($process, $scratch) });
    UnixBench::Files::remove($scratch);
    my $report = $self->_save;
    $process->release;
    return $report;
}

# What went wrong beside the tests, each in a line.
sub problems { my ($self) = @_; return @{ $self->{problems} } }

# The result, with all its runs after measure().
sub result { my ($self) = @_; return $self->{result} }

# The name of the signal that interrupted the run, or undef.
sub interrupted { my ($self) = @_; return $self->{process}->interrupted }

sub _run {
    my ($self, $process, $scratch) = @_;
    my $runner = UnixBench::Runner->new(
        process   => $process,
        clock     => $self->{clock},
        cpu_count => $self->{cpu_count},
        one_pass  => sub { $self->_one_pass($scratch, @_) },
        on        => _all_of(@{ $self->{listeners} }, $self->_log_listeners, $self->_keep_listeners),
    );
    $runner->run($self->{plan});
    return;
}

# Every run is part of the result from its start, so that nothing is lost when something goes wrong.
sub _keep_listeners {
    my ($self) = @_;
    return { run_started => sub { push @{ $self->{result}{runs} }, $_[0] } };
}

sub _log_listeners {
    my ($self) = @_;
    return {
        test_started => sub { my ($test, $run) = @_; $self->_log(test_head => $test, $run->{copies}) },
        pass_done    => sub {
            my ($pass) = @_;
            $self->_log(pass => $pass);
            delete $_->{output} for @{ $pass->{copies} };
        },
        test_done => sub { my ($test, $run) = @_; $self->_log(test_tail => $test, $run->{copies}) },
    };
}

# Each piece is on the disk before the next pass starts.
sub _log {
    my ($self, $piece, @what) = @_;
    my $text = UnixBench::Report::Log->can($piece)->(@what);
    die "can't write $self->{base}.log: $!\n" if !UnixBench::Files::append($self->{log}, $text);
    return;
}

sub _one_pass {
    my ($self, $scratch, $test, $copies) = @_;
    my $settings = $self->{settings};
    my $pass     = UnixBench::Pass->new(process => $self->{process}, clock => $self->{clock});
    my %how      = (
        command => sub {
            my ($place) = @_;
            return [map { s/[{]scratch[}]/$place/r } @{ $test->{command} }];
        },
        scratch => UnixBench::Files::make_copies_scratch($scratch, $copies),
        dir     => $settings->{testdir},
        stdin   => defined $test->{input} ? "$settings->{testdir}/$test->{input}" : '/dev/null',
        limit_s => $test->{limit_s},
    );
    my $results = eval { [$pass->run(%how)] };
    my $why_not = $@;
    UnixBench::Files::clear_copies_scratch($scratch);
    die $why_not if !$results;
    return @$results;
}

sub _save {
    my ($self) = @_;
    my ($result, $base) = @$self{qw(result base)};
    my $signal = $self->interrupted;
    push @{ $result->{notes} }, "interrupted by SIG$signal" if $signal;
    for my $run (@{ $result->{runs} }) {
        $run->{ended} = $self->{clock}->wall_s if !defined $run->{ended};
        @$_{qw(status reason)} = (failed => 'not finished') for grep { !$_->{status} } @{ $run->{tests} };
        $run->{indexes} =
            UnixBench::Score::indexes($run->{tests}, $self->{baseline}, [UnixBench::Catalog::categories()]);
    }
    my $report = UnixBench::Report::Text::render($result, brief => $self->{is_brief});
    my %text   = (q{} => $report, '.html' => UnixBench::Report::HTML::render($result));
    $text{'.csv'} = UnixBench::Report::CSV::render($result) if $self->{settings}{csv};
    for my $suffix (sort keys %text) {
        $self->_try(sub { UnixBench::Files::write_whole("$base$suffix", $text{$suffix}) });
    }
    return $report;
}

# Does what may go wrong and must not keep the rest from being done.
sub _try {
    my ($self, $do) = @_;
    my $is_done = eval { $do->(); 1 };
    push @{ $self->{problems} }, $@ if !$is_done;
    return;
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
