use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases   qw(%COUNT);
use Fixture qw(@INDEX failed interrupted measured result run steady_result);
use UnixBench::Compare::Published;
use UnixBench::Summary;

my $HOME    = "$FindBin::Bin/../../..";
my @TESTS   = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn shell1 shell8 syscall);
my $HEADING = join q{,}, qw(machine kind cpu cpus copies index results version year source known_as), @TESTS;

# Takes lines after the heading without the kind, perhaps without the columns at the end; returns the published results
# of PCs.
sub parsed {
    my (@lines) = @_;
    return of_kinds(map { s/\A[^,]*\K,/,PC,/r } map { filled($_) } @lines);
}

# Takes complete lines; returns their published results.
sub of_kinds {
    my (@lines) = @_;
    return UnixBench::Compare::Published::parse(join q{}, map { "$_\n" } $HEADING, @lines);
}

# Takes the values of a line up to the short name; returns the line.
sub line { return join q{,}, @_, (q{}) x (11 + @TESTS - @_) }

# Returns a line with empty columns at the end, if it has all those before them.
sub filled {
    my ($line) = @_;
    my $columns = $line =~ tr/,//;
    return $columns < 8 || $columns > 9 + @TESTS ? $line : $line . q{,} x (9 + @TESTS - $columns);
}

# Takes indexes; returns published results with them.
sub published {
    return parsed(map { "m$_,c$_,1,1,$_,1,5.1.3,2024,person" } @_);
}

subtest 'the file of published results is parsed' => sub {
    my @results = parsed(
        'a,A,4,1,500.5,1,5.1.3,2024,x/y', 'b,B,4,4,1500,1,5.1.3,2024,x/y',
        'c,,4,1,90,7,5.1.2,2011,z',       ',D,8,1,1000,1,6.0.0,2025,z'
    );
    is("@{[map { $_->{index} } @results]}", '90 500.5 1000 1500', 'the lowest index first');
    is_deeply(
        [@{ $results[0] }{qw(machine cpu cpus copies results version year)}],
        ['c', q{}, 4, 1, 7, '5.1.2', 2011],
        'each has the values of its line'
    );
    is_deeply([map { UnixBench::Compare::Published::name_of($_) } @results], ['c', 'a, A', 'D', 'b, B'], 'a name');
    my $line = line(qw(a PC A 4 1 500 1 5.1.3 2024 x Box 1000.5));
    my ($crlf) = UnixBench::Compare::Published::parse("$HEADING\r\n$line\r\n");
    is_deeply([@$crlf{qw(source known_as)}], ['x', 'Box'],           'lines may end in CR LF');
    is_deeply($crlf->{scores},               { dhry2reg => 1000.5 }, 'scores that were published');
};

subtest 'a damaged file is refused' => sub {
    my $good = 'a,A,4,1,500,1,5.1.3,2024,x';
    my %line = (
        'a value too few'      => 'a,A,4,1,500,1,5.1.3,2024',
        'an index with a unit' => 'a,A,4,1,500 lps,1,5.1.3,2024,x',
        'no copies'            => 'a,A,4,,500,1,5.1.3,2024,x',
        'an empty line'        => q{},
    );
    for my $what (sort keys %line) {
        is(eval { parsed($good, $line{$what}, $good); 1 }, undef, "$what is refused");
        is($@, "share/published.csv is damaged in line 3\n",      'the error names the line');
    }
    for my $text (q{}, "a,b\n", "$HEADING,more\n") {
        is(eval { UnixBench::Compare::Published::parse($text); 1 }, undef, 'other columns are refused');
        like($@, qr/\Ashare\/published[.]csv has other columns than machine,kind,.*\n\z/, 'it names the columns');
    }
};

subtest 'the shipped file has its sources' => sub {
    my @results = UnixBench::Compare::Published::results($HOME);
    my @one     = UnixBench::Compare::Published::of_one_copy(@results);
    my @all     = UnixBench::Compare::Published::of_all_cpus(@results);
    is_deeply(
        [scalar @one, scalar @all, scalar grep { length $_->{kind} } @results],
        [195,         127,         323],
        'it has results of one copy, and of one copy for each CPU'
    );
    is_deeply([grep { !length $_->{source} || $_->{year} !~ /\A(?:20[0-9]{2})?\z/ } @results], [], 'with sources');
    my %anchor = map { $_->{known_as} => $_->{index} } UnixBench::Compare::Published::anchors(@one);
    is_deeply([sort keys %anchor], ['Pi 4', 'Pi 5', 'Pi Zero 2', 'desktop of 2022', 'laptop of 2007'], 'their names');
    is_deeply([UnixBench::Compare::Published::results('/nowhere')], [], 'without the file, there are no results');
};

# Takes a factor; returns the tests of the index, with their usual counts times the factor.
sub index_tests {
    my ($factor) = @_;
    return map { my $count = $factor * $COUNT{$_}; measured($_, 1, ($count) x 3) } @INDEX;
}

# Takes a result and published indexes; returns the rank.
sub rank {
    my ($result, @indexes) = @_;
    return UnixBench::Compare::Published::rank(UnixBench::Summary::of($result), published(@indexes));
}

my $RESULT = result([run(1, index_tests(1))]);
my ($INDEX) = map { $_->{index} } @{ $RESULT->{runs}[0]{indexes} };

subtest 'a result has a place among the published ones' => sub {
    my @around = map { sprintf '%.1f', $INDEX * $_ } 0.5, 0.8, 1.3, 2;
    my $rank   = rank($RESULT, @around);
    is(sprintf('%.4g', $rank->{index}{value}), sprintf('%.4g', $INDEX), 'the index is that of all passes');
    is_deeply([@$rank{qw(places of)}], [[3, 3], 4], 'the place is one more than there are higher ones');
    is_deeply(rank($RESULT, 1)->{places},   [1, 1], 'higher than all');
    is_deeply(rank($RESULT, 1e9)->{places}, [2, 2], 'lower than all');
    is(rank($RESULT), undef, 'without published results, there is no place');
    my $both = result([run(4, index_tests(2)), run(1, index_tests(1))]);
    is_deeply(rank($both, 1)->{index}, $rank->{index}, 'the index of one copy is used, in whichever run it is');
};

subtest 'the place is a range where the interval spans several' => sub {
    my @tests = map {
        my $count = $COUNT{$_};
        measured($_, 1, map { $count * $_ } 0.98, 1, 1.02)
    } @INDEX;
    my $result  = steady_result([run(1, @tests)]);
    my ($index) = @{ $result->{runs}[0]{indexes} };
    my $rank    = rank($result, map { sprintf '%.3f', $_ * $index->{index} } 0.5, 0.992, 0.999, 1.5);
    my ($low, $high) = @{ $rank->{reach} };
    is($high, $index->{index},       'it reaches up to the classic index, which leaves out the lowest passes');
    is($low,  $rank->{machine}{low}, 'and down to the end of the interval');
    is_deeply($rank->{places}, [2, 4], 'from the best place to the worst');
    my $summary = UnixBench::Summary::of($result);
    @{ $summary->{trust} }{qw(level disturbed limited)} = ('poor', (36) x 2);
    ok(UnixBench::Compare::Published::rank($summary, published(100))->{places}, 'steal and quotas leave the place');
    $summary->{trust}{loaded} = 36;
    my $poor = UnixBench::Compare::Published::rank($summary, published(100));
    is($poor->{places}, undef, 'a poor result has no place');
    is_deeply($poor->{reach}, [@{ $poor->{on_axis} }{qw(low high)}], 'nor an interval of its machine');
    my $varied = rank({ %$result, earlier => [] }, map { $_ * $index->{index} } 0.5, 0.975, 1.01, 1.5);
    is_deeply($varied->{places},  [2, 4],           'the interval is that of the machine: its next run may differ');
    is_deeply($varied->{on_axis}, $rank->{on_axis}, 'that of the run is as narrow as before');
};

subtest 'a floor stands for all that is above it' => sub {
    my $axis = sub {
        my ($least, $most) = @_;
        my $summary = UnixBench::Summary::of($RESULT);
        $summary->{runs}[0]{indexes}[0]{bounds} = { is_floor => 1, at_least => $least, at_most => $most };
        my $rank = UnixBench::Compare::Published::rank($summary, published(100, 1000));
        return [@{ $rank->{on_axis} }{qw(value low high)}];
    };
    is_deeply($axis->(200,  500),   [200,  200,  500],  'up to what other load explains');
    is_deeply($axis->(200,  undef), [200,  200,  1000], 'or up to the fastest published result');
    is_deeply($axis->(2000, 5000),  [2000, 2000, 2000], 'a higher floor is the end itself');
};

subtest 'the place among machines of the same kind' => sub {
    my $summary = sub {
        my ($hypervisor, %host) = @_;
        my $facts = { virtualization => { hypervisor => $hypervisor } };
        return UnixBench::Summary::of({ %$RESULT, facts => $facts, host => { %{ $RESULT->{host} }, %host } });
    };
    my $published = sub {
        my ($kind, $number, $year) = @_;
        return
            map { line("m$_", $kind, 'c', 1, 1, sprintf('%.1f', $INDEX * (0.5 + $_)), 1, 5, $year, 'x') } 1 .. $number;
    };
    my @all = of_kinds(
        $published->('rented VM',     20, 2022),
        $published->('rented VM',     5,  2021),
        $published->('board',         19, 2026),
        $published->('board',         3,  2012),
        $published->('PC',            2,  2020),
        $published->('rented server', 1,  2025),
        $published->('own VM',        9,  2025),
        $published->(q{},             9,  2025),
        $published->('emulated',      1,  2025),
    );
    my $peers = sub { return UnixBench::Compare::Published::rank($summary->(@_), @all)->{peers} };
    is_deeply($peers->('kvm'), { words => 'rented VMs', since => 2022, places => [21, 21], of => 20 },  'five years');
    is_deeply([@{ $peers->('none', machine => 'aarch64') }{qw(words since of)}], ['boards', undef, 22], 'all years');
    is($peers->('none')->{words}, 'PCs and servers', 'a PC');
    my $server = $summary->('none', machine => 'aarch64');
    $_->{cpu_count} = 64 for @{ $server->{runs} };
    is(UnixBench::Compare::Published::rank($server, @all)->{peers}{words}, 'PCs and servers', 'a server with ARM CPUs');
    is($peers->(undef),                                                    undef, 'a machine of an unknown kind');
    is(UnixBench::Compare::Published::rank($summary->('kvm'), @all)->{of}, 20 + 5 + 19 + 3 + 2 + 1 + 9 + 1, 'no kind');
};

subtest 'the place of one copy for each CPU' => sub {
    my $both  = UnixBench::Summary::of(result([run(1, index_tests(1)), run(2, index_tests(2))]));
    my ($two) = map { $_->{index} } map { @{ $_->{indexes} } } grep { $_->{copies} == 2 } @{ $both->{runs} };
    my @all   = of_kinds(
        line(a => 'PC', q{}, 4, 4, 2 * $two, 1, 5, 2024, 'x'),
        line(b => 'PC', q{}, 2, 2, $two / 2, 1, 5, 2024, 'x'),
        line(c => 'PC', q{}, 4, 2, 3 * $two, 1, 5, 2024, 'x'),
        line(d => 'PC', q{}, 4, 1, 1,        1, 5, 2024, 'x'),
    );
    my $rank = UnixBench::Compare::Published::rank_of_all_cpus($both, @all);
    is_deeply([@$rank{qw(copies places of)}], [2, [2, 2], 2],            'among those with as many copies as CPUs');
    is_deeply(UnixBench::Compare::Published::rank($both, @all)->{of}, 1, 'that of one copy is another one');
    is(UnixBench::Compare::Published::rank_of_all_cpus(UnixBench::Summary::of($RESULT), @all), undef, 'of one copy');
    my $large =
        UnixBench::Summary::of(result([map { +{ %{ run($_, index_tests($_)) }, cpu_count => 64 } } 1, 64]));
    my @large = of_kinds(map { line("m$_", 'PC', q{}, $_, $_, 100 * $_, 1, 5, 2024, 'x') } 2, 16, 32, 48, 128, 256);
    $rank = UnixBench::Compare::Published::main_rank($large, @large, @all);
    is_deeply([@$rank{qw(copies words of)}], [64, 'machines with 32 to 128 CPUs', 3], 'many CPUs: about as many');
    is(UnixBench::Compare::Published::main_rank($both, @all)->{copies}, 1, 'few are not');
};

# Takes what differs from an official procedure; returns the result with it.
sub made_by {
    my %usual = (kind => 'official', time_factor => 1, work_factor => 1, replacements => [], resumptions => []);
    return { %$RESULT, procedure => { %usual, @_ } };
}

# [what, result, whether it is ranked].
my @RANKED = (
    ['an official run',                     $RESULT,                                                             1],
    ['a quick run',                         made_by(kind => 'quick'),                                            1],
    ['a run with another test that failed', result([run(1, index_tests(1), failed('hanoi', 'no'))]),             0],
    ['a run of an unknown kind',            { %$RESULT, procedure => {} },                                       0],
    ['a run with shortened passes',         made_by(time_factor => 0.1),                                         0],
    ['a run with an edited baseline',       made_by(baseline => 'edited'),                                       0],
    ['an interrupted run',                  made_by(interruption => { by => 'SIGINT' }),                         0],
    ['a run without one copy',              result([run(4, index_tests(1))]),                                    0],
    ['a part of the index',                 result([run(1, (index_tests(1))[0 .. 10])]),                         0],
    ['an index with a failed test',         result([run(1, (index_tests(1))[0 .. 10], failed('shell8', 'no'))]), 0],
);
for my $case (@RANKED) {
    my ($what, $result, $is_ranked) = @$case;
    is(defined rank($result, 100, 1000) ? 1 : 0, $is_ranked, ($is_ranked ? 'ranked: ' : 'not ranked: ') . $what);
}

done_testing;
