use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use ChangedJournal qw(interrupted mishandled random_change resealed);
use LoadedRun;

# A journal that was changed is never resumed with the change.
use constant { SEED => 1995, CHANGES => 24 };

my @INTERRUPTED = interrupted();
my ($TEST, $NAME, $JOURNAL) = @INTERRUPTED;
delete $TEST->{program};

is(mishandled(@INTERRUPTED, $JOURNAL),                    q{}, 'the unchanged journal is resumed');
is(mishandled(@INTERRUPTED, $JOURNAL =~ s/[^\n]*\n\z//r), q{}, 'the pass of a missing last line is measured again');
is(mishandled(@INTERRUPTED, substr $JOURNAL, 0, -30), q{}, 'the pass of a torn last line is measured again');

srand SEED;
for (1 .. CHANGES) {
    my ($what, $changed) = random_change($JOURNAL);
    is(mishandled(@INTERRUPTED, $changed), q{}, $what);
}

# Changes of the line of the second pass. Its count is in the pass, in its copy, and in the copy's line COUNT.
my %TIMES_TEN = (
    'of the pass'                   => sub { s/.*"count":[0-9]+\K/0/ },
    'of the copy'                   => sub { s/"count":[0-9]+\K/0/ },
    'that its program has reported' => sub { s/"COUNT":\["[0-9]+\K/0/ },
);
for my $where (sort keys %TIMES_TEN) {
    my @lines = split /^/m, $JOURNAL;
    $TIMES_TEN{$where}->() for $lines[3];
    my $changed = join q{}, @lines;
    is(length $changed, 1 + length $JOURNAL, "the count $where is changed");
    is(mishandled(@INTERRUPTED, $changed),           q{}, "the count $where is ten times as high");
    is(mishandled(@INTERRUPTED, resealed($changed)), q{}, "the count $where is ten times as high, with new checksums");
}

done_testing();
