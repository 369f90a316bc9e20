package PlayedRun;

# Simulated runs of a plan by the real runner: no program is started, and time passes only as the outcomes say.

use strict;
use warnings;

use Exporter 'import';

use FakeProcess;
use Fixture qw(baseline);
use UnixBench::Catalog;
use UnixBench::Measure::Runner;
use UnixBench::Plan::Baseline;
use UnixBench::Plan::Plan;
use UnixBench::Score::Score;
use UnixBench::Score::StopRule;

our @EXPORT_OK = qw(plan play);

# Takes the names of tests, and differences from copies => [1], factor => 1, passes and quick as in the plan; returns
# the plan.
sub plan {
    my ($tests, %with) = @_;
    return UnixBench::Plan::Plan::make(
        copies => [1],
        factor => 1,
        %with,
        tests    => $tests,
        words    => { bindir => '/b', tmpdir => '/t' },
        is_there => sub { 1 },
    );
}

# Takes a plan, a function from a clock to sets of listeners (see UnixBench::Measure::Session), and optionally:
#     outcome     function; takes a test of the plan, the numbers of the attempt and of copies, and the process;
#                 returns the seconds of the pass and its count, or the reason of its failure. The attempt of a pass
#                 that warms up is 0
#     kept        see UnixBench::Measure::Runner
#     noise       see UnixBench::Measure::Runner
#     is_decided  see UnixBench::Score::StopRule
# Returns the runs, or none if a listener died, and the seconds that they took.
sub play {
    my ($plan, $listeners, %with) = @_;
    my $process = FakeProcess->new;
    my $start_s = $process->{now_s};
    my @sets    = $listeners->($process);
    my $outcome = $with{outcome} || sub { ($_[0]{pass_s} + 0.1, 1000) };
    my ($has_begun, %attempts);
    my $begin    = { run_started => sub { $has_begun = 0 }, pass_started => sub { $has_begun = 1 } };
    my $one_pass = sub {
        my ($test, $copies) = @_;
        my $attempt = $has_begun ? ++$attempts{$copies}{ $test->{lane} } : 0;
        my ($took_s, $count) = $outcome->($test, $attempt, $copies, $process);
        $process->{now_s} += $took_s;
        return map { _copy($test, $count) } 1 .. $copies;
    };
    my $runner = UnixBench::Measure::Runner->new(
        process   => $process,
        clock     => $process,
        cpu_count => 2,
        one_pass  => $one_pass,
        noise     => $with{noise},
        on        => _all_of($begin, @sets),
        $plan->{quick} ? _what_ends_rounds($plan->{quick}, $with{is_decided}) : (),
    );
    my @runs = eval { $runner->run($plan, $with{kept}) };
    $_->() for map { $_->{measured} || () } @sets;
    return (\@runs, $process->{now_s} - $start_s);
}

sub _what_ends_rounds {
    my ($quick, $is_decided) = @_;
    my $baseline = UnixBench::Plan::Baseline::parse(baseline());
    return (
        rule => UnixBench::Score::StopRule->new(
            (map { $_ => $quick->{$_} } qw(precision max_time_s)),
            $is_decided ? (is_decided => $is_decided) : ()
        ),
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

sub _all_of {
    my (@sets) = @_;
    my %events = map { $_ => 1 } map { keys %$_ } @sets;
    my %all;
    for my $event (keys %events) {
        my @functions = map { $_->{$event} || () } @sets;
        $all{$event} = sub { $_->(@_) for @functions };
    }
    return \%all;
}

1;
