package SlurmCluster;

# A cluster of Slurm on the hosts of an EngineTrial. Its configuration is in /srv, its state on each host is in /run.

use strict;
use warnings;

my $START = <<'END';
mount -t tmpfs own /var/lib
mkdir /run/munge /run/slurm
cp /srv/munge.key /run/munge/key
chmod 400 /run/munge/key
munged --force --key-file=/run/munge/key --socket=/run/munge/socket --pid-file=/run/munge/pid \
    --log-file=/run/munge/log --seed-file=/run/munge/seed
END

# Takes an EngineTrial and the names of its hosts; starts the daemons. The first host is also the controller.
sub new {
    my ($class, $trial, @names) = @_;
    my $self = bless { trial => $trial, controller => $names[0] }, $class;
    $trial->write('slurm.conf',   _configuration(map { $trial->hosts->host($_) } @names));
    $trial->write('check-health', "#!/bin/sh\n");
    $trial->run('head -c 1024 /dev/urandom > munge.key && chmod 755 check-health');
    $self->_on($_,        $START) for @names;
    $self->_on($names[0], 'slurmctld -c');
    $self->_on($_,        'slurmd') for @names;
    return $self;
}

# Takes a shell script; runs it on the controller, in the shared directory. Returns its output; dies if it fails.
sub control { my ($self, $script) = @_; return $self->_on($self->{controller}, $script) }

# Takes a command of a check for NHC. Slurm then calls it on each node every few seconds, as NHC would.
sub check_health {
    my ($self, $command) = @_;
    $self->{trial}->write('check-health', <<"END");
#!/bin/bash
export SLURM_CONF=/srv/slurm.conf UNIXBENCH=/srv/Run
die() { scontrol update NodeName="\$(uname -n)" State=DRAIN Reason="NHC: \$2"; exit "\$1"; }
. /srv/features/fleet/slurm/unixbench.nhc
$command
END
    return;
}

# Returns whether there is no task, neither pending nor running.
sub is_idle { my ($self) = @_; return $self->control('squeue -h') eq q{} }

# Take the name of a node; return its state, and the reason why it is drained.
sub state  { my ($self, $node) = @_; return $self->_field($node, '%T') }
sub reason { my ($self, $node) = @_; return $self->_field($node, '%E') }

sub _field {
    my ($self, $node, $format) = @_;
    chomp(my $text = $self->control("sinfo -h -n $node -o '$format'"));
    return $text;
}

# Takes the name of a host and a shell script; runs it in /srv there. Returns its output; dies if it fails.
sub _on {
    my ($self, $name, $script) = @_;
    return $self->{trial}->hosts->host($name)
        ->inside('sh', '-c', "exec 2>&1; cd /srv && export HOME=/root SLURM_CONF=/srv/slurm.conf; set -e\n$script");
}

# Takes the hosts; returns the configuration. Each node has all CPUs of this machine, so several tasks would fit there.
sub _configuration {
    my (@hosts) = @_;
    chomp(my $cpus = qx(nproc));
    my @nodes      = map { 'NodeName=' . $_->name . ' NodeAddr=' . $_->address . " CPUs=$cpus State=UNKNOWN" } @hosts;
    my $controller = 'SlurmctldHost=' . $hosts[0]->name . '(' . $hosts[0]->address . ')';
    return join "\n", $controller, @nodes, <<'END';
ClusterName=test
AuthType=auth/munge
AuthInfo=socket=/run/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=/run/slurm
SlurmdSpoolDir=/run/slurm
SlurmctldPidFile=/run/slurm/slurmctld.pid
SlurmdPidFile=/run/slurm/slurmd.pid
SlurmctldLogFile=/run/slurm/slurmctld.log
SlurmdLogFile=/run/slurm/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
HealthCheckProgram=/srv/check-health
HealthCheckInterval=3
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
}

1;
