# The playbooks of the Ansible collection, with hosts that are directories of this machine, and a release whose programs
# only count.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib ../../../lib);
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
        unixbench_release  => fake_release($fleet->place),
        unixbench_tests    => ['pipe'],
        unixbench_options  => '-c 1',
        unixbench_require  => 'pipe >= 900',
        unixbench_together => 1,
        unixbench_poll     => 0.1,
        unixbench_lead     => 1,
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

# Returns the names of the hosts that have failed by the recap, and those that are ok.
sub recap {
    my ($played) = @_;
    my %failed = $played->{text} =~ /^(\S+) +: ok=.* failed=([0-9]+)/mg;
    return (join(q{ }, grep { $failed{$_} } sort keys %failed), join(q{ }, grep { !$failed{$_} } sort keys %failed));
}

# Returns the starts and ends of the record, as "event host phase try".
sub measurements {
    return map { "$_->{event} $_->{host} $_->{phase} $_->{attempt}" } grep { $_->{phase} } $fleet->events;
}

# What is refused, and how, is tested by ansible/tests/unit/plugins/plugin_utils/test_settings.py.
subtest 'a wrong variable is refused before anything happens' => sub {
    my %refused = (
        'unixbench_test=pipe'      => 'unixbench_test: unknown variable (did you mean unixbench_tests?)',
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
    like($played->{text}, qr/"wave 2, after [0-9]+ \w+: a[12] \(hv\)"/, 'the second wave has the second machine');
    my $together = qr/"wave 3, together, after .*: a1 \(hv\), a2 \(hv\)"/;
    like($played->{text}, $together, 'the machines of the hypervisor follow');
};

subtest 'check mode changes nothing' => sub {
    is($fleet->play('accept', '--check', '--limit', 'a1')->{status}, 0, 'exit status 0');
    ok(!-e $fleet->place('results'), 'there are no results');
    is_deeply([glob $fleet->place('hosts/*')], [], 'there is nothing on a host');
};

my $first = $fleet->play('accept');
subtest 'accept measures the machines of a hypervisor one after the other, then together' => sub {
    is($first->{status}, 2, 'the playbook fails if a machine is not accepted');
    my $summary = '1 of 3 machines was not accepted (1 unreachable): ' . $fleet->place('results/fleet.html');
    like($first->{text}, qr/"msg": "\Q$summary\E"/, 'one line has the numbers');
    is_deeply([recap($first)], ['away', 'a1 a2'], 'the recap names the machines that are not accepted');
    like(failure($first), qr/\Aunreachable: No connection: .*no route to host[.]/, 'with the reason');
    like($first->{text},  qr/^away: unreachable: No connection/m, 'a machine that is not ready is named at once');
    like($first->{text},  qr/^2 of 3 measured$/m,                 'the progress is shown');
    my @alone = grep { / alone / } measurements();
    is(join(q{, }, map { (split)[0] } @alone), 'start, end, start, end',
        'no run begins before the other one has ended');
    is(join(q{, }, sort map { (split)[1] } @alone), 'a1, a1, a2, a2', 'both machines were measured');
    my ($limit_s) = map { $_->{limit} } grep { $_->{event} eq 'start' } $fleet->events;
    ok($limit_s > 660 && $limit_s < 3600, 'the time limit of a run comes from the plan');
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
    is_deeply([recap($again)],  [q{}, 'a1 a2'],       'the machines of this play are accepted');
    is($again->{status}, 0, 'exit status 0');
    like($again->{text}, qr/"msg": "1 of 3 machines was not accepted/, 'the other one is still reported');
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
    like(failure($played), qr{\A(?:FAIL|INCONCLUSIVE): pipe >= 1100}, 'the machine fails the new requirement');
    is((grep { $_ eq 'start a1 alone 2' } measurements()), 1, 'it has one second try');
    is((grep { /\Aa1 alone/ } $fleet->outcomes),           2, 'the list has both tries');
};

subtest 'a machine is measured again on demand' => sub {
    my $starts = () = measurements();
    my $played = $fleet->play('accept', '--limit', 'a1,a2', '-e', 'unixbench_again=a2', '-e', 'unixbench_together=0');
    is_deeply([map { /\Astart (.*)/ ? $1 : () } (measurements())[$starts .. $starts + 1]],
        ['a2 alone 1'], 'this machine is measured, and no other one');
    $played = $fleet->play('accept', '-e', 'unixbench_again=a3');
    is(failure($played), 'unixbench_again: there is no machine a3 in this play', 'an unknown machine is refused');
};

subtest 'a result that is not usable is measured again' => sub {
    my $path = $fleet->place('results/a2/alone-1.json');
    my $json = content($path);
    write_file($path, substr $json, 0, 1000);
    my $starts = () = measurements();
    is($fleet->play('report', '--limit', 'a2')->{status}, 2, 'the report refuses it');
    my ($event) = grep { $_->{event} eq 'end' } reverse $fleet->events;
    is("$event->{host} $event->{outcome}", 'a2 failed', 'the record has the failure');
    like($event->{reason}, qr/\AThe result can't be used: /, 'with its reason');
    $fleet->play('accept', '--limit', 'a2', '-e', 'unixbench_together=0');
    ok((grep { /\Astart a2 alone/ } (measurements())[$starts + 1 .. measurements() - 1]), 'it is measured again');
    ok((grep { /\Aa2 alone [12] measured/ } $fleet->outcomes),                            'it has a result');
};

subtest 'cleanup leaves nothing on the hosts, and names those that it could not reach' => sub {
    ok(-e $fleet->place('hosts/a1'), 'there are files before');
    my $run = $fleet->play('accept', '--tags', 'cleanup', '-e', '{"unixbench_release": []}');
    is($run->{status}, 2, 'a machine can not be reached') or diag $run->{text};
    is_deeply([recap($run)], ['away', 'a1 a2'], 'the recap names it, also without a release');
    like(failure($run), qr/\Aunreachable: No connection/, 'with the reason');
    is_deeply([glob $fleet->place('hosts/*')], [], 'there are no files afterwards');
};

done_testing;
