# What the controller does if a host hangs during a call, and if the controller itself is killed.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib ../../../lib);
use Alive qw(eventually is_alive of_environment);
use Collection;
use FleetHost   qw(release);
use Needs       qw(need_tools);
use TestProgram qw(content write_file);

need_tools(qw(ansible-playbook tar xz setsid));

my $fleet = Collection->new;

# Stands for Run of the controller: it plans a minute, and finds nothing in the results.
my $RUN = write_file($fleet->place('Run'), <<'END');
#!/bin/sh
case $* in *--dry-run*) echo 'In all: 1 min 0 s'; exit ;; esac
while [ $# != 0 ]; do [ "$1" != --json ] || echo '{"hosts": []}' > "$2"; shift; done
END
chmod 0755, $RUN;

# Stands for ssh: runs the command here. If there is a file "hang", it hangs with a child instead, and ignores SIGTERM.
my $ssh = write_file($fleet->place('ssh'), <<'END');
#!/bin/sh
place=${0%/*}
case $* in *'-O exit'*) echo exit >> "$place/said"; exit 0 ;; esac
if [ -e "$place/hang" ]; then
    trap '' TERM
    sleep 1000 &
    echo "$$ $!" >> "$place/pids"
    while :; do wait; done
fi
while [ $# != 1 ]; do shift; done
exec sh -c "$1"
END
chmod 0755, $ssh;

my %SSH = (ansible_connection => 'ssh', ansible_ssh_executable => $ssh);
$fleet->inventory(
    {
        unixbench_release => release($fleet->place, '1.0'),
        unixbench_run     => $RUN,
        unixbench_tests   => ['gated'],
        unixbench_poll    => 0.1,
    },
    { far => \%SSH, near => {} }
);
write_file($fleet->place('one.yml'), <<'END');
- hosts: all
  gather_facts: false
  tasks:
    - unixbench.fleet.host: { operation: install }
      tags: install
    - unixbench.fleet.host: { operation: start }
      register: started
    - unixbench.fleet.host: { operation: wait }
      when: started.outcome == 'running'
      tags: wait
    - ansible.builtin.debug: { var: started }
END

# Takes the name of a host and further words; runs the playbook for that host. Returns its output.
sub play {
    my ($host, @words) = @_;
    return $fleet->run('ansible-playbook', '-i', $fleet->place('inventory.json'),
        '-l', $host, @words, $fleet->place('one.yml'));
}

# Returns the numbers of the processes of the controller. The processes of a run on this machine have its environment,
# too.
sub controller {
    my %is_run = map { $_ => 1 } of_environment('UNIXBENCH_FLEET=');
    return grep { !$is_run{$_} } of_environment('ANSIBLE_CONFIG=' . $fleet->place);
}

# Returns the ends of runs in the record, as "host outcome".
sub ends {
    return map { "$_->{host} $_->{outcome}" } grep { $_->{event} eq 'end' } $fleet->events;
}

subtest 'a host that hangs is unreachable, and nothing of the connection is left' => sub {
    is(play('far', '--skip-tags', 'wait')->{status}, 0, 'a run is started before');
    my ($gate) = glob $fleet->place('hosts/far/runs/*/results');
    ok(defined $gate, 'the run is under way');
    write_file($fleet->place('hang'), q{});
    my $played = play('far', '--skip-tags', 'install');
    is($played->{status}, 0, 'the playbook does not fail');
    like($played->{text}, qr/"reason": "There was no answer within [0-9]+ s[.]"/, 'the reason has the limit');
    my @pids = split q{ }, content($fleet->place('pids'));
    is(scalar @pids, 2, 'the call had two processes');
    is_deeply([grep { is_alive($_) } @pids], [], 'they have ended');
    like(content($fleet->place('said')), qr/exit/, 'the shared connection was ended');
    unlink $fleet->place('hang');
    write_file("$gate/go", q{});
    is(play('far')->{status},                            0,              'the host answers again');
    is((ends())[-1],                                     'far measured', 'its run is collected');
    is((grep { $_->{event} eq 'start' } $fleet->events), 1,              'it was started once');
};

# Takes a function that plays; starts it in the background, and waits until a run of the host "near" is under way. Kills
# only the controller itself, and tests that its other processes end. Returns the directory of the run's results.
sub killed {
    my ($play) = @_;
    my %is_old = map { $_ => 1 } glob $fleet->place('hosts/near/runs/*/results');
    my $pid    = fork // die "fork: $!\n";
    if (!$pid) { setpgrp; $play->(); exit }
    my $gate;
    eventually(
        sub {
            ($gate) = grep { !$is_old{$_} } glob $fleet->place('hosts/near/runs/*/results');
        }
    );
    die "no run was started\n" if !defined $gate;
    ok(eventually(sub { controller() > 1 }), 'a worker of the controller waits');
    my ($main) = grep { parent_of($_) == $pid } controller();
    kill KILL => $main // die "the controller has ended\n";
    ok(eventually(sub { !controller() }), 'no worker of the controller that was killed is left');
    waitpid $pid, 0;
    return $gate;
}

# Takes the number of a process; returns that of its parent.
sub parent_of {
    my ($pid)    = @_;
    my ($parent) = content("/proc/$pid/status") =~ /^PPid:\s+([0-9]+)/m;
    return $parent // 0;
}

subtest 'a controller that was killed finds its run again' => sub {
    my $gate = killed(sub { play('near') });
    write_file("$gate/go", q{});
    is(play('near')->{status}, 0,                                                   'another one is started');
    is((ends())[-1],           'near measured',                                     'the result is collected');
    is((grep { $_->{event} eq 'start' && $_->{host} eq 'near' } $fleet->events), 1, 'the run was started once');
    is(content("$gate/words"),                                                   '<-q><gated>', 'Run was called once');
};

subtest 'a controller that measures a fleet ends with all of its processes, too' => sub {
    my @near = ('-l', 'near', '-t', 'run', '-e', 'unixbench_second_try=false');
    write_file($fleet->place('fleet.yml'), <<'END');
- hosts: all
  gather_facts: false
  tasks:
    - unixbench.fleet.fleet: { operation: measure }
      run_once: true
      tags: run
END
    my $measure = sub {
        $fleet->run(qw(ansible-playbook -i), $fleet->place('inventory.json'), @_, $fleet->place('fleet.yml'));
    };
    my $gate = killed(sub { $measure->(@near, '-e', 'unixbench_again=near') });
    write_file("$gate/go", q{});
    is($measure->(@near)->{status}, 0,               'another one is started');
    is((ends())[-1],                'near measured', 'the result is collected');
};

done_testing;
