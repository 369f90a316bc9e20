# Tests of the plan of a test in a quick run: its short pass, the pass that warms up, and the longer passes that replace
# the short one.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Planned qw(planned);
use UnixBench::Plan::Test;

my @QUICK = (quick => { seed => 1, precision => 0.02, max_time_s => 60 });

# Takes a count, copies and further keys of copies; returns a pass of 0.1 s.
sub made {
    my ($count, $copies, %with) = @_;
    return { count => $count, time_s => 0.1, copies => [map { +{ gated => 1, %with } } 1 .. $copies] };
}

sub calibrated { return UnixBench::Plan::Test::calibrated(@_) }

subtest 'the pass that warms up takes 0.1 s' => sub {
    my $warm_up = sub { return planned(shift, @QUICK, @_)->{warm_up} };
    my @of_pipe = (['/b in/pipe', '0.1'], 0.1, 0.1, 60.15, 0, undef);
    is_deeply([@{ $warm_up->('pipe') }{qw(command seconds pass_s limit_s drain_s fixed_work)}], \@of_pipe, 'a program');
    my @primes = ('/b in/fstime', qw(-c -t 0.1 -d /t -b 1024 -m 2000 -p 0.1 -s 0));
    is_deeply($warm_up->('fstime')->{command}, \@primes, 'a file test primes as in a short pass');
    is($warm_up->('fsdisk')->{drain_s}, 0, 'a file test does not wait for the disk');
    is_deeply($warm_up->('whetstone-double')->{command}, ['/b in/whetstone-double', qw(-t 0.1)],  'whetstone-double');
    is_deeply($warm_up->('shell8')->{command}, ['/b in/looper', qw(-w 0.1), '/b in/multi.sh', 8], 'a shell test');
    is_deeply($warm_up->('pipe', factor => 0.2)->{command}, ['/b in/pipe', '0.02'], 'UB_TIME_FACTOR shortens it');
    is($warm_up->('2d-text'), undef, 'a test that takes its own time has none');
    ok(!exists planned('pipe')->{warm_up}, 'an official run has none');
};

# A loop takes more than a tenth of the short pass if fewer than ten fit into it.
subtest 'a test with few loops in a short pass has longer ones' => sub {
    my $shell    = planned('shell8', @QUICK);
    my $few      = calibrated($shell, made(2 * 1.6, 2));    # of a copy: 16 loops a second, 9.6 in 0.6 s
    my @of_shell = (['/b in/looper', qw(-w 2), '/b in/multi.sh', 8], 2, 2, 63);
    is_deeply([@$few{qw(command seconds pass_s limit_s)}], \@of_shell, 'a shell test: 2 s');
    is($few->{asked}{seconds}, 2, 'its copies are expected to take them');
    my $many = calibrated($shell, made(2 * 1.7, 2));        # 17 loops a second, 10.2 in 0.6 s
    is_deeply([@$many{qw(command seconds)}], [@$shell{qw(command seconds)}], 'with ten loops it keeps its length');
    is(calibrated(planned('spawn', @QUICK),  made(1, 1))->{seconds},    3,   'spawn: a tenth of the official seconds');
    is(calibrated(planned('pipe', @QUICK),   made(1, 1))->{seconds},    1,   'pipe: a second');
    is(calibrated(planned('C', @QUICK),      made(1, 1))->{seconds},    6,   'C keeps its 6 s');
    is(calibrated($few,                      made(1000, 1))->{seconds}, 2,   'this is decided once');
    is(calibrated(planned('fstime', @QUICK), made(1, 1))->{seconds},    0.3, 'file tests count blocks');
    is(calibrated(planned('pipe'),           made(1, 1))->{seconds},    10,  'an official pass keeps its length');
};

subtest 'copies that do not know the start gate have passes of 2 s' => sub {
    my $lane = sub { my ($name, $state) = @_; return { %{ planned($name, @QUICK) }, state => $state } };
    my ($plain, $under) =
        map { calibrated($lane->('pipe', $_), made(1e6, 2, gated => 0)) } 0, 1;
    is_deeply([@$under{qw(command seconds pass_s)}], [['/b in/pipe', 2], 2, 2], 'under a command');
    is($plain->{seconds}, 0.3, 'but not in the state without one');
    is(calibrated($lane->('pipe', 1), made(1e6, 2))->{seconds}, 0.3, 'nor if they know the gate');
    is(calibrated($lane->('C', 1), made(1, 1, gated => 0))->{seconds}, 6, 'a longer short pass keeps its length');
};

subtest 'fixed work is calibrated by the first pass' => sub {
    my $whetstone = planned('whetstone-double', @QUICK);

    # 10,000 MWIPS of a copy, a tenth of a loop for each in a second: 1000 loops a second, 300 in 0.3 s.
    my $fixed = calibrated($whetstone, made(20_000, 2));
    is_deeply($fixed->{command}, ['/b in/whetstone-double', '-n', 300], 'the work that fits, of one copy');
    is_deeply(calibrated($fixed,     made(1,   1)),            $fixed, 'it is calibrated once');
    is_deeply(calibrated($whetstone, made(0.1, 1))->{command}, ['/b in/whetstone-double', '-n', 1], 'at least a loop');
};

done_testing;
