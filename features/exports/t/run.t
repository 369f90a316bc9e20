# Exports by the real program, also of comparisons and histories as tables.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CommandLines                   qw(are_refused);
use LoadedRun                      qw(rated);
use Needs                          qw(path_of skip_without);
use Place                          qw(text_of);
use UnixBench::Base::Files;
use UnixBench::Exports::CSV;

my @WORDS   = qw(-q -c 1 -i 3 syscall hanoi);
my @FORMATS = (UnixBench::Exports::names(), UnixBench::Exports::OF_ONE);

sub place { return rated({ syscall => [(1000) x 3], hanoi => [7] }, @_) }

sub content { return UnixBench::Base::Files::content(@_) }

# Takes a place; returns the words that ask for all formats, each in a file of its name.
sub all_into {
    my ($test) = @_;
    return map { ('--export', "$_:" . $test->place('test', $_)) } @FORMATS;
}

# Metrics of a good machine, of one without an index, of one that was slow beside other load, and of a file with two
# hosts: one that is slow by a quota, and another without an index.
my $ALERTS = <<'END';
rule_files: [rules.yml]
evaluation_interval: 1d
tests:
- interval: 1d
  input_series:
  - {series: 'unixbench_run_end_timestamp_seconds{instance="good"}', values: '1+0x30'}
  - {series: 'unixbench_index{instance="good",category="system",copies="1",bound="lower"}', values: '1400+0x30'}
  - {series: 'unixbench_index{instance="good",category="system",copies="1",bound="upper"}', values: '1600+0x30'}
  - {series: 'unixbench_run_end_timestamp_seconds{instance="broken"}', values: '1+0x30'}
  - {series: 'unixbench_run_end_timestamp_seconds{instance="loaded"}', values: '1+0x30'}
  - {series: 'unixbench_index{instance="loaded",category="system",copies="1",bound="upper"}', values: '900+0x30'}
  - {series: 'unixbench_disturbed_by_load_ratio{instance="loaded"}', values: '0.4+0x30'}
  - {series: 'unixbench_disturbed_by_load_ratio{instance="f",host="a"}', values: '0+0x30'}
  - {series: 'unixbench_disturbed_by_limit_ratio{instance="f",host="a"}', values: '1+0x30'}
  - series: 'unixbench_verdict{instance="f",host="a",requirement="index>=9",copies="1",verdict="fail"}'
    values: '1x30'
  - {series: 'unixbench_verdict{instance="good",requirement="index>=1",copies="1",verdict="fail"}', values: '0+0x30'}
  - {series: 'unixbench_run_end_timestamp_seconds{instance="f",host="a"}', values: '1+0x30'}
  - {series: 'unixbench_index{instance="f",host="a",category="system",copies="1",bound="upper"}', values: '1000+0x30'}
  - {series: 'unixbench_run_end_timestamp_seconds{instance="f",host="b"}', values: '1+0x30'}
  alert_rule_test:
  - eval_time: 2d
    alertname: MachineIsSlow
    exp_alerts: [{exp_labels: {instance: f, host: a, category: system, copies: "1", bound: upper}}]
  - eval_time: 2d
    alertname: RequirementIsNotMet
    exp_alerts: [{exp_labels: {instance: f, host: a, requirement: "index>=9", copies: "1", verdict: fail}}]
  - {eval_time: 2d, alertname: MachineWasDisturbed, exp_alerts: [{exp_labels: {instance: loaded}}]}
  - {eval_time: 2d, alertname: MachineWasNotMeasured, exp_alerts: []}
  - eval_time: 9d
    alertname: MachineWasNotMeasured
    exp_alerts:
    - exp_labels: {instance: good}
    - exp_labels: {instance: broken}
    - exp_labels: {instance: loaded}
    - exp_labels: {instance: f, host: a}
    - exp_labels: {instance: f, host: b}
  - eval_time: 2d
    alertname: MachineHasNoIndex
    exp_alerts: [{exp_labels: {instance: broken}}, {exp_labels: {instance: f, host: b}}]
END

subtest 'the alerts of the guide for Prometheus name the right machines' => sub {
    my $promtool = path_of('promtool') // skip_without(machine => 'promtool');
    my ($rules)  = text_of("$FindBin::Bin/../../../docs/monitoring.md") =~ /^(groups:\n.*?)^```/ms;
    my $test     = place();
    $test->write('test', 'rules.yml', $rules);
    $test->write('test', 'test.yml',  $ALERTS);
    my $said = qx(cd '@{[$test->place('test')]}' && '$promtool' test rules test.yml 2>&1);
    is($?, 0, 'promtool finds these alerts') or diag $said;
};

subtest 'a run writes all formats' => sub {
    my $test = place();
    my $run  = $test->run(@WORDS, all_into($test));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run succeeds');
    my %text = map { $_ => content($test->place('test', $_)) } @FORMATS;
    is($text{lava}, "syscall-1 pass 1000.0 lps\nhanoi-1 pass 7.000 lps\n", 'lava has each test');
    like($text{openmetrics}, qr/^unixbench_rate[{]test="syscall",copies="1",unit="lps"[}] 1000$/m, 'openmetrics');
    like($run->{out},        qr/^System Call Overhead +1000[.]0 lps/m, 'the text report is printed as usual');
    is_deeply([grep { /[.]new\z/ } glob $test->place('test', q{*})], [], 'no temporary file is left');

    my ($page) = map { $test->place('results', $_) } grep { /html\z/ } $test->reports;
    for my $format (@FORMATS) {
        my $again = $test->run('report', $page, '--export', "$format:-");
        is_deeply([@$again{qw(status err out)}], [0, q{}, $text{$format}], "report prints the same: $format");
    }
    for my $format (qw(export markdown)) {
        my $file  = $test->place('test', 'again');
        my @words = ('report', $page, "--$format", ($format eq 'export' ? 'csv:' : q{}) . $file);
        is_deeply([@{ $test->run(@words) }{qw(status out)}], [0, q{}], "report --$format FILE prints nothing else");
        ok(-s $file, 'and writes the file');
        like($test->run(@words, '-q')->{out}, qr/^System Call Overhead +1000/m, '-q: the classic report');
    }
};

are_refused(
    (map { ["--export $_" => 'option --export needs TO:FILE, such as csv:values.csv'] } qw(csv -), q{""}),
    ['--export lawa:x'         => 'option --export has no format "lawa"; did you mean lava?'],
    ['--export csv:- --json -' => 'standard output can have one report only: choose --json or --export csv'],
);

# Tests of comparisons as tables: one mechanism for all commands, with one form of dates and of numbers.

my $TEST   = TestRun->new;
my $REPORT = text_of("$FindBin::Bin/../../../t/data/classic/1-copy");
$TEST->write('results', 'old', $REPORT);
$TEST->write('results', 'new', $REPORT =~ s/2465754[.]7/2465000.7/gr =~ s/1643[.]8/1643.3/r);

is(
    UnixBench::Exports::CSV::table(
        [qw(name date value)],
        { name => 'a,b', date  => '2024-01-02T03:04:05', value => 2_465_754.74 },
        { name => '=x',  value => -0.012345678 }
    ),
    qq{name,date,value\n"a,b",2024-01-02T03:04:05,2465754.7\n'=x,,-0.0123457\n},
    'texts, dates and numbers'
);

my $run   = $TEST->run(qw(compare old new --export csv:-));
my @lines = split /\n/, $run->{out};
is(
    $lines[0],
    'first,second,first_copies,second_copies,kind,name,title,unit,first_value,second_value,ratio,low,high,verdict',
    'the columns of a comparison'
);
my ($row) = grep { /,syscall,/ } @lines;
like($row, qr/,1,1,test,syscall,System Call Overhead,lps,2465754[.]7,2465000[.]7,0[.]999694,,,unknown\z/, 'a row');
is(scalar @lines, 1 + 1 + 12 + 1, 'a row for the index, the mean and each test');
my $refusal = qr/\ARun: option --export openmetrics writes results, not a table$/m;
like($TEST->run(qw(compare old new --export openmetrics:-))->{err}, $refusal, 'other exports are refused');

done_testing;
