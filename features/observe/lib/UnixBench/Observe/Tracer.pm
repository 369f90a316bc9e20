package UnixBench::Observe::Tracer;

# Chooses the tracer of system calls: bpftrace if it works on this machine, else strace if that works, else none.

use strict;
use warnings;

use UnixBench::Observe::Bpftrace ();
use UnixBench::Observe::Strace   ();

# Tries each tracer until one works. A try during which this program was stopped is repeated. Returns { tracer,
# why_not }: the tracer, see UnixBench::Observe::Bpftrace for its methods, or undef; and the reason why it is not
# bpftrace, or undef. If no tracer works, why_not has both reasons. Takes
#   process      UnixBench::Process::Process
#   clock        UnixBench::Base::Clock
#   has_program  function that returns whether a program is in PATH
#   dir          a private directory
#   files        UnixBench::Host::KernelFiles
#   euid         the effective user ID (default: that of this process)
#   start_s      see UnixBench::Observe::Bpftrace (optional)
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
    my ($with) = @_;
    my $lacking = UnixBench::Observe::Bpftrace::lacking((map { $_ => $with->{$_} } qw(files has_program)),
        euid => $with->{euid} // $>,);
    die "$lacking\n" if defined $lacking;
    my $tracer = UnixBench::Observe::Bpftrace->new(
        names      => UnixBench::Observe::Bpftrace::call_names(),
        is_mounted => UnixBench::Observe::Bpftrace::has_tracefs($with->{files}),
        map { exists $with->{$_} ? ($_ => $with->{$_}) : () } qw(process clock dir start_s)
    );
    $tracer->attach;
    $tracer->give_up;
    return $tracer;
}

sub _strace {
    my ($with) = @_;
    die "strace is not installed\n" if !$with->{has_program}->('strace');
    my $tracer = UnixBench::Observe::Strace->new(dir => $with->{dir});
    $tracer->check(map { $_ => $with->{$_} } qw(process clock));
    return $tracer;
}

1;
