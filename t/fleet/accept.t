# The playbooks of the Ansible collection, with hosts that are directories of this machine, and a release whose programs
# only count.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Collection;
use FakeRelease qw(fake_release);
use Needs       qw(need_tools);
use TestProgram qw(content write_file);

need_tools(qw(ansible-playbook tar xz setsid));

my $fleet = Collection->new;

# Two machines share a hypervisor; one machine can't be reached.
my %AWAY = (ansible_connection => 'ssh', ansible_ssh_executable => $fleet->no_ssh);
$fleet->inventory(
    {
        unixbench_release    => fake_release($fleet->place),
        unixbench_tests      => ['pipe'],
        unixbench_options    => '-c 1',
        unixbench_require    => 'pipe >= 900',
        unixbench_together   => 1,
        unixbench_poll       => 0.1,
        unixbench_lead       => 1,
        unixbench_time_limit => 300,
    },
    { a1 => { unixbench_shares => 'hv' }, a2 => { unixbench_shares => 'hv' }, away => \%AWAY }
);

# Takes the output of a playbook; returns the message of its failed task.
sub failure {
    my ($played)  = @_;
    my ($message) = $played->{text} =~ /FAILED! => \{.*"msg": "(.*)"\}$/m;
    return $message;
}

# Takes the output of a playbook; returns { host => number of its changes }.
sub changes {
    my ($played) = @_;
    return { $played->{text} =~ /^(\S+) +: ok=.* changed=([0-9]+)/mg };
}

# Returns the starts and ends of the record, as "event host phase try".
sub measurements {
    return map { "$_->{event} $_->{host} $_->{phase} $_->{attempt}" } grep { $_->{phase} } $fleet->events;
}

subtest 'a wrong variable is refused before anything happens' => sub {
    my %refused = (
        'unixbench_test=pipe'      => 'unixbench_test: unknown variable (did you mean unixbench_tests?)',
        'unixbench_poll=often'     => q{unixbench_poll: expected a number, not 'often'},
        'unixbench_require=pipe>x' => qr/\Aunixbench_tests, unixbench_options or unixbench_require: Run: requirement/,
    );
    for my $variable (sort keys %refused) {
        my $played = $fleet->play('accept', '-e', $variable);
        is($played->{status}, 2, "$variable: exit status 2");
        (ref $refused{$variable} ? \&like : \&is)->(failure($played), $refused{$variable}, "$variable: one line");
    }
    ok(!-e $fleet->place('results'), 'there are no results');
};

subtest 'the plan connects to no host' => sub {
    my $played = $fleet->play('plan');
    is($played->{status}, 0, 'exit status 0');
    like($played->{text}, qr/"wave 1, after 0 s: .*away/, 'the first wave has the host without a hypervisor');
    like($played->{text}, qr/"wave 2, after [0-9]+ \w+: a[12] \(hv\)"/,   'the second wave has the second machine');
    like($played->{text}, qr/"together, after .*: a1 \(hv\), a2 \(hv\)"/, 'the machines of the hypervisor follow');
};

subtest 'check mode changes nothing' => sub {
    is($fleet->play('accept', '--check', '--limit', 'a1')->{status}, 0, 'exit status 0');
    ok(!-e $fleet->place('results'), 'there are no results');
    is_deeply([glob $fleet->place('hosts/*')], [], 'there is nothing on a host');
};

my $first = $fleet->play('accept');
subtest 'accept measures the machines of a hypervisor one after the other, then together' => sub {
    is($first->{status}, 2, 'the playbook fails if a machine is not accepted');
    is(
        failure($first),
        '1 of 3 machines was not accepted (1 unreachable): ' . $fleet->place('results/fleet.html'),
        'it ends with one line'
    );
    my @alone = grep { / alone / } measurements();
    is(join(q{, }, map { (split)[0] } @alone), 'start, end, start, end',
        'no run begins before the other one has ended');
    is(join(q{, }, sort map { (split)[1] } @alone), 'a1, a1, a2, a2', 'both machines were measured');
    my @together = map { (split)[0] } grep { / together / } measurements();
    is("@together", 'start start end end', 'together, both were started before the first one was waited for');
    is_deeply(
        [$fleet->outcomes],
        [(map { ("$_ alone 1 measured", "$_ together 1 measured") } qw(a1 a2)), 'away alone 1 unreachable'],
        'each machine has an outcome'
    );
};

subtest 'all reports are written' => sub {
    ok(-s $fleet->place("results/$_"), $_) for qw(fleet.html fleet.txt fleet.json junit.xml a1/alone-1.json);
    like(content($fleet->place('results/junit.xml')), qr/<testsuite [^>]*\b\Q$_\E\b/, "JUnit has a suite for $_")
        for qw(a1 a2 away);
    is_deeply([content($fleet->place('results/verdicts')) =~ /^state=(.*)$/mg], [qw(pass pass unknown)], 'verdicts');
};

subtest 'a machine with a result is not measured again' => sub {
    my @before = measurements();
    my $again  = $fleet->play('accept', '--limit', 'a1,a2');
    is_deeply([measurements()], \@before,             'no run was started');
    is_deeply(changes($again),  { a1 => 0, a2 => 0 }, 'nothing has changed');
    is(failure($again), failure($first), 'the machine that is not part of this play is still reported');
};

subtest 'check mode asks the doctor of a machine with a release, and changes nothing' => sub {
    my $files = sub {
        return join q{}, map { qx(find '$_' -exec stat -c '%n %s %y' {} + | sort) } $fleet->place($_[0]);
    };
    my @before = map { $files->($_) } qw(hosts results);
    my $played = $fleet->play('accept', '--check', '-v', '--limit', 'a1,a2');
    like(
        $played->{text},
        qr/^ok: \[a1\] => .*"doctor": \[".*"plan": \["/m,
        'the doctor and the plan of the suite are asked'
    );
    is_deeply(changes($played),                         { a1 => 0, a2 => 0 }, 'no change is reported');
    is_deeply([map { $files->($_) } qw(hosts results)], \@before,             'all files are as they were');
};

subtest 'a run that was not collected is found again, and not repeated' => sub {
    my $record = $fleet->place('results/record.jsonl');
    my @lines  = grep { !/"event": "end".*"host": "a2".*"phase": "alone"/ } split /^/, content($record);
    write_file($record, join q{}, @lines);
    unlink $fleet->place('results/a2/alone-1.json') or die "unlink: $!\n";
    $fleet->play('report');
    is((grep { $_ eq 'a2 alone 1 measured' } $fleet->outcomes), 1, 'the report has its result');
    is((grep { /\Astart a2 alone/ } measurements()),            1, 'it was started once');
};

subtest 'a machine with a bad result is measured once more' => sub {
    my $played = $fleet->play('accept', '--limit', 'a1', '-e', 'unixbench_require="pipe >= 1100"');
    like(failure($played), qr/\A3 of 3 machines were not accepted/, 'the machine fails the new requirement');
    is((grep { $_ eq 'start a1 alone 2' } measurements()), 1, 'it has one second try');
    is((grep { /\Aa1 alone/ } $fleet->outcomes),           2, 'the list has both tries');
};

subtest 'cleanup leaves nothing on the hosts' => sub {
    ok(-e $fleet->place('hosts/a1'), 'there are files before');
    my $run = $fleet->play('accept', '--tags', 'cleanup', '-e', '{"unixbench_release": []}');
    is($run->{status}, 0, 'exit status 0, also without a release') or diag $run->{text};
    is_deeply([glob $fleet->place('hosts/*')], [], 'there are no files afterwards');
};

done_testing;
