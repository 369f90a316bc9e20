# A year of weekly runs on a machine to which much happens. ./Run makes each result, with programs of known rates.

use strict;
use warnings;

use File::Copy ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use KnownRates qw(give_rates);
use LoadedRun;
use Place;
use TestRun;
use Weeks qw(noise old_report started);
use UnixBench::Base::JSON;

use constant { UPDATED => 20, SLOWER => 30, COPIED => 10, DISTURBED => 25, FAILED => 35, SET_BACK => 40, BACK => 4 };

# The weeks of runs in other time zones. In 2026, daylight saving time begins on March 8 (week 13) and 29 (week 16).
my %ZONE = ((map { $_ => 'America/New_York' } 11 .. 15), (map { $_ => 'Europe/Berlin' } 16 .. 18));

my $TEST = TestRun->new;
$TEST->{cwd} = $TEST->place('results');
make_update();
measure($_) for 0 .. 51;
File::Copy::copy(page(COPIED), $TEST->place('results', 'a-copy.html')) or die "copy: $!\n";
for my $week (0 .. 5) { $TEST->write('results', "old-$_-$week", old_report($_, $week)) for qw(5.1.3 6.0.0) }
$TEST->{env} = { PERL5OPT => "-I$TestRun::HOME/t/lib -MReleasedEarlier" };
my $RUN = $TEST->run(qw(history --html), $TEST->place('year.html'), '--json', $TEST->place('year.json'));

# Makes another version of the fake program, beside a folder with its modules.
sub make_update {
    mkdir $TEST->place('updated') or die "mkdir: $!\n";
    symlink "$TestRun::HOME/t/lib", $TEST->place('lib') or die "symlink: $!\n";
    my $program = Place::text_of("$TestRun::BIN/replay");
    chmod 0755, $TEST->write('updated', 'replay', "$program# Another version.\n");
    return;
}

# Makes the result of a week.
sub measure {
    my ($week) = @_;
    local $TestRun::BIN = $week >= UPDATED ? $TEST->place('updated') : $TestRun::BIN;
    my $pipe    = 1_600_000 * ($week >= UPDATED ? 1.1 : 1) * ($week == DISTURBED ? 0.6 : 1) * noise($week);
    my $syscall = 2_400_000 * ($week >= SLOWER  ? 0.8 : 1) * noise($week + 3);
    give_rates($TEST, pipe => [$pipe], syscall => [$syscall]);
    $TEST->replay(syscall => 1, ['nothing']) if $week == FAILED;
    my $time_s = started($week - ($week == SET_BACK ? BACK : 0)) + ($week == SET_BACK ? 3600 : 0);
    local $TEST->{env} = {
        PERL5OPT      => "-I$TestRun::HOME/t/lib -MSetClock -MOtherHost -MPlayedLoad",
        SET_CLOCK_S   => $time_s - time,
        OTHER_HOST    => 'vm',
        OTHER_RELEASE => $week >= SLOWER    ? '6.19.1'               : '6.18.44',
        PLAYED_LOAD   => $week == DISTURBED ? 'others:disturbed:0.8' : q{},
        TZ            => $ZONE{$week} // 'UTC',
    };
    my $run = $TEST->run(qw(-q -c 1 -i 1 pipe syscall));
    is($run->{status}, $week == FAILED ? 1 : 0, "week $week: exit status") or diag $run->{err};
    return;
}

# Takes a week; returns the path of its page. The name has the local date.
sub page {
    my ($week) = @_;
    my ($day, $month, $year) = (gmtime started($week))[3 .. 5];
    return $TEST->place('results', sprintf 'vm-%d-%02d-%02d-01.html', $year + 1900, $month + 1, $day);
}

# Takes a text; returns its lines without blanks at their ends.
sub lines_of {
    return [map { s/ +\z//r } split /\n/, $_[0]];
}

subtest 'text' => sub {
    is($RUN->{err},    q{}, 'no message');
    is($RUN->{status}, 3,   'exit status 3: a change for the worse is not accepted');
    my $why    = qr/^   why: .*\n/m;            # is measured
    my $legend = qr/^"Latest runs" has .*/ms;
    is_deeply(lines_of($RUN->{out} =~ s/$why//r =~ s/$legend//r), lines_of(<<'END'), 'each line');
History of 3 hosts: 20.0 % slower since 2026-06-29 (System Call Overhead, one copy) on vm, passes x 0.001

vm, passes x 0.001: 52 runs, 2025-12-01 to 2026-11-23

1 copy                Latest runs                                              Last      SD   Change  At           Sees
Pipe Throughput                           =-==-?=-=-=-==-?==-=--==--=-=-=-  1.749 M   0.4 %                       2.3 %
System Call Overhead                      #####?####_____ ________________  1.914 M  0.38 %  -20.0 %  2026-06-29  2.3 %

Changes, the latest first

2026-06-29  System Call Overhead, 1 copy: -20.0 % (-20.2 % to -19.7 %), confirmed, 21 runs since
   differs: Kernel (6.18.44 #1 -> 6.19.1 #1)
   no change shown in 1 other series
   to accept it: ./Run history --accept REASON --at vm-2026-06-29-01

1 series: no change shown; three more runs would show steps of 2.3 % or more.

Series that begin anew:
   2026-04-20: 2 series begin anew: other programs (pipe and syscall).

vm, version 5.1.3: 6 runs, 2025-12-01 to 2026-01-05

Text reports: their local time is taken as UTC; their programs are unknown.

1 copy           Latest runs      Last       SD  Change  At   Sees
Pipe Throughput  -==-==       1.0020 M  0.089 %              2.6 %

No change was found.

vm, version 6.0.0: 6 runs, 2025-12-01 to 2026-01-05

Text reports: their local time is taken as UTC; their programs are unknown.

1 copy           Latest runs      Last       SD  Change  At   Sees
Pipe Throughput  -==-==       1.0020 M  0.089 %              2.6 %

No change was found.

Left out:
   1 result (another file of the same run).

END
};

subtest 'page' => sub {
    my $page = Place::content($TEST->place('year.html'));
    like($page, qr{<h1>.*UnixBench history of 3 hosts: 20[.]0\xc2\xa0% slower since 2026-06-29 [(]System .*</h1>}s,
        'the title');
    is_deeply(
        [$page =~ m{<p>([^<]+)</p>\s*<svg}g],
        ['System Call Overhead', ('Pipe Throughput') x 3],
        'a chart of each test, the one with the largest change first'
    );
    my ($chart) = $page =~ m{<p>System Call Overhead</p>\s*(<svg.*?</svg>)}s;
    my %points;
    $points{$_}++ for $chart =~ m{<circle class="([^"]+)"}g;
    is_deeply(\%points, { run => 50, 'run poor' => 1 }, 'a point for each run with a value');
    is_deeply(
        [$chart =~ m{<line class="event (\w+)"[^>]*><title>(2026-\d\d-\d\d)}g],
        [worse => '2026-06-29', other => '2026-04-20'],
        'lines at the change and at the update'
    );
    is(scalar(() = $chart =~ m{<line class="step"}g), 3, 'three levels');
};

subtest 'JSON' => sub {
    my $data = UnixBench::Base::JSON::decode(Place::content($TEST->place('year.json')));
    my ($host, @old) = @{ $data->{hosts} };
    my @runs = @{ $host->{runs} };
    is_deeply([$host->{host}, map { scalar @{ $_->{runs} } } $host, @old], ['vm', 52, 6, 6], 'the runs of each host');
    is_deeply([grep { !$runs[$_]{is_evidence} } 0 .. $#runs], [DISTURBED, FAILED], 'two runs do not count as evidence');
    my ($early) = map { s{.*/}{}r } $runs[SET_BACK - BACK + 1]{file};
    is($early, 'vm-2026-08-10-02.html', 'the clock decides about the order');
    my @weeks = grep { $_ != SET_BACK - BACK + 1 } 0 .. $#runs;
    my @late =
        grep { abs($runs[$_]{started} - started($_ + ($_ > SET_BACK - BACK && $_ <= SET_BACK ? -1 : 0))) > 600 } @weeks;
    is_deeply(\@late, [], 'time zones and daylight saving time do not matter');
    is_deeply($host->{begun}, [{ run => UPDATED, count => 2, is_other_cpu => 0, programs => [qw(pipe syscall)] }],
        'the update');
    my ($event, @others) = @{ $host->{events} };
    is_deeply(\@others, [], 'one event');
    is_deeply(
        [@$event{qw(run since is_confirmed is_worse accepted others)}],
        [SLOWER, 21, 1, 1, undef, 1],
        'at the run with the other kernel'
    );
    is_deeply(
        $event->{differs},
        [{ key => 'host.release', label => 'Kernel', first => '6.18.44 #1', second => '6.19.1 #1' }],
        'which differs'
    );
    my ($change, @further) = @{ $event->{changes} };
    is_deeply([@$change{qw(copies kind name is_confirmed)}, @further], [1, 'test', 'syscall', 1], 'and its change');
    cmp_ok(abs($change->{by} + 0.2), '<', 0.002, 'with its size');
    cmp_ok($change->{low},           '<', -0.2,  'in its interval');
    cmp_ok($change->{high},          '>', -0.2,  'on both sides');
    my %series = map { ("$_->{name} $_->{is_ended}" => $_) } @{ $host->{series} };
    my %values = map { $_ => scalar @{ $series{$_}{values} } } keys %series;
    is_deeply(
        \%values,
        { 'pipe 1' => 20, 'pipe 0' => 32, 'syscall 1' => 20, 'syscall 0' => 31 },
        'the values of each series'
    );
    my %segments = map {
        $_ => [map { @$_{qw(first last)} } @{ $series{$_}{segments} }]
    } keys %series;
    is_deeply(
        \%segments,
        { 'pipe 1' => [0, 19], 'pipe 0' => [20, 51], 'syscall 1' => [0, 19], 'syscall 0' => [20, 29, 30, 51] },
        'and its segments'
    );
};

done_testing;
