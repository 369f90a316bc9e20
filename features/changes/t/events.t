# Tests of the events of several series: UnixBench::Changes::Events.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use UnixBench::Changes::ChangePoints;
use UnixBench::Changes::Events;

use constant { RUNS => 30, STEP => log 1.25 };

# Takes functions from a run to the logarithm of its value; returns series with these values and noise.
sub series {
    my (@shifts) = @_;
    my @values = map {
        my $shift = $_;
        [map { $shift->($_) + ($_ % 3 - 1) / 300 + ($_ % 5 - 2) / 500 } 0 .. RUNS - 1]
    } @shifts;
    return [UnixBench::Changes::ChangePoints::of(\@values)];
}

# Takes series, and perhaps keys of some runs; returns their events, each "kind run sizes", with "?" if unconfirmed.
sub events {
    my ($series, %of) = @_;
    my @runs   = map { +{ is_evidence => 1, is_early => 0, %{ $of{$_} || {} } } } 0 .. RUNS - 1;
    my @events = UnixBench::Changes::Events::of($series, @runs);
    return join '; ', map {
        my @changes = map { sprintf('%+.0f%%', 100 * $_->{by}) . (defined $_->{last} ? " to $_->{last}" : q{}) }
            @{ $_->{changes} };
        "$_->{kind} $_->{run} @changes" . ($_->{is_confirmed} ? q{} : q{?})
    } @events;
}

my $flat = sub { 0 };
my $fall = sub { $_[0] < 12                ? 0 : -STEP };
my $rise = sub { $_[0] < 13                ? 0 : 2 * STEP };
my $dip  = sub { $_[0] < 10 || $_[0] >= 20 ? 0 : -STEP };
my $line = sub { -0.02 * $_[0] };

is(events(series($flat, $flat)), q{},                                'none');
is(events(series($fall, $flat)), 'step 12 -20%',                     'a step');
is(events(series($fall, $rise)), 'step 12 +56% -20%',                'steps at neighbouring runs, the largest first');
is(events(series($dip)),         'step 20 +25%; step 10 -20% to 19', 'a level that is over, the latest event first');
is(events(series($line)),        'drift 0 -44% to 29',               'a drift');

my $fallen = series($fall);
is(events($fallen, map { $_ => { is_early => 1 } } 0 .. 11), 'step 12 -20%?', 'in doubt: runs before it may be later');
is(events($fallen, map { $_ => { is_early => 1 } } 0 .. RUNS - 1), 'step 12 -20%', 'not if all may be wrong alike');
$_->{is_of_load} = 1 for @{ $fallen->[0]{changes} };
is(events($fallen), 'step 12 -20%?', 'other load may be the reason');

my @runs = map { +{ is_evidence => $_ == 11 ? 0 : 1 } } 0 .. RUNS - 1;
my ($event) = UnixBench::Changes::Events::of(series($fall), @runs);
is_deeply([@$event{qw(before since is_worse)}], [10, 18, 1], 'runs that are not evidence do not count');

done_testing;
