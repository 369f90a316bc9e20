package UnixBench::Warnings::Machine;

# Warnings about the machine and its setup, which affect every number.

use strict;
use warnings;

use List::Util ();

my %IS_IN_MEMORY = map { $_ => 1 } qw(tmpfs ramfs);

# Each kind of warning, with a function that takes a result and returns the values of the warning, or nothing.
my @KINDS = (
    [tracer       => \&_tracer],
    [preload      => \&_preload],
    [libraries    => \&_libraries],
    [nice         => \&_nice],
    [class        => \&_class],
    [quota        => \&_quota],
    [governor     => \&_governor],
    [turbo        => \&_turbo],
    [scratch      => \&_scratch],
    [locale       => \&_locale],
    [debug_kernel => \&_debug_kernel],
    [seccomp      => \&_seccomp],
    [hypervisor   => \&_hypervisor],
);

# Variables and files, each with its name among the facts.
my @PRELOADING = ([LD_PRELOAD => 'ld_preload'], [LD_AUDIT => 'ld_audit'], ['/etc/ld.so.preload' => 'preload_file']);
my @SETTINGS   = ([LD_LIBRARY_PATH => 'ld_library_path'], [GLIBC_TUNABLES => 'glibc_tunables']);

# Takes a result, perhaps without runs; returns warnings, each { kind } and the values of its kind:
#   tracer              tracer: its name; titles: [titles of tests with traced copies], or undef if it traced Run
#   preload, libraries  set: [[name, value], ...]
#   nice                nice
#   class               class
#   quota               cpus: the number of CPUs that the quota allows; of: the number of CPUs
#   governor            governor
#   turbo               no values
#   scratch             file_system
#   locale              lang, charmap
#   debug_kernel        options
#   seccomp             mode, and filters: their number or undef
#   hypervisor          hypervisor
sub of {
    my ($result) = @_;
    return map { _of_kind($result, @$_) } @KINDS;
}

sub _of_kind {
    my ($result, $kind, $values) = @_;
    return map { +{ kind => $kind, %$_ } } $values->($result);
}

# Returns the program that traced Run, or one that traced copies.
sub _tracer {
    my ($result) = @_;
    my $tracer = _fact($result, qw(process tracer));
    return { tracer => $tracer } if defined $tracer;
    my @tests = map { @{ $_->{tests} } } @{ $result->{runs} };
    my (%title, $first);
    for my $test (@tests) {
        my @tracers = grep { defined } map { $_->{tracer} } map { @{ $_->{copies} } } @{ $test->{passes} } or next;
        $first //= $tracers[0];
        $title{ $test->{title} } = 1;
    }
    return defined $first ? { tracer => $first, titles => [sort keys %title] } : ();
}

sub _preload {
    my ($result) = @_;
    return _set($result, @PRELOADING);
}

sub _libraries {
    my ($result) = @_;
    return _set($result, @SETTINGS);
}

sub _set {
    my ($result, @places) = @_;
    my @set =
        map { [$_->[0], _fact($result, process => $_->[1])] }
        grep { defined _fact($result, process => $_->[1]) } @places;
    return @set ? { set => \@set } : ();
}

sub _nice {
    my ($result) = @_;
    my $nice = _fact($result, qw(process nice));
    return $nice ? { nice => $nice } : ();
}

sub _class {
    my ($result) = @_;
    my $class = _fact($result, qw(process class)) // 'SCHED_OTHER';
    return $class eq 'SCHED_OTHER' ? () : { class => $class };
}

sub _quota {
    my ($result) = @_;
    my $host     = $result->{host};
    my $cpus     = _fact($result, qw(cgroup cpus)) // $host->{cpu_quota} // return;
    my $of       = List::Util::max(map { $_->{cpu_count} } @{ $result->{runs} }) // @{ $host->{cpus} };
    return $cpus < $of ? { cpus => $cpus, of => $of } : ();
}

sub _governor {
    my ($result) = @_;
    my $governor = _fact($result, qw(cpu governor)) // return;
    return $governor eq 'performance' ? () : { governor => $governor };
}

sub _turbo {
    my ($result) = @_;
    return (_fact($result, qw(cpu turbo)) // q{}) eq 'on' ? {} : ();
}

sub _scratch {
    my ($result) = @_;
    my $file_system = _fact($result, qw(scratch file_system)) // q{};
    return $IS_IN_MEMORY{$file_system} ? { file_system => $file_system } : ();
}

sub _locale {
    my ($result) = @_;
    my ($lang, $charmap) = map { $_ // q{} } @{ $result->{language} || {} }{qw(lang charmap)};
    return if !length $charmap || $charmap =~ /\Autf-?8\z/i;
    return { lang => $lang, charmap => $charmap };
}

sub _debug_kernel {
    my ($result) = @_;
    my @options = @{ _fact($result, qw(kernel debug)) || [] };
    return @options ? { options => \@options } : ();
}

sub _seccomp {
    my ($result) = @_;
    my $mode = _fact($result, qw(process seccomp)) // return;
    return { mode => $mode, filters => _fact($result, qw(process seccomp_filters)) };
}

sub _hypervisor {
    my ($result) = @_;
    my $hypervisor = _fact($result, qw(virtualization hypervisor)) // 'none';
    return $hypervisor eq 'none' ? () : { hypervisor => $hypervisor };
}

sub _fact {
    my ($result, $group, $name) = @_;
    return (($result->{facts} || {})->{$group} || {})->{$name};
}

1;
