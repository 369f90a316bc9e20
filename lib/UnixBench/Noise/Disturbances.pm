package UnixBench::Noise::Disturbances;

# Finds the disturbances of a pass in the counters of the kernel before and after it, see UnixBench::Noise::Watch.
# UnixBench::Noise::Causes has the table of causes. Missing counters, and counters that went backwards, are ignored.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Proc    qw(TICK_S);
use UnixBench::Base::Text    qw(NATURAL);
use UnixBench::Noise::Causes ();
use UnixBench::Noise::Late   qw(growth);

our @EXPORT_OK = qw(UNSEEN);

# Stand for the names of all processes that a namespace, a container or an option of /proc hides, and of many that used
# a little each.
use constant { UNSEEN => 'processes that are not seen from here', SEVERAL => 'several others', NAMED_MOST => 3 };

# The ticks of a CPU that moves grow by at least this part of the time, and each CPU may lack some ticks. Our own CPU
# time grows by at least this part of what the copies report.
use constant { MOVES => 0.5, ROUNDED => 2 };

# Takes a pass; returns whether it has a disturbance of the level "disturbed". A pass that was not watched has none.
sub is_disturbed {
    my ($pass) = @_;
    return scalar grep { $_->{level} eq 'disturbed' } @{ $pass->{tags} || [] };
}

# Takes a pass; returns its disturbances that are other load, of both levels.
sub other_load {
    my ($pass) = @_;
    return grep { UnixBench::Noise::Causes::has($_->{cause}, 'load') } @{ $pass->{tags} || [] };
}

# Takes a pass; returns whether steal, a quota or another limit that belongs to the machine disturbed it.
sub is_limited {
    my ($pass) = @_;
    return
        scalar grep { $_->{level} eq 'disturbed' && UnixBench::Noise::Causes::has($_->{cause}, 'lasts') }
        @{ $pass->{tags} || [] };
}

# Takes passes; returns whether other load disturbed one of them. A note is not enough.
sub is_disturbed_by_other_load {
    my (@passes) = @_;
    return scalar grep { $_->{level} eq 'disturbed' } map { other_load($_) } @passes;
}

# Takes passes; returns their other load, or nothing if they have none:
#   causes  [a hash for each cause, see sums()]
#   passes  number of passes with other load
#   badly   number of those that it disturbed
#   of      number of all passes
#   by      as in sums(), over all causes, of the passes that it disturbed if there are any; missing if nothing is known
sub load_of {
    my (@passes) = @_;
    my @loaded   = grep { other_load($_) } @passes or return;
    my @causes   = sums(map { other_load($_) } @loaded);
    my @badly    = grep { is_disturbed_by_other_load($_) } @loaded;
    my @by = processes_together(map { @{ _sum($_)->{by} || [] } } map { other_load($_) } @badly ? @badly : @loaded);
    return {
        causes => \@causes,
        passes => scalar @loaded,
        badly  => scalar @badly,
        of     => scalar @passes,
        @by ? (by => \@by) : (),
    };
}

# Takes disturbances of passes; returns a hash for each cause, the most important first. Causes that only a newer
# release knows come last.
#   cause   the cause
#   worst   the worst value
#   passes  number of passes with this disturbance
#   badly   number of those whose level is "disturbed"
#   by      [{ name, pid, cpus, passes }, ...], the processes that used most CPU time, at most three: each with its
#           greatest number of CPUs, and the number of passes that name it. Missing if nothing is known
sub sums {
    my (@tags) = @_;
    return together(map { _sum($_) } @tags);
}

sub _sum {
    my ($tag) = @_;
    my %sum =
        (cause => $tag->{cause}, worst => $tag->{value}, passes => 1, badly => 0 + ($tag->{level} eq 'disturbed'));
    my @by = map { +{ %$_, passes => 1 } } processes_of($tag);
    return @by ? { %sum, by => \@by } : \%sum;
}

# Takes a disturbance of a pass; returns the processes that used most CPU time. If they used less than half of the CPUs
# that others did, the first one stands for the rest, with PID 0. Its name is UNSEEN if that is seen nowhere: in results
# of older releases, if they name fewer processes than they might.
sub processes_of {
    my ($tag) = @_;
    my @by = @{ $tag->{by} || [] };
    my ($value, $seen) = @$tag{qw(value seen)};
    my $rest = $value - List::Util::sum(0, map { $_->{cpus} } @by);
    return @by
        if !@by && !defined $seen || !UnixBench::Noise::Causes::has($tag->{cause}, 'in_cpus') || 2 * $rest <= $value;
    my $is_seen = defined $seen ? 2 * $seen >= $value : @by == NAMED_MOST;
    return ({ name => $is_seen ? SEVERAL : UNSEEN, pid => 0, cpus => 0 + sprintf '%.2f', $rest }, @by);
}

# Takes what sums() returns; returns it with only that process in by which explains at least half of the CPU time, if
# there is one. Processes of one name count together.
sub in_brief {
    my ($sum)  = @_;
    my @by     = @{ $sum->{by} || [] };
    my $of     = sub { List::Util::sum(0, map { _weight($_) } @_) };
    my ($most) = grep {
        my $name = $_->{name};
        2 * $of->(grep { $_->{name} eq $name } @by) >= $of->(@by)
    } @by;
    return { %$sum, by => $most && $most->{name} ne SEVERAL ? [$most] : undef };
}

# Takes a test; returns what sums() returns for its passes, without other load (see load_of), each with
#   of           number of all passes
#   test, title  name and title of the test
sub of_test {
    my ($test) = @_;
    my @passes = @{ $test->{passes} };
    return
        map { +{ %$_, of => scalar @passes, test => $test->{name}, title => $test->{title} } }
        sums(grep { !UnixBench::Noise::Causes::has($_->{cause}, 'load') } map { @{ $_->{tags} || [] } } @passes);
}

# Takes such hashes, of several tests or runs; returns one for each cause, the most important first.
sub together {
    my (@sums) = @_;
    my %of_cause;
    push @{ $of_cause{ $_->{cause} } }, $_ for @sums;
    my @known   = grep { $of_cause{$_} } UnixBench::Noise::Causes::names();
    my @unknown = grep { !UnixBench::Noise::Causes::named($_) } sort keys %of_cause;
    return map { _together($_, @{ $of_cause{$_} }) } @known, @unknown;
}

sub _together {
    my ($cause, @sums) = @_;
    my @by = processes_together(map { @{ $_->{by} || [] } } @sums);
    return {
        cause  => $cause,
        worst  => UnixBench::Noise::Causes::worst($cause, map { $_->{worst} } @sums),
        passes => List::Util::sum(map { $_->{passes} } @sums),
        badly  => List::Util::sum(map { $_->{badly} } @sums),
        @by ? (by => \@by) : (),
    };
}

# Takes processes of several passes; returns each process once, as sums() does. It is the same one if its name and its
# PID are the same. A process that executes another program has another name: their order must not be left to chance.
sub processes_together {
    my (@by) = @_;
    my %same;
    for my $process (@by) {
        my $known = $same{ join q{ }, @$process{qw(pid name)} } ||= { %$process, passes => 0 };
        $known->{cpus} = List::Util::max($known->{cpus}, $process->{cpus});
        $known->{passes} += $process->{passes};
    }
    my @named =
        map { $same{$_} }
        sort { _weight($same{$b}) <=> _weight($same{$a}) || $same{$a}{pid} <=> $same{$b}{pid} || $a cmp $b } keys %same;
    return splice @named, 0, NAMED_MOST;
}

sub _weight { my ($process) = @_; return $process->{cpus} * ($process->{passes} // 1) }

# Takes a disturbance; returns whether it may be gone if the pass is repeated at once.
sub is_worth_repeating {
    my ($disturbance) = @_;
    return $disturbance->{level} eq 'disturbed' && !UnixBench::Noise::Causes::has($disturbance->{cause}, 'lasts');
}

# Takes the results of the copies of a pass. Returns how many processes the system refused to start for them. The copies
# report the number in a line "REFUSED|number".
sub refusals {
    my ($copies) = @_;
    return List::Util::sum(0, grep { $_ =~ NATURAL } map { @{ $_->{data}{REFUSED} || [] } } @$copies);
}

# Takes the counters before and after a pass, and perhaps the CPU seconds that its copies report to have used. Returns
# the latter counters, without the times of the CPUs, or our own, if these have hardly grown: a sandbox or an emulator
# may show a file that stands still.
sub believed {
    my ($before, $after, $ran_s) = @_;
    $after = { %$after, map { $_ => undef } qw(ours_s ours_kernel_s) }
        if defined $ran_s && (growth($before, $after, 'ours_s') // 0) <= MOVES * $ran_s;
    my ($window_s, @ticks) = map { growth($before, $after, $_) } qw(at_s busy_ticks unused_ticks);
    return $after if grep { !defined } $window_s, @ticks;
    my $ticks = ROUNDED * $after->{cpus} + List::Util::sum(@ticks);
    return $after if $ticks * TICK_S >= MOVES * $after->{cpus} * $window_s;
    return { %$after, map { $_ => undef } qw(busy_ticks unused_ticks idle_ticks steal_ticks) };
}

# Returns the disturbances of a pass, each { cause, level ("note" or "disturbed"), value }. The unit of the value
# depends on the cause: a fraction of 1, CPUs, a count, a count per second, or seconds. Takes one hash:
#   rest           { from, to }, the pressure at the start and the end of the rest before the pass, or undef
#   running        number of runnable processes right before the pass, or undef
#   usable_cpus    number of CPUs that the tests may use
#   cpus           { online, usable }, see UnixBench::Noise::Watch
#   before, after  the counters before and after the pass
#   copies         number of copies
#   cpus_each      the CPUs that a copy uses at a time, by default 1
#   works          [{ span_s, ran_s } of each copy] if they work all the time, or undef
#   elapsed_s      [seconds of each copy], or undef if their overlap is not judged
#   refused        what refusals() returns
#   asked_s        the seconds that were asked for, or those of the plan for a multi-user load, or undef if the test
#                  takes its own time
#   late_s         the seconds by which the pass was late, or undef, see UnixBench::Noise::Late
#   is_graphics    whether the pass is that of a graphics test
#   sensors        [before and after the pass], see UnixBench::Noise::Clock
#   clock_below    see UnixBench::Noise::Clock
sub found {
    my ($seen) = @_;
    return map { judged($_, $seen) }
        grep { !$seen->{is_graphics} || !$_->{is_of_displays} } @UnixBench::Noise::Causes::CAUSES;
}

# Takes a row of the table of causes, and what was seen; returns the disturbance or nothing. The value is rounded to six
# digits, so that a rounding error of a time cannot put it below a limit.
sub judged {
    my ($cause, $seen) = @_;
    my $value = $cause->{value}->($seen);
    return if !defined $value;
    $value = 0 + sprintf '%.6g', $value;
    for my $level (qw(disturbed note)) {
        my $limit = ref $cause->{$level} ? $cause->{$level}->($seen) : $cause->{$level};
        next if !defined $limit || ($cause->{is_low_worst} ? $value >= $limit : $value < $limit);
        return { cause => $cause->{name}, level => $level, value => $value };
    }
    return;
}

1;
