package UnixBench::Call::Request;

# The context of a run: all that is known before it measures. This is the machine, the baseline, the plan, and the facts
# about them that belong into the result.

use strict;
use warnings;

use Cwd            ();
use File::Basename qw(basename);
use List::Util     ();
use POSIX          ();

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::Clock           ();
use UnixBench::Base::Files           ();
use UnixBench::Base::Format          qw(shown);
use UnixBench::Base::ResultSchema    ();
use UnixBench::Base::SafeRead        ();
use UnixBench::CLI::Environment      ();
use UnixBench::Catalog               ();
use UnixBench::Compare::Published    ();
use UnixBench::Host::Facts           ();
use UnixBench::Host::Machine         ();
use UnixBench::Plan::Baseline        ();
use UnixBench::Plan::Plan            ();
use UnixBench::Plan::ResourceCheck   ();
use UnixBench::Plan::UserLoad        ();
use UnixBench::Process::Command      ();
use UnixBench::Report::Notes         ();
use UnixBench::Setup::Build          ();
use UnixBench::Store::Redaction      ();
use UnixBench::Store::SystemFiles    ();
use UnixBench::Store::SystemIdentity ();
use UnixBench::Version               ();

# The defaults of a quick run.
use constant { PRECISION => 0.01, MAX_TIME_S => 120, SEED_MAX => 999_999_999 };

use constant BASELINE_MB => 1;    # the limit of index.base

# With --no-identity, reports have these names instead of directories.
use constant ANONYMOUS => { bindir => 'pgms', tmpdir => 'tmp', resultdir => 'results', testdir => 'testdir' };

# Takes home, options, settings and perhaps host (UnixBench::Host::Machine) and facts (UnixBench::Host::Facts); the
# default is this machine.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(home options settings host facts));
    $given->{host} ||= UnixBench::Host::Machine->new(run => \&UnixBench::Process::Command::output_of);
    return bless { %$given, directory => Cwd::getcwd() // q{/} }, $class;
}

# Return the checked options and the settings of the environment, see UnixBench::CLI::Options and
# UnixBench::CLI::Environment.
sub options  { my ($self) = @_; return $self->{options} }
sub settings { my ($self) = @_; return $self->{settings} }

# Returns the directory in which the user has called Run. A run leaves it.
sub directory { my ($self) = @_; return $self->{directory} }

# Returns the number of CPUs that the tests may use, at least 1.
sub cpu_count { my ($self) = @_; return $self->{cpu_count} ||= $self->{host}->usable_cpus }

# Returns the plan. Without -c it has a run with one copy. If there are several CPUs and a test can use them, it also
# has a run with one copy for each CPU.
sub plan { my ($self) = @_; return $self->{plan} ||= $self->_plan }

sub _plan {
    my ($self) = @_;
    my ($options, $settings) = @$self{qw(options settings)};
    my ($copies, $tests)     = @$options{qw(copies tests)};
    my $plan = UnixBench::Plan::Plan::make(
        copies     => @$copies ? $copies : [UnixBench::Plan::Plan::usual_copies($self->cpu_count, @$tests)],
        tests      => $tests,
        iterations => $options->{iterations},
        timeout_s  => $options->{timeout_s},
        factor     => $settings->{factor},
        quick      => scalar $self->quick,
        load       => scalar $self->load,
        observe    => defined $options->{observe},
        words      => { (map { $_ => $settings->{$_} } qw(bindir tmpdir)), stand_ins => $self->_stand_ins },
        display    => scalar $self->{host}->display,
        is_there   => sub { $_[0] =~ m{/} ? -e $_[0] : $self->{host}->has_program($_[0]) },
    );
    return $plan if !UnixBench::Plan::Plan::is_kept_in_time($plan) || defined $options->{max_time_s};
    $plan->{quick}{max_time_s} = List::Util::max(MAX_TIME_S, POSIX::ceil(UnixBench::Plan::Plan::least_s($plan)));
    return $plan;
}

# Returns { execl => "execl.static" } if this system can't start the dynamically linked execl, and a statically linked
# one is there: a static release has both.
sub _stand_ins { my ($self) = @_; return $self->{stand_ins} ||= $self->_find_stand_ins }

sub _find_stand_ins {
    my ($self) = @_;
    my $usual = "$self->{settings}{bindir}/execl";
    return {} if !-x "$usual.static" || defined UnixBench::Process::Command::output_of([$usual, '-n', 1]);
    return { execl => 'execl.static' };
}

# Dies with one line if the time limit of a quick run is too short for three rounds.
sub check_time {
    my ($self) = @_;
    my $limit_s = $self->{options}{max_time_s};
    return if !defined $limit_s || !UnixBench::Plan::Plan::is_kept_in_time($self->plan);
    my $least_s = UnixBench::Plan::Plan::least_s($self->plan);
    return if $limit_s >= $least_s;
    my ($given, $least) = (UnixBench::Plan::Plan::limit($limit_s), POSIX::ceil($least_s));
    die "option --max-time: $given is too short for three rounds of these tests; use --max-time ${least}s or more\n";
}

# Returns the goals of a quick run, { seed, precision, max_time_s }, or undef for an official one.
sub quick {
    my ($self) = @_;
    my $options = $self->{options};
    return if !$options->{quick};
    return $self->{quick} ||= {
        seed       => $options->{seed}       // 1 + int rand SEED_MAX,
        precision  => $options->{precision}  // PRECISION,
        max_time_s => $options->{max_time_s} // MAX_TIME_S,
    };
}

# Returns the load of the multi-user test, see UnixBench::Plan::UserLoad, or undef without that test.
sub load {
    my ($self) = @_;
    my ($options, $settings) = @$self{qw(options settings)};
    return if !grep { UnixBench::Catalog::test($_)->{has_users} } @{ $options->{tests} };
    my $path = $options->{script} // "$settings->{testdir}/" . UnixBench::Plan::UserLoad::SCRIPT;
    return $self->{load} ||= UnixBench::Plan::UserLoad::of(
        $options,
        script    => UnixBench::Plan::UserLoad::script($path),
        cpu_count => $self->cpu_count,
        factor    => $settings->{factor},
    );
}

# Returns the plan in words.
sub plan_in_words { my ($self) = @_; return UnixBench::Plan::Plan::describe($self->plan) }

# Returns the parsed baseline. If it can't be read, returns an empty one and stores a warning.
sub baseline {
    my ($self) = @_;
    return $self->{baseline} if $self->{baseline};
    ($self->{baseline}, my $why_not) = $self->_read_baseline;
    push @{ $self->{warnings} }, "$why_not; there will be scores, but no indexes\n" if defined $why_not;
    return $self->{baseline};
}

sub _read_baseline {
    my ($self)   = @_;
    my $path     = "$self->{settings}{bindir}/index.base";
    my $baseline = eval {
        UnixBench::Plan::Baseline::parse(UnixBench::Base::SafeRead::text($path, sub { BASELINE_MB }));
    };
    return $baseline if $baseline;
    chomp(my $why_not = $@);
    return ({}, $why_not);
}

# Returns a result without runs. With --no-identity, it has no names.
sub result {
    my ($self) = @_;
    my $build = UnixBench::Setup::Build->new(dir => $self->{home});
    my ($options, $settings) = @$self{qw(options settings)};
    my $result = {
        schema       => UnixBench::Base::ResultSchema::SCHEMA,
        version      => $UnixBench::Version::VERSION,
        procedure    => $self->_procedure,
        asked        => $options->{asked},
        is_brief     => $options->{brief} ? 1 : 0,
        utc_offset_s => UnixBench::Base::Clock::utc_offset_s(time),
        host         => { %{ $self->{host}->facts }, cpu_quota => scalar $self->{host}->quota },
        language     => $self->{host}->language(UnixBench::CLI::Environment::LANGUAGE),
        build        => scalar $build->record($settings->{bindir}, $self->_stand_ins->{execl}),
        facts        => $self->_facts,
        runs         => [],
    };
    $result->{notes} = [UnixBench::Report::Notes::of($result)];
    my $redaction = $self->redaction or return $result;
    return $redaction->result($result);
}

# Returns the published results, see UnixBench::Compare::Published. If they can't be read, there are none.
sub published {
    my ($self) = @_;
    return $self->{published} ||= [eval { UnixBench::Compare::Published::results($self->{home}) }];
}

# Returns the redaction for --no-identity, or undef without this option.
sub redaction {
    my ($self) = @_;
    return if !$self->{options}{no_identity};
    my %directories = map { $self->{settings}{$_} => ANONYMOUS->{$_} } keys %{ ANONYMOUS() };
    my $script      = $self->{options}{script};
    my %instead     = (
        (defined $script ? ($script => 'scripts/' . basename($script)) : ()),
        $self->{home}       => q{.},
        ($ENV{HOME} // q{}) => q{~},
        %directories
    );
    my @absolute = grep { m{\A/} } keys %instead;
    my %real     = map  { (Cwd::abs_path($_) // $_) => $instead{$_} } @absolute;
    my %named    = map  { $_                        => $instead{$_} } @absolute;
    my @users    = (map({ scalar getpwuid $_ } $<, $>), @ENV{qw(USER LOGNAME SUDO_USER)});
    return UnixBench::Store::Redaction->new(
        host        => $self->{host}->name,
        users       => \@users,
        directories => { %real, %named }
    );
}

sub _facts {
    my ($self)   = @_;
    my $settings = $self->{settings};
    my $facts    = $self->_facts_of_machine;
    return {
        %{ $facts->facts },
        programs     => UnixBench::Store::SystemIdentity::digests($self->plan, $settings),
        system_files => $self->system_files->digests,
    };
}

# Returns the files of the system that the tests run.
sub system_files {
    my ($self) = @_;
    return $self->{system_files} ||= UnixBench::Store::SystemFiles->new(
        run      => \&UnixBench::Process::Command::output_of,
        path     => $ENV{PATH},
        plan     => $self->plan,
        settings => $self->{settings},
    );
}

# Returns the arguments of UnixBench::Trace::Tracer::find that describe this machine.
sub of_tracers {
    my ($self) = @_;
    return (has_program => sub { $self->{host}->has_program(@_) }, programs => "$self->{home}/share");
}

# Returns warnings before the tests run, each in a line.
sub warnings {
    my ($self)   = @_;
    my @warnings = map { $_->{text} } $self->shortcomings;
    my $quota    = $self->{host}->quota;
    my $count    = $self->cpu_count;
    push @warnings,
        sprintf "the CPU quota of a control group is %.2f of %d CPUs: scores of more copies are those of the quota\n",
        $quota, $count
        if defined $quota && $quota < $count;
    return (@warnings, $self->_warnings_of_start);
}

# Returns warnings about libraries and priorities that the measured programs inherit. With --no-identity, they have no
# paths.
sub _warnings_of_start {
    my ($self)   = @_;
    my $start    = $self->_facts_of_machine->process;
    my $is_named = !$self->{options}{no_identity};
    my @warnings;
    push @warnings, 'a program traces this one (' . shown($start->{tracer}) . "): scores will be far too low\n"
        if defined $start->{tracer};
    for my $place (
        [ld_preload   => 'LD_PRELOAD is set'],
        [ld_audit     => 'LD_AUDIT is set'],
        [preload_file => '/etc/ld.so.preload is not empty']
        )
    {
        my ($key, $what) = @$place;
        next if !defined $start->{$key};
        my $value = $is_named ? ' (' . shown($start->{$key}) . ')' : q{};
        push @warnings, "$what$value: the library runs inside every measured program, and scores may be wrong\n";
    }
    push @warnings, "the nice value is $start->{nice}, not 0: scores will differ from those of usual programs\n"
        if $start->{nice};
    push @warnings, "the scheduling class is $start->{class}, not SCHED_OTHER: scores are not comparable\n"
        if ($start->{class} // 'SCHED_OTHER') ne 'SCHED_OTHER';
    return @warnings;
}

sub _facts_of_machine {
    my ($self) = @_;
    return $self->{facts} ||= UnixBench::Host::Facts->new(
        run     => \&UnixBench::Process::Command::output_of,
        home    => $self->{home},
        tmpdir  => $self->{settings}{tmpdir},
        free_kb => sub { $self->{host}->space(@_)->{free_kb} },
    );
}

# Returns the shortcomings of this machine, each { kind => "no_index" or "no_sync", text => a line }.
sub shortcomings {
    my ($self) = @_;
    $self->baseline;
    my @shortcomings = map { +{ kind => 'no_index', text => $_ } } @{ $self->{warnings} || [] };
    push @shortcomings,
        { kind => 'no_sync', text => "there is no program sync: file systems can't be flushed before each pass\n" }
        if !$self->quick && !$self->{host}->has_program('sync');
    return @shortcomings;
}

# Takes a plan; dies with one line if this system does not allow its number of copies, or has no space for their files.
sub check_limits {
    my ($self, $plan) = @_;
    my @problems = $self->problems_of_limits($plan);
    die join('; ', @problems), "\n" if @problems;
    return;
}

# Takes a plan; returns the limits of this system that it exceeds, each in words.
sub problems_of_limits {
    my ($self, $plan) = @_;
    my $factor  = $self->{settings}{work_factor};
    my $limits  = $self->{host}->limits;
    my @demands = map { UnixBench::Plan::ResourceCheck::demand($plan, $_, $factor) } @{ $plan->{copies} };
    my $scratch = $self->_place(UB_TMPDIR    => 'tmpdir',    List::Util::max(map { $_->{scratch_kb} } @demands));
    my $reports = $self->_place(UB_RESULTDIR => 'resultdir', UnixBench::Plan::ResourceCheck::reports_kb($plan));
    if ($scratch->{is_in_memory}) {
        $_->{memory_kb} += $_->{scratch_kb} for @demands;
    }
    my @problems = map { UnixBench::Plan::ResourceCheck::problems_of_limits($_, $limits) } @demands;
    return (@problems, UnixBench::Plan::ResourceCheck::problems_of_space($scratch, $reports));
}

# Takes the environment variable of a directory, its key in the settings, and the space in KB that its files need.
# Returns the directory with its needed and its free space, see UnixBench::Plan::ResourceCheck.
sub _place {
    my ($self, $name, $key, $need_kb) = @_;
    my $path = $self->{settings}{$key};
    return { name => $name, path => $path, need_kb => $need_kb, %{ $self->{host}->space($path) } };
}

sub _procedure {
    my ($self) = @_;
    my $load = $self->load;
    return {
        %{ UnixBench::CLI::Environment::procedure($self->{settings}, scalar $self->quick, $load) },
        display      => $self->plan->{display},
        baseline     => $self->_kind_of_baseline,
        load_change  => scalar UnixBench::Plan::UserLoad::change($self->{options}, $load),
        replacements => [],
        resumptions  => [],
    };
}

sub _kind_of_baseline {
    my ($self) = @_;
    my $baseline = $self->baseline;
    return 'missing' if !%$baseline;
    return UnixBench::Plan::Baseline::is_official($baseline) ? 'official' : 'edited';
}

1;
