package UnixBench::App;

# The application: reads the command line, prepares, measures, prints, decides the exit status. The only
# place that prints errors.

use strict;
use warnings;

use Errno      ();
use IO::Handle ();
use POSIX      ();

use UnixBench::Catalog     ();
use UnixBench::Command     ();
use UnixBench::Files       ();
use UnixBench::Format      ();
use UnixBench::Options     ();
use UnixBench::Plan        ();
use UnixBench::Preparation ();
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
    local @SIG{qw(PIPE XFSZ)} = ('IGNORE') x 2;    # a write that fails says so
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
    return $self->_resume if defined $options->{resume};
    my $is_plan_only = $options->{dry_run} && !$options->{setup};
    $self->_prepare(@words) if !$is_plan_only;
    return $self->_show_plan if $options->{dry_run};
    return $self->_measure;
}

# From here on all of Perl is needed; what is missing of it, the preparation has named or installed.
sub _survey {
    my ($self) = @_;
    require UnixBench::Survey;
    return $self->{survey} ||= UnixBench::Survey->new(%$self);
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
    return;
}

sub _show_plan {
    my ($self) = @_;
    my $survey = $self->_survey;
    _complain($_) for $survey->warnings;
    return _say($survey->plan_in_words);
}

sub _measure {
    my ($self) = @_;
    my $survey = $self->_survey;
    my $plan   = $survey->plan;
    my @words  = UnixBench::Options::lasting_words({ %{ $self->{options} }, copies => $plan->{copies} });
    return $self->_hold($survey, plan => $plan, result => $survey->result, words => \@words);
}

# Goes on with an interrupted run: with its options and settings, as if those were given now. Nothing is built, since
# the programs have to be those that were measured.
sub _resume {
    my ($self) = @_;
    $self->_preparation->set_up;
    require UnixBench::Resumption;
    my %shown      = map { $_ => $self->{options}{$_} } qw(quiet verbose brief);
    my $resumption = UnixBench::Resumption->new($self->{settings}{resultdir}, $self->{options}{resume});
    $self->{options} = { %{ $resumption->options }, map { $_ => 1 } grep { $shown{$_} } keys %shown };
    delete @ENV{ UnixBench::Settings::variables() };
    %ENV = (%ENV, %{ $resumption->environment });
    $self->{settings} = UnixBench::Settings::read_from(\%ENV, $self->{home});
    my $survey = $self->_survey;
    my $plan   = $survey->plan;
    $resumption->check($plan, $survey->result, $survey->cpu_count, $self->{settings});
    _say('Going on: ' . $resumption->progress($plan) . " are there\n") if !$self->{options}{quiet};
    return $self->_hold($survey, plan => $plan, $resumption->continuation);
}

# Measures; returns the exit status.
sub _hold {
    my ($self, $survey, %what) = @_;
    _complain($_) for $survey->warnings;
    $survey->check_limits($what{plan});
    my $session = $self->_session($survey, %what);
    my $base    = $session->begin;
    _say($self->_opening($base, $what{plan})) if !$self->{options}{quiet};
    my $report = $session->measure;
    _say(RULE . "\n$report");
    _complain($_) for $session->problems;
    _complain("what was measured is kept; to go on: ./Run --resume " . _quoted($base) . "\n") if !$session->is_whole;
    my $signal = $session->interrupted;
    UnixBench::Command::die_of($signal) if defined $signal;
    return $session->problems ? FAILED : $self->_status($what{plan}, $session->result);
}

sub _session {
    my ($self, $survey, %what) = @_;
    require UnixBench::Clock;
    require UnixBench::Progress;
    require UnixBench::Session;
    my ($options, $settings) = @$self{qw(options settings)};
    %ENV = %{ UnixBench::Settings::for_tests(\%ENV, $settings) };
    my $progress = UnixBench::Progress->new(out => \*STDOUT, is_verbose => $options->{verbose});
    return UnixBench::Session->new(
        %what,
        clock     => UnixBench::Clock->new,
        settings  => $settings,
        baseline  => $survey->baseline,
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
    my %why     = map  { $_->{name} => $_->{skipped} } grep { defined $_->{skipped} } @{ $plan->{tests} };
    my @skipped = grep { $_->{status} eq 'skipped' } map    { @{ $_->{tests} } } @{ $result->{runs} };
    my @not_run = grep { $is_wanted{ $_->{name} } && $_->{reason} eq ($why{ $_->{name} } // q{}) } @skipped;
    return @not_run || UnixBench::Result::has_failures($result) ? FAILED : DONE;
}

sub _complain_of_test {
    my ($test) = @_;
    return if $test->{status} ne 'failed';
    return _complain("\"$test->{title}\": $test->{reason}; aborting this test\n");
}

# Prints an error, in one line but for wrong usage, the name of the program before it; returns the status.
sub _complain {
    my ($text, $status) = @_;
    chomp $text;
    my @lines = ($status // DONE) == WRONG_USAGE ? split /\n/, $text : $text;
    print STDERR 'Run: ' . join "\n", map({ UnixBench::Format::clean($_) } @lines), q{};
    return $status;
}

# Whoever does not read on has read enough; what can't be written anywhere is an error.
sub _say {
    my ($text) = @_;
    STDOUT->clearerr;
    my $is_said = print STDOUT $text;
    $is_said = STDOUT->flush && $is_said;
    return DONE if $is_said || $!{EPIPE};
    return _complain("can't write to standard output: $!\n", FAILED);
}

# A word as a shell takes it.
sub _quoted {
    my ($word) = @_;
    return $word if $word !~ m{[^\w./+:@-]};
    return q{'} . $word   =~ s/'/'\\''/gr . q{'};
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
