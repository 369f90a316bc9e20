# What has changed in a fleet since an earlier time. To record the reports again: UB_RECORD=1 prove -Ilib
# features/since/t/since.t

use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../accept/t/lib ../../fleet/t/lib ../../../lib ../../../t/lib);
use Fixture                        qw(tag unstyled);
use Golden                         qw(is_golden no_golden_left_over);
use Validator                      qw(are_valid_json);
use ValidPage                      qw(is_valid_page);
use Worked                         qw(worked FACTS);
use WrittenHosts                   qw(host_file list_since PLACE);
use UnixBench::Check::VerdictFile;
use UnixBench::Fleet::Report;
use UnixBench::Since::Report;

local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

my $LOAD = { %{ tag(others => disturbed => 1.4) }, by => [{ pid => 7, name => 'yes', cpus => 1.4 }] };
my %NEW  = (of_host => { release => '6.19.1' });

# Takes a number of days, and { name => factor, or [factor, more of host_file()] }; returns the files of these hosts.
sub week {
    my ($days, %factor) = @_;
    my @files;
    for my $name (sort keys %factor) {
        my ($times, %more) = ref $factor{$name} ? @{ $factor{$name} } : $factor{$name};
        my $tags = delete $more{tags} || [];
        push @files, host_file($name, $times, $tags, file => "$name-$days.json", days => $days, is_steady => 1, %more);
    }
    return \@files;
}

# Takes a number, and what host_file() takes; returns that many hosts, (name => [factor, ...]).
sub usual {
    my ($count, $times, @more) = @_;
    return map { ("u$_" => [$times * (1 + 0.002 * $_), @more]) } 1 .. $count;
}

# Takes [hosts now], [hosts then] as week() does, and requirements; returns the list.
sub since { my ($now, $then, @more) = @_; return list_since(week(8, @$now), week(1, @$then), @more) }

# Takes a list; returns its first line, and { host => verdict }.
sub first_line { my ($list) = @_; return UnixBench::Since::Report::headline($list) }

sub verdicts {
    my ($list) = @_;
    my %of = %{ $list->{since}{of} };
    return { map { $_ => $of{$_}{why_not} // $of{$_}{verdict} } keys %of };
}

sub in_format { my (@of) = @_; return UnixBench::Fleet::Report::in_format(@of) }

my @THEN = (usual(5, 1), slow => 1,    loaded => 1, gone => 1, renamed => 1);
my @NOW  = (usual(5, 1), slow => 0.79, loaded => [0.6, tags => [$LOAD]], other => 1, fresh => 1);
my $list = since(\@NOW, \@THEN);

subtest 'hosts are matched by name' => sub {
    is(
        first_line($list),
        '9 hosts since 2026-11-21: 1 slower (slow -21 %), 5 equal, 1 not certain; 2 new; 2 missing',
        'the first line is the answer'
    );
    is_deeply([@{ $list->{since} }{qw(new missing)}], [[qw(fresh other)], [qw(gone renamed)]], 'new and missing ones');
    my ($then, $now) = ([['h', 'unreachable']], [map { [$_, 'measured', week(8, h => 1)->[0]] } 'h']);
    my @tries   = map { [map { +{ host => $_->[0], outcome => $_->[1], file => $_->[2] } } @$_] } $now, $then;
    my $unknown = list_since(@tries);
    is_deeply(verdicts($unknown), { h => 'not measured then' }, 'a host that was not measured then');
    are_valid_json(fleet => unknown => in_format($unknown, 'json'));
};

subtest 'what the hosts of a kind have in common' => sub {
    my $shared = since([usual(9, 0.96, %NEW), bad => [0.75, %NEW]], [usual(9, 1), bad => 1]);
    my $said   = in_format($shared, 'text');
    is(
        first_line($shared),
        '10 hosts since 2026-11-21: 1 slower (bad -25 %), 9 as their kind; 9 together -4 %',
        'a host is judged by its ratio to that, too'
    );
    like($said, qr/^9 of 10 hosts of this kind are 4 % slower; differs: Kernel[^,;]*6[.]18[.]44[^,;]*6[.]19[.]1/m,
        'a line');
    like($said, qr/^bad .* 0[.]7[5-9]\d? .*slower\n(?! +differs)/m, 'is above the table, and nowhere else');
    is_deeply([map { $_->{verdict} } @{ $shared->{hosts} }], ['FAIL', ('PASS') x 9], 'such a host does not fail');
    is(UnixBench::Fleet::Command::_outcome($shared), 'not met', 'but the fleet is slower');
    are_valid_json(fleet => shared => in_format($shared, 'json'));
    my $behind = verdicts(since([usual(9, 1.1), same => 1], [usual(9, 1), same => 1]));
    is($behind->{same}, 'slower', 'a host that did not get faster with its kind');
    my $half =
        since([usual(4, 1), map { +"new$_" => [0.94, %NEW] } 1 .. 4], [usual(4, 1), map { +"new$_" => 1 } 1 .. 4]);
    is(first_line($half), '8 hosts since 2026-11-21: none slower, 4 equal, 4 as their kind; 4 together -6 %',
        'only some');
    like(
        in_format($half, 'text'),
        qr/^4 of 8 hosts of this kind are 6 % slower; differs: Kernel /m,
        'have a new kernel'
    );
    my $equal = in_format(since([usual(4, 1, %NEW)], [usual(4, 1)]), 'text');
    like($equal, qr/^4 of 4 hosts of this kind differ: Kernel /m, 'without a change, the facts are said');
    my $few = since([usual(2, 0.9)], [usual(2, 1)]);
    is_deeply([values %{ verdicts($few) }], [qw(slower slower)], 'two hosts have nothing in common');
};

subtest 'what differs' => sub {
    my %cpu  = (facts => { cpu => { models => [{ model => 'AMD EPYC 9', count => 4 }] } });
    my $text = in_format(since([usual(4, 1), cpu => [2, %cpu]], [usual(4, 1), cpu => 1]), 'text') =~ s/\n +/ /gr;
    like($text, qr/1 faster \(cpu \+100 %\)/,                        'another machine is compared');
    like($text, qr/kind of CPU|1 other|5 hosts: faster: cpu; equal/, 'and has its place');
    my $page = unstyled(in_format(since([usual(4, 1), cpu => [2, %cpu]], [usual(4, 1), cpu => 1]), 'html'));
    like($page, qr{<th scope="row">cpu.*differs: CPU}s, 'the page says what differs');
    my %quota   = (facts => { cgroup => { cpus => 0.8 } });
    my %unseen  = (facts => { unread => ['cgroup'] });
    my @weeks   = ([usual(4, 1), map { +"h$_" => [0.8, %quota] } 1, 2], [usual(4, 1), h1 => 1, h2 => [1, %unseen]]);
    my $limited = in_format(since(@weeks), 'text');
    like($limited, qr/^h1 .*slower\n +differs: CPU time limit [(]none -> the time of 0[.]80 CPUs[)]/m, 'a new limit');
    like(
        $limited,
        qr/^h2 .*slower\n +CPU time limit: the time of 0[.]80 CPUs [(]unknown then[)]$/m,
        'one not visible then'
    );
    my %short = (procedure => { kind => 'official', time_factor => 0.1, work_factor => 1 });
    my $other = since([usual(3, 1), h => [1, %short]], [usual(3, 1), h => 1]);
    like(
        verdicts($other)->{h},
        qr/\Alength of passes .*: 1 in then, 0[.]1 in now\z/,
        'another procedure is not compared'
    );
    like(first_line($other), qr/1 not compared\z/, 'and the first line says so');
};

subtest 'what proves nothing' => sub {
    my $then = week(1, usual(3, 1));
    my $same = list_since($then, $then);
    is(first_line($same), '3 hosts since 2026-11-21: none slower, 3 not compared', 'a run against itself');
    like(in_format($same, 'text'), qr/^u1 *\n +its result is that of the same run$/m, 'says why');
    is(UnixBench::Fleet::Command::_outcome($same), 'inconclusive', 'and is not a success');
    my $back = list_since($then, week(8, usual(3, 1)));
    is(
        first_line($back),
        '3 hosts against 2026-11-28, which is later: none slower, 3 equal',
        'weeks in the wrong order'
    );
    my %quick = (procedure => { kind => 'quick', time_factor => 1, work_factor => 1 });
    my $mixed = since([usual(3, 1, %quick), h => [0.5, %quick]], [usual(3, 1), h => 1]);
    is(verdicts($mixed)->{h}, 'inconclusive', 'a quick estimate is never slower than an official result');
};

subtest 'several numbers of copies' => sub {
    my @both  = (copies => [1, 2]);
    my $equal = since([usual(3, 1, @both), h => [1, @both]], [usual(3, 1, @both), h => [1, @both]]);
    is(first_line($equal), '4 hosts since 2026-11-21: none slower, 4 equal', 'no change');
    my $copies = since([usual(3, 1, @both), h => [0.8, @both]], [usual(3, 1, @both), h => [1, @both]]);
    is($copies->{since}{of}{h}{copies}, 1, 'the number by which hosts are listed is shown first');
};

subtest 'beside other load, work decides' => sub {
    my $work = sub {
        my ($cycles) = @_;
        return (facts => FACTS, change => sub { worked($_[0], map { $cycles * $_ } 1, 1.001, 0.999) });
    };
    my @busy = (tags => [$LOAD]);
    my @then = (map { ($_ => [1, $work->(2000)]) } qw(same more a b c));
    my @now  = (
        (map { ($_ => [1, $work->(2000)]) } qw(a b c)),
        same => [0.5, @busy, $work->(2020)],
        more => [0.5, @busy, $work->(2700)]
    );
    my $beside = since(\@now, \@then);
    is_deeply(verdicts($beside), { (map { ($_ => 'equal') } qw(a b c same)), more => 'slower' }, 'both ways');
    like(
        in_format($beside, 'text'),
        qr/^more .* slower by work\n +by work: .*Pipe Throughput.*1[.]35 times the cycles of a loop/m,
        'says so'
    );
    my ($data) = grep { $_->{host} eq 'more' } @{ JSON::PP->new->decode(in_format($beside, 'json'))->{hosts} };
    is($data->{change}{by_work}, JSON::PP::true, 'in JSON, too');
};

subtest 'requirements' => sub {
    my @given = ([usual(4, 1), h => 0.9, new => 1], [usual(4, 1), h => 1]);
    my @hosts = @{ since(@given, 'b/a:pipe>=0.95')->{hosts} };
    my %is    = map { $_->{host} => $_->{verdict} } @hosts;
    is_deeply(\%is, { h => 'FAIL', new => 'INCONCLUSIVE', map { +"u$_" => 'PASS' } 1 .. 4 }, 'on the ratio');
    my $both = since(@given, 'b/a:pipe>=0.85', 'pipe>=100');
    is_deeply([map { $_->{host} eq 'new' ? () : $_->{verdict} } @{ $both->{hosts} }], [('PASS') x 5], 'on both');
    my ($case) = grep { $_->{title} eq 'b/a:pipe>=0.95' }
        map { @{ $_->{cases} } } grep { $_->{host} eq 'new' } @hosts;
    is($case->{reason}, 'the host was not there then', 'a new host');
    my $more = since(@given, 'b/a:pipe>=0.95', '4:pipe>=1');
    is_deeply([map { $_->{verdict} } grep { $_->{host} eq 'u1' } @{ $more->{hosts} }],
        ['INCONCLUSIVE'], 'none that fits');
    like(first_line($both), qr/; 1 new; 5 PASS, 1 INCONCLUSIVE\z/, 'the first line has the outcomes');
};

subtest 'other formats' => sub {
    is_golden('since.txt', in_format($list, 'text')       =~ s/\Q@{[PLACE]}\E/PLACE/gr);
    is_golden('since.csv', in_format($list, 'export csv') =~ s/\Q@{[PLACE]}\E/PLACE/gr);
    is_valid_page('since', in_format($list, 'html'));
    are_valid_json(fleet => since => in_format($list, 'json'));
    my @blocks = UnixBench::Check::VerdictFile::blocks(in_format($list, 'verdict'));
    my %state  = map { $_->{host} => $_->{state} } @blocks;
    is_deeply(
        \%state,
        {
            slow   => 'fail',
            loaded => 'inconclusive',
            (map { $_ => 'unknown' } qw(fresh other)),
            map { +"u$_" => 'pass' } 1 .. 5
        },
        'a file of verdicts'
    );
    my $junit = in_format($list, 'junit');
    like($junit, qr{<testsuite [^>]*name="slow".*?<failure [^>]*message="0[.]79[0-9]*, at most}s, 'JUnit');
    like($junit, qr{<testsuites [^>]*failures="1"},                                               'counts one failure');
};

no_golden_left_over();
done_testing();
