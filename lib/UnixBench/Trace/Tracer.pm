package UnixBench::Trace::Tracer;

# What follows the system calls of programs on this machine: bpftrace, else strace, else nothing.

use strict;
use warnings;

use UnixBench::Host::KernelFiles ();
use UnixBench::Process::Command  ();
use UnixBench::Trace::Bpftrace   ();
use UnixBench::Trace::Names      ();
use UnixBench::Trace::Needs      ();
use UnixBench::Trace::Strace     ();

# Takes process => UnixBench::Process::Process, clock => UnixBench::Base::Clock, has_program => function that tells
# whether a program is in PATH, dir, a private directory, programs, the directory of those for bpftrace, and perhaps
# root => UnixBench::Host::KernelFiles and euid, by default those of this system. Tries what may be used; returns {
# tracer, why_not }: something that can follow what this program starts, see UnixBench::Trace::Bpftrace, or undef, and
# why that is not bpftrace, or undef.
sub find {
    my (%with) = @_;
    my $process = $with{process};
    my @why_not;
    for my $make (\&_bpftrace, \&_strace) {
        my $stops   = $process->stops;
        my $tracer  = eval { $make->(\%with) };
        my $why_not = $@ =~ s/\n\z//r;
        return { tracer => undef, why_not => 'interrupted' } if $process->interrupted;
        return { tracer => $tracer, why_not => $why_not[0] } if $tracer;
        redo if $process->stops > $stops;
        push @why_not, $why_not;
    }
    return { tracer => undef, why_not => join '; ', @why_not };
}

sub _bpftrace {
    my ($with)  = @_;
    my $root    = $with->{root} || UnixBench::Host::KernelFiles->new;
    my $lacking = UnixBench::Trace::Needs::lacking(
        root        => $root,
        has_program => $with->{has_program},
        euid        => $with->{euid} // $>,
    );
    die "$lacking\n" if defined $lacking;
    my $names  = _names();
    my $tracer = UnixBench::Trace::Bpftrace->new(
        name_of    => sub { $names->{ $_[0] } },
        has_names  => scalar(keys %$names),
        is_mounted => UnixBench::Trace::Needs::has_tracefs($root),
        map { exists $with->{$_} ? ($_ => $with->{$_}) : () } qw(process clock dir programs start_s)
    );
    $tracer->attach(program => 'syscalls');
    $tracer->give_up;
    return $tracer;
}

sub _strace {
    my ($with) = @_;
    die "strace is not installed\n" if !$with->{has_program}->('strace');
    my $tracer = UnixBench::Trace::Strace->new(dir => $with->{dir});
    $tracer->check(map { $_ => $with->{$_} } qw(process clock));
    return $tracer;
}

# { number of a system call => its name }, as the headers of the C library say; empty where there is no compiler.
sub _names {
    for my $compiler ([split q{ }, $ENV{CC} // q{}], map { [$_] } qw(cc gcc clang)) {
        next if !@$compiler;
        my $macros =
            UnixBench::Process::Command::output_of([@$compiler, qw(-E -dM -include sys/syscall.h -x c /dev/null)]);
        return UnixBench::Trace::Names::of_macros($macros) if defined $macros;
    }
    return {};
}

1;
