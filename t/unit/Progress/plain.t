use strict;
use warnings;

use Test::More;

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

done_testing();
