# A fleet is measured from end to end: the playbook, hosts that a program instead of ssh reaches, and a release whose
# programs only count. The lines of the guide for other programs read its verdicts.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../../t/lib ../../../../lib);
use Alive qw(eventually of_environment);
use Collection;
use Needs              qw(need_tools);
use Place              qw(place write_program);
use TestProgram        qw(content write_file);
use File::Copy         ();
use File::Path         ();
use POSIX              ();
use Programs           ();
use UnixBench::Version ();

my $ROOT = "$FindBin::Bin/../../../..";

# The start of Run in a release. A pause after each pass would last two seconds.
my $WITH_PERL = <<'END';
#!/bin/sh
command -v perl > /dev/null || { echo "$0: there is no perl in PATH; install Perl 5.14 or newer" >&2; exit 1; }
UB_TIME_FACTOR=${UB_TIME_FACTOR-0.001} exec perl -x "$0" "$@"
END

# Takes a directory, and the lines of a shell script that is each measured program. Writes
# unixbench-VERSION-ARCHITECTURE.tar.xz there, with its checksum; returns its path. Dies if that fails.
sub fake_release {
    my ($directory, $program) = @_;
    my $architecture = (POSIX::uname())[4];
    my $name         = "unixbench-$UnixBench::Version::VERSION-$architecture";
    my $place        = place();
    File::Path::make_path("$place/$name/pgms");
    _run('cp', '-R', "$ROOT/features", "$ROOT/lib", "$ROOT/testdir", "$place/$name");
    File::Copy::copy("$ROOT/pgms/$_", "$place/$name/pgms/$_") or die "$_: $!\n" for qw(index.base unixbench.logo);
    write_program("$place/$name/Run",     $WITH_PERL . content("$ROOT/Run"));
    write_program("$place/$name/pgms/$_", "#!/bin/sh\n" . $program)
        for Programs::of_classic_tests(), qw(multi.sh tst.sh);
    _run(qw(tar -c --sort=name --owner=0 --group=0 --mtime=@0 --use-compress-program),
        'xz -0', '-C', "$place", '-f', "$directory/$name.tar.xz", $name);
    _run('sh', '-c', 'cd "$0" && sha256sum "$1" > "$1.sha256"', $directory, "$name.tar.xz");
    return "$directory/$name.tar.xz";
}

sub _run { my (@command) = @_; system(@command) == 0 or die "@command: failed\n"; return }

need_tools(qw(ansible-playbook tar xz));

my $fleet = Collection->new;
my $place = $fleet->place;

# Each pass notes its host, and waits until there is a file "go".
my $PASS = <<"END";
echo "\${UNIXBENCH_FLEET##*/}" >> $place/passes
while [ ! -e $place/go ]; do sleep 0.1; done
printf 'COUNT|1000|0|lps\\n' >&2
END

# Two machines share a hypervisor; one machine can't be reached, and another one while there is a file "lost".
my $no_ssh  = write_program("$place/no-ssh",  "#!/bin/sh\necho 'ssh: no route to host' >&2\nexit 255\n");
my $bad_ssh = write_program("$place/bad-ssh", qq{#!/bin/sh\n[ ! -e $place/lost ] || exit 255\nexec $place/ssh "\$@"\n});
$fleet->inventory(
    {
        unixbench_release => fake_release($place, $PASS),
        unixbench_tests   => ['pipe'],
        unixbench_options => '-c 1 -i 3',
        unixbench_require => 'pipe >= 900',
        unixbench_poll    => 5,
    },
    {
        a1   => { unixbench_shares       => 'hv', ansible_ssh_executable => $bad_ssh },
        a2   => { unixbench_shares       => 'hv' },
        b1   => { unixbench_shares       => 'other hv' },
        away => { ansible_ssh_executable => $no_ssh },
    }
);
my @REACHED = ('--limit', 'a1,a2,b1');

# Takes the output of a playbook; returns the messages of its failed tasks.
sub failures { my ($played) = @_; return join "\n", $played->{text} =~ /FAILED! => \{.*"msg": "(.*)"\}$/mg }

# Returns the names of the hosts that have failed by the recap, and those that are ok.
sub recap {
    my ($played) = @_;
    my %failed = $played->{text} =~ /^(\S+) +: ok=.* failed=([0-9]+)/mg;
    return [join(q{ }, grep { $failed{$_} } sort keys %failed), join(q{ }, grep { !$failed{$_} } sort keys %failed)];
}

# Returns the hosts of all passes, in their order.
sub passes { my @hosts = split /\n/, content("$place/passes"); return @hosts }

# Returns whether each of these hosts has made a pass.
sub has_passes {
    my (@hosts) = @_;
    my %has     = map { $_ => 1 } passes();
    return @hosts == grep { $has{$_} } @hosts;
}

# Returns the lines of the list of machines, as "host outcome".
sub outcomes {
    my (undef, @lines) = split /\n/, content("$place/results/machines.csv");
    return [map { tr/"//dr } map { join q{ }, (split /,/)[0, 1] } @lines];
}

subtest 'wrong words are refused before anything happens' => sub {
    my $played = $fleet->play('-e', 'unixbench_tests=pip');
    is($played->{status}, 2, 'exit status 2');
    like($played->{text}, qr/unknown test or command \\"pip\\"/, 'the message of Run');
    ok(!-e "$place/results", 'there are no results');
};

subtest 'the plan connects to no host' => sub {
    my $played = $fleet->play(qw(--tags plan --limit), 'a1,a2,away');
    is($played->{status}, 0, 'exit status 0');
    like($played->{text} =~ tr/ \n//dr, qr/"waves":\[\["a1","away"\],\["a2"\]\]/, 'waves keep a1 and a2 apart');
    is_deeply([glob "$place/hosts/*"], [], 'there is nothing on a host');
};

subtest 'no machine of a hypervisor starts while a lost one may still measure there' => sub {
    my $controller = $fleet->started;
    ok(eventually(sub { has_passes(qw(a1 b1)) }), 'the first wave measures') or diag content("$place/said");
    write_file("$place/$_", q{}) for qw(lost go);
    waitpid $controller, 0;
    my $list = content("$place/results/machines.csv");
    is_deeply(outcomes(), ['a1 unreachable', 'a2 untried', 'away unreachable', 'b1 measured'], 'the list');
    like($list, qr/^"a2",untried,"Another machine of its hypervisor may still measure[.]"/m, 'with the reason');
    unlink map { "$place/$_" } qw(lost go);
};

subtest 'a run survives the controller' => sub {
    my $controller = $fleet->started;
    ok(eventually(sub { has_passes('a2') }), 'the machine measures') or diag content("$place/said");
    ok(-e "$place/results/hosts/a1.json",    'the result of the lost machine was found');
    kill KILL => -$controller;
    waitpid $controller, 0;
    ok(of_environment("UNIXBENCH_FLEET=$place/hosts/a2"), 'the run goes on');
};

subtest 'the playbook finds the run again' => sub {
    my $opener = fork // die "fork: $!\n";
    exec 'sh', '-c', "sleep 8; : > '$place/go'" or die "sh: $!\n" if !$opener;
    my $played = $fleet->play;
    waitpid $opener, 0;
    is($played->{status}, 2, 'the playbook fails if a machine is not accepted');
    is_deeply(recap($played), ['away', 'a1 a2 b1'], 'the recap names the machine') or diag $played->{text};
    like(failures($played), qr/\Aunreachable: .*no route to host\z/, 'with the reason');
    my $of_hv = join q{ }, grep { /a/ } passes();
    like($of_hv, qr/\A(?:a1 ){3}a2 a2 a2(?: a2)?\z/, 'each machine was measured once, those of a hypervisor in turn');
    is_deeply(outcomes(), ['a1 measured', 'a2 measured', 'away unreachable', 'b1 measured'], 'the list');
    ok(-s "$place/results/$_", $_) for qw(fleet.html fleet.json hosts/a1.json);
    is_deeply([content("$place/results/verdicts") =~ /^state=(.*)$/mg], [qw(pass pass unknown pass)], 'verdicts');
    like(scalar qx($ROOT/Run fleet $place/results/hosts), qr/^3 hosts: 3 measured/m, 'Run fleet reads the directory');
};

subtest 'a machine with a result is not measured again' => sub {
    my $before = passes();
    my $played = $fleet->play(@REACHED);
    is($played->{status}, 0,       'exit status 0') or diag $played->{text};
    is(scalar(passes()),  $before, 'no pass was made');
    is_deeply(recap($played), [q{}, 'a1 a2 b1'], 'the machines of this play are accepted');
    unlink "$place/results/hosts/a2.json" or die "unlink: $!\n";
    $played = $fleet->play(@REACHED, '-e', 'unixbench_require="pipe >= 1e9"');
    is((grep { $_ eq 'a2 measured' } @{ outcomes() }), 1, 'it is measured if its result was removed');
    my @later = (passes())[$before .. passes() - 1];
    ok(@later && !(grep { $_ ne 'a2' } @later), 'and no other machine is');
    like(failures($played), qr/^(?:FAIL|INCONCLUSIVE): pipe >= 1e9/m, 'a machine that is not accepted fails');
};

subtest 'cleanup leaves nothing on the hosts, and names those that it could not reach' => sub {
    ok(-e "$place/hosts/a1", 'there are files before');
    my $played = $fleet->play(qw(--tags cleanup -e), '{"unixbench_release": []}');
    is_deeply(recap($played), ['away', 'a1 a2 b1'], 'the recap names it, also without a release')
        or diag $played->{text};
    is_deeply([glob "$place/hosts/*"], [], 'there are no files afterwards');
};

done_testing;
