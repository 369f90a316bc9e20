package DisturbedGraphics;

# A run of graphics tests on a virtual display that a test disturbs, and checks of how it ends.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use GraphicsRun ();
use TestRun     qw(waited);

our @EXPORT_OK = qw(ends_well goes_on_well has_failed_at_most_once is_whole place started undisturbed);

my @WORDS = qw(-q -i 1 -c 1 2d-rects ubgears 2d-aashapes 2d-window);
my $SCORE = qr/ +[0-9]+[.][0-9] (?:score|fps) +[(]/;

sub place { return GraphicsRun->new(own_group => 1, env => { X11PERF_REPS => 1 }) }

# Takes a place and further words of the command line; starts the run there and returns it.
sub started { my ($test, @more) = @_; return $test->started(@more, @WORDS) }

# Returns the facts in the report of an undisturbed run: { titles => [of measured tests], notes => [note], renderer }.
sub undisturbed {
    my $test = place();
    my $run  = $test->run(@WORDS);
    die "the undisturbed run has failed: $run->{err}" if $run->{status};
    return _facts($test);
}

# Takes a place and a run that was disturbed; waits for its end and returns it. Tests that no process and no file is
# left.
sub ends_well {
    my ($test, $run) = @_;
    my $ended = waited($run);
    unlike($ended->{said}, qr/ line [0-9]+[.]$/m, 'Perl prints no warning');
    $test->all_gone;
    return $ended;
}

# Tests that the run has measured everything.
sub is_whole {
    my ($test, $ended, $expected) = @_;
    is_deeply([@$ended{qw(status signal err)}], [0, 0, q{}], 'the run is complete');
    is_deeply(_facts($test),                    $expected, 'tests, notes and renderer are those of an undisturbed run');
    is_deeply([_journals($test)],               [],        'a complete run leaves no journal');
    return;
}

# Tests that an interrupted run can be resumed and is then complete.
sub goes_on_well {
    my ($test, $expected) = @_;
    my ($journal) = _journals($test);
    return note 'the run was complete' if !defined $journal;
    my $has_begun = $test->text($journal) =~ /\n/;
    my $again     = $test->run('-q', '--resume', $journal =~ s/[.]journal\z//r);
    return like($again->{err}, qr{: the run had not begun; start it again$}, 'a run that had not begun is not resumed')
        if !$has_begun;
    my $facts = _facts($test);
    is(scalar(grep { /\Aresumed / } @{ $facts->{notes} }), 1, 'the report says once that the run was resumed');
    $facts->{notes} = [grep { !/\Aresumed / } @{ $facts->{notes} }];
    is_deeply([@$again{qw(status err)}], [0, q{}], 'the resumed run is complete');
    is_deeply($facts, $expected,      'tests, notes and renderer of the resumed run are those of an undisturbed run');
    is_deeply([_journals($test)], [], 'a resumed run leaves no journal');
    return ends_well($test, $test->started('--version'));
}

# Tests that all tests are measured, except one at most, which failed for the given reason.
sub has_failed_at_most_once {
    my ($test, $ended, $expected, $reason) = @_;
    my $report = $test->report(q{});
    my @failed = $report =~ /^([23]D .*?) +no measured results: $reason/mg;
    is($ended->{status}, @failed ? 1 : 0, 'the exit status says whether a test has failed');
    cmp_ok(scalar @failed, '<=', 1, 'at most one test has failed');
    is_deeply([sort @failed, @{ _facts($test)->{titles} }], $expected->{titles}, 'the other tests are measured')
        or diag $report;
    is(scalar(() = $ended->{err} =~ /^Run: .*; aborting this test$/mg), scalar @failed, 'each failed test is reported');
    is(scalar(() = $report       =~ /^   Note: virtual display/mg),     1, 'the report names the virtual display once');
    is_deeply([_journals($test)], [], 'a run with a failed test leaves no journal');
    return note $ended->{err};
}

sub _facts {
    my ($test)     = @_;
    my $report     = $test->report(q{});
    my ($renderer) = $report =~ /^   Graphics: (.*)$/m;
    my @notes      = $report =~ /^   Note: (.*)$/mg;
    return { titles => [sort $report =~ /^(\S.*?)$SCORE/mg], notes => \@notes, renderer => $renderer };
}

sub _journals {
    my ($test) = @_;
    return grep { /[.]journal\z/ } $test->reports;
}

1;
