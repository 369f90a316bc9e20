package UnixBench::Warnings::Disturbances;

# The disturbances of all passes together: which causes disturbed which tests, how often and how badly.

use strict;
use warnings;

use UnixBench::Noise::Disturbances ();

use constant {
    LOAD_LEAST   => 0.5,    # the load average of the last minute
    BURST_PASSES => 6,      # with fewer passes a third is too short
};

# Takes a test; returns what UnixBench::Noise::Disturbances::sums returns for its passes, each with
#   of           number of all passes
#   test, title  name and title of the test
sub of_test {
    my ($test) = @_;
    my @passes = @{ $test->{passes} };
    return
        map { +{ %$_, of => scalar @passes, test => $test->{name}, title => $test->{title} } }
        UnixBench::Noise::Disturbances::sums(map { _tags($_) } @passes);
}

# Takes a run; returns a warning for each cause that disturbed its passes:
#   kind                  the cause, or "burst" for steal that looks like used-up credits for CPU time
#   worst, passes, badly  see UnixBench::Noise::Disturbances::sums
#   of                    number of all passes of the run
#   titles                [titles of the tests]
sub warnings {
    my ($run)    = @_;
    my @of_tests = map { of_test($_) } @{ $run->{tests} };
    my $count    = map { @{ $_->{passes} } } @{ $run->{tests} };
    my %titles;
    push @{ $titles{ $_->{cause} } }, $_->{title} for @of_tests;
    return
        map { _warning($run, of => $count, titles => $titles{ $_->{cause} }, %$_) }
        UnixBench::Noise::Disturbances::together(@of_tests);
}

sub _warning {
    my ($run, %sum) = @_;
    my $cause = delete $sum{cause};
    return { kind => $cause eq 'steal' && _is_burst($run) ? 'burst' : $cause, %sum };
}

# Returns whether the hypervisor took no time in the first third of the passes, and disturbed more than half of the last
# third.
sub _is_burst {
    my ($run) = @_;
    my @levels = map { _level($_, 'steal') } _in_order($run);
    return if @levels < BURST_PASSES;
    my $third = int(@levels / 3);
    my $much  = grep { $_ eq 'disturbed' } @levels[-$third .. -1];
    return 2 * $much > $third && !grep { length } @levels[0 .. $third - 1];
}

sub _in_order {
    my ($run)  = @_;
    my @passes = map { @{ $_->{passes} } } @{ $run->{tests} };
    @passes = sort { $a->{number} <=> $b->{number} } @passes if defined $run->{rounds};
    return @passes;
}

# Takes a result. Returns a warning of the kind "load" if other processes were running at its start, else nothing. The
# signs are the load average and the disturbances of the first pass. The key causes has their causes. The tests of a
# quick run have random order, so its first pass is unknown.
sub at_start {
    my ($result) = @_;
    my ($load)   = @{ ($result->{facts} || {})->{load} || [] };
    my ($run)    = @{ $result->{runs} };
    my ($pass)   = $run && !defined $run->{rounds} ? _in_order($run)                             : ();
    my @causes   = $pass ? map { $_->{cause} } UnixBench::Noise::Disturbances::other_load($pass) : ();
    return if ($load // 0) < LOAD_LEAST && !@causes;
    return { kind => 'load', load => $load, causes => \@causes };
}

sub _level {
    my ($pass, $cause) = @_;
    my ($tag) = grep { $_->{cause} eq $cause } _tags($pass);
    return $tag ? $tag->{level} : q{};
}

sub _tags {
    my ($pass) = @_;
    return @{ $pass->{tags} || [] };
}

1;
