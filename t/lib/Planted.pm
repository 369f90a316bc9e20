package Planted;

# Loaded into Run by PERL5OPT, with -MPlanted=NAME: something that no usual run has. The
# programs that Run starts do not have it.

use strict;
use warnings;

use File::Basename ();
use Time::HiRes    ();

use lib map { File::Basename::dirname(__FILE__) . $_ } q{}, '/../../lib';

my %PLANTED = (
    'contradiction'  => \&_contradict,
    'internal-error' => \&_fail,
    'steady-machine' => \&_be_steady,
    'stepped-clock'  => \&_step_back,
);

sub import {
    my (undef, $name) = @_;
    $PLANTED{$name}->() if $0 =~ /\bRun\z/;
    return;
}

no warnings 'redefine';

# Each pass gets another number after it was written to the journal.
sub _contradict {
    require UnixBench::Measure::Recorder;
    my $pass_done = UnixBench::Measure::Recorder->can('_pass_done');
    *UnixBench::Measure::Recorder::_pass_done = sub {
        my ($self, $pass, @more) = @_;
        $pass_done->($self, $pass, @more);
        $pass->{number}++;
        return;
    };
    return;
}

# The third copy that ends meets an internal error of the suite.
sub _fail {
    require UnixBench::Measure::Protocol;
    my ($ends, $finish) = (0, UnixBench::Measure::Protocol->can('finish'));
    *UnixBench::Measure::Protocol::finish = sub {
        my ($self) = @_;
        die 'panic: leave_scope inconsistency 56' if ++$ends == 3;    ## no critic (RequireCarping)
        return $finish->($self);
    };
    return;
}

# Each run finds as many earlier runs as it takes to know that the machine does not vary from run to run.
sub _be_steady {
    require Fixture;
    require UnixBench::Store::EarlierRuns;
    *UnixBench::Store::EarlierRuns::of = sub {
        my (undef, undef, @results) = @_;
        return map { Fixture::steady_result($_->{runs})->{earlier} } @results;
    };
    return;
}

# The wall clock goes back by a day each time it is read; the monotonic clock does not.
sub _step_back {
    my $days = 0;
    *Time::HiRes::time = sub () { return CORE::time() - 86_400 * $days++ };
    return;
}

1;
