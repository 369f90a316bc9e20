package UnixBench::Report::Topic::Machine;

# The topic of the machine: the notes of the result, and all facts about the machine and the build.

use strict;
use warnings;

use UnixBench::Host::FactList ();
use UnixBench::Report::Block  qw(facts fold in_brief in_full notices section strong);
use UnixBench::Report::Notes  ();

# Takes a view; returns the notes of the result.
sub before_runs {
    my ($view) = @_;
    my @notes = UnixBench::Report::Notes::beyond_kind($view->result);
    return (in_full(notices(map { "Note: $_" } @notes)), in_brief(notices(map { [strong('Note:'), " $_"] } @notes)));
}

# Takes a view; returns all known facts, folded.
sub of_result {
    my ($view) = @_;
    return in_full(
        sub {
            my @groups = UnixBench::Host::FactList::groups($view->result);
            return section('Machine',
                fold('All facts about machine and set-up', map { facts($_->{title}, @{ $_->{facts} }) } @groups));
        }
    );
}

1;
