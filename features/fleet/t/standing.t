# Which hosts of a fleet are unusual: its kinds, and the outliers among numbers.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../lib ../../../t/lib);
use Gallery::Fleets                qw(hosts_of list_of measured);
use Machines                       qw(facts_of spread_rates);
use UnixBench::Fleet::Outliers;
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
    like(said($list, 'vague'), qr{\Aan index has an interval of [^,;]*\z}, 'with one reason');
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

# Which hosts of one kind stand out.

# Takes values, or { value, and more of a reading }; returns { position => finding }.
sub found {
    my (@values) = @_;
    my @readings = map { +{ host => $_, ref $values[$_] ? %{ $values[$_] } : (value => $values[$_]) } } 0 .. $#values;
    my $found    = UnixBench::Fleet::Outliers::outliers(@readings) or return;
    return { map { $_->{host} => $_ } @{ $found->{findings} } };
}

# Takes the same; returns how the last one stands out, or "usual".
sub last_is {
    my (@values) = @_;
    my $finding = found(@values)->{$#values};
    return $finding ? $finding->{is} : 'usual';
}

subtest 'z is as computed by hand' => sub {

    # The logarithms are 0 to 8 and 40 hundredths: the median is 4.5, the MAD is 2.5, that is 0.0403 for the normal
    # distribution, with an efficiency of 9 * 0.37 beside eight degrees of freedom of 1 %.
    my $shown  = 0.025 / 0.6745 * 10 / 9.2;
    my @values = map { 100 * exp($_ / 100) } 0 .. 8, 40;
    my $z      = found(@values)->{9}{z};
    is(sprintf('%.6f', $z), sprintf('%.6f', 0.355 / $shown), 'the deviation is at least that of the MAD');
    my @sure = map { { value => $_, error => 0.06 } } @values;
    $z = found(@sure)->{9}{z};
    is(sprintf('%.6f', $z), sprintf('%.6f', 0.355 / 0.06), 'that of a host is at least its own error');
    $sure[9]{error} = 0;
    my $deviation = sqrt((8 * 0.06**2 + 3.33 * $shown**2) / 11.33);
    $z = found(@sure)->{9}{z};
    is(sprintf('%.6f', $z), sprintf('%.6f', 0.355 / $deviation), 'errors count as eight degrees of freedom');

    # If all but one are equal, the MAD is 0, and 1 % is used instead.
    $z = found((100) x 9, 94)->{9}{z};
    is(sprintf('%.4f', $z), sprintf('%.4f', log(0.94) / 0.01), 'and at least 1 %');

    # The MAD of three values, 3 hundredths, is multiplied by 1.495.
    $z = found(map { 100 * exp($_ / 100) } 0, 3, 50)->{2}{z};
    is(sprintf('%.4f', $z), sprintf('%.4f', 0.47 / (1.495 * 0.03 / 0.6745)), 'the MAD of few values is corrected');
};

subtest 'a value stands out beyond both limits' => sub {
    my @alike = (100) x 9;
    my @apart = map { 100 * exp $_ / 50 } -4 .. 4;
    is(last_is(@{ $_->[0] }, $_->[1]), $_->[2], "$_->[1]: $_->[2]")
        for [\@alike, 94.9 => 'slow'], [\@alike, 95.1 => 'usual'], [\@alike, 104.9 => 'usual'],
        [\@alike, 105.1 => 'fast'], [\@apart, 85 => 'usual'], [\@apart, 70 => 'slow'], [\@apart, 150 => 'fast'];
    is(last_is(100, 101, 50), 'slow', 'one of three is judged');
    is(found(100, 50),        undef,  'one of two is not');
};

subtest 'a host of which little is known has to be further off' => sub {
    my @others = map { { value => 100, error => 0.01 } } 1 .. 9;
    is(last_is(@others, { value => 85, error => 0.05 }), 'usual', '15 % at an error of 5 %');
    is(last_is(@others, { value => 85, error => 0.01 }), 'slow',  'at one of 1 %');
    is(last_is(@others, { value => 80, error => 0.05 }), 'slow',  '20 % at 5 %');
    is(last_is(@others, { value => 85, error => 0.05, limit => '0.4' }), 'slow', 'a limit of CPU time is the reason');
};

subtest 'other load' => sub {
    my @quiet  = map { { value => 100 + $_ } } 1 .. 9;
    my $loaded = sub { my ($value, %bounds) = @_; return { value => $value, is_disturbed => 1, %bounds } };
    my @cases  = (
        ['without bounds',            $loaded->(50), 'not reliable'],
        ['a ceiling that is too low', $loaded->(30,  at_most  => 36),    'slow'],
        ['one that is not',           $loaded->(50,  at_most  => 100),   'not reliable'],
        ['a floor that is too high',  $loaded->(150, at_least => 125),   'fast'],
        ['one that is not',           $loaded->(130, at_least => 93),    'not reliable'],
        ['a floor of a slow host',    $loaded->(50,  at_least => 50),    'not reliable'],
        ['a limit of CPU time',       $loaded->(50,  limit    => '0.4'), 'slow'],
    );
    is(last_is(@quiet, $_->[1]), $_->[2], $_->[0]) for @cases;
    my @loud = map { $loaded->(50 + $_) } 1 .. 9;
    is(last_is(@loud, { value => 100 }), 'not reliable', 'a host may be fast only because the others were disturbed');
    is_deeply([sort { $a <=> $b } keys %{ found(@quiet, { value => 60 }, @loud) }], [9 .. 18], 'undisturbed hosts');
    is(found(@quiet, { value => 60 }, @loud)->{9}{is}, 'slow', 'with each other');
};

done_testing;
