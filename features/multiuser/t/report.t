use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases::Multiuser               qw(asked load_lines played search_lines);
use Fixture                        qw(failed measured rendered result run);
use Golden                         qw(is_golden no_golden_left_over);
use Place                          qw(place text_of write_file);
use UnixBench::Multiuser::Results  ();
use UnixBench::Summary             ();
use UnixBench::Summary::Cases      ();
use UnixBench::Base::JSON;
use UnixBench::Command::Compare;
use UnixBench::Multiuser::Comparison;
use UnixBench::Report::Block qw(document);
use UnixBench::Report::Formats;

# The results of the multi-user test, from the lines that its program prints, and its load in reports.

local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

my @SCORE = ('COUNT|100|60|lpm', 'TIME|60');

# Takes a test; returns what is known of its load.
sub of { return UnixBench::Multiuser::Results->of_run(run(1, @_)) }

# Takes lines that the program prints in one pass; returns the same.
sub told { return of(played([@_, @SCORE])) }

# Takes what is known, the name of a meter and keys; returns the values of these keys for the meter.
sub meter {
    my ($known, $name, @keys) = @_;
    my ($row) = grep { $_->{name} eq $name } @{ $known->{meters} };
    return $row && [@$row{@keys}];
}

subtest 'a pass' => sub {
    my $known = of(played([load_lines()]));
    my %is    = (users => 20, finished => 20, passes => 1, lines => 4720, elapsed_s => 61.204);
    is_deeply({ map { $_ => $known->{$_} } keys %is },          \%is,                            'the load');
    is_deeply([@$known{qw(shortfall incident_count capacity)}], [undef, 0, undef],               'nothing went wrong');
    is_deeply([map { $_->{class} } @{ $known->{responses} }],   [qw(all archive compile files)], 'all comes first');
    my %all = (mean_s => 0.02137, p50_s => 0.0124, p90_s => 0.0442, p95_s => 0.0618, p99_s => 0.1639, max_s => 0.4022);
    is_deeply($known->{responses}[0], { class => 'all', count => 4720, %all }, 'response times of a class');
    my @scopes = qw(machine group users finished per_finished);
    is_deeply(meter($known, 'faults_minor', @scopes), [2_511_904, 2_380_233, (2_301_788) x 2, 115_089.4], 'a meter');
    is_deeply(meter($known, 'switches', @scopes),     [190_251, undef, 84_411, 84_411, 4220.55], 'a sum of two meters');
    is_deeply(meter($known, 'cpu_s', qw(machine users)), [101.48, 92.171], 'the machine also has interrupts');
    is_deeply(meter($known, 'rss_most_kb', @scopes),     [(undef) x 2, 38_912, (undef) x 2], 'a peak has no part');
    my %shares = map { $_ => sprintf '%.2f', $known->{shares}{$_} } keys %{ $known->{shares} };
    my $wanted =
        { user => '57.53', system => '24.41', irq => '0.98', steal => '0.50', iowait => '1.14', idle => '15.44' };
    is_deeply(\%shares, $wanted, 'shares of the CPU time');
};

subtest 'several passes' => sub {
    my @passes = map { [load_lines(factor => $_, alone => 1, lost => $_ == 3)] } 1, 3, 2;
    my $test   = played(@passes);
    my $known  = of($test);
    is_deeply([@$known{qw(passes users finished elapsed_s)}], [3, 20, 18, 122.408], 'medians, and the fewest users');
    my $times = [map { sprintf '%.4f', $_ } @{ $known->{responses}[0] }{qw(p50_s p95_s max_s)}];
    is_deeply($times, [qw(0.0248 0.1236 1.2066)], 'median times and the longest time');
    is(join(q{ }, map { $_->{pass} } @{ $known->{incidents} }), '2 2 2 2', 'incidents have their pass');
    is(sprintf('%.3f', $known->{stretch}),                      '5.000',   'the stretch is that of each pass');
    is_deeply([map { "$_->{users} $_->{passes}" } @{ $known->{trials} }], ['1 3', '20 3'], 'loads have their passes');
    is($known->{shortfall}, '2 lines failed, 2 of 60 users did not finish',  'the shortfall is that of all');
    is(UnixBench::Multiuser::Results->shortfall($test), $known->{shortfall}, 'also of a test');
    my @of_passes = UnixBench::Multiuser::Results::passes(run(1, $test));
    is_deeply([map { $_->{elapsed_s} } @of_passes], [61.204, 183.612, 122.408],   'the passes for a comparison');
    is_deeply([@{ $of_passes[1] }{qw(pass finished incident_count)}], [2, 18, 4], 'with what went wrong');
    is_deeply([UnixBench::Multiuser::Results::passes(run(1, $_))],    [], 'none of a search, or of another test')
        for played([search_lines(9.5)]), measured('pipe', 1, 5), { %$test, status => 'failed' };
};

subtest 'users that do not finish' => sub {
    my $test     = played([load_lines(lost => 1)]);
    my $known    = of($test);
    my $text     = "cmp -s a b || echo 100% <i>\xc3\xa9\xff";
    my $incident = { pass => 1, user => 3, line => 18, what => 'exit status 2 instead of 1', text => $text };
    is_deeply($known->{incidents}[1], $incident, 'an incident');
    my @complaints = UnixBench::Multiuser::Results->complaints($test);
    is(scalar @complaints, 4, 'each has a line on standard error');
    my $printable = qq{user 3, line 18: exit status 2 instead of 1: "cmp -s a b || echo 100% <i>\xc3\xa9\\xff"};
    is($complaints[1], $printable, 'which is printable');
    is_deeply(meter($known, 'lines', qw(users finished per_finished)), [4620, 4248, 236], 'meters of the others');
    my $dead = told('load.users|1', 'load.finished|0', 'load.lines|9', 'load.incidents|1', 'meter.finished.lines|0');
    is($dead->{shortfall}, '1 of 1 user did not finish', 'no user finished');
    is_deeply(meter($dead, 'lines', qw(users finished per_finished)), [9, 0, undef], 'then there is no mean');
    my $none = played(['load.users|2', 'load.finished|1', 'load.incidents|1', 'incident.1.|2|0|gone|', @SCORE]);
    is_deeply([UnixBench::Multiuser::Results->complaints($none)], ['user 2: gone'], 'an incident without a line');
    my @many = map { "incident.$_.|2|$_|exit status 1 instead of 0|false" } 1 .. 20;
    @complaints = UnixBench::Multiuser::Results->complaints(played(['load.incidents|41', @many, @SCORE]));
    is_deeply([scalar @complaints, $complaints[-1]], [11, 'and 31 more'],              'ten, and the number of others');
    is_deeply([UnixBench::Multiuser::Results->complaints(measured('pipe', 1, 5))], [], 'other tests have none');
};

subtest 'the stretch' => sub {
    my $known = of(played([load_lines(alone => 1)]));
    is_deeply([map { $_->{stretch} } $known, @{ $known->{trials} }], [2.5, 1, 2.5], 'of the load, and of each load');
    is(of(played([load_lines()]))->{stretch}, undef, 'not without a user alone');
    my @before = ('load.users_before|1', 'load.finished_before|0');
    is(of(played([@before, load_lines(alone => 1)]))->{stretch}, undef, 'nor if that user did not finish');
};

subtest 'a search' => sub {
    my $known    = of(played(map { [search_lines($_)] } 11.4, 10.71, 12.2, 11.97, 10.9));
    my $capacity = $known->{capacity};
    is_deeply([@$capacity{qw(users alone_p95_s limit is_least)}], [11, 0.0337, 2, 0], 'the median of the searches');

    # By Python's statistics, from the logarithms of all five searches, with t = 2.7764.
    is(join(q{ }, map { sprintf '%.3f', $_ } @$capacity{qw(value low high)}), '11.421 10.644 12.255', 'its interval');
    my %trial = map { $_->{users} => $_->{passes} } @{ $known->{trials} };
    is_deeply(\%trial, { 1 => 5, 2 => 5, 4 => 5, 8 => 5, 10 => 2, 11 => 4, 12 => 3, 13 => 1, 16 => 5 }, 'all trials');
    is($known->{users},                             undef, 'a search has no load');
    is(told('capacity.users|7')->{capacity}{value}, undef, 'a score of another unit is not a capacity');
};

subtest 'lines of a wrong form are ignored' => sub {
    my @nothing = (
        'load.users|0',        'load.users|1e3',    'meter.other.cpu_user_s|5', 'meter.users.x|1|2',
        'response.ALL.|1|1|1', 'trial.0.|40|1|1|1', 'incident.1.|1|1||b',       'capacity.users|7.5'
    );
    is(told($_), undef, "ignored: $_") for @nothing;
    my $known =
        told('response.all.|3|inf|nan|-1|1e3|0x10|', 'load.users|2', 'load.finished|x', 'incident.7.|1|0|a|%zz%4A');
    is_deeply([grep { defined $known->{responses}[0]{$_} } sort keys %{ $known->{responses}[0] }],
        [qw(class count)], 'a response has only its numbers');
    is_deeply([$known->{finished}, $known->{incidents}[0]{text}], [undef, '%zzJ'], 'only right numbers are decoded');
};

my $failed = failed('multiuser', 'killed', 100);
$_->{data} = { 'load.users' => ['5'], 'load.incidents' => ['9'] } for map { @{ $_->{copies} } } @{ $failed->{passes} };
is_deeply([@{ of($failed) }{qw(passes incident_count)}], [1, 9], 'a pass before a failed one');

# Reports.

my ($incidents) = Cases::Multiuser::cases();
is_golden('incidents.txt', rendered(details => $incidents->{result}) =~ /^(Multi-user load.*\n)(?=\nHow sure)/ms);

# Takes numbers of users that were asked for, and lists of lines of the program; returns the details with single blanks.
sub details {
    my ($users, @passes) = @_;
    my %procedure = (kind => 'official', multiuser => asked(@$users));
    my $text      = rendered(details => result([run(1, played(@passes))], procedure => \%procedure));
    return $text =~ s/\s+/ /gr;
}

# What is reported, a pattern for the text, and what details takes.
my @SAID = (
    [
        'the load',
        qr/ Multi-user load: 20 users, 236 lines each, pauses of 2 to 15 s times 0[.]02: 4720 lines in 61[.]2 s;/,
        [20], [load_lines()]
    ],
    ['advice about the stretch', qr/unknown without a load of one user: --users 1 --users 20[.]/, [20], [load_lines()]],
    [
        'several passes',
        qr/; at least 18 of 20 users finished in each of 2 passes[.]/,
        [20], [load_lines()], [load_lines(lost => 1)]
    ],
    [
        'more incidents',
        qr/ 41 lines failed[.] .* And 21 more[.]/,
        [5], ['load.incidents|41', (map { "incident.$_.|2|$_|failed|false" } 1 .. 20), @SCORE]
    ],
    [
        'an unknown share',
        qr/ All 33[.]3 % 33[.]3 % - - - 33[.]3 %/,
        [1], [(map { "meter.machine.cpu_${_}_s|10" } qw(user system idle)), @SCORE]
    ],
    ['a load of which little is known', qr/ Multi-user load: 1 user, pauses of/, [1], ['load.users|1', @SCORE]],
    ['a search', qr/ Multi-user search: pauses of 2 to 15 s times 0[.]02[.] /,   [],  [search_lines(11.4)]],
    [
        'the least capacity',
        qr/at least 1 user [(]interpolated: 1[.]5[)] has a p95 within 1[.]25 times .* ms; more were not tried[.]/,
        [], [search_lines(1.5, limit => 1.25, is_least => 1)]
    ],
    [
        'a capacity without details',
        qr/Capacity: 7 users have a p95 within the limit[.]/,
        [], ['capacity.users|7', @SCORE]
    ],
);
for my $case (@SAID) {
    my ($what, $pattern, $users, @passes) = @$case;
    like(details($users, @passes), $pattern, $what);
}

subtest 'a page, and Markdown' => sub {
    my $html = rendered(html => $incidents->{result});
    my $said = '95 of 100 lines of 20 users are answered within 61.8 ms';
    like($html, qr{<strong>Response: \Q$said\E</strong>},                                   'the response comes first');
    like(rendered(markdown => $incidents->{result}), qr/^Response +\Q$said\E/m,             'and it is in the block');
    like($html, qr{<p class="notice">2 lines failed, 2 of 20 users did not finish[.]},      'a notice');
    like($html, qr{user 3, line 18: [^<]*cmp -s a b \|\| echo 100% &lt;i&gt;\xc3\xa9\\xff}, 'a text is escaped');
    like($html, qr{<td [^>]*data-label="Per user"[^>]*>115,089</td>},                       'a meter');
};

subtest 'a load that was measured and failed' => sub {
    my @tests  = (played([load_lines(lost => 1)]), measured('pipe', 1, 1000, 1010));
    my $result = result([run(1, @tests)], asked => [qw(multiuser pipe)]);
    my ($case) = map { @$_ } UnixBench::Summary::Cases::by_run(UnixBench::Summary::of($result), $result);
    my $reason = '2 lines failed, 2 of 20 users did not finish';
    is_deeply([@$case{qw(verdict reason)}], ['ERROR', $reason], 'it is an error');
    ok($case->{score},                               'but has its score');
    ok(UnixBench::Summary::Cases::has_failed($case), 'the exit status of Run is that of a failed test');
};

# Meters and effects of two multi-user loads, and how a comparison prints them.

use constant T_OF_4 => 2.776445105;

# Seconds of two CPUs during a load of about a minute.
my %TIMES = (user => 60, system => 24, irq => 1, steal => 3, idle => 30, iowait => 2);

# Statistics of responses, as multiples of the median.
my @RESPONSE = ([mean => 1.3], [p50 => 1], [p90 => 2], [p95 => 2.5], [p99 => 4], [max => 9]);

# Returns a pass as UnixBench::Multiuser::Results does. Takes, all optional:
#     good_s, system_s  CPU time of the users
#     driver_s          CPU time of the driver
#     elapsed_s, users, finished, lines, stretch
#     times             { seconds of the machine's CPUs }
#     meters            { other meters, or undef for unknown ones }
#     response_s        the median
sub load_pass {
    my (%how)  = (good_s => 58, system_s => 22, driver_s => 0.8, elapsed_s => 60, users => 20, lines => 4420, @_);
    my %times  = (%TIMES, %{ $how{times} || {} });
    my %meters = (
        (map { ("machine.cpu_${_}_s" => $times{$_}) } keys %times),
        'machine.elapsed_s'        => $how{elapsed_s},
        'machine.forks'            => 13_000,
        'machine.memory_most_kb'   => 300 * 1024,
        'group.faults_major'       => 3,
        'users.cpu_user_s'         => $how{good_s},
        'users.cpu_system_s'       => $how{system_s},
        'users.faults_minor'       => 1_400_000,
        'users.faults_major'       => 0,
        'users.switches_voluntary' => 35_000,
        'users.rss_most_kb'        => 21 * 1024,
        'driver.cpu_s'             => $how{driver_s},
        %{ $how{meters} || {} },
    );
    my $median_s = $how{response_s} // 0.03;
    my @classes  = (_class(all => $how{lines}, $median_s), _class(compile => $how{lines} / 10, 4 * $median_s));
    return {
        (map { $_ => $how{$_} } qw(users lines elapsed_s stretch)),
        finished  => $how{finished} // $how{users},
        meters    => { map { $_ => $meters{$_} } grep { defined $meters{$_} } keys %meters },
        responses => \@classes,
    };
}

sub _class {
    my ($class, $count, $median_s) = @_;
    my %response = map { ("$_->[0]_s" => $median_s * $_->[1]) } @RESPONSE;
    return { class => $class, count => $count, %response };
}

# Takes a letter and passes, and perhaps a shortfall; returns the side.
sub load_side {
    my ($letter, $passes, $shortfall) = @_;
    my $load = { passes => $passes, shortfall => $shortfall };
    return { letter => $letter, label => "$letter.json", summary => { name => lc $letter }, loads => [$load] };
}

# Takes the passes of A and of B; returns their comparison.
sub of_passes {
    my ($of_a, $of_b) = @_;
    return UnixBench::Multiuser::Comparison->of_sides(load_side(A => $of_a), load_side(B => $of_b));
}

# Takes sides; returns their section as text.
sub text_of_sides {
    my (@sides) = @_;
    my $section = UnixBench::Multiuser::Comparison->section_of(UnixBench::Multiuser::Comparison->of_sides(@sides));
    return UnixBench::Report::Formats::of_blocks(text => document({ title => 'Loads', is_folded => 1 }, $section));
}

sub is_near {
    my ($found, $expected, $name) = @_;
    my $is_near = defined $found && abs($found - $expected) <= 1e-6 * abs $expected;
    return ok($is_near, $name) || diag 'found ' . ($found // 'nothing') . ", expected $expected";
}

# Takes a system of the paper; returns a pass that reports its figures.
sub pass_of_1973 {
    my ($system) = @_;
    my ($total_s, $virtual_s, $good_s) = @$system{qw(cpu_total_s cpu_virtual_s cpu_good_s)};
    my ($useful, $idle) = @$system{qw(other_pct idle_zero_pct)};
    return load_pass(
        elapsed_s => 60 * $system->{elapsed_min},
        good_s    => $good_s,
        system_s  => $virtual_s - $good_s,
        driver_s  => $total_s - $virtual_s,
        times     =>
            { user => $useful, idle => $idle, system => 100 - $useful - $idle, map { $_ => 0 } qw(irq steal iowait) }
    );
}

subtest 'the effects of 1973 are reproduced' => sub {
    my $paper    = UnixBench::Base::JSON::decode(text_of("$FindBin::Bin/data/multics.json"));
    my $expected = $paper->{expected};
    my $compared = of_passes([pass_of_1973($paper->{A})], [pass_of_1973($paper->{B})]);
    my %effect   = map { $_ => $compared->{effects}{$_}{value} } qw(total processor overhead product deviation);
    is(sprintf('%.1f', $effect{total}),     $expected->{cpu_total_ratio}, 'the total effect is as printed in 1973');
    is(sprintf('%.1f', $effect{processor}), '2.0',                        'the processor effect is as printed in 1973');
    is(sprintf('%.2f', $effect{overhead}),  $expected->{overhead_effect}, 'the overhead effect is as printed in 1973');
    is(sprintf('%.1f', $effect{product}),   $expected->{product},         'the product is as printed in 1973');
    is_near($effect{deviation}, 7999 / 4031 * 71.47 / 90.36 * 97.96 / 53.33 / (14213 / 4860), 'the deviation is exact');
    is($compared->{effects}{is_apart},   0,     'the product agrees with the total');
    is($compared->{effects}{total}{low}, undef, 'a single measurement has no interval');
    my $shares = $compared->{meters}{useful_pct}{values};
    is(sprintf('%.2f', $shares->[0]{value}), 100 * $expected->{useful_share_A}, 'the useful share of A is as printed');
    is(sprintf('%.1f', $shares->[1]{value}), 100 * $expected->{useful_share_B}, 'the useful share of B is as printed');
    is_near($compared->{meters}{elapsed_s}{ratio}{value}, 91.4 / 249.7, 'the ratio of a meter is that of B to A');
};

subtest 'three passes on each side give intervals' => sub {
    my @of = map {
        my $good_s = $_;
        [map { load_pass(good_s => $good_s * exp $_, system_s => 0, driver_s => 1e-9) } -0.03, 0, 0.03]
    } 80, 40;
    my $effects = of_passes(@of)->{effects};
    my $half    = T_OF_4 * 0.03 * sqrt 2 / 3;
    is_near($effects->{processor}{value}, 2,              'the geometric mean');
    is_near($effects->{processor}{low},   2 * exp -$half, 'the lower end of the interval, computed by hand');
    is_near($effects->{product}{high}, 2 * exp $half, 'the interval of the product is that of the effect that varies');
};

subtest 'meters are computed from a pass' => sub {
    my $pass     = load_pass(elapsed_s => 30, lines => 2210, stretch => 1.5);
    my $compared = of_passes([$pass], [$pass]);
    my %value    = map { $_ => $compared->{meters}{$_}{values}[0]{value} } keys %{ $compared->{meters} };
    my %expected = (
        elapsed_s               => 30,
        lines_per_minute        => 4420,
        cpu_good_s              => 58,
        cpu_virtual_s           => 80,
        cpu_total_s             => 80.8,
        driver_cpu_s            => 0.8,
        useful_pct              => 100 * 60 / 88,
        response_compile_mean_s => 0.156,
        users_faults_minor      => 1_400_000,
        machine_forks           => 13_000,
    );
    is_near($value{$_}, $expected{$_}, "$_ of a pass") for sort keys %expected;
    is($compared->{meters}{users_faults_major}{ratio}, undef, 'a meter that is 0 has no ratio');
};

my %FINISHED = ('finished.cpu_user_s' => 40, 'finished.cpu_system_s' => 10, 'finished.faults_minor' => 1000);

subtest 'users that finished stand for those that did not' => sub {
    my $compared = of_passes([load_pass(finished => 16, meters => \%FINISHED)], [load_pass()]);
    my %value = map { $_ => $compared->{meters}{$_}{values}[0]{value} } qw(cpu_good_s cpu_total_s users_faults_minor);
    is_near($value{cpu_good_s},         50,   'good CPU time is projected to all users');
    is_near($value{cpu_total_s},        63.3, 'the CPU time of the driver is not projected');
    is_near($value{users_faults_minor}, 1250, 'page faults are projected to all users');
    $compared = of_passes([load_pass(finished => 0, meters => \%FINISHED)], [load_pass()]);
    is($compared->{effects}{processor}, undef, 'the effect of the processor is unknown if no user finished');
};

subtest 'the section' => sub {
    my ($slow, $fast) = map {
        my $of = $_;
        [map { load_pass(good_s => $of->[0] * $_, elapsed_s => $of->[1] * $_, stretch => $of->[2]) } 0.99, 1, 1.01]
    } [58, 61.5, 2.5], [30, 45, 1.4];
    is_golden('loads.txt', text_of_sides(load_side(A => $slow), load_side(B => $fast)));
    my $why  = '3 lines failed, 4 of 20 users did not finish';
    my $dead = load_side(A => [load_pass(finished => 16, meters => \%FINISHED)], $why);
    my $text = text_of_sides($dead, load_side(B => [load_pass(times => { steal => 70, idle => 5 })]));
    like($text, qr/^A: $why[.] CPU time, page faults and/m, 'users that did not finish');
    like($text, qr/^The product differs by more than 5 %/m, 'a product that differs from the total effect');
    unlike($text, qr/Stretch/, 'a meter that is unknown on both sides is left out');
};

my $place = place();

# Takes a name, and what differs in each pass of a load; writes its result, and returns the path.
sub load_file {
    my ($name, @passes) = @_;
    my %procedure = (kind => 'official', time_factor => 1, work_factor => 1, multiuser => asked(20));
    my $test      = played(map { [load_lines(%$_)] } @passes);
    my $result    = result([run(1, $test)], asked => ['multiuser'], procedure => \%procedure);
    return write_file("$place/$name.json", rendered(json => $result));
}

subtest './Run compare' => sub {
    my @old      = map { load_file("old$_", { factor => $_ },       { factor => 1.02 * $_ }) } 1, 1.0002;
    my @new      = map { load_file("new$_", { factor => 0.5 * $_ }, { factor => 0.49 * $_ }) } 1, 1.0002;
    my $compared = sub {
        my $report = UnixBench::Command::Compare::of(@_)->{report};
        return UnixBench::Report::Formats::of_blocks(text => $report);
    };
    my $elapsed = qr/^Elapsed time, s +61[.]8 +30[.]3 +0[.]490 +\d/m;
    like($compared->(files => [$old[0], $new[0]]), $elapsed, 'two results');
    like($compared->(files => [@old, @new], sets => [2, 2]), $elapsed, 'several results of two states');
    like($compared->(files => [$old[0], @new]), qr/effects of B, .*effects of C, /s, 'each with the first');
};

no_golden_left_over();
done_testing;
