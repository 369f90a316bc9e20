use strict;
use warnings;

use Test::More;

use UnixBench::Command;
use UnixBench::Multiuser::Load;
use UnixBench::Report::Notes;

my $SCRIPT = { path => '/s/my script', lines => 221, extract_lines => 40, sha256 => 'a' x 64 };

# Takes words of the command line after multiuser; returns the load that they ask for.
sub load {
    my ($words, %with) = @_;
    my $options = UnixBench::Command::parse('multiuser', split ' ', $words);
    return UnixBench::Multiuser::Load::of($options, script => $SCRIPT, cpu_count => 4, factor => 1, %with);
}

# [words of the command line, the load in the procedure of a result, without the script].
my %USUAL = (users => [20], think_min_s => 2, think_max_s => 15, scale => 0.02);
my @TOLD  = (
    [q{}                                        => {%USUAL}],
    ['--users 5'                                => { %USUAL, users       => [5] }],
    ['--users 20 --users 1 --users 2000'        => { %USUAL, users       => [20, 1, 2000] }],
    ['--think 0-0'                              => { %USUAL, think_min_s => 0,   think_max_s => 0 }],
    ['--think 0.50-3600'                        => { %USUAL, think_min_s => 0.5, think_max_s => 3600 }],
    ['--scale 1000'                             => { %USUAL, scale       => 1000 }],
    ['--find-capacity'                          => { %USUAL, users       => [], limit => 2 }],
    ['--find-capacity --limit 1.50 --scale 0.1' => { %USUAL, users       => [], limit => 1.5, scale => 0.1 }],
);

for my $case (@TOLD) {
    my ($words, $told) = @$case;
    is_deeply(
        UnixBench::Multiuser::Load::procedure(load($words)),
        { %$told, script => 'a' x 64 },
        "load in the procedure: $words"
    );
}
my $unread = load(q{}, script => { path => '/s', why_not => q{can't read /s} });
is(UnixBench::Multiuser::Load::procedure($unread), undef, 'a load without a script is not in the procedure');

# [words of the command line, time factor, words for the program].
my @WORDS = (
    [q{},                                1,        '20 | 2-15 | 0.02 | none'],
    ['--users 20 --users 1',             1,        '20,1 | 2-15 | 0.02 | none'],
    ['--think 0.10-3600.000000',         1,        '20 | 0.1-3600 | 0.02 | none'],
    ['--scale 0.000001',                 0.000001, '20 | 2-15 | 0.000000000001 | none'],
    ['--scale 1000',                     0.25,     '20 | 2-15 | 250 | none'],
    [q{},                                0.2,      '20 | 2-15 | 0.004 | none'],
    ['--find-capacity',                  1,        ' | 2-15 | 0.02 | 2'],
    ['--find-capacity --limit 1.000001', 1,        ' | 2-15 | 0.02 | 1.000001'],
);

for my $case (@WORDS) {
    my ($asked, $factor, $expected) = @$case;
    my $words = UnixBench::Multiuser::Load::words(load($asked, factor => $factor));
    is(join(' | ', map { $_ // 'none' } @$words{qw(users think scale limit)}),
        $expected, "words for the program: $asked, factor $factor");
    is($words->{script}, '/s/my script', "script for the program: $asked, factor $factor");
}

subtest 'the duration of a load is estimated' => sub {
    my $pass_s = sub { return UnixBench::Multiuser::Load::pass_s(load(@_)) };
    is($pass_s->('--users 1'),             39.3, 'one user: the lines with their pauses');
    is($pass_s->('--users 4'),             39.3, 'as many users as CPUs take no longer');
    is($pass_s->('--users 40'),            55.2, 'ten times as many users wait for each other');
    is($pass_s->('--users 4 --users 40'),  94.6, 'two loads are run one after the other');
    is($pass_s->('--users 4 --think 0-0'), 1.8,  'users without pauses');
    is($pass_s->('--find-capacity'),       88,   'a search runs trials with the extract');
    is($pass_s->('--find-capacity', script => { %$SCRIPT, extract_lines => 10 }),
        22, 'a shorter extract takes less time');
    is(UnixBench::Multiuser::Load::pass_s(UnixBench::Multiuser::Load::usual()),
        undef, 'the duration is unknown if the script was not read');
    is(UnixBench::Multiuser::Load::limit_s(load('--users 1')), 717.9, 'the time limit is far longer');
};

subtest 'the demand of a load is estimated' => sub {
    my $needs = sub { return UnixBench::Multiuser::Load::needs(load(@_)) };
    my $usual = $needs->(q{});
    is_deeply(
        $usual,
        { processes => 68, memory_kb => 60_000 + 4 * 12_288, scratch_kb => 16_000, output_kb => 200, text_kb => 0 },
        'twenty users, and a compiler for each CPU'
    );
    is($needs->('--users 3')->{memory_kb}, 9000 + 3 * 12_288, 'a compiler for each user, if users are fewer than CPUs');
    is_deeply($needs->('--users 20 --users 3 --users 1'), $usual, 'the demand is that of the largest load');
    is($needs->('--find-capacity')->{processes}, 3 * 256 + 8, 'a search needs processes for the users that it may try');
    is($needs->('--find-capacity', cpu_count => 64)->{processes}, 3 * 1024 + 8, 'a search tries 1,024 users at most');
    my $most = sub { return UnixBench::Multiuser::Load::users_most(load('--find-capacity ' . shift, cpu_count => 2)) };
    is($most->('--scale 0.1'), 434,  'longer pauses allow more users: 2 x 2 x (2 + 0.85 / 0.008), rounded up');
    is($most->('--scale 1'),   1024, 'the number of users is 1,024 at most');
    is($most->('--limit 100'), 486,  'a higher limit allows more users: 2 x 2 x (100 + 0.17 / 0.008)');
};

# Words of the command line => the note on how the load differs from the usual one, or undef if it does not.
my %CHANGES = (
    q{}                            => undef,
    '--users 20'                   => undef,
    '--scale 0.020 --think 2-15.0' => undef,
    '--find-capacity'              => undef,
    '--find-capacity --limit 2.0'  => undef,
    '--users 5'                    => 'multi-user: 5 users, 221 lines, pauses of 0.04 to 0.3 s',
    '--users 1 --users 20'         => 'multi-user: 1 user, then 20 users, 221 lines, pauses of 0.04 to 0.3 s',
    '--think 1-4'                  => 'multi-user: 20 users, 221 lines, pauses of 0.02 to 0.08 s',
    '--scale 1'                    => 'multi-user: 20 users, 221 lines, pauses of 2 to 15 s',
    '--script /s/my'               => 'multi-user: 20 users, 221 lines, pauses of 0.04 to 0.3 s, another script',
    '--find-capacity --limit 3'    => q{multi-user: p95 at most 3 x a single user's, 40 lines, pauses of 0.04 to 0.3 s},
);
for my $words (sort keys %CHANGES) {
    my $options = UnixBench::Command::parse('multiuser', split ' ', $words);
    is(change_in_words($options, load($words)), $CHANGES{$words}, "note on the load: $words");
}
is_deeply([UnixBench::Multiuser::Load::change({}, undef)], [], 'without a load there is no change');
is(
    change_in_words({ users => [5] }, load('--users 5', factor => 0.5)),
    'multi-user: 5 users, 221 lines, pauses of 0.02 to 0.15 s',
    'the note has the shortened pauses'
);
is(scalar UnixBench::Multiuser::Load::change({}, load(q{}, factor => 0.5)),
    undef, 'shortened pauses alone are not a change');
is_deeply(
    UnixBench::Multiuser::Load::change({ users => [5], script => '/s/my' }, load('--users 5')),
    { users => [5], limit => undef, lines => 221, pause_min_s => 0.04, pause_max_s => 0.3, has_other_script => 1 },
    'a change has these keys'
);

# Takes options and a load; returns the note on how the load differs from the usual one, or nothing if it does not.
sub change_in_words {
    my ($options, $load) = @_;
    my $change = UnixBench::Multiuser::Load::change($options, $load) // return;
    return UnixBench::Report::Notes::of_changes({ kind => 'load', load => $change }) =~ s/\Achanged procedure: //r;
}

# Words of the command line => description of the load.
my %IN_WORDS = (
    '--users 1'                           => '1 user, 221 lines, pauses of 0.04 to 0.3 s',
    '--users 20 --users 1 --think 0-0'    => '20 users, then 1 user, 221 lines, pauses of 0 to 0 s',
    '--find-capacity --limit 2.5'         => q{p95 at most 2.5 x a single user's, 40 lines, pauses of 0.04 to 0.3 s},
    '--users 2 --scale 1 --think 2.5-3.5' => '2 users, 221 lines, pauses of 2.5 to 3.5 s',
);
is(UnixBench::Multiuser::Load::in_words(load($_)), $IN_WORDS{$_}, "description of a load: $_") for sort keys %IN_WORDS;
is(
    UnixBench::Multiuser::Load::in_words($unread),
    '20 users, pauses of 0.04 to 0.3 s',
    'description of a load without a script'
);

done_testing;
