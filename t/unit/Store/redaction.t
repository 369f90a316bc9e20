use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(failed host measured result run);
use UnixBench::Store::Redaction;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

sub redaction {
    my (%with) = @_;
    return UnixBench::Store::Redaction->new(
        host        => 'marvin.example.org',
        users       => ['zaphod'],
        directories => {},
        %with
    );
}

my %DIRECTORIES = (
    '/home/zaphod'                => q{~},
    '/home/zaphod/unix bench'     => q{.},
    '/home/zaphod/unix bench/tmp' => 'tmp',
    '/srv/a+b (c) [d].*'          => 'results',
    "/srv/c\xc3\xa9\xff"          => 'odd',
    '/home/100% |'                => 'percent',
    q{/}                          => 'root',
);

# [text, the text without names].
my @TEXTS = (
    ['marvin'                                              => 'anonymous'],
    ['on marvin.example.org, or marvin'                    => 'on anonymous, or anonymous'],
    ['zaphod@marvin:/x'                                    => 'user@anonymous:/x'],
    ['Marvin marvin2 marvins marvin_ my-marvin a.marvin'   => 'Marvin marvin2 marvins marvin_ my-marvin a.marvin'],
    ['marvin-2'                                            => 'marvin-2'],
    ['/home/zaphod/unix bench/tmp/run-1/2'                 => 'tmp/run-1/2'],
    [q{can't open "/home/zaphod/unix bench/x y"}           => q{can't open "./x y"}],
    ['/home/zaphod:/home/zaphod/bin'                       => '~:~/bin'],
    ['/home/zaphod2 and /home/zaphod-2'                    => '/home/zaphod2 and /home/zaphod-2'],
    ['/srv/a+b (c) [d].*/x, /srv/ab'                       => 'results/x, /srv/ab'],
    ['/ /usr/bin'                                          => '/ /usr/bin'],
    ["a\nmarvin\n\xff marvin"                              => "a\nanonymous\n\xff anonymous"],
    ['gcc -I/home/zaphod/include -L/srv/a+b (c) [d].*/lib' => 'gcc -I~/include -Lresults/lib'],
    ["/srv/c\xc3\xa9\xff/x"                                => 'odd/x'],
    ['/srv/c\xc3\xa9\xff/x'                                => 'odd/x'],
    ["/srv/c\xc3\xa9\\xff/x"                               => 'odd/x'],
    ['cat /srv/c%C3%A9%FF/x %7C wc'                        => 'cat odd/x %7C wc'],
    ['/home/100%25 %7C/x'                                  => 'percent/x'],
    ['no /home/zaphod/unix bench/t...'                     => 'no ./t...'],
    ['no /home/zap... (pass 1, copy 1)'                    => 'no ... (pass 1, copy 1)'],
    ['no /home/zaphod/unix b...'                           => 'no ~/unix b...'],
    ['no /srv/a+b (c...'                                   => 'no ...'],
    ['no /srv/x..., /var/...'                              => 'no /srv/x..., /var/...'],
    [q{}                                                   => q{}],
);

subtest 'names are removed from a text' => sub {
    my $redaction = redaction(directories => \%DIRECTORIES);
    is($redaction->text($_->[0]), $_->[1], "redacted: $_->[0]") for @TEXTS;
};

subtest 'names that nearly every machine has are kept' => sub {
    my $text = 'localhost root daemon 1 42 1.5 x';
    for my $host (qw(localhost localhost.localdomain 1 42 1.5 x)) {
        is(redaction(host => $host, users => [qw(root nobody 1 x), undef, q{}])->text($text),
            $text, "the text is kept on a host called $host");
    }
};

# Takes a host name; returns a result in which this name occurs in many places.
sub of_machine_called {
    my ($host) = @_;
    my %facts = (
        host  => host(name => $host, uptime => "up 1 day at $host", cpu_quota => 1.5, version => "#1 zaphod\@$host"),
        facts => {
            kernel  => { command_line => 'quiet', mitigations => { mds => "Mitigation on $host" },      hz  => 250 },
            cpu     => { cores        => 1,       models      => [{ model => 'AMD EPYC', count => 1 }], smt => undef },
            scratch => { device       => '/dev/sda1', mount_point => '/home', mount_options => 'rw', free_kb => 1 },
            load    => [1, 0.5, 1.25],
        },
    );
    my $pipe = measured('pipe', 1, 1000, 1001, 999);
    $pipe->{passes}[0]{copies}[0]{data}{'a.name'} = [1, $host];
    $pipe->{passes}[0]{copies}[0]{output} = "on $host\n";
    return result(
        [run(1, $pipe, failed('syscall', "no room on $host"))], %facts,
        notes  => ["of $host"],
        labels => { on => $host, round => 2 }
    );
}

for my $host (qw(marvin pipe Pipe lps system measured json GNU), 'Pipe Throughput') {
    subtest "the name is removed on a host called $host" => sub {
        my $result = of_machine_called($host);
        my $shown  = redaction(host => $host)->result($result);
        is_deeply($result, of_machine_called($host), 'the result itself does not change');
        is($shown->{host}{name},    'anonymous',         'the host name is removed');
        is($shown->{host}{version}, '#1 user@anonymous', 'names in the kernel version are removed');
        is_deeply($shown->{notes},  ['of anonymous'],                  'names in notes are removed');
        is_deeply($shown->{labels}, { on => 'anonymous', round => 2 }, 'names in labels are removed, and no others');
        my ($test, $failed) = @{ $shown->{runs}[0]{tests} };
        my ($was) = @{ $result->{runs}[0]{tests} };
        is($failed->{reason}, 'no room on anonymous', 'names in reasons are removed');
        my $copy = $test->{passes}[0]{copies}[0];
        is($copy->{output}, "on anonymous\n", 'names in output are removed');
        is_deeply($copy->{data}{'a.name'}, [1, 'anonymous'], 'names in the data of a program are removed');
        is_deeply(
            [@$copy{qw(count timebase unit)}, @{ $copy->{data}{COUNT} }],
            [1000, 1, 'lps', 1000, 1, 'lps'],
            'numbers and units of a program are kept'
        );
        is_deeply(
            [@$test{qw(name title category unit score status)}],
            [@$was{qw(name title category unit score status)}],
            'names, titles, units and scores of tests are kept'
        );
        is_deeply($shown->{runs}[0]{indexes}, $result->{runs}[0]{indexes}, 'indexes are kept');
        is_deeply(
            [@{ $shown->{facts} }{qw(cpu load)},  $shown->{host}{cpu_quota}],
            [@{ $result->{facts} }{qw(cpu load)}, 1.5],
            'numbers are kept'
        );
    };
}

subtest 'a host called 1 is not named' => sub {
    my $result = of_machine_called(1);
    my $shown  = redaction(host => 1, users => [])->result($result);
    is($shown->{host}{name}, 'anonymous', 'the host name is removed');
    $result->{host}{name} = 'anonymous';
    $result->{facts}{scratch}{$_} = undef for qw(device mount_point);
    is_deeply($shown, $result, 'every other 1 is kept');
};

# Words of a kernel's command line or of mount options => the same without names.
my %TELLING = (
    'BOOT_IMAGE=/vmlinuz-6.1 root=UUID=6ca9-12 ro quiet'           => 'BOOT_IMAGE=... root=... ro quiet',
    'root=/dev/sda1 mitigations=auto,nosmt console=ttyS0,115200n8' =>
        'root=... mitigations=auto,nosmt console=ttyS0,115200n8',
    'ip=10.0.0.5 nfsroot=10.0.0.1:/srv,rw'                => 'ip=... nfsroot=...,rw',
    'rd.luks.uuid=luks-0123abcd-4567 rd.lvm.lv=vg/root'   => 'rd.luks.uuid=... rd.lvm.lv=...',
    'systemd.machine_id=0123456789abcdef0123456789abcdef' => 'systemd.machine_id=...',
    'systemd.hostname=arthur androidboot.serialno=R58'    => 'systemd.hostname=... androidboot.serialno=...',
    'isolcpus=1-3 nohz_full=1-3 hugepages=1024 x2apic'    => 'isolcpus=1-3 nohz_full=1-3 hugepages=1024 x2apic',
    'rw,relatime,size=65536k,mode=1777'                   => 'rw,relatime,size=65536k,mode=1777',
    'rw,addr=10.0.0.1,username=zaphod,domain=HEART,lowerdir=/a:/b,subvol=/@home' =>
        'rw,addr=...,username=...,domain=...,lowerdir=...,subvol=...',
    '-- --listen 10.0.0.1:22 /sbin/init de:ad:be:ef:00:01' => '-- --listen ... ... ...',
    q{}                                                    => q{},
);

subtest 'names are removed from command lines and mount options' => sub {
    for my $words (sort keys %TELLING) {
        my $facts = { kernel => { command_line => $words }, scratch => { mount_options => $words } };
        my $shown = redaction()->result(result([], facts => $facts))->{facts};
        is_deeply(
            [$shown->{kernel}{command_line}, $shown->{scratch}{mount_options}],
            [($TELLING{$words}) x 2],
            "redacted: $words"
        );
    }
    my $shown =
        redaction()->result(result([], facts => { kernel => {}, scratch => { device => '/dev/sda1' } }))->{facts};
    is_deeply(
        [@{ $shown->{scratch} }{qw(device mount_point)}, $shown->{kernel}],
        [undef, undef, {}],
        'facts that are missing stay undefined'
    );
    ok(redaction()->result(result([])), 'a result without facts is accepted');
};

subtest 'names are removed from the procedure' => sub {
    my %free = (replacements => [{ name => 'aa4', by => 'aa of marvin' }], interruption => { problem => 'at marvin' });
    my %procedure = (kind => 'quick', resumptions => [5], %free);
    my $shown     = redaction(host => 'marvin')->result(result([], procedure => \%procedure))->{procedure};
    is_deeply(
        $shown->{replacements},
        [{ name => 'aa4', by => 'aa of anonymous' }],
        'names that a program reports are removed'
    );
    is_deeply($shown->{interruption}, { problem => 'at anonymous' }, 'names that the system reports are removed');
    is_deeply([@$shown{qw(kind resumptions)}], ['quick', [5]],       'all else is kept');
    is($procedure{interruption}{problem}, 'at marvin', 'the result itself does not change');
};

subtest 'names are removed from the commands of states' => sub {
    my $command   = 'ssh zaphod@marvin /home/zaphod/in {home} {scratch}';
    my %procedure = (kind => 'quick', turns => { state => 1, commands => [$command, 'env'] });
    my $redaction = redaction(directories => \%DIRECTORIES);
    my $shown   = $redaction->result(result([], procedure => \%procedure, notes => ["every copy ran under $command"]));
    my $without = 'ssh user@anonymous ~/in {home} {scratch}';
    is_deeply($shown->{procedure}{turns}, { state => 1, commands => [$without, 'env'] }, 'in the procedure');
    is_deeply($shown->{notes},            ["every copy ran under $without"],             'and in the note');
    is($procedure{turns}{commands}[0], $command, 'the result itself does not change');
};

subtest 'names are removed from the log' => sub {
    my $test      = { %{ failed('syscall', 'no', 5) }, command => ['/home/zaphod/syscall', '10', 'marvin'] };
    my $redaction = redaction(directories => \%DIRECTORIES);
    is_deeply($redaction->test($test)->{command}, ['~/syscall', '10', 'marvin'],
        'directories in commands are replaced');
    my $pass = {
        number => 1,
        error  => 'marvin is full',
        copies => [{ error => 'marvin', data => { ERROR => ['at zaphod'] } }]
    };
    is_deeply(
        $redaction->pass($pass),
        {
            number => 1,
            error  => 'anonymous is full',
            copies => [{ error => 'anonymous', data => { ERROR => ['at user'] } }]
        },
        'names in errors are removed'
    );
};

is_deeply(\@warnings, [], 'Perl prints no warning');

done_testing();
