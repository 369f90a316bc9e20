use strict;
use warnings;

use File::Temp ();
use Test::More;

use UnixBench::Process::LostTime;

# A fake clock that the tests set.
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

# Writes the kernel's account of this program: its voluntary switches, its major page faults and its tracer.
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

# Event in a sleep => whether this program was stopped (undef: not known), and the account after the sleep.
my @CASES = (
    ['one switch is an undisturbed sleep'                  => 0,     switches => 8],
    ['no switch is not a stop: there was no need to sleep' => 0,     switches => 7],
    ['two switches are a stop or a frozen control group'   => 1,     switches => 9],
    ['three switches are a stop, as Linux counts it today' => 1,     switches => 10],
    ['after a page fault it is not known'                  => undef, switches => 9, faults => 4],
    ['a debugger stops the program to attach itself'       => 1,     switches => 9, tracer => 70],
);

for my $case (@CASES) {
    my ($what, $was_stopped, %after) = @$case;
    account();
    my $lost = begun(SetClock->new);
    account(%after);
    is($lost->was_stopped, $was_stopped, $what);
}

# With a debugger, a sleep that took too long is a stop, but for the time spent waiting for a CPU.
#<<< a table
for my $case (
    ['a sleep that took its seconds'      => undef, 1,   0],
    ['a sleep that took a little longer'  => undef, 1.4, 0],
    ['a sleep that took far longer'       => 1,     1.6, 0],
    ['waiting for a CPU explains it'      => undef, 9,   8],
    ['waiting for a CPU explains a part'  => 1,     9,   7],
    ['a sleep that a signal ended'        => undef, 0.1, 0],
) {
    #>>>
    my ($what, $was_stopped, $took_s, $waited_s) = @$case;
    account(tracer => 70);
    write_file('schedstat', "5 7000000000 3\n");
    my $clock = SetClock->new;
    my $lost  = begun($clock);
    ok($lost->is_traced, 'there is a debugger');
    $clock->{now_s} += $took_s;
    write_file('schedstat', '5 ' . (7 + $waited_s) . "000000000 4\n");
    is($lost->was_stopped(1), $was_stopped, "with a debugger: $what");
}
account();
ok(!begun(SetClock->new)->is_traced, 'there is no debugger');

# [seconds for which the machine was suspended in a sleep, whether was_suspended is true].
for my $case ([0, 0], [0.1, 0], [0.3, 1], [60, 1]) {
    my ($away_s, $was_suspended) = @$case;
    my $clock = SetClock->new;
    my $lost  = begun($clock);
    $clock->{now_s}  += 10;
    $clock->{away_s} += $away_s;
    is($lost->was_suspended, $was_suspended, "was_suspended is $was_suspended after $away_s s of suspension");
}

# If the files of the kernel are empty or have another format, was_stopped is undef.
for my $case (['nothing', q{}], ['another format', "71 a S\n"]) {
    my ($what, $text) = @$case;
    for my $name (qw(stat status)) {
        account();
        write_file($name, $text);
        is(begun(SetClock->new)->was_stopped, undef, "$what in $name: a stop is not known");
    }
}
my %nowhere = (account => '/no/such/directory', real_time => '/no/such');
is(UnixBench::Process::LostTime->new(clock => SetClock->new, %nowhere)->was_stopped, undef, 'a stop is not known');

write_file('realtime', "1\n");
account();
my $lost = begun(SetClock->new);
account(switches => 9);
is($lost->was_stopped, undef, 'with a real-time kernel a stop is not known');

done_testing();
