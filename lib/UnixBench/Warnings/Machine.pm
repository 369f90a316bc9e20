package UnixBench::Warnings::Machine;

# Warnings about the machine and its setup, which affect every number.

use strict;
use warnings;

use List::Util ();

# Variables and files, each with its name among the facts.
my @PRELOADING = ([LD_PRELOAD => 'ld_preload'], [LD_AUDIT => 'ld_audit'], ['/etc/ld.so.preload' => 'preload_file']);
my @SETTINGS   = ([LD_LIBRARY_PATH => 'ld_library_path'], [GLIBC_TUNABLES => 'glibc_tunables']);

# Each kind of warning, with a function that takes a result and returns the values of the warning, or nothing.
my @KINDS = (
    [tracer       => \&_tracer],
    [preload      => sub { _set($_[0], @PRELOADING) }],
    [libraries    => sub { _set($_[0], @SETTINGS) }],
    [nice         => _unusual(qw(process nice),  sub { $_[0] != 0 })],
    [class        => _unusual(qw(process class), sub { $_[0] ne 'SCHED_OTHER' })],
    [quota        => \&_quota],
    [governor     => _unusual(qw(cpu governor),        sub { $_[0] ne 'performance' })],
    [turbo        => _unusual(qw(cpu turbo),           sub { $_[0] eq 'on' })],
    [scratch      => _unusual(qw(scratch file_system), sub { $_[0] =~ /\A(?:tmpfs|ramfs)\z/ })],
    [locale       => \&_locale],
    [debug_kernel => _unusual(qw(kernel debug), sub { @{ $_[0] } > 0 })],
    [seccomp      => \&_seccomp],
    [hypervisor   => _unusual(qw(virtualization hypervisor), sub { $_[0] ne 'none' })],
);

# Takes a result, perhaps without runs; returns warnings, each { kind } and the values of its kind:
#   tracer              tracer: its name; titles: [titles of tests with traced copies], or undef if it traced Run
#   preload, libraries  set: [[name, value], ...]
#   quota               cpus: the number of CPUs that the quota allows; of: the number of CPUs
#   locale              lang, charmap
#   seccomp             mode, and filters: their number or undef
# All others have the unusual fact, under its name.
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

sub _set {
    my ($result, @places) = @_;
    my @set =
        map { [$_->[0], _fact($result, process => $_->[1])] }
        grep { defined _fact($result, process => $_->[1]) } @places;
    return @set ? { set => \@set } : ();
}

sub _quota {
    my ($result) = @_;
    my $host     = $result->{host};
    my $cpus     = _fact($result, qw(cgroup cpus)) // $host->{cpu_quota} // return;
    my $of       = List::Util::max(map { $_->{cpu_count} } @{ $result->{runs} }) // @{ $host->{cpus} };
    return $cpus < $of ? { cpus => $cpus, of => $of } : ();
}

sub _locale {
    my ($result) = @_;
    my ($lang, $charmap) = map { $_ // q{} } @{ $result->{language} || {} }{qw(lang charmap)};
    return if !length $charmap || $charmap =~ /\Autf-?8\z/i;
    return { lang => $lang, charmap => $charmap };
}

sub _seccomp {
    my ($result) = @_;
    my $mode = _fact($result, qw(process seccomp)) // return;
    return { mode => $mode, filters => _fact($result, qw(process seccomp_filters)) };
}

# Takes the group and the name of a fact, and a function that returns whether its value is unusual. Returns a function
# that takes a result and returns the fact under its name if it is unusual.
sub _unusual {
    my ($group, $name, $is_unusual) = @_;
    return sub {
        my $value = _fact($_[0], $group, $name);
        return defined $value && $is_unusual->($value) ? { $name => $value } : ();
    };
}

sub _fact {
    my ($result, $group, $name) = @_;
    return (($result->{facts} || {})->{$group} || {})->{$name};
}

1;
