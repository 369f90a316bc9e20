use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive       qw(eventually);
use MultiUser   qw(begin end_of is_clean play);
use Needs       qw(need_built);
use TestProgram qw(count_of is_error);

# The search for the capacity by the program itself. Users need something that only one can have at a time, so that the
# answer follows from the number of users, not from the machine.
need_built('multiuser');

my $QUEUE = 'until mkdir ../taken 2>/dev/null; do sleep 0.01; done; sleep 0.01; rmdir ../taken';
my @LINES = ('#= extract', ($QUEUE) x 5, '#= whole', 'false');
my @PACE  = qw(--find-capacity --think 2-15 --scale 0.006);

subtest 'users in a queue' => sub {
    my $load = play({}, \@LINES, @PACE);
    is $load->{status}, 0, 'status' or diag $load->{err};
    my ($users, $timebase, $unit) = count_of($load);
    is "$timebase $unit", '0 users', 'a number of users, no rate';
    my $within = $load->{said}{'capacity.users'};
    cmp_ok $users, '>=', $within, 'the score is not below those that were within';
    my %p95   = map { /\Atrial[.](\d+)[.]4\z/ ? ($1 => $load->{said}{$_}) : () } keys %{ $load->{said} };
    my $alone = $load->{said}{'capacity.alone_p95_s'};
    cmp_ok $p95{$within}, '<=', 2 * $alone, 'p95 is within twice the single one' if $within > 1;
    my ($beyond) = sort { $a <=> $b } grep { $_ > $within } keys %p95;
    cmp_ok $beyond - $within, '<=', $within < 32 ? 1 : $within / 16, 'a little more was tried';
    cmp_ok $p95{$beyond},     '>',  2 * $alone,                      'and was beyond';
    cmp_ok $users,            '<=', $beyond,                         'the score is between them';
    is scalar(() = $load->{err} =~ /^trial[.]1[.]/mg), 1,   'of the trials of one user one is told';
    is $load->{said}{'trial.1.0'},                     5,   'lines of the extract only';
    is $load->{said}{'capacity.is_least'},             0,   'not a lower bound';
    is $load->{said}{'capacity.limit'},                2,   'the limit';
    is $load->{out},                                   q{}, 'what users print in trials is not kept';
    is_clean($load, 'afterwards');
};

subtest 'a line that fails' => sub {
    my $load = play({}, ['true', 'test "${PWD##*000}" = 1'], @PACE);
    is_error($load, 1, 'user \d+ of \d+, line 2: exit status 1 instead of 0', 'in a trial');
    is_clean($load, 'afterwards');
};

subtest 'interrupted' => sub {
    my $begun = begin({}, ['sleep 1000'], @PACE);
    eventually(sub { return -e "$begun->{home}/user0001" });
    kill TERM => $begun->{running}{pid};
    my $load = end_of($begun);
    is $load->{status}, -15, 'it ends as the signal asks';
    unlike $load->{err}, qr/COUNT|capacity/, 'no result';
    is_clean($load, 'afterwards');
};

done_testing;
