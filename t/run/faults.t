use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use LoadedRun qw(of_environment rated);
use Weeks     qw(write_week);
use UnixBench::Base::JSON;
use UnixBench::Catalog    ();
use UnixBench::CLI::Usage ();
use UnixBench::Command    ();

# The shell scripts of fake programs; the others are in t/bin.
my %SCRIPT = (
    sigill       => 'kill -ILL $$',
    silent       => 'exit 0',
    zero         => q{echo 'COUNT|0|1|lps' >&2},
    negative     => q{echo 'COUNT|-1|1|lps' >&2},
    'no-bars'    => q{echo 'cannot open display' >&2},
    'error-line' => q{echo 'ERROR|no space left' >&2},
);

# A fake program => the reason why its copy fails.
my @FAILURES = (
    [segfault     => 'killed by SIGSEGV'],
    [sigill       => 'killed by SIGILL: built for another CPU?'],
    [exit3        => 'exit status 3'],
    [silent       => 'no COUNT line'],
    [zero         => 'counted nothing: "COUNT|0|1|lps"'],
    [negative     => 'not a count: "COUNT|-1|1|lps"'],
    ['no-bars'    => 'cannot open display'],
    ['error-line' => 'no space left'],
    [flood        => 'x' x 160 . '...'],
);

# Words of the command line => exit status, standard error. The messages of the parser have tests of their own.
my @USAGE = (
    ['--nonsense' => 2, "Run: unknown option --nonsense\nSee ./Run --help for the options.\n"],
    [
        'sycall' => 2,
        qq{Run: unknown test or command "sycall"; did you mean syscall?\n}
            . "See ./Run --list for the tests, and ./Run help for the commands.\n"
    ],
    ['explain sycall' => 2, qq{Run: unknown test "sycall"; did you mean syscall?\nSee ./Run --list for the tests.\n}],
    ['-i 0'           => 2, qq{Run: option -i needs a whole number from 1 to 100000, not "0"\n}],
    (map { [$_ => 0, q{}] } '--help', '--version', '--list', '--dry-run', '--dry-run -c 2 -i 1 gindex', 'explain pipe'),
);

# A fake program => the reason of the failure, and perhaps further words.
my @FAILING = (
    @FAILURES,
    [undef,            => q{can't run BIN/syscall: No such file or directory}],
    ['../run/faults.t' => q{can't run BIN/syscall: Permission denied}],
    [hang              => 'out of time: not done after 0.1 s', '--timeout=0.1'],
    [stubborn          => 'out of time: not done after 0.1 s', '--timeout=0.1'],
);

# Tests that a run leaves no process and no scratch file.
sub is_clean {
    my ($test) = @_;
    is_deeply([of_environment($test->place)], [], 'no process of the run is left');
    is_deeply([$test->left],                  [], 'the scratch directory is empty');
    return;
}

subtest 'words of the command line' => sub {
    my $test = TestRun->new;
    for my $case (@USAGE) {
        my ($words, $status, $err) = @$case;
        my $run = $test->run(split ' ', $words);
        is_deeply([@$run{qw(status signal err)}], [$status, 0, $err], "./Run $words");
        is(length $run->{out} > 0, $status == 0, "./Run $words: standard output is empty only after an error");
    }
    is_deeply([$test->reports], [], 'no report is written');
};

# Tests with interchangeable programs, and their titles. The test after them is measured.
my %TITLE = map { $_ => UnixBench::Catalog::test($_)->{title} }
    qw(dhry2reg whetstone-double syscall context1 pipe spawn execl arithoh short int long float double);
my $MEASURED = 'Recursion Test -- Tower of Hanoi';

# Runs a test with the program of each case, and hanoi; tests the result of each case.
sub all_fail {
    my ($cases, @words) = @_;
    my @tests = (sort keys %TITLE)[0 .. $#$cases];
    my $test  = TestRun->new;
    my $bin   = $test->place('bin');
    unlink map { "$bin/" . UnixBench::Catalog::test($_)->{command}[0] } @tests;
    for my $number (0 .. $#tests) {
        my $fake = $cases->[$number][0] // next;
        $test->put(UnixBench::Catalog::test($tests[$number])->{command}[0], $SCRIPT{$fake} // $fake);
    }
    my $run   = $test->run(qw(-q -c 1 -i 3), @tests, 'hanoi', @words);
    my %lines = map { /^Run: ("[^"]+"): / ? ($1 => $_) : () } split /^/m, $run->{err};
    for my $number (0 .. $#tests) {
        my ($program, $reason) = @{ $cases->[$number] };
        my $title = $TITLE{ $tests[$number] };
        $reason =~ s{BIN/\w+}{"$bin/" . UnixBench::Catalog::test($tests[$number])->{command}[0]}e;
        subtest 'a program: ' . ($program // 'missing') => sub {
            my $said = qq{Run: "$title": $reason (pass 1, copy 1); aborting this test\n};
            is(delete $lines{qq{"$title"}}, $said, 'standard error has the reason');
            my $line = sprintf "%-40s no measured results: %s (pass 1, copy 1)\n", $title,
                $reason =~ s/lps/lp\\x73/r;    # reports have a unit in lines of results only
            ok(index($test->report(q{}), $line) > 0, 'the report has the reason') or diag $test->report(q{});
        };
    }
    is_deeply([keys %lines], [], 'standard error has no other line about tests') or diag $run->{err};
    is($run->{status}, 1, 'failed tests: exit status 1');
    is_deeply([keys %{ $test->scores }], [$MEASURED], 'the test after them is measured');
    is_clean($test);
    return;
}

all_fail([grep { !$_->[2] } @FAILING]);
all_fail([grep { $_->[2] } @FAILING], '--timeout=0.1');

subtest 'bytes that are not text' => sub {
    my $test = TestRun->new(programs => { syscall => 'binary' });
    my $run  = $test->run(qw(-q -c 1 syscall));
    my $said = qr/\ARun: "System Call Overhead": \\x00\\x01[ -~]*; aborting this test\n\z/;
    like($run->{err}, $said, 'bytes that are not text are escaped');
    is($run->{status}, 1, 'exit status 1');
};

subtest 'a later pass, a later copy' => sub {
    my $test = TestRun->new;
    $test->replay(syscall => 1 => ['COUNT|5|1|lps', 'COUNT|5|1|lps', 'COUNT|5|1|lps']);
    $test->replay(syscall => 2 => ['COUNT|5|1|lps', 'ERROR|gone',    'COUNT|5|1|lps']);
    my $run  = $test->run(qw(-q -c 2 -i 3 syscall));
    my $said = qq{Run: "System Call Overhead": gone (pass 2, copy 2); aborting this test\n};
    is($run->{err}, $said, 'the failure names pass and copy');
    is_deeply([$test->report('.log') =~ /^#### Pass ([0-9])$/mg], [1, 2], 'the log has the passes up to the failure');
};

subtest 'numbers that give no score' => sub {
    for my $said ('COUNT|9e299|1|lps TIME|1e-300', 'COUNT|1e-300|1|lps TIME|1e299', 'COUNT|1|1e-300|lps TIME|1e299') {
        my $test = TestRun->new;
        $test->replay(syscall => 1 => [$said]);
        my $run = $test->run(qw(-q -c 1 -i 1 syscall hanoi));
        is($run->{status}, 1, $said);
        like($run->{err}, qr{\ARun: "System Call Overhead": [^\n]+; aborting this test\n\z}, "its line: $said");
        is_deeply([keys %{ $test->scores }], ['Recursion Test -- Tower of Hanoi'], "no score for: $said");
        unlike($run->{out}, qr{\b(?:Inf|NaN)\b}, "no infinite number is printed: $said");
    }
};

subtest 'programs that leave children behind' => sub {
    my $test = TestRun->new(programs => { syscall => 'daemon', hanoi => 'litter' });
    my $run  = $test->run(qw(-q -c 2 -i 1 syscall hanoi));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'programs that leave children and files are measured');
    is_clean($test);
};

subtest 'index.base' => sub {
    my $test = TestRun->new;
    unlink $test->place('bin', 'index.base');
    my $run = $test->run(qw(-q -c 1 -i 1 syscall));
    my $why = qr{can't read \S+/index[.]base: No such file or directory; there will be scores, but no indexes};
    is($run->{status}, 0, 'a missing index.base is not a failure');
    like($run->{err}, qr{\ARun: $why\n\z}, 'a missing index.base is reported');
    unlike($run->{out}, qr/Index/, 'without index.base there is no index');
    $test->write('bin', 'index.base', "dhry2reg|10|lps|\xff|\n");
    $run = $test->run(qw(-q -c 1 -i 1 syscall));
    is($run->{status}, 0, 'a broken index.base is not a failure');
    like($run->{err}, qr/\ARun: [^\n]*index[.]base[^\n]*\n\z/, 'a broken index.base is reported');
    like($run->{out}, qr/^System Call Overhead +[0-9.]+ lps/m, 'with a broken index.base there is a score');
};

# Processes that the system refused to start: a copy reports "REFUSED|number", and the pass is marked.
subtest 'a run with refusals' => sub {
    local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";
    my $test   = TestRun->new(env => { UB_OUTPUT_JSON => 'true' });
    my @passes = ('COUNT|1000|1|lps TIME|1', 'COUNT|400|1|lps TIME|1 REFUSED|132', 'COUNT|990|1|lps TIME|1');
    $test->replay(spawn => 1 => \@passes);
    my $run = $test->run(qw(-q -c 1 -i 9 --details --markdown), $test->place('md'), 'spawn');
    is($run->{status}, 0, 'the run succeeds') or diag $run->{said};
    my %tag  = (cause => 'refused', level => 'disturbed', value => 132, by => undef, seen => undef);
    my $json = $test->report('.json');
    my @tags = map { $_->{tags} } @{ UnixBench::Base::JSON::decode($json)->{runs}[0]{tests}[0]{passes} };
    is_deeply(\@tags, [[], [\%tag], []], 'the pass has the tag');
    like($json, qr/"kind":"refused"/, 'the JSON has a warning');
    my $refused = qr/the system refused to start processes/;
    like($test->report('.html'),    qr/$refused, with up to 132 refusals in a pass/, 'the page shows the refusals');
    like($run->{out} =~ s/\s+/ /gr, qr/$refused.*pids[.]max.*ulimit -u/,             'the details explain them');
    like($test->text('../md'),      $refused,                                        'the Markdown has the warning');
    like($test->report('.log'),     qr/^# REFUSED: 132$/m,                           'the log has their number');
    unlike($test->report(q{}), qr/refused/i, 'the classic report is as usual');
};

# The table of exit statuses in the reference, and the real program: each row is a call that ends so. Signals are in
# stopped.t.

# Disturbances by other processes do not change the statuses.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

# Takes words; calls Run with three results of a host: usual, slower and disturbed. Returns its exit status.
sub with_results {
    my (@words) = @_;
    my $test    = TestRun->new;
    my $place   = $test->place('results');
    write_week($place, 0, name => 'usual');
    write_week($place, 1, name => 'similar',   factor => { pipe => 0.98 });
    write_week($place, 1, name => 'slower',    factor => { pipe => 0.5 });
    write_week($place, 2, name => 'disturbed', factor => { pipe => 0.9 }, disturbed => 'others');
    write_week($place, 3, name => 'failed',    failed => { pipe => 'exit status 3' });
    return $test->run(@words)->{status};
}

# Takes rates of syscall and words; measures it. Returns the exit status.
sub measured {
    my ($rates, @words) = @_;
    return rated({ syscall => $rates })->run(@words)->{status};
}

# { "command or option" and the status => function that makes it }, for the rows of the core.
my %MADE = (
    'every command 0' => sub { with_results(qw(report usual)) },
    'every command 1' => sub { with_results(qw(report failed)) },
    'every command 2' => sub { with_results(qw(report none)) },
    'compare 3'       => sub { with_results(qw(compare usual slower --fail-on pipe)) },
    'compare 4'       => sub { with_results(qw(compare usual disturbed --fail-on pipe)) },
    '--precision 4'   => sub {
        measured([(900, 1000, 1100) x 3], qw(-q --quick -c 1 --max-time 0.1 --precision 0.0001 syscall));
    },
);

my @rows = map { "$_->[0] $_->[1]" } UnixBench::CLI::Usage::all_statuses(UnixBench::Command::declarations());
is_deeply([sort grep { $MADE{$_} } @rows], [sort keys %MADE], 'each call has a row in the table');
for my $row (grep { $MADE{$_} } @rows) {
    my ($status) = $row =~ /([0-9]+)\z/;
    is($MADE{$row}->(), $status, $row);
}

is(TestRun->new->run($_, '--nonsense')->{status}, 2, "wrong usage of $_")
    for map { $_->{statuses} ? () : $_->{name} // () } UnixBench::Command::declarations();

is(with_results('compare', 'usual', 'usual', '--fail-on', 'pipe'), 0, 'compare 0');
is(with_results(qw(compare usual similar --fail-on pipe)),         0, 'compare 0: inconclusive without other load');
is(with_results(qw(compare usual none)),                           2, 'compare 2');

done_testing();
