use strict;
use warnings;

use File::Temp ();
use FindBin    qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                 qw(write_file);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('search', 'stats');
my $file    = File::Temp->new;

# Takes words for the driver, one list for each search; returns the results.
sub searched {
    my @searches = @_;
    write_file("$file", join q{}, map { "@$_\n" } @searches);
    return map { _search($_) } said_by('sh', '-c', "'$program' <'$file'");
}

sub _search {
    my ($users, $value, $is_least, @trials) = split ' ', $_[0];
    my @tried = map { { users => (split /:/)[0], p95_s => (split /:/)[1] } } @trials;
    return { users => $users, value => $value, is_least => $is_least, trials => \@tried };
}

#<<< a table: kind, amount, start, most, limit; users, value, whether it is the least, what was tried
my @BY_HAND = (
    ['step',  20,   20, 1000, 2, 20, undef,      0, [20, 40, 30, 25, 22, 21]],
    ['step',  7,    20, 1000, 2, 7,  undef,      0, [20, 10, 5, 7, 8]],
    ['step',  2,    20, 1000, 2, 2,  undef,      0, [20, 10, 5, 3, 2]],
    ['step',  100,  1,  1000, 2, 100, undef,     0, [2, 4, 8, 16, 32, 64, 128, 96, 112, 104, 100]],
    ['step',  1e10,  20, 64,   2, 64, 64,         1, [20, 40, 64]],
    ['step',  1e10,  64, 64,   2, 64, 64,         1, [64]],
    ['step',  1e10,  20, 1,    2, 1,  1,          1, []],
    ['step',  1e10,  20, 2147483647, 2, 2147483647, 2147483647, 1, [(map { 20 * 2**$_ } 0 .. 26), 2147483647]],
    # If p95 grows by a power of the users, the interpolation gives the exact value.
    ['power', 1,    20, 1000, 2,   2,  2,        0, [20, 10, 5, 3, 2]],
    ['power', 0.25, 20, 1000, 2,   16, 16,       0, [20, 10, 15, 17, 16]],
    ['power', 0.3,  20, 1000, 2,   10, 2**(1 / 0.3), 0, [20, 10, 15, 12, 11]],
    ['power', 0.1,  20, 5000, 2,   1000, 1024,   0, undef],

    # A p95 equal to the limit is within it.
    ['line',  10,   11, 12,   2, 11, 11,         0, [11, 12]],

    # A limit that even the single user exceeds.
    ['line',  10,   20, 100,  0.5, 1, 1,         0, [20, 10, 5, 3, 2]],
);
#>>>
my @found = searched(map { [@$_[0 .. 4]] } @BY_HAND);
for my $case (@BY_HAND) {
    my ($kind, $amount, $start, $most, $limit, $users, $value, $is_least, $tried) = @$case;
    my $search = shift @found;
    my $name   = "$kind $amount, from $start up to $most, within $limit";
    is($search->{users},    $users,    "$name: users") if defined $users;
    is($search->{is_least}, $is_least, "$name: whether the value is a lower bound");
    cmp_ok(abs($search->{value} - $value), '<', 1e-6, "$name: value") or diag($search->{value}) if defined $value;
    is_deeply([map { $_->{users} } @{ $search->{trials} }], $tried, "$name: the numbers of users that are tried")
        if $tried;
}

done_testing();
