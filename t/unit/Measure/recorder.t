# Tests of the files of a run whose states are measured in turns: one journal, and a log for each state.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(host measured);
use Place    qw(names_in place);
use QuickRun qw(in_rounds);
use UnixBench::Base::Files;
use UnixBench::Base::ResultSchema;
use UnixBench::Measure::Recorder;
use UnixBench::Store::Journal;
use UnixBench::Store::OutputLock;

my %HEAD = (
    pid         => 4711,
    words       => [qw(--under env pipe)],
    environment => {},
    fingerprint => {},
    result      => {
        schema       => UnixBench::Base::ResultSchema::SCHEMA,
        version      => '8.0.0',
        procedure    => { kind => 'quick', time_factor => 1, work_factor => 1 },
        asked        => ['pipe'],
        is_brief     => 0,
        utc_offset_s => 0,
        host         => host(),
        language     => {},
        notes        => [],
    },
);

# Takes the directory of the results and what a journal has so far, if it has; returns the recorder of the run r.
sub recorder {
    my ($place, $so_far) = @_;
    my @how      = (directory => "$place", host => 'box', time_s => 0, name => 'r');
    my $lock     = UnixBench::Store::OutputLock->reserve(@how);
    my $recorder = UnixBench::Measure::Recorder->new(
        result => { %{ $HEAD{result} }, runs => [] },
        states => [{}, { command => 'nice' }]
    );
    $recorder->open_files($lock, $so_far || { runs => [], seal => q{} });
    return $recorder;
}

sub content { return UnixBench::Base::Files::content("$_[0]") }

# Takes a recorder and the numbers of passes of both states, as [state, number]. Records the two runs with these passes
# of pipe and the ends of its tests. Pass N of the first state counts N00, that of the second N01.
sub record {
    my ($recorder, @made) = @_;
    my $on   = $recorder->listeners;
    my @runs = map { { number => $_, state => $_, copies => 1, started => 5, cpu_count => 2, ended => 9 } } 0, 1;
    my @all  = map {
        my $state = $_;
        in_rounds('pipe', map { 100 * $_ + $state } 1 .. 9)
    } 0, 1;
    $_->{test} = {} for @runs;
    $on->{run_started}->($_) for @runs;
    for my $made (@made) {
        my ($state, $number) = @$made;
        my $test = $runs[$state]{test} = { %{ $all[$state] } };
        $on->{test_started}->($test, $runs[$state]) if $number == 1;
        $on->{pass_done}->({ %{ $test->{passes}[$number - 1] } }, $test, $runs[$state]);
    }
    $on->{test_done}->($_->{test}, $_) for @runs;
    $on->{run_done}->($_) for @runs;
    return;
}

my @TURNS = ([0, 1], [1, 1], [1, 2], [0, 2]);

# Takes a log; returns the counts in it.
sub counts { return join q{ }, $_[0] =~ /^# COUNT0: (\d+)$/mg }

subtest 'each state has a log, and all share the journal' => sub {
    my $place    = place();
    my $recorder = recorder($place);
    $recorder->begin(%HEAD);
    record($recorder, @TURNS);
    is_deeply(names_in($place), ["r-b.log.$$.new", qw(r.journal r.log)], 'their names');
    my %log = map { $_ => content("$place/$_") } 'r.log', "r-b.log.$$.new";
    is_deeply([map { counts($log{$_}) } 'r.log', "r-b.log.$$.new"], ['100 200', '101 201'], 'a log has its own passes');
    is(scalar(() = $log{"r-b.log.$$.new"} =~ /Pipe Throughput/g), 1, 'and one head for passes that follow each other');
    my $read   = UnixBench::Store::Journal::read_text(content("$place/r.journal"));
    my @counts = map { [map { $_->{count} } @{ $_->{passes}{pipe} }] } @{ $read->{runs} };
    is_deeply(\@counts, [[100, 200], [101, 201]], 'the journal has the passes of both runs');
    is_deeply([map { $_->{ended} } @{ $read->{runs} }], [9, 9], 'and their ends');

    $recorder->write_report(q{},       "text\n");
    $recorder->write_report('-b.html', "page\n");
    $recorder->publish(1);
    is_deeply(names_in($place), [qw(r r-b.html r-b.log r.journal r.log)], 'reports and logs get their names together');
    is(counts(content("$place/r-b.log")), '101 201', 'the log is the one that was written');
    $recorder->finish;
    is_deeply(names_in($place), [qw(r r-b.html r-b.log r.log)], 'in the end there is no journal');
};

subtest 'a resumed run writes all logs again, and only new passes to the journal' => sub {
    my $place = place();
    my $first = recorder($place);
    $first->begin(%HEAD);
    record($first, @TURNS);
    my $text   = content("$place/r.journal") =~ s/^[^\n]*"ended"[^\n]*\n//gmr;
    my $so_far = UnixBench::Store::Journal::read_text($text);
    my $later  = place();
    my $second = recorder($later, $so_far);
    record($second, @TURNS, [0, 3], [1, 3]);
    is_deeply(
        [map { counts(content("$later/$_")) } 'r.log', "r-b.log.$$.new"],
        ['100 200 300',                                '101 201 301'],
        'a log has the passes from before'
    );
    my $added = content("$later/r.journal");
    is(join(q{ }, map { $_->{count} } @{ read_passes($text . $added, 1) }), '101 201 301', 'the journal has each once');
};

subtest 'of a pass of many copies, log and journal have each, and the result some' => sub {
    my $place    = place();
    my $recorder = recorder($place);
    $recorder->begin(%HEAD);
    my $run  = { number => 0, state => 0, copies => 100, started => 5, cpu_count => 2 };
    my $test = measured('pipe', 100, 1000);
    my $pass = $test->{passes}[0];
    $recorder->listeners->{$_}->($_ eq 'run_started' ? $run : ($test, $run)) for qw(run_started test_started);
    $recorder->listeners->{pass_done}->($pass, $test, $run);
    is(scalar(() = content("$place/r.log") =~ /^# COUNT0: 1000$/mg), 100, 'the log');
    my ($kept) = @{ read_passes(content("$place/r.journal"), 0) };
    is(scalar @{ $kept->{copies} }, 100, 'the journal');
    cmp_ok(scalar @{ $pass->{copies} }, '<', 20, 'the result');
};

# Takes the text of a journal and the number of a run; returns the passes of pipe.
sub read_passes {
    my ($text, $number) = @_;
    return UnixBench::Store::Journal::read_text($text)->{runs}[$number]{passes}{pipe};
}

is_deeply([map { UnixBench::Measure::Recorder::suffix($_) } 0, 1, 5], [q{}, '-b', '-f'], 'suffixes of the states');

done_testing;
