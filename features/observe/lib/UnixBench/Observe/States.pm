package UnixBench::Observe::States;

# The system calls of all states of a run: the data of their tables, the type "state_calls".

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result    qw(tests_by_title);
use UnixBench::Observe::Values ();
use UnixBench::Plan::Turns     ();

use parent 'UnixBench::Base::Value';

use constant CALLS_MOST => 12;

# Takes the results of all states, that of the plain machine first; returns the data, or undef if no test was observed
# in two of them.
sub of_states {
    my (undef, $results) = @_;
    my @tables = map { _of_copies($_, @$results) } map { $_->{copies} } @{ $results->[0]{runs} };
    return @tables ? \@tables : undef;
}

# Takes a number of copies, and the results; returns { copies, tests }, or nothing.
sub _of_copies {
    my ($copies, @results) = @_;
    my @runs = map { _run_with($copies, $_) } @results;
    my @tests;
    for my $test (tests_by_title($runs[0]{tests})) {
        my @states = map { _known($test->{name}, $runs[$_], UnixBench::Plan::Turns::letter($_)) } 0 .. $#runs;
        next if @states < 2 || $states[0]{letter} ne 'A';
        push @tests, { name => $test->{name}, title => $test->{title}, calls => [_calls(@states)] };
    }
    return @tests ? { copies => $copies, tests => \@tests } : ();
}

sub _run_with {
    my ($copies, $result) = @_;
    return List::Util::first { $_->{copies} == $copies } @{ $result->{runs} };
}

# Takes the name of a test, a run, and the letter of its state; returns { letter, main => [the calls in its loop], call
# => { name => call } }, see UnixBench::Observe::Values, or nothing if it was not observed.
sub _known {
    my ($name, $run, $letter) = @_;
    my $test  = List::Util::first { $_->{name} eq $name } @{ ($run || {})->{tests} || [] } or return;
    my $known = UnixBench::Observe::Values::of_test($test);
    return if !$known || defined $known->{error};
    my %call = map { $_->{name} => $_ } @{ $known->{calls} };
    return { letter => $letter, main => $known->{main}, loops => $known->{loops}, call => \%call };
}

# Takes what is known of each state; returns the calls that belong to the loop in one of them, those with the most time
# first.
sub _calls {
    my (@states) = @_;
    my %share;
    for my $call (map { @{ $_->{main} } } @states) {
        $share{ $call->{name} } = List::Util::max($share{ $call->{name} } // 0, $call->{share});
    }
    my @names = sort { $share{$b} <=> $share{$a} || $a cmp $b } keys %share;
    splice @names, CALLS_MOST if @names > CALLS_MOST;
    return map { _call($_, @states) } @names;
}

sub _call {
    my ($name, @states) = @_;
    return { name => $name, states => [map { _in_state($_, $_->{call}{$name}) } @states] };
}

# Takes what is known of a state, and a call of it or undef. A call that was not made has the number 0.
sub _in_state {
    my ($state, $call) = @_;
    return { letter => $state->{letter}, map { $_ => $call->{$_} } qw(count per_loop mean_ns) } if $call;
    return { letter => $state->{letter}, count => 0, per_loop => $state->{loops} ? 0 : undef, mean_ns => undef };
}

1;
