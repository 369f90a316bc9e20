# Tests of comparisons that the cycles of a loop decide where other load leaves the rates open.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture       qw(comparison_as measured result run tag);
use Place         qw(file_with text_of);
use StatesInTurns qw(states_in_turns);
use Validator     qw(complaints_about why_no_validator);
use Worked        qw(worked FACTS);
use UnixBench::Base::JSON;
use UnixBench::Compare::Comparison;
use UnixBench::Report::Comparison::JSON;
use UnixBench::Score;
use UnixBench::Summary;

my %cycles_of;
my $LOAD = [tag(others => 'disturbed', 1.4)];

# Takes a result, and
#   by      the factor of its cycles, a number, or { name of a test => number } (default: 1)
#   load    the numbers of the passes that other load disturbed; "all" for all of them
#   speeds  factors by which the passes are slower, in turns
# Returns its summary. Rates change as such load makes them, and the cycles of a pass are 1 % more and less in turns.
sub summary {
    my ($result, %with) = @_;
    my %is_loaded = map { $_ => 1 } @{ $with{load} || [] };
    for my $run (@{ $result->{runs} }) {
        for my $test (@{ $run->{tests} }) {
            my $base = $cycles_of{ $test->{name} } //= 1e9 / UnixBench::Score::rate($test->{passes}[0]);
            my $by   = ref $with{by} ? $with{by}{ $test->{name} } // 1 : $with{by} // 1;
            my @cycles;
            for my $pass (@{ $test->{passes} }) {
                my $number = $pass->{number};
                push @cycles, $base * $by * (1 + 0.01 * (-1)**$number);
                next if !$with{load} || !$is_loaded{$number} && !$is_loaded{all};
                $pass->{tags} = $LOAD;
                $_->{count} *= ($with{speeds} || [0.4, 0.6, 0.8])->[$number % 3] for @{ $pass->{copies} };
                %$pass = (%$pass, %{ UnixBench::Score::pass($pass->{copies}) });
            }
            %$test = %{ worked($test, @cycles) };
            my $rounds = $run->{rounds};
            %$test = (%$test, %{ $rounds ? UnixBench::Score::test_of_rounds($test->{passes}) : {} });
        }
    }
    return UnixBench::Summary::of($result);
}

my %CPU = (facts => FACTS);

# Takes [the factor of the rates of the second state], [the arguments of summary() for both states], and perhaps what is
# asked of the comparison; returns the comparison of states that were measured in turns.
sub by_rates {
    my ($factors, $with, %asked) = @_;
    my %states = (tests => [qw(pipe syscall spawn)], rounds => 12, factors => $factors);
    my @states = states_in_turns(['./sandbox'], %states, facts => {%CPU});
    my @sides  = map { +{ label => (qw(a b))[$_], summary => summary($states[$_], %{ $with->[$_] }) } } 0, 1;
    return UnixBench::Compare::Comparison::of(\@sides, %asked);
}

sub in_turns { return by_rates([1], [@_]) }

# Takes a comparison; returns { name of a test, or "mean" => its row }.
sub rows {
    my ($comparison) = @_;
    my ($pair)       = @{ $comparison->{pairs} };
    return { (map { $_->{name} => $_ } @{ $pair->{tests} }), mean => $pair->{mean} };
}

subtest 'states in turns beside other load' => sub {
    my $loud = in_turns({ load => ['all'] }, { load => ['all'], by => 1.2, speeds => [0.7, 0.3, 0.6] });
    my $row  = rows($loud);
    for my $name (qw(pipe syscall spawn)) {
        is($row->{$name}{verdict}, 'slower', "$name: the cycles of a loop decide");
        ok($row->{$name}{work}{decides}, "$name: and the row says so");
    }
    is(sprintf('%.4f', $row->{pipe}{work}{cycles}{value}), '1.2000', 'by how much they differ');
    is_deeply([@$loud{qw(is_open is_worse)}], [0, 1], 'the index is slower, too');
    is($loud->{pairs}[0]{indexes}[0]{work}{tests}, 2, 'by the tests whose work other load hardly changes');
    my $text = comparison_as(text => $loud);
    like($text, qr/^System Benchmarks index .* slower by work: 1[.]20 times .*, 2 of 3 tests/m, 'which are named');
    like($text, qr/^Pipe Throughput .* slower by work: 1[.]20 times the cycles of a loop [(]1[.]\d\d to 1[.]\d\d[)]/m,
        'in words');
    my %of_json = (outcome => 'slower', fail_on => undef, left_out => []);
    my $file    = file_with(UnixBench::Report::Comparison::JSON::render($loud, %of_json));
    is((complaints_about('comparison', $file))[0], q{}, 'the JSON is valid') if !defined why_no_validator();
    my $work = UnixBench::Base::JSON::decode(text_of($file))->{pairs}[0]{tests}[0]{work};
    is_deeply([@$work{qw(tests of decides margin)}], [1, 1, 1, 1], 'and has what decides');
    my $equal = rows(in_turns(({ load => ['all'] }) x 2));
    is($equal->{pipe}{verdict}, 'equal', 'equal states are equal by work');
    my $quiet = rows(in_turns({}, { by => 1.2 }));
    is($quiet->{pipe}{verdict},       'equal', 'without other load, the rates decide');
    is($quiet->{pipe}{work}{decides}, 0,       'not the work, which is known, too');
    my $quota = by_rates([0.5], [{}, {}], fail_on => [{ name => 'any' }]);
    is(rows($quota)->{pipe}{verdict}, 'slower', 'a quota is slower with as many cycles');
    is($quota->{is_worse},            1,        'also if any test may decide');
};

subtest 'rates that contradict the cycles of a loop' => sub {
    my @speeds  = (speeds => [0.2, 0.21, 0.22]);
    my $against = in_turns({ load => ['all'] }, { load => ['all'], @speeds });
    my $row     = rows($against)->{pipe};
    is($row->{verdict},          'inconclusive', 'leave the row open');
    is($row->{work}{is_against}, 1,              'and it says why');
    my $more = in_turns({ load => ['all'] }, { load => ['all'], by => 1.1, @speeds });
    is(rows($more)->{pipe}{verdict}, 'slower', 'but not if both are slower');
};

# Takes a label, the arguments of summary(), and perhaps facts; returns a side: an official result of ten passes.
sub side {
    my ($label, $with, %facts) = @_;
    my @tests = map { measured($_, 1, map { 1000 + $_ % 3 } 1 .. 10) } qw(pipe spawn);
    return { label => $label, summary => summary(result([run(1, @tests)], %CPU, %facts), %$with) };
}

subtest 'two results' => sub {
    my @all     = (load => ['all']);
    my $pipe_of = sub { rows(UnixBench::Compare::Comparison::of([@_]))->{pipe} };
    my $slower  = rows(UnixBench::Compare::Comparison::of([side('a', {}), side('b', { @all, by => 1.2 })]));
    is($slower->{pipe}{verdict},      'slower',       'more cycles of a loop beside other load');
    is($slower->{pipe}{work}{margin}, 1.04,           'with the factor that the load may have');
    is($slower->{spawn}{verdict},     'inconclusive', 'nothing follows from a test whose cycles load changes');
    is_deeply(
        [$slower->{mean}{verdict}, @{ $slower->{mean}{work} }{qw(tests of)}],
        ['slower', 1, 2],
        'the mean of the others decides'
    );
    is($pipe_of->(side('a', {@all}), side('b', { @all, by => 0.8 }))->{verdict}, 'faster', 'fewer cycles');
    is($pipe_of->(side('a', {@all}), side('b', {@all}))->{work}{margin}, 1.04**2, 'load on both sides counts twice');
    is($pipe_of->(side('a', {}),     side('b', { @all, by => 1.04 }))->{verdict},
        'inconclusive', 'a difference in the margin');
    my @other = (facts => { cpu => { models => [{ model => 'Xeon' }] } });
    my $apart = $pipe_of->(side('a', {}), side('b', { @all, by => 2 }, @other));
    is_deeply([@$apart{qw(verdict work)}], ['inconclusive', undef], 'cycles of other CPUs are not compared');
    my @blind =
        map { side($_->[0], $_->[1], facts => { %{ $CPU{facts} }, virtualization => { hypervisor => 'vmware' } }) }
        ['a', {}], ['b', { @all, by => 2 }];
    is($pipe_of->(@blind)->{work}, undef, 'nor are those of a guest that counts stolen time as CPU time');
    my $runs = UnixBench::Compare::Comparison::of([map { side($_, $_ gt 'b' ? { @all, by => 1.2 } : {}) } 'a' .. 'd'],
        sets => [2, 2]);
    is(rows($runs)->{pipe}{verdict}, 'slower', 'several results of each side');
};

done_testing;
