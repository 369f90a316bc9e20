# Tests of the facts of this machine: they are compared with the output of its tools. A tool that is missing is skipped.

use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lib lib);
use Needs qw(need_tools skip_without);
use UnixBench::Host::Facts;
use UnixBench::Process::Command;

my $home  = "$FindBin::Bin/../../..";
my @SHMEM = grep { -d } '/dev/shm', '/tmp';

# Takes the words of a command; returns the text that it prints, whatever its exit status is.
sub says {
    my (@command) = @_;
    open my $output, '-|', 'sh', '-c', 'exec "$@" 2>/dev/null', 'sh', @command or return q{};
    local $/ = undef;
    return scalar(<$output>) // q{};
}

# Takes a name and the words of a command that prints JSON; returns the list with that name.
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

# Takes the name of a tool and a function; calls it in a subtest that is skipped without the tool.
sub with {
    my ($tool, $code) = @_;
    return subtest "the facts agree with $tool" => sub { need_tools($tool); $code->() };
}

my $facts = facts_of($home);

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
    is($cpu->{sockets}, $sockets,          'the number of sockets is the same') if defined $cpu->{sockets} && $sockets;
    is($cpu->{cores},   $sockets * $cores, 'the number of cores is the same') if defined $cpu->{cores}     && $threads;
    is($cpu->{threads},         $sockets * $cores * $threads, 'the number of threads is the same') if $threads;
    is($cpu->{numa_nodes} // 0, $field{'NUMA node(s)'} // 0,  'the number of NUMA nodes is the same');
    like($cpu->{models}[0]{model}, qr/\Q$field{'Model name'}\E/, 'the model is the same')
        if defined $field{'Model name'};
    my @vulnerabilities = grep { /^Vulnerability / } keys %field;
    is(scalar keys %{ $facts->{kernel}{mitigations} || {} }, @vulnerabilities, 'the number of mitigations is the same');
    my %seen = map { ("$_->{level} $_->{type} $_->{size_kb}" => $_->{count}) } @{ $cpu->{caches} || [] };

    for my $cache (grep { %seen } said_as_json(caches => 'lscpu', '-B', '-C', '-J')) {
        my ($one, $all) = @$cache{qw(one-size all-size)};
        is($seen{ "$cache->{level} $cache->{type} " . $one / 1024 }, $all / $one, "their number: $cache->{name}");
    }
};

with findmnt => sub {
    for my $directory ($home, @SHMEM) {
        my @command = ('findmnt', '-J', '-o', 'FSTYPE,SOURCE,TARGET,OPTIONS', '-T', $directory);
        my ($mount) = reverse said_as_json(filesystems => @command)
            or skip_without(machine => 'a findmnt that knows JSON');
        my $ours = facts_of($directory)->{scratch};
        is($ours->{file_system}, $mount->{fstype},                  "the file system of $directory is the same");
        is($ours->{mount_point}, $mount->{target},                  "the mount point of $directory is the same");
        is($ours->{device},      $mount->{source} =~ s/\[.*\]\z//r, "the device of $directory is the same");
        my @options = map { join q{,}, sort split /,/, $_ } $ours->{mount_options}, $mount->{options};
        is($options[0], $options[1], "the mount options of $directory are the same");
    }
};

with git => sub {
    my ($revision) = says('git', '-C', $home, 'rev-parse', 'HEAD') =~ /^([0-9a-f]+)$/m;
    is($facts->{suite}{git_revision}, -e "$home/.git" ? $revision : undef, 'the revision is the same');
};

done_testing;
