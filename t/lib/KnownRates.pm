package KnownRates;

# Runs whose tests have known rates in each pass.

use strict;
use warnings;

use Exporter 'import';

use TestRun ();

our @EXPORT_OK = qw(give_rates measure_into rated);

# Takes { test => [rate of each pass] } and the arguments of TestRun; returns a place for runs of one copy.
sub rated {
    my ($rates, %with) = @_;
    my $test = TestRun->new(%with);
    give_rates($test, %$rates);
    return $test;
}

# Takes a place and test => [rate of each pass]; sets the rates of the next run there.
sub give_rates {
    my ($test, %rates) = @_;
    $test->replay($_ => 1 => [map { "COUNT|$_|1|lps TIME|1" } @{ $rates{$_} }]) for keys %rates;
    return;
}

# Takes a place, a name and the rates of the passes; measures syscall and returns the path of the page, which has that
# name.
sub measure_into {
    my ($test, $name, $rates) = @_;
    give_rates($test, syscall => $rates);
    local $test->{env} = { %{ $test->{env} }, UB_OUTPUT_FILE_NAME => $name };
    my $run = $test->run(qw(-q -c 1 -i 3 syscall));
    die $run->{err} if $run->{status};
    return $test->place('results', "$name.html");
}

1;
