use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use BlockDump                      qw(row_texts);
use Cases::Multiuser               ();
use Golden                         qw(no_golden_left_over);
use RecordedReports                qw(are_recorded);
use Fixture                        qw(measured result run);
use MultiUserRun                   qw(asked load_lines played search_lines);
use KnownView                      qw(blocks_of_run);
use Rendered                       qw(rendered);
use UnixBench::Score::Cases        ();
use UnixBench::Report::Notes       ();
use UnixBench::Report::Cell        qw(cell);
use UnixBench::Report::EndBlock    ();
use UnixBench::Report::View        ();
use UnixBench::Report::Plain       qw(in_plain);
use UnixBench::Multiuser::Topic;
use UnixBench::Multiuser::Results;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

my @SCORE = ('COUNT|100|60|lpm', 'TIME|60');

sub of { return UnixBench::Multiuser::Results::of_run(run(1, @_)) }

# Takes lines that the program prints in one pass; returns the data.
sub told { return of(played([@_, @SCORE])) }

# Takes data, the name of a meter and keys; returns the values of these keys for the meter.
sub meter {
    my ($known, $name, @keys) = @_;
    my ($row) = grep { $_->{name} eq $name } @{ $known->{meters} };
    return $row && [@$row{@keys}];
}

# Takes the load that was asked for, and data. Returns { table, sentences, explained } for each group of blocks on a
# page, with texts as strings.
sub groups {
    my ($asked, $known) = @_;
    my %told = (multiuser => $known, result => { procedure => { multiuser => $asked } });
    return map { group($_) } blocks_of_run(\&UnixBench::Multiuser::Topic::of_run, full => %told);
}

sub group {
    my ($group) = @_;
    my ($table) = grep { $_->{kind} eq 'table' } @{ $group->{blocks} };
    my %texts   = (sentences => [], explained => []);
    for my $block (grep { $_->{kind} eq 'paragraphs' } @{ $group->{blocks} }) {
        push @{ $texts{ $block->{style} eq 'quiet' ? 'explained' : 'sentences' } },
            map { in_plain($_) } @{ $block->{texts} };
    }
    return { table => $table, %texts };
}

# Name of a group => how its first text or the title of its table begins.
my %BEGINS = (
    load      => qr/\AMulti-user (?:load|search): |\AThe script's/,
    incidents => qr/\A\d+ (?:lines? failed|of \d+ users)|\A.* did not finish/,
    responses => qr/\AMulti-user: response times/,
    meters    => qr/\AMulti-user: meters/,
    shares    => qr/\AMulti-user: where/,
    capacity  => qr/\ACapacity: /,
    trials    => qr/\AMulti-user: (?:loads|trials), /,
    passes    => qr/\AWith several passes/,
);

# Takes the name of a group, data, and numbers of users that were asked for; returns the group.
sub block {
    my ($name, $known, @users) = @_;
    my ($block) = grep { begins($_) =~ $BEGINS{$name} } groups(asked(@users), $known);
    return $block;
}

sub begins {
    my ($group) = @_;
    return $group->{sentences}[0] // ($group->{table} || {})->{title} // $group->{explained}[0];
}

# Takes the same; returns all sentences of the group.
sub sentences {
    my ($block) = block(@_) or return q{};
    return join q{ }, @{ $block->{sentences} }, @{ $block->{explained} };
}

# Takes a group; returns the rows of its table, as lists of texts.
sub rows {
    my ($block) = @_;
    return map { [$_->{title}, row_texts($block->{table}, $_)] } @{ $block->{table}{rows} };
}

subtest 'several passes are summarised' => sub {
    my @passes = map { [load_lines(factor => $_, alone => 1, lost => $_ == 3)] } 1, 3, 2;
    my $known  = of(played(@passes));
    my ($all)  = @{ $known->{responses} };
    is_deeply([@$known{qw(passes users finished)}], [3, 20, 18], 'the fewest users that finished');
    is_deeply(
        [map { sprintf '%.6f', $_ } @$all{qw(p50_s p95_s max_s)}],
        [qw(0.024800 0.123600 1.206600)],
        'median times and the longest time'
    );
    is($known->{incident_count},                                4,          'incidents are added');
    is(join(q{ }, map { $_->{pass} } @{ $known->{incidents} }), '2 2 2 2',  'an incident has its pass');
    is($known->{elapsed_s},                                     122.408,    'the time is a median');
    is(sprintf('%.3f', $known->{stretch}),                      '5.000',    'the stretch is that of each pass');
    is($known->{shortfall}, '2 lines failed, 2 of 60 users did not finish', 'the shortfall is that of all passes');
    my $even = of(played([load_lines()], [load_lines(lost => 1)]));
    is($even->{lines}, 4670, 'the number of lines is a median');
    like(
        sentences(load => { %$even, lines => 4670.5 }, 20),
        qr/: 467[01] lines in /,
        'the number of lines is printed without decimals'
    );
    like(
        sentences(load => $known, 1, 20),
        qr/; at least 18 of 20 users finished in each of 3 passes[.]/,
        'the sentence has the number of passes'
    );
    like(sentences(passes => $known), qr/With several passes/, 'several passes are explained');
    is_deeply([map { "$_->{users} $_->{passes}" } @{ $known->{trials} }], ['1 3', '20 3'], 'loads have their passes');
    my $table = block(incidents => $known)->{table};
    is($table->{rows}[0]{title}, 'user 3 (pass 2)', 'an incident has user and pass');
};

subtest 'users that do not finish are reported' => sub {
    my $test  = played([load_lines(lost => 1)]);
    my $known = of($test);
    is_deeply(
        $known->{incidents}[1],
        {
            pass => 1,
            user => 3,
            line => 18,
            what => 'exit status 2 instead of 1',
            text => "cmp -s a b || echo 100% <i>\xc3\xa9\xff"
        },
        'the text of an incident is unchanged'
    );
    is(
        UnixBench::Multiuser::Results::shortfall($test),
        '2 lines failed, 2 of 20 users did not finish',
        'the shortfall counts lines and users'
    );
    my @complaints = UnixBench::Multiuser::Results::complaints($test);
    is(scalar @complaints, 4, 'each incident has a complaint');
    is(
        $complaints[0],
        'user 3, line 17: exit status 1 instead of 0: "grep -c total list.txt"',
        'a complaint has user, line, reason and text'
    );
    is(
        $complaints[1],
        qq{user 3, line 18: exit status 2 instead of 1: "cmp -s a b || echo 100% <i>\xc3\xa9\\xff"},
        'a complaint is printable'
    );
    is_deeply(
        meter($known, 'lines', qw(users finished per_finished)),
        [4620, 4248, 236],
        'meters of the users that finished'
    );
    like(
        sentences(incidents => $known),
        qr/\A2 lines failed, 2 of 20 users did not finish[.] /,
        'the shortfall is a notice'
    );
    like(
        sentences(incidents => $known),
        qr/ A user that finished had 236 lines and 4[.]61 s of CPU time, /,
        'the notice has the time of a user that finished'
    );
    my $dead = told('load.users|1', 'load.finished|0', 'load.lines|9', 'load.incidents|1', 'meter.finished.lines|0');
    is($dead->{shortfall}, '1 of 1 user did not finish', 'no user finished');
    is_deeply(
        meter($dead, 'lines', qw(users finished per_finished)),
        [9, 0, undef],
        'without finished users there is no mean'
    );
    my ($none) = map { UnixBench::Multiuser::Results::shortfall($_) } played([load_lines()]);
    is($none, undef, 'there is no shortfall if all users finish');
    is_deeply([UnixBench::Multiuser::Results::complaints(measured('pipe', 1, 5))], [],
        'other tests have no complaints');
    is(UnixBench::Multiuser::Results::shortfall(measured('pipe', 1, 5)), undef, 'other tests have no shortfall');
};

subtest 'an incident may have no line' => sub {
    my $test = played(
        ['load.users|2', 'load.finished|1', 'load.incidents|1', 'incident.1.|2|0|ended: exit status 2|', @SCORE]);
    is_deeply(
        [UnixBench::Multiuser::Results::complaints($test)],
        ['user 2: ended: exit status 2'],
        'the complaint has no line and no text'
    );
    like(
        rendered(details => result([run(1, $test)])),
        qr/^   user 2: ended: exit status 2$/m,
        'the details have no line and no text'
    );
    is_deeply(
        [rows(block(incidents => of($test)))],
        [['user 2', q{-}, 'ended: exit status 2', q{}]],
        'the table has a dash'
    );
};

subtest 'a long list of incidents is cut' => sub {
    my @lines = (
        'load.users|5', 'load.finished|5', 'load.incidents|41',
        map { "incident.$_.|2|$_|exit status 1 instead of 0|false" } 1 .. 20
    );
    my $test       = played([@lines, @SCORE]);
    my @complaints = UnixBench::Multiuser::Results::complaints($test);
    is(scalar @complaints, 11, 'there are ten complaints and a rest');
    is_deeply(
        [@complaints[9, 10]],
        ['user 2, line 10: exit status 1 instead of 0: "false"', 'and 31 more'],
        'the rest is counted'
    );
    like(sentences(incidents => of($test)), qr/\A41 lines failed[.] And 21 more[.]\z/, 'a report has twenty incidents');
    my $two = of(played([@lines, @SCORE], [@lines, @SCORE]));
    is(scalar @{ $two->{incidents} },               40, 'all incidents that were reported are kept');
    is(scalar(() = rows(block(incidents => $two))), 20, 'twenty incidents are shown');
    my $counted = told('load.users|5', 'load.finished|5', 'load.incidents|2');
    is(sentences(incidents => $counted), '2 lines failed.', 'incidents without details are counted');
};

subtest 'missing meters are left out' => sub {
    my $known = of(played([load_lines(bare => 1)]));
    is($known->{shares}, undef, 'there are no shares');
    is_deeply([grep { defined $_->{machine} || defined $_->{group} } @{ $known->{meters} }],
        [], 'there are no meters of the machine');
    is(meter($known, 'interrupts', 'machine'), undef, 'a meter without any number is left out');
    my $partial = told(map { "meter.machine.cpu_${_}_s|10" } qw(user system idle));
    is(sprintf('%.1f', $partial->{shares}{user}),    '33.3', 'shares of the known times');
    is($partial->{shares}{steal},                    undef,  'an unknown time has no share');
    is((rows(block(shares => $partial)))[0][4],      q{-},   'an unknown share is a dash');
    is(told('meter.machine.cpu_user_s|5')->{shares}, undef,  'without idle time there are no shares');
    is(told('meter.machine.cpu_user_s|0', 'meter.machine.cpu_system_s|0', 'meter.machine.cpu_idle_s|0')->{shares},
        undef, 'without any time there are no shares');
    is(told('load.users|2')->{elapsed_s}, 60, 'without a meter, the time of the pass is used');
};

subtest 'stretch is the ratio to a single user' => sub {
    my $known = of(played([load_lines(alone => 1)]));
    is($known->{stretch}, 2.5, 'stretch of the load');
    is_deeply([map { $_->{stretch} } @{ $known->{trials} }], [1, 2.5], 'stretch of each load');
    like(sentences(responses => $known), qr/Stretch: 2[.]50, the mean response/, 'the stretch is explained');
    like(
        sentences(responses => of(played([load_lines()]))),
        qr/Stretch: unknown without a load of one user: --users 1 --users 20[.]/,
        'without a single user there is advice'
    );
    my @one = grep { /Stretch/ } sentences(responses => of(played([load_lines(users => 1)])));
    is_deeply(\@one, [], 'a single user has no stretch');
    is(told('trial.1.|40|5|0|1|1', 'trial.2.|80|5|0.5|1|1')->{trials}[1]{stretch},
        undef, 'a time of 0 gives no stretch');
};

subtest 'a search has a capacity' => sub {
    my $known    = of(played(map { [search_lines($_)] } 11.4, 10.71, 12.2, 11.97, 10.9));
    my $capacity = $known->{capacity};
    is_deeply(
        [@$capacity{qw(users alone_p95_s limit is_least)}],
        [11, 0.0337, 2, 0],
        'the capacity is the median of the searches'
    );

    # By Python's statistics, from the logarithms of all five searches, with t = 2.7764.
    is(
        join(q{ }, map { sprintf '%.3f', $_ } @$capacity{qw(value low high)}),
        '11.421 10.644 12.255',
        'the capacity has an interval'
    );
    is(
        sentences(capacity => $known),
        'Capacity: 11 users (interpolated: 11.4; 10.6 to 12.3, 95 % interval of 5 searches) have a p95 within 2 times '
            . "the single user's 33.7 ms.",
        'the capacity in words'
    );
    my %trial = map { $_->{users} => $_->{passes} } @{ $known->{trials} };
    is_deeply(
        \%trial,
        { 1 => 5, 2 => 5, 4 => 5, 8 => 5, 10 => 2, 11 => 4, 12 => 3, 13 => 1, 16 => 5 },
        'trials of all searches'
    );
    is_deeply(
        [rows(block(trials => $known))]->[5],
        ['11 users', qw(2546.0 21.2 12.3 61.4 1.82 4)],
        'the row of a trial'
    );
    is($known->{users}, undef, 'a search has no load');
    like(sentences(load => $known), qr/\AMulti-user search: pauses of 2 to 15 s times 0[.]02[.] /,
        'pauses of a search');
    my $one = sentences(capacity => of(played([search_lines(1.5, limit => 1.25, is_least => 1)])));
    is(
        $one,
        q{Capacity: at least 1 user (interpolated: 1.5) has a p95 within 1.25 times the single user's 33.7 ms; }
            . 'more were not tried.',
        'one search that found at least its capacity'
    );
    my $unknown = told('capacity.users|7');
    is($unknown->{capacity}{users}, 7, 'the capacity is used even if the score has another unit');
    is(
        sentences(capacity => $unknown),
        'Capacity: 7 users have a p95 within the limit.',
        'the words for a capacity without details'
    );
};

subtest 'numbers and loads are printed in words' => sub {
    my %shown = (
        0          => '0',
        0.00001234 => '0.0000123',
        0.9999     => '1.00',
        4.625      => '4.62',
        42.07      => '42.1',
        412_077    => '412077',
        123_456.7  => '123457',
        1e14       => '100000000000000',
    );
    is(in_plain(cell(digits => $_)),           $shown{$_}, "three digits of $_") for sort keys %shown;
    is(in_plain(cell(ms     => 1.23456)),      '1235',     'milliseconds without decimals');
    is(in_plain(cell(ms     => 0.0421)),       '42.1',     'milliseconds with a decimal');
    is(in_plain(cell(ms     => 0.0000123456)), '0.0123',   'microseconds');
    is(in_plain(cell(ms     => 0.0099999)),    '10.0',     'a number that is rounded up');
    my $known = of(played([load_lines()]));
    is(
        (block(load => $known, 20)->{sentences}[0]),
        'Multi-user load: 20 users, 236 lines each, pauses of 2 to 15 s times 0.02: 4720 lines in 61.2 s; 20 of 20 '
            . 'users finished.',
        'the load in words'
    );
    like(sentences(load => $known), qr/SHA-256 begins with 333333334444[.]\z/, 'the script in words');
    my ($plain) = groups({ users => [1], script => 'x' }, told('load.users|1'));
    is_deeply($plain->{sentences}, ['Multi-user load: 1 user.'], 'a load of which little is known');
    is_deeply($plain->{explained}, [],                           'a wrong digest is left out');
    my ($usual) = groups({ %{ asked(1) }, scale => 1 }, told('load.users|1'));
    like($usual->{sentences}[0], qr/pauses of 2 to 15 s[.]\z/, 'the pauses of the original');
    like(
        sentences(shares => $known),
        qr/took 0[.]941 s of CPU time itself, 1[.]5 % of the time/,
        'the CPU time of the driver'
    );
    is(block(trials => $known), undef, 'a single load has no table of loads');
};

subtest 'pages and Markdown show a load of users' => sub {
    my $run  = run(1, played([load_lines(lost => 1, alone => 1)]));
    my $with = result([$run], procedure => { kind => 'official', multiuser => asked(1, 20) });
    my $html = rendered(html => $with);
    like($html, qr{<p>Multi-user load: 20 users, 236 lines each, },                    'HTML: the load');
    like($html, qr{<p class="notice">2 lines failed, 2 of 20 users did not finish[.]}, 'HTML: a notice');
    like(
        $html,
        qr{<td class="text" data-label="Text">cmp -s a b \|\| echo 100% &lt;i&gt;\xc3\xa9\\xff</td>},
        'HTML: a text is escaped'
    );
    like(
        $html,
        qr{<td [^>]*data-label="Per user"[^>]*>115,089</td>},
        'HTML: a number, in groups of three digits, and its heading'
    );
    unlike(rendered(html => result([run(1, measured('pipe', 1, 5))])), qr/Multi-user/, 'HTML: nothing for other tests');
    my $markdown = rendered('markdown details' => $with);
    like($markdown, qr/^[|] user 20 +[|] 133 +[|] ended: killed by SIGKILL/m,           'Markdown: a row');
    like($markdown, qr/^[*]{2}2 lines failed, 2 of 20 users did not finish[.][*]{2}$/m, 'Markdown: the notice');
};

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

# To record these again: UB_RECORD=1 prove -Ilib features/multiuser/t/report.t
my ($incidents, $capacity) = Cases::Multiuser::cases();
are_recorded($incidents, qw(text csv log details json));
are_recorded($capacity,  qw(text csv log));

# Takes a result; returns the cases of its tests.
sub cases {
    return map { @$_ } UnixBench::Score::Cases::by_run(@_);
}

subtest 'a load that was measured and failed, because two users did not finish' => sub {
    my @tests  = (played([load_lines(lost => 1)]), measured('pipe', 1, 1000, 1010));
    my $note   = 'multi-user load: 2 lines failed, 2 of 20 users did not finish';
    my $result = result([run(1, @tests)], asked => [qw(multiuser pipe)], notes => [$note]);
    my ($case) = cases($result);
    is_deeply([grep { /multi-user/ } UnixBench::Report::Notes::of($result)], [$note], 'it has a note');
    is($case->{verdict}, 'ERROR', 'it is an error');
    like($case->{reason}, qr/\A2 lines failed, 2 of 20 users did not finish\z/, 'it has the reason');
    ok($case->{score},                             'but has its score');
    ok(UnixBench::Score::Cases::has_failed($case), 'the exit status of Run is that of a failed test');
    my $failed = { %{ $tests[0] }, status => 'failed', reason => 'no line was answered' };
    my ($without) = cases(result([run(1, $failed)], asked => ['multiuser']));
    is($without->{reason}, 'no line was answered', 'a load without a score has its own reason');
    my ($other) = cases(result([run(1, { %{ $tests[0] }, name => 'pipe' })], asked => ['pipe']));
    is($other->{verdict}, 'PASS', 'unfinished users matter only to the multi-user test');
};
subtest 'the block of a terminal counts lines' => sub {
    my $view = UnixBench::Report::View->new(result => result([run(1, played([load_lines()]))]));
    like(join("\n", UnixBench::Report::EndBlock::block_lines($view, 72)), qr/ lines a minute/, 'its unit is lines');
};
no_golden_left_over();

done_testing;
