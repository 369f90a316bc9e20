package Gallery::MultiUser;

# Multi-user loads for the gallery: usual and rare ones.

use strict;
use warnings;

use Fixture      qw(@INDEX run);
use Cases        qw(one_test whole);
use MultiUserRun qw(asked load_lines played search_lines);

# Returns the results, each [name, runs, procedure => the procedure].
sub results {
    my @others = map { one_test($_, 1) } @INDEX;
    my @passes = map { [load_lines(alone => 1, factor => $_, lost => $_ > 1)] } 1, 1.07, 0.96;
    return (
        _of('multiuser',           [20],    [run(1, played([load_lines()]))]),
        _of('multiuser-incidents', [1, 20], [run(1, played([load_lines(lost => 1, alone => 1)]))]),
        _of('multiuser-passes',    [1, 20], [run(1, @others, played(@passes)), whole(2)]),
        _of('multiuser-capacity',  [], [run(1, played(map { [search_lines($_)] } 11.4, 10.71, 12.2, 11.97, 10.9))]),
    );
}

# Returns tests with every kind of data.
sub tests { return played([load_lines(lost => 1, alone => 1)]) }

sub _of {
    my ($name, $users, $runs) = @_;
    my %procedure = (kind => 'official', time_factor => 1, work_factor => 1, multiuser => asked(@$users));
    return [$name, $runs, procedure => \%procedure];
}

1;
