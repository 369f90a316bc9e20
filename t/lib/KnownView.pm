package KnownView;

# A fake UnixBench::Report::View that has only the data that a topic needs.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Block qw(within);

our @EXPORT_OK = qw(blocks_of_run);

# Takes result, scaling, or what features compute for a run.
sub new {
    my ($class, %known) = @_;
    return bless {%known}, $class;
}

sub of_run      { my ($self, $key) = @_; return $self->{$key} }
sub of_result   { my ($self, $key) = @_; return $self->{$key} }
sub of_scaling  { return }
sub chosen_runs { return }
sub parts       { return {} }
sub runs        { return }
sub result      { my ($self) = @_; return $self->{result} }
sub scaling     { my ($self) = @_; return $self->{scaling} }

# Takes the function of a topic, the extent of a report, and the data of the view; returns the blocks of a run.
sub blocks_of_run {
    my ($of_run, $extent, %known) = @_;
    return within($extent, $of_run->(__PACKAGE__->new(%known), {}));
}

1;
