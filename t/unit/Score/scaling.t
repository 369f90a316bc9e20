use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use TextTable                qw(row_texts);
use Fixture                  qw(measured result run);
use KnownView                ();
use Place                    qw(text_of);
use UnixBench::Report::Block qw(within);
use UnixBench::Report::Topic::Scores;
use UnixBench::Score::Scaling;
use UnixBench::Summary;
use UnixBench::Score::Work;

sub table { return JSON::PP->new->decode(text_of("$FindBin::Bin/../../data/score.json"))->{gain_table} }

# Takes a number of copies, an index and tests as [title, index]; returns a run of a summary with one index of these
# tests.
sub indexed_run {
    my ($copies, $index, @tests) = @_;
    my @scored = map { {
        name     => "test$_",
        title    => $tests[$_][0],
        status   => 'measured',
        score    => $tests[$_][1],
        unit     => 'lps',
        baseline => 10
    } } 0 .. $#tests;
    my @names = map { $_->{name} } @scored;
    my %index = (category => 'system', title => 'System Benchmarks', complete => 1, index => $index, tests => \@names);
    return { copies => $copies, tests => \@scored, indexes => [\%index] };
}

# Takes runs of a result; returns the scaling of its summary.
sub of { return UnixBench::Score::Scaling::of(UnixBench::Summary::of(result([@_]))) }

# Takes a key and a row; returns its values, rounded to four decimals. Counts and times of a Fixture are not quite even.
sub rounded {
    my ($key, $line) = @_;
    return [map { defined $_->{$key} ? 0 + sprintf '%.4f', $_->{$key} : undef } @{ $line->{at} }];
}

# Takes a kind and data; returns the blocks of that kind in a report.
sub blocks {
    my ($kind, $gain) = @_;
    my ($section) = within('brief', UnixBench::Report::Topic::Scores::of_result(KnownView->new(scaling => $gain)));
    return grep { $_->{kind} eq $kind } @{ $section->{blocks} };
}

sub headings {
    my ($table) = @_;
    my (undef, @headings) = map { $_->{heading} } @{ $table->{columns} };
    return \@headings;
}

sub texts_of {
    my ($gain)  = @_;
    my ($table) = blocks(table => $gain);
    return { map { $_->{title} => [row_texts($table, $_)] } @{ $table->{rows} }, @{ $table->{foot} } };
}

sub sentences {
    my ($gain) = @_;
    return map { @{ $_->{texts} } } blocks(paragraphs => $gain);
}

subtest 'a known table of a machine with two processors is reproduced' => sub {
    my $table = table();
    my @rows  = @{ $table->{rows} };
    my ($one, $two, $percent) = @{ $table->{index} };
    my $runs =
        [indexed_run(1, $one, map { [@$_[0, 1]] } @rows), indexed_run(2, $two, map { [@$_[0, 2]] } @rows)];
    my $texts = texts_of(UnixBench::Score::Scaling::of({ runs => $runs }));
    for my $row (@rows) {
        my ($title, $first, $second, $gain) = @$row;
        is_deeply($texts->{$title}, [sprintf('%.1f', $first), sprintf('%.1f', $second), "$gain %"], "row of $title");
    }
    is_deeply($texts->{'System Benchmarks index'}, [$one, $two, "$percent %"], 'row of the index');
    is(scalar keys %$texts, @rows + 1, 'there are no other rows');
};

subtest 'three numbers of copies have gain and efficiency' => sub {
    my $gain = of(map { run($_, measured('pipe', $_, 12_440_000), measured('hanoi', $_, 1_000_000 / $_)) } 4, 1, 2);
    is_deeply($gain->{copies}, [1, 2, 4], 'numbers of copies are sorted');
    my ($pipe, $hanoi) = @{ $gain->{tests} };
    is($pipe->{title}, 'Pipe Throughput', 'a test has its title');
    is_deeply([map { sprintf '%.0f', $_->{index} / 100 } @{ $pipe->{at} }], [10, 20, 40], 'indexes of a test');
    is_deeply(rounded(gain       => $pipe),  [undef, 1,     3],     'gain of a test');
    is_deeply(rounded(efficiency => $pipe),  [undef, 1,     1],     'efficiency of a test');
    is_deeply(rounded(index      => $hanoi), [undef, undef, undef], 'a test without a baseline has no index');
    is_deeply(rounded(gain       => $hanoi), [undef, 0,     0],     'a test without a baseline has a gain');
    is_deeply(rounded(efficiency => $hanoi), [undef, 0.5,   0.25],  'a test without a baseline has an efficiency');
    my ($table) = blocks(table => $gain);
    is_deeply(headings($table), ['1 copy', '2 copies', '4 copies', 'Gain', 'Efficiency'], 'a column for each');
    is_deeply(
        [$table->{rows}[1]{title}, row_texts($table, $table->{rows}[1])],
        ['Recursion Test -- Tower of Hanoi', ('---') x 3, '0 %', '25 %'],
        'a row without an index and with a gain of 0'
    );
    is(scalar(() = sentences($gain)), 2, 'both are explained');
};

subtest 'a value that other load has lowered has no gain' => sub {
    my $pipe = sub {
        my ($copies, $loud) = @_;
        my $test = measured('pipe', $copies, (100) x 8);
        $_->{tags} = [{ cause => 'others', level => 'disturbed', value => 1 }] for @{ $test->{passes} }[0 .. $loud - 1];
        return run($copies, $test);
    };
    my $gain = sub { return of($pipe->(1, $_[0]), $pipe->(2, $_[1]))->{tests}[0]{at}[1]{gain} };
    is(sprintf('%.2f', $gain->(0, 2)), '1.00', 'a quarter of the passes is not too much');
    is($gain->(3, 0), undef, 'more would raise it');
    is($gain->(0, 3), undef, 'or lower it');
};

# Tests of UnixBench::Score::Work: what the copies of a test used.

# Takes the differences from a usual pass of two copies: each counts 1000 loops in two seconds, and runs for half of the
# time.
sub made_pass {
    my (%differ) = @_;
    my %alone    = (ran_s => 1, waited_s => 0.2, switches => 500, forced_switches => 10);
    my $copies   = delete $differ{copies} // [map { +{ elapsed_s => 2, used => \%alone } } 1, 2];
    my %used     = (user_s => 1.5, kernel_s => 0.5, minor_faults => 3000, major_faults => 1000, clock_mhz => 2000);
    return {
        count    => 2000,
        time_s   => 2,
        timebase => 1,
        copies   => $copies,
        exists $differ{used} ? () : (used => \%used),
        %differ,
    };
}

sub work { my (@passes) = @_; return UnixBench::Score::Work::of_test({ category => 'system', passes => \@passes }) }

subtest 'a pass' => sub {
    my $work = work(made_pass());
    is_deeply(
        { %$work, per_loop => undef },
        {
            rate      => 500,
            own       => 0,
            cpu       => 0.5,
            cpu_s     => 2,
            user      => 0.75,
            clock_mhz => 2000,
            cycles    => undef,
            waited    => 0.1,
            errors    => undef,
            per_loop  => undef
        },
        'of each copy: its rate, CPU time, clock and waiting'
    );
    is_deeply($work->{per_loop}, { faults => 2, switches => 0.5, forced => 0.01 }, 'the counts of a loop');
};

subtest 'several passes' => sub {
    my $work = work(made_pass(),
        made_pass(used => { %{ made_pass()->{used} }, user_s => 2.5, kernel_s => 0.5, clock_mhz => 8000 }));
    is($work->{cpu},        0.625, 'CPU times are added');
    is($work->{user},       0.8,   'and so are those of the modes');
    is($work->{clock_mhz},  4000,  'the clock is a geometric mean');
    is($work->{errors}{df}, 1,     'one degree of freedom');

    # 0.5 and 0.75, divided by their mean: 0.8 and 1.2; the variance of the mean is 0.08 / 2.
    is(sprintf('%.9f', $work->{errors}{cpu}), '0.040000000', 'the relative variance of the CPU time');
    my $same = work(made_pass(), made_pass(), made_pass())->{errors};
    is_deeply([@$same{qw(cpu loop clock user kernel both)}], [(0) x 6], 'equal passes have no errors');
};

# A loop takes 500 a second with half of a CPU of 2000 MHz: 2e6 cycles.
subtest 'the cycles of a loop' => sub {
    my $mhz    = sub { made_pass(used => { %{ made_pass()->{used} }, clock_mhz => shift }) };
    my $cycles = sub { [UnixBench::Score::Work::cycles_of_passes({ category => 'system', passes => [@_] })] };
    my $steal  = [{ cause => 'steal', level => 'note', value => 0.02 }];
    my @vague  = (
        'without CPU times'           => made_pass(used => undef),
        'without a clock'             => $mhz->(undef),
        'with a clock that is apart'  => $mhz->(2200),
        'in which the host took time' => made_pass(tags => $steal),
    );
    my @good = map { made_pass() } 1 .. 3;
    is_deeply($cycles->(@good), [(2e6) x 3], 'of each pass');
    while (my ($what, $pass) = splice @vague, 0, 2) {
        is_deeply($cycles->(@good, $pass), [(2e6) x 3, undef], "not of a pass $what");
    }
    is(work(@good)->{cycles}{value}, 2e6,   'their mean');
    is(work(@good[0, 1])->{cycles},  undef, 'not of two passes');
    is(work(@good, (map { $mhz->(2200) } 1 .. 2), map { made_pass(tags => $steal) } 1 .. 2)->{cycles},
        undef, 'not of a few');
    is_deeply($cycles->((map { $mhz->(2000) } 1 .. 3), $mhz->(2080)), [(2e6) x 3, 2.08e6],
        'clocks may differ a little');
};

subtest 'what is unknown' => sub {
    my %no_used = map { $_ => undef } qw(user_s kernel_s minor_faults major_faults clock_mhz);
    is(work(made_pass(used => undef, copies => [{ elapsed_s => 2 }])), undef, 'an old result: everything');
    my $alone = work(made_pass(used => \%no_used));
    is_deeply([@$alone{qw(cpu cpu_s user clock_mhz)}], [(undef) x 4],  'without CPU times');
    is_deeply($alone->{per_loop}, { switches => 0.5, forced => 0.01 }, 'counts that are known remain');
    my $no_clock = work(made_pass(), made_pass(used => { %{ made_pass()->{used} }, clock_mhz => undef }));
    is($no_clock->{clock_mhz},     undef, 'a pass without a clock: the clock');
    is($no_clock->{errors}{clock}, undef, 'and its error');
    my $many =
        work(made_pass(copies => [{ elapsed_s => 2 }, { elapsed_s => 2, used => { ran_s => 1, waited_s => 0 } }]));
    is($many->{waited}, undef, 'not of each copy: how long it waited');
    is_deeply($many->{per_loop}, { faults => 2 }, 'and its switches');
    my $idle = work(
        made_pass(used => { %{ made_pass()->{used} }, user_s => 0, kernel_s => 0 }),
        made_pass(used => { %{ made_pass()->{used} }, user_s => 0, kernel_s => 0 })
    );
    is($idle->{user}, undef, 'no tick of CPU time: the part of user mode');
};

subtest 'several runs together' => sub {
    my @works = map { work(made_pass(count => $_)) } 2000, 4000;
    my $both  = UnixBench::Score::Work::together(@works);
    is($both->{rate},                               750,       'the mean rate');
    is($both->{per_loop}{faults},                   1.5,       'the mean counts of a loop');
    is($both->{errors}{df},                         1,         'errors between the runs');
    is(UnixBench::Score::Work::together($works[0]), $works[0], 'one run is itself');
};

done_testing;
