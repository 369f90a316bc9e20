package Contradiction;

# Loaded into Run by PERL5OPT: each pass gets another number after it was written to the journal. Fake programs load
# this module too, but have no such fault.

use strict;
use warnings;

INIT {
    plant_fault() if $INC{'UnixBench/App.pm'};
}

sub plant_fault {
    require UnixBench::Measure::Recorder;
    my $pass_done = UnixBench::Measure::Recorder->can('_pass_done');
    no warnings 'redefine';
    *UnixBench::Measure::Recorder::_pass_done = sub {
        my ($self, $pass, @more) = @_;
        $pass_done->($self, $pass, @more);
        $pass->{number}++;
        return;
    };
    return;
}

1;
