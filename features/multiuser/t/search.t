use strict;
use warnings;

use File::Temp ();
use FindBin    qw($Bin);
use List::Util qw(max min);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                 qw(write_file);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $ALONE_S = 0.04;                                 # p95 of a single user in the driver
my $program = driver('search', qw(stats random));
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

# Returns the bracket of a search: the most users that were within the limit (1 without a trial), and the fewest that
# were beyond it, or 0.
sub bracket {
    my ($search, $limit) = @_;
    my @beyond = map { $_->{users} } grep { !($_->{p95_s} <= $limit * $ALONE_S + 1e-9) } @{ $search->{trials} };
    my $beyond = min(@beyond) // 0;
    my @within = map { $_->{users} } grep { $_->{p95_s} <= $limit * $ALONE_S + 1e-9 } @{ $search->{trials} };
    return (max(1, @within), $beyond);
}

# Returns the rule that a search breaks, or an empty text. The rules hold for any machine.
sub complaint {
    my ($search, $start, $most, $limit) = @_;
    my ($within, $beyond) = bracket($search, $limit);
    my %tries;
    $tries{ $_->{users} }++ for @{ $search->{trials} };
    return 'users' if $search->{users} != $within || $beyond && $within >= $beyond;
    return 'out of range' if grep { $_ < 2 || $_ > $most } keys %tries;
    return 'tried twice' if grep  { $_ > 1 } values %tries;
    return 'too many trials' if keys %tries > 2 * log($most) / log(2) + 5;
    return 'is_least' if $search->{is_least} != ($within == $most) || $search->{is_least} && $beyond;
    return 'no end' if !$beyond && $within != $most;
    return 'not a value' if $search->{value} !~ /\A\d+[.]\d+\z/;
    return 'value' if $search->{value} < $within || $search->{value} > ($beyond || $within);
    return 'start' if %tries && $start > 1 && $search->{trials}[0]{users} != min($start, $most);
    return 'wide' if $beyond && $beyond - $within > max(1, $within / 16);
    return q{};
}

#<<< a table: kind, amount, start, most, limit; users, value, whether it is the least, what was tried
my @BY_HAND = (
    ['step',  20,   20, 1000, 2, 20, undef,      0, [20, 40, 30, 25, 22, 21]],
    ['step',  7,    20, 1000, 2, 7,  undef,      0, [20, 10, 5, 7, 8]],
    ['step',  1,    20, 1000, 2, 1,  undef,      0, [20, 10, 5, 3, 2]],
    ['step',  2,    20, 1000, 2, 2,  undef,      0, [20, 10, 5, 3, 2]],
    ['step',  1,    2,  1000, 2, 1,  undef,      0, [2]],
    ['step',  100,  1,  1000, 2, 100, undef,     0, [2, 4, 8, 16, 32, 64, 128, 96, 112, 104, 100]],
    ['step',  1e10,  20, 64,   2, 64, 64,         1, [20, 40, 64]],
    ['step',  1e10,  64, 64,   2, 64, 64,         1, [64]],
    ['step',  1e10,  99, 64,   2, 64, 64,         1, [64]],
    ['step',  1e10,  20, 1,    2, 1,  1,          1, []],
    ['step',  1e10,  20, 0,    2, 1,  1,          1, []],
    ['step',  1e10,  -5, 3,    2, 3,  3,          1, [2, 3]],
    ['step',  1e10,  0,  2,    2, 2,  2,          1, [2]],
    ['step',  1e10,  20, 2147483647, 2, 2147483647, 2147483647, 1, [(map { 20 * 2**$_ } 0 .. 26), 2147483647]],
    ['step',  2147483646, 2147483647, 2147483647, 2, undef, undef, 0, undef],
    # If p95 grows by a power of the users, the interpolation gives the exact value.
    ['power', 1,    20, 1000, 2,   2,  2,        0, [20, 10, 5, 3, 2]],
    ['power', 0.25, 20, 1000, 2,   16, 16,       0, [20, 10, 15, 17, 16]],
    ['power', 0.3,  20, 1000, 2,   10, 2**(1 / 0.3), 0, [20, 10, 15, 12, 11]],
    ['power', 0.1,  20, 5000, 2,   1000, 1024,   0, undef],
    ['power', 0.5,  20, 1000, 1.5, 2,  2.25,     0, [20, 10, 5, 3, 2]],

    # A p95 equal to the limit is within it.
    ['line',  10,   11, 12,   2, 11, 11,         0, [11, 12]],

    # A p95 that is not a number.
    ['nan',      33, 20, 1000, 2, 32, 32,        0, [20, 40, 30, 35, 32, 33]],

    # A limit that even the single user exceeds.
    ['line',  10,   20, 100,  0.5, 1, 1,         0, [20, 10, 5, 3, 2]],
);
#>>>
my @found = searched(map { [@$_[0 .. 4]] } @BY_HAND);
for my $case (@BY_HAND) {
    my ($kind, $amount, $start, $most, $limit, $users, $value, $is_least, $tried) = @$case;
    my $search = shift @found;
    my $name   = "$kind $amount, from $start up to $most, within $limit";
    is(complaint($search, $start, max(1, $most), $limit), '',        "$name: no rule is broken") if $limit >= 1;
    is($search->{users},                                  $users,    "$name: users") if defined $users;
    is($search->{is_least},                               $is_least, "$name: whether the value is a lower bound");
    cmp_ok(abs($search->{value} - $value), '<', 1e-6, "$name: value") or diag($search->{value}) if defined $value;
    is_deeply([map { $_->{users} } @{ $search->{trials} }], $tried, "$name: the numbers of users that are tried")
        if $tried;
}

# No search breaks a rule, whatever the curve is.
srand 1973;
my @curves = (
    (map { [line  => 1 + int rand 900] } 1 .. 60),
    (map { [power => 0.05 + rand 2] } 1 .. 60),
    (map { [step  => 1 + int rand 2000] } 1 .. 60),
    (map { [dice  => $_] } 1 .. 150),
);
my @searches = map { [@$_, 1 + int rand 60, 1 + int rand(rand() < 0.3 ? 30 : 2000), 1 + rand 3] } @curves;
my (@wrong, %found);
for my $search (searched(@searches)) {
    my ($kind, $amount, $start, $most, $limit) = @{ shift @searches };
    my $complaint = complaint($search, $start, $most, $limit);
    push @wrong, "$complaint of $kind $amount $start $most $limit" if $complaint;
    $found{$kind} += !$search->{is_least} && $search->{users} > 1;
}
is(join("\n", @wrong),                                '', 'random searches keep all rules');
is(join(' ',  grep { !$found{$_} } sort keys %found), '', 'each kind of curve has searches that find a capacity');

done_testing();
