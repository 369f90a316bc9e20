package UnixBench::Call::Request;

# What a call asks for: the options and settings; the plan and the empty result that follow from them on this machine;
# and who judges the result.

use strict;
use warnings;

use Cwd        ();
use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Clock        ();
use UnixBench::Base::Result       ();
use UnixBench::Base::ResultSchema ();
use UnixBench::Base::Time         ();
use UnixBench::CLI::Environment   ();
use UnixBench::Call::Judge        ();
use UnixBench::Catalog            ();
use UnixBench::Features           qw(loaded);
use UnixBench::Plan               ();
use UnixBench::Report::Notes      ();
use UnixBench::Setup::Build       ();
use UnixBench::Version            ();

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

# Takes an absolute path; returns it relative to the directory in which the user has called Run, if it is below that. A
# run leaves that directory. Without names, another path has its last part only.
sub shown_path {
    my ($self, $path) = @_;
    my ($below) = $path =~ m{\A\Q$self->{directory}\E/(.+)}s;
    return $below if defined $below;
    return $self->{options}{no_identity} ? $path =~ s{.*/(?=.)}{.../}sr : $path;
}

# Returns the plan. Without -c it has a run with one copy. If there are several CPUs and a test can use them, it also
# has a run with one copy for each CPU, which is the number that "-c all" means.
sub plan { my ($self) = @_; return $self->{plan} ||= $self->_plan }

sub _plan {
    my ($self) = @_;
    my ($options, $settings) = @$self{qw(options settings)};
    my %programs = (options => $options, has_program => sub { $self->{machine}->host->has_program(@_) });
    my $plan     = UnixBench::Plan::make(
        copies     => [$self->_copies],
        tests      => $options->{tests},
        iterations => $options->{iterations},
        timeout_s  => $options->{timeout_s},
        factor     => $settings->{factor},
        quick      => scalar $self->quick,
        $self->_several_states,
        load    => scalar $self->load,
        extras  => [map { $_->{class}->extra_pass(%programs) } UnixBench::Features::wishes($options)],
        words   => { (map { $_ => $settings->{$_} } qw(bindir tmpdir)), stand_ins => $self->{machine}->stand_ins },
        display => scalar $self->{machine}->host->display,
        display_refusal => sub { $self->{machine}->host->display_refusal },
        is_there        => sub { $_[0] =~ m{/} ? -e $_[0] : $self->{machine}->host->has_program($_[0]) },
    );
    if (my $wish = $self->_wish('has_pace')) {
        my $pace = $wish->{class}->pace($plan, $wish->{value}, $self->{machine}->cpu_count);
        UnixBench::Plan::spread($plan, $pace, $wish->{value});
        return $plan;
    }
    UnixBench::Plan::allow_rounds($plan)
        if UnixBench::Plan::is_kept_in_time($plan) && !defined $options->{max_time_s};
    return $plan;
}

sub _wish {
    my ($self, $is_meant) = @_;
    return List::Util::first(sub { $_->{class}->$is_meant }, UnixBench::Features::wishes($self->{options}));
}

# Returns the numbers of copies. A number that "all" or "sweep" means comes once. Rounds that are spread over time have
# one copy by default.
sub _copies {
    my ($self)  = @_;
    my @given   = @{ $self->{options}{copies} };
    my $machine = $self->{machine};
    my $cpus    = $machine->cpu_count;
    my %is_made = map { $_ => 1 } @given;
    return 1 if !@given && $self->_wish('has_pace');
    my @usual = UnixBench::Plan::usual_copies($cpus, @{ $self->{options}{tests} });
    return @usual if !@given;
    my $sweep = sub { @usual > 1 ? UnixBench::Plan::sweep($cpus, $machine->core_count) : @usual };
    my %words = (all => sub { $cpus }, sweep => $sweep);
    my $of    = sub { $words{ $_[0] } ? grep({ !$is_made{$_}++ } $words{ $_[0] }->()) : $_[0] };
    return map { $of->($_) } @given;
}

# Dies with one line if the time of a quick run does not fit: its limit is too short for the rounds that it has to
# allow, or they can't be spread over the time that is asked for.
sub check_time {
    my ($self) = @_;
    return $self->plan if $self->_wish('has_pace');
    my $limit_s = $self->{options}{max_time_s};
    return if !defined $limit_s || !UnixBench::Plan::is_kept_in_time($self->plan);
    my $least_s = UnixBench::Plan::least_s($self->plan);
    return if $limit_s >= $least_s;
    my ($given, $least) = (UnixBench::Base::Time::limit_in_brief($limit_s), POSIX::ceil($least_s));
    my $rounds = UnixBench::Plan::rounds_allowed($self->plan);
    die "option --max-time: $given is too short for $rounds rounds of these tests; use --max-time ${least}s or more\n";
}

# Returns the UnixBench::Call::Judge of the result.
sub judge {
    my ($self) = @_;
    return $self->{judge} ||= UnixBench::Call::Judge::package_for($self->{options})->new(context => $self);
}

# Returns the goals of a quick run, { seed, precision, max_time_s }, or undef for an official one. If only the verdict
# matters, no precision is wanted.
sub quick {
    my ($self) = @_;
    my $options = $self->{options};
    return if !$options->{quick};
    my %several = $self->_several_states;
    my $others  = @{ $several{states} || [] };
    return $self->{quick} ||= {
        seed       => $options->{seed}       // 1 + int rand SEED_MAX,
        max_time_s => $options->{max_time_s} // MAX_TIME_S * (1 + $others),
        $self->judge->decides_alone
        ? ()
        : (precision => $options->{precision} // ($others ? PRECISION_OF_RATIO : PRECISION)),
    };
}

# Returns what the plan of several states needs, (states => [the others], experiment => the class of the option that
# asks for them), see UnixBench::Plan::Wish; or nothing.
sub _several_states {
    my ($self) = @_;
    my $wish   = $self->_wish('has_states') or return;
    my @states = map { +{ %$_, option => "--$wish->{key}" } } $wish->{class}->states($wish->{value});
    return (states => \@states, experiment => $wish->{class});
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

sub _module_of_load {
    my ($self)   = @_;
    my ($module) = grep { defined } map { UnixBench::Catalog::test($_)->{load} } @{ $self->{options}{tests} };
    return defined $module ? loaded($module) : undef;
}

# Returns the plan in words.
sub plan_in_words { my ($self) = @_; return UnixBench::Plan::describe($self->plan) }

# Returns a result without runs. With --no-identity, the host has no name; other names are left out at the end, because
# measuring needs them.
sub result {
    my ($self) = @_;
    my $build = UnixBench::Setup::Build->new(dir => $self->{home});
    my ($options, $settings) = @$self{qw(options settings)};
    $self->{machine}->host->ask_ahead(UnixBench::CLI::Environment::LANGUAGE);
    my $result = {
        schema       => UnixBench::Base::ResultSchema::SCHEMA,
        version      => $UnixBench::Version::VERSION,
        procedure    => $self->procedure,
        asked        => $options->{asked},
        is_brief     => $options->{brief} ? 1 : 0,
        utc_offset_s => UnixBench::Base::Clock::utc_offset_s(time),
        host         => { %{ $self->{machine}->host->head }, cpu_quota => scalar $self->{machine}->host->quota },
        language     => $self->{machine}->host->language(UnixBench::CLI::Environment::LANGUAGE),
        build        => scalar $build->record($settings->{bindir}, $self->{machine}->stand_ins->{execl}),
        facts        => $self->{machine}->facts($self->plan),
        labels       => $options->{labels} && { map { split /=/, $_, 2 } @{ $options->{labels} } },
        runs         => [],
    };
    $result->{host}{name} = UnixBench::Base::Result::ANONYMOUS if $options->{no_identity};
    $result->{notes} = [UnixBench::Report::Notes::of($result)];
    return $result;
}

# Returns the redaction for --no-identity, or undef without this option.
sub redaction {
    my ($self) = @_;
    return if !$self->{options}{no_identity};
    require UnixBench::Store::Redaction;
    my %instead = (
        $self->{home}       => q{.},
        ($ENV{HOME} // q{}) => q{~},
        map { $self->{settings}{$_} => ANONYMOUS->{$_} } keys %{ ANONYMOUS() }
    );
    my @absolute = grep { m{\A/} } keys %instead;
    my %real     = map  { (Cwd::abs_path($_) // $_) => $instead{$_} } @absolute;
    return UnixBench::Store::Redaction->new(directories => { %real, map { $_ => $instead{$_} } @absolute });
}

# Returns warnings before the tests run, each in a line. With --no-identity, they have no paths and no
# name of a display.
sub warnings {
    my ($self)   = @_;
    my $machine  = $self->{machine};
    my @graphics = grep { $_->{is_graphics} } @{ $self->plan->{tests} };
    my $refusal  = @graphics ? $machine->host->display_refusal : undef;
    $refusal =~ s/the X display \K.*(?= can't be opened)/.../s if defined $refusal && $self->{options}{no_identity};
    my @display = defined $refusal ? "$refusal; the graphics tests are skipped" : ();
    return (@display, $machine->warnings(is_quick => defined $self->quick, is_named => !$self->{options}{no_identity}));
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
        display => $self->plan->{display},
        %{ $self->plan->{pace} ? $self->plan->{pace}->in_procedure : {} },
        baseline    => $self->{machine}->kind_of_baseline,
        load_change => undef,
        $load ? %{ $self->_module_of_load->can('in_procedure')->($self->{options}, $load) } : (),
        replacements => [],
        resumptions  => [],
    };
}

1;
