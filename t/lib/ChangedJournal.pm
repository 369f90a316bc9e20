package ChangedJournal;

# Journals of interrupted runs that were changed afterwards, and how Run resumes or refuses them.

use strict;
use warnings;

use Digest::SHA ();
use Exporter 'import';

use Alive     qw(eventually);
use Disturbed qw(reports_of);
use TestRun   qw(waited);

our @EXPORT_OK = qw(interrupted resealed);

my $END   = qr/(?:,"sha256":"[0-9a-f]{64}")?\}\n\z/;
my @WORDS = qw(-q -c 1 -i 4 syscall hanoi);

# The lines of the journal that interrupted() returns: the head, the start of the run, and its passes.
use constant LINES => 6;

# Takes the text of a journal whose lines were changed; returns it with checksums that fit. A line that does not end as
# a line of a journal does keeps its text.
sub resealed {
    my ($text) = @_;
    my $seal = q{};
    my @lines;
    for my $line (split /^/m, $text) {
        $seal = Digest::SHA::sha256_hex($seal . $line) if $line =~ s/$END//;
        push @lines, $line =~ /\n\z/ ? $line : qq($line,"sha256":"$seal"}\n);
    }
    return join q{}, @lines;
}

# Takes the arguments of TestRun. Interrupts a run of one copy, and cuts its journal after the fourth pass of its first
# test. Returns the place, the name of the run, the text of the journal, and the reports of an undisturbed run.
sub interrupted {
    my (%with) = @_;
    my ($whole, $test) = map { Disturbed::place(%with) } 1, 2;
    waited($whole->started(@WORDS));
    my $run = $test->started(@WORDS);
    eventually(sub { ($test->report('.journal') =~ tr/\n//) >= LINES });
    kill KILL => $run->{pid};
    waited($run);
    my ($name)    = map { /(.+)[.]journal\z/ ? $1 : () } $test->reports;
    my ($journal) = $test->text("$name.journal") =~ /\A((?:[^\n]*\n){@{[LINES]}})/;
    return ($test, $name, $journal, reports_of($whole));
}

1;
