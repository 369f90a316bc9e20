# The system calls of all states: their data and their tables.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Observed                       qw(observed);
use Rendered                       qw(rendered);
use StatesInTurns                  qw(states_in_turns);
use UnixBench::Observe::States;
use UnixBench::Observe::StatesTopic;
use UnixBench::Report::Plain;
use UnixBench::Report::View;

# Takes { name of a test => what B observed, or undef for an error }; returns the results of A and B.
sub results {
    my (%of_b) = @_;
    my ($plain, $other) = states_in_turns(['bwrap'], tests => [qw(pipe syscall spawn)], factors => [0.5]);
    $_->{observed} = observed($_->{name}, 1) for @{ $plain->{runs}[0]{tests} };
    for my $test (@{ $other->{runs}[0]{tests} }) {
        my $own = exists $of_b{ $test->{name} } ? $of_b{ $test->{name} } : observed($test->{name}, 1);
        $test->{observed} = $own || { command => [], error => 'not here' };
    }
    return ($plain, $other);
}

# Takes the data, the name of a test and that of a call; returns its states, or undef.
sub states_of {
    my ($data, $name, $call) = @_;
    my ($test)  = grep { $_->{name} eq $name } @{ $data->[0]{tests} } or return;
    my ($found) = grep { $_->{name} eq $call } @{ $test->{calls} };
    return $found && $found->{states};
}

my $pipe = observed('pipe', 1);
push @{ $pipe->{calls} },
    { name => 'ptrace', count => 2 * $pipe->{loops}, returned => $pipe->{loops}, total_ns => 9000 * $pipe->{loops} };
my @results = results(pipe => $pipe, spawn => undef);
my $data    = UnixBench::Observe::States->of_states(\@results);

subtest 'the data' => sub {
    is_deeply([map { $_->{name} } @{ $data->[0]{tests} }],
        [qw(pipe syscall)], 'the tests that were observed in both states, in the order of reports');
    is($data->[0]{copies}, 1, 'with their number of copies');
    my ($in_a, $in_b) = @{ states_of($data, 'pipe', 'write') };
    is_deeply(
        [map { sprintf '%s %.2f', @$_{qw(letter per_loop)} } $in_a, $in_b],
        ['A 1.00',                                                  'B 1.00'],
        'a call in both'
    );
    is_deeply(
        states_of($data, 'pipe', 'ptrace'),
        [
            { letter => 'A', count => 0,                  per_loop => 0, mean_ns => undef },
            { letter => 'B', count => 2 * $pipe->{loops}, per_loop => 2, mean_ns => 9000 }
        ],
        'a call in B alone'
    );
    is($data->[0]{tests}[0]{calls}[0]{name}, 'ptrace', 'the call with the most time comes first');
    is(states_of($data, 'pipe', 'mmap'),     undef,    'calls beside the loop are left out');
    is(UnixBench::Observe::States->of_states([states_in_turns(['env'], tests => ['pipe'])]),
        undef, 'nothing was observed');
};

$results[0]{state_calls} = $data;

subtest 'the tables' => sub {
    my $view = UnixBench::Report::View->new(result => $results[0], published => []);
    my $text = UnixBench::Report::Plain::render(UnixBench::Observe::StatesTopic::report_of($view), 1);
    like($text, qr/^1 copy: system calls of Pipe Throughput$/m,            'a title for each test');
    like($text, qr/^Call +A per loop +B per loop +A mean ns +B mean ns$/m, 'both states stand in one table');
    like($text, qr/^ptrace +0[.]000 +2[.]000 +- +9000$/m,                  'a call that only B makes');
    my $page = rendered(html => $results[0]);
    like($page, qr/<h2>System calls in each state, 1\W+copy</, 'the page has them, too');
};

done_testing;
