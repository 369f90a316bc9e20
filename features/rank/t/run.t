# ./Run rank: its last screen, files that are refused, and a standard output that is closed.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use BadResults                     qw(%BAD directory why);
use LastScreen                     qw(is_screen plain shown);
use Needs                          qw(skip_without);
use Place                          qw(text_of);
use PseudoTerminal;
use TestRun qw(waited);

use constant COLUMNS => 80;

my $TEST = TestRun->new(env => { TERM => 'xterm' });

subtest 'the last screen of a terminal' => sub {
    skip_without(machine => 'terminals') if !PseudoTerminal->new(COLUMNS);
    $TEST->write('results', 'old', text_of("$FindBin::Bin/../../../t/data/classic/1-copy"));
    my ($ranked) = shown($TEST, {}, 'rank', $TEST->place('results', 'old'));
    is_screen('rank', $ranked, 'Index', qr{./Run compare old OTHER$}m);
    is(scalar(() = $ranked =~ /^[> ] +[0-9.]+(?: to [0-9]+)?  \S/mg), 13, 'ten nearest, the best, the lowest, the own');
    is_deeply([grep { length > COLUMNS } split /\n/, plain($ranked)], [], 'no line is broken by the terminal');
};

subtest 'a file that the user has named is refused as by other commands' => sub {
    directory($TEST, 0, %BAD);
    for my $name (sort keys %BAD) {
        my $bad = $TEST->place('results', $name);
        my $run = $TEST->run('rank', $bad);
        is_deeply([@$run{qw(status out)}], [2, q{}], "$name is refused");
        like($run->{err}, qr/\ARun: \Q$bad\E (?:is not a result: |@{[why($name)]})[^\n]*\n\z/, "$name: the reason");
    }
};

subtest 'a closed standard output' => sub {
    directory($TEST, 1);
    my $run  = waited($TEST->started_by('/bin/sh', '-c', 'exec "$0" "$@" >&-', $^X, "$TestRun::HOME/Run", 'rank'));
    my $said = "Run: can't write to standard output: it is closed\n";
    is_deeply([@$run{qw(status err)}], [1, $said], 'exit status 1, and one message');
};

done_testing;
