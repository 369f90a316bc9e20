use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Planned qw(make planned);
use UnixBench::Catalog;
use UnixBench::Plan::Plan;

sub command { return [@{ planned(@_)->{command} }] }

subtest 'the command of a test is filled in' => sub {
    is_deeply(command('pipe'), ['/b in/pipe', 10], 'a program has its seconds');
    is_deeply(
        command('whetstone-double'),
        ['/b in/whetstone-double'],
        'whetstone-double of the official length has no seconds'
    );
    is_deeply(
        command('fsdisk-r'),
        ['/b in/fstime', qw(-r -t 30 -d /t -b 4096 -m 8000)],
        'a file test has its directory'
    );
    is_deeply(command('shell8'), ['/b in/looper', 60, '/b in/multi.sh', 8], 'a path with a blank stays one word');
    is_deeply(command('C'), ['/b in/looper', qw(60 gcc -o {scratch}/cctest cctest.c)], '{scratch} is left to the copy');
    is(planned('dc')->{input}, 'dc.dat', 'a test has its input');
    my $braces = make(tests => ['shell1'], words => { bindir => '/{seconds}', tmpdir => '/t' })->{tests}[0]{command};
    is_deeply(
        $braces,
        ['/{seconds}/looper', 60, '/{seconds}/multi.sh', 1],
        'braces in the name of a directory are not filled in'
    );
};

subtest 'UB_TIME_FACTOR shortens passes' => sub {
    is_deeply(command('pipe', factor => 0.001),    ['/b in/pipe', '0.01'], 'the seconds are shortened');
    is_deeply(command('pipe', factor => 0.000001), ['/b in/pipe', '0.01'], 'the seconds are never too few to measure');
    is_deeply(
        command('whetstone-double', factor => 0.5),
        ['/b in/whetstone-double', qw(-t 5)],
        'whetstone-double has its seconds'
    );
    is_deeply(
        command('fstime', factor => 0.01),
        ['/b in/fstime', qw(-c -t 0.3 -d /t -b 1024 -m 2000 -p 0.02 -s 0.01)],
        'file tests prime and settle for a shorter time'
    );
    is_deeply(make(factor => 0.01)->{settle_s}, [0.01, 0.02], 'pauses are shortened');
    is_deeply(make()->{settle_s},               [1,    2],    'official pauses');
};

subtest 'a quick run has short passes' => sub {
    my %quick = (quick => { seed => 1, precision => 0.02, max_time_s => 60 });
    is_deeply(
        command('shell8', %quick),
        ['/b in/looper', '-w', '0.6', '/b in/multi.sh', 8],
        'shell tests run whole loops'
    );
    is_deeply(
        command('fstime', %quick),
        ['/b in/fstime', qw(-c -t 0.3 -d /t -b 1024 -m 2000 -p 0.1 -s 0)],
        'file tests do not settle'
    );
    is_deeply(command('2d-text', %quick), ['/b in/gfx-x11', qw(text 1 1)], 'a graphics test runs once');
    is(planned('pipe', %quick)->{passes_wanted}, undef, 'the number of passes is open');
    my $plan = make(%quick, copies => [1, 2]);
    is($plan->{duration_s}, 120, 'the duration is the maximum time of two runs');
    is_deeply([@$plan{qw(settle_s rest_s)}], [[], 1], 'there is a rest before a run, and no pause before a short pass');
};

subtest 'tests have passes and a time limit' => sub {
    is(planned('pipe')->{passes_wanted},                   10, 'pipe has 10 passes');
    is(planned('spawn')->{passes_wanted},                  3,  'spawn has 3 passes');
    is(planned('pipe', iterations => 1)->{passes_wanted},  1,  '-i 1: pipe has 1 pass');
    is(planned('spawn', iterations => 8)->{passes_wanted}, 3,  '-i 8: spawn has 3 passes');
    is(planned('pipe')->{limit_s},                         75, 'the limit is 1.5 times the duration plus 60 s');
    is(planned('shell1')->{limit_s},               150, 'the limit of a longer pass is computed in the same way');
    is(planned('pipe', timeout_s => 7)->{limit_s}, 7,   '--timeout sets the limit');
};

subtest 'usual_copies returns the numbers of copies if none are asked for' => sub {
    my $copies = sub { return [UnixBench::Plan::Plan::usual_copies(@_)] };
    is_deeply($copies->(4, 'pipe'),              [1, 4], 'one copy, and one for each CPU');
    is_deeply($copies->(1, 'pipe'),              [1],    'one copy on one CPU');
    is_deeply($copies->(4, qw(ubgears 2d-text)), [1],    'one copy for graphics tests alone');
    is_deeply($copies->(4, qw(ubgears pipe 2d-text)),
        [1, 4], 'both numbers if one of the tests can run as several copies');
};

subtest "a test that can't be run is skipped" => sub {
    my $gears = planned('ubgears');
    is(UnixBench::Plan::Plan::skipped($gears, 1), undef, 'a graphics test runs as one copy');
    is(
        UnixBench::Plan::Plan::skipped($gears, 2),
        'skipped: graphics tests run as one copy',
        'a graphics test is skipped for two copies'
    );
    is(UnixBench::Plan::Plan::skipped(planned('pipe'), 1024), undef, 'other tests run as any number of copies');
    my @asked;
    my $absent = planned('ubgears', is_there => sub { push @asked, @_; 0 });
    is(
        UnixBench::Plan::Plan::skipped($absent, 1),
        'skipped: there is no program ubgears; install the graphics package, or build it: ./Run --setup ubgears',
        'a program that was not built is missing'
    );
    is_deeply(\@asked, ['/b in/ubgears'], 'the program is looked for in its directory');
    my $no_tool = planned('2d-text', is_there => sub { $_[0] ne 'x11perf' });
    is(
        UnixBench::Plan::Plan::skipped($no_tool, 1),
        'skipped: there is no program x11perf; install it',
        'x11perf is missing'
    );
    my $no_display = planned('2d-text', display => undef);
    like(
        UnixBench::Plan::Plan::skipped($no_display, 1),
        qr/\Askipped: no X display; set DISPLAY/,
        'a display is missing'
    );
    is(UnixBench::Plan::Plan::skipped(planned('pipe', display => undef), 1), undef, 'other tests need no display');
    my $missing = planned('pipe', is_there => sub { 0 });
    is(UnixBench::Plan::Plan::skipped($missing, 1), undef, 'a required program that is missing does not skip its test');
};

subtest 'a plan has the display that it needs' => sub {
    is(make(tests => [qw(pipe ubgears)])->{display},                'given',   'a given display is used');
    is(make(tests => ['2d-text'], display => 'virtual')->{display}, 'virtual', 'a virtual display is used');
    is(make(tests => ['pipe'])->{display}, undef, 'no display is needed without graphics tests');
    is(make(tests => ['ubgears'], copies => [2])->{display},
        undef, 'no display is needed if all graphics tests are skipped');
    is(make(tests => ['ubgears'], copies => [2, 1])->{display},
        'given', 'a display is needed if a run has graphics tests');
    is(make(tests => ['ubgears'], is_there => sub { 0 })->{display}, undef,
        'no display is needed without the programs');
};

subtest 'a plan has its duration' => sub {
    my @index   = UnixBench::Catalog::expand('index');
    my $index_s = make(tests => \@index)->{duration_s};
    cmp_ok($index_s, '>=', 27 * 60, 'the index takes at least 27 minutes') or diag $index_s;
    cmp_ok($index_s, '<=', 29 * 60, 'the index takes at most 29 minutes')  or diag $index_s;
    is(make(tests => \@index,     copies => [1, 4])->{duration_s}, 2 * $index_s, 'two runs take twice as long');
    is(make(tests => ['ubgears'], copies => [2])->{duration_s},    0,            'tests that are skipped take no time');
    cmp_ok(make(tests => \@index, factor => 0.001)->{duration_s}, '<', 20, 'shortened passes take seconds');
    is(UnixBench::Plan::Plan::extra_s(make()), 0, 'without extra passes, these take no time');
};

subtest 'a plan of several states has a lane for each test in each state' => sub {
    my %quick = (quick => { seed => 1, precision => 0.01, max_time_s => 60 });
    my @under = map { { command => $_, words => [$_] } } qw(env nice);
    my $plan  = make(%quick, tests => [qw(pipe spawn)], states => \@under);
    my @lanes = UnixBench::Plan::Plan::lanes($plan);
    is_deeply(
        [map { "$_->{name} $_->{state}" } @lanes],
        ['pipe 0', 'pipe 1', 'pipe 2', 'spawn 0', 'spawn 1', 'spawn 2'],
        'states follow each other'
    );
    my %lane = map { $_->{lane} => 1 } @lanes;
    is(keys %lane,      6,      'lanes have different names');
    is($lanes[0]{lane}, 'pipe', 'that of the plain machine is the name of the test');
    is_deeply(
        [map { @{ $_->{asked} }{qw(of is_alone)} } @lanes[0, 1]],
        ['elapsed_s', 1, 'time_s', 0],
        'under a command, the seconds are those that the copy reports'
    );
    my $round_s = UnixBench::Plan::Plan::round_s($plan, 1);
    cmp_ok(abs($round_s - 6 * 0.32), '<', 1e-9, 'a round has all lanes');
    my $warm_up_s = UnixBench::Plan::Plan::warm_up_s($plan, 1);
    cmp_ok(abs($warm_up_s - 6 * 0.12), '<', 1e-9, 'and so has the warm-up');
    is_deeply([map { $_->{state} } UnixBench::Plan::Plan::lanes(make())],
        [0], 'a plan without states has one lane each');
    is_deeply(
        [map { { words => $_->{words} } } @{ $plan->{states} }],
        [{ words => [] }, { words => ['env'] }, { words => ['nice'] }],
        'the states have their words'
    );
    my @rounds = map { make(%quick, states => [({}) x $_]) } 0 .. 5;
    is_deeply([map { UnixBench::Plan::Plan::rounds_least($_) } @rounds],   [3, 4, 6, 4, 10, 6], 'the least rounds');
    is_deeply([map { UnixBench::Plan::Plan::rounds_allowed($_) } @rounds], [8, 8, 8, 8, 10, 8], 'the allowed rounds');
    my $text = UnixBench::Plan::Plan::describe($plan);
    like(
        $text,
        qr/\AEach test in turns .*:\n  A  the plain machine\n  B  under env\n  C  under nice\nUnder a command /,
        'the description begins with the states'
    );
    like($text, qr/, rounds of 1[.]9 s until each ratio is \+-1 %, at most 60 s$/m, 'and has the goal');
    unlike(UnixBench::Plan::Plan::describe(make(%quick)), qr/in turns/, 'one state is not described');
};

subtest 'describe prints a plan' => sub {
    my $text = UnixBench::Plan::Plan::describe(make(tests => [qw(pipe ubgears)], copies => [1, 2]));
    like($text, qr/^1 parallel copy of tests, /m,                            'the heading for one copy');
    like($text, qr/^2 parallel copies of tests, /m,                          'the heading for two copies');
    like($text, qr/^  pipe +Pipe Throughput +10 x 10 s$/m,                   'a test has its passes and seconds');
    like($text, qr/^  ubgears .* skipped: graphics tests run as one copy$/m, 'a test that is skipped has its reason');
    like($text, qr/^In all about [0-9]+ min\n\z/m,                           'the whole time is printed');
};

done_testing();
