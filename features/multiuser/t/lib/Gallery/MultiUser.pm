package Gallery::MultiUser;

# Multi-user loads for the gallery: usual and rare ones.

use strict;
use warnings;

use Fixture       qw(run);
use Gallery::Runs qw(@INDEX one_test whole);
use MultiUserRun  qw(asked load_lines played search_lines);

# Returns the results, each [name, runs, procedure => the procedure].
sub results {
    my @others = map { one_test($_, 1) } @INDEX;
    my @passes = map { [load_lines(alone => 1, factor => $_, lost => $_ > 1)] } 1, 1.07, 0.96;
    return (
        _of('multiuser',           [20],    [run(1, played([load_lines()]))]),
        _of('multiuser-incidents', [1, 20], [run(1, played([load_lines(lost => 1, alone => 1)]))]),
        _of('multiuser-passes',    [1, 20], [run(1, @others, played(@passes)), whole(2)]),
        _of('multiuser-bare',      [3],  [run(1, played([load_lines(users => 3, bare => 1)]))]),
        _of('multiuser-odd',       [20], [run(1, played([_odd_lines()]))]),
        _of('multiuser-capacity',  [],   [run(1, played(map { [search_lines($_)] } 11.4, 10.71, 12.2, 11.97, 10.9))]),
    );
}

# Returns tests with every kind of data.
sub tests { return played([load_lines(lost => 1, alone => 1)]) }

sub _of {
    my ($name, $users, $runs) = @_;
    my %procedure = (kind => 'official', time_factor => 1, work_factor => 1, multiuser => asked(@$users));
    return [$name, $runs, procedure => \%procedure];
}

# Returns the lines of a load with more incidents than are shown, long texts, long names of classes, and very different
# numbers.
sub _odd_lines {
    my @kept  = grep { !/\A(?:response|incident|load[.]incidents)/ } load_lines(lost => 1);
    my @texts = ('x' x 200, 'word ' x 40, '%e2%80%ae%1b[31m<b>&amp;%22', '%c3%a9' x 60, q{});
    my @incidents =
        map { sprintf 'incident.%d.|%d|%d|%s|%s', $_, 999_999, 99_999, 'w' x 90, $texts[$_ % @texts] } 1 .. 20;
    return (
        @kept,
        @incidents,
        'load.incidents|123456789',
        'response.all.|999999999999|0.5|0.000001|0.1|0.2|4000|86400.5',
        'response.' . 'a-class-whose-name-is-long-so-x' . '.|5|1|1|1|1|1|1',
        'response.one-more|7|0|0|0|0|0|0',
        'response.' . 'c' x 31 . '.|7|123456789|123456789|123456789|123456789|123456789|123456789',
        'meter.machine.interrupts|999999999999999',
        'meter.group.memory_most_kb|999999999999999',
    );
}

1;
