package Worked;

# Tests whose copies needed known cycles for a loop.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Result qw(copies_in);
use UnixBench::Score        ();

our @EXPORT_OK = qw(worked FACTS);

use constant MHZ => 4000;

# The facts of a machine whose cycles are known, and on which stolen time is.
use constant FACTS =>
    { cpu => { models => [{ model => 'AMD EPYC', count => 2 }] }, virtualization => { hypervisor => 'kvm' } };

# Takes a measured test, and the cycles of a loop in each of its passes, the last of which is that of all further ones;
# returns it with the CPU times and the clock that follow, half of it in user mode. The rates leave room for at most
# 4e9 cycles a second.
sub worked {
    my ($test, @cycles) = @_;
    my @passes;
    for my $pass (@{ $test->{passes} }) {
        my $lived_s = List::Util::sum(map { $_->{elapsed_s} } @{ $pass->{copies} });
        my $rate    = UnixBench::Score::rate($pass) / ($pass->{timebase} || 1) / copies_in($pass);
        my $half_s  = $cycles[@passes < @cycles ? @passes : -1] * $rate * $lived_s / (MHZ * 1e6) / 2;
        my %used    = (span_s => $lived_s, clock_mhz => MHZ, map { $_ => 0 } qw(minor_faults major_faults));
        push @passes, { %$pass, used => { %used, map { $_ => $half_s } qw(user_s kernel_s) } };
    }
    return { %$test, passes => \@passes };
}

1;
