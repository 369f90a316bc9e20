use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(rendered);
use MadeLog                        qw(log_of official quick raw_line);
use LoadedRun;
use Place qw(text_of write_file);
use UnixBench::Store::ResultFile;

# ./Run report LOG: the report of a log of measure.sh, whole or damaged. See log.t for the logs.

my %LOG = (official => log_of(official()), quick => log_of(quick()));

# Takes the text of a log; reports it with further words. Returns what Run printed and, if it made one, the result.
sub reported {
    my ($text, @words) = @_;
    my $test = TestRun->new;
    write_file($test->place('console.log'), $text);
    my $run  = $test->run('report', $test->place('console.log'), @words);
    my $page = $test->place('console.html');
    return { %$run, test => $test, result => -e $page ? UnixBench::Store::ResultFile::result($page) : undef };
}

# Returns the test of a result with that name, in the run with a number of copies.
sub test_of {
    my ($result, $copies, $name) = @_;
    my ($run)  = grep { $_->{copies} == $copies } @{ $result->{runs} };
    my ($test) = grep { $_->{name} eq $name } @{ $run->{tests} };
    return $test;
}

# Takes the CPUs that other processes use. Returns the official log as measure.sh writes it where it looks at /proc
# before and after each pass. A pass has 0.1 s, and its copies use a CPU each.
sub watched {
    my ($others) = @_;
    my ($now, $idle, $busy, $own, $copies) = (1000, 0, 0, 0, 0);
    my $look = sub { sprintf 'look|%.2f|4|%d 0 0 %d 0 0 0 0|1|0 0 0 0 %d 0|0', $now, $busy, $idle, $own };
    my @lines;
    for my $line (official()) {
        if ($line =~ /\Adone[|]/) {
            $now  += 1;
            $own  += 100 * $copies;
            $busy += 100 * ($copies + $others);
            $idle += 100 * (4 - $copies - $others);
            push @lines, $look->();
        }
        push @lines, $line;
        if ($line =~ /\Apass[|]([0-9]+)[|]/) { $copies = $1; push @lines, $look->() }
    }
    return log_of(@lines);
}

subtest 'a log without damage' => sub {
    my $run = reported($LOG{official});
    is($run->{status}, 0, 'is reported');
    like($run->{out}, qr/^Pipe Throughput +[0-9.]+ lps   \(0[.]1 s, 3 samples\)$/m,              'with scores');
    like($run->{out}, qr/^   Note: measured by measure[.]sh, .*disturbances were not watched$/m, 'and a note on that');
    like($run->{out}, qr/^   OS: GNU\/Linux -- 6[.]18/m, 'and the facts of the machine');
    my $result = $run->{result};
    is_deeply([@{ $result->{facts}{cgroup} }{qw(cpus memory_kb)}], [0.3, 49_152], 'and the limits of its groups');
    my @passes = map { scalar @{ test_of($result, 2, $_)->{passes} } } qw(dhry2reg pipe fstime);
    is("@passes",                          '4 4 1',      'each test has all its passes');
    is($result->{procedure}{runner}{name}, 'measure.sh', 'the procedure names the script');
    like($run->{err}, qr/also written: \S+console[.]html$/m, 'the reports are written beside the log');
};

subtest 'a quick log' => sub {
    my $run = reported($LOG{quick}, '--details');
    is($run->{status}, 0, 'is reported');
    like($run->{out}, qr/^   Note: Quick run: estimate, not an official result$/m, 'as an estimate');
    is($run->{result}{runs}[0]{rounds}, 3, 'with its rounds');
    my ($within) = $LOG{quick} =~ /\A(.*?pass[|]2[|]shell1[|]3[^\n]*\n)/s;
    is(reported($within)->{result}{runs}[0]{rounds}, 2, 'if it was cut, with those before that');
};

subtest 'a log with sensors and the clock' => sub {
    my ($zone, $passes, @lines) = ('/sys/class/thermal/thermal_zone0', 0);
    for my $line (official()) {
        if ($line =~ /\Adone/) {
            my ($degrees, $mhz) = ++$passes == 7 ? (95, 600) : (50, 1500);
            push @lines, "heat|$zone/temp ${degrees}000", "clock|${mhz}000000";
        }
        push @lines, $line;
        push @lines, "heat|$zone/temp 50000" if $line =~ /\Apass/;
    }
    my @facts = map { "fact|$zone/$_" } 'type|cpu-thermal', 'trip_point_0_type|passive', 'trip_point_0_temp|90000';
    my $run   = reported(log_of(@facts, @lines), '--details');
    like($run->{out}, qr/^Clock: fell from 1[.]50 to 0[.]60 GHz in pass 3 of Pipe Throughput, 1 copy[.]$/m, 'says so');
    my $pass = test_of($run->{result}, 1, 'pipe')->{passes}[2];
    is(sprintf("%.0f @{ $pass->{sensors}{degrees} }", $pass->{used}{clock_mhz}), q{600 50 95}, 'each pass has them');
};

subtest 'a log of a board' => sub {
    my @pi   = map { "fact|/proc/$_" } 'device-tree/model|Raspberry Pi Zero Rev 1.3', 'cmdline|x.serial=0x5ca1ab1e';
    my $run  = reported(log_of(@pi, official()), '--no-identity');
    my $page = text_of($run->{test}->place('console.html'));
    is($run->{result}{facts}{virtualization}{hypervisor}, 'none', 'is not one of a virtual machine');
    like($page, qr{<title>UnixBench [^<]*, Raspberry Pi Zero Rev 1[.]3, AMD EPYC, }, '... and names it');
    unlike($page, qr/5ca1ab1e|"vm"/, '... but no serial number and no host');
};

subtest 'a log that was measured again' => sub {
    my $run = reported($LOG{official});
    my ($test, $page) = ($run->{test}, $run->{test}->place('console.html'));
    write_file($test->place('console.log'), $LOG{quick});
    like($test->run('report', $test->place('console.log'))->{err}, qr/also written: \Q$page\E$/m, 'has a new page');
    is(UnixBench::Store::ResultFile::result($page)->{procedure}{kind}, 'quick', '... with the new passes');
    like(text_of($test->place('console')), qr/Quick run/, '... and a new report');

    my $of_run = rendered(html => Fixture::result([Fixture::run(1, Fixture::measured('pipe', 1, 1e7, 1.01e7))]));
    write_file($page, $of_run);
    unlike($test->run('report', $test->place('console.log'))->{err}, qr/also written: \Q$page/, 'a page of Run stays');
    is(text_of($page), $of_run, '... as it is');
};

subtest 'a log that was cut' => sub {
    my $run  = reported($LOG{official} =~ s/^[^\n]*pass[|]2[|]dhry2reg[|]3.*//msr);
    my $test = test_of($run->{result}, 2, 'dhry2reg');
    is_deeply([@$test{qw(status reason)}], ['interrupted', 'interrupted after 2 of 4 passes'], 'has the passes before');
    my $again = $run->{test}->run('--resume', $run->{test}->place('console'));
    like($again->{err}, qr/ is from a log of measure[.]sh, which can't be resumed: measure again$/, 'is not resumed');
};

subtest 'a warm-up that failed' => sub {
    my @plan = map { s/factor[|]\K.*/1/r } grep { /\Aplan/ && !/passes|copies/ } quick();
    my $log  = log_of(
        @plan,
        (map { "plan|$_" } 'copies|1', 'passes|pipe 1', 'passes|syscall 1'),
        'pass|1|pipe|0|100|{bindir}/pipe 0.1',
        qw(copy|1|7|137 late|61 done|170 made|1|pipe|0|1),
        'pass|1|syscall|1|170|{bindir}/syscall 0.3',
        qw(said|1|COUNT|3000|1|lps said|1|TIME|0.300000000 copy|1|8|0 done|171 made|1|syscall|1|0 end|99)
    );
    my $run  = reported($log);
    my $test = test_of($run->{result}, 1, 'pipe');
    is("@$test{qw(status reason)}", 'failed out of time: not done after 61 s (warm-up)', 'fails its test');
    is_deeply($test->{passes}, [], '... without a pass');
    is(test_of($run->{result}, 1, 'syscall')->{score}, 10_000, 'another test has its score');
};

subtest 'logs that can not be reported' => sub {
    my $run = reported($LOG{official} =~ s/^[^\n]*said[|]2[|]COUNT[^\n]*\n//mr);
    is($run->{status}, 2, 'a line is missing: exit status 2');
    like($run->{err}, qr/, a log of measure[.]sh, has lost 1 line of [0-9]+; copy it again, or /, '... and one line');
    my $test = TestRun->new;
    write_file($test->place('console.log'), $LOG{quick});
    my $compared = $test->run('compare', ($test->place('console.log')) x 2);
    like($compared->{err}, qr/: a log of measure[.]sh; make its page with [.]\/Run report, and give that$/, 'or two');
    my @lines = quick();
    my $two   = reported(join q{}, $LOG{official}, map { raw_line(1 + $_, $lines[$_], 'mfedcba98765') } 0 .. $#lines);
    like($two->{err}, qr/^Run: the file has 2 logs; the last one is reported$/m, 'the last of two logs is reported');
};

for my $case ([139 => 'killed by SIGSEGV'], [255 => 'exit status 255']) {
    my ($status, $said) = @$case;
    my $lines = join("\n", official()) =~ s/\npass[|]1[|]pipe[|]1.*?\ncopy[|]1[|][0-9]+[|]\K0/$status/sr;
    like(reported(log_of(split /\n/, $lines))->{out}, qr/^Pipe Throughput .*\Q$said\E/m, "$status: $said");
}

subtest 'requirements' => sub {

    # [CPUs that others use, or undef without a watch, the least of pipe, the exit status, what a line says].
    my @cases = (
        [undef, 1,   0, qr/^Run: PASS/m],
        [undef, 1e9, 4, qr/^Run: INCONCLUSIVE.*measure[.]sh could not watch/m],
        [0,     1e9, 3, qr/^Run: FAIL/m],
        [1,     1e9, 4, qr/^Run: INCONCLUSIVE.*\nRun: Other load: 0[.]96 CPUs used/m],
        [1,     1,   0, qr/^Run: PASS/m],
    );
    for my $case (@cases) {
        my ($others, $least, $status, $said) = @$case;
        my $run = reported(defined $others ? watched($others) : $LOG{official}, '--require', "pipe >= $least");
        is($run->{status}, $status, ($others // 'unknown') . " CPUs used by others, at least $least")
            or diag $run->{err};
        like($run->{err}, $said, '... a line says why');
    }
};

done_testing;
