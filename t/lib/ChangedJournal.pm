package ChangedJournal;

# Journals of interrupted runs that were changed afterwards, and how Run resumes or refuses them.

use strict;
use warnings;

use Digest::SHA ();
use Exporter 'import';

use Alive     qw(eventually);
use Disturbed qw(reports_of);
use TestRun   qw(waited);

our @EXPORT_OK = qw(interrupted mishandled resealed);

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

# Takes what interrupted() has returned, and a changed text of the journal. Resumes the run with that journal. Returns
# what is wrong, or an empty text. Either Run refuses the journal and names the first changed line, and all files stay;
# or, if only the last line was changed or removed, the run is completed with the values of an undisturbed run.
sub mishandled {
    my ($test, $name, $journal, $expected, $changed) = @_;
    unlink map { $test->place('results', $_) } $test->reports;
    chmod 0600, $test->write('results', "$name.journal", $changed);
    my $run = $test->run('-q', '--resume', $name);
    return _wrong_result($test, $journal, $expected, $changed, $run) if $run->{status} == 0;
    my $number = _first_changed($journal, $changed);
    return "status $run->{status}, line $number: $run->{err}$run->{out}"
        if $run->{status} != 1
        || $run->{out} ne q{}
        || $run->{err} !~ /\ARun: can't resume \S+[.]journal: line $number is damaged: [^\n]+\n\z/;
    my $is_kept = "@{[$test->reports]}" eq "$name.journal" && $test->text("$name.journal") eq $changed;
    return $is_kept ? q{} : 'files were changed';
}

sub _wrong_result {
    my ($test, $journal, $expected, $changed, $run) = @_;
    my $kept = $journal =~ s/[^\n]*\n\z//r;
    return 'resumed, although an earlier line was changed' if index $changed, $kept;
    return 'the journal is left' if grep { /[.]journal\z/ } $test->reports;
    my $reports = reports_of($test);
    return join q{},
        map { "another $_: $reports->{$_}" } grep { $reports->{$_} ne $expected->{$_} } sort keys %$expected;
}

# Returns the number of the first line that differs, from 1.
sub _first_changed {
    my ($journal, $changed) = @_;
    my $number = 1;
    for my $line (split /^/m, $journal) {
        last if index($changed, $line) != 0;
        substr $changed, 0, length $line, q{};
        $number++;
    }
    return $number;
}

1;
