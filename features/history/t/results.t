# Tests of what a directory has for a history: the order of its results, and the accepted changes.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use Place                          qw(content place write_file);
use UnixBench::Base::Result        qw(why_no_name);
use UnixBench::Base::Time          qw(time_of_date);
use UnixBench::History::Accepted;
use UnixBench::History::Results;
use UnixBench::Summary;
use UnixBench::Version;

use constant { NOW => 1_900_000_000, DAY => 86_400 };
use constant RELEASED => time_of_date("$UnixBench::Version::DATE 00:00:00");

# Takes [name, days before the present], ...; returns the names of the results in their order, those without a date in
# parentheses; then the names of those without a place.
sub ordered {
    my (@pairs) = @_;
    my @results = map { +{ path => "results/$_->[0]", outline => _outline($_->[1]) } } @pairs;
    my ($order, $lost) = UnixBench::History::Results::in_order(\@results, NOW);
    my @names = map { s{.*/}{}r } map { $_->{is_dated} ? $_->{path} : "($_->{path})" =~ s{results/}{}r } @$order;
    return join q{ }, @names, '-', map { $_->{path} =~ s{.*/}{}r } @$lost;
}

sub _outline { my ($days) = @_; return { has_passes => 1, started => NOW - DAY * $days } }

use constant WRONG => 21_000;    # days: before 1973

subtest 'which dates can be true' => sub {
    my $version = $UnixBench::Version::VERSION;
    my @cases   = (
        [1, 1, NOW - DAY,            'yesterday'],
        [0, 1, 946_684_800,          '2000, before the suite'],
        [0, 1, NOW + 2 * DAY,        'in the future'],
        [1, 1, NOW + 3600,           'other clocks may be ahead'],
        [1, 0, 946_684_800,          'a classic report of 2000'],
        [0, 0, 300,                  'a classic report of 1970'],
        [0, 1, RELEASED - 200 * DAY, '200 days before the release', $version],
        [1, 1, RELEASED - 200 * DAY, 'an older version',            '8.0.0'],
        [0, 1, undef,                'no date'],
    );
    for my $case (@cases) {
        my ($is_date, $has_passes, $started, $name, $version) = @$case;
        my %of = (has_passes => $has_passes, version => $version, started => $started);
        is(UnixBench::Summary::has_date(\%of, NOW), $is_date, $name);
    }
};

subtest 'results without a date' => sub {
    is(ordered(['b-1', 3], ['a-2', 5], ['c-9', 1]), 'a-2 b-1 c-9 -', 'with dates, names do not matter');
    is(ordered(['r-10', 3], ['r-9', 4], ['r-11', WRONG], ['r-12', 1]), 'r-9 r-10 (r-11) r-12 -', 'between neighbours');
    is(ordered(['r-1', WRONG], ['r-2', WRONG], ['r-3', 4]),            '(r-1) (r-2) r-3 -',  'before the first one');
    is(ordered(['r-8', 4], ['r-10', WRONG], ['r-9', -9]),              'r-8 (r-9) (r-10) -', 'behind the last one');
    is(ordered(['r-8', 4], ['r-9', WRONG], ['r-10', 6]),     'r-10 r-8 - r-9', 'neighbours that contradict each other');
    is(ordered(['r-8', 4], ['s-9', WRONG], ['name', WRONG]), 'r-8 - name s-9', 'no number next to it');
    is(
        ordered(['vm-1970-01-01-2', WRONG], ['vm-1970-01-01-10', WRONG], ['vm-1970-01-01-1', WRONG], ['x-4', WRONG]),
        '(vm-1970-01-01-1) (vm-1970-01-01-2) (vm-1970-01-01-10) - x-4',
        'no date at all: the numbers of most'
    );
};

# Accepted changes: UnixBench::History::Accepted.

my $place = place();
my $path  = "$place/history-accepted.log";

sub accepted { return [UnixBench::History::Accepted::of_directory($_[0] // "$place")] }

is_deeply(accepted(),           [], 'without a file, nothing is accepted');
is_deeply(accepted('/nowhere'), [], 'nor without a directory');

my %change = (started => 1_782_698_400, host => 'vm', reason => 'another kernel', series => '1 test spawn', by => -0.2);
UnixBench::History::Accepted::add("$place", \%change);
is(content($path), "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t-20.00%\n", 'a change is a line');
is_deeply(accepted(), [\%change], 'which is read');

my %other = (host => 'other', reason => "a\nb\tc", series => "2 test \t", by => -0.5);
UnixBench::History::Accepted::add("$place", { %other, started => 0.9 }, { %change, by => 0.25 });
is(
    content($path) =~ s/\A.*\n//r,
    "1970-01-01T00:00:00Z\tother\ta\\nb\\tc\t2 test \\t\t-50.00%\n"
        . "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t+25.00%\n",
    'several changes are lines, with any reason'
);
my $read = [[1_782_698_400, -0.2], [0, -0.5], [1_782_698_400, 0.25]];
is_deeply([map { [@$_{qw(started by)}] } @{ accepted() }], $read, 'the start is in whole seconds');

my @others =
    ('', "vm\n", "2026-06-29T02:00:00Z\tvm\n", "yesterday\tvm\treason\n", "2026-13-29T02:00:00Z\tvm\treason\n");
push @others, "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\n";
write_file($path, join q{}, @others, "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t-20.00%\n");
is_deeply(accepted(), [\%change], 'lines of another form are ignored');

is(eval { UnixBench::History::Accepted::add("$place/none", \%change); 1 }, undef,   'no directory');
is($@, "can't write $place/none/history-accepted.log: No such file or directory\n", 'is one line');

subtest 'no result can have the name of the file' => sub {
    is(why_no_name('history'), undef, 'another name is free');
    for my $name (qw(history-accepted HISTORY-accepted)) {
        is(why_no_name($name), "be $name: $name.log has the changes that history --accept has accepted", $name);
    }
};

my $line = "2026-06-29T02:00:00Z\tvm\tanother kernel\t1 test spawn\t-20.00%";
write_file($path, $line);
UnixBench::History::Accepted::add("$place", { %change, by => 0.3 });
is_deeply(accepted(), [\%change, { %change, by => 0.3 }], 'a last line needs no line break');

done_testing;
