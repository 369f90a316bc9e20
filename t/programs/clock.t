# Tests of the program clock, which measures the clock of the CPUs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../$_" } qw(../lib lib);
use Needs                             qw(need_built);
use TestProgram                       qw(command is_error run);

need_built('clock');

# Takes arguments; returns the lines of standard error.
sub lines {
    my (@arguments) = @_;
    my $result = run(command(clock => @arguments));
    is($result->{status}, 0,   'exit status 0') or diag $result->{err};
    is($result->{out},    q{}, 'nothing on standard output');
    return split /^/, $result->{err};
}

subtest 'a clock for each copy' => sub {
    for my $copies (undef, 1, 3) {
        my @lines = lines($copies // ());
        is(scalar @lines, $copies // 1, 'a line for each of ' . ($copies // 'the default'));
        is(scalar(grep { !/\ACLOCK[|][1-9][0-9]{6,10}\n\z/ } @lines), 0, 'each has steps a second') or diag @lines;
    }
};

subtest 'wrong arguments' => sub {
    is_error(run(command(clock => @$_)), 2, qr/usage: clock \[COPIES\]/, "clock @$_") for [0], ['x'], [3601], [1, 2];
};

done_testing;
