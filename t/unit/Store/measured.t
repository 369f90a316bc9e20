use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(@INDEX failed host measured quick_run rendered result run skipped sliced tag tagged);
use Gallery qw(results);
use Place   qw(content write_file);
use UnixBench::Store::Measured;
use UnixBench::Features;
use UnixBench::Store::EarlierRuns;

# Tests of the check of what was measured, which each result passes before it is printed, judged or written, and when it
# is read: UnixBench::Store::Measured.

# Returns a new result of two tests, official or quick.
sub official { return result([run(2, measured('pipe', 2, 5e6, 5.1e6, 5.2e6), measured('spawn', 2, 2e5, 2.1e5))]) }

sub quick {
    return result([quick_run(3, 1, sliced('pipe', 1, 5e6, 5.1e6, 5.2e6))],
        procedure => { kind => 'quick', time_factor => 1, work_factor => 1, replacements => [], resumptions => [] });
}

# Takes a result; returns the reason why it is refused, or "nothing".
sub said {
    my ($result) = @_;
    my $is_sound = eval { UnixBench::Store::Measured::check($result); 1 };
    return $is_sound ? 'nothing' : $@;
}

for my $case (results()) {
    is(said($case->{result}), 'nothing', "a sound result: $case->{name}");
}
is(said(result([run(1, failed('pipe', 'no COUNT line'), skipped('spawn', 'no room'))])),
    'nothing', 'a result without a score');

# Each part of a result, for the alterations.
my ($run, $test, $pass, $copy);

# [what is wrong, how, the reason].
#<<< a table
my @WRONG = (
    ['no number of a pass'      => sub { $pass->{number} = 'x' },
        'runs[0].tests[0].passes[0].number: not a whole number from 1'],
    ['the same pass again'      => sub { $test->{passes}[1]{number} = 1 }, 'pipe: the passes are out of order'],
    ['a count of 0'             => sub { $pass->{count} = 0 },
        'runs[0].tests[0].passes[0].count: not a number from 1e-60 to 1e60'],
    ['a rate beyond all limits' => sub { $_->{count} = 1e50 for $pass, $copy }, 'pipe: a rate is out of range'],
    ['a pass without copies'    => sub { $pass->{copies} = [] },         'pipe: a pass has no copies'],
    ['a copy without a count'   => sub { $copy->{data} = {} },           'pipe: a copy has no valid count'],
    ['both a count and an error' => sub { $pass->{error} = 'x' },
        'pipe: a pass must have either a count or an error'],
    ['skipped and measured'     => sub { $test->{status} = 'skipped' },
        'pipe: its status and its score contradict each other'],
    ['measured without a score' => sub { undef $test->{score} },
        'pipe: its status and its score contradict each other'],
    ['a test twice'             => sub { push @{ $run->{tests} }, $test }, 'pipe appears twice'],
    ['half a CPU'               => sub { $run->{cpu_count} = 2.5 },
        'runs[0].cpu_count: not a whole number from 1'],
    ['no copies'                => sub { $run->{copies} = 0 },           'runs[0].copies: not a whole number from 1'],
    ['an end before the beginning' => sub { $run->{ended} = 5 },         'a run ends before it begins'],
    ['rounds of an official run' => sub { $run->{rounds} = 3 },
        'a run has rounds, but the procedure is not quick'],
    ['an unknown procedure'     => sub { $_->{procedure}{kind} = 'slow' }, 'procedure.kind: not a known word'],
    ['an index with a test without a score'
                                => sub { $run->{indexes}[0]{rows}[0]{name} = 'x' },
        'an index has the test x, which was not measured'],
    ['an index without a number' => sub { undef $run->{indexes}[0]{index} },
        'an index must have either a number or a reason'],
    ['a baseline of 0'          => sub { $run->{indexes}[0]{rows}[0]{baseline} = 0 },
        'runs[0].indexes[0].rows[0].baseline: not a number from 1e-150 to 1e150'],
    ['no runs'                  => sub { undef $_->{runs} },             'runs: not a list'],
    ['no host'                  => sub { delete $_->{host} },            'host is missing'],
);
#>>>

for my $case (@WRONG) {
    my ($what, $how, $why) = @$case;
    local $_ = official();
    ($run)  = @{ $_->{runs} };
    ($test) = @{ $run->{tests} };
    ($pass) = @{ $test->{passes} };
    ($copy) = @{ $pass->{copies} };
    $how->();
    is(said($_), "$why\n", "refused: $what");
}

subtest 'a quick run' => sub {
    is(said(quick()), 'nothing', 'it is sound');
    my $result = quick();
    delete $result->{runs}[0]{rounds};
    is(said($result), "a run of a quick procedure has no rounds\n", 'without its rounds it is refused');
};

subtest 'a clock that was set during the run' => sub {
    my $result = official();
    @{ $result->{runs}[0] }{qw(ended clock_set_s)} = (5, -1_795_140_000);
    is(said($result), 'nothing', 'then a run may end before it begins');
    @{ $result->{runs}[0] }{qw(started ended clock_set_s)} = (8, 1_795_140_403, 1_795_139_992);
    is(said($result), 'nothing', 'and it may seem to last for years');
};

subtest 'keys that only a run in progress has' => sub {
    my $result = official();
    $result->{runs}[0]{state} = 0;
    is(said($result), 'nothing', 'they are ignored');
};

# Tests of what earlier runs in the directory of results show: UnixBench::Store::EarlierRuns.

use constant START => 1_795_140_750;

my @complaints;
sub complain { push @complaints, @_; return }

# Takes a factor, and parts of a result; returns it. Its tests are two by default, whose passes vary by less than 0.1 %.
# The rate of the first test is multiplied by the factor, that of the second by its square, and so on.
sub made {
    my ($factor, %with) = @_;
    my @tests  = @{ delete $with{tests} || [qw(pipe spawn)] };
    my @counts = map { 1_000_000 + 100 * $_ } 1, 5, 2, 4, 3;
    my $power  = 0;
    my $run    = run(
        1,
        map {
            my $by = $factor**++$power;
            measured($_, 1, map { int $by * $_ } @counts)
        } @tests
    );
    $run->{started} = START + (delete $with{hours} // 0) * 3600;
    return result([$run], %with);
}

# Takes results; returns a directory with their pages.
sub directory_of {
    my $place  = File::Temp->newdir;
    my $number = 100;
    for my $result (@_) {
        my $path = write_file("$place/" . $number++ . '.html', rendered(html => $result));
        utime $result->{runs}[0]{started}, $result->{runs}[0]{started}, $path;
    }
    return $place;
}

# Takes results; returns what they show the next one about a value, by default of the test pipe.
sub shown {
    my ($results, $what, %own) = @_;
    my $place = directory_of(@$results);
    my ($all) = UnixBench::Store::EarlierRuns::of($place, \&complain, made(1, hours => 1000, %own));
    my ($one) = grep { "$_->{kind} $_->{name}" eq ($what // 'test pipe') } @{ $all || [] };
    return $one;
}

subtest 'runs of the same machine are added' => sub {
    my @three = map { made($_->[0], hours => $_->[1]) } [1.01, 1], [0.99, 2], [1, 3];
    my $pipe  = shown(\@three);
    is($pipe->{runs},  3,            'three runs');
    is($pipe->{since}, START + 3600, 'since the first of them');
    cmp_ok(abs($pipe->{squares} - 2e-4), '<', 2e-6, 'two of them differ from their mean by 1 %');
    cmp_ok($pipe->{within},              '<', 1e-6, 'their passes hardly vary');
    is(shown(\@three, 'test spawn')->{runs}, 3, 'each value has its own');
};

subtest 'an index of some tests' => sub {
    my @three = map { made($_->[0], hours => $_->[1]) } [1.01, 1], [0.99, 2], [1, 3];
    my $index = shown(\@three, 'index system');
    is($index->{runs}, 3, 'is known from runs of the same tests');
    cmp_ok(abs($index->{squares} - 4.5e-4), '<', 5e-6, 'two of them differ by the mean of 1 and 2 %');
    my ($pipe, $spawn) = map { shown(\@three, "test $_")->{within} } qw(pipe spawn);
    cmp_ok(abs($index->{within} / (($pipe + $spawn) / 4) - 1), '<', 1e-6, 'its passes vary as those of both tests');
    is(shown([map { made(1, hours => $_, tests => [@INDEX]) } 1, 2], 'index system')->{runs}, 2, 'of more tests');
    is(shown([@three, made(1, hours => 4, tests => ['pipe'])], 'index system')->{runs}, 3, 'but not from fewer');
    is(shown(\@three, 'index system', tests => ['pipe']), undef, 'that of one test is that of the test');
    my %programs = (facts => { programs => { spawn => 'aa' x 32 } });
    is(shown([@three, made(1, hours => 4, %programs)], 'index system')->{runs}, 3, 'nor with another program');
};

subtest 'results of several states' => sub {
    my $place   = directory_of(map { made(1, hours => $_) } 1, 2);
    my $of_file = UnixBench::Store::ResultFile->can('outlines');
    my $read    = 0;
    no warnings 'redefine';
    local *UnixBench::Store::ResultFile::outlines = sub { $read++; return $of_file->(@_) };
    my ($first, $second) = UnixBench::Store::EarlierRuns::of($place, \&complain, map { made(1, hours => $_) } 3, 2);
    is_deeply([map { $_->[0]{runs} } $first, $second], [2, 1], 'each has its own earlier runs');
    is($read, 2, 'each page is read once');
};

# Takes a cause, returns a run of which it disturbed all passes.
sub disturbed {
    my ($cause) = @_;
    my $run = made(0.5, hours => $cause eq 'steal' ? 4 : 3);
    $_ = tagged($_, { map { $_ => [tag($cause => disturbed => 0.5)] } 1 .. 5 }) for @{ $run->{runs}[0]{tests} };
    return $run;
}

subtest 'other runs tell nothing' => sub {
    my @usual   = map { made(1, hours => $_) } 1, 2;
    my $is_only = sub {
        my ($name, @others) = @_;
        is(shown([@usual, @others])->{runs}, 2, $name);
    };
    $is_only->('another host',      made(0.5, hours => 3, host      => host(name => 'other')));
    $is_only->('another procedure', made(0.5, hours => 3, procedure => { kind => 'official', time_factor => 2 }));
    $is_only->('another CPU', made(0.5, hours => 3, facts => { cpu => { models => [{ model => 'X', count => 2 }] } }));
    $is_only->('another quota', made(0.5, hours => 3, facts => { cgroup => { cpus => 0.5 } }));
    $is_only->('a run that came later',           made(0.5, hours => 2000));
    $is_only->('a run that other load disturbed', disturbed('others'));
    is(shown([@usual, map { disturbed($_) } qw(steal throttled)])->{runs}, 4, 'what the host did is of the machine');
    my $link = directory_of(@usual);
    symlink "$link/101.html", "$link/latest$_.html" or die "latest$_.html: $!\n" for 1 .. 4;
    write_file("$link/copy.html", content("$link/101.html"));
    is((UnixBench::Store::EarlierRuns::of($link, \&complain, made(1, hours => 9)))[0][0]{runs}, 2, 'nor is a copy');
    my %programs = (facts => { programs => { pipe => 'aa' x 32 } });
    is(shown([@usual, made(0.5, hours => 3, %programs)], 'test pipe')->{runs},  2, 'another program');
    is(shown([@usual, made(0.5, hours => 3, %programs)], 'test spawn')->{runs}, 3, 'of which other tests know nothing');
};

subtest 'runs before a change tell nothing, before it is confirmed' => sub {
    for my $case ([[2, 1], 1], [[1, 1.01, 0.99, 2], 1], [[1, 1.01, 0.99, 1.3, 1.31], 2], [[1, 2, 1, 2], 4]) {
        my ($factors, $runs) = @$case;
        my @runs   = map { made($factors->[$_], hours => $_ + 1) } 0 .. $#$factors;
        my $place  = directory_of(@runs);
        my ($all)  = UnixBench::Store::EarlierRuns::of($place, \&complain, made($factors->[-1], hours => 9));
        my ($pipe) = grep { $_->{name} eq 'pipe' } @$all;
        is($pipe->{runs}, $runs, "after @$factors");
    }
    }
    if UnixBench::Features::first(commands => 'history');    # of the histories

subtest 'a run knows results that began later' => sub {
    my $place = directory_of(map { made(1, hours => $_) } 1, 30);
    my @own   = map { made(1, hours => $_) } 20, 40;
    UnixBench::Store::EarlierRuns::of($place, \&complain, @own);
    is_deeply([map { $_->{follows} } @own], [START + 30 * 3600, undef], 'one of both clocks was wrong');
};

subtest 'the latest runs count' => sub {
    my $pipe = shown([map { made(1, hours => $_) } 1 .. 52]);
    is_deeply([@$pipe{qw(runs since)}], [50, START + 3 * 3600], 'the last fifty');
};

subtest 'a directory without results shows nothing' => sub {
    is(shown([]), undef, 'it is empty');
    is_deeply([UnixBench::Store::EarlierRuns::of('/nowhere', \&complain, made(1))], [undef], 'it does not exist');
    my $place = directory_of(made(1));
    write_file("$place/torn.html", '<!DOCTYPE html>');
    my ($all) = UnixBench::Store::EarlierRuns::of($place, \&complain, made(1, hours => 1));
    is($all->[0]{runs}, 1, 'a torn page is left out');
};

done_testing;
