package UnixBench::Host::FactList;

# The facts about the machine and its configuration that a result contains: as lines for people, and as texts in which
# two results can differ.

use strict;
use warnings;

use UnixBench::Host::FactText ();

# Facts that are not compared: they differ between machines, days or selected tests, but do not affect the scores.
use constant OWN => 'own';

# The facts in groups. A fact has a label, a place in the result, and the function of UnixBench::Host::FactText that
# writes it. A bar in the place separates alternatives, and a blank separates several values. A fact may also have OWN,
# or the name of the program that it describes.
#<<< a table
my @GROUPS = (
    [System => (
        ['Host name',             'host.name',                                 'plain', OWN],
        ['System',                'host.os host.machine',                      'joined'],
        ['Uptime',                'facts.uptime_s',                            'duration', OWN],
        ['Load',                  'facts.load',                                'load', OWN],
        ['Suite',                 'facts.suite.version|version',               'plain'],
        ['Suite revision',        'facts.suite.git_revision',                  'plain'],
    )],
    [Kernel => (
        ['Kernel',                'host.release host.version',                 'joined'],
        ['Kernel command line',   'facts.kernel.command_line',                 'command_line'],
        ['Preemption',            'facts.kernel.preemption',                   'plain'],
        ['Timer ticks',           'facts.kernel.hz',                           'hertz'],
        ['Clock source',          'facts.kernel.clock_source',                 'plain'],
        ['Mitigation',            'facts.kernel.mitigations',                  'named'],
        ['Checks for developers', 'facts.kernel.debug',                        'words'],
    )],
    [Processors => (
        ['CPU',                   'facts.cpu.models|host.cpus',                'models'],
        ['Sockets',               'facts.cpu.sockets',                         'plain'],
        ['Cores',                 'facts.cpu.cores',                           'plain'],
        ['Threads',               'facts.cpu.threads',                         'plain'],
        ['SMT',                   'facts.cpu.smt',                             'smt'],
        ['NUMA nodes',            'facts.cpu.numa_nodes',                      'plain'],
        ['cache',                 'facts.cpu.caches',                          'caches'],
        ['Microcode',             'facts.cpu.microcode',                       'plain'],
        ['Frequency',             'facts.cpu.frequency',                       'frequency'],
        ['Frequency governor',    'facts.cpu.governor',                        'plain'],
        ['Frequency driver',      'facts.cpu.driver',                          'plain'],
        ['Turbo',                 'facts.cpu.turbo',                           'plain'],
    )],
    [Memory => (
        ['Memory',                'facts.memory.total_kb|host.memory_kb',      'size'],
        ['Swap',                  'facts.memory.swap_kb',                      'size'],
        ['huge pages',            'facts.memory.huge_pages',                   'huge_pages'],
    )],
    ['Limits by control groups' => (
        ['CPU time limit',        'facts.cgroup.cpus|host.cpu_quota',          'quota'],
        ['CPUs allowed',          'facts.cgroup.cpuset',                       'plain'],
        ['Memory limit',          'facts.cgroup.memory_kb',                    'size'],
        ['Swap limit',            'facts.cgroup.swap_kb',                      'size'],
        ['Process limit',         'facts.cgroup.processes',                    'plain'],
    )],
    ['How it was started' => (
        ['LD_PRELOAD',            'facts.process.ld_preload',                  'plain'],
        ['LD_AUDIT',              'facts.process.ld_audit',                    'plain'],
        ['/etc/ld.so.preload',    'facts.process.preload_file',                'plain'],
        ['LD_LIBRARY_PATH',       'facts.process.ld_library_path',             'plain'],
        ['GLIBC_TUNABLES',        'facts.process.glibc_tunables',              'plain'],
        ['Nice value',            'facts.process.nice',                        'nice'],
        ['Scheduling class',      'facts.process.class',                       'class'],
        ['CPUs it may use',       'facts.process.cpus',                        'plain'],
        ['Tracer',                'facts.process.tracer',                      'plain'],
        ['System call filter',    'facts.process.seccomp facts.process.seccomp_filters', 'seccomp'],
    )],
    [Virtualization => (
        ['Hypervisor',            'facts.virtualization.hypervisor',           'plain'],
        ['Container',             'facts.virtualization.container',            'plain'],
    )],
    ['Scratch files' => (
        ['File system',           'facts.scratch.file_system',                 'plain'],
        ['Mount options',         'facts.scratch.mount_options',               'options'],
        ['Mounted at',            'facts.scratch.mount_point',                 'plain', OWN],
        ['Device',                'facts.scratch.device',                      'plain', OWN],
        ['Free space',            'facts.scratch.free_kb',                     'size', OWN],
    )],
    [Software => (
        ['Compiler',              'build.compiler build.version',              'compiler'],
        ['Compiler flags',        'build.flags build.ldflags',                 'joined'],
        ['Built for',             'build.cpu',                                 'plain'],
        ['Portable build',        'build.portable',                            'plain'],
        ['Built with C library',  'build.libc',                                'plain'],
        ['Linking of execl',      'build.execl_linking',                       'plain', 'execl'],
        ['Size of execl',         'build.execl_size',                          'plain', 'execl'],
        ['Machine of execl',      'build.execl_machine',                       'plain', 'execl'],
        ['C library',             'facts.tools.libc',                          'plain'],
        ['Shell',                 'facts.tools.sh',                            'plain'],
        ['sort',                  'facts.tools.sort',                          'plain'],
        ['grep',                  'facts.tools.grep',                          'plain'],
        ['Perl',                  'facts.tools.perl',                          'plain'],
        ['Language',              'language',                                  'language'],
        ['Renderer',              'host.graphics',                             'plain'],
        ['Measured programs',     'facts.programs',                            'digest', OWN],
        ['Tools and libraries',   'facts.system_files',                        'digest', OWN],
    )],
);
#>>>

# The types of the values that these functions of UnixBench::Host::FactText take. The other functions take texts and
# numbers.
my %TAKES = (
    (map { $_ => 'ARRAY' } qw(models caches load words)),
    (map { $_ => 'HASH' } qw(named frequency huge_pages language digest)),
);

# Takes a result. Returns the groups of known facts, { title, facts => [[label, text], ...] } each. The texts are bytes,
# as the machine gave them.
sub groups {
    my ($result) = @_;
    my @groups;
    for my $group (@GROUPS) {
        my ($title, @rows) = @{$group};
        my @lines = map { _lines($result, $_) } @rows;
        push @groups, { title => $title, facts => \@lines } if @lines;
    }
    return @groups;
}

# Takes a result with runs. Returns what can make two results differ, in these keys of a summary:
#   facts          { label => text } about the machine, without those that are marked as OWN
#   program_facts  { label => text } about programs that were run
#   files          { programs, inputs, tools, libraries }, each { file => the beginning of its digest }
sub distinctions {
    my ($result) = @_;
    my %is_run   = map { $_->{name} => 1 } map { @{ $_->{tests} } } @{ $result->{runs} };
    my %facts    = (facts => {}, program_facts => {});
    for my $row (map { @{$_}[1 .. $#{$_}] } @GROUPS) {
        my $about = $row->[3];
        next if defined $about && ($about eq OWN || !$is_run{$about});
        $facts{ defined $about ? 'program_facts' : 'facts' }{ $_->[0] } = $_->[1] for _lines($result, $row);
    }
    my ($measured, $of_system) = map { scalar _value($result, "facts.$_") } qw(programs system_files);
    my %files =
        (UnixBench::Host::FactText::measured_files($measured), UnixBench::Host::FactText::system_files($of_system));
    return { %facts, files => \%files };
}

sub _lines {
    my ($result, $row) = @_;
    my ($label, $places, $way) = @{$row};
    my @values = map { scalar _value($result, $_) } split / /, $places;
    return if !grep { defined } @values;
    return if grep  { ref ne ($TAKES{$way} // q{}) } @values;
    return UnixBench::Host::FactText::joined($label, @{ $values[0] }) if $way eq 'words';
    return UnixBench::Host::FactText->can($way)->($label, @values);
}

# Takes a result and the alternative places of a value. Returns the value at the first place that has one.
sub _value {
    my ($result, $places) = @_;
    for my $place (split /[|]/, $places) {
        my $value = $result;
        $value = ref $value eq 'HASH' ? $value->{$_} : undef for split /[.]/, $place;
        return $value if defined $value;
    }
    return;
}

1;
