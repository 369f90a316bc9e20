# How hosts stand among those of their kind.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Gallery::Fleets                qw(hosts_of list_of measured);
use Machines                       qw(facts_of spread_rates);
use UnixBench::Fleet::Standing;
use UnixBench::Fleet::Wording qw(legend remark_of);
use UnixBench::Report::Plain  qw(in_plain);

my @NEAR  = map { 1 + 0.002 * $_ } 1 .. 5;
my %USUAL = (CPU => '2 x AMD EPYC 7', Compiler => 'gcc (Debian 12.2.0-14) 12.2.0', 'Compiler flags' => '-O3');

# Takes a list; returns { name => verdict } of the hosts that are not usual.
sub unusual {
    my ($list) = @_;
    return { map { $list->{of}{$_}{is} eq 'usual' ? () : ($_ => $list->{of}{$_}{is}) } keys %{ $list->{of} } };
}

# Takes a list and the name of a host; returns what the report says about it.
sub said {
    my ($list, $name) = @_;
    my ($host) = grep { $_->{host} eq $name } @{ $list->{hosts} };
    return in_plain(remark_of($host, $list) // q{});
}

subtest 'hosts are compared with hosts of their kind' => sub {
    my %of = (
        cpu       => { facts_of(CPU => '2 x AMD EPYC 9', Kernel => '6') },
        count     => { facts_of(CPU => '4 x AMD EPYC 7', Kernel => '6') },
        procedure => { procedure => { kind => 'quick', time_factor => 1, work_factor => 1 } },
        flags     => { flags     => '-O2' },
    );
    my %usual = facts_of(CPU => '2 x AMD EPYC 7', Kernel => '6', 'Program pipe' => 'a');
    my %title = (
        cpu       => ['2 x AMD EPYC 7, official', '2 x AMD EPYC 9, official'],
        count     => ['2 x AMD EPYC 7, official', '4 x AMD EPYC 7, official'],
        procedure => ['2 x AMD EPYC 7, official', '2 x AMD EPYC 7, quick'],
        flags     => [('2 x AMD EPYC 7, official') x 2],
    );
    for my $aspect (sort keys %of) {
        my @hosts =
            (hosts_of(a => [@NEAR, 1], %usual), hosts_of(b => [map { 0.8 * $_ } @NEAR], %usual, %{ $of{$aspect} }));
        my $list = list_of(@hosts);
        is_deeply(unusual($list), {}, "$aspect: the kinds differ by 20 %, and no host is slow");
        is_deeply([map { $_->{title} } @{ $list->{kinds} }], $title{$aspect}, "$aspect: the titles of the kinds");
        my $slow = unusual(list_of(@hosts, measured(slow => 0.7, %usual, %{ $of{$aspect} })));
        is_deeply($slow, { slow => 'slow' }, "$aspect: a host is slow among its kind");
    }
    my $few = list_of(hosts_of(a => \@NEAR, %usual), hosts_of(few => [0.5, 0.5], %usual, %{ $of{cpu} }));
    is_deeply(unusual($few), { few1 => 'not compared', few2 => 'not compared' }, 'two hosts of a kind are not judged');
    is_deeply([map { defined $_->{median} ? 1 : 0 } @{ $few->{kinds} }], [1, 0], 'and have no median');
};

# Takes a factor of each number of copies; returns runs.
sub runs {
    my (%factor) = @_;
    return (runs => { map { $_ => { pipe => spread_rates(1e6 * $factor{$_}, 0.01) } } keys %factor });
}

subtest 'several numbers of copies' => sub {
    my @hosts = map { measured("m$_", 1, runs(1 => 1 + 0.001 * $_, 4 => 3)) } 1 .. 5;
    my $list  = list_of(@hosts, measured(quota => 1, runs(1 => 1, 4 => 1)), measured(many => 1, runs(4 => 3)));
    is($list->{copies}, 4, 'hosts are listed by the number of copies that most have');
    is_deeply(unusual($list), { quota => 'slow' }, 'a host that is slow with one of them is slow');
    like(said($list, 'quota'), qr/\Aslow with 4 copies: 67 % below the median \(z -\d/, 'the report says with which');
    $list = list_of(@hosts, measured(many => 1, runs(4 => 0.3)), measured(one => 1, runs(1 => 1)));
    is($list->{copies},       1,      'the smaller of two');
    is($list->{of}{many}{is}, 'slow', 'a host without it is judged by the other');
    like(said($list, 'many'), qr/; it has no such index with 1 copy\z/, 'and it is said');
};

subtest 'a host without such an index' => sub {
    my @hosts = hosts_of(a => \@NEAR);
    my $other = measured(other => 0.1, runs(1 => 0.1));
    my $list  = list_of(@hosts, $other, measured(bare => 1, runs => {}));
    is_deeply(unusual($list), { map { $_ => 'not compared' } qw(other bare) }, 'is not compared');
    is(said($list, $_), 'it has no such index with 1 copy', "$_: the reason") for qw(other bare);
};

subtest 'other load, trust and limits' => sub {
    my %limit  = (%USUAL, 'CPU time limit' => 'the time of 0.50 CPUs');
    my $vague  = measured(vague  => 1,   trust => { level => 'poor', passes => 9, tests => 1, half_width => 0.2 });
    my $loaded = measured(loaded => 0.5, facts_of(%USUAL));
    $loaded->{readings}{1}{is_disturbed} = 1;
    my $slight = measured(slight => 0.88, facts_of(%USUAL));
    $slight->{summary}{runs}[0]{indexes}[0]{quiet}{slowed} = 0.09;
    $slight->{readings} = UnixBench::Fleet::Standing::readings($slight->{summary});
    my $of_slight = unusual(list_of(hosts_of(a => \@NEAR, facts_of(%USUAL)), $slight));
    is_deeply($of_slight, { slight => 'not reliable' }, 'slight load may be it');
    my $list = list_of(hosts_of(a => \@NEAR, facts_of(%USUAL)), $loaded, measured(limited => 0.5, facts_of(%limit)));
    is_deeply(unusual($list), { loaded => 'not reliable', limited => 'slow' }, 'each has its verdict');
    like(said($list, 'loaded'),  qr/ 50 % below the median \(z .*\), while other load was at work\z/, 'the load');
    like(said($list, 'limited'), qr/; CPU time limit: the time of 0[.]50 CPUs\z/, 'the limit, once');
    ok((grep { !ref && /of 6 of 7 hosts: other load/ } legend($list)), 'the median says of how many hosts it is');
    $list = list_of(hosts_of(a => \@NEAR), $vague);
    is_deeply(unusual($list), { vague => 'uncertain' }, 'poor trust is uncertain');
    like(said($list, 'vague'), qr{\Adisturbances were not watched, an index }, 'with its reason');
    unlike(said(list_of(hosts_of(l => [1, 1, 1], facts_of(%limit))), 'l1'), qr/limit/, 'a limit that all have is none');
};

subtest 'text reports' => sub {
    my @texts = hosts_of(t => [1, 1, 1, 0.5], is_classic => 1);
    my $list  = list_of(hosts_of(a => \@NEAR), @texts);
    is_deeply(unusual($list), { map { $_ => 'not compared' } qw(t1 t2 t3 t4) }, 'of unknown CPUs');
    my $kinds = [['2 x AMD EPYC, official', 5], ['unknown CPUs, text report', 4]];
    is_deeply([map { [$_->{title}, scalar @{ $_->{hosts} }] } @{ $list->{kinds} }], $kinds, 'as a kind of their own');
    $_->{summary} = { %{ $_->{summary} }, facts_of(CPU => '2 x AMD EPYC 7') } for @texts;
    $list = list_of(hosts_of(a => \@NEAR), @texts);
    is_deeply(unusual($list), { t4 => 'slow' }, 'of the same CPUs are compared with each other');
    is($list->{of}{t1}{reading}{repeat}, undef, 'without intervals');
};

my $omission = ['compiler flags: -O3 in a, -O2 in b'];
is_deeply(list_of(measured(a => 1), measured(b => 1, flags => '-O2'))->{omissions},
    $omission, 'why they are not compared');

done_testing();
