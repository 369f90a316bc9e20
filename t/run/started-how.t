# The way Run was started, as far as the measured programs inherit it: recorded, compared, in warnings, and in a message
# before the run.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture  qw(measured result run);
use HostTree qw(host_tree);
use Needs    qw(skip_without);
use TestRun;
use UnixBench::Base::Files;
use UnixBench::Base::JSON;
use UnixBench::Compare::Facts;
use UnixBench::Host::Facts;
use UnixBench::Summary;
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording;

# Returns the text of /proc/self/stat with a nice value and the number of a scheduling class.
sub stat_with {
    my ($nice, $policy) = @_;
    return join(q{ }, '77 (a) b) R', (1) x 15, $nice, (1) x 21, $policy, 1, 1) . "\n";
}

sub process {
    my ($files, %env) = @_;
    my %nothing = ('/proc/uptime' => "1 1\n");
    return UnixBench::Host::Facts->new(root => host_tree(%nothing, %$files), env => \%env)->process;
}

# Name, files, environment, and the facts that are known.
my $CPUS = '/sys/devices/system/cpu/online';
#<<< a table
my @FACTS = (
    ['no files',        {}, {}, {}],
    ['as usual',        { '/proc/self/stat' => stat_with(0, 0) }, {}, { nice => 0, class => 'SCHED_OTHER' }],
    ['nice',            { '/proc/self/stat' => stat_with(-5, 0) }, {}, { nice => -5, class => 'SCHED_OTHER' }],
    ['real time',       { '/proc/self/stat' => stat_with(0, 1) }, {}, { nice => 0, class => 'SCHED_FIFO' }],
    ['batch',           { '/proc/self/stat' => stat_with(19, 3) }, {}, { nice => 19, class => 'SCHED_BATCH' }],
    ['idle',            { '/proc/self/stat' => stat_with(0, 5) }, {}, { nice => 0, class => 'SCHED_IDLE' }],
    ['unknown class',   { '/proc/self/stat' => stat_with(0, 99) }, {}, { nice => 0 }],
    ['an invalid file', { '/proc/self/stat' => "x) y\n" }, {}, {}],
    ['variables',       {},
        { LD_PRELOAD => '/x/a.so', LD_AUDIT => 'b.so', LD_LIBRARY_PATH => '/x', GLIBC_TUNABLES => 'c=1' },
        { ld_preload => '/x/a.so', ld_audit => 'b.so', ld_library_path => '/x', glibc_tunables => 'c=1' }],
    ['empty variables', {}, { LD_PRELOAD => q{}, LD_AUDIT => q{ } }, {}],
    ['a file',          { '/etc/ld.so.preload' => "/x/a.so # why\n\n/x/b.so:/x/c.so\n" }, {},
        { preload_file => '/x/a.so /x/b.so /x/c.so' }],
    ['an empty file',   { '/etc/ld.so.preload' => "# nothing\n\n" }, {}, {}],
    ['all CPUs',        { '/proc/self/status' => "Cpus_allowed_list:\t0-3\n", $CPUS => "0-3\n" }, {}, {}],
    ['not traced',      { '/proc/self/status' => "TracerPid:\t0\nSeccomp:\t0\n" }, {}, {}],
    ['a tracer',        { '/proc/self/status' => "TracerPid:\t12\n", '/proc/12/comm' => "strace\n" }, {},
        { tracer => 'strace' }],
    ['a hidden tracer', { '/proc/self/status' => "TracerPid:\t12\n" }, {}, { tracer => 'process 12' }],
    ['a filter',        { '/proc/self/status' => "Seccomp:\t2\n" }, {}, { seccomp => 'filter' }],
    ['strict',          { '/proc/self/status' => "Seccomp:\t1\n" }, {}, { seccomp => 'strict' }],
    ['some CPUs', { '/proc/self/status' => "Cpus_allowed_list:\t1-2\n", $CPUS => "0-3\n" }, {}, { cpus => '1-2' }],
);
#>>>

for my $row (@FACTS) {
    my ($name, $files, $env, $expected) = @$row;
    my $found = process($files, %$env);
    is_deeply({ map { $_ => $found->{$_} } grep { defined $found->{$_} } keys %$found }, $expected, "facts: $name");
}

sub result_with {
    my (%process) = @_;
    return result([run(1, measured('pipe', 1, 1000))], facts => { process => \%process });
}

# Facts that differ from a usual start, the kind of the warning, the label in a comparison, and the text of the warning.
my %USUAL = (nice => 0, class => 'SCHED_OTHER');
#<<< a table
my @WARNINGS = (
    [{},                                       undef,     undef],
    [{ ld_preload => '/x/a.so' },              'preload', 'LD_PRELOAD', qr{: LD_PRELOAD [(]/x/a[.]so[)][.]\z}],
    [{ ld_audit => 'b.so' },                   'preload',   'LD_AUDIT',           qr/LD_AUDIT [(]b[.]so[)]/],
    [{ preload_file => '/x/a.so' },            'preload',   '/etc/ld.so.preload', qr{/etc/ld[.]so[.]preload [(]/x/a}],
    [{ ld_library_path => '/x' },              'libraries', 'LD_LIBRARY_PATH',    qr{LD_LIBRARY_PATH [(]/x[)]}],
    [{ glibc_tunables => 'c=1' },              'libraries', 'GLIBC_TUNABLES',     qr/GLIBC_TUNABLES [(]c=1[)]/],
    [{ nice => 19 },                           'nice',      'Nice value',         qr/nice value of the tests is 19[.]/],
    [{ class => 'SCHED_RR' },                  'class',     'Scheduling class',   qr/of the tests is SCHED_RR[.]/],
    [{ cpus => '1-2' },                        undef,       'CPUs it may use'],
    [{ tracer => 'strace' },                   'tracer',    'Tracer',             qr{\ATraced by strace: [.]/Run[.]\z}],
    [{ seccomp => 'filter' },                  undef,       'System call filter'],
);
#>>>

for my $row (@WARNINGS) {
    my ($differs, $kind, $label, $seen) = @$row;
    my ($what) = ((sort keys %$differs), 'nothing');
    my ($usual, $result) = map { result_with(%USUAL, %$_) } {}, $differs;
    my @warnings = UnixBench::Warnings::All::of($result);
    is_deeply([map { $_->{kind} } @warnings], [$kind // ()], "$what: the warning");
    like(UnixBench::Warnings::Wording::of($warnings[0])->{seen}, $seen, "$what: the text of the warning") if $kind;
    my @differences =
        UnixBench::Compare::Facts::differences(map { UnixBench::Summary::of($_) } $usual, $result);
    is_deeply([map { $_->{label} } @differences], [$label // ()], "$what: the differences in a comparison");
}

subtest 'a run under strace' => sub {
    skip_without(Needs::tracing()) if system('strace -o /dev/null true >/dev/null 2>&1') != 0;
    my $test = TestRun->new;
    my $run  = TestRun::waited(
        $test->started_by(qw(strace -f -o /dev/null), $^X, "$TestRun::HOME/Run", qw(-q -c 1 -i 1 pipe)));
    like($run->{err}, qr/^Run: traced by strace: /m, 'the tracer is reported before the run');
    my $result = UnixBench::Base::JSON::decode($test->report('.json'));
    is($result->{facts}{process}{tracer}, 'strace', 'the tracer is in the JSON');
    like($test->report('.html'), qr{Traced by strace: [.]/Run[.]}, 'the page names the tracer');
};

# A program that is traced before it counts. It ends when its report was read.
my $TRACED = <<'END';
strace -o /dev/null -p $$ 2> /dev/null &
while ! grep -q '^TracerPid:.*[1-9]' /proc/$$/status; do :; done
exec "$PERL" -e 'print STDERR "COUNT|5|1|lps\n"; my $left = pack "i", 1;' \
    -e '1 while ioctl(STDERR, 0x541B, $left) && unpack "i", $left;'
END

subtest 'a debugger on a copy' => sub {
    skip_without(Needs::tracing()) if system('strace -o /dev/null true >/dev/null 2>&1') != 0;
    my $test = TestRun->new(programs => { hanoi => $TRACED }, env => { PERL => $^X });
    my $run  = $test->run(qw(-q -c 1 -i 1 hanoi pipe));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run succeeds');
    my $result = UnixBench::Base::JSON::decode($test->report('.json'));
    my %tracer = map { $_->{name} => $_->{passes}[0]{copies}[0]{tracer} } @{ $result->{runs}[0]{tests} };
    is_deeply(\%tracer, { hanoi => 'strace', pipe => undef }, 'the traced copy has the name of its tracer');
    is($result->{facts}{process}{tracer}, undef, 'Run was not traced');
    like($test->report('.html'), qr/Traced by strace: Recursion Test -- Tower of Hanoi[.]/, 'the page has both');
};

subtest 'a run started by nice with a preloaded library' => sub {
    my $nice   = getpriority 0, 0;
    my $some   = $nice + 3 > 19 ? 19 : $nice + 3;
    my ($libm) = map { m{ (/\S*/libm[.-]\S*)$} } split /\n/, UnixBench::Base::Files::content('/proc/self/maps') // q{};
    skip_without(machine => 'a library to preload') if !defined $libm;
    my $test = TestRun->new(env => { LD_PRELOAD => $libm, UB_OUTPUT_JSON => 'true' });
    my $run  = TestRun::waited($test->started_by('nice', '-n', 3, $^X, "$TestRun::HOME/Run", qw(-q -c 1 -i 3 pipe)));
    like($run->{err},  qr{^Run: loaded into every measured program: LD_PRELOAD [(]\Q$libm\E[)]\n}m, 'LD_PRELOAD');
    like($run->{said}, qr/^Run: the nice value of the tests is $some\n/m, 'the nice value is reported before the run');
    my $process = UnixBench::Base::JSON::decode($test->report('.json'))->{facts}{process};
    is($process->{nice}, $some, 'the nice value is in the JSON');
    like($test->report('.html'), qr/LD_PRELOAD [(]/, 'the page names LD_PRELOAD');
    unlike($test->report(q{}), qr/LD_PRELOAD/, 'the classic report does not name LD_PRELOAD');
};

done_testing;
