# Lists of hosts: those of results, how a file is read, and from its tries to hosts.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../accept/lib ../../accept/t/lib ../../../t/lib);
use Fixture                        qw(failed host measured rendered result run tag);
use WrittenHosts                   qw(host_file json list PLACE);
use Gallery::Fleets                ();
use Place                          qw(text_of write_file);
use UnixBench::Fleet::Command;
use UnixBench::Fleet::File;
use UnixBench::Fleet::Results qw(outcome_of);

local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

my $place = PLACE;

# Takes a number of copies and { test => count in ten seconds }; returns a run with five passes of each test.
sub run_of {
    my ($copies, %count) = @_;
    my @tests;
    for my $name (sort keys %count) {
        push @tests, measured($name, $copies, map { $count{$name} * $_ } 1.01, 0.99, 1, 1.005, 0.995);
    }
    return run($copies, @tests);
}

# Takes a name, an outcome, and perhaps a path and a reason; returns the try of a list.
sub try_of {
    my ($host, $outcome, $file, $reason) = @_;
    return { host => $host, outcome => $outcome, reason => $reason, file => $file };
}

# Takes a list; returns its hosts, "NAME OUTCOME VERDICT" each.
sub outcomes {
    my ($list) = @_;
    return [
        map {
            join q{ },
                grep { defined }
                @$_{qw(host outcome verdict)}
        } @{ $list->{hosts} }
    ];
}

my $good = json('good.json', [run_of(1, pipe => 1_000_000)]);
my $slow = json('slow.json', [run_of(1, pipe => 500_000)], host => host(name => 'slow'));

subtest 'a result that proves nothing makes a failed host' => sub {
    my $broken = json('broken.json', [run(1, failed('pipe', 'exit status 3'), measured('spawn', 1, 5, 6))]);
    my $torn   = "$place/torn.json";
    write_file($torn, substr rendered(json => result([run_of(1, pipe => 1_000_000)])), 0, -80);
    my $list = list(
        [
            try_of('good',   'measured',    $good),
            try_of('broken', 'measured',    $broken),
            try_of('torn',   'measured',    $torn),
            try_of('none',   'measured',    "$place/none.json"),
            try_of('said',   'failed',      $good, 'The time limit is over.'),
            try_of('lost',   'failed',      $torn),
            try_of('gone',   'unreachable', undef, 'No route to host'),
        ],
        'pipe>=1'
    );
    my %host = map { $_->{host} => $_ } @{ $list->{hosts} };
    is($host{good}{verdict}, 'PASS', 'a good result has a verdict');
    is_deeply([@{ $host{$_} }{qw(outcome verdict)}], ['failed', undef], "$_: failed, without a verdict")
        for qw(broken torn none said lost);
    my %reason = (
        broken => qr/\A"Pipe Throughput": exit status 3/,
        torn   => qr{\A\Q$torn\E is not a result: .*its end is missing; copy it again\z},
        none   => qr{\Acan't read \Q$place\E/none[.]json: No such file or directory\z},
        said   => qr/\AThe time limit is over[.]\z/,
        lost   => qr{\A\Q$torn\E is not a result: },
    );
    like($host{$_}{reason}, $reason{$_}, "$_: the reason") for sort keys %reason;
    is($host{gone}{outcome}, 'unreachable', 'a host without a result has its own outcome');
    is_deeply([keys %{ $list->{of} }], ['good'], 'only measured hosts are compared');
    like(list([$good, $torn]), qr{\A\Q$torn\E is not a result: }, 'one that the user has named');
    is_deeply(outcomes(list([try_of('gone', 'unreachable')])), ['gone unreachable'], 'a fleet without any result');
};

subtest 'requirements that do not fit' => sub {
    my $other = json('other.json', [run_of(4, pipe => 1_000_000)], host => host(name => 'other'));
    my $list  = list([$good, $other], '4:pipe>=1');
    is_deeply(outcomes($list), ['vm measured INCONCLUSIVE', 'other measured PASS'], 'a requirement of some hosts');
    my ($case) = grep { $_->{kind} eq 'requirement' } @{ $list->{hosts}[0]{cases} };
    is($case->{reason}, 'no run with 4 copies is in the result, only with 1', 'the reason is given');
    write_file("$place/text", rendered(text => result([run_of(1, pipe => 1_000_000)], host => host(name => 'text'))));
    $list = list([$good, "$place/text"], 'pipe>=1');
    is_deeply([map { $_->{verdict} } @{ $list->{hosts} }], ['PASS', 'INCONCLUSIVE'], 'a text report proves nothing');
};

subtest "results that can't be compared" => sub {
    my %short = (procedure => { kind => 'official', time_factor => 0.1, work_factor => 1 });
    my $short = json('short.json', [run_of(1, pipe => 1_000_000)], %short, host => host(name => 'short'));
    my $list  = list([$good, $short], "pipe>=1*$good");
    my $why   = 'length of passes (UB_TIME_FACTOR): 1 in';
    is_deeply($list->{omissions}, ["$why vm, 0.1 in short"], 'results of two lengths are of two kinds');
    is_deeply(outcomes($list),    ['vm measured INCONCLUSIVE', 'short measured INCONCLUSIVE'], 'another length');
    my ($case) = grep { $_->{kind} eq 'requirement' } @{ $list->{hosts}[1]{cases} };
    is($case->{reason}, "$why $good, 0.1 in it", 'has the reason');
};

subtest 'hosts that load or a limit of CPU time disturbed' => sub {
    my @usual = map { host_file("u$_", 1 + 0.001 * $_, []) } 1 .. 4;
    my %quota = (facts => { %{ result([])->{facts} || {} }, cgroup => { cpus => 0.4 } });
    my $yes   = { %{ tag(others => disturbed => 1.4) }, by => [{ pid => 7, name => 'yes', cpus => 1.4 }] };
    my @given = (
        @usual,
        host_file(limited => 0.335, [tag(throttled => disturbed => 9)],       %quota, spread => 0.3),
        host_file(both    => 0.335, [tag(throttled => disturbed => 9), $yes], %quota, spread => 0.3),
        host_file(busy    => 0.99,  [$yes]),
        host_file(wide    => 0.98,  [], spread => 0.3),
    );
    my $said   = UnixBench::Fleet::Report::in_format(list(\@given, 'pipe>=60000'), 'text') =~ s/\n +/ /gr;
    my %wanted = (
        limited => qr/slow +poor +(?:FAIL|INCONCLUSIVE) .*; CPU time limit: the time of 0[.]40 CPUs/,
        both    => qr/slow +poor +(?:FAIL|INCONCLUSIVE) .*: CPU time limit: the time of 0[.]40 CPUs; other load; slow /,
        busy => qr/uncertain +poor +PASS pipe>=60000 .*: [0-9.]+, at least [0-9.]+; 10 of 10 passes were [^;]*yes[)]$/m,
        wide => qr/uncertain +poor .*interval of [+]-[0-9]+ %/,
        u1   => qr/usual +good +PASS pipe>=60000 .*: [0-9.]+, at least [0-9.]+$/m,
    );
    like($said, qr/^$_ .* $wanted{$_}/m, $_) for sort keys %wanted;
    unlike($said, qr/not reliable|other load.*other load/, 'nothing else is said of them, and nothing twice');
    $said = UnixBench::Fleet::Report::in_format(list([@usual, host_file(open => 1, [$yes])], 'pipe>=1e7'), 'text');
    like(
        $said =~ s/\n +/ /gr,
        qr/^open .*: other load, above all yes; [^;]*$/m,
        'load that leaves a verdict open has a name'
    );
};

subtest 'text reports whose number of copies is unknown' => sub {
    my $classic = "$FindBin::Bin/../../../t/data/classic/1-copy";
    my ($table) = text_of($classic) =~ /^(System Benchmarks Index Values.*)/ms;
    my $post    = "$place/post.md";
    write_file($post, "before:\n${table}after:\n$table");
    my $list = list([$post, $classic]);
    my $text = UnixBench::Fleet::Report::in_format($list, 'text');
    like($text, qr/^\Q$post\E +measured\n   its number of copies is unknown: give it with --copies N$/m, 'no place');
    like(
        $text,
        qr/^Notes:\n.*: the number of copies is unknown; .*\n.*: the last of 2 reports .* was read; not read: #1$/m,
        'notes say what is unknown, and what was not read'
    );
    my %exported = map { $_ => UnixBench::Fleet::Report::in_format($list, "export $_") } UnixBench::Exports::names();
    like($exported{csv},         qr/^\Q$post\E,,whetstone-double,,3928[.]1,MWIPS,714[.]2,/m,   'csv without copies');
    like($exported{csv},         qr/,2018-06-25T20:25:47,whetstone-double,1,3928[.]1,MWIPS,/m, 'dates have one form');
    like($exported{openmetrics}, qr/test="pipe",copies="unknown"/,                             'openmetrics');
    like($exported{lava},        qr/-pipe-unknown pass /,                                      'lava');
    like($exported{'github-action-benchmark'}, qr/Pipe Throughput [(]unknown number of copies[)]"/, 'the others, too');
    ok(UnixBench::Fleet::Report::in_format($list, $_), $_) for qw(json html markdown);
    my %with = (options => { copies => [8] }, now => { files => [$post] }, baseline => {});
    $list = UnixBench::Fleet::Command::list(%with);
    like(UnixBench::Fleet::Report::in_format($list, 'export csv'),
        qr/,pipe,8,/, 'a number that the user gives is exported');
};

# Files.

my $HEAD = 'host,outcome,reason,result';

# Takes the text of a list; returns its tries.
sub tries {
    my ($text) = @_;
    write_file("$place/machines.csv", $text);
    return UnixBench::Fleet::File::tries("$place/machines.csv");
}

# Takes the same; returns the error without the name of the file, or "accepted".
sub error {
    my ($text) = @_;
    return eval { tries($text); 1 } ? "accepted\n" : $@ =~ s{\A\Q$place\E/machines[.]csv is not a list of hosts: }{}r;
}

# Takes lines after the first one; returns the error.
sub error_of_lines {
    return error(join q{}, map { "$_\n" } $HEAD, @_);
}

subtest 'a list has a try in each line' => sub {
    my $text = join "\n", $HEAD, 'h1,measured,,h1/alone-1.json', 'h2,unreachable,No route to host,',
        'h2,failed,"The run, it said ""no"".",/tmp/h2.json', 'h3,untried,,', 'h4,running,It has not ended.,', q{};
    my @wanted = (
        { host => 'h1', outcome => 'measured',    reason => undef,              file => "$place/h1/alone-1.json" },
        { host => 'h2', outcome => 'unreachable', reason => 'No route to host', file => undef },
        { host => 'h2', outcome => 'failed',      reason => 'The run, it said "no".', file => '/tmp/h2.json' },
        { host => 'h3', outcome => 'untried',     reason => undef,                    file => undef },
        { host => 'h4', outcome => 'running',     reason => 'It has not ended.',      file => undef },
    );
    is_deeply([tries($text)], \@wanted, 'fields are read, and paths begin at the directory of the list');
    is_deeply([tries($text =~ s/\n/\r\n/gr)],   \@wanted, 'lines may end with CR LF');
    is_deeply([tries("\xef\xbb\xbf$text\n\n")], \@wanted, 'a byte order mark and empty lines are ignored');
    my @other = tries("result,rack,reason,outcome,host\nr.json,7,,measured,h\n");
    is_deeply([@{ $other[0] }{qw(host outcome)}], ['h', 'measured'], 'other and more columns');
};

subtest 'an apostrophe before a formula is not a part of the text' => sub {
    my ($try) = tries("$HEAD\n'-h,failed,'=1+1,'\@x/r.json\n");
    is_deeply([@$try{qw(host reason file)}], ['-h', '=1+1', "$place/\@x/r.json"], 'all texts');
    my ($other) = tries("$HEAD\n'h',failed,'twas =1,\n");
    is_deeply([@$other{qw(host reason)}], [q{'h'}, q{'twas =1}], 'other apostrophes stay');
};

subtest 'a wrong line is refused with its number' => sub {
    my $mark  = 'a quotation mark is wrong; double those within a field';
    my @cases = (
        ['h,measured,'     => 'line 2: 3 fields instead of 4; put a field with commas in quotation marks'],
        [',measured,,r'    => 'line 2: the name of the host is missing'],
        ["h\e,measured,,r" => q{line 2: the host "h\x1b" has a character that can't be printed}],
        [
            'h,fine,,r' =>
                'line 2: the outcome has to be measured, failed, unreachable, refused, running or untried, not "fine"'
        ],
        ['h,measured,,' => 'line 2: the outcome is measured, but the result is missing'],
        (
            map { ["h,$_,no Perl,r" => "line 2: a host that is $_ has no result; leave that field empty"] }
                qw(refused unreachable running untried)
        ),
        ["h,measured,,r\0"    => 'line 2: the path of the result has a NUL byte'],
        ['h,failed,"one,'     => "line 2: $mark"],
        ['h,failed,"one"two,' => "line 2: $mark"],
        ['h,failed,o"ne,'     => "line 2: $mark"],
    );
    is(error_of_lines($_->[0]), "$_->[1]\n", $_->[1]) for @cases;
    like(error_of_lines('x,failed,"a' . "\n" . 'b",', 'x'), qr/\Aline 4: /, 'after a field with a line break');
};

subtest 'wrong columns are refused' => sub {
    my $columns = "the columns are $HEAD\n";
    is(error(q{}),                     "it is empty; its first line has to be $HEAD\n",      'an empty file');
    is(error("$HEAD\n"),               "it has no host after its first line\n",              'only the first line');
    is(error("host,outcome,result\n"), qq{line 1: the column "reason" is missing; $columns}, 'a missing column');
    is(error("\x7fELF\0\1\2"),         qq{line 1: the column "host" is missing; $columns},   'a program');
};

subtest 'the last measured try counts' => sub {
    my @cases = (
        [['FAIL',        'PASS']        => 'PASS',        'a second verdict replaces the first'],
        [['PASS',        'FAIL']        => 'FAIL',        'also if it is worse'],
        [['FAIL',        'unreachable'] => 'FAIL',        'a host that is lost later keeps its verdict'],
        [['unreachable', 'measured']    => 'measured',    'a host may be measured later'],
        [['failed',      'unreachable'] => 'unreachable', 'without a measured try, the last one counts'],
    );
    for my $case (@cases) {
        my ($outcomes, $outcome, $name) = @$case;
        my @hosts = UnixBench::Fleet::Results::hosts_of(map { Gallery::Fleets::host_of(h => $_) } @$outcomes);
        is_deeply([map { outcome_of($_) } @hosts], [$outcome], $name);
    }
};

subtest 'several results of a host' => sub {
    my ($late, $early) = map { host_file(twice => 1, [], file => "twice-$_.json", days => $_) } 9, 2;
    my $list = list([$late, $early, $good]);
    is_deeply(outcomes($list), ['twice measured', 'vm measured'], 'are one host');
    is($list->{hosts}[0]{file}, $late, 'the later one counts');
    is_deeply($list->{left_out}, ["$early: its host has a later result"], 'and the other one is named');
};

done_testing();
