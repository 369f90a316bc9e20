# Tests of the history of hosts: UnixBench::History::Series. The changes themselves are those of
# features/changes/t/change-points.t.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Machines qw(facts_of spread_rates summary);
use UnixBench::History::Accepted;
use UnixBench::History::Explained;
use UnixBench::History::Series;
use UnixBench::History::Wording qw(outcome unused_text);
use UnixBench::Base::Time       qw(time_of_date);
use UnixBench::Report::Plain;
use UnixBench::Version;

use constant { WEEK => 7 * 86_400, START => 1_700_000_000, NOW => 1_900_000_000 };

my @NOISE = (1, 0.994, 1.006, 1.002, 0.997, 0.999, 1.005, 0.996, 1.003, 0.998);

my $runs = 0;

# Takes the number of a week, { what => value } and what differs from a usual result; returns the result.
sub result {
    my ($week, $values, %other) = @_;
    my %outline = (
        has_passes => 1,
        version    => '8.0.0',
        name       => 'vm',
        started    => START + $week * WEEK,
        cpu        => '2 x AMD EPYC',
        procedure  => 'official',
        programs   => { pipe => 'aa', spawn => 'bb' },
        %other,
        values => $values,
    );
    my $path = $other{path} // "week-$week.html";
    return { path => $path, outline => { %outline, identity => { run => ++$runs, name => 'vm', is_whole => 1 } } };
}

# Takes a number of weeks, the first week with other values, their factor for spawn, and what differs; returns results.
sub weeks {
    my ($count, $from, $factor, %other) = @_;
    return map {
        my $noise = $NOISE[$_ % @NOISE];
        result($_, { '1 test pipe' => 1000 * $noise, '1 test spawn' => 8000 / $noise * ($_ < $from ? 1 : $factor) },
            %other)
    } 0 .. $count - 1;
}

# Takes results; returns the history of their only host, and the notes.
sub history {
    my (@results) = @_;
    my $history = UnixBench::History::Series::of(\@results, now => NOW);
    is(scalar @{ $history->{hosts} }, 1, 'one host') or diag explain [map { $_->{label} } @{ $history->{hosts} }];
    return ($history->{hosts}[0], map { $_->{text} } @{ $history->{notes} });
}

# Takes a host; returns the names of its series, each with the number of its values.
sub series_of {
    my ($host) = @_;
    return [
        map {
            "$_->{copies} $_->{name} " . grep { defined }
                @{ $_->{values} }
        } @{ $host->{series} }
    ];
}

# Takes a number of weeks, the first week with more work, its factor, and the weeks without other load. Returns results
# whose rates say nothing in the other weeks.
sub loaded_weeks {
    my ($count, $from, $factor, @quiet) = @_;
    my %is_quiet = map { $_ => 1 } @quiet;
    return map {
        my $noise  = $NOISE[$_ % @NOISE];
        my %values = ('1 test pipe' => 1000 * $noise, '1 work pipe' => 2000 / $noise * ($_ < $from ? 1 : $factor));
        result($_, \%values,
            $is_quiet{$_}
            ? ()
            : (unused => 'poor', steady => { '1 test pipe' => undef }, slight => { '1 work pipe' => 1.04 }));
    } 0 .. $count - 1;
}

subtest 'work where other load leaves the rates out' => sub {
    my ($host)  = history(loaded_weeks(20, 12, 1.2));
    my ($event) = @{ $host->{events} };
    is(scalar @{ $host->{events} }, 1, 'a step of work is found');
    is_deeply([@$event{qw(run is_confirmed is_worse)}], [12, 1, 1], 'where it is, and it is worse');
    my $change = $event->{changes}[0];
    is_deeply([@{ $change->{series} }{qw(kind name)}], [qw(work pipe)], 'it is one of work');
    is(sprintf('%.2f', $change->{by}), '-0.17', 'by what follows for the rate');
    my %history = (hosts => [$host], notes => []);
    is(outcome(\%history), 'worse', 'the user has to know');
    my $said = UnixBench::Report::Plain::in_plain(UnixBench::History::Wording::headline(\%history));
    like($said, qr/\b(?:19|20)[.]\d % more work since 2024-\d\d-\d\d [(]Pipe Throughput, one copy[)]/, 'in words');
    ($host) = history(loaded_weeks(20, 20, 1));
    is(outcome({ hosts => [$host], notes => [] }), 'done', 'without a step, the runs can be used');
    ($host) = history(loaded_weeks(20, 12, 1.2, 0 .. 14));
    is_deeply(series_of($host), ['1 pipe 20'], 'where most rates can be used, work is not judged');
    ($host) = history(loaded_weeks(20, 9, 1.03, 0 .. 8));
    is_deeply([grep { $_->{is_worse} } @{ $host->{events} }], [], 'load may be the reason');
};

subtest 'series and events' => sub {
    my ($host, @notes) = history(reverse weeks(20, 12, 0.8));
    is_deeply(\@notes,          [],                          'no result is left out');
    is_deeply(series_of($host), ['1 pipe 20', '1 spawn 20'], 'each test has a series, in the order of time');
    my ($event, @others) = @{ $host->{events} };
    is_deeply(\@others,                                              [],                'there is one event');
    is_deeply([@$event{qw(run before since is_confirmed is_worse)}], [12, 11, 8, 1, 1], 'it is behind the change');
    my ($change) = @{ $event->{changes} };
    is($change->{series}{name}, 'spawn', 'it has the test that changed');
    cmp_ok(abs($change->{by} + 0.2), '<', 0.01, 'it has the size of the change');
    my @both = weeks(20, 12, 0.8);
    $_->{outline}{values}{'1 test pipe'} *= 0.9 for @both[13 .. 19];
    my ($host_of_both) = history(@both);
    is_deeply([map { scalar @{ $_->{changes} } } @{ $host_of_both->{events} }], [2], 'neighbouring runs are one event');
};

subtest 'values that other load has disturbed' => sub {
    my @results = weeks(20, 12, 0.8);
    $_->{outline}{steady}{'1 test spawn'} = undef for @results[12 .. 19];
    my ($host) = history(@results);
    is_deeply($host->{events},       [],           'too few passes without it do not show a change');
    is_deeply(series_of($host)->[1], '1 spawn 20', 'but the values are shown');
    $_->{outline}{steady}{'1 test spawn'} = $_->{outline}{values}{'1 test spawn'} / 0.8 for @results[12 .. 19];
    is_deeply((history(@results))[0]{events}, [], 'enough of them decide');
    $_->{outline}{steady}{'1 test spawn'} = $_->{outline}{values}{'1 test spawn'} for @results[12 .. 19];
    is((history(@results))[0]{events}[0]{run}, 12, 'also that there is a change');

    my @placed = weeks(20, 12, 0.8);
    $placed[$_]{outline}{places}{'1 test spawn'} =
        { place => $_ < 12 ? 'other cores' : 'same core', without_place => $_ < 12 ? 0.8 : 1 }
        for 0 .. 19;
    is_deeply((history(@placed))[0]{events}, [], 'another place of context1 makes no event');
    for my $case ([0.93, 1], [0.8, 0]) {
        my ($factor, $is_of_load) = @$case;
        my @slight = weeks(20, 12, $factor);
        $_->{outline}{slight}{'1 test spawn'} = 1.09 for @slight[12 .. 19];
        my ($event) = @{ (history(@slight))[0]{events} };
        is($event->{is_worse}, 1 - $is_of_load, "slight load that may lower values by 9 %, a change to $factor");
        is($event->{changes}[0]{is_of_load}, $is_of_load, 'the reason');
    }
};

subtest 'runs that are not evidence' => sub {
    my @results = weeks(20, 12, 0.8);
    $_->{outline}{unused} = 'poor' for @results[12 .. 14];
    my ($host) = history(@results);
    is($host->{events}[0]{run},    15, 'a poor run is not the first one behind a change');
    is($host->{events}[0]{before}, 11, 'nor the last one before it');
    is_deeply(series_of($host)->[0], '1 pipe 20', 'its values are shown');
    delete $results[5]{outline}{values}{'1 test pipe'};
    is_deeply(series_of((history(@results))[0])->[0], '1 pipe 19', 'a test that failed is a gap');
};

subtest 'other programs' => sub {
    my ($host) = history(
        weeks(10, 99, 1),
        map {
            my $result = $_;
            $result->{outline}{started} += 10 * WEEK;
            $result->{outline}{values}{'1 test spawn'} *= 0.5;
            $result->{path} = "later-$result->{path}";
            $result
        } weeks(10, 99, 1, programs => { pipe => 'aa', spawn => 'cc' })
    );
    is_deeply(series_of($host), ['1 pipe 20', '1 spawn 10', '1 spawn 10'], 'begin another series of their test');
    is_deeply([map { $_->{is_ended} } @{ $host->{series} }], [0, 1, 0],    'the earlier one has ended');
    is_deeply($host->{events},                               [], 'are not a change');
};

subtest 'what is left out' => sub {
    my @results = weeks(8, 99, 1);
    my (undef, @twice) = history(@results, { %{ $results[3] }, path => 'copy.html' });
    is_deeply(\@twice, ['Left out: week-3.html is another file of the run in copy.html.'], 'a second file of a run');
    my (undef, @quick) = history(@results, result(9, { '1 test pipe' => 900 }, procedure => 'quick'));
    is_deeply(\@quick, ['vm, quick: left out: 1 result (too few that were measured in this way).'], 'a procedure');
    my (undef, @nameless) = history(@results, result(9, { '1 test pipe' => 900 }, name => undef));
    like($nameless[0], qr/[(]no name of a host[)]/, 'a result without a host among others');
    my ($host, @all) = history(weeks(8, 99, 1, name => undef));
    like($all[0], qr/taken as those of one host/, 'results without a host are one host');
    is(scalar @{ $host->{runs} }, 8, 'if there are no others');
};

subtest 'each procedure has its own series' => sub {
    my @official = weeks(18, 10, 0.8);
    my @quick    = map { $_->{path} = "quick-$_->{path}"; $_->{outline}{started} += 18 * WEEK; $_ }
        weeks(19, 99, 1, procedure => 'quick');
    my $history = UnixBench::History::Series::of([@quick, @official], now => NOW);
    my $wanted  = [['vm', 18, 1], ['vm, quick', 19, 0]];
    is_deeply([map { [$_->{label}, scalar @{ $_->{runs} }, scalar @{ $_->{events} }] } @{ $history->{hosts} }],
        $wanted, 'a loss stays');
    my %users  = (procedure => join "\n", 'official', 1, 1, 'given',  'official', '{"users":[1,2]}', q{});
    my %turns  = (procedure => join "\n", 'quick', 0.5, 2, 'virtual', 'edited', q{}, '{"commands":["nice"],"state":1}');
    my @others = UnixBench::History::Series::of([weeks(4, 9, 1, %users), weeks(4, 9, 1, %turns)], now => NOW);
    my $labels = ['vm, quick, with other settings, under nice', 'vm, with other settings'];
    is_deeply([map { $_->{label} } @{ $others[0]{hosts} }], $labels, 'procedures in words');
};

subtest 'rows of runs that are not evidence' => sub {
    my @results = weeks(30, 99, 1);
    $_->{outline}{unused} = 'poor' for @results[20 .. 29];
    my ($host) = history(@results);
    my $since = 'no run since 2024-04-02 can be used: trust is poor in 10 of 10 (other load)';
    is(unused_text($host),                         $since,         'that are the latest ones');
    is(outcome({ hosts => [$host], notes => [] }), 'inconclusive', 'make a history inconclusive');
    $_ = { %$_, outline => { %{ $_->{outline} }, unused => undef } } for @results[22 .. 27];
    is(unused_text((history(@results))[0]), undef, 'not two of them, nor earlier ones');
    my @all = weeks(10, 99, 1, unused => 'poor');
    $all[3]{outline}{unused} = 'incomplete';
    my ($none) = history(@all);
    my $nothing = 'no run can be used: trust is poor in 9 of 10 (other load), incomplete in 1 of 10';
    is(unused_text($none), $nothing, 'there may be no evidence at all');
    is(unused_text($none, $host) =~ s/:.*//r, 'no run on vm since 2024-04-02 can be used', 'one of two hosts');
    is(unused_text($none, (history(weeks(9, 99, 1)))[0]), undef, 'one that never had evidence says nothing of others');
};

subtest 'slow changes' => sub {
    my @results = weeks(40, 99, 1);
    $results[$_]{outline}{values}{'1 test spawn'} *= 1 - 0.003 * $_ for 0 .. $#results;
    my ($host)  = history(@results);
    my ($event) = @{ $host->{events} };
    is_deeply([@$event{qw(kind run is_confirmed is_worse)}], ['drift', 0, 1, 1], 'are an event');
    my ($accepted) = map { +{ %$_, reason => 'dust' } } UnixBench::History::Accepted::of_event($host, $event);
    is($accepted->{series}, 'drift of 1 test spawn', 'which can be accepted');
    is_deeply(left_open($host,                  $accepted),                   [],           'as it is');
    is_deeply(left_open((history(@results))[0], { %$accepted, by => -0.05 }), ['0: spawn'], 'until it has gone on');
};

# Takes [values]; returns the events of a history of weekly runs with one series that has them: kind, run, is_worse.
sub events_of {
    my (@values) = @_;
    my ($host)   = history(map { result($_, { '1 test pipe' => $values[$_] }) } 0 .. $#values);
    return [map { join q{ }, @$_{qw(kind run is_worse)} } reverse @{ $host->{events} }];
}

subtest 'losses that were over, or come back' => sub {
    my @usual = (1000, 1003, 998, 1001, 1004);
    my @month = (@usual, 997, 1002, 1000, 999, 1001, 801, 799, 802, 800, 1000, 1001, 999, 1003);
    is_deeply(events_of(@month),            ['step 10 1', 'step 14 0'], 'a month at -20 %');
    is_deeply(events_of((@usual, 700) x 4), [],                         'single runs at -30 % do not make a change');
    my ($host) = history(map { result($_, { '1 test pipe' => ((@usual, 700) x 4)[$_] }) } 0 .. 23);
    my $first =
        UnixBench::Report::Plain::in_plain(UnixBench::History::Wording::verdict({ hosts => [$host], notes => [] }));
    is($first, 'no confirmed change for the worse; 4 of 24 runs are slow (Pipe Throughput)', 'but they are said');
};

subtest 'a clock that was some days late' => sub {
    my %early   = (version => $UnixBench::Version::VERSION, programs => { spawn => 'bb' });
    my $release = time_of_date("$UnixBench::Version::DATE 00:00:00");
    my @results = weeks(20, 12, 0.8, %early);
    $results[$_]{outline}{started} = $release + 3600 * $_ + ($_ < 12 ? 3 : -17) * 86_400 for 0 .. 19;
    my ($host) = (history(@results))[0];
    is_deeply([map { @$_{qw(run is_worse)} } @{ $host->{events} }], [12, 1], 'the numbers tell where its runs belong');
    $_->{path} = "$_->{outline}{started}-1.html" for @results;
    ($host) = history(@results);
    is_deeply([map { @$_{qw(run is_confirmed is_doubtful)} } @{ $host->{events} }], [8, 0, 1], 'or it is doubtful');
    is(outcome({ hosts => [$host], notes => [] }), 'inconclusive', 'which is said');
    $_->{outline}{follows} = $results[11]{outline}{started} for @results[12 .. 19];
    is_deeply([map { @$_{qw(run is_worse)} } @{ (history(@results))[0]{events} }], [12, 1], 'or they know it');
};

subtest 'wrong clocks' => sub {
    my @results = weeks(20, 12, 0.8);
    $results[$_]{outline}{started} = 400 + $_ for 12 .. 14, 16;
    $results[15]{outline}{started} = NOW + WEEK;
    my ($host, @notes) = history(@results);
    is_deeply([map { $_->{path} } @{ $host->{runs} }], [map { "week-$_.html" } 0 .. 19], 'the names tell the order');
    is_deeply([map { @$_{qw(run is_worse)} } @{ $host->{events} }], [12, 1],             'so a loss is a loss');
    like($notes[0], qr/\Avm: the clock was wrong in 5 of 20 results .* the numbers in their names/, 'and it is said');
};

# Takes a history and accepted changes; returns the events that they leave open, each as "run: names".
sub left_open {
    my ($host, @accepted) = @_;
    UnixBench::History::Accepted::mark({ hosts => [$host] }, @accepted);
    my @open = grep { $_->{is_worse} && !defined $_->{accepted} } @{ $host->{events} };
    return [
        map {
            my $event = $_;
            "$_->{run}: " . join q{ }, map { $_->{series}{name} } @{ $event->{changes} }
        } @open
    ];
}

# Takes the number of weeks and factors of pipe from week 13 on; returns the host whose spawn falls at week 12.
sub host_with {
    my ($count, $factor) = @_;
    my @results = weeks($count, 12, 0.8);
    $_->{outline}{values}{'1 test pipe'} *= $factor for @results[13 .. $#results];
    my ($host) = history(@results);
    return $host;
}

subtest 'an acceptance names its series' => sub {
    my $early    = host_with(15, 0.8);
    my @accepted = UnixBench::History::Accepted::of_event($early, $early->{events}[0]);
    my $spawn    = [START + 12 * WEEK . ' vm 1 test spawn'];
    is_deeply([map { join q{ }, @$_{qw(started host series)} } @accepted], $spawn, 'that is confirmed');
    $_->{reason} = 'wanted' for @accepted;
    is_deeply(left_open($early, @accepted), [], 'it is accepted');
    is($early->{events}[0]{accepted}, 'wanted', 'with its reason');
    is_deeply(left_open(host_with(24, 1), @accepted), [], 'also after more runs');
    my $later = host_with(24, 0.8);
    is_deeply(left_open($later, @accepted), ['12: spawn pipe'], 'but not a series that was not visible then');
    my @both = map { UnixBench::History::Accepted::of_event($later, $_) } @{ $later->{events} };
    is_deeply([map { $_->{series} } @both], ['1 test pipe'], 'that one is accepted alone');
    my ($of_spawn) = @accepted;

    for my $other ({ series => '2 test spawn' }, { host => 'other' }, { started => START }, { by => 0.2 },
        { by => -0.05 })
    {
        my $what = join q{ }, %$other;
        is_deeply(left_open(host_with(24, 1), { %$of_spawn, %$other }), ['12: spawn'], "of another change: $what");
    }
};

# Takes what the copies of spawn used, and facts; returns the summary of a result.
sub summary_of {
    my ($work, %facts) = @_;
    my $summary = summary(runs => { 1 => { spawn => spread_rates(1000, 0.001) } }, facts_of(CPU => '2 x EPYC', %facts));
    my %usual = (cpu => 1, cpu_s => 100, user => 0.5, clock_mhz => 3000, waited => 0, errors => undef, per_loop => {});
    $summary->{runs}[0]{tests}[0]{work} = $work && { %usual, %$work };
    return $summary;
}

# Takes what spawn used before and after its change; returns the explained event.
sub explained {
    my ($before, $after) = @_;
    my ($host)    = history(weeks(20, 12, 0.5));
    my ($event)   = @{ $host->{events} };
    my @summaries = (summary_of($before, Kernel => '6.12'), summary_of($after, Kernel => '6.18'));
    my @read;
    UnixBench::History::Explained::explain(
        $host, $event,
        sub {
            my ($run) = @_;
            push @read, $run->{path};
            return $summaries[$run->{path} =~ /week-1[2-9]/ ? 1 : 0];
        }
    );
    return ($event, @read);
}

subtest 'what may be the cause' => sub {
    my ($event, @read) = explained({ rate => 1000 }, { rate => 500, cpu => 0.5 });
    is_deeply(\@read, [map { "week-$_.html" } 11, 10, 9, 12, 13, 14], 'three runs on each side are read');
    my $kernel = [{ key => 'host.release', label => 'Kernel', first => '6.12', second => '6.18' }];
    is_deeply($event->{differs}, $kernel, 'the facts that differ at the change');
    is($event->{changes}[0]{why}{largest}, 'cpu', 'and the factor');
    ($event) = explained({ rate => 1000 }, { rate => 1000, cpu => 0.99 });
    is($event->{changes}[0]{why}, undef, 'a factor that makes up less than half of the change is not named');
    ($event) = explained();
    is($event->{changes}[0]{why}, undef, 'nothing is named without these numbers');
};

done_testing;
