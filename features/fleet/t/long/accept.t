# A fleet is measured from end to end: the playbook, hosts that a program instead of ssh reaches, and a release whose
# programs only count. The lines of the guide for other programs read its verdicts.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../../t/lib ../../../../lib);
use Collection;
use Needs                 qw(need_tools);
use Place                 qw(content eventually of_environment place write_file write_program);
use File::Copy            ();
use File::Path            ();
use POSIX                 ();
use Programs              ();
use UnixBench::Base::Text qw(unique);
use UnixBench::Version    ();

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

# Each pass notes its host, and waits until there is a file "go". A file has the rate of a host, else it is 1000. If the
# file is empty, the program crashes.
my $PASS = <<"END";
host=\${UNIXBENCH_FLEET##*/}
echo "\$host" >> $place/passes
while [ ! -e $place/go ]; do sleep 0.1; done
rate=\$(cat $place/\$host.rate 2> /dev/null || echo 1000)
printf 'COUNT|%s|0|lps\\n' "\${rate:-\$(kill -s SEGV \$\$)}" >&2
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
    like(
        scalar qx($ROOT/Run fleet $place/results/hosts),
        qr/^1 host: 1 measured/m,
        'Run fleet reads the directory: all are of this machine'
    );
};

subtest 'a machine with a result is not measured again' => sub {
    my $before = passes();
    my $played = $fleet->play(@REACHED);
    is($played->{status}, 0,       'exit status 0') or diag $played->{text};
    is(scalar(passes()),  $before, 'no pass was made');
    is_deeply(recap($played), [q{}, 'a1 a2 b1'], 'the machines of this play are accepted');
};

# Returns the hosts of the passes since the last call.
my $seen = 0;

sub later {
    my @later = (passes())[$seen .. passes() - 1];
    $seen += @later;
    return \@later;
}

# Returns the hosts whose results were kept, in their order.
sub kept { return [map { m{([^/]+)[.]json\z} } sort glob "$place/results/earlier/*/*.json"] }

subtest 'hosts are measured again, and their earlier results are kept' => sub {
    my $again = sub { $fleet->play(@REACHED, '-e', "unixbench_again=$_[0]", @_[1 .. $#_]) };
    my $wrong = $again->('open');
    later();
    is($wrong->{status}, 2, 'a wrong word is refused');
    is(failures($wrong), 'unixbench_again: open is unknown; use inconclusive, failed or all', 'with the words');

    my @limit = qw(-e unixbench_require=pipe>=1000);
    write_file("$place/a1.rate", 5000);
    write_file("$place/a2.rate", q{});
    my $played = $again->('inconclusive', '--limit', 'a1,a2', @limit);
    is_deeply([unique(sort @{ later() })], [qw(a1 a2)], 'hosts that are inconclusive are measured again');
    is_deeply(kept(),                      [qw(a1 a2)], 'their results are kept');
    $played = $fleet->play(@REACHED, @limit);
    my $how = 'again: -e unixbench_again=inconclusive';
    like(failures($played), qr/^INCONCLUSIVE: .*; to measure it $how$/m, 'an inconclusive host says how');
    like($played->{text},   qr/"To measure 1 inconclusive $how"/,        'and so does the report');
    is_deeply(later(), [], 'without the word, none is');
    write_file("$place/$_.rate", 5000) for qw(a2 b1);
    $again->('inconclusive', @limit);
    is_deeply(later(), [('b1') x 3], 'only the inconclusive host is');
    $again->('failed', @limit);
    is_deeply(later(), [('a2') x 3], 'only the host that failed is');

    unlink "$place/go";
    my $controller = $fleet->started(@REACHED, qw(-e unixbench_again=all));
    ok(eventually(sub { passes() >= $seen + 2 }), 'all are measured again') or diag content("$place/said");
    kill KILL => -$controller;
    waitpid $controller, 0;
    is_deeply([sort @{ kept() }], [qw(a1 a1 a2 a2 a2 b1 b1)], 'all earlier results are kept');
    write_file("$place/go", q{});
    $played = $again->('all');
    is($played->{status}, 0, 'a playbook that was interrupted finds the runs') or diag $played->{text};
    is_deeply([sort @{ later() }], [map { ($_) x 3 } qw(a1 a2 b1)], 'and starts none twice');
    like(scalar qx($ROOT/Run fleet $place/results/hosts), qr{^1 host: 1 measured}m, 'Run fleet reads it');

    write_file("$place/lost", q{});
    like(failures($again->('all', '--limit', 'a1')), qr/^unreachable: /m, 'a host that does not answer fails');
    unlink "$place/lost";
    is($fleet->play(@REACHED)->{status}, 0, 'and keeps its result');
    is_deeply(later(), [], 'without another pass');
};

subtest 'cleanup leaves nothing on the hosts, and names those that it could not reach' => sub {
    ok(-e "$place/hosts/a1", 'there are files before');
    my $played = $fleet->play(qw(--tags cleanup -e), '{"unixbench_release": []}');
    is_deeply(recap($played), ['away', 'a1 a2 b1'], 'the recap names it, also without a release')
        or diag $played->{text};
    is_deeply([glob "$place/hosts/*"], [], 'there are no files afterwards');
};

done_testing;
