# What docs/fleet.md says on acceptance, as it is written there: with hosts that are directories of this machine, and a
# release whose programs only count. features/fleet/lab/fleet runs the other commands of the collection, and
# features/fleet/lab/engines the rest.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../accept/lib ../../../t/lib ../../../lib);
use Collection;
use FakeRelease                    qw(fake_release);
use Guide                          qw(block);
use Needs                          qw(need_tools);
use SourceTree                     qw(text_of);
use TestProgram                    qw(content write_file);
use UnixBench::Accept::VerdictFile ();

need_tools(qw(ansible-playbook tar xz setsid));

my $guide   = text_of("$FindBin::Bin/../../../docs/fleet.md");
my $fleet   = Collection->new;
my $place   = $fleet->place;
my $release = fake_release($place);

# The third machine can't be reached.
my $no_ssh = $fleet->no_ssh;
write_file("$place/machines.ini", <<"END");
node1 unixbench_shares=hv07
node2 unixbench_shares=hv08
node3 unixbench_shares=hv09 ansible_connection=ssh ansible_ssh_executable=$no_ssh
[all:vars]
ansible_connection=local
unixbench_directory=$place/hosts/{{inventory_hostname}}
unixbench_poll=0.1
unixbench_second_try=false
END

# These programs note how they were called.
mkdir "$place/bin" or die "mkdir: $!\n";
write_file("$place/bin/$_", qq{#!/bin/sh\necho "\${0##*/} \$*" >> '$place/called'\n}) for qw(scontrol kubectl);
chmod 0755, glob "$place/bin/*";

# Takes commands; runs them in the directory of the controller. Returns status and text.
sub commands {
    my ($commands) = @_;
    return $fleet->run('sh', '-ec', "cd '$place'; mkdir -p hosts; PATH=bin:\$PATH; release='$release'; $commands");
}

# Takes the name of a host and its state; returns its block of a verdict file.
sub block_of {
    my ($host, $state) = @_;
    return { host => $host, state => $state, reason => 'a test', ended => time, indexes => [] };
}

my $accepted = commands(block($guide, q(    -e '{"unixbench_require")));
is($accepted->{status}, 2, 'no machine is accepted') or diag $accepted->{text};
like($accepted->{text}, qr/"msg": "3 of 3 machines were not accepted \(.*1 unreachable\): /, 'it says why');

# Other load on this machine may excuse a result that is too low.
my @states = content("$place/unixbench-results/verdicts") =~ /^state=(.*)$/mg;
like("@states", qr/\A(?:(?:fail|inconclusive) ){2}unknown\z/, 'each machine has a verdict');

my @hosts = ([node1 => 'fail'], [node2 => 'pass'], [node3 => 'inconclusive'], [node4 => 'unknown'], [node5 => 'fail']);
write_file("$place/unixbench-results/verdicts", UnixBench::Accept::VerdictFile::text(map { block_of(@$_) } @hosts));
my $quarantined = commands(block($guide, q{awk '/^host=/}));
is($quarantined->{status}, 0, 'the lines for Slurm and Kubernetes work') or diag $quarantined->{text};
my @drained = map { "scontrol update NodeName=$_ State=DRAIN Reason=UnixBench: FAIL" } qw(node1 node5);
is(
    content("$place/called"),
    join("\n", @drained, 'kubectl cordon -- node1', 'kubectl cordon -- node5', q{}),
    'machines that fail are taken out of service, and no others'
);

done_testing;
