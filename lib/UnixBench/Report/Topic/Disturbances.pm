package UnixBench::Report::Topic::Disturbances;

# The topic of disturbances: which tests of a run were disturbed, in how many passes, and how badly.

use strict;
use warnings;

use UnixBench::Noise::Causes    ();
use UnixBench::Warnings::Causes qw(amount cause_title);
use UnixBench::Report::Block    qw(column in_detail row table);

my @COLUMNS = (
    column('Disturbed', title  => 'word'),
    column('by',        by     => 'word'),
    column('passes',    passes => 'cells'),
    column('worst',     worst  => 'cells'),
    column(q{},         level  => 'cells'),
);

# Takes a view and a run; returns a table with a row for each test and cause. A cause that applies to the whole run is
# left out: there is a warning about it.
sub of_run {
    my ($view, $run) = @_;
    my @rows = map { _row($_) }
        grep { !UnixBench::Noise::Causes::has($_->{cause}, 'is_whole') } $view->disturbances($run);
    return @rows ? in_detail(table(columns => \@COLUMNS, rows => \@rows)) : ();
}

sub _row {
    my ($found) = @_;
    my ($cause, $passes, $badly) = @$found{qw(cause passes badly)};
    my $slightly = $passes - $badly;
    my %values   = (
        by     => cause_title($cause),
        passes => ["$passes of $found->{of}"],
        worst  => [amount($cause, $found->{worst})],
        level  => !$slightly ? undef : [$badly ? "$slightly a little" : 'a little'],
    );
    return row($found->{title}, \%values);
}

1;
