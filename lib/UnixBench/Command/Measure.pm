package UnixBench::Command::Measure;

# All that a run needs before it can begin, for one that begins anew and for one that is gone on with.

use strict;
use warnings;

use UnixBench::Base::Clock         ();
use UnixBench::Base::Files         ();
use UnixBench::Base::Format        qw(clean);
use UnixBench::CLI::Environment    ();
use UnixBench::CLI::Options        ();
use UnixBench::Command::RunContext ();
use UnixBench::Measure::Resume     ();
use UnixBench::Measure::Session    ();
use UnixBench::Plan::Plan          ();
use UnixBench::Progress::Observing ();
use UnixBench::Progress::Terminal  ();

# Takes a survey; returns the measuring of its plan.
sub anew {
    my ($class, $survey) = @_;
    my $began_s = UnixBench::Base::Clock->new->monotonic_s;
    my $plan    = $survey->plan;
    my %seed    = $plan->{quick} ? (seed => $plan->{quick}{seed}) : ();
    my @words   = UnixBench::CLI::Options::lasting_words({ %{ $survey->{options} }, copies => $plan->{copies}, %seed });
    my %what    = (plan => $plan, result => $survey->result, words => \@words, began_s => $began_s);
    return bless { survey => $survey, what => \%what }, $class;
}

# Takes home, options and settings of someone who wants to go on with a run; returns that, with the run's own options
# and settings, as if those were given now. Dies with one line when there is no such run, or it can't be gone on with.
sub resumed {
    my ($class, $home, $options, $settings) = @_;
    my $resumption = UnixBench::Measure::Resume->new(directory => $settings->{resultdir}, name => $options->{resume});
    delete @ENV{ UnixBench::CLI::Environment::variables() };
    %ENV = (%ENV, %{ $resumption->environment });
    my $survey = UnixBench::Command::RunContext->new(
        home     => $home,
        options  => UnixBench::CLI::Options::resumed($options, UnixBench::CLI::Options::parse($resumption->words)),
        settings => UnixBench::CLI::Environment::read_from(\%ENV, $home),
    );
    my $plan = $survey->plan;
    $resumption->check($plan, $survey->result, $survey->cpu_count, $survey->{settings});
    my %what = (plan => $plan, $resumption->continuation);
    return bless { survey => $survey, what => \%what, progress => $resumption->progress($plan) }, $class;
}

# What is known before: see UnixBench::Command::RunContext.
sub survey { my ($self) = @_; return $self->{survey} }

# The result, without runs until they are measured.
sub result { my ($self) = @_; return $self->{what}{result} }

# What there was of a run that is gone on with, in words, or undef.
sub progress { my ($self) = @_; return $self->{progress} }

# Takes a function that tells whether all that is required of a run is decided, see UnixBench::Measure::Session, and
# functions that the runner is to call, see UnixBench::Measure::Runner; returns a session that has begun. Dies with one
# line when this machine does not allow it.
sub begin {
    my ($self, $is_decided, @listeners) = @_;
    my ($survey,  $what)     = @$self{qw(survey what)};
    my ($options, $settings) = @$survey{qw(options settings)};
    $survey->check_limits($what->{plan});
    UnixBench::CLI::Environment::check_directories($settings);
    %ENV = %{ UnixBench::CLI::Environment::for_tests(\%ENV, $settings) };
    my $session = UnixBench::Measure::Session->new(
        %$what,
        clock       => UnixBench::Base::Clock->new,
        settings    => $settings,
        environment => UnixBench::CLI::Environment::as_environment($settings),
        baseline    => $survey->baseline,
        cpu_count   => $survey->cpu_count,
        redaction   => scalar $survey->redaction,
        is_decided  => $is_decided,
        find_tracer => $what->{plan}{is_observed} ? _finder($survey) : undef,
        with_rows   => $options->{rows},
        listeners   => [(map { $_->listeners } $options->{quiet} ? () : $self->_progress($is_decided)), @listeners],
    );
    $self->{base} = $session->begin;
    return $session;
}

# What is used in some runs only is loaded for those, so that others need less memory while they measure.
sub _finder {
    my ($survey) = @_;
    require UnixBench::Trace::Tracer;
    return sub { UnixBench::Trace::Tracer::find(@_, $survey->of_tracers) };
}

# What is shown meanwhile: in a quick run on standard error.
sub _progress {
    my ($self, $is_decided) = @_;
    my ($plan, $is_verbose) = ($self->{what}{plan}, $self->{survey}{options}{verbose});
    my $out       = $plan->{quick} ? \*STDERR : \*STDOUT;
    my $terminal  = $is_verbose    ? undef    : UnixBench::Progress::Terminal->on($out, \%ENV);
    my $observing = UnixBench::Progress::Observing->new(plan => $plan, terminal => $terminal, out => $out);
    return ($self->_progress_on($terminal, $is_decided), $observing) if $terminal;
    require UnixBench::Progress::Plain;
    require UnixBench::Progress::Rounds;
    my $kind = $plan->{quick} ? 'UnixBench::Progress::Rounds' : 'UnixBench::Progress::Plain';
    return ($kind->new(out => $out, is_verbose => $is_verbose, quick => $plan->{quick}), $observing);
}

sub _progress_on {
    my ($self, $terminal, $is_decided) = @_;
    my ($plan, $result) = @{ $self->{what} }{qw(plan result)};
    my %with = (terminal => $terminal, plan => $plan, quick => $plan->{quick});
    if (!$plan->{quick}) {
        require UnixBench::Progress::Estimate;
        require UnixBench::Progress::Live;
        return UnixBench::Progress::Live->new(%with, estimate => UnixBench::Progress::Estimate->new(plan => $plan));
    }
    require UnixBench::Progress::LiveRounds;
    require UnixBench::Progress::RoundsEstimate;
    my $is_run_decided = sub { $is_decided->($result, @_) };
    my $estimate       = UnixBench::Progress::RoundsEstimate->new(plan => $plan, is_decided => $is_run_decided);
    return UnixBench::Progress::LiveRounds->new(%with, estimate => $estimate);
}

# The path that all reports have in common; undef where that is not known before it has begun.
sub base {
    my ($self) = @_;
    my ($directory, $name) = @{ $self->{survey}{settings} }{qw(resultdir output_name)};
    return $self->{base} // $self->{what}{base} // (defined $name ? "$directory/$name" : undef);
}

# What is shown then: logo, directories and, when verbose, the plan.
sub opening {
    my ($self) = @_;
    my ($options, $settings) = @{ $self->{survey} }{qw(options settings)};
    my ($bindir, $testdir, $tmpdir, $base) = map { clean($_) } @$settings{qw(bindir testdir tmpdir)}, $self->{base};
    my $logo = UnixBench::Base::Files::content("$settings->{bindir}/unixbench.logo") // q{};
    return join q{}, $logo,
        "Programs from $bindir, started in $testdir\n",
        "Scratch files in $tmpdir, reports in $base\n",
        $options->{verbose} ? "\n" . UnixBench::Plan::Plan::describe($self->{what}{plan}) : ();
}

1;
