package UnixBench::Report::Topic::Disturbances;

# The topic of disturbances: which tests of a run were disturbed, in how many passes, and how badly.

use strict;
use warnings;

use UnixBench::Noise::Causes    ();
use UnixBench::Warnings::Causes qw(amount cause_title);
use UnixBench::Report::Block    qw(in_detail row table);

use constant PLACE => 40;

# Takes a view and a run; returns a table with a row for each test and cause. A cause that applies to the whole run is
# left out: there is a warning about it.
sub of_run {
    my ($view, $run) = @_;
    my @rows = map { _row($_) }
        grep { !UnixBench::Noise::Causes::has($_->{cause}, 'is_whole') } $view->disturbances($run);
    my @columns = (word => 'Disturbed', word => 'by', number => 'passes', number => 'worst', number => q{});
    return @rows ? in_detail(table(columns => \@columns, rows => \@rows)) : ();
}

sub _row {
    my ($found) = @_;
    my ($cause, $passes, $badly) = @$found{qw(cause passes badly)};
    my $slightly = $passes - $badly;
    my $level    = !$slightly ? q{} : $badly ? "$slightly a little" : 'a little';
    my @cells    = (cause_title($cause), "$passes of $found->{of}", amount($cause, $found->{worst}), $level);
    return row($found->{title}, \@cells);
}

1;
