package UnixBench::Base::Notes;

# What the reader of a report has to know of how its scores came about: the notes of a result, a line each.

use strict;
use warnings;

use UnixBench::Base::Format ();

use constant {
    QUICK           => 'Quick run: estimate, not an official result',
    VIRTUAL_DISPLAY => 'virtual display (Xvfb)',
    CHANGED         => 'changed procedure: ',
};

# Takes what the zone is ahead of UTC, in seconds, and the times at which a run was gone on with, in seconds since 1970;
# returns the note.
sub resumed {
    my ($utc_offset_s, @times) = @_;
    return 'resumed ' . join ', ', map {
              UnixBench::Base::Format::english_date($_, $utc_offset_s) . q{ }
            . UnixBench::Base::Format::clock_time($_, $utc_offset_s)
    } @times;
}

# Takes notes and ways in which the procedure is not the official one, in words; adds these, as one note for all.
sub add_changes {
    my ($notes, @changes) = @_;
    return if !@changes;
    my $text = join '; ', @changes;
    for my $note (grep { index($_, CHANGED) == 0 } @$notes) {
        $note .= "; $text";
        return;
    }
    my $before = grep { $_ eq QUICK || $_ eq VIRTUAL_DISPLAY } @$notes;
    splice @$notes, $before, 0, CHANGED . $text;
    return;
}

# Takes runs; returns what was measured in place of something else, in words: a program that could not do what it was
# asked for has said so by the line "replaced.NAME|OTHER NAME".
sub replacements {
    my ($runs) = @_;
    my %by;
    for my $copy (map { @{ $_->{copies} } } map { @{ $_->{passes} } } map { @{ $_->{tests} } } @$runs) {
        for my $name (keys %{ $copy->{data} }) {
            my ($replaced) = $name =~ /\Areplaced[.](.+)/s or next;
            $by{"$copy->{data}{$name} in place of $replaced"} = 1;
        }
    }
    my @replacements = sort keys %by;
    return @replacements;
}

1;
