package UnixBench::Noise::Clock;

# The clock of the CPUs in the passes of a run, as a witness of heat on every machine: a pass whose clock is well below
# that of the others was slowed down by heat, by a limit of power, or by the governor.

use strict;
use warnings;

use List::Util ();

use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();

# A pass kept its CPUs busy if its copies ran for this part of the time. After others, the governor may have lowered the
# clock because it was not needed.
use constant BUSY => 0.9;

# Takes a run whose passes are complete. Adds the disturbance "slow_clock" to those that were slowed down.
sub judge {
    my ($run) = @_;
    my $row = UnixBench::Noise::Causes::named('slow_clock');
    for my $passes (_comparable($run)) {
        my @mhz   = sort { $b <=> $a } map { mhz($_) } @$passes;
        my $usual = $mhz[@mhz > 2 ? 1 : 0];                        # a single one may be too high
        for my $pass (@$passes) {
            my $seen = { clock_below => List::Util::max(0, 1 - mhz($pass) / $usual) };
            push @{ $pass->{tags} }, $_ for UnixBench::Noise::Disturbances::judged($row, $seen);
        }
    }
    return;
}

# Takes a pass; returns the clock in MHz right after it: what was measured or, without that, what the kernel says; or
# undef.
sub mhz {
    my ($pass) = @_;
    return ($pass->{used} || {})->{clock_mhz} // (($pass->{sensors} || {})->{mhz} || [])->[1];
}

# Takes a run. Returns what is known of its clock, a list of keys and values, or nothing:
#   mhz     the median of the passes that were not slowed down
#   fell    { mhz, number, title } of the pass with the lowest clock among those that were slowed down; missing without
#   passes  the number of these; of is that of all passes whose clock is known
sub of_run {
    my ($run) = @_;
    my @known = map {
        my $test = $_;
        map      { +{ mhz => mhz($_), number => $_->{number}, title => $test->{title}, is_slow => _is_slow($_) } }
            grep { defined mhz($_) }
            @{ $test->{passes} }
    } @{ $run->{tests} } or return;
    my @slow = sort { $a->{mhz} <=> $b->{mhz} } grep { $_->{is_slow} } @known;
    my @mhz  = sort { $a <=> $b } map { $_->{mhz} } grep { !$_->{is_slow} } @known;
    return (mhz => $mhz[$#mhz / 2], passes => scalar @slow, of => scalar @known, @slow ? (fell => $slow[0]) : ());
}

sub _is_slow {
    my ($pass) = @_;
    return scalar grep { $_->{cause} eq 'slow_clock' } @{ $pass->{tags} || [] };
}

# Takes a run; returns lists of passes whose clocks can be compared: those that kept their CPUs busy, and the others of
# each test. Beside other load and steal, the clock is not measured well. If CPUs are of different kinds, fewer copies
# may be on any of them.
sub _comparable {
    my ($run) = @_;
    my %group;
    for my $test (@{ $run->{tests} }) {
        for my $pass (grep { defined mhz($_) && !_is_unsure($_, $run) } @{ $test->{passes} }) {
            my $how = defined $pass->{used}{clock_mhz} ? 'measured' : 'shown';
            push @{ $group{ "$how " . (_was_busy($pass, $run) ? q{} : $test->{name}) } }, $pass;
        }
    }
    return values %group;
}

sub _is_unsure {
    my ($pass,  $run)  = @_;
    my ($least, $most) = @{ ($pass->{sensors} || {})->{highest_mhz} || [1, 1] };
    return
           $least < $most && $run->{copies} < ($run->{cpu_count} // 1)
        || UnixBench::Noise::Disturbances::is_disturbed_by_other_load($pass)
        || grep { $_->{cause} eq 'steal' && $_->{level} eq 'disturbed' } @{ $pass->{tags} || [] };
}

sub _was_busy {
    my ($pass, $run) = @_;
    my ($user_s, $kernel_s, $span_s) = @{ $pass->{used} || {} }{qw(user_s kernel_s span_s)};
    return 1 if !defined $user_s || !defined $kernel_s;
    $span_s //= List::Util::sum(0, map { $_->{elapsed_s} // 0 } @{ $pass->{copies} });
    my $could_s = $span_s * List::Util::min(1, ($run->{cpu_count} // 1) / ($run->{copies} || 1));
    return $user_s + $kernel_s >= BUSY * $could_s;
}

1;
