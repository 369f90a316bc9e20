use strict;
use warnings;

use File::Copy qw(copy);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive qw(eventually);
use LoadedRun;
use Needs     qw(skip_without);
use Place     ();
use TestRun   qw(waited);
use Validator qw(complaints why_no_validator);
use UnixBench::Base::JSON;

# Whole runs of the interactive tests, with a fake of interbench that prints its output at once.

my $WHY_NOT = why_no_validator();

sub place_for {
    my (%env) = @_;
    return TestRun->new(
        programs => { interbench    => "$FindBin::Bin/bin/like-interbench", syscall => 'count' },
        env      => { UB_OUTPUT_CSV => 'true', UB_OUTPUT_JSON => 'true', UB_TIME_FACTOR => 0.2, %env },
    );
}

# Returns the JSON of a place as data.
sub json { my ($test) = @_; return UnixBench::Base::JSON::decode($test->report('.json')) }

sub path_of {
    my ($test, $suffix) = @_;
    my ($name) = grep { /\Q$suffix\E\z/ } $test->reports;
    return $test->place('results', $name // 'none');
}

# A copy of each JSON. The validator starts slowly, so it checks all of them at once.
my $kept = Place::place();
my @kept;

# Tests that the page of a place can be made again from its JSON. Keeps the JSON for the validator.
sub is_sound {
    my ($test) = @_;
    push @kept, "$kept/" . @kept . '.json';
    copy(path_of($test, '.json'), $kept[-1]) or die "copy: $!\n";
    my $other = place_for();
    my $html  = $other->place('again.html');
    $other->run('report', path_of($test, '.json'), '--html', $html);
    open my $file, '<:raw', $html or return fail("$html: $!");
    local $/ = undef;
    return ok(scalar(<$file>) eq $test->report('.html'), 'the same page is made from the JSON');
}

subtest 'both tests' => sub {
    my $test = place_for();
    my $run  = $test->run(qw(-q -i 2 interactive));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'both tests are measured');
    my $report = $test->report(q{});
    is(scalar(() = $report =~ /^Benchmark Run: /mg), 1, 'both tests are in one run');
    like($report, qr/^Interactive Capacity +541[.]9 fps   \(0[.]6 s, 2 samples\)$/m, 'text: the capacity');
    like(
        $report,
        qr/^Interactive Response +812[.]5 wps   \(4[.]0 s, 2 samples\)\n\n\z/m,
        'text: the response, and no table without a baseline'
    );
    my @csv = split /\n/, $test->report('.csv');
    is_deeply(\@csv, ['Concurrency,Interactive Capacity,Interactive Response', '1,541.9,812.5'], 'CSV: both scores');
    like($test->report('.log'),  qr/^# cell[.]Hack[.]Probe0: 1000$/m,         'log: the output of the program');
    like($test->report('.html'), qr/<caption>Interactivity: frames on time</, 'HTML: the frames of each task');
    like(
        $test->report('.html'),
        qr/<caption>Interactivity: staleness, p99 of passes/,
        'HTML: the differences between passes'
    );
    my $told = json($test)->{runs}[0]{interactivity};
    is_deeply([map { $_->{passes} } @{ $told->{cells} }], [(2) x 16], 'JSON: each task under each load, twice');
    is(scalar @{ $told->{trials} }, 8, 'JSON: the trials');
    is_sound($test);
};

subtest 'one run is enough' => sub {
    my $one = place_for()->run(qw(--dry-run interactive));
    is(scalar(() = $one->{out} =~ /^\d+ parallel cop/mg), 1, 'the plan has one run if no test runs as several copies');
    like(
        $one->{out},
        qr/^  interactive-response +Interactive Response +1 x 8[.]4 s$/m,
        'the plan has the duration of a pass'
    );
    my $with = place_for()->run(qw(-q -c 1 -c 2 -i 1 interactive syscall));
    is($with->{status}, 0, 'a run with other tests and several copies succeeds');
    my (undef, undef, $two) = split /^-{72}\n/m, $with->{out};
    my $why = 'no measured results: skipped: interactive tests run as one copy';
    is(scalar(() = $two =~ /^Interactive \w+ +$why$/mg), 2, 'each interactive test has the reason why it was skipped');
    like($two, qr/^System Call Overhead .* samples\)$/m, 'the other test is measured twice');
    is(place_for()->run(qw(-q -c 2 interactive))->{status}, 0, 'a run in which all tests are skipped succeeds');
};

subtest 'without its program' => sub {
    my $test = TestRun->new;
    is($test->run(qw(-q interactive-capacity))->{status}, 1, 'a test that was asked for is skipped: exit status 1');
    like(
        $test->report(q{}),
        qr/^Interactive Capacity +no measured results: skipped: there is no program interbench; it is for Linux$/m,
        'the report says why'
    );
};

my %FAILURES = (
    'the program fails'   => [{ LIKE_INTERBENCH => 'error' }, 'Hack ended: killed by SIGSEGV'],
    'passes of no second' => [
        { UB_TIME_FACTOR => 0.1 },
        'Probe had 500 frames under Burn, and its 99th percentile needs 1000: 0.5 s are too short'
    ],
);

for my $what (sort keys %FAILURES) {
    my ($env, $why) = @{ $FAILURES{$what} };
    subtest $what => sub {
        my $test = place_for(%$env);
        my $run  = $test->run(qw(-q interactive-response));
        is($run->{status}, 1, 'exit status 1');
        is(
            $run->{err},
            qq{Run: "Interactive Response": $why (pass 1, copy 1); aborting this test\n},
            'one line has the reason'
        );
        is(json($test)->{runs}[0]{interactivity}, undef, 'the JSON has no interactivity');
        is_sound($test);
    };
}

subtest 'the program prints malformed lines' => sub {
    my $test = place_for(LIKE_INTERBENCH => 'malformed');
    my $run  = $test->run(qw(-q --details interactive));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'both tests are measured');
    my $told = json($test)->{runs}[0]{interactivity};
    is_deeply([map { scalar @$_ } @$told{qw(cells trials)}], [12, 0], 'the JSON has what was understood');
    is_sound($test);
};

subtest 'interrupted and resumed' => sub {
    my @words = qw(-q -i 3 interactive);
    my $whole = place_for();
    $whole->run(@words);
    my $test = place_for();
    my $run  = $test->started(@words);
    ok(eventually(sub { ($test->report('.journal') =~ /"test":"interactive-response"/) }),
        'a pass of each test is finished');
    kill TERM => $run->{pid};
    is(waited($run)->{signal}, 15, 'the run ends by the signal');
    my $so_far = json($test)->{runs}[0]{interactivity};
    ok($so_far->{cells}[0]{passes} =~ /\A[12]\z/, 'the JSON has the passes before the interruption');
    is_sound($test);
    is($test->run(qw(-q --resume), path_of($test, '.journal'))->{status}, 0, 'the run is resumed');
    is_deeply(
        json($test)->{runs}[0]{interactivity},
        json($whole)->{runs}[0]{interactivity},
        'the cells are those of an uninterrupted run'
    );
    is_deeply($test->scores, $whole->scores, 'the scores are those of an uninterrupted run');
};

subtest 'a quick run' => sub {
    my $test = place_for(UB_TIME_FACTOR => 1);
    my $run  = $test->run(qw(-q --quick interactive));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a quick run is measured');
    my ($measured) = @{ json($test)->{runs} };
    is($measured->{interactivity}{cells}[0]{passes}, $measured->{rounds}, 'each short pass has a cell');
    is_sound($test);
};

SKIP: {
    skip_without(@$WHY_NOT, 1) if $WHY_NOT;
    is_deeply([complaints(@kept)], [map { q{} } @kept], 'the JSON of each run is valid');
}

done_testing;
