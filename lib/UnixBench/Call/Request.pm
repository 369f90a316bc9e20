package UnixBench::Call::Request;

# What a call asks for: the options and settings, and the plan and the empty result that follow from them on this
# machine.

use strict;
use warnings;

use Cwd            ();
use File::Basename qw(basename);
use List::Util     ();
use POSIX          ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Clock        ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Time         ();
use UnixBench::CLI::Environment   ();
use UnixBench::Catalog            ();
use UnixBench::Plan::Plan         ();
use UnixBench::Plan::UserLoad     ();
use UnixBench::Report::Notes      ();
use UnixBench::Setup::Build       ();
use UnixBench::Store::Redaction   ();
use UnixBench::Version            ();

# The defaults of a quick run.
use constant { PRECISION => 0.01, MAX_TIME_S => 120, SEED_MAX => 999_999_999 };

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
# has a run with one copy for each CPU.
sub plan { my ($self) = @_; return $self->{plan} ||= $self->_plan }

sub _plan {
    my ($self) = @_;
    my ($options, $settings) = @$self{qw(options settings)};
    my ($copies, $tests)     = @$options{qw(copies tests)};
    my $plan = UnixBench::Plan::Plan::make(
        copies     => @$copies ? $copies : [UnixBench::Plan::Plan::usual_copies($self->{machine}->cpu_count, @$tests)],
        tests      => $tests,
        iterations => $options->{iterations},
        timeout_s  => $options->{timeout_s},
        factor     => $settings->{factor},
        quick      => scalar $self->quick,
        load       => scalar $self->load,
        observe    => defined $options->{observe},
        words      => { (map { $_ => $settings->{$_} } qw(bindir tmpdir)), stand_ins => $self->{machine}->stand_ins },
        display    => scalar $self->{machine}->host->display,
        is_there   => sub { $_[0] =~ m{/} ? -e $_[0] : $self->{machine}->host->has_program($_[0]) },
    );
    return $plan if !UnixBench::Plan::Plan::is_kept_in_time($plan) || defined $options->{max_time_s};
    $plan->{quick}{max_time_s} = List::Util::max(MAX_TIME_S, POSIX::ceil(UnixBench::Plan::Plan::least_s($plan)));
    return $plan;
}

# Dies with one line if the time limit of a quick run is too short for three rounds.
sub check_time {
    my ($self) = @_;
    my $limit_s = $self->{options}{max_time_s};
    return if !defined $limit_s || !UnixBench::Plan::Plan::is_kept_in_time($self->plan);
    my $least_s = UnixBench::Plan::Plan::least_s($self->plan);
    return if $limit_s >= $least_s;
    my ($given, $least) = (UnixBench::Base::Time::limit_in_brief($limit_s), POSIX::ceil($least_s));
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
        cpu_count => $self->{machine}->cpu_count,
        factor    => $settings->{factor},
    );
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
        procedure    => $self->_procedure,
        asked        => $options->{asked},
        is_brief     => $options->{brief} ? 1 : 0,
        utc_offset_s => UnixBench::Base::Clock::utc_offset_s(time),
        host         => { %{ $self->{machine}->host->facts }, cpu_quota => scalar $self->{machine}->host->quota },
        language     => $self->{machine}->host->language(UnixBench::CLI::Environment::LANGUAGE),
        build        => scalar $build->record($settings->{bindir}, $self->{machine}->stand_ins->{execl}),
        facts        => $self->{machine}->facts($self->plan),
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

sub _procedure {
    my ($self) = @_;
    my $load = $self->load;
    return {
        %{ UnixBench::CLI::Environment::procedure($self->{settings}, scalar $self->quick, $load) },
        display      => $self->plan->{display},
        baseline     => $self->{machine}->kind_of_baseline,
        load_change  => scalar UnixBench::Plan::UserLoad::change($self->{options}, $load),
        replacements => [],
        resumptions  => [],
    };
}

1;
