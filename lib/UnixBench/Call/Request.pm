package UnixBench::Call::Request;

# What a call asks for: the options and settings; the plan and the empty result that follow from them on this machine;
# and its requirements on the run or on an existing result, with the criteria that follow from them.

use strict;
use warnings;

use Cwd            ();
use File::Basename qw(basename);
use List::Util     ();
use POSIX          ();

use UnixBench::Accept::Acceptance  ();
use UnixBench::Accept::Bisection   ();
use UnixBench::Accept::Requirement ();
use UnixBench::Base::Arguments     qw(named);
use UnixBench::Base::Clock         ();
use UnixBench::Base::ResultSchema  ();
use UnixBench::Base::Text          qw(clean);
use UnixBench::Base::Time          ();
use UnixBench::CLI::Environment    ();
use UnixBench::Catalog             ();
use UnixBench::Compare::Kind       ();
use UnixBench::Plan::Extra         ();
use UnixBench::Features            qw(loaded);
use UnixBench::Plan::Plan          ();
use UnixBench::Report::Notes       ();
use UnixBench::Score::Estimate     ();
use UnixBench::Setup::Build        ();
use UnixBench::Store::Redaction    ();
use UnixBench::Store::Summary      ();
use UnixBench::Version             ();

# The defaults of a quick run: the precision of an index and of a ratio, and the time limit for each state.
use constant { PRECISION => 0.02, PRECISION_OF_RATIO => 0.01, MAX_TIME_S => 60, SEED_MAX => 999_999_999 };

# With --no-identity, reports have these names instead of directories.
use constant ANONYMOUS => { bindir => 'pgms', tmpdir => 'tmp', resultdir => 'results', testdir => 'testdir' };

# Takes home, options, settings and machine => UnixBench::Call::ThisMachine.
sub new {
    my ($class, @given) = @_;
    return bless { %{ named(\@given, qw(home options settings machine)) }, directory => Cwd::getcwd() // q{/} }, $class;
}

# Return the checked options and the settings of the environment, see UnixBench::CLI::Options and
# UnixBench::CLI::Environment.
sub options  { my ($self) = @_; return $self->{options} }
sub settings { my ($self) = @_; return $self->{settings} }

# Returns what is known of the machine.
sub machine { my ($self) = @_; return $self->{machine} }

# Returns the directory in which the user has called Run. A run leaves it.
sub directory { my ($self) = @_; return $self->{directory} }

# Returns the plan. Without -c it has a run with one copy. If there are several CPUs and a test can use them, it also
# has a run with one copy for each CPU, which is the number that "-c all" means.
sub plan { my ($self) = @_; return $self->{plan} ||= $self->_plan }

sub _plan {
    my ($self) = @_;
    my ($options, $settings) = @$self{qw(options settings)};
    my $plan = UnixBench::Plan::Plan::make(
        copies     => [$self->_copies],
        tests      => $options->{tests},
        iterations => $options->{iterations},
        timeout_s  => $options->{timeout_s},
        factor     => $settings->{factor},
        quick      => scalar $self->quick,
        under      => $options->{under},
        load       => scalar $self->load,
        extras     => [UnixBench::Plan::Extra::asked($options, sub { $self->{machine}->host->has_program(@_) })],
        words      => { (map { $_ => $settings->{$_} } qw(bindir tmpdir)), stand_ins => $self->{machine}->stand_ins },
        display    => scalar $self->{machine}->host->display,
        is_there   => sub { $_[0] =~ m{/} ? -e $_[0] : $self->{machine}->host->has_program($_[0]) },
    );
    return $plan if !UnixBench::Plan::Plan::is_kept_in_time($plan) || defined $options->{max_time_s};
    my $least_s = POSIX::ceil(UnixBench::Plan::Plan::least_s($plan));
    UnixBench::Plan::Plan::limit_time($plan, List::Util::max($self->quick->{max_time_s}, $least_s));
    return $plan;
}

# Returns the numbers of copies. The number that "all" means comes once.
sub _copies {
    my ($self)  = @_;
    my @given   = @{ $self->{options}{copies} };
    my $cpus    = $self->{machine}->cpu_count;
    my %is_made = map { $_ => 1 } @given;
    return UnixBench::Plan::Plan::usual_copies($cpus, @{ $self->{options}{tests} }) if !@given;
    return map { $_ ne 'all' ? $_ : $is_made{$cpus}++ ? () : $cpus } @given;
}

# Dies with one line if the time limit of a quick run is too short for the rounds that it has to allow.
sub check_time {
    my ($self) = @_;
    my $limit_s = $self->{options}{max_time_s};
    return if !defined $limit_s || !UnixBench::Plan::Plan::is_kept_in_time($self->plan);
    my $least_s = UnixBench::Plan::Plan::least_s($self->plan);
    return if $limit_s >= $least_s;
    my ($given, $least) = (UnixBench::Base::Time::limit_in_brief($limit_s), POSIX::ceil($least_s));
    my $rounds = UnixBench::Plan::Plan::rounds_allowed($self->plan);
    die "option --max-time: $given is too short for $rounds rounds of these tests; use --max-time ${least}s or more\n";
}

# Returns the goals of a quick run, { seed, precision, max_time_s }, or undef for an official one. With --bisect, only
# the verdict matters, so no precision is wanted.
sub quick {
    my ($self) = @_;
    my $options = $self->{options};
    return if !$options->{quick};
    my $others = @{ $options->{under} || [] };
    return $self->{quick} ||= {
        seed       => $options->{seed}       // 1 + int rand SEED_MAX,
        max_time_s => $options->{max_time_s} // MAX_TIME_S * (1 + $others),
        $options->{bisect}
        ? ()
        : (precision => $options->{precision} // ($others ? PRECISION_OF_RATIO : PRECISION)),
    };
}

# Returns the load of the tests, see UnixBench::Catalog, or undef if they have none.
sub load {
    my ($self) = @_;
    my $module = $self->_module_of_load // return;
    return $self->{load} ||= $module->can('asked')->(
        $self->{options},
        testdir   => $self->{settings}{testdir},
        cpu_count => $self->{machine}->cpu_count,
        factor    => $self->{settings}{factor},
    );
}

# Returns the package of the module of the load, or undef.
sub _module_of_load {
    my ($self)   = @_;
    my ($module) = grep { defined } map { UnixBench::Catalog::test($_)->{load} } @{ $self->{options}{tests} };
    return defined $module ? loaded($module) : undef;
}

# Returns the plan in words.
sub plan_in_words { my ($self) = @_; return UnixBench::Plan::Plan::describe($self->plan) }

# Returns a result without runs. With --no-identity, it has no names.
sub result {
    my ($self) = @_;
    my $build = UnixBench::Setup::Build->new(dir => $self->{home});
    my ($options, $settings) = @$self{qw(options settings)};
    my $result = {
        schema       => UnixBench::Base::ResultSchema::SCHEMA,
        version      => $UnixBench::Version::VERSION,
        procedure    => $self->procedure,
        asked        => $options->{asked},
        is_brief     => $options->{brief} ? 1 : 0,
        utc_offset_s => UnixBench::Base::Clock::utc_offset_s(time),
        host         => { %{ $self->{machine}->host->facts }, cpu_quota => scalar $self->{machine}->host->quota },
        language     => $self->{machine}->host->language(UnixBench::CLI::Environment::LANGUAGE),
        build        => scalar $build->record($settings->{bindir}, $self->{machine}->stand_ins->{execl}),
        facts        => $self->{machine}->facts($self->plan),
        labels       => $options->{labels} && { map { split /=/, $_, 2 } @{ $options->{labels} } },
        runs         => [],
    };
    $result->{notes} = [UnixBench::Report::Notes::of($result)];
    my $redaction = $self->redaction or return $result;
    return $redaction->result($result);
}

# Returns the redaction for --no-identity, or undef without this option.
sub redaction {
    my ($self) = @_;
    return if !$self->{options}{no_identity};
    my %directories = map { $self->{settings}{$_} => ANONYMOUS->{$_} } keys %{ ANONYMOUS() };
    my @files       = map { @{ $_->{files} } } $self->load // ();
    my %instead     = (
        (map { $_ => 'scripts/' . basename($_) } @files),
        $self->{home}       => q{.},
        ($ENV{HOME} // q{}) => q{~},
        %directories
    );
    my @absolute = grep { m{\A/} } keys %instead;
    my %real     = map  { (Cwd::abs_path($_) // $_) => $instead{$_} } @absolute;
    my %named    = map  { $_                        => $instead{$_} } @absolute;
    my @users    = (map({ scalar getpwuid $_ } $<, $>), @ENV{qw(USER LOGNAME SUDO_USER)});
    return UnixBench::Store::Redaction->new(
        host        => $self->{machine}->host->name,
        users       => \@users,
        directories => { %real, %named }
    );
}

# Returns warnings before the tests run, each in a line. With --no-identity, they have no paths.
sub warnings {
    my ($self) = @_;
    return $self->{machine}->warnings(is_quick => defined $self->quick, is_named => !$self->{options}{no_identity});
}

# Returns the procedure of the result, see Base/README.md.
sub procedure {
    my ($self)   = @_;
    my $settings = $self->{settings};
    my $load     = $self->load;
    return {
        kind        => $self->quick ? 'quick' : 'official',
        time_factor => $settings->{factor},
        work_factor => $settings->{work_factor},
        %{ $self->quick || {} },
        display     => $self->plan->{display},
        baseline    => $self->{machine}->kind_of_baseline,
        load_change => undef,
        $load ? %{ $self->_module_of_load->can('in_procedure')->($self->{options}, $load) } : (),
        replacements => [],
        resumptions  => [],
    };
}

# Reads the requirements on the run or, if a result is given, on that result. Dies with one line if a requirement names
# a file that can't be read, or something that the run, the result or the file does not have.
sub check_requirements {
    my ($self, $result) = @_;
    my $requirements = $self->{options}{requirements};
    return $self->{required} = { summaries => {}, criteria => [] } if !@$requirements;
    my $baseline = $self->{machine}->baseline;
    my $asked =
        $result
        ? UnixBench::Accept::Requirement::request_of(UnixBench::Store::Summary::of($result), $baseline)
        : {
        tests     => $self->{options}{tests},
        copies    => $self->plan->{copies},
        cpu_count => $self->{machine}->cpu_count,
        baseline  => $baseline
        };
    UnixBench::Accept::Requirement::check($requirements, $asked);
    my $summaries = _summaries(grep { defined } map { $_->{file} } @$requirements);
    my @criteria  = UnixBench::Accept::Requirement::of($requirements, $asked, $summaries);
    return $self->{required} = { asked => $asked, summaries => $summaries, criteria => \@criteria };
}

sub _required { my ($self) = @_; return $self->{required} || $self->check_requirements }

# Returns the criteria, see UnixBench::Accept::Requirement.
sub criteria { my ($self) = @_; return @{ $self->_required->{criteria} } }

# Returns { path => summary } of files. Loads the modules for this only if there are files: most runs have none, and so
# need less memory.
sub _summaries {
    my (@files) = @_;
    return {} if !@files;
    require UnixBench::Store::ResultFile;
    return { map { $_ => UnixBench::Store::ResultFile::summary($_) } @files };
}

# Takes a result and criteria; returns the cases, see UnixBench::Accept::Acceptance. With --bisect, their intervals are
# those of UnixBench::Accept::Bisection.
sub cases {
    my ($self, $result, @criteria) = @_;
    my $summary = UnixBench::Store::Summary::of($result);
    for my $number ($self->{options}{bisect} ? keys @{ $result->{runs} } : ()) {
        my $run = $result->{runs}[$number];
        local $UnixBench::Score::Estimate::COVERED =
            UnixBench::Accept::Bisection::confidence($run, scalar $self->criteria);
        my $own = UnixBench::Store::Summary::of({ %$result, runs => [$run] })->{runs}[0];
        $summary->{runs}[$number] = { %$own, covered => $UnixBench::Score::Estimate::COVERED };
    }
    return UnixBench::Accept::Acceptance::cases($result, $summary, @criteria);
}

# Takes the result and its unfinished run; returns whether all verdicts on this run are certain, so that more passes
# would not change them. Requirements without a value are left out: they will not get one later. A bisection only asks
# whether one is not met.
sub is_decided {
    my ($self, $result, $run) = @_;
    my @own = grep { $_->{copies} == $run->{copies} } $self->criteria or return 1;
    my @valued =
        grep { defined $_->{value} && !$_->{is_final} } $self->cases({ %$result, runs => [$run] }, @own);
    return 1 if $self->{options}{bisect} && UnixBench::Accept::Acceptance::has_unmet_requirement(@valued);
    return !UnixBench::Accept::Acceptance::has_open_requirement(@valued);
}

# Takes the result, perhaps without runs; returns why it can't be compared with the results that requirements name, or
# nothing. Results of different procedures can't be compared.
sub refusal {
    my ($self,  $result)    = @_;
    my ($asked, $summaries) = @{ $self->_required }{qw(asked summaries)};
    return if $self->{options}{force} || !%$summaries;
    my %own = (label => $asked->{is_result} ? 'this result' : 'this run', summary => _summary($asked, $result));
    for my $file (sort keys %$summaries) {
        my %other     = (label => $file, summary => $summaries->{$file});
        my @obstacles = UnixBench::Compare::Kind::obstacles(\%own, \%other) or next;
        return
              clean($file)
            . " can't be compared with $own{label}: "
            . join('; ', @obstacles)
            . "; use --force to compare them anyway\n";
    }
    return;
}

# Takes what is asked for and a result; returns its summary. A result without runs gets a run with the planned tests and
# their baselines.
sub _summary {
    my ($asked, $result) = @_;
    my $summary = UnixBench::Store::Summary::of($result);
    return $summary if @{ $summary->{runs} };
    my $baseline = $asked->{baseline};
    my @tests    = map {
        { name => $_, title => UnixBench::Catalog::test($_)->{title}, baseline => ($baseline->{$_} || {})->{score} }
    } @{ $asked->{tests} };
    return { %$summary, runs => [{ tests => \@tests }] };
}

1;
