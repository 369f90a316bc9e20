use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(in_rounds run_of_rounds);
use UnixBench::Progress::Plain;

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
