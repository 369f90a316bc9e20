package DisturbedGraphics;

# A run of graphics tests on a virtual display that something happens to, and what comes of it.

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

# Takes a place and further words, starts the run there and returns it.
sub started { my ($test, @more) = @_; return $test->started(@more, @WORDS) }

# What the report of a run has to say that nothing happens to: { titles => [those that are measured], notes => [note],
# renderer }.
sub undisturbed {
    my $test = place();
    my $run  = $test->run(@WORDS);
    die "the undisturbed run has failed: $run->{err}" if $run->{status};
    return _facts($test);
}

# Takes a place and a run that has been disturbed; returns how it ended. Nothing must be left of it.
sub ends_well {
    my ($test, $run) = @_;
    my $ended = waited($run);
    unlike($ended->{said}, qr/ line [0-9]+[.]$/m, 'no complaint of Perl');
    $test->all_gone;
    return $ended;
}

# The run has measured all that it was to measure.
sub is_whole {
    my ($test, $ended, $expected) = @_;
    is_deeply([@$ended{qw(status signal err)}], [0, 0, q{}], 'whole');
    is_deeply(_facts($test),                    $expected,   'tests, notes and renderer');
    is_deeply([_journals($test)],               [],          'no journal is left');
    return;
}

# The run was interrupted: what there is of it can be gone on with, until it is whole.
sub goes_on_well {
    my ($test, $expected) = @_;
    my ($journal) = _journals($test);
    return note 'all was done' if !defined $journal;
    my $has_begun = $test->text($journal) =~ /\n/;
    my $again     = $test->run('-q', '--resume', $journal =~ s/[.]journal\z//r);
    return like($again->{err}, qr/: nothing was begun yet$/, 'it had not begun') if !$has_begun;
    my $facts = _facts($test);
    is(scalar(grep { /\Aresumed / } @{ $facts->{notes} }), 1, 'resumed once');
    $facts->{notes} = [grep { !/\Aresumed / } @{ $facts->{notes} }];
    is_deeply([@$again{qw(status err)}], [0, q{}],  'whole in the end');
    is_deeply($facts,                    $expected, 'tests, notes and renderer');
    is_deeply([_journals($test)],        [],        'no journal is left');
    return ends_well($test, $test->started('--version'));
}

# All tests but at most one, for such a reason, are measured.
sub has_failed_at_most_once {
    my ($test, $ended, $expected, $reason) = @_;
    my $report = $test->report(q{});
    my @failed = $report =~ /^([23]D .*?) +no measured results: $reason/mg;
    is($ended->{status}, @failed ? 1 : 0, 'status');
    cmp_ok(scalar @failed, '<=', 1, 'at most one has failed');
    is_deeply([sort @failed, @{ _facts($test)->{titles} }], $expected->{titles}, 'the others are measured')
        or diag $report;
    is(scalar(() = $ended->{err} =~ /^Run: .*; aborting this test$/mg), scalar @failed, 'that is said');
    is(scalar(() = $report       =~ /^   Note: virtual display/mg),     1,              'the display is named once');
    is_deeply([_journals($test)], [], 'no journal is left');
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
