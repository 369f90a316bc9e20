package PlayedRun;

# Simulated runs of a plan by the real runner: no program is started, and time passes only as the outcomes say.

use strict;
use warnings;

use Exporter 'import';

use FakeProcess;
use Fixture qw(baseline);
use UnixBench::Measure::Runner;
use UnixBench::Plan::Baseline;
use UnixBench::Score::Score;
use UnixBench::Score::StopRule;

our @EXPORT_OK = qw(play);

# Takes a plan, { event => function }, see UnixBench::Measure::Runner, and a function that takes a test of the plan, the
# numbers of the attempt and of copies, and the process. It returns the seconds of the pass and its count, or the reason
# of its failure. The attempt of a pass that warms up is 0. Makes the run, until a listener dies.
sub play {
    my ($plan, $on, $outcome) = @_;
    my $process = FakeProcess->new;
    my ($has_begun, %attempts);
    my %begin    = (run_started => sub { $has_begun = 0 }, pass_started => sub { $has_begun = 1 });
    my $one_pass = sub {
        my ($test, $copies) = @_;
        my $attempt = $has_begun ? ++$attempts{$copies}{ $test->{lane} } : 0;
        my ($took_s, $count) = $outcome->($test, $attempt, $copies, $process);
        $process->{now_s} += $took_s;
        return map { _copy($test, $count) } 1 .. $copies;
    };
    my $both = sub {
        my ($event) = @_;
        return sub { $begin{$event}->(); $on->{$event}->(@_) if $on->{$event}; return };
    };
    my $runner = UnixBench::Measure::Runner->new(
        process   => $process,
        clock     => $process,
        cpu_count => 2,
        one_pass  => $one_pass,
        on        => { %$on, map { $_ => $both->($_) } keys %begin },
        $plan->{quick} ? _what_ends_rounds($plan->{quick}) : (),
    );
    eval { $runner->run($plan) };
    return $on->{measured} && $on->{measured}->();
}

sub _what_ends_rounds {
    my ($quick) = @_;
    my $baseline = UnixBench::Plan::Baseline::parse(baseline());
    return (
        rule        => UnixBench::Score::StopRule->new(map { $_ => $quick->{$_} } qw(precision max_time_s)),
        indexes     => sub { UnixBench::Score::Score::indexes($_[0], $baseline) },
        is_draining => sub { 0 },
    );
}

sub _copy {
    my ($test, $count) = @_;
    my %copy = (pid => 1, elapsed_s => $test->{seconds}, status => 0, signal => 0, gated => 1, output => q{});
    return { %copy, error => $count, data => { ERROR => [$count] } } if $count !~ /\A[0-9.]+\z/;
    my %counted = (count => $count, time_s => $test->{seconds}, timebase => 1, unit => 'lps');
    return { %copy, %counted, data => { COUNT => [$count, 1, 'lps'], TIME => [$test->{seconds}] } };
}

1;
