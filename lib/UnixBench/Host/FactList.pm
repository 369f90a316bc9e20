package UnixBench::Host::FactList;

# The facts about the machine and its configuration that a result contains: as lines for people, and as texts in which
# two results, or two parts of a run, can differ.

use strict;
use warnings;

use Scalar::Util qw(looks_like_number);

use UnixBench::Catalog           ();
use UnixBench::Host::KernelFiles ();

# Facts that are not compared: they differ between machines, days or selected tests, but do not affect the scores.
use constant OWN => 'own';

# Facts about the graphics tests.
use constant GRAPHICS => 'graphics';

use constant {
    DIGEST_LENGTH  => 16,      # hexadecimal digits of a digest that are shown
    USUAL_STACK_KB => 8192,    # the limit of the stack that Linux gives the first process
};

my @SIZES = qw(KB MB GB TB PB);

# The kernel's words for the state of hardware threads, and the words for people.
my %SMT = (forceoff => 'off', notsupported => 'not supported', notimplemented => 'not supported');

# The names of caches that hold only data or only instructions.
my %CACHE = (Data => ' data', Instruction => ' instruction');

# Matches the names of measured files that are not programs or scripts: input, and the baseline.
my $INPUT = qr/[.](?!sh\z)[^.]+\z/;

# Matches the words of the kernel's command line that only distinguish machines of the same kind.
my $PLACES = qr/\A(?:BOOT_IMAGE|initrd|root|rootflags|resume|resume_offset|ip|cryptdevice)=|[.](?:uuid|lv|name|host)=
    |UUID=|\A(?:ro|rw)\z/xi;

# The facts in groups. A fact has a label, a place in the result, the writer below that makes its text, and what its
# change means: it decides the numbers, so those before and after it are not of one machine; it matters, so they may
# differ; or it is free: it differs from hour to hour, or something else checks it. A bar in the place separates
# alternatives, and a blank separates several values. A fact may also have OWN, GRAPHICS, or the name of the program
# that it describes.
#<<< a table
my @GROUPS = (
    [System => (
        ['Host name',              'host.name',                                 'plain',        'decides', OWN],
        ['Board',                  'facts.board',                               'plain',        'decides'],
        ['System',                 'host.os host.machine',                      'joined',       'decides'],
        ['Distribution',           'facts.tools.distribution',                  'plain',        'matters'],
        ['Load',                   'facts.load',                                'load',         'free', OWN],
        ['Suite',                  'version',                                   'plain',        'free'],
        ['Suite revision',         'facts.suite.git_revision',                  'plain',        'matters'],
    )],
    [Kernel => (
        ['Kernel',                 'host.release host.version',                 'joined',       'decides'],
        ['Kernel command line',    'facts.kernel.command_line',                 'command_line', 'matters'],
        ['Preemption',             'facts.kernel.preemption',                   'plain',        'matters'],
        ['Timer ticks',            'facts.kernel.hz',                           'hertz',        'matters'],
        ['Clock source',           'facts.kernel.clock_source',                 'plain',        'matters'],
        ['Mitigation',             'facts.kernel.mitigations',                  'named',        'matters'],
        ['Checks for developers',  'facts.kernel.debug',                        'words',        'matters'],
        ['Kernel setting',         'facts.kernel.settings',                     'named',        'matters'],
    )],
    [Processors => (
        ['CPU',                    'facts.cpu.models|host.cpus',                'models',       'decides'],
        ['Sockets',                'facts.cpu.sockets',                         'plain',        'decides'],
        ['Cores',                  'facts.cpu.cores',                           'plain',        'decides'],
        ['Threads',                'facts.cpu.threads',                         'plain',        'decides'],
        ['SMT',                    'facts.cpu.smt',                             'smt',          'decides'],
        ['NUMA nodes',             'facts.cpu.numa_nodes',                      'plain',        'decides'],
        ['cache',                  'facts.cpu.caches',                          'caches',       'decides'],
        ['Microcode',              'facts.cpu.microcode',                       'plain',        'matters'],
        ['Frequency',              'facts.cpu.frequency',                       'frequency',    'matters'],
        ['Frequency governor',     'facts.cpu.governor',                        'plain',        'matters'],
        ['Frequency driver',       'facts.cpu.driver',                          'plain',        'matters'],
        ['Turbo',                  'facts.cpu.turbo',                           'plain',        'matters'],
    )],
    [Memory => (
        ['Memory',                 'facts.memory.total_kb|host.memory_kb',      'size',         'free'],
        ['Swap',                   'facts.memory.swap_kb',                      'size',         'matters'],
        ['Huge pages',             'facts.memory.huge_pages',                   'huge_pages',   'matters'],
    )],
    ['Limits by control groups' => (
        ['CPU time limit',         'facts.cgroup.cpus|host.cpu_quota',          'quota',        'decides'],
        ['CPUs allowed',           'facts.cgroup.cpuset',                       'plain',        'decides'],
        ['Memory limit',           'facts.cgroup.memory_kb',                    'size',         'decides'],
        ['Process limit',          'facts.cgroup.processes',                    'plain',        'matters'],
    )],
    ['How it was started' => (
        ['LD_PRELOAD',             'facts.process.ld_preload',                  'plain',        'decides'],
        ['LD_AUDIT',               'facts.process.ld_audit',                    'plain',        'decides'],
        ['/etc/ld.so.preload',     'facts.process.preload_file',                'plain',        'decides'],
        ['LD_LIBRARY_PATH',        'facts.process.ld_library_path',             'plain',        'decides'],
        ['GLIBC_TUNABLES',         'facts.process.glibc_tunables',              'plain',        'decides'],
        [q{},                      'facts.process.variables',                   'named',        'decides'],
        ['Nice value',             'facts.process.nice',                        'nice',         'decides'],
        ['Scheduling class',       'facts.process.class',                       'class',        'decides'],
        ['CPUs it may use',        'facts.process.cpus facts.cpu.threads',      'allowed',      'decides'],
        ['Tracer',                 'facts.process.tracer',                      'plain',        'decides'],
        ['System call filter',     'facts.process.seccomp',                     'seccomp',      'decides'],
        ['Stack limit',            'facts.process.stack_kb',                    'stack',        'decides'],
        ['Address space limit',    'facts.process.memory_kb',                   'size',         'decides'],
        ['Personality',            'facts.process.personality',                 'plain',        'decides'],
    )],
    [Virtualization => (
        ['Hypervisor',             'facts.virtualization.hypervisor',           'plain',        'decides'],
        ['Container',              'facts.virtualization.container',            'plain',        'decides'],
    )],
    ['Scratch files' => (
        ['File system',            'facts.scratch.file_system',                 'plain',        'decides'],
        ['Mount options',          'facts.scratch.mount_options',               'options',      'decides'],
        ['Mounted at',             'facts.scratch.mount_point',                 'plain',        'free', OWN],
        ['Device',                 'facts.scratch.device',                      'plain',        'decides', OWN],
    )],
    [Software => (
        ['Compiler',               'build.compiler build.version',              'compiler',     'decides'],
        ['Compiler flags',         'build.flags build.ldflags',                 'joined',       'decides'],
        ['Built for',              'build.cpu',                                 'plain',        'decides'],
        ['Portable build',         'build.portable',                            'plain',        'decides'],
        ['Built with C library',   'build.libc',                                'plain',        'decides'],
        ['Linking of execl',       'build.execl_linking',                       'plain',        'decides', 'execl'],
        ['Size of execl',          'build.execl_size',                          'plain',        'decides', 'execl'],
        ['Machine of execl',       'build.execl_machine',                       'plain',        'decides', 'execl'],
        ['C library',              'facts.tools.libc',                          'plain',        'decides'],
        ['Shell',                  'facts.tools.sh',                            'plain',        'decides'],
        ['sort',                   'facts.tools.sort',                          'plain',        'decides'],
        ['grep',                   'facts.tools.grep',                          'plain',        'decides'],
        ['Perl',                   'facts.tools.perl',                          'plain',        'matters'],
        ['Language',               'language',                                  'language',     'decides'],
    )],
    [Graphics => (
        ['Renderer',               'host.graphics',                             'plain',        'free'],
        ['Version of OpenGL',      'facts.graphics.opengl',                     'plain',        'matters', GRAPHICS],
        ['X server',               'facts.graphics.server',                     'plain',        'matters', GRAPHICS],
        ['Screen',                 'facts.graphics.screen',                     'plain',        'matters', GRAPHICS],
        ['Session',                'facts.graphics.session',                    'plain',        'matters', GRAPHICS],
    )],
);
#>>>

# The facts of all groups; { key of a fact => its label }, and what its change means. Most variables of the environment
# decide.
my @ROWS       = map { @{$_}[1 .. $#{$_}] } @GROUPS;
my %LABEL_OF   = map { _key($_) => $_->[0] } @ROWS;
my %MEANING_OF = map { _key($_) => $_->[3] } @ROWS;
$MEANING_OF{"process.variables.$_"} = 'matters' for qw(ENV NLSPATH PERL5OPT TMPDIR);

# What it means that these writers print nothing about a Linux machine.
my %UNSAID =
    (nice => '0', class => 'SCHED_OTHER', allowed => 'all', stack => '8 MB', seccomp => 'none', quota => 'none');
my %USUAL_OF =
    map { defined $UNSAID{ $_->[2] } ? (_key($_) => $UNSAID{ $_->[2] }) : () } @ROWS;
$USUAL_OF{$_} = 'none'
    for qw(cgroup.memory_kb cgroup.processes process.tracer process.memory_kb),
    map { "process.$_" } qw(ld_preload ld_audit preload_file ld_library_path glibc_tunables);
$USUAL_OF{'cgroup.cpuset'} = 'all';

# Takes a result. Returns the groups of known facts, { title, facts => [[label, text], ...] } each. The texts are bytes,
# as the machine gave them. A fact that changed during the run has all its texts.
sub groups {
    my ($result) = @_;
    my @groups;
    for my $group (@GROUPS) {
        my ($title, @rows) = @{$group};
        my @lines = map { [@$_[0, 1]] } map { _all_lines($result, $_) } @rows;
        push @groups, { title => $title, facts => \@lines } if @lines;
    }
    return @groups;
}

# Takes a result with runs. Returns what can make two results differ, in these keys of a summary:
#   facts          { key => text } about the machine, see conditions(), without those that are marked as OWN
#   program_facts  { key => text } about programs that were run
#   facts_unread   [keys of facts that could not be looked at], or undef without any
#   files          { programs, inputs }, each { file => the beginning of its digest }
sub distinctions {
    my ($result) = @_;
    my %is_run   = map { ($_->{name} => 1, UnixBench::Catalog::is_graphics($_) ? (GRAPHICS() => 1) : ()) }
        map { @{ $_->{tests} } } @{ $result->{runs} };
    my %facts = (facts => {}, program_facts => {});
    for my $row (@ROWS) {
        my $about = $row->[4];
        next if defined $about && ($about eq OWN || !$is_run{$about});
        my $of = $facts{ defined $about ? 'program_facts' : 'facts' };
        $of->{ _key($row, $_->[2]) } = $_->[1] for _all_lines($result, $row);
    }
    my $unread = unread_of($result);
    return { %facts, files => _files(_value($result, 'facts.programs')), facts_unread => @$unread ? $unread : undef };
}

# Takes a result without its runs. Returns its known facts, { key, text } each. The key of a fact is its place in the
# result, such as cpu.governor. A place with several facts has a name for each of them: kernel.mitigations.meltdown. A
# usual value may be left out, see usual_of().
sub conditions {
    my ($result) = @_;
    my @facts;
    for my $row (@ROWS) {
        push @facts, map { +{ key => _key($row, $_->[2]), text => $_->[1] } } _lines($result, $row);
    }
    return @facts;
}

# Returns the keys of all facts, without the names of several facts at one place.
sub keys_of_facts {
    return map { _key($_) } @ROWS;
}

# Takes a key, which perhaps ends with the name of one of several facts; returns "decides", "matters" or "free".
sub meaning {
    my ($key) = @_;
    return $MEANING_OF{$key} // $MEANING_OF{ join q{.}, (split /[.]/, $key)[0, 1] } // 'free';
}

# Takes such a key; returns the name of the fact within a sentence, such as "frequency governor".
sub name_of {
    my ($key)  = @_;
    my $label  = label_of($key);
    my $within = $label =~ /\A[A-Z][a-z]/ ? lcfirst $label : $label;
    return $key =~ /\Ascratch[.]/ ? "scratch $within" : $within;
}

# Takes a result; returns [the keys of facts that could not be looked at].
sub unread_of { my ($result) = @_; return ($result->{facts} || {})->{unread} || [] }

# Takes such a key, and [the keys of facts that could not be looked at]. Returns the value of the fact that is left out
# because it is the usual one, or undef. A result from Linux that does not have the fact has this value.
sub usual_of {
    my ($key, $unread) = @_;
    return if is_unread($key, $unread);
    return $key =~ /\Aprocess[.]variables[.]/ ? 'none' : $USUAL_OF{$key};
}

# Takes a key, and [the keys of facts that could not be looked at]; returns whether the fact is one of these.
sub is_unread {
    my ($key, $unread) = @_;
    return scalar grep { index("$key.", "$_.") == 0 } @{ $unread || [] };
}

# Takes the heads of two results, the earlier one first, and perhaps [changes] that are known already: they have come
# after the earlier one. Returns what has changed since then, each { fact, meaning, was, is }: the key of the fact, and
# its texts, undef for none. What could not be looked at then or now has not changed.
sub changes {
    my ($then, $now, $known) = @_;
    my ($was, $is) = map { _texts($_) } $then, $now;
    my @unread = map { (@{ unread_of($_) }, _settings($_)) } $then, $now;
    $was->{ $_->{fact} } = $_->{is} for @{ $known || [] };
    my %keys = (%$was, %$is);
    my @changes;
    for my $key (sort keys %keys) {
        next if is_unread($key, \@unread);
        my ($before, $after) = map { $_->{$key} // usual_of($key) } $was, $is;
        next if ($before // q{}) eq ($after // q{});
        next if $key =~ /\Agraphics[.]/ && grep { !defined } $before, $after;    # a run without graphics tests
        my $meaning = meaning($key);
        push @changes, { fact => $key, meaning => $meaning, was => $before, is => $after };
    }
    return @changes;
}

# Takes such a change; returns it in words.
sub change_in_words {
    my ($change) = @_;
    my ($was, $is) = map { $_ // 'none' } @$change{qw(was is)};
    return name_of($change->{fact}) . " was $was, is $is";
}

# Returns the key of the kernel's settings if a result does not have them: only a look at several states reads them.
sub _settings {
    my ($result) = @_;
    return (($result->{facts} || {})->{kernel} || {})->{settings} ? () : 'kernel.settings';
}

sub _texts {
    my ($result) = @_;
    my @facts = grep { meaning($_->{key}) ne 'free' } conditions($result);
    return { map { $_->{key} => $_->{text} } @facts };
}

# Takes a summary, see UnixBench::Summary, and a key without the name of one of several facts. Returns { name, or
# an empty text => text } of the facts of the machine at that place.
sub texts_of {
    my ($summary, $key) = @_;
    my $facts = $summary->{facts} || {};
    return { map { /\A\Q$key\E(?:\z|[.](.+))/s ? ($1 // q{} => $facts->{$_}) : () } keys %$facts };
}

# Takes a summary and a key; returns the text of the fact at that place, or undef.
sub text_of { my ($summary, $key) = @_; return ($summary->{facts} || {})->{$key} }

# Takes a summary and a number of copies; returns the limit of their CPU time as a text, "the time of 0.40 CPUs", if it
# is less than one CPU for each copy, else undef.
sub cpu_limit {
    my ($summary, $copies) = @_;
    my $text = text_of($summary, 'cgroup.cpus') // return;
    my ($cpus) = $text =~ /([0-9]+[.][0-9]+)/;
    return defined $cpus && $cpus < $copies ? $text : undef;
}

# Takes such a key; returns the label of the fact.
sub label_of {
    my ($key) = @_;
    my ($place, @names) = $key;
    while (!exists $LABEL_OF{$place}) {
        $place =~ s/[.]([^.]+)\z//s or return $key;
        unshift @names, $1;
    }
    return _label($LABEL_OF{$place}, join q{.}, @names);
}

# Takes the label of a row and perhaps the name of one of several facts; returns the label of that fact: "Mitigation
# mds", "L2 cache".
sub _label {
    my ($label, $name) = @_;
    return ucfirst "$name " . lcfirst $label if length($name // q{}) && $label =~ /\A(?:cache|Huge pages)\z/;
    return join q{ }, grep { length } $label, $name // q{};
}

sub _key {
    my ($row, $name) = @_;
    my ($place) = $row->[1] =~ /\A(?:facts[.])?([^ |]+)/;
    return join q{.}, $place, $name // ();
}

# Takes a result and a row; returns its lines. The text of a fact that changed during the run has each value.
sub _all_lines {
    my ($result, $row) = @_;
    my @lines = _lines($result, $row);
    my $key   = _key($row);
    for my $change (grep { index("$_->{fact}.", "$key.") == 0 } @{ $result->{changes} || [] }) {
        my $label  = label_of($change->{fact});
        my ($line) = grep { _key($row, $_->[2]) eq $change->{fact} } @lines;
        my ($name) = $change->{fact} =~ /\A\Q$key\E[.](.+)\z/;
        push @lines, $line = [$label, undef, $name] if !$line;
        $line->[1] //= $change->{was} // 'none';
        $line->[1] .= ', then ' . ($change->{is} // 'none');
    }
    return @lines;
}

# Takes a result and a row. Returns [label, text, name] for each of its facts that are known and not usual; the name is
# missing if the row has one fact.
sub _lines {
    my ($result, $row) = @_;
    my ($label, $places, $way) = @$row;
    my @values = map { scalar _value($result, $_) } split / /, $places;
    return if !grep { defined } @values;
    my $said  = written($way, @values);
    my %texts = ref $said ? %$said : (q{} => $said);
    my @names = sort { !length $a <=> !length $b || $a cmp $b } grep { length($texts{$_} // q{}) } keys %texts;
    return map { [_label($label, $_), $texts{$_}, length ? $_ : ()] } @names;
}

sub _value {
    my ($result, $places) = @_;
    for my $place (split /[|]/, $places) {
        my $value = $result;
        $value = ref $value eq 'HASH' ? $value->{$_} : undef for split /[.]/, $place;
        return $value if defined $value;
    }
    return;
}

# The writers, by the names that rows have. Each takes the values of a row. It returns a text; { name => text } if the
# row has several facts; or undef if the fact is unknown or usual.
my %WRITERS = (
    plain        => sub { $_[0] },
    named        => sub { $_[0] },
    words        => sub { join q{ }, @{ $_[0] } },
    joined       => \&_joined,
    nice         => sub { _is_number($_[0]) && $_[0] != 0 ? "$_[0]" : undef },
    class        => sub { $_[0] eq 'SCHED_OTHER'          ? undef   : $_[0] },
    seccomp      => sub { "seccomp $_[0]" },
    size         => sub { _is_number($_[0]) ? _size($_[0])                            : undef },
    hertz        => sub { _is_number($_[0]) ? "$_[0] Hz"                              : undef },
    quota        => sub { _is_number($_[0]) ? sprintf('the time of %.2f CPUs', $_[0]) : undef },
    load         => sub { join ', ', map { sprintf '%.2f', $_ } @{ $_[0] } },
    allowed      => \&_allowed,
    stack        => \&_stack,
    frequency    => \&_frequency,
    models       => \&_models,
    caches       => \&_caches,
    smt          => \&_smt,
    huge_pages   => \&_huge_pages,
    command_line => \&_command_line,
    options      => sub { join q{,}, grep { !m{=.*/} } split /,/, $_[0] },      # paths differ between machines
    compiler     => \&_compiler,
    language     => \&_language,
);

# Takes the name of a writer and values; returns what it writes.
sub written {
    my ($way, @values) = @_;
    return $WRITERS{$way}->(@values);
}

sub _joined {
    my (@texts) = @_;
    return join q{ }, grep { defined && length } @texts;
}

# Writes the CPUs that may be used, of all CPUs: "2 of 8, CPUs 0-1".
sub _allowed {
    my ($list, $all) = @_;
    return $list if !defined $list || !_is_number($all);
    my $count = UnixBench::Host::KernelFiles::ids_of($list);
    return "$count of $all, " . ($count == 1 ? 'CPU' : 'CPUs') . " $list";
}

# Writes the limit of the stack, given in KB, if it is not the usual one of Linux. 0 means unlimited.
sub _stack {
    my ($kb) = @_;
    return if !_is_number($kb) || $kb == USUAL_STACK_KB;
    return $kb ? _size($kb) : 'unlimited';
}

# Writes a size, given in KB: "31.2 GB".
sub _size {
    my ($kb) = @_;
    my $power = 0;
    ($kb, $power) = ($kb / 1024, $power + 1) while $kb >= 1024 && $power < $#SIZES;
    return sprintf('%.1f', $kb) =~ s/[.]0\z//r . " $SIZES[$power]";
}

# Writes a range of frequencies, { min_mhz, max_mhz }: "800 to 3700 MHz".
sub _frequency {
    my ($range) = @_;
    my @mhz = map { sprintf '%.0f', $_ } grep { _is_number($_) } @$range{qw(min_mhz max_mhz)};
    return @mhz ? join(' to ', @mhz) . ' MHz' : undef;
}

# Writes kinds of CPU, [{ model, count (default 1) }, ...]: "8 x AMD EPYC".
sub _models {
    my ($cpus) = @_;
    my (%count, @models);
    for my $cpu (@$cpus) {
        my $model = $cpu->{model} // 'unknown';
        push @models, $model if !$count{$model};
        $count{$model} += $cpu->{count} // 1;
    }
    return join ', ', map { "$count{$_} x $_" } @models;
}

# Writes caches, [{ level, type, size_kb, count }, ...], with a text for each kind: L2 => "8 x 512 KB".
sub _caches {
    my ($caches) = @_;
    my %texts;
    for my $cache (@$caches) {
        my $name = "L$cache->{level}" . ($CACHE{ $cache->{type} } // q{});
        $texts{$name} = join ', ', $texts{$name} // (), "$cache->{count} x " . _size($cache->{size_kb});
    }
    return \%texts;
}

# Writes the state of hardware threads, from the kernel's word or from the number of threads of a core.
sub _smt {
    my ($word) = @_;
    return $SMT{$word} // ($word =~ /\A\d+\z/ ? "$word threads a core" : $word);
}

# Writes huge pages, { transparent, count, size_kb }: those that programs get unasked, and those that are set aside.
sub _huge_pages {
    my ($pages) = @_;
    my ($count, $size_kb) = @$pages{qw(count size_kb)};
    my $set_aside = _is_number($count) && _is_number($size_kb) ? "$count of " . _size($size_kb) : undef;
    return { transparent => $pages->{transparent}, q{} => $set_aside };
}

# Writes the words of the kernel's command line. Leaves out the words for process 1, and those that only distinguish
# machines, such as names of disks.
sub _command_line {
    my ($line)  = @_;
    my ($words) = split /(?<!\S)--(?!\S)/, $line, 2;
    return join q{ }, grep { !/$PLACES/ } split q{ }, $words // q{};
}

# Writes a compiler, from its command and its version. The version mostly begins with the command.
sub _compiler {
    my ($command, $version) = @_;
    return $version if defined $command && defined $version && $version =~ /\A\Q$command\E /;
    return _joined($command, $version);
}

sub _language {
    my ($language) = @_;
    my ($lang, @sets) = map { $_ // q{} } @$language{qw(lang charmap collate)};
    return 2 == grep({ length } @sets) ? "$lang, text in $sets[0], sorted as $sets[1]" : $lang;
}

sub _files {
    my ($digest_of) = @_;
    my %files = (programs => {}, inputs => {});
    for my $file (grep { defined $digest_of->{$_} } keys %{ $digest_of || {} }) {
        $files{ $file =~ $INPUT ? 'inputs' : 'programs' }{$file} = substr $digest_of->{$file}, 0, DIGEST_LENGTH;
    }
    return \%files;
}

sub _is_number {
    my ($value) = @_;
    return defined $value && looks_like_number($value) && abs $value < 1e18;
}

1;
