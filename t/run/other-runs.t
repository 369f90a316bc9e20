# Two runs on one machine at the same time know of each other: both say so at the start or in their reports.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive qw(eventually);
use LoadedRun;
use Needs   qw(skip_without);
use Place   ();
use TestRun qw(waited);
use UnixBench::Base::JSON;

my $MESSAGE =
    qr/^Run: on this machine, (?:another Run [(]process|other Runs [(]processes) (.*)[)] (?:is|are) measuring/m;

# Starts a run that waits in its second pass; returns its place and the run. Its test takes its own time, because a pass
# that is far too late would be repeated.
sub held {
    my $test = TestRun->new(programs => { 'whetstone-double' => 'hold' }, env => { UB_HOLD_AT => 2 });
    mkdir $test->place('hold') or die "mkdir: $!\n";
    $test->{env}{UB_HOLD} = $test->place('hold');
    my $run = $test->started(qw(-q -c 1 -i 9 whetstone-double));
    ok(eventually(sub { Place::content($test->place('hold', 1)) =~ /held/ }), 'a run is in its second pass');
    return ($test, $run);
}

# Continues a run; returns what waited() returns, and its result.
sub ended {
    my ($test, $run) = @_;
    $test->write('hold', 'go-on', q{});
    my $ended = waited($run);
    is($ended->{status}, 0, 'it is measured') or diag $ended->{said};
    return ($ended, UnixBench::Base::JSON::decode($test->data));
}

# Returns the number of other Runs in the second pass, and the warning.
sub known {
    my ($result) = @_;
    my $tags     = $result->{runs}[0]{tests}[0]{passes}[1]{tags};
    my ($tag)    = grep { $_->{cause} eq 'another_run' } @$tags;
    my ($remark) = grep { $_->{kind} eq 'load' } @{ $result->{remarks} };
    return ($tag->{value} // 0, $remark->{seen} // q{});
}

SKIP: {
    skip_without(machine => '/proc of Linux') if !-e '/proc/self/stat';
    my @first  = held();
    my @second = held();
    my ($first, $of_first)   = ended(@first);
    my ($second, $of_second) = ended(@second);
    my ($pids) = $second->{said} =~ $MESSAGE;
    ok(defined $pids,                             'the second run says that another one is measuring');
    ok($pids =~ /\b$first[1]{pid}\b|\bothers?\b/, 'it has the number of its process');

    for my $case (['the first', $of_first], ['the second', $of_second]) {
        my ($which,  $result) = @$case;
        my ($number, $seen)   = known($result);
        cmp_ok($number, '>=', 1, "$which has it as a disturbance of its passes");
        like($seen, qr/^Other load: .*[0-9]+ other Runs?.* [(][1-9] of 9 passes/, "$which has a warning");
    }
}

done_testing;
