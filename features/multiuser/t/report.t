# The multi-user load in reports. To record the reports again: UB_RECORD=1 prove -Ilib features/multiuser/t/report.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Cases::Multiuser               ();
use Fixture                        qw(measured result run);
use Golden                         qw(is_golden no_golden_left_over);
use Cases::Multiuser               qw(asked load_lines played search_lines);
use Rendered                       qw(rendered);
use UnixBench::Summary             ();
use UnixBench::Summary::Cases      ();

my ($incidents) = Cases::Multiuser::cases();
is_golden('incidents.txt', rendered(details => $incidents->{result}) =~ /^(Multi-user load.*\n)(?=\nHow sure)/ms);

# Takes numbers of users that were asked for, and lists of lines of the program; returns the details with single blanks.
sub details {
    my ($users, @passes) = @_;
    my %procedure = (kind => 'official', multiuser => asked(@$users));
    my $text      = rendered(details => result([run(1, played(@passes))], procedure => \%procedure));
    return $text =~ s/\s+/ /gr;
}

my @SCORE = ('COUNT|100|60|lpm', 'TIME|60');

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

no_golden_left_over();
done_testing;
