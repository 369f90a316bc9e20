use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadedRun;
use Disturbed qw(interrupted reports_of);

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

# A journal that was changed is never resumed with the change. t/unit/Store/journal.t changes each byte and each line.

my @INTERRUPTED = interrupted();
my ($TEST, $NAME, $JOURNAL) = @INTERRUPTED;
delete $TEST->{program};

is(mishandled(@INTERRUPTED, $JOURNAL),                    q{}, 'the unchanged journal is resumed');
is(mishandled(@INTERRUPTED, $JOURNAL =~ s/[^\n]*\n\z//r), q{}, 'the pass of a missing last line is measured again');
is(mishandled(@INTERRUPTED, substr $JOURNAL, 0, -30), q{}, 'the pass of a torn last line is measured again');

my @lines   = split /^/m, $JOURNAL;
my %CHANGED = (
    'a count'         => $JOURNAL =~ s/.*?"count":[0-9]+\K/0/sr,
    'a removed line'  => join(q{}, @lines[0 .. 2, 4 .. $#lines]),
    'a doubled line'  => join(q{}, @lines[0 .. 3, 3 .. $#lines]),
    'two lines moved' => join(q{}, @lines[0 .. 2, 4, 3, 5 .. $#lines]),
);
for my $what (sort keys %CHANGED) {
    isnt($CHANGED{$what}, $JOURNAL, "$what: the journal is changed");
    is(mishandled(@INTERRUPTED, $CHANGED{$what}), q{}, "$what: it is refused");
}

done_testing();
