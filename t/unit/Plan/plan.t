use strict;
use warnings;

use Test::More;

use UnixBench::Catalog;
use UnixBench::Plan::Plan;
use UnixBench::Plan::UserLoad;

sub make {
    my %wish = @_;
    return UnixBench::Plan::Plan::make(
        tests    => ['pipe'],
        copies   => [1],
        factor   => 1,
        words    => { bindir => '/b in', tmpdir => '/t' },
        is_there => sub { 1 },
        display  => 'given',
        %wish
    );
}

sub planned { return make(tests => [shift], @_)->{tests}[0] }

sub command { return [@{ planned(@_)->{command} }] }

subtest 'commands' => sub {
    is_deeply(command('pipe'),             ['/b in/pipe', 10],         'a program and its seconds');
    is_deeply(command('whetstone-double'), ['/b in/whetstone-double'], 'no seconds of the official length');
    is_deeply(command('fsdisk-r'),         ['/b in/fstime', qw(-r -t 30 -d /t -b 4096 -m 8000)], 'a directory');
    is_deeply(command('shell8'), ['/b in/looper', 60, '/b in/multi.sh', 8], 'a path with a blank stays one word');
    is_deeply(command('C'), ['/b in/looper', qw(60 gcc -o {scratch}/cctest cctest.c)], 'scratch is left to the copy');
    is(planned('dc')->{input}, 'dc.dat', 'input');
    my $braces = make(tests => ['shell1'], words => { bindir => '/{seconds}', tmpdir => '/t' })->{tests}[0]{command};
    is_deeply($braces, ['/{seconds}/looper', 60, '/{seconds}/multi.sh', 1], 'a directory is not filled in');
};

subtest 'shorter passes' => sub {
    is_deeply(command('pipe', factor => 0.001),    ['/b in/pipe', '0.01'], 'seconds');
    is_deeply(command('pipe', factor => 0.000001), ['/b in/pipe', '0.01'], 'never so few that nothing is measured');
    is_deeply(command('whetstone-double', factor => 0.5), ['/b in/whetstone-double', qw(-t 5)],
        'seconds that it takes');
    is_deeply(
        command('fstime', factor => 0.01),
        ['/b in/fstime', qw(-c -t 0.3 -d /t -b 1024 -m 2000 -p 0.02 -s 0.01)],
        'file tests prime and settle shorter'
    );
    is_deeply(make(factor => 0.01)->{settle_s}, [0.01, 0.02], 'pauses');
    is_deeply(make()->{settle_s},               [1,    2],    'official pauses');
};

subtest 'a quick run' => sub {
    my %quick = (quick => { seed => 1, precision => 0.01, max_time_s => 120 });
    is_deeply(command('shell8', %quick), ['/b in/looper', '-w', 2, '/b in/multi.sh', 8], 'whole loops');
    is_deeply(command('fstime',  %quick), ['/b in/fstime', qw(-c -t 1 -d /t -b 1024 -m 2000 -p 0.3 -s 0)], 'no pauses');
    is_deeply(command('2d-text', %quick), ['/b in/gfx-x11', qw(text 1 1)],                                 'once');
    my $whetstone = planned('whetstone-double', %quick);
    my $fixed     = UnixBench::Plan::Plan::calibrated($whetstone, { count => 20_000, copies => [1, 2] });
    is_deeply($fixed->{command}, ['/b in/whetstone-double', '-n', 1000], 'work that fits, of one copy');
    is(UnixBench::Plan::Plan::calibrated($fixed, { count => 1, copies => [1] }), $fixed, 'found out once');
    is(planned('pipe', %quick)->{passes_wanted},                                 undef,  'as many passes as it takes');
    my $plan = make(%quick, copies => [1, 2]);
    is($plan->{duration_s}, 240, 'at most');
    is_deeply([@$plan{qw(settle_s rest_s)}], [[], 1], 'a rest before a run, nothing before a slice');
    is(UnixBench::Plan::Plan::limit(120),  '2 min',  'a limit');
    is(UnixBench::Plan::Plan::limit(150),  '150 s',  'that would be rounded');
    is(UnixBench::Plan::Plan::limit(90.5), '90.5 s', 'at all');
};

subtest 'passes and limits' => sub {
    is(planned('pipe')->{passes_wanted},                                  10,  'long');
    is(planned('spawn')->{passes_wanted},                                 3,   'short');
    is(planned('pipe', iterations => 1)->{passes_wanted},                 1,   '-i 1: long');
    is(planned('spawn', iterations => 8)->{passes_wanted},                3,   '-i 8: short');
    is(planned('pipe')->{limit_s},                                        75,  'limit: seconds, half of them, 60');
    is(planned('shell1')->{limit_s},                                      150, 'the same for a long one');
    is(planned('pipe', timeout_s => 7)->{limit_s},                        7,   '--timeout instead');
    is(planned('interactive-capacity')->{passes_wanted},                  1,   'interactive: once');
    is(planned('interactive-capacity', iterations => 5)->{passes_wanted}, 5,   '-i 5: as often as that');
    is(planned('interactive-response')->{limit_s},                        600, 'and its own limit');
};

subtest 'interactive tests' => sub {
    my %quick = (quick => { seed => 1, precision => 0.01, max_time_s => 120 });
    is_deeply(
        command('interactive-capacity'),
        ['/b in/interbench', qw(--capacity --protocol -c -t 3 --warmup 1)],
        'the capacity'
    );
    is_deeply(
        command('interactive-response'),
        ['/b in/interbench', qw(--mix --fixed --max-disk 256M --protocol -c -t 5 --warmup 1)],
        'the response'
    );
    my @of_factor = @{ command('interactive-response', factor => 0.01) };
    is_deeply([@of_factor[-3 .. -1]], [qw(0.05 --warmup 0.01)], 'shortened, however little is left');
    my @of_quick = @{ command('interactive-response', %quick) };
    is_deeply([@of_quick[-3 .. -1]], [qw(2 --warmup 0.3)], 'quick: twice as long as a p99 takes');
    cmp_ok(planned("interactive-$_", %quick)->{pass_s}, '<', 30, "$_: quick slices fit into the time of a quick run")
        for qw(capacity response);
    cmp_ok(make(tests => [UnixBench::Catalog::expand('interactive')])->{duration_s}, '<=', 120, 'two minutes in all');
};

# The load of twenty users, with forty lines to play on two CPUs, but for what is asked for.
sub load {
    my ($options, %with) = @_;
    my $script = { path => '/s/{users}', lines => 40, extract_lines => 40, sha256 => 'a' x 64 };
    return UnixBench::Plan::UserLoad::of($options, script => $script, cpu_count => 2, %with);
}

subtest 'a load of users' => sub {
    is_deeply(
        command('multiuser', load => load({})),
        ['/b in/multiuser', qw(--users 20 --think 2-15 --scale 0.02 --script /s/{users} --home {scratch})],
        'as it is asked for'
    );
    is_deeply(command('multiuser')->[8], 'testdir/multiuser.script', 'the usual script where nothing is known');
    my @most = @{ command('multiuser', load => load({ find_capacity => 1, limit => 3 })) };
    is_deeply([@most[1 .. 5]], [qw(--find-capacity --limit 3 --think 2-15)], 'the most of them');
    my ($usual, $searched) = map { planned('multiuser', load => load($_)) } {}, { find_capacity => 1 };
    is_deeply([map { $_->{passes_wanted} } $usual, $searched], [1,                   5],                     'passes');
    is_deeply([map { $_->{title} } $usual,         $searched], ['Multi-User Script', 'Multi-User Capacity'], 'title');
    is_deeply([map { $_->{pass_s} } $usual,        $searched], [10,                  88],  'how long they last, about');
    is_deeply([map { $_->{seconds} } $usual,       $searched], [10,                  88],  'and nothing else beside');
    is_deeply([map { $_->{limit_s} } $usual,       $searched], [630,                 864], 'and at most');
    is(planned('multiuser', load => load({}), timeout_s => 5)->{limit_s}, 5,  'or --timeout');
    is(planned('multiuser')->{pass_s},                                    60, 'about a minute where nothing is known');
    is_deeply($usual->{needs}, UnixBench::Plan::UserLoad::needs(load({})), 'what it needs');
    is(planned('multiuser', factor => 0.01, load => load({}, factor => 0.01))->{pass_s},
        3.3, 'only the pauses are shortened');
    is(planned('pipe', load => load({}))->{load}, undef, 'other tests have none');
};

subtest 'a load of users is skipped' => sub {
    my $skipped = sub { return UnixBench::Plan::Plan::skipped(planned('multiuser', load => load({}), @_), 1) };
    is($skipped->(),                      undef,                                    'not here');
    is($skipped->(is_there => sub { 0 }), 'skipped: there is no program multiuser', 'without its program');
    my $unread = load({}, script => { path => '/s', why_not => q{can't read /s: Is a directory} });
    is($skipped->(load => $unread), q{skipped: can't read /s: Is a directory}, 'without a script');
    is($skipped->(load => $unread, is_there => sub { 0 }), 'skipped: there is no program multiuser', 'one reason');
    is(
        UnixBench::Plan::Plan::skipped(planned('multiuser'), 2),
        'skipped: multi-user tests run as one copy',
        'as two copies'
    );
};

subtest 'observed' => sub {
    my $observed = sub { return planned(shift, observe => 1, @_)->{observed} };
    my $pipe     = planned('pipe', observe => 1);
    is_deeply([@$pipe{qw(command passes_wanted)}], [['/b in/pipe', 10], 10], 'the passes are what they are');
    ok(exists $pipe->{unobserved} && !defined $pipe->{unobserved}, 'nothing keeps it from that');
    my $slice = $pipe->{observed};
    is_deeply([sort keys %$slice], [sort 'first', grep { !/observed/ } keys %$pipe], 'it is a test as others are');
    is_deeply(
        [@$slice{qw(name title command seconds pass_s limit_s first)}],
        ['pipe', 'Pipe Throughput', ['/b in/pipe', 1], 1, 1, 61.5, undef],
        'a slice of a second'
    );
    is_deeply($observed->('spawn')->{command}, ['/b in/spawn', 1], 'of short tests, too');
    is_deeply($observed->('shell8')->{command}, ['/b in/looper', qw(-w 2), '/b in/multi.sh', 8], 'whole loops');
    is_deeply($observed->('whetstone-double')->{command}, ['/b in/whetstone-double', qw(-t 1)],
        'nothing is calibrated');
    is($observed->('whetstone-double', quick => { max_time_s => 60 })->{fixed_work}, undef, 'nor in a quick run');
    is_deeply(
        $observed->('pipe', factor => 0.1, timeout_s => 3),
        {
            %$slice,
            command => ['/b in/pipe', '0.1'],
            seconds => 0.1,
            pass_s  => 0.1,
            limit_s => 3
        },
        'its time is shortened, and limited, as that of passes'
    );
    is(planned('multiuser', observe => 1)->{observed},   undef,                    'users have no slice');
    is(planned('multiuser', observe => 1)->{unobserved}, 'it has no short passes', 'and that is the reason');
    my @without = grep { !$observed->($_) } map { $_->{name} } UnixBench::Catalog::tests();
    is("@without", 'multiuser', 'all others have one');
    ok(!exists planned('pipe')->{observed}, 'nothing of it where nobody asks');
    is_deeply([map { make(@$_)->{is_observed} } [observe => 1], []], [1, 0], 'which the plan says');
};

subtest 'files that are observed' => sub {
    my @sizes = ([fstime => 1024, 2000], [fsbuffer => 256, 500], [fsdisk => 4096, 8000]);
    for my $case (
        map {
            my $of = $_;
            map { [@$of, $_] } [q{}, '-c'], ['-r', '-r']
        } @sizes
        )
    {
        my ($name, $size, $blocks, $kind) = @$case;
        my ($suffix, $flag) = @$kind;
        my $slice = planned("$name$suffix", observe => 1)->{observed};
        is_deeply(
            $slice->{command},
            ['/b in/fstime', $flag, qw(-t 1 -d /t), '-b', $size, '-m', $blocks, qw(-p 0 -s 0 -f {scratch}/filled)],
            "$name$suffix: from a file that is there, without pauses"
        );
        is_deeply(
            $slice->{first},
            ['/b in/fstime', qw(-w -n 2000), '-b', $size, '-m', $blocks, qw(-d {scratch} -f {scratch}/filled)],
            'which is filled before'
        );
    }
    my $writing = planned('fsdisk-w', observe => 1)->{observed};
    is_deeply(
        [@$writing{qw(command first)}],
        [['/b in/fstime', qw(-w -t 1 -d /t -b 4096 -m 8000 -p 0 -s 0)], undef],
        'who writes needs none'
    );
};

subtest 'copies when none are asked for' => sub {
    my $copies = sub { return [UnixBench::Plan::Plan::usual_copies(@_)] };
    is_deeply($copies->(4, 'pipe'),                                [1, 4], 'one, and one for each CPU');
    is_deeply($copies->(1, 'pipe'),                                [1],    'one CPU');
    is_deeply($copies->(4, qw(ubgears 2d-text)),                   [1],    'nothing but tests that run as one copy');
    is_deeply($copies->(4, qw(interactive-capacity)),              [1],    'the same of others');
    is_deeply($copies->(4, qw(interactive-capacity pipe 2d-text)), [1, 4], 'one among them that can');
};

subtest 'skipped' => sub {
    my $gears = planned('ubgears');
    is(UnixBench::Plan::Plan::skipped($gears, 1), undef,                                     'graphics as one copy');
    is(UnixBench::Plan::Plan::skipped($gears, 2), 'skipped: graphics tests run as one copy', 'not as two');
    is(UnixBench::Plan::Plan::skipped(planned('pipe'), 1024), undef,                         'others as any number');
    my @asked;
    my $absent = planned('ubgears', is_there => sub { push @asked, @_; 0 });
    is(
        UnixBench::Plan::Plan::skipped($absent, 1),
        'skipped: there is no program ubgears',
        'a program that was not built'
    );
    is_deeply(\@asked, ['/b in/ubgears'], 'looked for in its directory');
    my $no_tool = planned('2d-text', is_there => sub { $_[0] ne 'x11perf' });
    is(
        UnixBench::Plan::Plan::skipped($no_tool, 1),
        'skipped: there is no program x11perf; install it',
        'x11perf is missing'
    );
    my $no_display = planned('2d-text', display => undef);
    is(
        UnixBench::Plan::Plan::skipped($no_display, 1),
        'skipped: no X display; set DISPLAY or install xvfb',
        'no display'
    );
    is(UnixBench::Plan::Plan::skipped(planned('pipe', display => undef), 1), undef, 'which others do not need');
    my $response = planned('interactive-response', display => undef);
    is(UnixBench::Plan::Plan::skipped($response, 1), undef, 'which others do not need either');
    is(
        UnixBench::Plan::Plan::skipped($response, 2),
        'skipped: interactive tests run as one copy',
        'that run as one copy'
    );
    my $elsewhere = planned('interactive-response', is_there => sub { 0 });
    is(
        UnixBench::Plan::Plan::skipped($elsewhere, 1),
        'skipped: there is no program interbench; it is for Linux',
        'where there is no such program'
    );
    my $missing = planned('pipe', is_there => sub { 0 });
    is(UnixBench::Plan::Plan::skipped($missing, 1), undef, 'a program that must be there is not skipped');
};

subtest 'display' => sub {
    is(make(tests => [qw(pipe ubgears)])->{display},                 'given',   'that is there');
    is(make(tests => ['2d-text'], display => 'virtual')->{display},  'virtual', 'that can be made');
    is(make(tests => ['pipe'])->{display},                           undef,     'none without graphics tests');
    is(make(tests => ['ubgears'], copies => [2])->{display},         undef,     'nor where they are skipped');
    is(make(tests => ['ubgears'], copies => [2, 1])->{display},      'given',   'in each run');
    is(make(tests => ['ubgears'], is_there => sub { 0 })->{display}, undef,     'nor without their programs');
};

subtest 'duration' => sub {
    my @index   = UnixBench::Catalog::expand('index');
    my $index_s = make(tests => \@index)->{duration_s};
    cmp_ok($index_s, '>=', 27 * 60, 'the index takes 27 to 29 minutes') or diag $index_s;
    cmp_ok($index_s, '<=', 29 * 60, 'the same')                         or diag $index_s;
    is(make(tests => \@index,     copies => [1, 4])->{duration_s}, 2 * $index_s, 'twice for two runs');
    is(make(tests => ['ubgears'], copies => [2])->{duration_s},    0,            'nothing for what is skipped');
    cmp_ok(make(tests => \@index, factor => 0.001)->{duration_s}, '<', 20, 'seconds when shortened');
    my @two = (tests => [qw(pipe shell1 multiuser)], copies => [1, 2]);
    my ($plan, $observed) = (make(@two), make(@two, observe => 1));
    cmp_ok(abs($observed->{duration_s} - $plan->{duration_s} - 2 * (1.1 + 1 + 1.1 + 2)), '<', 1e-9, 'what is observed');
    is(UnixBench::Plan::Plan::run_s($observed, 2), UnixBench::Plan::Plan::run_s($plan, 2), 'comes behind the passes');
    is(UnixBench::Plan::Plan::observing_s(make(tests => ['ubgears'], observe => 1), 2), 0, 'but for what is skipped');
    is(UnixBench::Plan::Plan::observing_s($plan,                                    2), 0, 'or not asked for');
    my %words = (
        0    => '0 s',
        45.4 => '45 s',
        99   => '99 s',
        100  => '2 min',
        1680 => '28 min',
        3569 => '59 min',
        3599 => '1 h 0 min',
        3900 => '1 h 5 min',
        7170 => '2 h 0 min'
    );
    is(UnixBench::Plan::Plan::duration($_), $words{$_}, "$_ seconds") for sort { $a <=> $b } keys %words;
};

subtest 'in words' => sub {
    my $text = UnixBench::Plan::Plan::describe(make(tests => [qw(pipe ubgears)], copies => [1, 2]));
    like($text, qr/^1 parallel copy of tests, /m,                            'one copy');
    like($text, qr/^2 parallel copies of tests, /m,                          'two copies');
    like($text, qr/^  pipe +Pipe Throughput +10 x 10 s$/m,                   'passes and seconds');
    like($text, qr/^  ubgears .* skipped: graphics tests run as one copy$/m, 'what is skipped');
    like($text, qr/^In all about [0-9]+ min\n\z/m,                           'the whole');
    my @users = split /\n/,
        UnixBench::Plan::Plan::describe(make(tests => ['multiuser'], copies => [1, 2], load => load({})));
    like($users[1], qr/^  multiuser +Multi-User Script +1 x 10 s\z/, 'a load of users');
    is($users[2], q{ } x 23 . '20 users, 40 lines, pauses of 0.04 to 0.3 s', 'and which');
    like($users[4], qr/^  multiuser .* skipped: multi-user tests run as one copy\z/, 'but not where it is not played');
    like($users[5], qr/^In all about 13 s/,                                          'nor is anything else');
    my @observed = (tests => [qw(pipe ubgears multiuser)], copies => [1, 2], observe => 1);
    my $seen     = UnixBench::Plan::Plan::describe(make(@observed));
    is(
        join(q{}, $seen =~ /^(  [+] .*\n)/mg),
        "  + each test once more, observed: 6 s\n  + each test once more, observed: 2 s\n",
        'what is observed, after each run'
    );
    is_deeply(
        [$seen =~ /^  (.* is not observed: .*)/mg],
        ['multiuser is not observed: it has no short passes'],
        'and what not'
    );
    like(
        UnixBench::Plan::Plan::describe(make(@observed, quick => { precision => 0.01, max_time_s => 60 })),
        qr/^In all at most /m,
        'as a quick run is, too'
    );
    unlike($text, qr/observed/, 'nothing of it where nobody asks');
};

done_testing();
