package SteadyMachine;

# Loaded with -MSteadyMachine: each run finds as many earlier runs in the directory of results as it takes to know that
# the machine does not vary from run to run.

use strict;
use warnings;

use File::Basename ();

use lib File::Basename::dirname(__FILE__);
use Fixture qw(steady_result);

require UnixBench::Store::EarlierRuns;

{
    no warnings 'redefine';
    *UnixBench::Store::EarlierRuns::of = sub {
        my (undef, undef, @results) = @_;
        return map { steady_result($_->{runs})->{earlier} } @results;
    };
}

1;
