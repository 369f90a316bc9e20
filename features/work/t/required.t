# Requirements on work: the cycles of a loop, their ratio to another result, and that of a state in turns.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../accept/lib ../../accept/t/lib ../../under/lib ../../../t/lib);
use Fixture                        qw(measured result run tag);
use StatesInTurns                  qw(states_in_turns);
use UnixBench::Accept::Requirement ();
use UnixBench::Accept::Verdict     qw(sentence);
use UnixBench::Summary             ();
use UnixBench::Under::Ratios       ();
use Verdicts                       qw(judged of_requirements);
use Worked                         qw(worked FACTS);

my %CPU  = (facts => FACTS);
my @LOAD = (tags  => [tag(others => 'disturbed', 1.4)]);

# Takes the cycles of a loop of pipe and of syscall, and perhaps what its passes have; returns a result. Beside other
# load, the rates are lower.
sub of_cycles {
    my ($pipe, $syscall, %of_passes) = @_;
    my $count  = %of_passes ? 60_000 : 100_000;
    my %cycles = (pipe => $pipe, syscall => $syscall);
    my @tests  = map { worked(measured($_, 1, ($count) x 10), map { $_ * 1.001, $_ / 1.001 } ($cycles{$_}) x 5) }
        sort keys %cycles;
    %$_ = (%$_, %of_passes) for map { @{ $_->{passes} } } @tests;
    return result([run(1, @tests)], %CPU);
}

# Takes a result, a requirement, and perhaps the summary of its file; returns the verdict in a sentence.
sub verdict {
    my ($result, $text, $file) = @_;
    return sentence((of_requirements(judged($result, [1], $text => $file)))[0]);
}

my $RESULT = of_cycles(2000, 3000);
my $BASE   = UnixBench::Summary::of(of_cycles(2000, 3000));

subtest 'cycles of a loop' => sub {
    like(verdict($RESULT, 'pipe:work<=2100'),
        qr/\APASS pipe:work<=2100 [(]1 copy[)]: 2000[.]0, at most 20\d\d[.]\d\z/, 'fewer');
    like(verdict($RESULT, 'pipe:work<=1900'), qr/\AFAIL .*: 2000[.]0, at least 19\d\d[.]\d\z/, 'more');
    like(
        verdict($RESULT, 'pipe:work<=2001'),
        qr/\AINCONCLUSIVE .*: the limit is within the interval\z/,
        'about as many'
    );
    like(verdict(of_cycles(2000, 3000, @LOAD), 'pipe:work<=2050'),
        qr/\AINCONCLUSIVE/, 'other load may have changed them');
    like(verdict(of_cycles(2000, 3000, @LOAD), 'pipe:work<=2300'), qr/\APASS/, 'by little');
    my $other = result($RESULT->{runs}, facts => { %{ $CPU{facts} }, cpu => { models => [{ model => 'unknown' }] } });
    like(
        verdict($other, 'pipe:work<=2300'),
        qr/\AINCONCLUSIVE .*: its work is not known\z/,
        'of a CPU whose steps are unknown'
    );
};

subtest 'compared with another result' => sub {
    my $worse = of_cycles(2400, 3000, @LOAD);
    like(verdict($RESULT, 'pipe:work<=1.05*base', $BASE), qr/\APASS/, 'as many');
    like(
        verdict($worse, 'pipe:work<=1.05*base', $BASE),
        qr/\AFAIL .*: 1[.]2, at least 1[.]1\d+, limit 1[.]05/,
        'more, beside other load'
    );
    like(verdict($worse, 'pipe:work<=1.19*base', $BASE),
        qr/\AINCONCLUSIVE/, 'so little more that the load may be the reason');
    like(
        verdict($worse, 'pipe>=0.95*base', $BASE),
        qr/\AFAIL .*: by work, 1[.]20 times the cycles of a loop\z/,
        'a rate'
    );
    like(
        verdict(of_cycles(2000, 3000, @LOAD), 'pipe>=0.9*base', $BASE),
        qr/\APASS .*: by work, 1[.]00 times/,
        'one that is met'
    );
};

subtest 'a state in turns' => sub {
    my @states =
        states_in_turns(['./sandbox'], tests => [qw(pipe syscall)], facts => {%CPU}, factors => [0.8], sway => 0.3);
    for my $state (0, 1) {
        my $by = (1, 1.2)[$state];
        for my $run (@{ $states[$state]{runs} }) {
            $_  = worked($_, map { $by * $_ } 2000, 2004) for @{ $run->{tests} };
            %$_ = (%$_, @LOAD)                            for map { @{ $_->{passes} } } @{ $run->{tests} };
        }
    }
    $states[0]{experiment} = UnixBench::Under::Ratios::of(\@states);
    like(verdict($states[0], 'b/a:pipe:work<=1.3'), qr/\APASS .*: 1[.]20?, at most 1[.]2/, 'less');
    like(verdict($states[0], 'b/a:pipe:work<=1.1'), qr/\AFAIL .*: 1[.]20?, at least 1[.]/, 'more');
    like(verdict($states[0], 'b/a:pipe>=0.95'),     qr/\AFAIL .*: by work, 1[.]20 times/,  'a rate beside other load');
};

subtest 'what can not be asked' => sub {
    my $error = sub { eval { UnixBench::Accept::Requirement::of_word(shift); 1 } ? 'none' : $@ =~ s/\n\z//r };
    is($error->('pipe:work>=3'), 'requirement "pipe:work>=3": less is better: work needs "<="', '>= with work');
    is($error->('pipe<=3'),      'requirement "pipe<=3": more is better: use ">="',             '<= with a rate');
    my $index = UnixBench::Accept::Requirement::of_word('index:work<=3');
    my $why =
        eval { UnixBench::Accept::Requirement::check([$index], { copies => [1], tests => [], parts => {} }); 1 }
        ? 'none'
        : $@;
    like($why, qr/: the work of an index is a ratio, such as b\/a:index:work<=1[.]03\n\z/, 'the work of an index');
    is($error->("$_:work<=1.03"), 'none', $_) for qw(b/a:index pipe 8:pipe);
};

done_testing;
