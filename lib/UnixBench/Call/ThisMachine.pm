package UnixBench::Call::ThisMachine;

# What is known of this machine before a run: its CPUs, its limits, the baseline, and the facts that belong into the
# result.

use strict;
use warnings;

use UnixBench::Base::Arguments       qw(named);
use UnixBench::Base::OtherUsers      ();
use UnixBench::Base::Text            qw(clean);
use UnixBench::Compare::Published    ();
use UnixBench::Host::Facts           ();
use UnixBench::Host::Machine         ();
use UnixBench::Plan::Baseline        ();
use UnixBench::Plan::ResourceCheck   ();
use UnixBench::Process::Command      ();
use UnixBench::Store::SystemIdentity ();
use UnixBench::Warnings::All         ();
use UnixBench::Warnings::Wording     ();

# Takes home, settings and perhaps host (UnixBench::Host::Facts).
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(home settings host));
    $given->{host} ||= UnixBench::Host::Facts->new(
        run    => \&UnixBench::Process::Command::output_of,
        ahead  => \&UnixBench::Process::Command::run_ahead,
        home   => $given->{home},
        tmpdir => $given->{settings}{tmpdir},
    );
    return bless $given, $class;
}

# Returns the host, a UnixBench::Host::Facts.
sub host { my ($self) = @_; return $self->{host} }

# Returns the number of CPUs that the tests may use, at least 1.
sub cpu_count { my ($self) = @_; return $self->{cpu_count} ||= $self->{host}->usable_cpus }

# Returns the number of cores that the system declares, or undef if it is unknown.
sub core_count { my ($self) = @_; return $self->{host}->changeable->{cpu}{cores} }

# Returns { execl => "execl.static" } if this system can't start the dynamically linked execl, and a statically linked
# one is there: a static release has both.
sub stand_ins {
    my ($self)    = @_;
    my $usual     = "$self->{settings}{bindir}/execl";
    my $is_needed = sub { -x "$usual.static" && !defined UnixBench::Process::Command::output_of([$usual, '-n', 1]) };
    return $self->{stand_ins} ||= $is_needed->() ? { execl => 'execl.static' } : {};
}

# Returns the parsed baseline. If it can't be read, returns an empty one and stores a warning.
sub baseline {
    my ($self) = @_;
    return $self->{baseline} if $self->{baseline};
    ($self->{baseline}, my $why_not) = UnixBench::Plan::Baseline::of_directory($self->{settings}{bindir});
    push @{ $self->{warnings} }, "$why_not; there will be scores, but no indexes\n" if defined $why_not;
    return $self->{baseline};
}

# Returns "official", "edited" or "missing", for the baseline.
sub kind_of_baseline {
    my ($self) = @_;
    my $baseline = $self->baseline;
    return 'missing' if !%$baseline;
    return UnixBench::Plan::Baseline::is_official($baseline) ? 'official' : 'edited';
}

# Reads the file of published results. Returns a function that returns these, see UnixBench::Compare::Published: a run
# needs them only at its end. If they can't be read, there are none.
sub published {
    my ($self) = @_;
    return $self->{published} if $self->{published};
    my $text = UnixBench::Compare::Published::text($self->{home}) // q{};
    my $results;
    return $self->{published} = sub { return @{ $results ||= [eval { UnixBench::Compare::Published::parse($text) }] } };
}

# Takes a plan; returns the facts about this machine that belong into the result.
sub facts {
    my ($self, $plan) = @_;
    return { %{ $self->{host}->facts },
        programs => UnixBench::Store::SystemIdentity::digests($plan, $self->{settings}), };
}

# Takes a result without runs; returns it with the facts of this moment, as far as they can change during a run.
sub as_it_is {
    my ($self, $result) = @_;
    my $now  = $self->{host}->changeable;
    my %host = (
        %{ $result->{host} },
        name      => UnixBench::Host::Machine->new->name,
        cpu_quota => $now->{cgroup}{cpus},
    );
    return { %$result, host => \%host, facts => { %{ $result->{facts} || {} }, %$now } };
}

# Takes is_quick, whether the run is a quick one, and is_named, whether paths may be printed. Returns warnings before
# the tests run, each in a line.
sub warnings {
    my ($self, %with) = @_;
    my @warnings = map { $_->{text} } $self->shortcomings($with{is_quick});
    return (@warnings, $self->_warnings_of_start($with{is_named}), $self->_warnings_of_tree($with{is_named}));
}

sub _warnings_of_tree {
    my ($self, $is_named) = @_;
    my $open  = UnixBench::Base::OtherUsers::open_tree($self->{home}) // return;
    my $place = $is_named ? clean($open) : 'the directory of this suite';
    return "all users can write to $place, so they could replace the programs that are measured (chmod -R o-w)\n";
}

# Returns warnings about the quota, the libraries and the priorities that the measured programs inherit. They have paths
# only if names are allowed.
sub _warnings_of_start {
    my ($self, $is_named) = @_;
    my $start   = $self->{host}->process;
    my %process = map { $_ => $start->{$_} } qw(tracer nice class);
    for my $library (qw(ld_preload ld_audit preload_file)) {
        $process{$library} = $is_named || !defined $start->{$library} ? $start->{$library} : '...';
    }
    my %host   = (cpu_quota => scalar $self->{host}->quota, cpus => [1 .. $self->cpu_count]);
    my $result = { host => \%host, facts => { process => \%process }, runs => [] };
    return
        map { lcfirst UnixBench::Warnings::Wording::of($_)->{seen} =~ s/[.]\z/\n/r }
        UnixBench::Warnings::All::of($result);
}

# Takes whether the run is a quick one. Returns the shortcomings of this machine, each { kind => "no_index" or
# "no_sync", text => a line }.
sub shortcomings {
    my ($self, $is_quick) = @_;
    $self->baseline;
    my @shortcomings = map { +{ kind => 'no_index', text => $_ } } @{ $self->{warnings} || [] };
    push @shortcomings,
        { kind => 'no_sync', text => "there is no program sync: file systems can't be flushed before each pass\n" }
        if !$is_quick && !$self->{host}->has_program('sync');
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
    my $path    = $self->{settings}{tmpdir};
    my $scratch = { path => $path, %{ $self->{host}->space($path) } };
    if ($scratch->{is_in_memory}) {
        $_->{memory_kb} += $_->{scratch_kb} for @demands;
    }
    my @problems = map { UnixBench::Plan::ResourceCheck::problems_of_limits($_, $limits) } @demands;
    return (@problems, UnixBench::Plan::ResourceCheck::problem_of_space($scratch, @demands));
}

1;
