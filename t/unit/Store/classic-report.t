# Tests of what is read from text reports: of old ones, which are recorded, and of those that this version writes.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases   qw(cases);
use Place   qw(text_of);
use Fixture qw(rendered);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Store::ClassicReport;
use UnixBench::Summary;

use constant LONG => 30_000;

my ($one, $terminal) = map { text_of("$FindBin::Bin/../../data/classic/$_") } qw(1-copy terminal);
my $UNKNOWN = { display => 'given', map { $_ => undef } qw(kind time_factor work_factor) };

sub summary { return UnixBench::Store::ClassicReport::summary(@_) }

# Takes a hash and keys; returns their values.
sub of { my ($hash, @keys) = @_; return [@$hash{@keys}] }

subtest 'a report of 2018 is read' => sub {
    my $summary = summary($one);
    my @whole   = ('Mon, June 25, 2018 20:25:47', 0, $UNKNOWN, (undef) x 5);
    is_deeply(of($summary, qw(date has_passes procedure version name system started flags)), \@whole, 'what is known');
    my ($run) = @{ $summary->{runs} };
    is_deeply(of($run, qw(copies cpu_count)), [1, 4], 'number of copies and CPUs');
    is_deeply(
        of($run->{tests}[3], qw(name title category unit status score baseline passes cv estimate)),
        ['fstime', 'File Copy 1024 bufsize 2000 maxblocks', qw(system KBps measured 645027.2 3960 2), undef, undef],
        'values of a test'
    );
    my ($index) = @{ $run->{indexes} };
    my @index = ('system', 'System Benchmarks', 1, 1362.9, undef);
    is_deeply(of($index, qw(category title complete index estimate)), \@index, 'values of the index');
    is(scalar @{ $index->{tests} }, 12, 'the index has twelve tests');
};

subtest 'the terminal output of version 5.1.3 is read' => sub {
    my $summary = summary($terminal);
    my @head    = ('5.1.3', 'build7', 'GNU/Linux', 'Mon Jun 25 2018 20:25:47');
    is_deeply(of($summary, qw(version name system date)), \@head, 'version, host, system and date');
    is_deeply($summary->{procedure}, { %$UNKNOWN, kind => 'official', time_factor => 1 }, 'the procedure');
    my %facts = (
        'cpu.models'   => '2 x Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz',
        'host.release' => '3.10.0-862.el7.x86_64 #1 SMP Fri Apr 20 16:44:24 UTC 2018',
        'language'     => 'en_US.utf8, text in UTF-8, sorted as UTF-8',
        'version'      => '5.1.3',
        'host.os'      => 'GNU/Linux x86_64',
    );
    is_deeply($summary->{facts}, \%facts, 'facts have the keys that other results use');
    my ($first, $second) = @{ $summary->{runs} };
    is_deeply([map { $_->{name} } @{ $first->{tests} }],     [qw(C dhry2reg fstime-w spawn hanoi)], 'the tests');
    is_deeply([map { $_->{baseline} } @{ $first->{tests} }], [undef, 116700, undef, 126, undef],    'the baselines');
    my @partial = (0, 1317.2, [qw(dhry2reg spawn)]);
    is_deeply(of($first->{indexes}[0], qw(complete index tests)), \@partial, 'a partial index: tests with a baseline');
    my ($failed) = grep { $_->{name} eq 'spawn' } @{ $second->{tests} };
    my @failed = ('failed', 'killed by SIGSEGV (pass 2, copy 1)', undef);
    is_deeply(of($failed, qw(status reason score)), \@failed, 'a failed test has its reason');
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
    return [@$run{qw(copies cpu_count)}, \%tests, \@indexes];
}

# [version and notes, kind of the procedure, factors of time and work].
for my $case (
    [['6.0.0'],                                                [official => 1, undef]],
    [['8.0.0', 'Quick run: estimate, not an official result'], [quick    => 1, 1]],
    [['strange'],                                              [undef, undef, undef]],
    )
{
    my ($version, @notes) = @{ $case->[0] };
    my $head    = "   BYTE UNIX Benchmarks (Version $version)\n\n" . join q{}, map { "   Note: $_\n" } @notes;
    my $summary = summary($head . $one);
    is_deeply(of($summary->{procedure}, qw(kind time_factor work_factor)), $case->[1], "procedure of $version");
    is_deeply($summary->{notes},                                           \@notes,    "notes of $version");
}

my $RUN = "running 1 parallel copy of tests\n";

# The first test of a run with that line.
sub test_of { my ($line) = @_; return summary("$RUN$line\n")->{runs}[0]{tests}[0] }

# [title, name, category].
for my $case (
    ['Arithmetic Test (type = short)' => 'short',                         'misc'],
    ['Recursion Test--Tower of Hanoi' => 'hanoi',                         'misc'],
    ['Execl Throughput Test'          => 'execl',                         'system'],
    ['C Compiler Throughput'          => 'C',                             'misc'],
    ['Shell Scripts (16 concurrent)'  => 'shell16',                       'system'],
    ['pipe throughput'                => 'pipe',                          'system'],
    ['Dhrystone 2 without registers'  => 'Dhrystone 2 without registers', undef],
    )
{
    my ($title, @known) = @$case;
    is_deeply(of(test_of("$title   12.5 lps   (10.0 s, 7 samples)"), qw(title name category)), $case, $title);
}

# [what a test has instead of a score, its status, its reason].
for my $case (
    ['0.0 lps (10.0 s, 1 samples)',                           'failed',      'a score of 0.0'],
    ['no measured results',                                   'failed',      'no reason given'],
    ['*** no measured results ***',                           'failed',      'no reason given'],
    ['no measured results: interrupted after 2 of 10 passes', 'interrupted', 'interrupted after 2 of 10 passes'],
    )
{
    is_deeply(of(test_of("Pipe Throughput $case->[0]"), qw(status reason)), [@$case[1, 2]], $case->[0]);
}
is(summary($one =~ s/^4 CPUs/$_ CPUs/mr)->{runs}[0]{cpu_count}, undef, "$_ CPUs are an unknown number") for 0, '00';

# If a pattern tried again from each place, long lines would take much longer.
my @NONE = (
    q{}, "\n", 'x', "\0", $RUN,
    "Pipe Throughput 1.0 lps (10.0 s, 1 samples)\n",
    "running 0 parallel copies of tests\nPipe Throughput 1.0 lps (10.0 s, 1 samples)\n",
    '{"format": 1}',
    "System Benchmarks Index Score 1362.9\n",
);
#<<< a list
my @PARTS = (
    q{a}, q{1 }, q{ }, q{> }, q{1 lps (1.0 s, }, '--- ', '* ', ' no measured results *', 'Index Score ',
    "\e[1;", 'BYTE UNIX Benchmarks (Version ', 'CPU 0,', 'x: ', ' -- ', 'x Index Values ', '(type = a', "\r",
    "\xc2\xa0", '1.0 lps (1 s, 1 samples) ', 'x Index 1 ', '<tr>', "<tr><td>\n", '{"dt": ', "- {dt: 'target msg: '",
    'Concurrency,', '1.0,',
);
#>>>
is(summary($_), undef, 'not a report: ' . substr $_, 0, 40) for @NONE, map { $_ x (LONG / length) } @PARTS;
for my $part (@PARTS) {
    my $text = "4 CPUs in system; running 2 parallel copies of tests\n" . $part x (LONG / length $part);
    is_deeply(summary("$text\n$one")->{runs}[-1], summary($one)->{runs}[0], "a report after many times '$part'");
}

done_testing();
