use strict;
use warnings;

use File::Temp ();
use Test::More;

use UnixBench::LostTime;

# A clock that tests set, and the kernel's account of this program beside it.
package SetClock {
    sub new         { my ($class) = @_; return bless { now_s => 100, away_s => 5 }, $class }
    sub monotonic_s { my ($self)  = @_; return $self->{now_s} }
    sub boot_s      { my ($self)  = @_; return $self->{now_s} + $self->{away_s} }
}

my $PLACE = File::Temp->newdir;

sub account {
    my ($text) = @_;
    open my $file, '>', "$PLACE/schedstat" or die "schedstat: $!\n";
    print {$file} "$text\n";
    close $file or die "schedstat: $!\n";
    return;
}

# What happens in a sleep of a quarter of a second => whether time is lost. With: how long it took, how much of that the
# program waited for a CPU, and for how long the machine was suspended.
my @CASES = (
    ['a sleep as it should be'                      => 0, 0.25, 0,    0],
    ['one that a signal has ended'                  => 0, 0.01, 0,    0],
    ['a machine that lets the program wait'         => 0, 9.0,  8.75, 0],
    ['a wake-up that is a little late'              => 0, 0.44, 0,    0],
    ['a program that was stopped'                   => 1, 0.46, 0,    0],
    ['a control group that was frozen'              => 1, 8.25, 0,    0],
    ['one that was frozen, then waited for a CPU'   => 1, 8.25, 4,    0],
    ['a suspended machine, whose clock stood still' => 1, 0.25, 0,    60],
);

for my $case (@CASES) {
    my ($what, $is_lost, $took_s, $waited_s, $away_s) = @$case;
    my $clock = SetClock->new;
    account('1000000000 2000000000 7');
    my $lost = UnixBench::LostTime->new($clock, "$PLACE/schedstat");
    $lost->begin;
    $clock->{now_s}  += $took_s;
    $clock->{away_s} += $away_s;
    account(sprintf '1000100000 %.0f 8', 2e9 + $waited_s * 1e9);
    is($lost->is_late(0.25) || $lost->was_suspended, $is_lost, $what);
}

# Where the kernel does not account for waiting, only a long time is a loss.
for my $case (['zeros', '0 0 0'], ['nothing', ''], ['what is not understood', 'waits: none']) {
    my ($what, $text) = @$case;
    account($text);
    for my $took_s (2.2, 2.3) {
        my $clock = SetClock->new;
        my $lost  = UnixBench::LostTime->new($clock, "$PLACE/schedstat");
        $lost->begin;
        $clock->{now_s} += $took_s;
        is($lost->is_late(0.25), $took_s > 2.25 ? 1 : 0, "an account of $what: $took_s s");
    }
}

my $nowhere = UnixBench::LostTime->new(SetClock->new, '/no/such/file');
$nowhere->begin;
ok(!$nowhere->is_late(0.25), 'no account at all');

done_testing();
