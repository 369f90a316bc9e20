use strict;
use warnings;

use Errno qw(EDQUOT ENOENT ENOSPC);
use FindBin;
use List::Util qw(max min);
use POSIX      qw(WNOHANG);
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Alive qw(group is_alive);
use Needs qw(skip_without);
use SlowClock;
use UnixBench::Base::Halt;
use Workbench qw(elsewhere limited one_pass);

use constant TIMES_SLOWER => 100;    # so a harness gives up 20 copies that start on the slowest machine

sub copy_of { my $pass = one_pass(@_); return $pass->{copies}[0] }

subtest 'a gate' => sub {
    my $clock  = SlowClock->new(TIMES_SLOWER);
    my $pass   = one_pass('note-start', copies => 20, clock => $clock);
    my @copies = @{ $pass->{copies} };
    is_deeply([grep { defined } map { $_->{error} } @copies], [],         '20 copies');
    is_deeply([map { $_->{gated} } @copies],                  [(1) x 20], 'all know it');
    cmp_ok(
        min(map { $_->{data}{STARTED}[0] } @copies),
        '>=',
        max(map { $_->{data}{READY}[0] } @copies),
        'none starts before the last is ready'
    );
    cmp_ok(
        max(map { $_->{elapsed_s} } @copies),
        '<=',
        $pass->{took_s} - 0.2 / TIMES_SLOWER,
        'setting up is no part of their time'
    );
};

subtest 'programs that know no gate' => sub {
    my $refused = copy_of('refuse-gate');
    is($refused->{gated}, 0, 'closed');
    cmp_ok($refused->{elapsed_s}, '>=', 0.1, 'its time counts from its exec');
    my $pass = one_pass('slow-gate', copies => 2);
    is_deeply([map { $_->{gated} } @{ $pass->{copies} }], [0, 0], 'and are no part of the gate then');
    my @beyond_s = map { $_->{elapsed_s} - $_->{data}{LIVED}[0] } @{ $pass->{copies} };
    cmp_ok(min(@beyond_s), '>=', 0, 'their time counts from their exec');
};

subtest 'time limit' => sub {
    my $pass = one_pass('hang', copies => 2, limit_s => 0.05);
    is($pass->{copies}[$_]{error}, 'out of time: not done after 0.05 s', 'copy ' . ($_ + 1)) for 0, 1;
    is($pass->{copies}[0]{signal}, 15, 'ended by TERM');
    my $stubborn = one_pass('stubborn', limit_s => 0.05);
    is($stubborn->{copies}[0]{signal}, 9, 'ended by KILL when it ignores that');
    is_deeply([group($_->{pid})], [], 'nothing is left') for @{ $pass->{copies} }, @{ $stubborn->{copies} };
};

subtest 'programs that leave children behind' => sub {
    my $process;
    my $pass = one_pass('daemon', copies => 2, during => sub { ($process) = @_ });
    is($_->{error}, undef, 'no error') for @{ $pass->{copies} };
    is_deeply([group($_->{pid})], [], 'the child is ended') for @{ $pass->{copies} };
    is_deeply($process->{dying}, {}, 'and was waited for');
    my $child = one_pass('escaped-daemon')->{copies}[0]{data}{CHILD}[0];
    ok($child && !is_alive($child), 'so is one in a session of its own');
};

subtest 'a program that says something without end' => sub {
    my $copy = copy_of('endless', limit_s => 0.05);
    like($copy->{error}, qr/\Aout of time: not done after 0[.]05 s/, 'is ended when its time is over');
    is_deeply([group($copy->{pid})], [], 'nothing is left');
    my ($text) = elsewhere(
        sub {
            my $pass = one_pass('endless', limit_s => 1000, arguments => ['TERM']);
            print "$pass->{interrupted} ", scalar group($pass->{copies}[0]{pid});
        }
    );
    is($text, 'TERM 0', 'or by an interruption');
};

subtest 'interrupted' => sub {
    my $pass = one_pass('hang', copies => 3, limit_s => 1000, arguments => ['INT']);
    is($pass->{interrupted}, 'INT', 'by a signal');
    is_deeply([map { group($_->{pid}) } @{ $pass->{copies} }], [], 'nothing is left');
};

for my $case (['behind the gate' => 3], ['before the gate' => 200, 'early']) {
    my ($when, $copies, @arguments) = @$case;
    subtest "stopped and continued $when" => sub {
        my $pass    = one_pass('continue-parent', copies => $copies, arguments => \@arguments, limit_s => 1000);
        my @started = @{ $pass->{copies} };
        cmp_ok($pass->{stops}, '>', 0, 'is noticed');
        is($pass->{error}, q{}, 'is no failure');
        cmp_ok(scalar @started, $arguments[0] ? '<' : '==', $copies, 'no more are started');
        is_deeply([map { group($_->{pid}) } @started], [], 'nothing is left');
    };
}

subtest 'no space to set a copy up' => sub {
    for my $number (1, 3) {
        my $pass = one_pass('no-space', copies => 3, arguments => [$number], limit_s => 1000);
        ok(UnixBench::Base::Halt::is_no_space($pass->{error}), "copy $number: is thrown") or next;
        is("$pass->{error}", "can't write /full/copy.out: No space left on device\n", 'its line');
    }
    my $missing = one_pass('count', stdin => '/no/input');
    ok(!UnixBench::Base::Halt::is_no_space($missing->{error}), 'what else is wrong is not');
    is_deeply([map { UnixBench::Base::Halt::means_no_space($_) } ENOSPC, EDQUOT, ENOENT], [1, 1, 0], 'by its number');
};

# The limit => why not all copies can be started.
my %LIMITS = (
    '--nofile=40' => "can't make a pipe: Too many open files\n",
    '--nproc=10'  => "can't start a process: Resource temporarily unavailable\n",
);

for my $limit (sort keys %LIMITS) {
    subtest "the system refuses amid the start: $limit" => sub {
        my ($text) = limited(
            [$limit],
            sub {
                my $pass    = one_pass('/bin/sleep', copies => 60, arguments => [1000], limit_s => 1000);
                my $started = grep { /[.]out\z/ } @{ $pass->{left} };
                print join q{ }, $started, waitpid(-1, WNOHANG), $pass->{error};
            }
        );
        skip_without(tool => 'prlimit') if !defined $text;
        my ($started, $left, $error) = split q{ }, $text, 3;
        is($error, $LIMITS{$limit}, 'one line says why');
        cmp_ok($started, '>', 0, 'some were started');
        is($left, -1, 'all were ended and collected');
    };
}

done_testing();
