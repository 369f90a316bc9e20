package Fuzz::ClassicReport;

# Fuzzing of the parser of classic text reports.

use strict;
use warnings;

use File::Basename qw(dirname);

use Fuzz qw(attempt);

use Place                           qw(text_of);
use UnixBench::Base::ResultSchema   ();
use UnixBench::Base::Shape          ();
use UnixBench::Store::ClassicReport ();

sub samples {
    return map { substr text_of($_), -2000 } glob dirname(__FILE__) . '/../../data/classic/*';
}

sub words {
    return (
        "   BYTE UNIX Benchmarks (Version 8.0.0)\n",
        "   System: vm: GNU/Linux\n",
        '   OS: GNU/Linux -- 6.18 -- #1',
        "   CPU 0-63,128: AMD EPYC (5192.2 bogomips)\n",
        '   Note: quick run',
        "Benchmark Run: Fri Nov 20 2026 02:12:30 - 02:19:13\n",
        "2 CPUs in system; running 1 parallel copy of tests\n",
        'running 4 parallel copies of tests',
        "Pipe Throughput  1635797.2 lps   (10.0 s, 1 samples)\n",
        "Pipe Throughput  0.0 lps   (10.0 s, 1 samples)\n",
        'Pipe Throughput  no measured results: ',
        "System Benchmarks Partial Index   BASELINE       RESULT    INDEX\n",
        "Pipe Throughput   12440.0    1635797.2   1314.9\n",
        'Pipe Throughput  ---  ',
        "System Benchmarks Index Score (Partial Only)   1314.9\n",
        '> ',
        "\e[1m",
        "\n",
        "\r\n",
        q{ },
        '---',
    );
}

sub refusal {
    my $why = q{in the results|, but |can't be read:|stands twice in one run|, not in |two reports are mixed};
    return qr/\A(?:no report|(?=[^\n]*(?:$why))[^\n]+)\n\z/;
}

sub check {
    my (undef,    $input)   = @_;
    my ($summary, $message) = attempt(sub { UnixBench::Store::ClassicReport::summary($input) });
    return $message // "no report\n" if !$summary;
    $_->{copies}   //= 1      for @{ $summary->{runs} };
    $_->{category} //= 'misc' for map { @{ $_->{tests} } } @{ $summary->{runs} };
    my $difference = UnixBench::Base::Shape::difference($summary, UnixBench::Base::ResultSchema::shape('summary'));
    die "$difference\n" if defined $difference;
    die "an estimate\n" if grep { $_->{estimate} } map { @{ $_->{tests} }, @{ $_->{indexes} } } @{ $summary->{runs} };
    die "a run of nothing" if grep { !@{ $_->{tests} } } @{ $summary->{runs} };
    return;
}

1;
