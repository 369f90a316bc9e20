# Processes that the system refused to start for a test, as a copy tells by "REFUSED|number": the pass is marked.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use TestRun;
use UnixBench::Base::JSONReader;
use UnixBench::Noise::Disturbances;
use UnixBench::Remarks::Wording qw(tag_text);

# What the copies of a pass said, and how many were refused in all.
#<<< a table
my @CASES = (
    ['no copy says it',     [undef, undef],     undef],
    ['none was refused',    [0, 0],             undef],
    ['one copy',            [132],              132],
    ['of two copies one',   [undef, 7],         7],
    ['the sum of all',      [1, 2, 40],         43],
    ['nonsense',            ['x', q{}, '-1'],   undef],
    ['nonsense beside',     ['x', 5],           5],
);
#>>>

for my $row (@CASES) {
    my ($name, $said, $count) = @$row;
    my @copies   = map { { data => { COUNT => [1, 1, 'lps'], defined ? (REFUSED => [$_]) : () } } } @$said;
    my @expected = defined $count ? { cause => 'refused', level => 'disturbed', value => $count } : ();
    is_deeply([UnixBench::Noise::Disturbances::refused(\@copies)], \@expected, $name);
}

my $tag = { cause => 'refused', level => 'disturbed', value => 132 };
is(tag_text($tag), 'refused processes: 132 refusals', 'in words');
ok(!UnixBench::Noise::Disturbances::is_worth_repeating($tag), 'a limit will not be gone a second later');

subtest 'through the whole of Run' => sub {
    local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";
    my $test = TestRun->new(env => { UB_OUTPUT_JSON => 'true' });
    $test->replay(
        spawn => 1 => ['COUNT|1000|1|lps TIME|1', 'COUNT|400|1|lps TIME|1 REFUSED|132', 'COUNT|990|1|lps TIME|1']);
    my $run = $test->run(qw(-q -c 1 -i 9 --details --markdown), $test->place('md'), 'spawn');
    is($run->{status}, 0, 'measured') or diag $run->{said};
    my @passes = @{ UnixBench::Base::JSONReader::decode($test->report('.json'))->{runs}[0]{tests}[0]{passes} };
    is_deeply([map { $_->{tags} } @passes], [[], [$tag], []], 'the pass has the tag');
    like($test->report('.json'), qr/"kind":"refused"/,                                            'JSON remarks it');
    like($test->report('.html'), qr/refused processes: 132 refus/,                                'the page shows it');
    like($run->{out},            qr/^Process Creation +refused processes +1 of 3 +132 refusals/m, 'so do the details');
    like(
        $run->{out} =~ s/\s+/ /gr,
        qr/the system refused to start processes.*too low.*pids[.]max.*ulimit -u/,
        'in words'
    );
    open my $file, '<', $test->place('md') or die "md: $!\n";
    like(join(q{}, <$file>),    qr/the system refused to start processes/, 'Markdown, too');
    like($test->report('.log'), qr/^# REFUSED: 132$/m,                     'the log has what was said');
    unlike($test->report(q{}), qr/refused/i, 'the classic report is as ever');
};

done_testing;
