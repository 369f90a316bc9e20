use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use ChangedJournal qw(interrupted mishandled);
use LoadedRun;

# A journal that was changed is never resumed with the change. t/unit/Store/journal.t changes each byte and each line.

my @INTERRUPTED = interrupted();
my ($TEST, $NAME, $JOURNAL) = @INTERRUPTED;
delete $TEST->{program};

is(mishandled(@INTERRUPTED, $JOURNAL),                    q{}, 'the unchanged journal is resumed');
is(mishandled(@INTERRUPTED, $JOURNAL =~ s/[^\n]*\n\z//r), q{}, 'the pass of a missing last line is measured again');
is(mishandled(@INTERRUPTED, substr $JOURNAL, 0, -30), q{}, 'the pass of a torn last line is measured again');

my @lines   = split /^/m, $JOURNAL;
my %CHANGED = (
    'a count'         => $JOURNAL =~ s/.*?"count":[0-9]+\K/0/sr,
    'a removed line'  => join(q{}, @lines[0 .. 2, 4 .. $#lines]),
    'a doubled line'  => join(q{}, @lines[0 .. 3, 3 .. $#lines]),
    'two lines moved' => join(q{}, @lines[0 .. 2, 4, 3, 5 .. $#lines]),
);
for my $what (sort keys %CHANGED) {
    isnt($CHANGED{$what}, $JOURNAL, "$what: the journal is changed");
    is(mishandled(@INTERRUPTED, $CHANGED{$what}), q{}, "$what: it is refused");
}

done_testing();
