use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases    qw(cases);
use Place    qw(text_of);
use Rendered qw(rendered);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Store::ClassicReport;
use UnixBench::Summary;

use constant LONG => 30_000;

my ($one, $terminal) = map { text_of("$FindBin::Bin/../../data/classic/$_") } qw(1-copy terminal);

sub summary { return UnixBench::Store::ClassicReport::summary(@_) }

# Takes a report; returns the runs of its summary, or nothing if it is not a report.
sub runs_of {
    my ($text) = @_;
    my $summary = summary($text) or return;
    return $summary->{runs};
}

subtest 'a report of 2018 is read' => sub {
    my ($summary) = summary($one);
    is($summary->{date},       'Mon, June 25, 2018 20:25:47', 'the date is kept as it is printed');
    is($summary->{has_passes}, 0,                             'it has no passes');
    is_deeply([@$summary{qw(version name system started flags)}], [(undef) x 5], 'values that are missing are unknown');
    is_deeply(
        $summary->{procedure},
        { display => 'given', map { $_ => undef } qw(kind time_factor work_factor) },
        'the procedure is unknown, except for the display'
    );
    my ($run) = @{ $summary->{runs} };
    is_deeply([@$run{qw(copies cpu_count)}], [1, 4], 'number of copies and CPUs');
    is_deeply(
        [@{ $run->{tests}[3] }{qw(name title category unit status score baseline passes cv estimate)}],
        ['fstime', 'File Copy 1024 bufsize 2000 maxblocks', qw(system KBps measured 645027.2 3960 2), undef, undef],
        'values of a test'
    );
    my ($index) = @{ $run->{indexes} };
    is_deeply(
        [@$index{qw(category title complete index estimate)}],
        ['system', 'System Benchmarks', 1, 1362.9, undef],
        'values of the index'
    );
    is(scalar @{ $index->{tests} }, 12, 'the index has twelve tests');
};

subtest 'the terminal output of version 5.1.3 is read' => sub {
    my $summary = summary($terminal);
    is_deeply(
        [@$summary{qw(version name system date)}],
        ['5.1.3', 'build7', 'GNU/Linux', 'Mon Jun 25 2018 20:25:47'],
        'version, host, system and date'
    );
    is_deeply(
        $summary->{procedure},
        { kind => 'official', display => 'given', time_factor => 1, work_factor => undef },
        'the procedure'
    );
    is_deeply(
        $summary->{facts},
        {
            'cpu.models'   => '2 x Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz',
            'host.release' => '3.10.0-862.el7.x86_64 #1 SMP Fri Apr 20 16:44:24 UTC 2018',
            'language'     => 'en_US.utf8, text in UTF-8, sorted as UTF-8',
            'version'      => '5.1.3',
            'host.os'      => 'GNU/Linux x86_64',
        },
        'facts have the keys that other results use'
    );
    my ($first, $second) = @{ $summary->{runs} };
    is_deeply([map { $_->{name} } @{ $first->{tests} }],       [qw(C dhry2reg fstime-w spawn hanoi)], 'the tests');
    is_deeply([map { $_->{baseline} } @{ $first->{tests} }],   [undef, 116700, undef, 126, undef],    'the baselines');
    is_deeply([@{ $first->{indexes}[0] }{qw(complete index)}], [0, 1317.2], 'a partial index');
    is_deeply($first->{indexes}[0]{tests}, [qw(dhry2reg spawn)], 'the partial index has the tests with a baseline');
    my ($failed) = grep { $_->{name} eq 'spawn' } @{ $second->{tests} };
    is_deeply(
        [@$failed{qw(status reason score)}],
        ['failed', 'killed by SIGSEGV (pass 2, copy 1)', undef],
        'a failed test has its reason'
    );
    is($second->{copies}, 2, 'copies of the second run');
};

subtest 'text reports of this version are read' => sub {
    for my $case (cases()) {
        my ($name, $result) = @$case{qw(name result)};
        my $summary = summary(rendered(text => $result));
        if (!grep { @{ $_->{tests} } } @{ $result->{runs} }) {
            is($summary, undef, "$name: without results there is no summary");
            next;
        }
        my $expected = UnixBench::Summary::of($result);
        is_deeply(told($summary), told($expected), "$name: the summary agrees with the result") if $name ne 'hostile';
        is($summary->{version}, '8.0.0', "$name: version");
        delete $summary->{head};
        is(UnixBench::Base::Shape::difference($summary, UnixBench::Base::ResultSchema::shape('summary')),
            undef, "$name: the summary has the right shape");
    }
};

# Takes a summary; returns the values of its tests and indexes that a report prints.
sub told {
    my ($summary) = @_;
    return [map { told_of_run($_) } @{ $summary->{runs} }];
}

sub told_of_run {
    my ($run) = @_;
    my %tests = map { $_->{name} => [$_->{reason}, defined $_->{score} ? sprintf('%.1f %s', @$_{qw(score unit)}) : ()] }
        @{ $run->{tests} };
    my $number  = sub { defined $_[0]{index} ? sprintf '%.1f', $_[0]{index} : $_[0]{lacking} };
    my @indexes = map { [@$_{qw(category title complete)}, $number->($_), sort @{ $_->{tests} }] } @{ $run->{indexes} };
    return { copies => $run->{copies}, cpu_count => $run->{cpu_count}, tests => \%tests, indexes => \@indexes };
}

subtest 'the procedure is read from version and notes' => sub {
    my $head = sub {
        "   BYTE UNIX Benchmarks (Version $_[0])\n\n" . join(q{}, map { "   Note: $_\n" } @_[1 .. $#_]) . $one;
    };
    my @cases = (
        [['6.0.0'],                                                [official => 1, undef]],
        [['8.0.0', 'Quick run: estimate, not an official result'], [quick    => 1, 1]],
        [['strange'],                                              [undef, undef, undef]],
    );
    for my $case (@cases) {
        my ($words, $expected) = @$case;
        my $summary = summary($head->(@$words));
        is_deeply([@{ $summary->{procedure} }{qw(kind time_factor work_factor)}], $expected, "procedure of @$words");
        is_deeply($summary->{notes}, [@$words[1 .. $#$words]],                               "notes of @$words");
    }
};

subtest 'tests are recognised by their titles' => sub {
    my $run   = "running 1 parallel copy of tests\n";
    my @cases = (
        ['Arithmetic Test (type = short)' => 'short',                         'misc'],
        ['Recursion Test--Tower of Hanoi' => 'hanoi',                         'misc'],
        ['Execl Throughput Test'          => 'execl',                         'system'],
        ['C Compiler Throughput'          => 'C',                             'misc'],
        ['Shell Scripts (16 concurrent)'  => 'shell16',                       'system'],
        ['pipe throughput'                => 'pipe',                          'system'],
        ['Dhrystone 2 without registers'  => 'Dhrystone 2 without registers', undef],
    );
    for my $case (@cases) {
        my ($title, $name, $category) = @$case;
        my ($test) = @{ summary("$run$title   12.5 lps   (10.0 s, 7 samples)\n")->{runs}[0]{tests} };
        is_deeply([@$test{qw(name title category)}], [$name, $title, $category], "test with the title $title");
    }
};

subtest 'results without a score are read' => sub {
    my $run   = "running 1 parallel copy of tests\n";
    my $score = sub { summary("$run$_[0]")->{runs}[0]{tests}[0] };
    is($score->("Pipe Throughput 0.0 lps (10.0 s, 1 samples)")->{reason}, 'a score of 0.0',
        'a score of 0 is a failure');
    is($score->("Pipe Throughput no measured results")->{reason}, 'no reason given', 'a failure without a reason');
    is($score->("Pipe Throughput *** no measured results ***")->{status}, 'failed',  'a failure with stars');
    is($score->("Pipe Throughput no measured results: interrupted after 2 of 10 passes")->{status},
        'interrupted', 'an interrupted test');
    is(summary($one =~ s/^4 CPUs/$_ CPUs/mr)->{runs}[0]{cpu_count}, undef, "$_ CPUs are an unknown number") for 0, '00';
    my @none = (
        q{}, "\n", 'x', "\0", $run,
        "Pipe Throughput 1.0 lps (10.0 s, 1 samples)\n",
        "running 0 parallel copies of tests\nPipe Throughput 1.0 lps (10.0 s, 1 samples)\n",
        '{"format": 1}',
        "System Benchmarks Index Score 1362.9\n",
    );
    is(summary($_), undef, 'not a report: ' . substr $_, 0, 40) for @none;
};

# If a pattern tried again from each place, these would take much longer.
subtest 'long lines are read in reasonable time' => sub {
    my $run = "4 CPUs in system; running 2 parallel copies of tests\n";
    #<<< a list
    my @parts = (
        q{a}, q{1 }, q{ }, q{> }, q{1 lps (1.0 s, }, '--- ', '* ', ' no measured results *', 'Index Score ',
        "\e[1;", 'BYTE UNIX Benchmarks (Version ', 'CPU 0,', 'x: ', ' -- ', 'x Index Values ', '(type = a', "\r",
        "\xc2\xa0", '1.0 lps (1 s, 1 samples) ', 'x Index 1 ', '<tr>', "<tr><td>\n", '{"dt": ', "- {dt: 'target msg: '",
        'Concurrency,', '1.0,',
    );
    #>>>
    for my $part (@parts) {
        my $long = $part x (LONG / length $part);
        is_deeply(runs_of("$run$long\n$one")->[-1], runs_of($one)->[0], "a report is read after many times '$part'");
        is(summary($long), undef, "not a report: many times '$part'");
    }
};

done_testing();
