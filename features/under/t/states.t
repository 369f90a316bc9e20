# States that a run measures in turns: the words of --toggle, passes in a row, looks at the first state, settings of the
# kernel; then the data: ratios, overheads, rounds, remarks.

use strict;
use warnings;

use Cwd        ();
use File::Path ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CommandLines qw(are_refused);
use FakeProcess;
use Fixture              qw(host result);
use Gallery::Experiments qw(experiment);
use Place                qw(place write_file);
use Requested            qw(context);
use UnixBench::CLI::Options;
use UnixBench::Command;
use UnixBench::Command::Measure::Steps;
use UnixBench::Summary;
use UnixBench::Under::Keeper;
use UnixBench::Under::Ratios;
use UnixBench::Under::Settings;
use UnixBench::Warnings::All;
use UnixBench::Warnings::Wording;

# Returns a keeper of states, with a fake process, whose look takes some seconds and finds these settings.
sub keeper {
    my ($settings, $look_s) = @_;
    my $process = FakeProcess->new;
    return UnixBench::Under::Keeper->new(
        process => $process,
        clock   => $process,
        states  => [{}, { words => ['env'] }],
        look => sub { $process->{now_s} += $look_s // 0; return result([], host => host(), facts => { kernel => {} }) },
        settings => sub { return {%$settings} },
    );
}

subtest 'an option with two words' => sub {
    my ($here, @words) = (Cwd::getcwd(), '--toggle', './on "a b"', 'off', 'pipe');
    my $parsed = UnixBench::Command::parse(@words);
    my $commands =
        [{ command => "$here/on \"a b\"", words => ["$here/on", 'a b'] }, { command => 'off', words => ['off'] }];
    is_deeply($parsed->{toggle}, $commands, 'the path of a program becomes an absolute one');
    @words = UnixBench::CLI::Options::lasting_words(UnixBench::Command::declaration(), $parsed);
    is_deeply(UnixBench::Command::parse(@words), $parsed, 'a resumed run has the same words');
    is_deeply(UnixBench::Command::parse("--toggle=$words[2]", @words[3 .. $#words])->{toggle},
        $parsed->{toggle}, 'the first one may be part of the option');
    are_refused(
        ['--toggle true'          => 'option --toggle needs 2 values, ON OFF; see ./Run --help'],
        ['--under a --toggle b c' => 'options --toggle and --under contradict each other: leave out one of them'],
        ['--toggle a b -i 3'      => 'options --toggle and -i contradict each other: leave out one of them'],
    );
};

subtest 'passes in a row' => sub {
    my $in_a_row = sub {
        my ($took_s, $words) = @_;
        my $keeper = keeper({});
        $keeper->{took_s} = [$took_s / 2, $took_s];
        return $keeper->in_a_row(context("-c 1 --toggle true true $words")->plan);
    };
    is($in_a_row->(0.03, 'pipe'),                undef, 'none for a switch of a tenth of a pass, 0.32 s');
    is($in_a_row->(0.04, 'pipe'),                1,     'the tests of a state for a longer one');
    is($in_a_row->(0.65, 'pipe'),                11,    'a switch takes a tenth of a round');
    is($in_a_row->(5,    'pipe'),                15,    'or more, if eight rounds would take too long');
    is($in_a_row->(60,   'pipe'),                1,     'at least one');
    is($in_a_row->(2,    'index --max-time 5m'), 2,     'many tests need fewer');
};

subtest 'looks at the first state' => sub {
    my %settings = ('vm.a' => 1, 'vm.b' => 2, 'vm.c' => 3, 'vm.d' => 4);
    my $keeper   = keeper(\%settings, 0.5);
    is($keeper->begin, undef, 'a run begins');
    is_deeply([$keeper->facts], [], 'both states have the same facts');
    $settings{$_}++ for keys %settings;
    $keeper->{clock}{now_s} += 9.9;
    is(eval { $keeper->round_ends; 1 }, 1, 'a look rests for 20 times of what it takes');
    $keeper->{clock}{now_s} += 0.2;
    my $changed =
        join('; ', map({ "kernel setting vm.$_" } 'a was 1, is 2', 'b was 2, is 3', 'c was 3, is 4'), 'and more');
    is(eval { $keeper->round_ends; 1 } // $@->spoils, $changed, 'then it sees what has changed');
    is(eval { $keeper->end;        1 },               1,        'which is not said again at the end');
};

subtest 'settings of the kernel' => sub {
    my $root    = place();
    my %setting = (
        '/sys/kernel/mm/ksm/run'                     => 0,
        '/sys/kernel/mm/transparent_hugepage/defrag' => 'madvise',
        'fs.file-max'                                => q{},
        'kernel.a.bc'                                => '1 2 3',
        'kernel.randomize_va_space'                  => 2,
        'kernel.tainted_by'                          => 1,
        'net.ipv4.conf.all.rp_filter'                => 1,
        'net.ipv4.tcp_sack'                          => 1,
        'vm.swappiness'                              => 60,
    );
    my @none = qw(kernel.tainted kernel.ns_last_pid net.ipv4.conf.eth0.rp_filter net.ipv6.neigh.lo.mtu vm.drop_caches);
    my $create = sub {
        my ($name) = @_;
        my $path = "$root/" . ($name =~ m{/} ? $name : 'proc/sys/' . $name =~ tr{.}{/}r);
        File::Path::make_path($path =~ s{/[^/]+\z}{}r);
        return write_file($path,
            ($name =~ /defrag/ ? 'always [madvise] never' : ($setting{$name} // 1) =~ tr/ /\t/r) . "\n");
    };
    $create->($_) for keys %setting, @none;
    chmod 0200, $create->('vm.compact');
    chmod 0444, map { $create->($_) } 'fs.file-nr', '/sys/kernel/mm/ksm/full_scans';
    is_deeply(UnixBench::Under::Settings::all("$root"),      \%setting, 'those that can be read and written');
    is_deeply(UnixBench::Under::Settings::all("$root/none"), {},        'none without the directory');
    my @both = map { UnixBench::Under::Settings::all() } 1, 2;
    is_deeply($both[0], $both[1], 'those of this machine do not change by themselves');
};

# The data.

# Takes the arguments of experiment() for one other state; returns the tables of the data.
sub tables { my ($plain) = experiment(['env'], @_); return @{ $plain->{experiment}{tables} } }

# Takes a table and a title; returns the row, and its other state.
sub row {
    my ($table, $title) = @_;
    my ($row) = grep { ($_->{title} // q{}) eq $title } @{ $table->{rows} };
    return ($row, $row->{others}[0]);
}

subtest 'the overhead of a loop' => sub {
    my ($one, $eight) = tables(tests => [qw(syscall shell1 fstime)], copies => [1, 8], factors => [0.5], sway => 0);
    for my $table ($one, $eight) {
        my $copies = $table->{copies};
        my ($row, $other) = row($table, 'System Call Overhead');
        my $loop_s = $copies / $row->{first}{value};
        cmp_ok(abs($other->{overhead_s} / $loop_s - 1), '<', 1e-9, "half the speed: the time of a loop more, $copies");
        ($row, $other) = row($table, 'Shell Scripts (1 concurrent)');
        $loop_s = 60 * $copies / $row->{first}{value};
        cmp_ok(abs($other->{overhead_s} / $loop_s - 1), '<', 1e-9, "loops a minute, $copies");
        is((row($table, 'File Copy 1024 bufsize 2000 maxblocks'))[1]{overhead_s}, undef, 'KB a second are not loops');
        is((row($table, 'System Benchmarks'))[1]{overhead_s},                     undef, 'an index has none');
    }
    my ($faster) = tables(tests => ['pipe'], factors => [2]);
    cmp_ok((row($faster, 'Pipe Throughput'))[1]{overhead_s}, '<', 0, 'a faster state has a negative one');
};

# Takes the part that C does of A, and the deviation of passes; returns whether a run of these states may end.
sub is_decided {
    my ($factor, $sway) = @_;
    my ($plain, @others) =
        experiment([('env') x 2], tests => ['pipe'], factors => [0.5, $factor], sway => $sway, rounds => 12);
    my $run         = { %{ $plain->{runs}[0] }, others => [map { $_->{runs}[0] } @others] };
    my $measurement = { context                        => context('-c 1 --under env --under env pipe') };
    return UnixBench::Command::Measure::Steps::is_decided($measurement)->($plain, $run) ? 1 : 0;
}

subtest 'the verdict on a ratio' => sub {
    is(is_decided(0.9,  0.001), 1, 'slower: the run may end');
    is(is_decided(1,    0.001), 1, 'equal');
    is(is_decided(1.1,  0.001), 1, 'faster');
    is(is_decided(0.99, 0.001), 1, 'slower by less than 2 %, for certain');
    is(is_decided(0.9,  0.5),   0, 'an interval that is too wide');
};

subtest 'rounds' => sub {
    my @rounds = map { [@{ (tables(tests => ['pipe'], rounds => $_))[0] }{qw(rounds left_out)}] } 7, 8;
    is_deeply(\@rounds, [[6, 1], [8, 0]], 'two states: an odd round is left out');
    my ($three) = experiment([('env') x 2], tests => ['pipe'], rounds => 11);
    is_deeply([@{ $three->{experiment}{tables}[0] }{qw(rounds left_out)}], [6, 5], 'three states have six orders');
    my ($some) = tables(tests => [qw(pipe spawn)], factors => [{ spawn => undef }], rounds => 8);
    is_deeply([@$some{qw(rounds left_out)}], [8, 0], 'a test that failed does not shorten them');
};

subtest 'a test that failed in a state' => sub {
    my ($table) = tables(tests => [qw(pipe spawn syscall)], factors => [{ spawn => undef, pipe => 0.5 }], sway => 0);
    my (undef, $other) = row($table, 'Process Creation');
    is_deeply([@$other{qw(ratio remarks)}], [undef, ['exit status 125 (pass 1, copy 1)']], 'it has the reason');
    my ($mean) = grep { $_->{kind} eq 'mean' } @{ $table->{rows} };
    cmp_ok(abs($mean->{others}[0]{ratio}{value} - sqrt 0.5), '<', 1e-12, 'there is a mean of the others');
    my ($plain) = experiment(['env'], tests => ['pipe'], factors => [{ pipe => undef }]);
    is($plain->{experiment}, undef, 'without any ratio there is no table');
};

# Takes the part of a pass that the start of a command takes; returns what is known of the other state of a test.
sub with_start {
    my ($start)   = @_;
    my @results   = experiment(['env'], tests => ['pipe'], sway => 0);
    my @summaries = map { UnixBench::Summary::of($_) } @results;
    $_->{turns}{start} = $start for map { @{ $_->{runs}[0]{tests} } } $summaries[1];
    my $data = UnixBench::Under::Ratios::of_summaries(\@summaries, []);
    return (row($data->{tables}[0], 'Pipe Throughput'))[1];
}

subtest 'the start of a command that is part of the passes' => sub {
    my $short = with_start(0.01);
    is_deeply([@$short{qw(verdict remarks)}], ['equal', []], 'up to one percent');
    my $long = with_start(0.012);
    is($long->{verdict}, 'inconclusive', 'above one percent, nothing is known');
    is_deeply($long->{remarks}, ['the start of its command takes more than 1 % of a pass'], 'and a remark says so');
};

# Takes the arguments of experiment() for two states; returns the sentence about the precision of its ratios, or undef.
sub precision {
    my (%with)    = @_;
    my ($plain)   = experiment([('env') x 2], tests => [qw(pipe spawn)], rounds => 12, %with);
    my ($warning) = grep { $_->{kind} eq 'precision' } UnixBench::Warnings::All::of($plain);
    return $warning && UnixBench::Warnings::Wording::of($warning)->{seen};
}

subtest 'the precision of ratios' => sub {
    is(precision(sway => 0.002), undef, 'all ratios are precise enough');
    my $least = qr/\A[BC]\/A, 1 copy: precision after 12 rounds is \d\S* % \(wanted 1 %\)\.\z/;
    like(precision(sway => 0.1), $least, 'the least precise ratio is named');
    is(precision(sway => 0.002, factors => [1, { spawn => undef }]), undef, 'an index without a ratio has none');
};

subtest 'a run of several states is a quick one, with goals of its own' => sub {
    my $goals = sub { my $quick = context("-c 1 $_[0]")->quick; return [@$quick{qw(precision max_time_s)}] };
    is_deeply($goals->('--under env pipe'), [0.01, 120], 'the precision of ratios, a minute for each state');
    is_deeply($goals->('--under env --under env pipe'),                 [0.01, 180], 'for three states');
    is_deeply($goals->('--under env --precision 3 --max-time 99 pipe'), [0.03, 99],  'given goals are for all states');
    my $request = context('-c 1 --under env index');
    is_deeply([map { $_->{command} } @{ $request->plan->{states} }], [undef, 'env'], 'the plan has the states');
    my $alone = context('-c 1 --quick index')->plan->{quick}{max_time_s};
    is($alone,                              60,  'eight rounds of the index fit into a minute');
    is($request->plan->{quick}{max_time_s}, 120, 'and those of two states into two');
    is(    # 3 s, and 1.1 times 8 rounds and a warm-up: 2 * (8 * 0.94 + 0.24) s
        eval { context('-c 1 --under env --max-time 20 pipe shell1')->check_time; 1 } // $@,
        'option --max-time: 20 s is too short for 8 rounds of these tests; use --max-time 21s or more' . "\n",
        'a time for fewer than eight rounds of all states is refused'
    );
};

done_testing();
