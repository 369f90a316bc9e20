use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive   qw(eventually);
use TestRun qw(waited);

# Takes a shell script and arguments of TestRun; returns a place in which hanoi is that script. $PLACE is its directory.
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
    is($run->{status}, 0, 'a removed directory of reports is not a failure');
    is(
        $run->{err},
        "Run: the files of $path were removed during the run: the reports are in $path\n",
        'a removed directory of reports is reported once'
    );
    is_deeply([grep { /[.]journal\z/ } $test->reports], [], 'the run is complete');
    is($run->{out}, '=' x 72 . "\n" . $test->report(q{}), 'the report is written');
    my @in_log = $test->report('.log') =~ /^(.+) -- 1 copy$/mg;
    is_deeply([sort @in_log], [sort @SCORED, 'Pipe Throughput'], 'the log has all tests');
};

subtest 'the directory of the reports is replaced by a file' => sub {
    my $test = place('rm -rf "$PLACE/results"; echo x >"$PLACE/results"');
    my $run  = $test->run(qw(-q -c 1 -i 1 hanoi));
    is($run->{status}, 1, 'a replaced directory: exit status 1');
    like(
        $run->{err},
        qr{^Run: this run can't be resumed: its journal \S+/results/\S+[.]journal is gone$}m,
        'a replaced directory: the message says that the results are lost'
    );
    unlike($run->{err}, qr/--resume/, 'a replaced directory: the message does not suggest --resume');
    like($run->{out}, qr/^   Note: interrupted: can't make directory /m, 'a replaced directory: the report is printed');
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
    is_deeply({ map { $_ => $test->text($_) } @family }, \%old, 'the reports of the earlier run are unchanged');
    $test->put(pipe => 'count');
    my $again = $test->run(qw(-q -c 1 -i 1 syscall));
    my $aside = $test->place('results', 'mine-unfinished-1');
    is_deeply(
        [@$again{qw(status err)}],
        [0, "Run: an unfinished run of that name was renamed; to resume it: ./Run --resume $aside\n"],
        'the journal of the killed run is renamed'
    );
    is_deeply([keys %{ $test->scores }],                      ['System Call Overhead'], 'the third run has the name');
    is_deeply([grep { /new|mine[.]journal/ } $test->reports], [], 'the third run leaves no other file');
    is($test->run(qw(-q --resume mine-unfinished-1))->{err} =~ /pipe has changed/ ? 1 : 0,
        1, 'the renamed run can be resumed');
};

done_testing();
