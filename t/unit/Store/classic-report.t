use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases    qw(cases);
use Fuzz     ();
use Rendered qw(rendered);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Compare::Comparison;
use UnixBench::Store::ClassicReport;
use UnixBench::Store::Summary;

use constant { SEED => 2018, INPUTS => 1000, LONG => 1_000_000 };

my ($one, $four, $terminal) = map { data($_) } qw(1-copy 4-copies terminal);

sub data {
    my ($name) = @_;
    open my $file, '<:raw', "$FindBin::Bin/../../data/classic/$name" or die "$name: $!\n";
    local $/ = undef;
    return scalar readline $file;
}

sub summary {
    my ($text) = @_;
    return UnixBench::Store::ClassicReport::summary($text);
}

# The parts of a summary that its runs are.
sub runs_of {
    my ($text) = @_;
    my $summary = summary($text) or return;
    return $summary->{runs};
}

subtest 'two reports of 2018' => sub {
    my ($summary) = summary($one);
    is($summary->{date},   'Mon, June 25, 2018 20:25:47', 'when, as it stands there');
    is($summary->{source}, 'text report',                 'what it is');
    is_deeply([@$summary{qw(version name system started flags)}], [(undef) x 5], 'what is not there is not known');
    is_deeply(
        $summary->{procedure},
        { display => 'given', map { $_ => undef } qw(kind time_factor work_factor) },
        'nor how it was made, but for the display'
    );
    my ($run) = @{ $summary->{runs} };
    is_deeply([@$run{qw(copies cpu_count)}], [1, 4], 'copies and CPUs');
    is_deeply(
        $run->{tests}[3],
        {
            name     => 'fstime',
            title    => 'File Copy 1024 bufsize 2000 maxblocks',
            category => 'system',
            unit     => 'KBps',
            status   => 'measured',
            reason   => undef,
            score    => 645_027.2,
            baseline => 3960,
            passes   => 2,
            cv       => undef,
            estimate => undef,
        },
        'a test'
    );
    my ($index) = @{ $run->{indexes} };
    is_deeply(
        [@$index{qw(category title complete index estimate)}],
        ['system', 'System Benchmarks', 1, 1362.9, undef],
        'the index'
    );
    is(scalar @{ $index->{tests} }, 12, 'of twelve tests');
};

subtest 'the two compared' => sub {
    my @sides  = map { { label => $_, summary => summary(data($_)) } } '1-copy', '4-copies';
    my ($pair) = @{ UnixBench::Compare::Comparison::of(\@sides, min_effect => 0.02)->{pairs} };
    is_deeply([map { $_->{copies} } @{ $pair->{runs} }], [1, 4], '1 copy against 4');
    my ($index) = @{ $pair->{indexes} };
    is_deeply([map { $_->{value} } @{ $index->{values} }], [1362.9, 3357.0], '1362.9 against 3357.0');
    is(sprintf('%.4f', $index->{ratio}{value}), '2.4631', 'whose ratio that is');

    # RESULT of 4 copies by RESULT of 1 copy, by awk.
    my @ratios = qw(3.712573 4.229577 4.376860 1.165375 1.003077 1.524292 3.667190 3.246044 4.182334 3.131872 1.141582
        2.288657);
    is_deeply([map { sprintf '%.6f', $_->{ratio}{value} } @{ $pair->{tests} }], \@ratios, 'each ratio');
    is(sprintf('%.3f', $pair->{mean}{ratio}{value}), '2.463', 'and their mean');
};

subtest 'a terminal of version 5.1.3' => sub {
    my $summary = summary($terminal);
    is_deeply([@$summary{qw(version name system date)}],
        ['5.1.3', 'build7', 'GNU/Linux', 'Mon Jun 25 2018 20:25:47'], 'head');
    is_deeply($summary->{procedure}, { kind => 'official', display => 'given', time_factor => 1, work_factor => undef },
        'procedure');
    is_deeply(
        $summary->{facts},
        {
            CPU      => '2 x Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz',
            Kernel   => '3.10.0-862.el7.x86_64 #1 SMP Fri Apr 20 16:44:24 UTC 2018',
            Language => 'en_US.utf8, text in UTF-8, sorted as UTF-8',
            Suite    => '5.1.3',
            System   => 'GNU/Linux x86_64',
        },
        'facts, named as those of other results'
    );
    my ($first, $second) = @{ $summary->{runs} };
    is_deeply([map { $_->{name} } @{ $first->{tests} }],       [qw(C dhry2reg fstime-w spawn hanoi)], 'tests');
    is_deeply([map { $_->{baseline} } @{ $first->{tests} }],   [undef, 116700, undef, 126, undef],    'baselines');
    is_deeply([@{ $first->{indexes}[0] }{qw(complete index)}], [0, 1317.2],          'a partial index');
    is_deeply($first->{indexes}[0]{tests},                     [qw(dhry2reg spawn)], 'of what has a baseline');
    my ($failed) = grep { $_->{name} eq 'spawn' } @{ $second->{tests} };
    is_deeply([@$failed{qw(status reason score)}], ['failed', 'killed by SIGSEGV (pass 2, copy 1)', undef],
        'a failure');
    is($second->{copies}, 2, 'the second run');
};

subtest 'in whatever form it was kept' => sub {
    my %form = (
        'single blanks'   => sub { $_[0] =~ s/[ ]+/ /gr =~ s/^[ ]|[ ]$//gmr },
        'no blank lines'  => sub { $_[0] =~ s/\n\n+/\n/gr },
        'CR LF'           => sub { $_[0] =~ s/\n/\r\n/gr },
        'CR'              => sub { $_[0] =~ tr/\n/\r/r },
        'quoted'          => sub { $_[0] =~ s/^/> /gmr },
        'quoted twice'    => sub { $_[0] =~ s/^/>> > /gmr },
        'indented'        => sub { $_[0] =~ s/^/    /gmr },
        'tabs'            => sub { $_[0] =~ s/  +/\t/gr },
        'no-break spaces' => sub { $_[0] =~ s/ /\xc2\xa0/gr },
        'colours'         => sub { $_[0] =~ s/^(\S+)/\e[1;32m$1\e[0m/gmr },
        'trailing blanks' => sub { $_[0] =~ s/$/   /gmr },
        'junk around it'  => sub { "junk 1 2 3\n\0\xff\n$_[0]\nmore 12.0 lps\nSystem Benchmarks Index Score 5\n" },
        'no newline at the end' => sub { $_[0] =~ s/\n\z//r },
        'no rules'              => sub { $_[0] =~ s/^[-= ]+\n//gmr },
        'Benchmark Run'         => sub { $_[0] =~ s/Benchmark run/Benchmark Run/gr },
    );
    for my $form (sort keys %form) {
        for my $text ($one, $four, $terminal) {
            is_deeply(runs_of($form{$form}->($text)), runs_of($text), $form);
        }
    }
};

subtest 'our own reports' => sub {
    for my $case (cases()) {
        my ($name, $result) = @$case{qw(name result)};
        my $summary = summary(rendered(text => $result));
        if (!grep { @{ $_->{tests} } } @{ $result->{runs} }) {
            is($summary, undef, "$name: no results");
            next;
        }
        my $expected = UnixBench::Store::Summary::of($result);
        is_deeply(told($summary), told($expected), "$name: says what its result does") if $name ne 'hostile';
        is($summary->{version}, '7.0.0', "$name: version");
        is(UnixBench::Base::Shape::difference($summary, \%UnixBench::Base::ResultSchema::SUMMARY),
            undef, "$name: is a summary");
    }
};

# What a report prints of the tests and indexes of a summary.
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

subtest 'procedures' => sub {
    my $head = sub {
        "   BYTE UNIX Benchmarks (Version $_[0])\n\n" . join(q{}, map { "   Note: $_\n" } @_[1 .. $#_]) . $one;
    };
    my @cases = (
        [['6.0.0'],                                                [official => 1, undef]],
        [['7.0.0'],                                                [official => 1, 1]],
        [['7.1.0', 'Quick run: estimate, not an official result'], [quick    => 1, 1]],
        [
            [
                '7.0.0',
                'changed procedure: passes and pauses shortened to 0.1 of their length; MULTI_SH_WORK_FACTOR is 3'
            ],
            [official => 0.1, 3]
        ],
        [['strange'], [undef, undef, undef]],
    );
    for my $case (@cases) {
        my ($words, $expected) = @$case;
        my $summary = summary($head->(@$words));
        is_deeply([@{ $summary->{procedure} }{qw(kind time_factor work_factor)}], $expected, "@$words");
        is_deeply($summary->{notes}, [@$words[1 .. $#$words]],                               'its notes are kept');
    }
};

subtest 'titles' => sub {
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
        is_deeply([@$test{qw(name title category)}], [$name, $title, $category], $title);
    }
};

subtest 'what is no result' => sub {
    my $run   = "running 1 parallel copy of tests\n";
    my $score = sub { summary("$run$_[0]")->{runs}[0]{tests}[0] };
    is($score->("Pipe Throughput 0.0 lps (10.0 s, 1 samples)")->{reason}, 'a score of 0.0', 'a score of 0');
    is($score->("Pipe Throughput no measured results")->{reason},         'not told',       'no reason');
    is($score->("Pipe Throughput *** no measured results ***")->{status}, 'failed',         'with stars');
    is($score->("Pipe Throughput no measured results: interrupted after 2 of 10 passes")->{status},
        'interrupted', 'interrupted');
    is(summary($one =~ s/^4 CPUs/$_ CPUs/mr)->{runs}[0]{cpu_count}, undef, "$_ CPUs") for 0, '00';
    my @none = (
        q{}, "\n", 'x', "\0", $run,
        "Pipe Throughput 1.0 lps (10.0 s, 1 samples)\n",
        "running 0 parallel copies of tests\nPipe Throughput 1.0 lps (10.0 s, 1 samples)\n",
        '{"format": 1}',
        "System Benchmarks Index Score 1362.9\n",
    );
    is(summary($_), undef, 'no report: ' . substr $_, 0, 40) for @none;
};

subtest 'several reports in one text' => sub {
    my $twice = summary("$terminal\n$terminal");
    is(scalar @{ $twice->{runs} }, 2, 'the first is read');
    is_deeply($twice->{notes}, ['a further report in the same file was not read'], 'which is said');
};

# Were a pattern to try again from each place, these would take hours.
subtest 'long lines' => sub {
    my $run   = "4 CPUs in system; running 2 parallel copies of tests\n";
    my @parts = (
        q{a},
        q{1},
        q{1 },
        q{ },
        q{> },
        q{1 lps (},
        q{1 lps (1.0 s, },
        '--- ',
        '* ',
        ' no measured results',
        ' no measured results *',
        'Index Score ',
        "\e[",
        "\e[1;",
        'BYTE UNIX Benchmarks (Version ',
        'CPU 0,',
        'x: ',
        ' -- ',
        "x Index Values ",
        '(type = a',
        "\r",
        "\xc2\xa0",
        '<!-- ',
        '<script>',
        '<tr>',
        '<td>1',
        '<a ',
        '1.0 lps (1 s, 1 samples) ',
        'x Index 1 ',
    );
    for my $part (@parts) {
        my $long = $part x (LONG / length $part);
        is_deeply(runs_of("$run$long\n$one")->[-1], runs_of($one)->[0], "many of '$part'");
        is(summary($long),         undef, 'which are no report');
        is(summary("<html>$long"), undef, 'nor as a page');
    }
};

# t/run/fuzz.t has another seed; xt/fuzz takes any number of inputs.
my $done = Fuzz::run('ClassicReport', SEED, INPUTS);
is(join('', @{ $done->{violations} }),
    '', INPUTS . q{ random inputs, seed } . SEED . q{, are read or refused as documented});
cmp_ok($done->{accepted}, '>', INPUTS / 50, 'a fiftieth of the random inputs or more are accepted as reports');

done_testing();
