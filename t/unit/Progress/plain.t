use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(in_rounds run_of_rounds);
use UnixBench::Progress::Plain;

my %TEST = (title  => 'Pipe Throughput', command => ['/b/pipe', 10]);
my %GOOD = (number => 1, count => 1234.56, time_s => 10.04);
my %BAD  = (number => 2, error => 'killed by SIGSEGV');

# Takes whether it is verbose, the number of copies, passes and the outcome of their test; returns what is printed.
sub printed {
    my ($is_verbose, $copies, $passes, %outcome) = @_;
    open my $out, '>', \my $text or die "open: $!\n";
    my $on   = UnixBench::Progress::Plain->new(out => $out, is_verbose => $is_verbose)->listeners;
    my $run  = { copies => $copies };
    my $test = {%TEST};
    $on->{test_started}->($test, $run);
    $on->{pass_done}->($_, $test, $run) for @$passes;
    %$test = (%$test, %outcome);
    $on->{test_done}->($test, $run);
    return $text;
}

is(
    printed(
        0, 1,
        [
            map {
                { %GOOD, number => $_ }
            } 1 .. 3
        ],
        status => 'measured'
    ),
    "\n1 x Pipe Throughput  1 2 3\n",
    'a test has a line, and a pass its number'
);
is(printed(0, 16, [\%GOOD, \%BAD], status => 'failed'), "\n16 x Pipe Throughput  1 2\n",
    'a failed pass has its number');
is(
    printed(0, 2, [], status => 'skipped', reason => 'skipped: no display'),
    "\n2 x Pipe Throughput  skipped: no display\n",
    'a skipped test has its reason'
);
is(
    printed(1, 1, [\%GOOD, \%BAD], status => 'failed'),
    "\n1 x Pipe Throughput \n  /b/pipe 10\n  1: 1234.6 in 10.0 s\n  2: killed by SIGSEGV\n",
    'verbose: commands and passes are printed'
);

is(
    printed(1, 1, [{ %BAD, error => 'aborting' }], status => 'failed'),
    "\n1 x Pipe Throughput \n  /b/pipe 10\n  2: abortin\\x67\n",
    'verbose: words that parsers look for are escaped'
);

# Quick runs.

my %QUICK = (seed => 1995, precision => 0.0125, max_time_s => 150);

# Takes a function; calls it with the listeners of a quick run and returns what is printed.
sub said {
    my ($use, %with) = @_;
    open my $out, '>', \my $text or die "open: $!\n";
    $use->(UnixBench::Progress::Plain->new(out => $out, quick => \%QUICK, %with)->listeners);
    return $text // q{};
}

my $pipe  = in_rounds('pipe', 1000, 1010, 990);
my $run   = { %{ run_of_rounds($pipe) }, copies => 2 };
my $begin = sub { $_[0]{run_started}->($run) };
is(
    said($begin),
    "2 copies: rounds of short passes, seed 1995, until +-1.25 %, at most 150 s\n",
    'the start of a run is printed, with the limits as they were given'
);

# By hand: t(2) = 4.3027, standard deviation of the logarithms 0.0100004.
is(said(sub { $_[0]{round_done}->($run) }), "2 copies, round 3: index 0.8 +-2.48 %\n", 'a round is printed');
like(
    said(sub { $_[0]{round_done}->($run, 'time') }),
    qr/%; time limit reached\n\z/,
    'the reason for the last round is printed'
);
like(
    said(sub { $_[0]{round_done}->({ %$run, rounds => 2 }, 'time') }),
    qr/\A2 copies, round 2 and a part of the next one: index [0-9.]+ /,
    'the passes of a round that the time limit has cut are in the index, too'
);
my $none = { %$run, indexes => [], tests => [] };
is(
    said(sub { $_[0]{round_done}->($none, 'failed') }),
    "2 copies, round 3; no test is left\n",
    'a round without an index is printed'
);
my @two = map { +{ %{ $run->{indexes}[0] }, category => $_ } } qw(system 2d);
like(
    said(sub { $_[0]{round_done}->({ %$run, indexes => \@two }) }),
    qr/: index 0[.]8, 2d index 0[.]8 \+-/,
    'two indexes are printed'
);

# The ratios of B to A are 0.9 times 1 and 1.01 in turns: 0 and 1 steps of log 1.01. By hand: t(3) = 3.1824, their
# standard deviation is 1 / sqrt(3) steps, and their error 1 / sqrt(12) steps, or 0.00287. Half the interval is 0.00914.
my @of_state = map {
    my ($state, @rates) = @$_;
    +{ %{ run_of_rounds(in_rounds('pipe', @rates)) }, state => $state, copies => 2 }
} [0, 1000, 1000, 1000, 1000], [1, 900, 909, 900, 909];
my $turns = { %{ $of_state[0] }, others => [$of_state[1]] };
is(
    said(sub { $_[0]{round_done}->($turns) }),
    "2 copies, round 4: B/A 0.904 +-0.914 %\n",
    'a round of two states has their ratio'
);
like(
    said(sub { $_[0]{run_started}->($_) for $turns, $of_state[1] }),
    qr/\A2 copies: rounds .*, until each ratio is \+-1[.]25 %, at most 150 s\n\z/,
    'the start of a run of two states is printed once'
);
is_deeply(
    [map { UnixBench::Progress::Plain::title($pipe, $_) } $run, $turns,                     $of_state[1]],
    ['2 x Pipe Throughput',                                     '2 x Pipe Throughput in A', '2 x Pipe Throughput in B'],
    'the title of a test has its state'
);

my $skipped = { title => 'Gears', status => 'skipped', reason => 'skipped: no X display' };
is(
    said(sub { $_[0]{test_done}->($_, $run) for $skipped, $pipe }),
    "  Gears: skipped: no X display\n",
    'only skipped tests are printed'
);

is_deeply([grep { /test_started|pass_done/ } keys %{ UnixBench::Progress::Plain->new(quick => \%QUICK)->listeners }],
    [], 'single passes are not reported');
my $all = sub {
    my ($on) = @_;
    $on->{test_started}->({ %$pipe, command => ['/b/pipe', 1] }, $run);
    $on->{pass_done}->($pipe->{passes}[0], $pipe, $run);
    $on->{pass_done}->({ error => 'aborting' }, $pipe, $run);
};
is(
    said($all, is_verbose => 1),
    "  pipe: /b/pipe 1\n  pipe: 1000.0 in 1.0 s\n  pipe: abortin\\x67\n",
    'verbose: commands and passes are printed, and words that parsers look for are escaped'
);

done_testing();
