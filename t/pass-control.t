use strict;
use warnings;

use FindBin;
use List::Util qw(max min);
use Test::More;

use lib "$FindBin::Bin/lib";
use Alive     qw(group is_alive);
use Workbench qw(one_pass);

sub copy_of { my $pass = one_pass(@_); return $pass->{copies}[0] }

subtest 'a gate' => sub {
    my $pass   = one_pass('note-start', copies => 20);
    my @copies = @{ $pass->{copies} };
    is_deeply([grep { defined } map { $_->{error} } @copies], [],         '20 copies');
    is_deeply([map { $_->{gated} } @copies],                  [(1) x 20], 'all know it');
    cmp_ok(
        min(map { $_->{data}{STARTED} } @copies),
        '>=',
        max(map { $_->{data}{READY} } @copies),
        'none starts before the last is ready'
    );
    cmp_ok(max(map { $_->{elapsed_s} } @copies), '<=', $pass->{took_s} - 0.2, 'setting up is no part of their time');
};

subtest 'programs that know no gate' => sub {
    my $refused = copy_of('refuse-gate');
    is($refused->{gated}, 0, 'closed');
    cmp_ok($refused->{elapsed_s}, '>=', 0.1, 'its time counts from its exec');
    my $pass = one_pass('slow-gate', copies => 2);
    is_deeply([map { $_->{gated} } @{ $pass->{copies} }], [0, 0], 'and are no part of the gate then');
    cmp_ok(min(map { $_->{elapsed_s} } @{ $pass->{copies} }), '>=', 2.2, 'their time counts from their exec');
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
    my $pass = one_pass('daemon', copies => 2);
    is($_->{error}, undef, 'no error') for @{ $pass->{copies} };
    is_deeply([group($_->{pid})], [], 'the child is ended') for @{ $pass->{copies} };
    my $escaped = one_pass('escaped-daemon');
    my $child   = $escaped->{copies}[0]{data}{CHILD};
    kill KILL => $child if $child && is_alive($child);
};

subtest 'interrupted' => sub {
    my $parent = $$;
    my $pass   = one_pass(
        'hang',
        copies => 3,
        during => sub {
            my $pid = fork // die "fork: $!\n";
            return if $pid;
            exec '/bin/sh', '-c', "sleep 0.2; kill -INT $parent" or die "sh: $!\n";
        }
    );
    is($pass->{interrupted}, 'INT', 'by a signal');
    is_deeply([map { group($_->{pid}) } @{ $pass->{copies} }], [], 'nothing is left');
};

done_testing();
