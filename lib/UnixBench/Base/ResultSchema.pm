package UnixBench::Base::ResultSchema;

# The schema of a result and of its file, as shapes of UnixBench::Base::Shape. It is the only description in the
# program; share/result.schema.json describes the file for other programs.

use strict;
use warnings;

use constant {
    FORMAT => 'unixbench-result',
    SCHEMA => 2,                    # increased when readers of results have to change
};

my $CATEGORY = qr/\A(?:system|2d|3d|misc|interactive|multiuser)\z/;

our %COPY = (
    pid       => 'natural',
    elapsed_s => 'number',
    status    => 'natural',
    signal    => 'natural',
    'error?'  => 'text',
    gated     => 'boolean',
    'tracer?' => 'text',
    _optional('number', qw(count time_s timebase)),
    'unit?' => 'text',
    data    => { '*' => ['text'] },
);

my %TAG = (cause => 'text', level => qr/\A(?:note|disturbed)\z/, value => 'unsigned');

my %SET_ASIDE = ('count?' => 'measured', 'time_s?' => 'measured', tags => [\%TAG]);

our %PASS = (
    number       => 'whole',
    copies       => [\%COPY],
    'count?'     => 'measured',
    'time_s?'    => 'measured',
    'timebase?'  => 'timebase',
    'unit?'      => 'text',
    'error?'     => 'text',
    'where?'     => 'text',
    'tags?'      => [\%TAG],
    'set_aside?' => [\%SET_ASIDE],
    'noticed?'   => { _optional('number', qw(mhz dirty_kb)) },
);

my $TRACER = qr/\A(?:bpftrace|strace)\z/;

my %DELAYS = (from_ns => 'natural', count => 'natural');

my %CALL = (
    name => 'text',
    _required('natural', qw(count returned total_ns)),
    'max_ns?' => 'natural',
    'delays?' => [\%DELAYS],
);

my %PROCESS = (
    at => 'moment',
    _required('natural', qw(pid count returned total_ns)),
    'max_ns?' => 'natural',
    top       => [{ name => 'text', count => 'natural' }],
);

our %OBSERVED = (
    tracer  => $TRACER,
    command => ['text'],
    _optional('text',     qw(error unit)),
    _optional('measured', qw(count time_s)),
    'timebase?' => 'timebase',
    'slowdown?' => 'positive',
    _optional('natural', qw(loops processes lost)),
    'calls?'    => [\%CALL],
    'rows?'     => [\%PROCESS],
    'unlisted?' => { _required('natural', qw(processes count)) },
);

my %ESTIMATE = (value => 'positive', _optional('positive', qw(low high df)), 'log_se?' => 'unsigned');

my %SPREAD = (
    passes => 'whole',
    _required('positive', qw(median mean min max)),
    _optional('unsigned', qw(sd cv)),
    'modes?'       => [{ _required('positive', qw(rate share)) }],
    estimate       => \%ESTIMATE,
    'undisturbed?' => \%ESTIMATE,
);

my %TEST = (
    name             => 'text',
    title            => 'text',
    category         => $CATEGORY,
    command          => ['text'],
    'passes_wanted?' => 'whole',
    status           => qr/\A(?:measured|failed|skipped|interrupted)\z/,
    'reason?'        => 'text',
    'score?'         => 'positive',
    'unit?'          => 'text',
    'time_s?'        => 'positive',
    'samples?'       => 'whole',
    'dropped?'       => ['number'],
    'kept?'          => ['number'],
    'spread?'        => \%SPREAD,
    'observed?'      => \%OBSERVED,
    passes           => [\%PASS],
);

my %LACKING = (_required('natural', qw(failed interrupted skipped)), is_all_asked => 'boolean');

my %INDEX =
    (category => $CATEGORY, title => 'text', complete => 'boolean', 'index?' => 'positive', 'lacking?' => \%LACKING);

my %ROW = (name => 'text', title => 'text', 'baseline?' => 'positive', score => 'positive', 'index?' => 'positive');

my %ESTIMATES = map { $_ => \%ESTIMATE } qw(estimate? undisturbed?);

my %MEAN_OF_OTHERS = (value => 'positive', tests => 'whole', estimate => \%ESTIMATE, 'undisturbed?' => \%ESTIMATE);

my %INDEX_IN_FILE = (%INDEX, %ESTIMATES, 'mean_of_others?' => \%MEAN_OF_OTHERS, rows => [\%ROW]);

my %CELL = (
    _required('text',     qw(task load)),
    _required('whole',    qw(passes frames)),
    _required('natural',  qw(on_time late dropped)),
    _required('unsigned', qw(on_time_percent late_percent dropped_percent)),
    _optional('unsigned', qw(work_percent throughput_percent wake_p50_us wake_p99_us)),
    _optional('unsigned', map { "staleness_${_}_us" } qw(p50 p95 p99 p99_least p99_most p999 max sd)),
    noisy => 'boolean',
);

my %TRIAL = (_required('whole', qw(streams passes)), on_time_percent => 'unsigned');

my %INTERACTIVITY = (cells => [\%CELL], trials => [\%TRIAL]);

my %INCIDENT = (_required('whole', qw(pass user)), line => 'natural', _required('text', qw(what text)));

my %METER = (name => 'text', _optional('unsigned', qw(machine group users finished per_finished)));

my %RESPONSE = (class => 'text', _optional('unsigned', qw(count mean_s p50_s p90_s p95_s p99_s max_s)));

my %LOAD =
    (_required('whole', qw(users passes)), _optional('unsigned', qw(lines elapsed_s mean_s p50_s p95_s stretch)),);

my %USERS_MOST = (
    users => 'natural',
    _optional('unsigned', qw(value low high alone_p95_s limit)),
    is_least => 'boolean',
);

my %MULTIUSER = (
    passes => 'whole',
    _optional('unsigned', qw(users finished lines elapsed_s driver_cpu_s stretch)),
    'shortfall?'   => 'text',
    incident_count => 'natural',
    incidents      => [\%INCIDENT],
    meters         => [\%METER],
    'shares?'      => { _optional('unsigned', qw(user system irq steal iowait idle)) },
    responses      => [\%RESPONSE],
    trials         => [\%LOAD],
    'capacity?'    => \%USERS_MOST,
);

our %RUN = (
    copies           => 'whole',
    started          => 'moment',
    ended            => 'moment',
    cpu_count        => 'whole',
    'clock_set_s?'   => 'number',
    'rounds?'        => 'natural',
    'interactivity?' => \%INTERACTIVITY,
    'multiuser?'     => \%MULTIUSER,
    indexes          => [\%INDEX_IN_FILE],
    tests            => [\%TEST],
);

my %CPU =
    (id => 'natural', 'model?' => 'text', 'bogomips?' => 'unsigned', 'flags?' => ['text'], 'features?' => ['text']);

my %HOST = (
    _required('text', qw(name system)),
    _optional('text', qw(os release version machine platform graphics uptime)),
    cpus         => [\%CPU],
    'cpu_quota?' => 'positive',
    'memory_kb?' => 'positive',
);

my %FACTS = (
    'kernel?' => {
        _optional('text', qw(command_line preemption clock_source)),
        'hz?'          => 'number',
        'mitigations?' => { '*' => 'text' },
        'debug?'       => ['text'],
    },
    'cpu?' => {
        'models?' => [{ 'model?' => 'text', count => 'whole' }],
        _optional('natural', qw(sockets cores threads numa_nodes)),
        _optional('text',    qw(smt microcode governor driver turbo)),
        'caches?'    => [{ level => 'natural', type => 'text', size_kb => 'number', count => 'whole' }],
        'frequency?' => { 'min_mhz?' => 'number', 'max_mhz?' => 'number' },
    },
    'memory?' => {
        _optional('number', qw(total_kb swap_kb)),
        'huge_pages?' => { 'transparent?' => 'text', 'count?' => 'number', 'size_kb?' => 'number' },
    },
    'cgroup?'  => { _optional('number', qw(cpus memory_kb swap_kb processes)), 'cpuset?' => 'text' },
    'process?' => {
        _optional('text', qw(ld_preload ld_audit ld_library_path glibc_tunables preload_file class cpus)),
        'nice?' => 'number',
        _optional('text', qw(tracer seccomp)),
        'seccomp_filters?' => 'natural',
    },
    'virtualization?' => { _optional('text', qw(hypervisor container)) },
    'scratch?'      => { _optional('text', qw(file_system device mount_point mount_options)), 'free_kb?' => 'number' },
    'tools?'        => { _optional('text', qw(sh sort grep libc perl)) },
    'programs?'     => { '*' => 'text' },
    'system_files?' => { '*' => 'text' },
    'load?'         => ['number'],
    'uptime_s?'     => 'number',
    'suite?'        => { _optional('text', qw(version git_revision)) },
);

my %PROCEDURE = (
    'kind?' => qr/\A(?:official|quick)\z/,
    _optional('positive', qw(time_factor work_factor precision max_time_s)),
    'seed?'      => 'whole',
    'multiuser?' => {
        users => ['whole'],
        _required('unsigned', qw(think_min_s think_max_s)),
        scale     => 'unsigned',
        'script?' => 'text',
        'limit?'  => 'positive',
    },
    'load_change?' => {
        users => ['whole'],
        _required('unsigned', qw(pause_min_s pause_max_s)),
        'limit?'         => 'positive',
        'lines?'         => 'natural',
        has_other_script => 'boolean',
    },
    'display?'      => qr/\A(?:given|virtual)\z/,
    'baseline?'     => qr/\A(?:official|edited|missing)\z/,
    'replacements?' => [{ _required('text', qw(name by)) }],
    'resumptions?'  => ['moment'],
    'interruption?' => { _optional('text', qw(signal problem)) },
);

# A result without its runs.
our %HEAD = (
    schema       => 'whole',
    version      => 'text',
    procedure    => \%PROCEDURE,
    asked        => ['text'],
    is_brief     => 'boolean',
    utc_offset_s => 'moment',
    host         => \%HOST,
    language     => { _optional('text', qw(lang charmap collate)) },
    'build?'     => { '*' => 'text' },
    'facts?'     => \%FACTS,
    notes        => ['text'],
    'observing?' => { 'tracer?' => $TRACER, 'why_not?' => 'text' },
);

# The passes that other load disturbed, and the others.
my %OF_LOAD = (
    'other_load?' => [{ cause => 'text', worst => 'unsigned', passes => 'whole', badly => 'natural' }],
    'quiet?'      => {
        passes      => 'natural',
        of          => 'natural',
        is_enough   => 'boolean',
        'slowed?'   => 'unsigned',
        'estimate?' => \%ESTIMATE,
    },
);

my %TRUST = (
    level => qr/\A(?:incomplete|poor|fair|unknown|good)\z/,
    _required('natural', qw(passes disturbed tests failed noisy)),
    'worst?'      => { cause => 'text', passes => 'whole', worst => 'unsigned' },
    'half_width?' => 'unsigned',
);

my %TEST_IN_SUMMARY = (
    (map { $_ => $TEST{$_} } qw(name title category status reason? score? unit?)),
    'baseline?' => 'positive',
    'passes?'   => 'natural',
    'cv?'       => 'unsigned',
    'estimate?' => \%ESTIMATE,
    %OF_LOAD,
);

my %INDEX_IN_SUMMARY = (%INDEX, 'estimate?' => \%ESTIMATE, %OF_LOAD, tests => ['text']);

# The summary at the head of a result's file.
our %SUMMARY = (
    source     => 'text',
    'version?' => 'text',
    'name?'    => 'text',
    'system?'  => 'text',
    'started?' => 'moment',
    'ended?'   => 'moment',
    'date?'    => 'text',
    procedure  => \%PROCEDURE,
    'flags?'   => 'text',
    facts      => { '*' => 'text' },
    notes      => ['text'],
    'trust?'   => \%TRUST,
    runs       => [
        {
            copies       => 'whole',
            'cpu_count?' => 'whole',
            tests        => [\%TEST_IN_SUMMARY],
            indexes      => [\%INDEX_IN_SUMMARY],
        }
    ],
);

my %AT_COPIES = (copies => 'whole', 'index?' => 'positive', 'gain?' => 'number', 'efficiency?' => 'positive');

my %GAIN = (
    copies  => ['whole'],
    tests   => [{ name     => 'text',    title => 'text', at => [\%AT_COPIES] }],
    indexes => [{ category => $CATEGORY, title => 'text', complete => 'boolean', at => [\%AT_COPIES] }],
);

my %WARNING = (_required('text', qw(kind seen why advice)), 'run?' => 'natural', 'test?' => 'text');

# The whole file of a result.
our %DOCUMENT = (
    format => 'text',
    %HEAD,
    summary    => \%SUMMARY,
    'gain?'    => \%GAIN,
    'remarks?' => [\%WARNING],
    runs       => [\%RUN],
    'sha256?'  => 'text'
);

sub _required {
    my ($shape, @keys) = @_;
    return map { $_ => $shape } @keys;
}

sub _optional {
    my ($shape, @keys) = @_;
    return map { ("$_?" => $shape) } @keys;
}

1;
