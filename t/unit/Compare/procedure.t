use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Compare::Kind;
use UnixBench::Score::Estimate;

subtest 'procedures are mixed if only some are quick' => sub {
    my @cases = (
        [0, qw(official official)],
        [0, qw(quick quick)],
        [1, qw(quick official)],
        [1, qw(official official quick)],
        [1, undef, 'quick'],
        [0, undef, 'official'],
        [0, undef, undef],
    );
    for my $case (@cases) {
        my ($are_mixed, @kinds) = @$case;
        is(UnixBench::Compare::Kind::are_mixed(@kinds), $are_mixed, join ', ', map { $_ // 'unknown' } @kinds);
    }
};

subtest 'the interval has the difference between the procedures' => sub {
    my $ratio = UnixBench::Score::Estimate::around(0.9, 0.01, 8);
    my $wide  = UnixBench::Compare::Kind::widened($ratio);
    is($wide->{value}, 0.9, 'the value stays the same');
    cmp_ok(abs($wide->{low} * 1.03 / $ratio->{low} - 1),   '<', 1e-12, 'the lower end is 3 % lower');
    cmp_ok(abs($wide->{high} / 1.03 / $ratio->{high} - 1), '<', 1e-12, 'the upper end is 3 % higher');
    my $known = UnixBench::Score::Estimate::known(0.9);
    is_deeply(UnixBench::Compare::Kind::widened($known), $known, 'without an interval there is none');
};

done_testing();
