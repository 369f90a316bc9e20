package KnownRates;

# Runs whose tests have rates that are known, pass by pass.

use strict;
use warnings;

use Exporter 'import';

use TestRun ();

our @EXPORT_OK = qw(give_rates measure_into rated);

# A place for a run of one copy; takes { test => [rate of each pass] } and what TestRun takes.
sub rated {
    my ($rates, %with) = @_;
    my $test = TestRun->new(%with);
    give_rates($test, %$rates);
    return $test;
}

# Lets the next run in a place have these rates, test => [rate of each pass].
sub give_rates {
    my ($test, %rates) = @_;
    $test->replay($_ => 1 => [map { "COUNT|$_|1|lps TIME|1" } @{ $rates{$_} }]) for keys %rates;
    return;
}

# Measures syscall with these rates, [rate of each pass], under that name; returns the path of the JSON.
sub measure_into {
    my ($test, $name, $rates) = @_;
    give_rates($test, syscall => $rates);
    local $test->{env} = { %{ $test->{env} }, UB_OUTPUT_FILE_NAME => $name };
    my $run = $test->run(qw(-q -c 1 -i 3 syscall));
    die $run->{err} if $run->{status};
    return $test->place('results', "$name.json");
}

1;
