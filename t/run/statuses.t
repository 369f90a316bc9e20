# The table of exit statuses in the reference, and the real program: each row is a call that ends so. Signals are in
# interrupted.t.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadedRun;
use TestRun               qw(rated);
use Weeks                 qw(write_week);
use UnixBench::CLI::Usage ();
use UnixBench::Command    ();

# Disturbances by other processes do not change the statuses.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

# Takes words; calls Run with three results of a host: usual, slower and disturbed. Returns its exit status.
sub with_results {
    my (@words) = @_;
    my $test    = TestRun->new;
    my $place   = $test->place('results');
    write_week($place, 0, name => 'usual');
    write_week($place, 1, name => 'similar',   factor => { pipe => 0.98 });
    write_week($place, 1, name => 'slower',    factor => { pipe => 0.5 });
    write_week($place, 2, name => 'disturbed', factor => { pipe => 0.9 }, disturbed => 'others');
    write_week($place, 3, name => 'failed',    failed => { pipe => 'exit status 3' });
    return $test->run(@words)->{status};
}

# Takes rates of syscall and words; measures it. Returns the exit status.
sub measured {
    my ($rates, @words) = @_;
    return rated({ syscall => $rates })->run(@words)->{status};
}

# { "command or option" and the status => function that makes it }, for the rows of the core.
my %MADE = (
    'every command 0' => sub { with_results(qw(report usual)) },
    'every command 1' => sub { with_results(qw(report failed)) },
    'every command 2' => sub { with_results(qw(report none)) },
    'compare 3'       => sub { with_results(qw(compare usual slower --fail-on pipe)) },
    'compare 4'       => sub { with_results(qw(compare usual disturbed --fail-on pipe)) },
    '--precision 4'   => sub {
        measured([(900, 1000, 1100) x 3], qw(-q --quick -c 1 --max-time 0.1 --precision 0.0001 syscall));
    },
);

my @rows = map { "$_->[0] $_->[1]" } UnixBench::CLI::Usage::all_statuses(UnixBench::Command::declarations());
is_deeply([sort grep { $MADE{$_} } @rows], [sort keys %MADE], 'each call has a row in the table');
for my $row (grep { $MADE{$_} } @rows) {
    my ($status) = $row =~ /([0-9]+)\z/;
    is($MADE{$row}->(), $status, $row);
}

is(TestRun->new->run($_, '--nonsense')->{status}, 2, "wrong usage of $_")
    for map { $_->{statuses} ? () : $_->{name} // () } UnixBench::Command::declarations();

is(with_results('compare', 'usual', 'usual', '--fail-on', 'pipe'), 0, 'compare 0');
is(with_results(qw(compare usual similar --fail-on pipe)),         0, 'compare 0: inconclusive without other load');
is(with_results(qw(compare usual none)),                           2, 'compare 2');

done_testing();
