package UnixBench::Command::Measure::Steps;

# The steps of a measurement, of a new run or of a resumed one: the plan is checked, the run announced, the result
# delivered.

use strict;
use warnings;

use File::Basename qw(dirname);
use List::Util     qw(sum);

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Clock           ();
use UnixBench::Base::Files           ();
use UnixBench::Base::Text            qw(clean counted listed);
use UnixBench::CLI::Console          ();
use UnixBench::CLI::Environment      ();
use UnixBench::CLI::Options          ();
use UnixBench::Call::Output          ();
use UnixBench::Call::Request         ();
use UnixBench::Call::ThisMachine     ();
use UnixBench::Catalog               ();
use UnixBench::Host::FactList        ();
use UnixBench::Measure::Session      ();
use UnixBench::Plan                  ();
use UnixBench::Process::Command      ();
use UnixBench::Store::EarlierRuns    ();
use UnixBench::Store::Journal        ();
use UnixBench::Store::OutputFiles    ();
use UnixBench::Store::SystemIdentity ();
use UnixBench::Version               ();

use constant TO_DO => '; resume it where and as it began, or start it again';

# Takes context (UnixBench::Call::Request), console (UnixBench::CLI::Console) and declaration (that of measuring). For a
# resumed run, also takes earlier: the arguments of UnixBench::Measure::Session for its first part. Dies with one line
# if the run will not have what is asked of it.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(context console declaration earlier));
    $given->{context}->judge->check;
    return bless { %$given, began_s => UnixBench::Base::Clock->new->monotonic_s }, $class;
}

# Takes call (UnixBench::Call), base => the path that the files of the run have in common, and declaration (see
# UnixBench::Command) => that of measuring. Returns an object for that unfinished run. Its context has the options and
# settings of that run. Dies with one line if the run can't be resumed.
sub resumed {
    my ($class, @given)             = @_;
    my ($call, $base, $declaration) = @{ named(\@given, qw(call base declaration)) }{qw(call base declaration)};
    my ($options, $home)            = ($call->found_options, $call->home);
    my $journal = UnixBench::Store::OutputFiles::opened_journal($base);
    my $so_far  = _read($journal, $base);
    my $head    = $so_far->{head};
    delete @ENV{ UnixBench::CLI::Environment::variables() };
    %ENV = (%ENV, %{ $head->{environment} }, UB_RESULTDIR => dirname($base));
    my $lasting = UnixBench::CLI::Options::parse($declaration, [@{ $head->{words} }]);
    UnixBench::CLI::Options::check_resumed($declaration, $options, $lasting);
    my %places  = (home => $home, settings => UnixBench::CLI::Environment::read_from(\%ENV, $home));
    my $context = UnixBench::Call::Request->new(
        %places,
        options => UnixBench::CLI::Options::resumed($declaration, $options, $lasting),
        machine => UnixBench::Call::ThisMachine->new(%places),
    );
    my ($plan, $present) = ($context->plan, $context->result);
    my @misfits = _misfits($head, $context, $present);
    die "can't resume $base.journal: @misfits\n" if @misfits;
    truncate $journal, $so_far->{size};    # without the incomplete end that a full disk or a power failure leaves
    my %earlier = (result => { %{ $head->{result} }, runs => [] }, base => $base, journal => $journal);
    my $self    = $class->new(
        context     => $context,
        console     => $call->console,
        declaration => $declaration,
        earlier     => { %earlier, so_far => $so_far, present => $present },
    );
    $self->_inform('Resumed: ' . _progress($plan, $so_far) . "\n");
    return $self;
}

# Dies with one line if it is damaged, or if another version began the run.
sub _read {
    my ($journal, $base) = @_;
    my $so_far = eval { UnixBench::Store::Journal::read_text(UnixBench::Store::OutputFiles::text_of($journal)) };
    die "can't resume $base.journal: $@" if !$so_far;
    my $version = $so_far->{head}{fingerprint}{version} // q{};
    die "can't resume $base.journal: " . UnixBench::Store::Journal::other_version($version)
        if $version ne $UnixBench::Version::VERSION;
    return $so_far;
}

sub _misfits {
    my ($head, $context, $result) = @_;
    my ($plan, $settings) = ($context->plan, $context->settings);
    my $now     = UnixBench::Store::SystemIdentity::take($plan, $result, $context->machine->cpu_count, $settings);
    my @files   = UnixBench::Store::SystemIdentity::differences($head->{fingerprint}, $now);
    my @changes = grep { $plan->{experiment} || $_->{meaning} eq 'decides' }
        UnixBench::Host::FactList::changes($head->{result}, $result);
    my @misfits = map { clean($_) } (map { UnixBench::Host::FactList::change_in_words($_) } @changes), @files;
    return @misfits ? join('; ', @misfits) . (@changes ? TO_DO : q{}) : ();
}

sub _progress {
    my ($plan, $so_far) = @_;
    my $made = map { @$_ } map { values %{ $_->{passes} } } @{ $so_far->{runs} };
    return counted($made, 'pass is', 'passes are') . ' done' if $plan->{quick};
    my @planned = map { UnixBench::Plan::measured($plan, $_) } @{ $plan->{copies} };
    return "$made of " . counted(sum(0, map { $_->{passes_wanted} } @planned), 'pass', 'passes') . ' are done';
}

# Measures and delivers the result. Returns the outcome: "done", "failed", "test failed", "wrong usage", "not met" or
# "inconclusive". After an interruption, dies of the signal.
sub run {
    my ($self) = @_;
    my $refused = $self->_refused_run;
    return $refused if $refused;
    my $session = $self->_begin;
    $refused = $self->_refused(scalar $session->refusal);
    return $self->{context}->judge->decides_alone ? 'test failed' : $refused if $refused;    # skip this commit
    $self->_announce($session);
    my $text   = $session->measure;
    my @lines  = ($session->problems, $session->notices);
    my $resume = $session->is_whole || !$session->is_kept ? undef : $self->_how_to_resume($session);
    my @lacking;

    for my $extra (@{ $self->{context}->plan->{extras} }) {
        my ($problem) = grep { defined } map { $extra->problem($_) } $session->results;
        push @lacking, $problem // ();
    }
    my @failed   = $session->failure;
    my @problems = ($session->problems, @lacking, @failed);
    my $outcome  = 'failed';
    if (defined $text) {
        my %output = (text => $text, lines => \@lines, resume => $resume, problems => \@problems, is_new => 1);
        $outcome = UnixBench::Call::Output->new((map { $_ => $self->{$_} } qw(context console)),
            (map { $_ => $session->$_ } qw(view base is_whole)), %output)->deliver;
    }
    else { $self->{console}->complain($_) for @lines, $resume // () }    # the result contradicts itself
    my $signal = $session->interrupted;
    UnixBench::Process::Command::die_of($signal) if defined $signal;
    return 'failed' if @problems > @failed || $outcome eq 'failed';
    return @failed ? 'test failed' : $outcome;
}

# Prints warnings, and makes the last checks: the time limit of a quick run, and how it is judged. Returns
# "wrong usage" if the run is refused, else nothing.
sub _refused_run {
    my ($self) = @_;
    my $context = $self->{context};
    return $self->_refused($@) if !$self->{earlier} && !eval { $context->check_time; 1 };
    $self->{console}->complain($_) for $context->warnings;
    my $complain = sub { $self->{console}->complain(@_) };
    return $self->_refused(scalar $context->judge->refusal($complain, sub { $self->_result }));
}

sub _refused {
    my ($self, $error) = @_;
    return if !defined $error;
    $self->{console}->refuse($error);
    return 'wrong usage';
}

sub _begin {
    my ($self) = @_;
    my $context = $self->{context};
    $context->machine->check_limits($context->plan);
    UnixBench::CLI::Environment::check_directories($context->settings);
    %ENV = %{ UnixBench::CLI::Environment::for_tests(\%ENV, $context->settings) };
    my $parts = UnixBench::Plan::parts($context->plan);
    UnixBench::Store::EarlierRuns::load();
    UnixBench::Call::Output::load($context->options, $parts, $context->settings);
    my $session = $self->_session;
    $session->begin;
    return $session;
}

sub _session {
    my ($self) = @_;
    my $context = $self->{context};
    my ($options, $settings, $plan) = ($context->options, $context->settings, $context->plan);
    my $is_decided = $self->is_decided;
    return UnixBench::Measure::Session->new(
        result => $self->_result,
        %{ $self->{earlier} || $self->_first_part },
        plan        => $plan,
        clock       => UnixBench::Base::Clock->new,
        settings    => $settings,
        environment => UnixBench::CLI::Environment::as_environment($settings),
        baseline    => $context->machine->baseline,
        cpu_count   => $context->machine->cpu_count,
        x_server    => scalar $context->machine->host->x_server_pid,
        redaction   => scalar $context->redaction,
        published   => $context->machine->published,
        as_it_is    => sub { $self->_as_it_is(@_) },
        is_decided  => $is_decided,
        listeners   => [(map { $_->listeners } $options->{quiet} ? () : $self->_shown_progress), $self->_listener],
    );
}

# Takes a result without runs; returns it with the facts of this moment. With --no-identity, the host has no name.
sub _as_it_is {
    my ($self, $result) = @_;
    my $now = $self->{context}->machine->as_it_is($result);
    $now->{host}{name} = $result->{host}{name} if $self->{context}->options->{no_identity};
    return $now;
}

# Returns the function that takes the result and its unfinished run, and returns whether more passes would not change
# the verdicts.
sub is_decided {
    my ($self)     = @_;
    my $judge      = $self->{context}->judge;
    my $experiment = $judge->decides_alone ? undef : $self->{context}->plan->{experiment};
    return sub { (!$experiment || $experiment->is_decided($_[1])) && $judge->is_decided(@_) };
}

sub _first_part {
    my ($self)  = @_;
    my $context = $self->{context};
    my $plan    = $context->plan;
    my %seed    = $plan->{quick} ? (seed => $plan->{quick}{seed}) : ();
    my @words   = UnixBench::CLI::Options::lasting_words($self->{declaration},
        { %{ $context->options }, copies => $plan->{copies}, %seed });
    return { words => \@words, began_s => $self->{began_s} };
}

sub _result {
    my ($self) = @_;
    return $self->{earlier} ? $self->{earlier}{result} : $self->{result} ||= $self->{context}->result;
}

sub _inform {
    my ($self, $text) = @_;
    return $self->{context}->options->{quiet} || $self->{console}->inform($text);
}

sub _opening {
    my ($self, $base)        = @_;
    my ($context, $settings) = ($self->{context}, $self->{context}->settings);
    my @places = (@$settings{qw(bindir testdir tmpdir)}, $base);
    my ($bindir, $testdir, $tmpdir, $reports) = map { clean($context->shown_path($_)) } @places;
    my @lines = ("Programs from $bindir, started in $testdir", "Scratch files in $tmpdir, reports in $reports");
    my $logo  = UnixBench::Base::Files::content("$settings->{bindir}/unixbench.logo") // q{};
    return join q{}, $logo, (map { "$_\n" } @lines), $context->options->{verbose} ? "\n" . $context->plan_in_words : ();
}

sub _announce {
    my ($self, $session) = @_;
    my $console = $self->{console};
    $self->_inform($self->_opening($session->base));
    $console->complain($_)
        for grep { defined && !$session->interrupted } _other_runs($session->other_runs),
        map { $_->announcement($session->result) } @{ $self->{context}->plan->{extras} };
    return;
}

sub _other_runs {
    my (@pids) = @_;
    return if !@pids;
    my $runs = @pids == 1 ? "another Run (process @pids) is" : 'other Runs (processes ' . listed(@pids) . ') are';
    return "on this machine, $runs measuring, too: the scores of all will be too low; measure one after the other\n";
}

sub _how_to_resume {
    my ($self, $session) = @_;
    my @words = ($session->base, UnixBench::CLI::Options::output_words($self->{context}->options));
    return join(q{ },
        'the finished passes are kept; to resume: ./Run --resume',
        map { UnixBench::CLI::Console::quoted($_) } @words)
        . "\n";
}

sub _listener {
    my ($self) = @_;
    my $console = $self->{console};
    return {
        waiting    => sub { $console->complain($_[0]) },
        test_done  => sub { $console->complain($_) for _errors_of_test(@_) },
        extra_done => sub {
            my ($test, $run, $extra) = @_[0, 1, -1];
            $console->complain($_) for grep { defined } $extra->complaint($test, $run);
        },
    };
}

sub _errors_of_test {
    my ($test, $run) = @_;
    my @errors = UnixBench::Catalog::complaints($test);
    my $state  = UnixBench::Plan::in_state($run);
    unshift @errors, "$test->{reason}; aborting this test" if $test->{status} eq 'failed';
    return map { "\"$test->{title}\"$state: $_\n" } @errors;
}

# Returns the object that shows the progress: on standard output or, for a quick run, on standard error.
sub _shown_progress {
    my ($self) = @_;
    my ($plan, $is_verbose) = ($self->{context}->plan, $self->{context}->options->{verbose});
    my $out      = $plan->{quick} ? \*STDERR : \*STDOUT;
    my $can_draw = POSIX::isatty(fileno $out) && UnixBench::CLI::Console::has_controls();
    if ($can_draw && !$is_verbose) {
        require UnixBench::Progress::Live;
        return UnixBench::Progress::Live->new(out => $out, plan => $plan);
    }
    require UnixBench::Progress::Plain;
    return UnixBench::Progress::Plain->new(
        out        => $out,
        is_verbose => $is_verbose,
        map { $_ => $plan->{$_} } qw(quick pace)
    );
}

1;
