use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(host measured result run);
use UnixBench::Base::JSON;
use UnixBench::Base::ResultSchema;
use UnixBench::Store::Redaction;

local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

my $REDACTION = UnixBench::Store::Redaction->new(directories => {});

# [text, the text without names].
my @TEXTS = (
    [q{can't open /home/zaphod/the user/tmp/run-1/2} => q{can't open ...}],
    [q{can't open "/home/zaphod/the user/pgms/pipe"} => q{can't open "pgms/pipe"}],
    ['/home/zaphod, /home/zaphod2/x and ~/y'         => '~, ... and ...'],
    ['/srv/a+b (c) [d].*, not /srv/ab'               => 'results, not ...'],
    ['exit status 1: marvin'                         => 'exit status 1: ...'],
);

subtest 'the directories of a call have names of their own' => sub {
    my $redaction = UnixBench::Store::Redaction->new(
        directories => {
            '/home/zaphod'               => q{~},
            '/home/zaphod/the user'      => q{.},
            '/home/zaphod/the user/pgms' => 'pgms',
            '/srv/a+b (c) [d].*'         => 'results',
            q{/}                         => 'root',
        }
    );
    is($redaction->words($_->[0]), $_->[1], "redacted: $_->[0]") for @TEXTS;
};

my $SECRET = 'zzmarvin';

# Forms of the secret word that a text may have.
my @SPELT = (
    $SECRET, uc $SECRET, "x$SECRET-01", "/srv/$SECRET/in", "a=$SECRET", '%7a%7amarvin', "10.0.0.5 $SECRET 1.2-$SECRET"
);

# Takes the name of a type of a result and a spelling of the secret word. Returns such data, in which each text that is
# not one of the few that stay whatever they are has the secret word.
sub filled {
    my ($type, $word, %in) = @_;
    return {} if $in{$type};
    return { map { $_->{key} => value("$type.$_->{key}", $_->{type}, $word, %in, $type => 1) }
            UnixBench::Base::ResultSchema::keys_of($type) };
}

sub value {
    my ($place, $type, $word, @in) = @_;
    return [value($place, $1, $word, @in)] if $type =~ /\A\[(.+)\]\z/;
    my ($item) = $type =~ /\A[{](.+)[}]\z/;
    my @any    = $place eq 'kernel.mitigations' ? 'mds' : $word;    # its keys are names of the kernel
    return { map { $_ => value($place, $item, $word, @in) } @any, of_hash($place) } if defined $item;
    return 5 if $type  =~ /\A(?:number|moment|unsigned|positive|timebase|measured|natural|whole|boolean|=.*)\z/;
    return $1 if $type =~ /\A([^|]+)[|]/;
    my $stays = UnixBench::Store::Redaction::stays($place);
    return defined $stays && !ref $stays ? 'fixed' : $word if $type eq 'text';
    return filled($type, $word, @in);
}

# Takes "TYPE.KEY" of a hash; returns keys that such a hash may have.
sub of_hash {
    my ($place) = @_;
    my %keys = (
        'copy.data'      => [qw(COUNT trial.1. response.shell. incident.1.)],
        'head.build'     => [qw(compiler version flags ldflags libc execl_linking execl_machine time)],
        'facts.programs' => ['syscall'],
    );
    return @{ $keys{$place} || [] };
}

subtest 'a word in any text that is not listed is in no report' => sub {
    for my $word (@SPELT) {
        my $result = filled(head => $word);
        $result->{runs} = [filled(run => $word)];
        my $shown = $REDACTION->result($result);
        my $copy  = { %{ filled(copy => $word) }, output => $word };
        my $pass  = $REDACTION->pass({ %{ filled(pass => $word) }, copies => [$copy] });
        my $test  = $REDACTION->test(filled(test => $word));
        my $text  = UnixBench::Base::JSON::encode([$shown, $pass, $test]);
        my @found = $text =~ /("[^"]{0,30}"[^"]{0,4}"[^"]*(?:zz|%7a)marvin[^"]*")/gi;
        is_deeply(\@found, [], "the word is left out: $word");
        ok($text !~ /marvin|10[.]0[.]0[.]5/i, 'also as a key');
    }
};

# What is left of a text => places, and texts.
my @LEFT = (
    ['turns.commands', 'nice -n 5'                                               => 1],
    ['turns.commands', '/bin/taskset -c 0-3 ssh zaphod@10.0.0.5 /home/in {home}' => '/bin/taskset -c 0-3 ... {home}'],
    ['test.command',   '/home/zaphod/pgms/multi.sh'                              => 'pgms/multi.sh'],
    ['test.reason',  "can't run /home/zaphod/pgms/context1: No such file"  => "can't run pgms/context1: No such file"],
    ['test.reason',  'interrupted after 2 of 10 passes'                    => 1],
    ['test.reason',  'exit status 1: no room on marvin for zaphod'         => 'exit status 1: no ... on ... for ...'],
    ['tools.libc',   'glibc 2.36 (Debian GLIBC 2.36-9+deb12u14)'           => 1],
    ['host.version', '#1 SMP PREEMPT_DYNAMIC Debian 6.1.55-1 (2023-09-29)' => 1],
    ['host.version', '#1 zaphod@marvin'                                    => '#1 ...'],
    ['host.release', '6.1.0-13-amd64'                                      => 1],
    ['host.release', '6.18.44-marvin'                                      => '6.18.44...'],
    ['head.build flags',    '-O3 -march=native -I/home/zaphod -DX=y -flto' => '-O3 -march=native -flto'],
    ['head.build flags',    '-march=armv6 -mfpu=vfp -mfloat-abi=softfp -mcpu=arm1176jzf-s -mtune=cortex-a72+crc' => 1],
    ['head.build flags',    '-march=zaphod -mcpu=armzaphod -mfpu=marvin'   => '-march=... -mcpu=... -mfpu=...'],
    ['head.build ldflags',  '-s -static -L/home/zaphod'                    => '-s -static'],
    ['head.build compiler', 'arm-linux-gnueabi-gcc -m32'                   => 1],
    ['head.build compiler', 'arm-zaphod-linux-gnueabi-gcc'                 => '...'],
    ['head.build version',  'arm-linux-gnueabi-gcc (Debian 12.2.0-14) 1.2' => 1],
    ['head.build libc',     'x86_64-unknown-freebsd13.2'                   => 1],
    ['head.build execl_linking', 'dynamically linked by ld-linux.so.3 with libc.so.6, at a fixed address'      => 1],
    ['head.build execl_linking', 'statically linked: not comparable with a dynamically linked one, at a fixed' => 1],
    ['head.build execl_linking', 'by ld-musl-armhf.so.1 with libzaphod.so' => 'by ld-musl-armhf.so.1 with ...'],
    ['head.build execl_machine', 'ARM, 32 bit, little-endian'              => 1],
    ['host.uptime',              '02:12:30 up 2 min,  0 user,  load average: 0.02, 0.03, 0.00; runlevel 5' => 1],
);

subtest 'what is left of a text' => sub {
    for my $case (@LEFT) {
        my ($place, $text, $left) = @$case;
        my ($key, $name) = split q{ }, "$place .";
        my $shown = UnixBench::Store::Redaction::stays($key)->($text, $name);
        is($shown, $left eq 1 ? $text : $left, "$place: $text");
    }
};

subtest 'all that a result has of numbers and of tests is left' => sub {
    for my $host (qw(marvin pipe Xeon)) {
        my $pipe = measured('pipe', 1, 1000, 1001, 999);
        $pipe->{command} = ['pgms/pipe'];
        delete $_->{output} for map { @{ $_->{copies} } } @{ $pipe->{passes} };
        my $result = result(
            [run(1, $pipe)],
            host  => host(name => $host, cpu_quota => 1.5),
            facts => {
                kernel => { hz    => 250 },
                cpu    => { cores => 1, models => [{ model => 'AMD EPYC', count => 1 }], smt => undef },
                load   => [1, 0.5, 1.25],
            },
            notes => [],
        );
        my $shown = $REDACTION->result($result);
        is($shown->{host}{name}, 'anonymous', "the host is called anonymous, not $host");
        $shown->{host}{name} = $host;
        is_deeply($shown->{$_},   $result->{$_},   "$_ is left") for qw(runs facts procedure asked language);
        is_deeply($shown->{host}, $result->{host}, 'host is left');
    }
    ok($REDACTION->result(result([])), 'a result without facts is accepted');
};

done_testing();
