package UnixBench::Noise::Late;

# How late a pass was: how much longer it took than was asked for, whatever stopped or delayed the copies or this
# program. If copies continue before their seconds are over, the pass ends in time, but they have run for less.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text qw(DECIMAL NATURAL);
use UnixBench::Base::Proc qw(TICK_S);

our @EXPORT_OK = qw(growth);

# A pass is late if it is late by more than a part of the seconds that were asked for, and more than a time.
use constant { PART => 0.05, LEAST_S => 0.1 };

# It is too late to be valid above these limits, unless known delays explain at least that part of its lateness.
use constant { TOO_LATE_PART => 0.5, TOO_LATE_S => 1, EXPLAINED => 0.5 };

# An answer of a multi-user load is late beyond that multiple of what 99 of 100 answers take.
use constant MULTIPLE => 3;

# The places of the response times of all lines in the data of the multi-user load, see features/multiuser/src/report.c.
use constant { P99 => 5, LONGEST => 6 };

# Takes the duration of a test (see "asked" in UnixBench::Plan) or undef, and the results of the copies of a pass
# (see UnixBench::Measure::Copy). Returns the seconds by which the latest copy was late, perhaps 0, and its PID. Returns
# nothing if the test takes its own time or a copy failed. A copy may need the time of a loop to notice that its seconds
# are over.
sub latest {
    my ($asked, $copies) = @_;
    return if !$asked || !@$copies || grep { defined $_->{error} } @$copies;
    my ($late_s, $pid) = (0, undef);
    for my $copy (@$copies) {
        my $seconds =
              takes_own_time($asked)
            ? _beyond_usual_s($copy)
            : $copy->{ $asked->{of} } - $asked->{seconds} - _loop_s($copy, $asked);
        ($late_s, $pid) = ($seconds, $copy->{pid}) if $seconds > $late_s;
    }
    return ($late_s, $pid);
}

# Takes the duration of a test, or undef. Returns whether its passes take their own time.
sub takes_own_time {
    my ($asked) = @_;
    return !$asked || $asked->{of} eq 'answers';
}

# Returns the seconds by which the longest answer of a multi-user load took more than three times as long as 99 of 100
# answers, or by which a user began a line too late, or 0 if that is unknown.
sub _beyond_usual_s {
    my ($copy) = @_;
    my $data   = $copy->{data};
    my @late   = ($data->{'load.late_s'}     || [])->[0];
    my @times  = @{ $data->{'response.all.'} || [] }[P99, LONGEST];
    push @late, $times[1] - MULTIPLE * $times[0] if 2 == grep { ($_ // q{}) =~ DECIMAL } @times;
    return List::Util::max(0, grep { ($_ // q{}) =~ DECIMAL } @late);
}

# Returns the seconds of a loop of a copy. COUNT is the number of loops, unless it is a rate: then LOOPS is, if known.
sub _loop_s {
    my ($copy, $asked) = @_;
    my ($loops) = $copy->{timebase} ? $copy->{count} : grep { $_ =~ NATURAL } @{ $copy->{data}{LOOPS} || [] };
    return $loops ? $copy->{time_s} * $asked->{loops_at_once} / $loops : 0;
}

# Takes the duration of a test or undef, the results of the copies of a pass, and what was seen. Returns the longest
# time for which a copy stood still: it neither ran nor waited for a CPU, and no known delay explains it. Returns
# nothing if the copies do not work all the time, if one failed, or if it is unknown what they used.
sub still_s {
    my ($asked, $copies, $seen) = @_;
    return if !$asked || !$asked->{is_alone} || grep { defined $_->{error} } @$copies;
    my @still_s = map { $_->{elapsed_s} - $_->{used}{ran_s} - $_->{used}{waited_s} } grep { $_->{used} } @$copies;
    return @still_s ? List::Util::max(0, List::Util::max(@still_s) - _delayed_s($seen, 0)) : undef;
}

# Takes the seconds that were asked for; returns the seconds of lateness from which on a pass is late.
sub limit_s {
    my ($asked_s) = @_;
    return List::Util::max(LEAST_S, PART * $asked_s);
}

# Returns whether a pass is too late to be valid. A pass that waited for a CPU, or whose CPU time went to its quota or
# to the hypervisor, is valid: the next one would not be better. Takes the duration of the test or undef, what was seen
# (see UnixBench::Noise::Disturbances), and the seconds for which the latest copy has waited for a CPU, or undef.
sub is_too_late {
    my ($asked, $seen, $waited_s) = @_;
    my $late_s = $seen->{late_s} // 0;
    return 0 if takes_own_time($asked) || $late_s <= List::Util::max(TOO_LATE_S, TOO_LATE_PART * $asked->{seconds});
    my $known_s = $asked->{is_alone} ? $waited_s : undef;
    return _delayed_s($seen, $known_s // _waited_s($seen)) < EXPLAINED * $late_s ? 1 : 0;
}

# Takes what was seen, and the seconds for which a copy has waited for a CPU. Returns the seconds of all delays of a
# copy. Steal and quotas are counted for all CPUs, and the copies share them.
sub _delayed_s {
    my ($seen, $waited_s) = @_;
    my $own_us = growth(@$seen{qw(before after)}, 'own_delay_us') // 0;
    return $waited_s + $own_us / 1e6 + withheld_s($seen) / cpus_of_copies($seen);
}

# Takes what was seen. Returns the number of CPUs that the copies could have used at a time: losses are judged by these,
# not by all CPUs of the machine.
sub cpus_of_copies {
    my ($seen) = @_;
    return List::Util::min(($seen->{copies} || 1) * ($seen->{cpus_each} // 1), usable_cpus($seen));
}

# Takes what was seen; returns the number of CPUs that the copies may use.
sub usable_cpus {
    my ($seen) = @_;
    return List::Util::max(1, $seen->{cpus}{usable} // $seen->{usable_cpus} // $seen->{after}{cpus} // 1);
}

# Takes what was seen. Returns the seconds of CPU time that quotas and the hypervisor withheld, of all CPUs.
sub withheld_s {
    my ($seen) = @_;
    my ($throttled_us, $steal_ticks) = map { growth(@$seen{qw(before after)}, $_) // 0 } qw(throttled_us steal_ticks);
    return $throttled_us / 1e6 + $steal_ticks * TICK_S;
}

# Takes two hashes of counters, see UnixBench::Noise::Watch, and the name of a counter. Returns its growth, or undef
# if one value is missing or the counter went backwards.
sub growth {
    my ($from, $to, $counter) = @_;
    my ($first, $last) = map { $_->{$counter} } $from, $to;
    return defined $first && defined $last && $last >= $first ? $last - $first : undef;
}

# Returns the seconds for which any process has waited for a CPU. So it may be too long for a copy. Without this counter
# of pressure, returns the mean of all waits for each copy.
sub _waited_s {
    my ($seen) = @_;
    my ($waited_us, $run_delay_us) = map { scalar growth(@$seen{qw(before after)}, $_) } qw(waited_us run_delay_us);
    return ($waited_us // ($run_delay_us // 0) / $seen->{copies}) / 1e6;
}

1;
