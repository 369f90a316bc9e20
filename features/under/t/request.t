# What a call with --under asks for.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use Requested qw(request);

subtest 'a run of several states is a quick one, with goals of its own' => sub {
    my $goals = sub { my $quick = request(split q{ }, shift)->quick; return [@$quick{qw(precision max_time_s)}] };
    is_deeply($goals->('--under env pipe'), [0.01, 120], 'the precision of ratios, a minute for each state');
    is_deeply($goals->('--under env --under env pipe'),                 [0.01, 180], 'for three states');
    is_deeply($goals->('--under env --precision 3 --max-time 99 pipe'), [0.03, 99],  'given goals are for all states');
    my $request = request(qw(--under env index));
    is_deeply([map { $_->{command} } @{ $request->plan->{states} }], [undef, 'env'], 'the plan has the states');
    my $alone = request(qw(--quick index))->plan->{quick}{max_time_s};
    is($alone,                              60,  'eight rounds of the index fit into a minute');
    is($request->plan->{quick}{max_time_s}, 120, 'and those of two states into two');
    is(    # 3 s, and 1.1 times 8 rounds and a warm-up: 2 * (8 * 0.94 + 0.24) s
        eval { request(qw(--under env --max-time 20 pipe shell1))->check_time; 1 } // $@,
        'option --max-time: 20 s is too short for 8 rounds of these tests; use --max-time 21s or more' . "\n",
        'a time for fewer than eight rounds of all states is refused'
    );
};

done_testing();
