package UnixBench::Warnings::Disturbances;

# The disturbances of all passes together: which causes disturbed which tests, how often and how badly.

use strict;
use warnings;

use List::Util ();

use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();

use constant {
    LOAD_LEAST   => 0.5,    # the load average of the last minute
    BURST_PASSES => 6,      # with fewer passes a third is too short
};

# Takes a test; returns a hash for each cause that disturbed its passes:
#   cause        the cause
#   level        the highest level, "note" or "disturbed"
#   worst        the worst value
#   passes       number of passes with this disturbance
#   badly        number of those whose level is "disturbed"
#   of           number of all passes
#   test, title  name and title of the test
sub of_test {
    my ($test) = @_;
    my @passes = @{ $test->{passes} };
    my %tags;
    push @{ $tags{ $_->{cause} } }, $_ for map { _tags($_) } @passes;
    return
        map { +{ _together($_, @{ $tags{$_} }), of => scalar @passes, test => $test->{name}, title => $test->{title} } }
        grep { $tags{$_} } UnixBench::Noise::Causes::names();
}

sub _together {
    my ($cause, @tags) = @_;
    return (
        cause  => $cause,
        level  => (grep { $_->{level} eq 'disturbed' } @tags) ? 'disturbed' : 'note',
        worst  => UnixBench::Noise::Causes::worst($cause, map { $_->{value} } @tags),
        passes => scalar @tags,
        badly  => scalar(grep { $_->{level} eq 'disturbed' } @tags),
    );
}

# Takes a run; returns a warning for each cause that disturbed its passes:
#   kind          the cause, or "burst" for steal that looks like used-up credits for CPU time
#   level, worst  the highest level and the worst value
#   passes        number of passes with this disturbance
#   badly         number of those whose level is "disturbed"
#   of            number of all passes of the run
#   titles        [titles of the tests]
sub warnings {
    my ($run) = @_;
    my %found;
    push @{ $found{ $_->{cause} } }, $_ for map { of_test($_) } @{ $run->{tests} };
    my $count = map { @{ $_->{passes} } } @{ $run->{tests} };
    return map { +{ _warning($run, $_, @{ $found{$_} }), of => $count } }
        grep { $found{$_} } UnixBench::Noise::Causes::names();
}

sub _warning {
    my ($run, $cause, @of_tests) = @_;
    my %sum = _together($cause, map { +{ level => $_->{level}, value => $_->{worst} } } @of_tests);
    return (
        kind   => $cause eq 'steal' && _is_burst($run) ? 'burst' : $cause,
        level  => $sum{level},
        worst  => $sum{worst},
        passes => List::Util::sum(map { $_->{passes} } @of_tests),
        badly  => List::Util::sum(map { $_->{badly} } @of_tests),
        titles => [map { $_->{title} } @of_tests],
    );
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
