package UnixBench::Host::Kernel;

# How Linux was built and started.

use strict;
use warnings;

use List::Util ();

use UnixBench::Host::KernelConfig;

use constant MITIGATIONS => '/sys/devices/system/cpu/vulnerabilities';

# The models of preemption: the option that chooses one as the kernel's own, and its name.
my @MODELS = ([RT => 'real-time'], [LAZY => 'lazy'], [q{} => 'full'], [VOLUNTARY => 'voluntary'], [NONE => 'none']);

# Options for those who look for faults in Linux, which slow all of it down.
my @DEBUG = qw(
    PROVE_LOCKING LOCKDEP LOCK_STAT DEBUG_SPINLOCK DEBUG_MUTEXES DEBUG_ATOMIC_SLEEP DEBUG_OBJECTS DEBUG_KMEMLEAK
    DEBUG_PAGEALLOC_ENABLE_DEFAULT SLUB_DEBUG_ON KASAN KCSAN KMSAN
);

# Makes one. files: a Host::Values; uname: the five texts of POSIX::uname.
sub new {
    my ($class, %given) = @_;
    my $config = UnixBench::Host::KernelConfig->new(files => $given{files}, release => $given{uname}[2]);
    return bless { %given, config => $config }, $class;
}

# Returns { command_line, preemption, hz (ticks a second), clock_source, mitigations => { file => text }, debug =>
# [option, ...] }, each undef where it is not known. preemption: "none", "voluntary", "lazy", "full", "real-time", or
# "none or voluntary", or "dynamic", chosen at the start and not told. debug: those for finding faults; undef for none.
sub facts {
    my ($self) = @_;
    my $hz = $self->{config}->value('HZ') // q{};
    return {
        command_line => scalar $self->{files}->line('/proc/cmdline'),
        preemption   => scalar $self->_preemption,
        hz           => $hz =~ /\A\d{1,6}\z/ ? 0 + $hz : undef,
        clock_source => scalar $self->{files}->line('/sys/devices/system/clocksource/clocksource0/current_clocksource'),
        mitigations  => scalar $self->_mitigations,
        debug        => scalar $self->_debug,
    };
}

sub _debug {
    my ($self) = @_;
    my @set = grep { ($self->{config}->value($_) // q{}) eq 'y' } @DEBUG;
    return @set ? \@set : undef;
}

sub _mitigations {
    my ($self) = @_;
    my %text   = map { $_ => scalar $self->{files}->line(MITIGATIONS . "/$_") }
        grep { /\A[\w.-]+\z/ } $self->{files}->names(MITIGATIONS);
    delete @text{ grep { !defined $text{$_} } keys %text };
    return %text ? \%text : undef;
}

# From what is said of the running kernel to what is said of how it was built.
sub _preemption {
    my ($self) = @_;
    my $files = $self->{files};
    my ($system, undef, undef, $version) = @{ $self->{uname} };
    return if $system ne 'Linux';
    return 'real-time' if ($files->number('/sys/kernel/realtime') // 0) == 1 || $version =~ /\bPREEMPT[_ ]RT\b/;
    my $is_dynamic = $version =~ /\bPREEMPT_DYNAMIC\b/;
    return
           $files->chosen('/sys/kernel/debug/sched/preempt')
        || $is_dynamic && $self->_asked_for
        || $self->_built_in
        || ($is_dynamic ? 'dynamic' : $version =~ /\bPREEMPT\b/ ? 'full' : 'none or voluntary');
}

# By the kernel's command line, where the last word counts.
sub _asked_for {
    my ($self) = @_;
    my @models = ($self->{files}->line('/proc/cmdline') // q{}) =~ /(?<!\S)preempt=(none|voluntary|lazy|full)(?!\S)/g;
    return $models[-1];
}

sub _built_in {
    my ($self) = @_;
    my $model = List::Util::first {
        ($self->{config}->value(join '_', 'PREEMPT', grep { length } $_->[0]) // q{}) eq 'y'
    }
    @MODELS;
    return $model && $model->[1];
}

1;
