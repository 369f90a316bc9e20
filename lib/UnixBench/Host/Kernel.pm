package UnixBench::Host::Kernel;

# The kernel's build and start: options, command line, preemption, mitigations. Unknown values are undef.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);

use constant {
    MITIGATIONS => '/sys/devices/system/cpu/vulnerabilities',
    TEXT_MAX    => 4_000_000,                                   # ten times the longest configuration in use
};

# The module that reads a compressed configuration. If a small Perl does not have it, the configuration is not read.
# Modules that are built on it need four times the memory.
my $ZLIB = 'Compress/Raw/Zlib.pm';

# The preemption models: the end of the option that builds a model into the kernel, and the name of the model.
my @MODELS = ([RT => 'real-time'], [LAZY => 'lazy'], [q{} => 'full'], [VOLUNTARY => 'voluntary'], [NONE => 'none']);

# Options for debugging Linux, which slow everything down.
my @DEBUG = qw(
    PROVE_LOCKING LOCKDEP LOCK_STAT DEBUG_SPINLOCK DEBUG_MUTEXES DEBUG_ATOMIC_SLEEP DEBUG_OBJECTS DEBUG_KMEMLEAK
    DEBUG_PAGEALLOC_ENABLE_DEFAULT SLUB_DEBUG_ON KASAN KCSAN KMSAN
);

# Takes files => UnixBench::Host::KernelFiles, and uname => [the five texts of POSIX::uname].
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(files uname)), $class;
}

# Returns the facts about the kernel. The preemption may also be "none or voluntary", or "dynamic" if it was chosen at
# boot and is unknown.
sub facts {
    my ($self) = @_;
    my $hz = $self->_option('HZ') // q{};
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
    my @set = grep { ($self->_option($_) // q{}) eq 'y' } @DEBUG;
    return @set ? \@set : undef;
}

sub _mitigations {
    my ($self) = @_;
    my %text   = map { $_ => scalar $self->{files}->line(MITIGATIONS . "/$_") }
        grep { /\A[\w.-]+\z/ } $self->{files}->names(MITIGATIONS);
    delete @text{ grep { !defined $text{$_} } keys %text };
    return %text ? \%text : undef;
}

# Returns the preemption model, or undef. Reads the running kernel's files first, then its command line and its
# configuration.
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

# Returns the last preemption model on the kernel's command line, or undef.
sub _asked_for {
    my ($self) = @_;
    my @models = ($self->{files}->line('/proc/cmdline') // q{}) =~ /(?<!\S)preempt=(none|voluntary|lazy|full)(?!\S)/g;
    return $models[-1];
}

sub _built_in {
    my ($self) = @_;
    my $model = List::Util::first {
        ($self->_option(join '_', 'PREEMPT', grep { length } $_->[0]) // q{}) eq 'y'
    }
    @MODELS;
    return $model && $model->[1];
}

# Takes the name of an option of the kernel's configuration. Returns its value, such as "y" or "250", or undef if it is
# not set or nothing is known.
sub _option {
    my ($self, $name) = @_;
    $self->{configuration} //= $self->_configuration // q{};
    return $self->{configuration} =~ /^CONFIG_\Q$name\E=(\w{1,40})$/m ? $1 : undef;
}

# Returns the text of the configuration, from the running kernel or else from a file for its release.
sub _configuration {
    my ($self)     = @_;
    my $compressed = $self->{files}->text('/proc/config.gz');
    my $text       = defined $compressed ? _uncompressed($compressed) : undef;
    return $text if defined $text;
    my $release = $self->{uname}[2] // q{};
    return if $release !~ /\A\w[\w.+~-]*\z/;
    for my $path ("/boot/config-$release", map { "/lib/modules/$release/$_" } qw(config build/.config)) {
        $text = $self->{files}->text($path);
        return $text if defined $text;
    }
    return;
}

# Takes a compressed configuration. Returns its text. Returns undef if it can't be read, is incomplete, or is absurdly
# long.
sub _uncompressed {
    my ($compressed) = @_;
    my $is_there     = eval { require $ZLIB };
    my $stream       = $is_there && Compress::Raw::Zlib::Inflate->new(
        WindowBits   => Compress::Raw::Zlib::WANT_GZIP(),
        LimitOutput  => 1,
        AppendOutput => 1,
    ) or return;
    my $text = q{};
    my ($status, $length);
    do {
        $length = length $text;
        $status = $stream->inflate($compressed, $text);
    } while length $text > $length && length $text < TEXT_MAX;
    return $status == Compress::Raw::Zlib::Z_STREAM_END() ? $text : undef;
}

1;
