# Processes that the system refused to start during a test: a copy reports "REFUSED|number", and the pass is marked.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use TestRun;
use UnixBench::Base::JSON;
use UnixBench::Noise::Disturbances;
use UnixBench::Warnings::Wording qw(tag_text);

# [the numbers that the copies of a pass reported, the refusals of the pass].
for my $case ([[undef, undef], 0], [[undef, 7, 40], 47], [['x', q{}, '-1', 5], 5]) {
    my ($said, $count) = @$case;
    my @copies = map { { data => { COUNT => [1, 1, 'lps'], defined ? (REFUSED => [$_]) : () } } } @$said;
    is(UnixBench::Noise::Disturbances::refusals(\@copies), $count, "$count refusals");
}

my $tag = { cause => 'refused', level => 'disturbed', value => 132 };
is(tag_text($tag), 'refused processes: 132 refusals', 'refusals in words');
ok(!UnixBench::Noise::Disturbances::is_worth_repeating($tag), 'a pass with refusals is not repeated');

subtest 'a run with refusals' => sub {
    local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";
    my $test = TestRun->new(env => { UB_OUTPUT_JSON => 'true' });
    $test->replay(
        spawn => 1 => ['COUNT|1000|1|lps TIME|1', 'COUNT|400|1|lps TIME|1 REFUSED|132', 'COUNT|990|1|lps TIME|1']);
    my $run = $test->run(qw(-q -c 1 -i 9 --details --markdown), $test->place('md'), 'spawn');
    is($run->{status}, 0, 'the run succeeds') or diag $run->{said};
    my @passes = @{ UnixBench::Base::JSON::decode($test->report('.json'))->{runs}[0]{tests}[0]{passes} };
    is_deeply([map { $_->{tags} } @passes], [[], [{ %$tag, by => undef }], []], 'the pass has the tag');
    like($test->report('.json'), qr/"kind":"refused"/, 'the JSON has a warning');
    like(
        $test->report('.html'),
        qr/the system refused to start processes, with up to 132 refusals in a pass/,
        'the page shows the refusals'
    );
    like(
        $run->{out} =~ s/\s+/ /gr,
        qr/the system refused to start processes.*pids[.]max.*ulimit -u/,
        'the details explain the refusals'
    );
    open my $file, '<', $test->place('md') or die "md: $!\n";
    like(join(q{}, <$file>),    qr/the system refused to start processes/, 'the Markdown has the warning');
    like($test->report('.log'), qr/^# REFUSED: 132$/m,                     'the log has the number of refusals');
    unlike($test->report(q{}), qr/refused/i, 'the classic report is as usual');
};

done_testing;
