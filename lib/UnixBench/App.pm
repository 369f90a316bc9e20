package UnixBench::App;

# The application: reads the command line, prepares, measures, says what went wrong, decides the exit status.

use strict;
use warnings;

use UnixBench::Base::Files        ();
use UnixBench::Base::Format       ();
use UnixBench::Base::Halt         ();
use UnixBench::CLI::Console       ();
use UnixBench::CLI::Environment   ();
use UnixBench::CLI::Options       ();
use UnixBench::CLI::Usage         ();
use UnixBench::Command::Explain   ();
use UnixBench::Command::Output    ();
use UnixBench::Plan::UserScript   ();
use UnixBench::Process::Command   ();
use UnixBench::Report::Formats    ();
use UnixBench::Setup::Preparation ();
use UnixBench::Version            ();

use constant {
    DONE         => 0,
    FAILED       => 1,
    WRONG_USAGE  => 2,
    NOT_MET      => 3,
    INCONCLUSIVE => 4,
    RULE         => q{=} x 72,
};

# Takes home, the suite's directory.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Does what the words of the command line say and returns the exit status; when interrupted, dies of the
# signal instead.
sub run {
    my ($self, @words) = @_;
    local @SIG{qw(PIPE XFSZ)} = ('IGNORE') x 2;    # a write that fails says so
    return _complain($@, FAILED) if !eval { UnixBench::CLI::Console::open_standard_handles(); 1 };
    UnixBench::Process::Command::on_given_up(\&_complain);
    my $is_understood = eval { $self->_understand(@words); 1 };
    return _complain($@, WRONG_USAGE) if !$is_understood;
    my $status = eval { $self->_act(@words) };
    return defined $status ? $status : _complain(UnixBench::Base::Halt::in_words($@), FAILED);
}

# Everything that can be wrong with the words is found here, before anything is built or run.
sub _understand {
    my ($self, @words) = @_;
    my $options = $self->{options} = UnixBench::CLI::Options::parse(@words);
    $self->{settings} = UnixBench::CLI::Environment::read_from(\%ENV, $self->{home});
    UnixBench::Command::Output::check($options);
    UnixBench::Plan::UserScript::check($options->{script}) if defined $options->{script};
    $self->{result} = _read($options->{report}) if defined $options->{report} && _has_all_of_perl();
    $self->_requirements if @{ $options->{requirements} } && _has_all_of_perl();
    $self->_survey->check_time if $options->{quick} && _has_all_of_perl();
    return;
}

sub _read {
    my ($path) = @_;
    require UnixBench::Store::ResultFile;
    return UnixBench::Store::ResultFile::result($path);
}

sub _act {
    my ($self, @words) = @_;
    my $options = $self->{options};
    return _say(UnixBench::CLI::Usage::help()) if $options->{help};
    return _say("UnixBench $UnixBench::Version::VERSION\n") if $options->{version};
    return _say(UnixBench::CLI::Usage::list($options->{iterations})) if $options->{list};
    return _say(UnixBench::Command::Explain::of($self->{home}, $self->{settings}{bindir}, @{ $options->{tests} }))
        if $options->{explain};
    return $self->_doctor if $options->{doctor};
    $self->{answer} = UnixBench::CLI::Console::kept_standard_output()
        if $options->{has_standard_output} && !$options->{dry_run};
    _need_all_of_perl() if $options->{compare} || defined $options->{report};
    return $self->_compare if $options->{compare};
    return $self->_report if $self->{result};
    return $self->_resume if defined $options->{resume};
    my $is_plan_only = $options->{dry_run} && !$options->{setup};
    $self->_prepare(@words) if !$is_plan_only;
    return $self->_show_plan if $options->{dry_run};
    return $self->_check_sequence if ($options->{observe} // q{}) eq 'sequence';
    return $self->_measure;
}

sub _doctor {
    my ($self) = @_;
    my $survey = _has_all_of_perl() ? $self->_survey : undef;
    require UnixBench::Command::Doctor;
    return _say(UnixBench::Command::Doctor->new(survey => $survey, preparation => $self->_preparation)->report);
}

sub _compare {
    my ($self) = @_;
    require UnixBench::Command::Compare;
    my $options   = $self->{options};
    my $comparing = eval {
        UnixBench::Command::Compare::of(map { $_ => $options->{$_} } qw(files min_effect force analysis prices));
    }
        or return _complain($@, WRONG_USAGE);
    my $text_of  = sub { UnixBench::Report::Formats::of_blocks($_[0], $comparing->{report}) };
    my $kind     = UnixBench::Command::Output::of_standard_output($options) // 'text';
    my $failure  = $self->_answer($text_of->($kind));
    my @problems = UnixBench::Command::Output::write_files($options, $text_of);
    _complain($_) for @problems;
    return $failure || @problems ? FAILED : $comparing->{is_worse} ? NOT_MET : DONE;
}

sub _report {
    my ($self) = @_;
    require UnixBench::Measure::Recorder;
    require UnixBench::Report::View;
    _load_what_the_end_needs();
    my $result  = $self->{result};
    my $why_not = $self->_why_no_measure($result);
    return _complain($why_not, WRONG_USAGE) if defined $why_not;
    my $view    = UnixBench::Report::View->new(result => $result);
    my $reports = UnixBench::Measure::Recorder::reports($view, csv => $self->{settings}{csv});
    my %texts   = map { $_ => $reports->{$_}->() } keys %$reports;
    my $status  = $self->_deliver($view, \%texts);
    my ($written, @problems) = UnixBench::Measure::Recorder::complete($self->{options}{report}, \%texts);
    _complain("also written: $_\n") for @$written;
    _complain($_) for @problems;
    return @problems ? FAILED : $status;
}

# What is required of the run, or of the result that is reported once more; undef for nothing.
sub _requirements {
    my ($self) = @_;
    return if !@{ $self->{options}{requirements} };
    require UnixBench::Command::Requirements;
    return $self->{requirements} ||= UnixBench::Command::Requirements->new($self->_survey, $self->{result});
}

# Why a result that something is required to be measured by can't be that.
sub _why_no_measure {
    my ($self, $result) = @_;
    my $requirements = $self->_requirements;
    return if !$requirements || $self->{options}{force};
    return eval { $requirements->check_kind($result); 1 } ? undef : $@;
}

# From here on all of Perl is needed; what is missing of it, the preparation has named or installed.
sub _survey {
    my ($self) = @_;
    _need_all_of_perl();
    return $self->{survey} ||= UnixBench::Command::RunContext->new(%$self);
}

sub _need_all_of_perl {
    die "only a part of Perl is installed here: ./Run --setup installs the rest\n" if !_has_all_of_perl();
    return;
}

sub _has_all_of_perl {
    return eval { require UnixBench::Command::RunContext; 1 }
}

sub _preparation {
    my ($self) = @_;
    return UnixBench::Setup::Preparation->new(%$self, warn => sub { _complain($_[0]) });
}

sub _prepare {
    my ($self, @words) = @_;
    my $preparation = $self->_preparation;
    $preparation->set_up(@words);
    $preparation->build;
    delete $self->{survey};    # of a machine on which that was not there yet
    return;
}

sub _show_plan {
    my ($self) = @_;
    my $survey = $self->_survey;
    _complain($_) for $survey->warnings;
    my $why_not = $self->_requirements && $self->_why_no_measure($survey->result);
    return _complain($why_not, WRONG_USAGE) if defined $why_not;
    return _say($survey->plan_in_words);
}

sub _check_sequence {
    my ($self) = @_;
    require UnixBench::Command::CheckTracing;
    my $check  = UnixBench::Command::CheckTracing->new(survey => $self->_survey);
    my $found  = $check->made;
    my $signal = $check->interrupted;
    UnixBench::Process::Command::die_of($signal) if defined $signal;
    return $self->_answer($found->{text}) || ($found->{is_right} ? DONE : FAILED);
}

sub _measure {
    my ($self) = @_;
    require UnixBench::Command::Measure;
    return $self->_hold(UnixBench::Command::Measure->anew($self->_survey));
}

# Nothing is built, since the programs have to be those that were measured.
sub _resume {
    my ($self) = @_;
    $self->_preparation->set_up;
    require UnixBench::Command::Measure;
    my $measuring = UnixBench::Command::Measure->resumed(@$self{qw(home options settings)});
    my $survey    = $self->{survey} = $measuring->survey;
    @$self{qw(options settings)} = @$survey{qw(options settings)};
    _say('Going on: ' . $measuring->progress . "\n") if !$self->{options}{quiet};
    return $self->_hold($measuring);
}

# Measures; returns the exit status.
sub _hold {
    my ($self, $measuring) = @_;
    return _complain($@, WRONG_USAGE)
        if !defined $self->{options}{resume} && !eval { $self->_survey->check_time; 1 };
    _complain($_) for $self->_survey->warnings;
    my $why_not = $self->_why_no_measure($measuring->result);
    return _complain($why_not, WRONG_USAGE) if defined $why_not;
    my $base = $measuring->base;
    return _complain($@, WRONG_USAGE)
        if defined $base && !eval { UnixBench::Command::Output::check_reports($self->{options}, $base); 1 };
    my %listener = (waiting => \&_complain, test_done => \&_complain_of_test, observed => \&_complain_of_observation);
    _load_what_the_end_needs();
    my $session = $measuring->begin($self->_when_decided, \%listener);
    _say($measuring->opening) if !$self->{options}{quiet};
    _complain($_)
        for grep { defined && !$session->interrupted }
        UnixBench::Trace::Syscalls::announcement($session->result->{observing});
    _complain('an unfinished run of that name was renamed; to resume it: ./Run --resume '
            . UnixBench::CLI::Console::quoted($session->unfinished) . "\n")
        if defined $session->unfinished;
    my $reports = $session->measure;
    my $status  = $self->_deliver($session->view, $reports);
    _complain($_) for $session->problems;
    _complain($_) for $session->remarks, $session->is_whole ? () : _how_to_go_on($session);
    my $signal = $session->interrupted;
    UnixBench::Process::Command::die_of($signal) if defined $signal;
    return $session->problems || UnixBench::Trace::Syscalls::is_lacking($session->result) ? FAILED : $status;
}

# The suite may be moved or exchanged while it measures.
sub _load_what_the_end_needs {
    UnixBench::Command::Output::load();
    require UnixBench::Score::MultiUser;
    require UnixBench::Trace::Syscalls;
    return;
}

# Says what is left of a run that is not whole.
sub _how_to_go_on {
    my ($session) = @_;
    my $base = $session->base;
    return "what was measured is not kept: $base.journal is gone\n" if !$session->is_kept;
    return 'what was measured is kept; to go on: ./Run --resume ' . UnixBench::CLI::Console::quoted($base) . "\n";
}

# Whether all that is required of a run that is under way is decided.
sub _when_decided {
    my ($self) = @_;
    my $requirements = $self->_requirements or return sub { 1 };
    return sub { $requirements->is_decided(@_) };
}

# Gives the user what was asked for of a result; returns the exit status.
sub _deliver {
    my ($self, $view, $texts) = @_;
    my $options      = $self->{options};
    my $requirements = $self->_requirements;
    my $output       = UnixBench::Command::Output->new(
        view      => $view,
        reports   => $texts,
        criteria  => [$requirements ? $requirements->criteria : ()],
        anonymity => scalar $self->_survey->anonymity,
    );
    my $kind      = UnixBench::Command::Output::of_standard_output($options);
    my $details   = $options->{details} || UnixBench::CLI::Console::is_for_people();
    my $text      = defined $kind ? $output->text($kind) : $output->report($details);
    my $failure   = $self->_answer(($self->{answer} || $self->{result} ? q{} : RULE . "\n") . $text);
    my @problems  = UnixBench::Command::Output::write_files($options, sub { $output->text($_[0]) });
    my @imprecise = $output->imprecise;
    _complain($_) for $output->verdicts, @imprecise, @problems;
    return FAILED if $failure || @problems;
    return $self->_status_of(scalar @imprecise, $output->cases);
}

# A quick run that did not become as precise as was asked for is as open as a requirement.
sub _status_of {
    my ($self, $is_imprecise, @cases) = @_;
    return FAILED if UnixBench::Accept::Acceptance::has_failed_test(@cases);
    return NOT_MET if UnixBench::Accept::Acceptance::has_unmet_requirement(@cases);
    return INCONCLUSIVE if UnixBench::Accept::Acceptance::has_open_requirement(@cases);
    return $is_imprecise && defined $self->{options}{precision} ? INCONCLUSIVE : DONE;
}

sub _complain_of_test {
    my ($test) = @_;
    _complain("\"$test->{title}\": $test->{reason}; aborting this test\n") if $test->{status} eq 'failed';
    _complain("\"$test->{title}\": $_\n") for UnixBench::Score::MultiUser::complaints($test);
    return;
}

sub _complain_of_observation {
    my ($test) = @_;
    _complain($_) for grep { defined } UnixBench::Trace::Syscalls::complaint($test);
    return;
}

# Says what went wrong; returns the status.
sub _complain {
    my ($text, $status) = @_;
    UnixBench::CLI::Console::complain($text, ($status // DONE) == WRONG_USAGE);
    return $status;
}

# Prints what there is to say meanwhile; returns the status.
sub _say {
    my ($text) = @_;
    my $why_not = UnixBench::CLI::Console::say_to(\*STDOUT, UnixBench::Base::Format::disarmed($text));
    return defined $why_not ? _complain($why_not, FAILED) : DONE;
}

# Prints what was asked for; returns the status.
sub _answer {
    my ($self, $text) = @_;
    my $why_not = UnixBench::CLI::Console::say_to($self->{answer} || \*STDOUT, $text);
    return defined $why_not ? _complain($why_not, FAILED) : DONE;
}

1;
