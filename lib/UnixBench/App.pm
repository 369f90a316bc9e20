package UnixBench::App;

# The application: reads the command line, prepares, measures, says what went wrong, decides the exit status.

use strict;
use warnings;

use UnixBench::Command     ();
use UnixBench::Console     ();
use UnixBench::Files       ();
use UnixBench::Options     ();
use UnixBench::Plan        ();
use UnixBench::Preparation ();
use UnixBench::Settings    ();
use UnixBench::Usage       ();
use UnixBench::Version     ();

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
    UnixBench::Console::open_standard_handles();
    my $is_understood = eval { $self->_understand(@words); 1 };
    return _complain($@, WRONG_USAGE) if !$is_understood;
    my $status = eval { $self->_act(@words) };
    return defined $status ? $status : _complain($@, FAILED);
}

# Everything that can be wrong with the words is found here, before anything is built or run.
sub _understand {
    my ($self, @words) = @_;
    my $options = $self->{options} = UnixBench::Options::parse(@words);
    $self->{settings} = UnixBench::Settings::read_from(\%ENV, $self->{home});
    UnixBench::Files::check_writable($_) for grep { defined && $_ ne q{-} } @$options{qw(json html junit)};
    $self->{result} = _read($options->{report}) if defined $options->{report};
    $self->_requirements if _has_all_of_perl();
    return;
}

sub _read {
    my ($path) = @_;
    require UnixBench::ResultFile;
    return UnixBench::ResultFile::result($path);
}

sub _act {
    my ($self, @words) = @_;
    my $options = $self->{options};
    return $self->_say(UnixBench::Usage::help()) if $options->{help};
    return $self->_say("UnixBench $UnixBench::Version::VERSION\n") if $options->{version};
    return $self->_say(UnixBench::Usage::list($options->{iterations})) if $options->{list};
    $self->{answer} = UnixBench::Console::kept_standard_output() if $options->{has_standard_output};
    return $self->_compare if $options->{compare};
    return $self->_report if $self->{result};
    return $self->_resume if defined $options->{resume};
    my $is_plan_only = $options->{dry_run} && !$options->{setup};
    $self->_prepare(@words) if !$is_plan_only;
    return $self->_show_plan if $options->{dry_run};
    return $self->_measure;
}

sub _compare {
    my ($self) = @_;
    require UnixBench::Comparing;
    my $options   = $self->{options};
    my $comparing = eval {
        UnixBench::Comparing::of(map { $_ => $options->{$_} } qw(files min_effect force));
    }
        or return _complain($@, WRONG_USAGE);
    my $file = $options->{html};
    UnixBench::Files::write_to($file, $comparing->{html}) if defined $file && $file ne q{-};
    return $self->_answer($comparing->{ defined $file && $file eq q{-} ? 'html' : 'text' })
        || ($comparing->{is_worse} ? NOT_MET : DONE);
}

sub _report {
    my ($self) = @_;
    require UnixBench::Recorder;
    my $why_not = $self->_why_no_measure($self->{result});
    return _complain($why_not, WRONG_USAGE) if defined $why_not;
    my $reports = UnixBench::Recorder::reports($self->{result}, csv => $self->{settings}{csv});
    UnixBench::Recorder::complete($self->{options}{report}, $reports);
    return $self->_deliver($self->{result}, $reports);
}

# What is required of the run, or of the result that is reported once more; undef for nothing.
sub _requirements {
    my ($self) = @_;
    my ($options, $result) = @$self{qw(options result)};
    return if !@{ $options->{requirements} };
    require UnixBench::Requirements;
    return $self->{requirements} ||= UnixBench::Requirements->new(
        $options->{requirements},
        {
            tests    => $result ? [UnixBench::Result::names($result)]         : $options->{tests},
            copies   => $result ? [map { $_->{copies} } @{ $result->{runs} }] : $self->_survey->plan->{copies},
            baseline => $self->_survey->baseline,
        }
    );
}

# From here on all of Perl is needed; what is missing of it, the preparation has named or installed.
sub _survey {
    my ($self) = @_;
    require UnixBench::Survey;
    return $self->{survey} ||= UnixBench::Survey->new(%$self);
}

sub _has_all_of_perl {
    return eval { require UnixBench::Survey; 1 }
}

sub _preparation {
    my ($self) = @_;
    return UnixBench::Preparation->new(%$self, warn => sub { _complain($_[0]) });
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
    return $self->_say($survey->plan_in_words);
}

sub _measure {
    my ($self) = @_;
    my $survey = $self->_survey;
    my $plan   = $survey->plan;
    my @words  = UnixBench::Options::lasting_words({ %{ $self->{options} }, copies => $plan->{copies} });
    return $self->_hold(plan => $plan, result => $survey->result, words => \@words);
}

# Goes on with an interrupted run: with its options and settings, as if those were given now. Nothing is built, since
# the programs have to be those that were measured.
sub _resume {
    my ($self) = @_;
    $self->_preparation->set_up;
    require UnixBench::Resumption;
    my $resumption = UnixBench::Resumption->new($self->{settings}{resultdir}, $self->{options}{resume});
    $self->{options} = UnixBench::Options::resumed($self->{options}, $resumption->options);
    delete @ENV{ UnixBench::Settings::variables() };
    %ENV = (%ENV, %{ $resumption->environment });
    $self->{settings} = UnixBench::Settings::read_from(\%ENV, $self->{home});
    delete $self->{survey};
    my $survey = $self->_survey;
    my $plan   = $survey->plan;
    $resumption->check($plan, $survey->result, $survey->cpu_count, $self->{settings});
    $self->_say('Going on: ' . $resumption->progress($plan) . " are there\n") if !$self->{options}{quiet};
    return $self->_hold(plan => $plan, $resumption->continuation);
}

# Measures; returns the exit status.
sub _hold {
    my ($self, %what) = @_;
    my $survey = $self->_survey;
    _complain($_) for $survey->warnings;
    my $why_not = $self->_why_no_measure($what{result});
    return _complain($why_not, WRONG_USAGE) if defined $why_not;
    $survey->check_limits($what{plan});
    my $session = $self->_session(%what);
    my $base    = $session->begin;
    $self->_say($self->_opening($base, $what{plan})) if !$self->{options}{quiet};
    my $reports = $session->measure;
    my $status  = $self->_deliver($session->result, $reports);
    _complain($_) for $session->problems;
    _complain('what was measured is kept; to go on: ./Run --resume ' . UnixBench::Console::quoted($base) . "\n")
        if !$session->is_whole;
    my $signal = $session->interrupted;
    UnixBench::Command::die_of($signal) if defined $signal;
    return $session->problems ? FAILED : $status;
}

# Why a result that something is required to be measured by can't be that.
sub _why_no_measure {
    my ($self, $result) = @_;
    my $requirements = $self->_requirements;
    return if !$requirements || $self->{options}{force};
    require UnixBench::Summary;
    return eval { $requirements->check_kind(UnixBench::Summary::of($result)); 1 } ? undef : $@;
}

sub _session {
    my ($self, %what) = @_;
    require UnixBench::Clock;
    require UnixBench::Progress;
    require UnixBench::Session;
    my ($options, $settings, $survey) = @$self{qw(options settings survey)};
    %ENV = %{ UnixBench::Settings::for_tests(\%ENV, $settings) };
    my $progress = UnixBench::Progress->new(out => \*STDOUT, is_verbose => $options->{verbose});
    return UnixBench::Session->new(
        %what,
        clock     => UnixBench::Clock->new,
        settings  => $settings,
        baseline  => $survey->baseline,
        cpu_count => $survey->cpu_count,
        anonymity => scalar $survey->anonymity,
        listeners => [$options->{quiet} ? () : $progress->listeners, { test_done => \&_complain_of_test }],
    );
}

# Logo, directories and, when verbose, the plan.
sub _opening {
    my ($self, $base, $plan) = @_;
    my $settings = $self->{settings};
    my $logo     = UnixBench::Files::content("$settings->{bindir}/unixbench.logo") // q{};
    return join q{}, $logo,
        "Programs from $settings->{bindir}, started in $settings->{testdir}\n",
        "Scratch files in $settings->{tmpdir}, reports in $base\n",
        $self->{options}{verbose} ? "\n" . UnixBench::Plan::describe($plan) : ();
}

# Gives the user what was asked for of a result; returns the exit status.
sub _deliver {
    my ($self, $result, $reports) = @_;
    require UnixBench::Delivery;
    my $requirements = $self->_requirements;
    my $delivery     = UnixBench::Delivery->new(
        options  => $self->{options},
        result   => $result,
        reports  => $reports,
        criteria => [$requirements ? $requirements->criteria : ()],
    );
    my $is_classic = !$self->{answer} && !$self->{result};
    my $failure    = $self->_answer(($is_classic ? RULE . "\n" : q{}) . $delivery->for_standard_output);
    my @problems   = $delivery->write_files;
    _complain($_) for $delivery->verdicts, @problems;
    return $failure || @problems ? FAILED : _status_of($delivery->cases);
}

sub _status_of {
    my (@cases) = @_;
    return FAILED if UnixBench::Acceptance::has_failed_test(@cases);
    return NOT_MET if UnixBench::Acceptance::has_unmet_requirement(@cases);
    return INCONCLUSIVE if UnixBench::Acceptance::has_open_requirement(@cases);
    return DONE;
}

sub _complain_of_test {
    my ($test) = @_;
    return if $test->{status} ne 'failed';
    return _complain("\"$test->{title}\": $test->{reason}; aborting this test\n");
}

# Prints an error; returns the status.
sub _complain {
    my ($text, $status) = @_;
    UnixBench::Console::complain($text, ($status // DONE) == WRONG_USAGE);
    return $status;
}

# Prints what there is to say meanwhile; returns the status.
sub _say {
    my ($self, $text) = @_;
    my $why_not = UnixBench::Console::say_to(\*STDOUT, $text);
    return defined $why_not ? _complain($why_not, FAILED) : DONE;
}

# Prints what was asked for; returns the status.
sub _answer {
    my ($self, $text) = @_;
    my $why_not = UnixBench::Console::say_to($self->{answer} || \*STDOUT, $text);
    return defined $why_not ? _complain($why_not, FAILED) : DONE;
}

1;
