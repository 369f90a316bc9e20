package UnixBench::App;

# The application: reads the command line, prepares, measures, prints, decides the exit status. The only
# place that prints errors.

use strict;
use warnings;

use IO::Handle ();
use POSIX      ();

use UnixBench::Catalog     ();
use UnixBench::Files       ();
use UnixBench::Options     ();
use UnixBench::Plan        ();
use UnixBench::Preparation ();
use UnixBench::Process     ();
use UnixBench::Result      ();
use UnixBench::Settings    ();
use UnixBench::Usage       ();
use UnixBench::Version     ();

use constant {
    DONE        => 0,
    FAILED      => 1,
    WRONG_USAGE => 2,
    RULE        => q{=} x 72,
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
    local $SIG{PIPE} = 'IGNORE';    # whoever closes our output early gets the reports all the same
    _open_standard_handles();
    my $is_understood = eval { $self->_understand(@words); 1 };
    return _complain($@, WRONG_USAGE) if !$is_understood;
    my $status = eval { $self->_act(@words) };
    return defined $status ? $status : _complain($@, FAILED);
}

sub _understand {
    my ($self, @words) = @_;
    $self->{options}  = UnixBench::Options::parse(@words);
    $self->{settings} = UnixBench::Settings::read_from(\%ENV, $self->{home});
    return;
}

sub _act {
    my ($self, @words) = @_;
    my $options = $self->{options};
    return _say(UnixBench::Usage::help()) if $options->{help};
    return _say("UnixBench $UnixBench::Version::VERSION\n") if $options->{version};
    return _say(UnixBench::Usage::list($options->{iterations})) if $options->{list};
    my $is_plan_only = $options->{dry_run} && !$options->{setup};
    $self->_prepare(@words) if !$is_plan_only;
    return _say($self->_survey->plan_in_words) if $options->{dry_run};
    return $self->_measure;
}

# From here on all of Perl is needed; what is missing of it, the preparation has named or installed.
sub _survey {
    my ($self) = @_;
    require UnixBench::Survey;
    return $self->{survey} ||= UnixBench::Survey->new(%$self);
}

sub _prepare {
    my ($self, @words) = @_;
    my $preparation = UnixBench::Preparation->new(%$self, warn => sub { _complain($_[0]) });
    $preparation->set_up(@words);
    $preparation->build;
    return;
}

sub _measure {
    my ($self) = @_;
    my $survey = $self->_survey;
    _complain($_) for $survey->warnings;
    my $plan = $survey->plan;
    $survey->check_limits($plan);
    my $session = $self->_session($plan);
    my $base    = $session->reserve;
    _say($self->_opening($base, $plan)) if !$self->{options}{quiet};
    my $report = $session->measure;
    _say(RULE . "\n$report");
    _complain($_) for $session->problems;
    my $signal = $session->interrupted;
    UnixBench::Process::die_of($signal) if defined $signal;
    return $session->problems ? FAILED : $self->_status($plan, $session->result);
}

sub _session {
    my ($self, $plan) = @_;
    require UnixBench::Clock;
    require UnixBench::Progress;
    require UnixBench::Session;
    my ($options, $settings, $survey) = @$self{qw(options settings survey)};
    %ENV = %{ UnixBench::Settings::for_tests(\%ENV, $settings) };
    my $progress = UnixBench::Progress->new(out => \*STDOUT, is_verbose => $options->{verbose});
    return UnixBench::Session->new(
        clock     => UnixBench::Clock->new,
        settings  => $settings,
        plan      => $plan,
        baseline  => $survey->baseline,
        result    => $survey->result,
        cpu_count => $survey->cpu_count,
        is_brief  => $options->{brief},
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

# A test that failed, or one that was asked for by more than "all" and could not be run, is a failure.
sub _status {
    my ($self, $plan, $result) = @_;
    my %is_wanted =
        map { $_ => 1 } map { UnixBench::Catalog::expand($_) } grep { $_ ne 'all' } @{ $self->{options}{asked} };
    my @not_run = grep { defined $_->{skipped} && $is_wanted{ $_->{name} } } @{ $plan->{tests} };
    return @not_run || UnixBench::Result::has_failures($result) ? FAILED : DONE;
}

sub _complain_of_test {
    my ($test) = @_;
    return if $test->{status} ne 'failed';
    return _complain("\"$test->{title}\": $test->{reason}; aborting this test\n");
}

# Prints an error, the name of the program before its first line; returns the status.
sub _complain {
    my ($text, $status) = @_;
    print STDERR "Run: $text";
    return $status;
}

sub _say {
    my ($text) = @_;
    print STDOUT $text;
    STDOUT->flush;
    return DONE;
}

# A pipe must never take the place of a standard handle that the caller has closed.
sub _open_standard_handles {
    for my $number (0 .. 2) {
        my $got = POSIX::open('/dev/null', POSIX::O_RDWR());
        return POSIX::close($got) if $got > 2;
    }
    return;
}

1;
