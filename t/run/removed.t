use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive   qw(eventually);
use TestRun qw(waited);

# A place in which hanoi is a shell script; $PLACE is its directory there.
sub place {
    my ($script, %with) = @_;
    my $test = TestRun->new(%with);
    unlink $test->place('bin', 'hanoi');
    my $place = $test->place;
    chmod 0755, $test->write('bin', 'hanoi', "#!/bin/sh\nPLACE='$place'\n$script\necho 'COUNT|5|1|lps' >&2\n");
    return $test;
}

my @SCORED = ('Recursion Test -- Tower of Hanoi', 'System Call Overhead');

subtest 'the directory of the reports is removed' => sub {
    my $test   = place('rm -rf "$PLACE/results"');
    my $run    = $test->run(qw(-q -c 1 -i 3 syscall hanoi syscall pipe));
    my ($base) = map { s/[.]html\z//r } grep { /[.]html\z/ } $test->reports;
    my $path   = $test->place('results', $base);
    is($run->{status}, 0,                                                                              'is no failure');
    is($run->{err}, "Run: the files of $path were removed during the run: the reports are in $path\n", 'is said once');
    is_deeply([grep { /[.]journal\z/ } $test->reports], [], 'the result is whole');
    is($run->{out}, '=' x 72 . "\n" . $test->report(q{}), 'its report is there');
    my @in_log = $test->report('.log') =~ /^(.+) -- 1 copy$/mg;
    is_deeply([sort @in_log], [sort @SCORED, 'Pipe Throughput'], 'and the log has what was measured before');
};

subtest 'it is removed and something else is there' => sub {
    my $test = place('rm -rf "$PLACE/results"; echo x >"$PLACE/results"');
    my $run  = $test->run(qw(-q -c 1 -i 1 hanoi));
    is($run->{status}, 1, 'is a failure');
    like($run->{err}, qr{^Run: what was measured is not kept: \S+/results/\S+[.]journal is gone$}m, 'said as it is');
    unlike($run->{err}, qr/--resume/, 'and nothing is promised');
    like($run->{out}, qr/^   Note: interrupted: can't make directory /m, 'the report is printed');
};

subtest 'a killed run leaves the result before it' => sub {
    my $test = TestRun->new(programs => { pipe => 'hang' }, env => { UB_OUTPUT_FILE_NAME => 'mine' });
    $test->run(qw(-q -c 1 hanoi));
    my @family = map { "mine$_" } q{}, '.html', '.log';
    my %old    = map { $_ => $test->text($_) } @family;
    my $run    = $test->started(qw(-q -c 1 -i 1 syscall pipe));
    eventually(sub { $test->text('mine.journal') =~ /"pass"/ });
    kill KILL => $run->{pid};
    waited($run);
    is_deeply({ map { $_ => $test->text($_) } @family }, \%old, 'whole');
    $test->put(pipe => 'count');
    my $again = $test->run(qw(-q -c 1 -i 1 syscall));
    my $aside = $test->place('results', 'mine-unfinished-1');
    is_deeply(
        [@$again{qw(status err)}],
        [0, "Run: an unfinished run of that name was renamed; to resume it: ./Run --resume $aside\n"],
        'and what was measured of the next'
    );
    is_deeply([keys %{ $test->scores }],                      ['System Call Overhead'], 'a third has the name');
    is_deeply([grep { /new|mine[.]journal/ } $test->reports], [],                       'and leaves nothing else');
    is($test->run(qw(-q --resume mine-unfinished-1))->{err} =~ /pipe has changed/ ? 1 : 0, 1, 'which can be resumed');
};

done_testing();
