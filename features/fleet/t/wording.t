# The ranking of a fleet, and the verdicts and findings about its machines.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Machines                       qw(side spread_rates);
use Fleets                         qw(fleet_as);
use UnixBench::Fleet::Machines;
use UnixBench::Fleet::Hosts;
use UnixBench::Fleet::Report;
use UnixBench::Fleet::Wording qw(headline standing_out verdict_of);
use UnixBench::Report::Plain  qw(in_plain);

my @TESTS = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);

# Takes a number of copies, tests and { number of a machine => { factor, noise, tests, name } }. Returns a fleet of ten
# machines m1 to m10 whose rates are 1000, or times the factor. The passes of the odd tests are noise times as far
# apart.
sub fleet {
    my ($copies, $tests, %odd) = @_;
    return UnixBench::Fleet::Machines::of([map { machine($_, $copies, $tests, %{ $odd{$_} || {} }) } 1 .. 10]);
}

sub machine {
    my ($number, $copies, $tests, %odd) = @_;
    my %is_odd = map { $_ => 1 } @{ $odd{tests} || $tests };
    my %rates;
    for my $test (@$tests) {
        my ($factor, $noise) = $is_odd{$test} ? @odd{qw(factor noise)} : ();
        $rates{$test} = spread_rates(1000 * ($factor // 1), 0.005 * ($noise // 1));
    }
    return side("m$number.json", runs => { $copies => \%rates }, name => $odd{name} // "m$number");
}

# Takes a fleet; returns the rows of its first ranking as texts, with one blank between the cells.
sub ranking {
    my ($fleet) = @_;
    my ($rows)  = fleet_as(text => $fleet) =~ /^Machine [^\n]*\n(.*?)\n\n/ms;
    return map { join q{ }, split } split /\n/, $rows // q{};
}

# Takes a fleet; with one run; returns { name of a machine that stands out => [findings, without z] }.
sub findings {
    my ($fleet) = @_;
    return {
        map {
            $_->{name} => [map { in_plain($_) =~ s/ \(z .*\)\z//r } UnixBench::Fleet::Wording::findings($_, $fleet)]
        } @{ $fleet->{named} }
    };
}

subtest 'the ranking has all machines, the highest index first' => sub {
    my $fleet = fleet(1, ['pipe'], 3 => { factor => 0.8 }, 7 => { factor => 1.25 }, 9 => { factor => 1.01 });
    is_deeply(
        [ranking($fleet)],
        [
            '1. m7 1.0 1.0 % +25.0 % fast',
            '2. m9 0.8 1.0 % +1.0 % usual',
            (
                map { $_->[0] . ". m$_->[1] 0.8 1.0 % +0.0 % usual" } [3, 1],
                [4, 10], [5, 2], [6, 4], [7, 5], [8, 6], [9, 8]
            ),
            '10. m3 0.6 1.0 % -20.0 % slow',
        ],
        'a row has place, name, index, half of the interval, distance from the median and verdict; equals are by name'
    );
    my ($title) = fleet_as(text => $fleet) =~ /\n\n([^\n]*)\nMachine /;
    is($title, 'System Benchmarks index (partial), 1 copy', 'the title names the index and the copies');
    my $off = fleet(1, ['pipe'], 1 => { factor => 0.9999 });
    is((ranking($off))[-1], '10. m1 0.8 1.0 % +0.0 % usual', 'a distance that rounds to 0 has no minus');
    my @without = map { machine($_, 1, ['hanoi']) } 1 .. 8;
    is_deeply(
        [(ranking(UnixBench::Fleet::Machines::of([@without, machine(9, 1, ['hanoi'], factor => 2)])))[0, 1]],
        ['1. m9 2000.0 +100.0 % unusual in 1 test', '2. m1 1000.0 +0.0 % usual'],
        'without an index, the score of the only test is ranked'
    );
};

subtest 'the verdict on a machine is that on its index, or the number of tests' => sub {
    my $fleet = fleet(
        4, \@TESTS,
        2 => { factor => 0.7 },
        3 => { factor => 0.83, tests => [@TESTS[0, 1]] },
        4 => { factor => 0.6,  tests => ['pipe'] },
        5 => { factor => 1.22, tests => [@TESTS[6, 7]] },
        6 => { noise  => 9 },
        7 => { noise  => 9,   tests => ['pipe'] },
        8 => { factor => 1.5, noise => 9 },
    );
    my %verdict = map { /[.] (m\d+) .*% (\D.*)\z/ } ranking($fleet);
    my %wanted  = (
        (map { $_ => 'usual' } qw(m1 m9 m10)),
        m2 => 'slow',
        m3 => 'unusual in 2 tests',
        m4 => 'unusual in 1 test',
        m5 => 'unusual in 2 tests',
        m6 => 'noisy',
        m7 => 'noisy',
        m8 => 'fast, noisy',
    );
    is_deeply(\%verdict, \%wanted, 'each machine has its verdict in the ranking');
    is(
        in_plain(headline({ fleet => $fleet })),
        '10 machines: 1 slow, 1 fast, 3 noisy, 3 unusual',
        'a machine is called slow or fast for its index only'
    );
    is_deeply(
        [map { join q{, }, @{ $_->{is} } } @{ $fleet->{named} }],
        ['slow', 'unusual', 'unusual', 'unusual', 'noisy', 'noisy', 'fast, noisy'],
        'a machine that stands out in a few tests only is unusual'
    );
    my $findings = findings($fleet);
    my $again    = 'a single run can be wrong: measure this host again';
    my ($index, $vary) = ('System Benchmarks index', 'passes vary by 7.1 %, the median is 0.8 %');
    is_deeply(
        $findings,
        {
            m2 => ["slow: $index, 30 % below the median", 'unusual in all 12 tests, 30 % below the median'],
            m3 => [
                'unusual: Dhrystone 2 using register variables, 17 % below the median',
                'unusual: Double-Precision Whetstone, 17 % below the median',
                $again
            ],
            m4 => ['unusual: Pipe Throughput, 40 % below the median', $again],
            m5 => [
                'unusual: Pipe Throughput, 22 % above the median',
                'unusual: Pipe-based Context Switching, 22 % above the median',
                $again
            ],
            m6 => ["noisy: $index, $vary",                                     'noisy in all 12 tests'],
            m7 => ["noisy: $index, passes vary by 2.2 %, the median is 0.8 %", "noisy: Pipe Throughput, $vary"],
            m8 => ["fast: $index, 50 % above the median", "noisy: $index, $vary", 'noisy in all 12 tests',],
        },
        'more than three tests of a kind share a sentence'
    );
};

subtest 'a sentence about several tests has the range of their distances' => sub {
    my @machines = map { machine($_, 1, [@TESTS[0 .. 3]]) } 1 .. 9;
    my %rates    = map { $TESTS[$_] => spread_rates(1000 * [0.7, 0.72, 0.71, 0.715]->[$_], 0.005) } 0 .. 3;
    my $fleet    = UnixBench::Fleet::Machines::of([@machines, side('odd', runs => { 1 => \%rates }, name => 'odd')]);
    is(
        findings($fleet)->{odd}[-1],
        'unusual in all 4 tests, 28 to 30 % below the median',
        'from the least to the greatest'
    );
};

subtest 'machines are named by host, and by file if hosts have the same name' => sub {
    my $fleet = fleet(1, ['pipe'],
        map { $_ => { name => $_ < 3 ? 'twin' : $_ < 4 ? q{} : "h$_", factor => 0.5 * ($_ == 2) || 1 } } 1 .. 10);
    my %named = map { /\A\d+[.] (.*?) 0[.][48] / ? ($1 => 1) : () } ranking($fleet);
    is_deeply(
        [sort keys %named],
        ['h10', (map { "h$_" } 4 .. 9), 'm3.json', 'twin (m1.json)', 'twin (m2.json)'],
        'the ranking has these names'
    );
    like(fleet_as(text => $fleet), qr/^twin [(]m2[.]json[)]\n   slow: /m, 'a machine that stands out has this name');
    my ($pipe) = grep { $_->{kind} eq 'test' } @{ $fleet->{runs}[0]{measures} };
    is(standing_out($pipe, $fleet->{names}), 'unusual: twin (m2.json)', 'a test names the machines that stand out');
};

subtest 'a fleet without outliers' => sub {
    my $fleet = fleet(1, ['pipe']);
    is(in_plain(headline({ fleet => $fleet })), '10 machines: none stands out', 'the headline says so');
    is(verdict_of(undef, 1),                    'usual',                        'the verdict is usual');
};

subtest 'the headline has the words of the rows' => sub {
    my $fleet = fleet(1, \@TESTS, 3 => { factor => 0.6, tests => ['pipe'] });
    my ($machine) = grep { $_->{name} eq 'm3' } @{ $fleet->{named} };
    $_->{is} = 'doubtful' for @{ $machine->{findings} };
    is(verdict_of($machine, 1), 'not reliable in 1 test', 'a row');
    like(in_plain(headline({ fleet => $fleet })), qr/\A10 machines: 1 not reliable\b(?!.*unusual)/, 'the headline');
};

subtest 'machines with the same lines share them' => sub {
    my $fleet = fleet(1, ['pipe']);
    my @facts = map { +{ label => "Fact $_", text => 'this', usual => 'that' } } 'a' .. 'd';
    my %none  = (is => ['noisy'], findings => [], other_files => []);
    $fleet->{named} =
        [map { +{ %none, label => "m$_.json", name => "m$_", differences => [@facts[0 .. ($_ > 8 ? 0 : 3)]] } } 1 .. 9];
    my $text = fleet_as(text => $fleet);
    like($text, qr/^8 machines: m1, m2, m3, m4, m5, m6, m7, m8$/m, 'eight have one list');
    is(scalar(() = $text =~ /Fact d: this [(]most: that[)]/g), 1, 'whose lines are printed once');
    like($text, qr/^m9\n +Fact a: this/m, 'another one has its own');
};

# Takes the name of a host and its summary; returns its try.
sub try_of {
    my ($host, $summary) = @_;
    my %result = (indexes => UnixBench::Fleet::Hosts::indexes($summary), summary => $summary);
    return {
        host    => $host,
        phase   => 'alone',
        try     => 1,
        outcome => 'measured',
        verdict => 'PASS',
        cases   => [],
        %result
    };
}

subtest 'why a host has no place in a ranking' => sub {
    my @tries = map { try_of("m$_", machine($_, 1, ['pipe'])->{summary}) } 1 .. 3;
    push @tries, try_of(many => side('many', runs => { 4 => { pipe => spread_rates(1000, 0.01) } })->{summary});
    my @machines = map { +{ label => $_->{host}, summary => { %{ $_->{summary} }, name => $_->{host} } } } @tries;
    my %list     = (
        hosts   => [UnixBench::Fleet::Hosts::of(@tries)],
        fleet   => UnixBench::Fleet::Machines::of(\@machines, judged => 3, shown => 1),
        sharing => []
    );
    my $text = UnixBench::Fleet::Report::in_format('text', \%list);
    like($text, qr/^many .*PASS\n? *it has no index of 1 copy, but of 4 copies$/m, 'it was measured with more copies');
};

done_testing();
