package UnixBench::Trace::Syscalls;

# Which system calls a test made in a slice that was observed: what a result keeps of that, and what reports need.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result qw(is_measured);
use UnixBench::Score::Score ();
use UnixBench::Trace::Tally ();

use constant {
    PER_LOOP_LEAST => 0.5,     # of a loop's calls
    SHARE_LEAST    => 0.01,    # the same, where nobody knows the loops
    MAIN_MOST      => 12,      # that are shown one by one where there is little room
};

# Takes tracer, a name; command, that of the slice; slice, { count, time_s, timebase, unit, copies }, as of a pass, with
# the copies' data; score, that of the passes that count, or undef; traced, { calls, processes, lost } and perhaps {
# rows, unlisted }, as UnixBench::Trace::BpftraceOutput and Strace return them. Returns what a result keeps as a test's
# observed, see DESIGN.
sub made {
    my (%with) = @_;
    my ($slice, $traced) = @with{qw(slice traced)};
    my %kept = map { $_ => $traced->{$_} } grep { exists $traced->{$_} } qw(processes lost rows unlisted);
    return {
        (map { $_ => $with{$_} } qw(tracer command)),
        (map { $_ => $slice->{$_} } qw(count time_s timebase unit)),
        loops    => scalar _loops($slice),
        slowdown => scalar _slowdown($with{score}, $slice),
        %kept,
        calls => [UnixBench::Trace::Tally::in_order(@{ $traced->{calls} })],
    };
}

# Takes a test of a result; returns undef where nobody observed it, else { tracer, error, slowdown, loops, processes,
# lost, rows, unlisted } as it has them, undef where it has not, and
#   calls   [{ name, count, per_loop, mean_ns, max_ns, share, delays }, ...] in the result's order: per_loop is undef
#           where the loops are not known, mean_ns where none returned; share is that of the time in the kernel, of 1
#   main    those that belong to the loop, but twelve at most
#   others  { calls => how many more there are, count, share, is_beside => whether none belongs to the loop } or undef.
sub of_test {
    my ($test)   = @_;
    my $observed = $test->{observed} or return;
    my @calls    = _calls($observed);
    my @loop     = grep { _is_of_loop($_) } @calls;
    my @main     = @loop;
    splice @main, MAIN_MOST if @main > MAIN_MOST;
    return {
        (map { $_ => $observed->{$_} } qw(tracer error slowdown loops processes lost rows unlisted)),
        calls  => \@calls,
        main   => \@main,
        others => scalar _others(\@calls, \@main, \@loop),
    };
}

sub _others {
    my ($calls, $main, $loop) = @_;
    my %is_main   = map  { $_->{name} => 1 } @$main;
    my @others    = grep { !$is_main{ $_->{name} } } @$calls or return;
    my $is_beside = @$main == @$loop ? 1 : 0;
    return { calls => scalar @others, is_beside => $is_beside, map { $_ => _sum($_, @others) } qw(count share) };
}

# Takes what a result tells of its tracer, or undef; returns a line that the user should know before it is measured, or
# undef.
sub announcement {
    my ($observing) = @_;
    my ($tracer, $why_not) = @{ $observing || {} }{qw(tracer why_not)};
    return if !defined $why_not;
    return "system calls will be observed by $tracer: $why_not\n" if defined $tracer;
    return "system calls can't be observed: $why_not\n";
}

# Takes a test; returns a line that says why it was not observed, or undef.
sub complaint {
    my ($test) = @_;
    my $why_not = ($test->{observed} || {})->{error};
    return defined $why_not ? "\"$test->{title}\": system calls were not observed: $why_not\n" : undef;
}

# Takes a result; returns whether something in it should have been observed and was not.
sub is_lacking {
    my ($result) = @_;
    return 0 if !$result->{observing};
    my @tests = grep { is_measured($_) } map { @{ $_->{tests} } } @{ $result->{runs} };
    return 0 < grep { !$_->{observed} || defined $_->{observed}{error} } @tests;
}

# What the copies report themselves, or, where the count is no rate, what they counted. A program may count parts of
# loops.
sub _loops {
    my ($slice)  = @_;
    my @copies   = @{ $slice->{copies} };
    my @reported = map { ($_->{data}{LOOPS} || [])->[0] } @copies;
    for my $loops (\@reported, $slice->{timebase} ? [map { $_->{count} } @copies] : ()) {
        return List::Util::sum(@$loops) if @$loops && !grep { !_is_natural($_) } @$loops;
    }
    return;
}

sub _is_natural {
    my ($value) = @_;
    return defined $value && $value =~ /\A[0-9]{1,15}\z/;
}

sub _slowdown {
    my ($score, $slice) = @_;
    return if !defined $score;
    my $slowdown = $score / UnixBench::Score::Score::rate($slice);
    return UnixBench::Score::Score::is_sensible($slowdown) ? $slowdown : undef;
}

sub _calls {
    my ($observed) = @_;
    my @calls      = @{ $observed->{calls} || [] };
    my %all        = (total_ns => _sum('total_ns', @calls), loops => $observed->{loops});
    return map { _call($_, \%all) } @calls;
}

sub _call {
    my ($call, $all) = @_;
    my ($count, $returned, $total_ns) = @$call{qw(count returned total_ns)};
    return {
        (map { $_ => $call->{$_} } qw(name count max_ns delays)),
        per_loop => $all->{loops}    ? $count / $all->{loops}       : undef,
        mean_ns  => $returned        ? $total_ns / $returned        : undef,
        share    => $all->{total_ns} ? $total_ns / $all->{total_ns} : 0,
    };
}

sub _is_of_loop {
    my ($call) = @_;
    return defined $call->{per_loop} ? $call->{per_loop} >= PER_LOOP_LEAST : $call->{share} >= SHARE_LEAST;
}

sub _sum {
    my ($field, @of) = @_;
    return List::Util::sum(0, map { $_->{$field} } @of);
}

1;
