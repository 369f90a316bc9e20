use strict;
use warnings;

use File::Temp ();
use Test::More;

use UnixBench::Process::LostTime;

# A clock that tests set, and the kernel's account of this program beside it.
package SetClock {
    sub new         { my ($class) = @_; return bless { now_s => 100, away_s => 5 }, $class }
    sub monotonic_s { my ($self)  = @_; return $self->{now_s} }
    sub boot_s      { my ($self)  = @_; return $self->{now_s} + $self->{away_s} }
}

my $PLACE = File::Temp->newdir;

sub write_file {
    my ($name, $text) = @_;
    open my $file, '>', "$PLACE/$name" or die "$name: $!\n";
    print {$file} $text;
    close $file or die "$name: $!\n";
    return;
}

# What the kernel says of a program that gave its CPU away so often, and waited for so many pages.
sub account {
    my (%of) = (switches => 7, faults => 3, tracer => 0, @_);
    write_file('stat',
        "71 (a (b) c) S 1 71 71 0 -1 4194304 900 8000 $of{faults} 60 2 1 9 4 20 0 1 0 12345 9000000 1500\n");
    write_file('status', <<"END");
Name:\ta (b) c
TracerPid:\t$of{tracer}
nonvoluntary_ctxt_switches:\t99
voluntary_ctxt_switches:\t$of{switches}
END
    return;
}

sub begun {
    my ($clock) = @_;
    my $lost = UnixBench::Process::LostTime->new(clock => $clock, account => $PLACE, real_time => "$PLACE/realtime");
    $lost->begin;
    return $lost;
}

# What has happened in a sleep => whether this program was stopped, and what the kernel says then.
my @CASES = (
    ['a sleep as it should be'                      => 0,     switches => 8],
    ['no sleep, as there was something to do'       => 0,     switches => 7],
    ['a frozen control group, or a program stopped' => 1,     switches => 9],
    ['the same as Linux counts it today'            => 1,     switches => 10],
    ['a page that had to be read'                   => undef, switches => 9, faults => 4],
    ['a debugger that came meanwhile'               => undef, switches => 9, tracer => 70],
);

for my $case (@CASES) {
    my ($what, $was_stopped, %after) = @$case;
    account();
    my $lost = begun(SetClock->new);
    account(%after);
    is($lost->was_stopped, $was_stopped, $what);
}

# For how long the machine was suspended in a sleep => whether that counts.
for my $case ([0, 0], [0.1, 0], [0.3, 1], [60, 1]) {
    my ($away_s, $was_suspended) = @$case;
    my $clock = SetClock->new;
    my $lost  = begun($clock);
    $clock->{now_s}  += 10;
    $clock->{away_s} += $away_s;
    is($lost->was_suspended, $was_suspended, "a machine that was suspended for $away_s s");
}

# Where the kernel says nothing, or something else, nothing is known.
for my $case (['nothing', q{}], ['another format', "71 a S\n"]) {
    my ($what, $text) = @$case;
    for my $name (qw(stat status)) {
        account();
        write_file($name, $text);
        is(begun(SetClock->new)->was_stopped, undef, "$what in $name");
    }
}
my %nowhere = (account => '/no/such/directory', real_time => '/no/such');
is(UnixBench::Process::LostTime->new(clock => SetClock->new, %nowhere)->was_stopped, undef, 'no such files');

write_file('realtime', "1\n");
account();
my $lost = begun(SetClock->new);
account(switches => 9);
is($lost->was_stopped, undef, 'a real-time kernel');

done_testing();
