package UnixBench::Observe::StatesTopic;

# The topic of system calls of all states. It is in the report of the plain machine only.

use strict;
use warnings;

use UnixBench::Report::Block   qw(column document quiet row section table);
use UnixBench::Report::Wording qw(copies_title);

use constant {
    DASH   => q{-},
    LEGEND => 'Per loop: the calls divided by the loops of all copies. Mean: time from a call to its return, with the '
        . 'tracer. The calls of COMMAND itself are among them; those of a daemon, such as a container, are not.',
};

# Takes a view; returns the tables of the calls, or nothing.
sub before_runs {
    my ($view) = @_;
    return
        map { section('System calls in each state, ' . copies_title($_->{copies}), _tables($_)) }
        @{ $view->result->{state_calls} || [] };
}

# Takes a view whose result has such calls; returns a report with them, to be printed below the classic report.
sub report_of {
    my ($view) = @_;
    return document({ title => 'System calls in each state' }, before_runs($view));
}

# Takes the calls for a number of copies; returns a table for each test. The legend is above them, since a page hides
# the title of a table that follows its heading.
sub _tables {
    my ($of) = @_;
    my $copies = copies_title($of->{copies});
    return (quiet(LEGEND), map { _table($copies, $_) } @{ $of->{tests} });
}

sub _table {
    my ($copies, $test) = @_;
    my @letters = map { $_->{letter} } @{ ($test->{calls}[0] || {})->{states} || [] } or return;
    return table(
        title   => "$copies: system calls of $test->{title}",
        corner  => 'Call',
        columns => [
            column('Call', title => 'text'),
            (map { column("$_ per loop", "per_loop $_" => 'thousandths', none => DASH) } @letters),
            (map { column("$_ mean ns",  "mean_ns $_"  => 'digits',      none => DASH) } @letters),
        ],
        rows => [map { _row($_) } @{ $test->{calls} }],
    );
}

sub _row {
    my ($call) = @_;
    my %values;
    for my $state (@{ $call->{states} }) {
        $values{"$_ $state->{letter}"} = $state->{$_} for qw(per_loop mean_ns);
    }
    return row($call->{name}, \%values);
}

1;
