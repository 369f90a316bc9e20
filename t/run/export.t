use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive      qw(eventually);
use KnownRates qw(give_rates rated);
use LoadedRun;
use Needs   qw(skip_without);
use TestRun qw(waited);
use UnixBench::Base::Files;

my @WORDS   = qw(-q -c 1 -i 3 syscall hanoi);
my @FORMATS = qw(github-action-benchmark openmetrics lava bencher csv);

sub place { return rated({ syscall => [(1000) x 3], hanoi => [7] }, @_) }

sub content { return UnixBench::Base::Files::content(@_) }

# Takes a place; returns the words that ask for all formats, each in a file of its name.
sub all_into {
    my ($test) = @_;
    return map { ('--export', "$_:" . $test->place('test', $_)) } @FORMATS;
}

subtest 'a run writes all formats' => sub {
    my $test = place();
    my $run  = $test->run(@WORDS, all_into($test));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run succeeds');
    my %text = map { $_ => content($test->place('test', $_)) } @FORMATS;
    is($text{lava}, "syscall-1 pass 1000.0 lps\nhanoi-1 pass 7.000 lps\n", 'lava has each test');
    like(
        $text{openmetrics},
        qr/^unixbench_rate[{]test="syscall",copies="1",unit="lps"[}] 1000$/m,
        'openmetrics has a rate'
    );
    like(
        $text{openmetrics},
        qr/^unixbench_run_info[{]version="[0-9.]+",procedure="changed"[}] 1$/m,
        'shortened passes are a changed procedure'
    );
    like($text{bencher}, qr{^"hanoi/1":[{]"throughput":[{]"value":7[}][}]}m, 'bencher has a value without an interval');
    like(
        $text{csv},
        qr/^[^,]+,20[0-9T:+-]+,hanoi,1,7,lps,,,,1,measured$/m,
        'csv has a line for a test without a baseline'
    );
    like(
        $text{'github-action-benchmark'},
        qr/"name":"System Call Overhead [(]1 copy[)]"/,
        'github-action-benchmark has titles'
    );
    like($run->{out}, qr/^System Call Overhead +1000[.]0 lps/m, 'the text report is printed as usual');
    is_deeply([grep { /[.]new\z/ } glob $test->place('test', q{*})], [], 'no temporary file is left');

    my ($page) = map { $test->place('results', $_) } grep { /html\z/ } $test->reports;
    for my $format (@FORMATS) {
        my $again = $test->run('--report', $page, '--export', "$format:-");
        is_deeply(
            [@$again{qw(status err out)}],
            [0, q{}, $text{$format}],
            "--report writes the same to standard output: $format"
        );
    }
};

subtest 'a failed test' => sub {
    my $test = place();
    $test->put(hanoi => 'segfault');
    my $run = $test->run(@WORDS, all_into($test));
    is($run->{status}, 1, 'a failed test: exit status 1');
    like(content($test->place('test', 'lava')), qr/^hanoi-1 fail$/m,         'lava has "fail" without a value');
    like(content($test->place('test', 'csv')),  qr/,hanoi,1,,,,,,,failed$/m, 'csv has the status and empty fields');
    unlike(content($test->place('test', $_)), qr/hanoi/i, "$_ does not have the test")
        for qw(github-action-benchmark openmetrics bencher);
};

subtest 'a run that is interrupted and resumed' => sub {
    my $test = rated({ syscall => [990, 1000] });
    my $file = $test->place('test', 'values');
    my $run  = $test->started(qw(-q -c 1 -i 3 syscall --export), "lava:$file");
    eventually(sub { $test->report('.journal') =~ /"pass".*"pass"/s });
    kill TERM => $run->{pid};
    is(waited($run)->{signal}, 15,                 'the run ends by the signal');
    is(content($file),         "syscall-1 skip\n", 'the interrupted test is skipped');
    my ($name) = map { s/[.]journal\z//r } grep { /[.]journal\z/ } $test->reports;
    give_rates($test, syscall => [1010]);
    is($test->run(qw(-q --resume), $name, '--export', "lava:$file")->{status}, 0, 'the resumed run succeeds');
    is(content($file), "syscall-1 pass 1000.0 lps\n",                             'the resumed run has the value');
};

subtest 'a host name is left out on request' => sub {
    my $test = place();
    my $run  = $test->run(@WORDS, qw(--no-identity --export csv:-));
    like($run->{out}, qr/\Ahost,.*\nanonymous,/, 'csv has another name');
};

subtest 'a full disk' => sub {
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    my $run = place()->run(@WORDS, qw(--export csv:/dev/full));
    is_deeply(
        [@$run{qw(status err)}],
        [1, "Run: can't write /dev/full: No space left on device\n"],
        'a full disk is reported'
    );
};

subtest 'a file that is read is not overwritten' => sub {
    my $test = place();
    $test->run(@WORDS);
    my ($page) = map { $test->place('results', $_) } grep { /html\z/ } $test->reports;
    my $run = $test->run('--report', $page, '--export', "csv:$page");
    is_deeply(
        [@$run{qw(status err)}],
        [2, "Run: option --export csv would overwrite $page, which is read: name another file\n"],
        'the refusal names the option'
    );
};

done_testing();
