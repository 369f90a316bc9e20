package UnixBench::Base::Proc;

# What Linux says about a process in /proc/PID: parsers for its files, see proc(5). In a container, /proc may be that of
# another PID namespace. Its numbers are then those of other processes, and nothing is known about a process.

use strict;
use warnings;

use Exporter 'import';

use List::Util ();

use UnixBench::Base::Files ();

our @EXPORT_OK = qw(TICK_S);

use constant TICK_S => 0.01;    # the unit of CPU times: USER_HZ

# The places of the fields after the name of the process, counted from 0. Times are in ticks.
my %PLACE = (
    state                => 0,
    parent               => 1,
    group                => 2,
    flags                => 6,
    child_minor_faults   => 8,
    major_faults         => 9,
    child_major_faults   => 10,
    user_time            => 11,
    kernel_time          => 12,
    children_user_time   => 13,
    children_kernel_time => 14,
    nice                 => 16,
    started              => 19,
    policy               => 38,
);

my $STATE  = qr/\A[A-Za-z]\z/;
my $NUMBER = qr/\A-?[0-9]{1,15}\z/;

my %IS_OURS;    # by the PID of this program, which changes in a child

# Returns whether the numbers of processes in /proc are those of this program's PID namespace.
sub is_ours {
    return $IS_OURS{$$} //=
        are_ours($$, readlink '/proc/self', UnixBench::Base::Files::content('/proc/self/status')) ? 1 : 0;
}

# Takes the PID of this program, the target of /proc/self, or undef, and the text of /proc/self/status, or undef.
# Returns whether /proc shows this program with that number, and shows no other namespace between.
sub are_ours {
    my ($pid, $self, $status) = @_;
    return 0 if ($self // q{}) ne $pid;
    my ($numbers) = ($status // q{}) =~ /^NSpid:\s*([0-9\s]*)$/m;
    return !defined $numbers || 1 == (() = $numbers =~ /[0-9]+/g) ? 1 : 0;
}

# Takes a PID and names of fields. Returns their values, or nothing if the process is gone or unknown.
sub of {
    my ($pid, @names) = @_;
    return if !is_ours();
    return fields(UnixBench::Base::Files::content("/proc/$pid/stat") // q{}, @names);
}

# Takes the text of the file and names of fields. Returns their values, or nothing if one of them is missing or broken.
sub fields {
    my ($text,  @names) = @_;
    my ($begin, $end)   = (index($text, q{(}), rindex $text, ') ');    # the name may contain anything
    return if $begin < 0 || $end < $begin;
    my @places = @PLACE{@names};
    my @fields = split q{ }, substr($text, $end + 2), 2 + List::Util::max(@places);
    return if grep { ($fields[$_] // q{}) !~ ($_ == $PLACE{state} ? $STATE : $NUMBER) } @places;
    return @fields[@places];
}

# Takes the text of the file; returns the name of the process as bytes, or undef.
sub name {
    my ($text) = @_;
    return $text =~ /\A[0-9]+ [(](.*)[)] /s ? $1 : undef;
}

# Takes the text of /proc/PID/schedstat. Returns the nanoseconds for which the process has run, and for which it has
# waited for a CPU, or nothing if they are unknown. A kernel that does not count shows zeros, but no process has run for
# no time at all.
sub scheduled_ns {
    my ($text) = @_;
    return $text =~ /\A([1-9][0-9]{0,17}) ([0-9]{1,18}) /;
}

# Takes a PID. Returns what the process itself has used so far, without its children: { ran_s, waited_s (for a CPU),
# switches (it had to wait for something), forced_switches (others got its CPU) }, and whether it had ended, so that it
# will not use more. The switches may be undef. Returns nothing if the times are unknown.
sub used {
    my ($pid) = @_;
    return if !is_ours();
    my $status = UnixBench::Base::Files::content("/proc/$pid/status") // q{};
    my ($ran_ns, $waited_ns) = scheduled_ns(UnixBench::Base::Files::content("/proc/$pid/schedstat") // q{});
    return if !defined $ran_ns;
    my ($switches, $forced) = map { $status =~ /^${_}_ctxt_switches:\s+([0-9]{1,15})$/m } qw(voluntary nonvoluntary);
    my %used =
        (ran_s => $ran_ns / 1e9, waited_s => $waited_ns / 1e9, switches => $switches, forced_switches => $forced);
    return (\%used, $status =~ /^State:\s+[ZX]/m ? 1 : 0);
}

# Takes a function that takes a path and returns the text of that file or undef, and a PID or "self". Returns the name
# of the program that traces this process now, such as a debugger, or undef. A tracer in an outer PID namespace is not
# visible.
sub tracer {
    my ($read, $pid) = @_;
    my ($tracer) = ($read->("/proc/$pid/status")  // q{}) =~ /^TracerPid:\s+([1-9][0-9]*)$/m or return;
    my ($name)   = ($read->("/proc/$tracer/comm") // q{}) =~ /\A([^\n]+)/;
    return $name // "process $tracer";
}

1;
