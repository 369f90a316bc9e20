# The progress in a file or a pipe.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(in_rounds run_of_rounds);
use UnixBench::Progress::Plain;

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
my %QUICK   = (quick => { seed => 1995, precision => 0.0125, max_time_s => 150 });
my $pipe    = in_rounds('pipe', 1000, 1010, 990);
my $run     = { %{ run_of_rounds($pipe) }, copies => 2 };
my @two     = map { +{ %{ $run->{indexes}[0] }, category => $_ } } qw(system 2d);
my @sure    = ({ %{ $two[0] }, rows => [] }, $two[1]);
my $skipped = { title => 'Gears', status => 'skipped', reason => 'skipped: no X display' };

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
    is(said(sub { $_[0]{$event}->(@of) }, %QUICK), defined $line ? "$line\n" : q{}, $line // "nothing: $event");
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
is(said($all, %QUICK, is_verbose => 1), $verbose_lines, 'verbose: commands and passes');

done_testing();
