# The facts of this machine, compared with what its own tools say. Where a tool is not there, that is skipped.

use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Needs qw(need_tools skip_without);
use UnixBench::Host::Facts;
use UnixBench::Host::Machine;
use UnixBench::Process::Command;

my $home  = "$FindBin::Bin/../../..";
my @SHMEM = grep { -d } '/dev/shm', '/tmp';

# Takes the words of a command, returns what it prints, whatever its status is.
sub says {
    my (@command) = @_;
    open my $output, '-|', 'sh', '-c', 'exec "$@" 2>/dev/null', 'sh', @command or return q{};
    local $/ = undef;
    return scalar(<$output>) // q{};
}

# The list that a tool says under that name.
sub said_as_json {
    my ($name, @command) = @_;
    my $said = eval { JSON::PP::decode_json(says(@command)) } || {};
    return @{ $said->{$name} || [] };
}

sub facts_of {
    my ($tmpdir) = @_;
    return UnixBench::Host::Facts->new(
        home   => $home,
        tmpdir => $tmpdir,
        run    => \&UnixBench::Process::Command::output_of
    )->facts;
}

# A subtest that needs a tool.
sub with {
    my ($tool, $code) = @_;
    return subtest $tool => sub { need_tools($tool); $code->() };
}

my $facts = facts_of($home);
my $host  = UnixBench::Host::Machine->new(run => \&UnixBench::Process::Command::output_of);

with lscpu => sub {
    my ($cpu, %field) = ($facts->{cpu});
    my @fields = said_as_json(lscpu => 'lscpu', '-J');
    while (my $field = shift @fields) {
        $field{ $field->{field} =~ s/:\z//r } //= $field->{data};
        push @fields, @{ $field->{children} || [] };
    }
    skip_without(machine => 'an lscpu that knows JSON') if !%field;
    my ($sockets, $cores, $threads) = map { ($field{$_} // q{}) =~ /\A(\d+)\z/ } 'Socket(s)', 'Core(s) per socket',
        'Thread(s) per core';
    is($cpu->{sockets},         $sockets,                     'sockets') if defined $cpu->{sockets} && $sockets;
    is($cpu->{cores},           $sockets * $cores,            'cores') if defined $cpu->{cores}     && $threads;
    is($cpu->{threads},         $sockets * $cores * $threads, 'threads') if $threads;
    is($cpu->{numa_nodes} // 0, $field{'NUMA node(s)'} // 0,  'nodes');
    like($cpu->{models}[0]{model}, qr/\Q$field{'Model name'}\E/, 'model') if defined $field{'Model name'};
    my @vulnerabilities = grep { /^Vulnerability / } keys %field;
    is(scalar keys %{ $facts->{kernel}{mitigations} || {} }, @vulnerabilities, 'mitigations');
    my %seen = map { ("$_->{level} $_->{type} $_->{size_kb}" => $_->{count}) } @{ $cpu->{caches} || [] };

    for my $cache (grep { %seen } said_as_json(caches => 'lscpu', '-B', '-C', '-J')) {
        my ($one, $all) = @$cache{qw(one-size all-size)};
        is($seen{ "$cache->{level} $cache->{type} " . $one / 1024 }, $all / $one, "cache $cache->{name}");
    }
};

with 'systemd-detect-virt' => sub {
    my %detected = map { chomp(my $name = says('systemd-detect-virt', "--$_")); ($_ => $name) } qw(vm container);
    my ($hypervisor, $container) = @{ $facts->{virtualization} }{qw(hypervisor container)};
    $hypervisor = $detected{vm} if $hypervisor eq 'vm-other' && $detected{vm} ne 'none';    # it asks the processor
    $hypervisor =~ s/\Afirecracker\z/kvm/;
    is($hypervisor, $detected{vm},        'hypervisor');
    is($container,  $detected{container}, 'container') if $container !~ /\A(?:gvisor|kubernetes)\z/;
};

with findmnt => sub {
    for my $directory ($home, @SHMEM) {
        my @command = ('findmnt', '-J', '-o', 'FSTYPE,SOURCE,TARGET,OPTIONS', '-T', $directory);
        my ($mount) = reverse said_as_json(filesystems => @command)
            or skip_without(machine => 'a findmnt that knows JSON');
        my $ours = facts_of($directory)->{scratch};
        is($ours->{file_system}, $mount->{fstype},                  "file system of $directory");
        is($ours->{mount_point}, $mount->{target},                  '... where');
        is($ours->{device},      $mount->{source} =~ s/\[.*\]\z//r, '... device');
        my @options = map { join q{,}, sort split /,/, $_ } $ours->{mount_options}, $mount->{options};
        is($options[0], $options[1], '... options');
    }
};

with free => sub {
    my ($memory, $swap) = says('free', '-k') =~ /^Mem:\s+(\d+).*^Swap:\s+(\d+)/ms
        or skip_without(machine => 'the free of procps');
    is($facts->{memory}{total_kb}, $memory, 'memory');
    is($facts->{memory}{swap_kb},  $swap,   'swap');
};

with uname => sub {
    my $here = $host->facts;
    my %says = (release => '-r', version => '-v', machine => '-m', system => '-o');
    is($here->{$_}, says('uname', $says{$_}) =~ s/\n\z//r, $_) for grep { says('uname', $says{$_}) } sort keys %says;
};

with nproc => sub {
    local %ENV = map { $_ => $ENV{$_} } grep { !/^OMP_/ } keys %ENV;
    is($host->usable_cpus, says('nproc') + 0, 'usable CPUs');
};

with locale => sub {
    local $ENV{LC_ALL} = 'C.UTF-8';
    chomp(my $charmap = says('locale', 'charmap'));
    is($host->language('C.UTF-8')->{charmap}, $charmap, 'charmap');
};

with gcc => sub {
    my ($version) = says('gcc', '--version') =~ /^(.*)$/m;
    like(says('sh', "$home/build/record.sh", 'gcc', q{}, q{}), qr/^version=\Q$version\E$/m, 'version of the compiler');
};

with getconf => sub {
    my ($version) = says('getconf', 'GNU_LIBC_VERSION') =~ /^glibc (\S+)$/m or skip_without(machine => 'glibc');
    like($facts->{tools}{libc}, qr/\Aglibc \Q$version\E(?: |\z)/, 'C library');
};

with git => sub {
    my ($revision) = says('git', '-C', $home, 'rev-parse', 'HEAD') =~ /^([0-9a-f]+)$/m;
    is($facts->{suite}{git_revision}, -e "$home/.git" ? $revision : undef, 'revision');
};

done_testing;
