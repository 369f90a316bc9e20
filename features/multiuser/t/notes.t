# The note on a changed load: its words, and how they are read again.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture qw(result);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Report::Notes;
use UnixBench::Store::ClassicReport::Head;

my %OFFICIAL = (
    kind         => 'official',
    display      => 'given',
    time_factor  => 1,
    work_factor  => 1,
    replacements => [],
);

# Takes notes; returns the procedure that is read from them, and tests its shape.
sub told {
    my (@notes) = @_;
    my %known = %{ UnixBench::Store::ClassicReport::Head::procedure('8.0.0', @notes) };
    is(UnixBench::Base::Shape::difference(\%known, UnixBench::Base::ResultSchema::shape('head')->{procedure}),
        undef, 'the procedure has the right shape');
    return \%known;
}

my %PAUSES = (pause_min_s => 0.04, pause_max_s => 0.3);

my @CHANGES = (
    { users => [5], lines => 221, %PAUSES, has_other_script => 0 },
    { users => [1, 20], lines => 1, %PAUSES, has_other_script => 1 },
    { users => [3, 6],  pause_min_s => 0.00004, pause_max_s => 0.0003, has_other_script => 0 },
    { users => [], limit => 2.5, lines => 40, %PAUSES, has_other_script => 0 },
);
for my $change (@CHANGES) {
    my %whole = (%OFFICIAL, load_change => $change);
    my @notes = UnixBench::Report::Notes::of(result([], procedure => \%whole));
    is_deeply(told(@notes), \%whole, "procedure of the notes: @notes");
}
my %other = (users => [1, 20], lines => 221, %PAUSES, has_other_script => 1);
is_deeply(
    [UnixBench::Report::Notes::of(result([], procedure => { load_change => \%other }))],
    ['changed procedure: multi-user: 1 user, then 20 users, 221 lines, pauses of 0.04 to 0.3 s, another script'],
    'the words of a changed load'
);

done_testing;
