package UnixBench::Report::MachineWording;

# The words in which reports speak of the machine that was measured.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format qw(counted english_date listed);
use UnixBench::Base::Result qw(cpu_kinds);

our @EXPORT_OK = qw(benchmark_title compiler_text flag_names machine_sentence renderer_text);

# Renderers without a graphics processor: Mesa's, Google's, Microsoft's, Apple's.
my $SOFTWARE = do {
    my @names = qw(llvmpipe softpipe swrast swr swiftshader lavapipe);
    my $names = join q{|}, @names, 'software rasterizer', 'software renderer', 'basic render', 'gdi generic';
    qr/\b(?:$names)/i;
};

my %FLAG = (
    cxmmx   => 'Cyrix MMX',
    ht      => 'Hyper-Threading',
    ia64    => 'IA-64 processor',
    lm      => 'x86-64',
    mmx     => 'MMX',
    mmxext  => 'AMD MMX',
    pae     => 'Physical Address Ext',
    sep     => 'SYSENTER/SYSEXIT',
    svm     => 'AMD virtualization',
    syscall => 'SYSCALL/SYSRET',
    vmx     => 'Intel virtualization',
    xmm     => 'Streaming SIMD',
);

# Takes a result; returns what it is the benchmark of.
sub benchmark_title {
    my ($result) = @_;
    my $host     = $result->{host};
    my ($first)  = @{ $result->{runs} };
    my $title    = "Benchmark of $host->{name} / $host->{system}";
    return $first ? "$title on " . english_date($first->{started}, $result->{utc_offset_s}) : $title;
}

# Takes a result; returns what was measured, and by programs of which compiler, in a sentence.
sub machine_sentence {
    my ($result) = @_;
    my ($host, $build) = ($result->{host}, $result->{build} || {});
    my @models = map { $_->{cpu}{model} // () } cpu_kinds($host->{cpus});
    my $cpus   = counted(scalar @{ $host->{cpus} }, 'CPU', 'CPUs');
    my ($command, $version) = @$build{qw(compiler version)};    # elsewhere a slice would make these keys
    my @system   = @$host{qw(os release machine)};
    my $compiler = compiler_text($command // q{}, $version // q{});
    my @known    = (
        (@models ? "$cpus: " . listed(@models) : $cpus),
        join(q{ }, grep { defined } @system),
        join(q{ }, grep { length } $compiler, $build->{flags} // q{}),
        "UnixBench $result->{version}"
    );
    return join '; ', grep { length } @known;
}

# Takes the command of a compiler and what that says of its version, which mostly begins with its name; returns both.
sub compiler_text {
    my ($command, $version) = @_;
    return $version =~ /\A\Q$command\E / ? $version : join q{ }, grep { length } $command, $version;
}

# Takes a renderer's name, returns it with what its users should know of it.
sub renderer_text {
    my ($name) = @_;
    return $name =~ $SOFTWARE ? "$name, a software renderer" : $name;
}

# Takes the kernel's flags of a CPU in any order, returns the names of those that have one, in the order of the flags.
sub flag_names {
    my (@flags) = @_;
    my %has     = map { $_ => 1 } @flags;
    return map { $FLAG{$_} } grep { $has{$_} } sort keys %FLAG;
}

1;
