package UnixBench::Host::Conditions;

# The conditions under which a run measures: which facts about the machine decide the numbers, so they must be the same
# in all parts of a run, and which only may matter, so that a change is a warning.

use strict;
use warnings;

use UnixBench::Host::FactList ();

# The keys of all facts, see UnixBench::Host::FactList::conditions, by what a change of them means:
#   decides   the numbers before and after it are not those of one machine
#   matters   they may differ
#   free      nothing: the fact differs from hour to hour, or something else checks it
my %MEANING = (
    decides => [
        qw(host.name host.os host.release cpu.models cpu.sockets cpu.cores cpu.threads cpu.smt cpu.numa_nodes),
        qw(cpu.caches cgroup.cpus cgroup.cpuset cgroup.memory_kb process.ld_preload process.ld_audit),
        qw(process.preload_file process.ld_library_path process.glibc_tunables process.variables process.nice),
        qw(process.class process.cpus process.tracer process.seccomp process.stack_kb process.memory_kb),
        qw(process.personality virtualization.hypervisor virtualization.container scratch.file_system),
        qw(scratch.mount_options scratch.device build.compiler build.flags build.cpu build.portable build.libc),
        qw(build.execl_linking build.execl_size build.execl_machine tools.libc tools.sh tools.sort tools.grep language),
    ],
    matters => [
        qw(suite.git_revision kernel.command_line kernel.preemption kernel.hz kernel.clock_source kernel.mitigations),
        qw(kernel.debug cpu.microcode cpu.frequency cpu.governor cpu.driver cpu.turbo memory.swap_kb),
        qw(memory.huge_pages cgroup.swap_kb cgroup.processes tools.perl),
        (map { "process.variables.$_" } qw(ENV NLSPATH PERL5OPT TMPDIR)),
    ],
    free => [
        qw(uptime_s load suite.version memory.total_kb scratch.mount_point scratch.free_kb host.graphics),
        qw(programs system_files),
    ],
);
my %MEANING_OF;
for my $meaning (keys %MEANING) {
    $MEANING_OF{$_} = $meaning for @{ $MEANING{$meaning} };
}

# Takes the key of a fact; returns "decides", "matters" or "free", or undef if there is no such fact.
sub meaning { my ($key) = @_; return $MEANING_OF{$key} }

# Takes the heads of two results, the earlier one first, and perhaps [changes] that are known already: they have come
# after the earlier one. Returns what has changed since then, each { fact, meaning, was, is }: the key of the fact, and
# its texts, undef for none. What could not be looked at then or now has not changed.
sub changes {
    my ($then, $now, $known) = @_;
    my ($was, $is) = map { _texts($_) } $then, $now;
    my @unread = map { @{ UnixBench::Host::FactList::unread_of($_) } } $then, $now;
    $was->{ $_->{fact} } = $_->{is} for @{ $known || [] };
    my %keys = (%$was, %$is);
    my @changes;
    for my $key (sort keys %keys) {
        next if UnixBench::Host::FactList::is_unread($key, \@unread);
        my ($before, $after) = map { $_->{$key} // UnixBench::Host::FactList::usual_of($key) } $was, $is;
        next if ($before // q{}) eq ($after // q{});
        push @changes, { fact => $key, meaning => _meaning_of($key), was => $before, is => $after };
    }
    return @changes;
}

# Takes such a change; returns it in words.
sub in_words {
    my ($change) = @_;
    my ($was, $is) = map { $_ // 'none' } @$change{qw(was is)};
    return UnixBench::Host::FactList::name_of($change->{fact}) . " was $was, is $is";
}

# Returns { key => text } of all facts that decide or matter.
sub _texts {
    my ($result) = @_;
    my @facts = grep { _meaning_of($_->{key}) ne 'free' } UnixBench::Host::FactList::conditions($result);
    return { map { $_->{key} => $_->{text} } @facts };
}

# Takes a key that perhaps ends with the name of one of several facts.
sub _meaning_of {
    my ($key) = @_;
    return meaning($key) // meaning(join q{.}, (split /[.]/, $key)[0, 1]) // 'free';
}

1;
