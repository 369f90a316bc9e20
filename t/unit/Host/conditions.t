use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(host measured result run);
use UnixBench::Host::FactList;
use UnixBench::Host::Facts;
use UnixBench::Store::Redaction;
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording;

# Takes changes of a machine: recorded files, variables of the environment (env) and keys of the host (host). Returns
# the head of a result of it.
sub head {
    my (%other) = @_;
    my %file = (
        '/proc/cpuinfo'                                         => "processor : 0\nmodel name : AMD EPYC\n",
        '/proc/self/stat'                                       => _stat($other{nice} // 0),
        '/proc/self/status'                                     => "Seccomp:\t0\n",
        '/proc/self/limits'                                     => "Max stack size   8388608   unlimited   bytes\n",
        '/proc/mounts'                                          => "/dev/sda1 / ext4 rw,relatime 0 0\n",
        '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor' => "performance\n",
        '/sys/devices/system/cpu/vulnerabilities/meltdown'      => "Mitigation: PTI\n",
        '/sys/devices/system/cpu/vulnerabilities/spectre_v2'    => "Mitigation: Retpolines\n",
        %{ $other{files} || {} },
    );
    my $facts = UnixBench::Host::Facts->new(
        recorded => \%file,
        env      => $other{env} || {},
        home     => '/no/suite here',
        tmpdir   => '/no such/scratch',
        uname    => ['Linux', 'vm', '6.18.44', '#1 SMP PREEMPT_DYNAMIC', 'x86_64'],
        which    => sub { return },
    )->facts;
    return result([], host => host(%{ $other{host} || {} }), facts => $facts);
}

# Takes a nice value; returns a line like /proc/self/stat.
sub _stat {
    my ($nice) = @_;
    my @fields = (0) x 49;
    @fields[15, 16] = (20 + $nice, $nice);    # fields 18 and 19 of proc(5), behind the state
    return "1 (Run) S @fields[1 .. $#fields]\n";
}

# Takes two heads; returns { meaning => [changes in words] }.
sub changes {
    my %words;
    push @{ $words{ $_->{meaning} } }, UnixBench::Host::FactList::change_in_words($_)
        for UnixBench::Host::FactList::changes(@_);
    return \%words;
}

my $began = head();
is_deeply(changes($began, head()),                                  {}, 'the same conditions');
is_deeply(changes($began, head(host => { uptime => 'up 2 days' })), {}, 'a later time changes nothing');

subtest 'what decides the numbers, and what only may matter' => sub {
    my $cpu   = '/sys/devices/system/cpu';
    my @cases = (
        [decides => { host => { name => 'other' } },           'host name was vm, is other'],
        [decides => { nice => 19 },                            'nice value was 0, is 19'],
        [decides => { env  => { LD_PRELOAD => '/lib/x.so' } }, 'LD_PRELOAD was none, is /lib/x.so'],
        [decides => { env  => { OMP_NUM_THREADS => 1 } },      'OMP_NUM_THREADS was none, is 1'],
        [
            decides => { files => { '/proc/self/status' => "Seccomp:\t2\n" } },
            'system call filter was none, is seccomp filter'
        ],
        [
            decides => { files => { '/proc/self/limits' => "Max stack size   unlimited   unlimited   bytes\n" } },
            'stack limit was 8 MB, is unlimited'
        ],
        [matters => { env => { TMPDIR => '/x' } }, 'TMPDIR was none, is /x'],
        [
            matters => { files => { "$cpu/cpu0/cpufreq/scaling_governor" => "powersave\n" } },
            'frequency governor was performance, is powersave'
        ],
        [
            matters => { files => { "$cpu/vulnerabilities/meltdown" => "Vulnerable\n" } },
            'mitigation meltdown was Mitigation: PTI, is Vulnerable'
        ],
    );
    for my $case (@cases) {
        my ($meaning, $other, $words) = @$case;
        is_deeply(changes($began, head(%$other)), { $meaning => [$words] }, $words);
    }
};

subtest 'changes that are known already' => sub {
    my $now   = head(nice => 5);
    my @first = UnixBench::Host::FactList::changes($began, $now);
    is_deeply(\@first, [{ fact => 'process.nice', meaning => 'decides', was => '0', is => '5' }], 'key and texts');
    is_deeply(changes($began, $now,   \@first), {},                                        'it is not reported again');
    is_deeply(changes($began, head(), \@first), { decides => ['nice value was 5, is 0'] }, 'the way back is a change');
};

subtest 'a result has both values, and one warning' => sub {
    my @changes = (
        { at => 1_700_000_000, fact => 'cpu.governor',                  was => 'performance', is => 'powersave' },
        { at => 1_700_000_000, fact => 'process.nice',                  was => '0',           is => '5' },
        { at => 1_700_000_100, fact => 'process.nice',                  was => '5',           is => '0' },
        { at => 1_700_000_100, fact => 'kernel.mitigations.spectre_v2', was => 'Mitigation: Retpolines', is => undef },
    );
    my $result = { %$began, runs => [run(1, measured('pipe', 1, 16_359_609))], changes => \@changes };
    my %fact   = map { @$_ } map { @{ $_->{facts} } } UnixBench::Host::FactList::groups($result);
    is($fact{'Nice value'},            '0, then 5, then 0',                 'a usual value that changed');
    is($fact{'Mitigation spectre_v2'}, 'Mitigation: Retpolines, then none', 'one of several facts');
    is($fact{'Mitigation meltdown'},   'Mitigation: PTI',                   'the others are as they were');
    is(UnixBench::Host::FactList::distinctions($result)->{facts}{'process.nice'}, '0, then 5, then 0', 'all values');
    my @warnings = grep { $_->{kind} eq 'changes' } UnixBench::Warnings::All::of($result);
    is_deeply(
        [map { UnixBench::Warnings::Wording::of($_)->{seen} } @warnings],
        [
                  'Changed during the run: frequency governor was performance, is powersave; nice value was 0, is 5; '
                . 'nice value was 5, is 0; mitigation spectre_v2 was Mitigation: Retpolines, is none.'
        ],
        'one warning has all changes'
    );
};

subtest 'names are removed from changes' => sub {
    my $redaction = UnixBench::Store::Redaction->new(directories => {});
    my @changes   = (
        { at => 1, fact => 'host.name',          was => 'secret',           is => 'other' },
        { at => 1, fact => 'scratch.device',     was => '/dev/mapper/jane', is => undef },
        { at => 1, fact => 'process.ld_preload', was => undef,              is => '/opt/jane/x.so' },
    );
    my $env    = { LD_ORIGIN_PATH => '/opt/acme/lib' };
    my $result = $redaction->result({ %{ head(env => $env) }, changes => \@changes });
    my @hidden = ([qw(... ...)], ['...', undef], [undef, '...']);
    is_deeply([map { [@$_{qw(was is)}] } @{ $result->{changes} }], \@hidden, 'in all texts');
    is($result->{facts}{process}{variables}, undef, 'and variables');
};

done_testing;
