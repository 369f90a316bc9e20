use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(in_rounds run_of_rounds);
use Golden   qw(is_golden no_golden_left_over);
use Planned  qw(make);
use Screen;
use FakeProcess;
use Fixture qw(baseline);
use UnixBench::Progress::Plain;
use UnixBench::Progress::Live;
use UnixBench::Measure::Runner;
use UnixBench::Plan::Baseline;
use UnixBench::Score;
use UnixBench::Score::StopRule;

# The progress in a file or a pipe.

# Takes words for new() and a function; calls it with the listeners and returns what is printed.
sub said {
    my ($use, %with) = @_;
    open my $out, '>', \my $text or die "open: $!\n";
    $use->(UnixBench::Progress::Plain->new(out => $out, %with)->listeners);
    return $text // q{};
}

# Takes the number of copies, passes and the outcome of their test; returns a function that plays an official test.
sub test_of {
    my ($copies, $passes, %outcome) = @_;
    my %test = (title => 'Pipe Throughput', command => ['/b/pipe', 10]);
    return sub {
        my ($on) = @_;
        my $run = { copies => $copies };
        $on->{test_started}->(\%test, $run);
        $on->{pass_done}->($_, \%test, $run) for @$passes;
        $on->{test_done}->({ %test, %outcome }, $run);
    };
}

my @GOOD = map { +{ number => $_, count => 1234.56, time_s => 10.04 } } 1 .. 3;
my $BAD  = { number => 2, error => 'aborting' };
my $HEAD = "\n1 x Pipe Throughput \n  /b/pipe 10\n";
is(said(test_of(1,  \@GOOD,           status => 'measured')), "\n1 x Pipe Throughput  1 2 3\n", 'a test has a line');
is(said(test_of(16, [$GOOD[0], $BAD], status => 'failed')),   "\n16 x Pipe Throughput  1 2\n",  'a failed pass');
is(
    said(test_of(2, [], status => 'skipped', reason => 'skipped: no display')),
    "\n2 x Pipe Throughput  skipped: no display\n",
    'a skipped test has its reason'
);
is(
    said(test_of(1, [$GOOD[0], $BAD], status => 'failed'), is_verbose => 1),
    "$HEAD  1: 1234.6 in 10.0 s\n  2: abortin\\x67\n",
    'verbose: commands and passes, without the words that parsers look for'
);

# Quick runs. By hand: t(2) = 4.3027, standard deviation of the logarithms 0.0100004.
my %BRIEF_RUN = (quick => { seed => 1995, precision => 0.0125, max_time_s => 150 });
my $pipe      = in_rounds('pipe', 1000, 1010, 990);
my $run       = { %{ run_of_rounds($pipe) }, copies => 2 };
my @two       = map { +{ %{ $run->{indexes}[0] }, category => $_ } } qw(system 2d);
my @sure      = ({ %{ $two[0] }, rows => [] }, $two[1]);
my $skipped   = { title => 'Gears', status => 'skipped', reason => 'skipped: no X display' };

my @of_state = map {
    my ($state, @rates) = @$_;
    +{ %{ run_of_rounds(in_rounds('pipe', @rates)) }, state => $state, copies => 2 }
} [0, 1000, 1000, 1000, 1000], [1, 900, 909, 900, 909];
my $turns = { %{ $of_state[0] }, others => [$of_state[1]] };

# [what is printed, event, what it takes].
#<<< a table
my @EVENTS = (
    ['2 copies: rounds of short passes, seed 1995, until +-1.25 %, at most 150 s', run_started => $run],
    ['2 copies: rounds of short passes, seed 1995, until each ratio is +-1.25 %, at most 150 s', run_started => $turns],
    [undef, run_started => $of_state[1]],
    ['2 copies, round 3: index 0.8 +-2.48 %', round_done => $run],
    ['2 copies, round 3: index 0.8 +-2.48 %; time limit reached', round_done => $run, 'time'],
    ['2 copies, round 3; no test is left', round_done => { %$run, indexes => [], tests => [] }, 'failed'],
    ['2 copies, round 3: index 0.8 +-2.48 %, 2d index 0.8 +-2.48 %', round_done => { %$run, indexes => \@two }],
    ['2 copies, round 3: index 0.8, 2d index 0.8 +-2.48 %', round_done => { %$run, indexes => \@sure }],
    ['2 copies, round 4', round_done => $turns],
    ['  Gears: skipped: no X display', test_done => $skipped, $run],
    [undef, test_done => $pipe, $run],
);
#>>>
for my $case (@EVENTS) {
    my ($line, $event, @of) = @$case;
    is(said(sub { $_[0]{$event}->(@of) }, %BRIEF_RUN), defined $line ? "$line\n" : q{}, $line // "nothing: $event");
}
is_deeply(
    [map { UnixBench::Progress::Plain::title($pipe, $_) } $run, $turns,                     $of_state[1]],
    ['2 x Pipe Throughput',                                     '2 x Pipe Throughput in A', '2 x Pipe Throughput in B'],
    'the title of a test has its state'
);
my $all = sub {
    my ($on) = @_;
    $on->{test_started}->({ %$pipe, command => ['/b/pipe', 1] }, $run);
    $on->{pass_done}->($pipe->{passes}[0], $pipe, $run);
    $on->{pass_done}->($BAD, $pipe, $run);
};
my $verbose_lines = "  pipe: /b/pipe 1\n  pipe: 1000.0 in 1.0 s\n  pipe: abortin\\x67\n";
is(said($all, %BRIEF_RUN, is_verbose => 1), $verbose_lines, 'verbose: commands and passes');

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
        indexes     => sub { UnixBench::Score::indexes($_[0], $baseline) },
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

my %QUICK = (seed    => 1995, precision  => 0.01, max_time_s => 4);
my %LONG  = (display => ':0', iterations => 2,    copies     => [1, 16]);
my @TESTS = qw(fsdisk syscall ubgears);

# Takes columns, a plan, outcomes (see play), and whether a listener dies when a pass is done. Returns all
# that was written, and the screen after it.
sub played {
    my ($columns, $plan, $outcome, $is_dying) = @_;
    open my $out, '>', \my $text or die "open: $!\n";
    my $progress = UnixBench::Progress::Live->new(out => $out, plan => $plan, columns => sub { $columns });
    my %on       = %{ $progress->listeners };
    $on{pass_done} = sub { die "no\n" }
        if $is_dying;
    play($plan, \%on, $outcome);
    return ($text, Screen->new($columns)->feed($text));
}

# Takes a pass; returns its outcome. Rates differ, and one test fails in its second pass with 16 copies.
sub outcome {
    my ($test, $attempt, $copies) = @_;
    return (3, "caf\xc3\xa9 \xff \e[2J aborting") if $test->{name} eq 'syscall' && $copies == 16 && $attempt == 2;
    return ($test->{pass_s} + 0.2, 44_880_784 * (1 + 0.004 * ($attempt % 3)));
}

for my $case ([80, official => make(tests => \@TESTS, %LONG)],
    [40, quick => make(tests => [@TESTS[0, 2]], %LONG, quick => \%QUICK)])
{
    my ($columns, $kind, $plan) = @$case;
    my ($text, $screen) = played($columns, $plan, \&outcome);
    is_golden("$kind.txt", $screen->film);
    my @drawn = map { s/\e\[J//gr } $text =~ /\e\[J([^\r\n]*)\r(?!\n)/g;
    is(scalar grep({ length >= $columns } @drawn), 0, "$kind: no line that is drawn takes all columns");
    unlike($text, qr/aborting|lps|MWIPS|-{71}|\xff|[^\r]\e\[2?J/, "$kind: no words that parsers look for");
}

subtest 'an interruption or an error leaves finished lines only' => sub {
    my $interrupt =
        sub { my ($test, $attempt, undef, $process) = @_; $process->interrupt if $attempt == 2; return (1, 1000) };
    my (undef, $screen) = played(80, make(), $interrupt);
    is($screen->shown, "\n1 x Pipe Throughput  interrupted after 1 of 10 passes\n", 'official run');
    (undef, $screen) = played(80, make(tests => [qw(pipe execl)], quick => \%QUICK), $interrupt);
    like($screen->shown, qr/\A1 copy: rounds [^\n]+\n\z/, 'quick run');
    (undef, $screen) = played(80, make(), \&outcome, 1);
    is($screen->shown, q{}, 'an error');
};

# [what, bytes on a terminal of 11 columns, [method, texts], ...].
my @LINES = (
    ['nothing to clear',                  q{},                       ['clear']],
    ['a drawn line',                      "\r\e[Jone\r",             [draw       => 'one']],
    ['one that fits',                     "\r\e[J1234567890\r",      [draw       => '1234567890']],
    ['one that is a column too long',     "\r\e[J1234567...\r",      [draw       => '12345678901']],
    ['a line that stays',                 "12345678901 done\n",      [write_line => '12345678901 done']],
    ['one instead of the drawn',          "\r\e[Jone\r\r\e[Jdone\n", [draw       => 'one'], [write_line => 'done']],
    ['a drawn line that is cleared once', "\r\e[Jone\r\r\e[J",       [draw       => 'one'], ['clear'], ['clear']],
);
for my $case (@LINES) {
    my ($what, $bytes, @calls) = @$case;
    open my $out, '>', \my $text or die "open: $!\n";
    my $live = UnixBench::Progress::Live->new(out => $out, plan => make(), columns => sub { 11 });
    for my $call (@calls) {
        my ($method, @texts) = @$call;
        $live->$method(@texts);
    }
    is($text // q{}, $bytes, $what);
}

no_golden_left_over();
done_testing;
