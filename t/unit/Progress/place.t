use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use PlayedRun qw(plan play);
use UnixBench::Progress::Estimate;
use UnixBench::Progress::Plain;

my @TESTS = qw(pipe syscall execl);
my %QUICK = (seed => 1995, precision => 0.02, max_time_s => 60);

# Takes a plan and options of play; returns the place of each pass as a text.
sub places {
    my ($plan, %with) = @_;
    my $estimate = UnixBench::Progress::Estimate->new(plan => $plan, is_decided => sub { 0 });
    my @places;
    my $listeners = sub {
        my %events = map {
            my $event = $_;
            $event => sub { $estimate->$event(@_) }
        } qw(run_started pass_started pass_done round_done test_done);
        my $note = sub {
            push @places, join q{ }, map { "$_->{test}/$_->{tests} $_->{round}/$_->{rounds}" } $estimate->place;
        };
        return ({ pass_started => $note }, \%events);
    };
    play($plan, $listeners, %with);
    return @places;
}

# The outcome of a pass: it takes a little longer than planned, and its rates differ until the time is over.
sub usual {
    my ($test, $attempt) = @_;
    return ($test->{pass_s} + 0.03, 1000 * (1 + 0.3 * ($attempt % 2)));
}

subtest 'each pass has its place in the round' => sub {
    my @places = places(plan(\@TESTS, quick => \%QUICK), outcome => \&usual);
    my @tests  = map { /\A(\S+) / } @places;
    is_deeply([@tests[0 .. 5]], [('1/3', '2/3', '3/3') x 2], 'tests are counted from 1 in each round');
    my @rounds = map { m{ (\d+)/} } @places;
    is_deeply(\@rounds, [map { ($_) x 3 } 1 .. @places / 3], 'rounds are counted from 1');
    my ($last) = $places[-1] =~ m{ (\d+)/};
    cmp_ok($last, '>=', 5, 'there are several rounds');
    my ($first, undef, undef, @later) = map { m{/(\d+)\z} } @places;
    cmp_ok(abs($first - $last), '<=', 2, 'the number of rounds is known from the plan to within two');
    is_deeply(\@later, [($last) x @later], 'from the second round on, it is known');
};

subtest 'a failed test is not counted in later rounds' => sub {
    my $failing = sub { return $_[0]{name} eq 'syscall' ? (1, 'exit status 3') : usual(@_) };
    my @places  = places(plan(\@TESTS, quick => \%QUICK), outcome => $failing);
    is_deeply([map { /\A(\S+) / } @places[3 .. 6]], [('1/2', '2/2') x 2], 'two tests are left');
};

subtest 'each number of copies has rounds of its own' => sub {
    my @places = places(plan(['pipe', 'execl'], quick => \%QUICK, copies => [1, 2]), outcome => \&usual);
    my @begins = grep { m{\A1/2 1/} } @places;
    is(scalar @begins, 2, 'each begins with the first test of round 1');
};

my @TEXTS = (
    ['test 3 of 12, round 2 of about 5', 'test 3/12, round 2/5', { test => 3, tests => 12, round => 2, rounds => 5 }],
    ['test 1 of 12, round 5',            'test 1/12, round 5',   { test => 1, tests => 12, round => 5, rounds => 5 }],
    ['test 1 of 1, round 6',             'test 1/1, round 6',    { test => 1, tests => 1,  round => 6, rounds => 5 }],
);
for my $case (@TEXTS) {
    my ($long, $short, $place) = @$case;
    is_deeply([UnixBench::Progress::Plain::place_in_quick_run($place)], [$long, $short], "as a text: $long");
}

done_testing;
