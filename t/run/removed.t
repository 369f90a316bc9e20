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

# Takes what is done to the directory of the reports, and how the message about it ends.
for my $case (
    ['is removed'            => 'rm -rf "$PLACE/results"'],
    ['is replaced by a file' => 'rm -rf "$PLACE/results"; echo x >"$PLACE/results"'],
    [
              'is replaced by a link' => 'mv "$PLACE/results" "$PLACE/gone"; mkdir "$PLACE/away"; '
            . 'mv "$PLACE"/gone/*.journal "$PLACE/away"; ln -s away "$PLACE/results"'
    ],
    ['loses its journal' => 'mkdir "$PLACE/away"; mv "$PLACE"/results/*.journal "$PLACE/away"'],
    )
{
    my ($what, $script) = @$case;
    subtest "the directory of the reports $what" => sub {
        my $test = place(qq([ -d "\$PLACE/away" ] || { $script; }));
        my $run  = $test->run(qw(-q -c 1 -i 1 syscall hanoi pipe));
        my $path = $test->place('results');
        is($run->{status}, 1, 'exit status 1');
        like(
            $run->{err},
            qr{\ARun: \Q$path\E/\S+[.]journal was moved or removed: find it, and resume the run from there\n\z},
            'one line names the journal'
        );
        like($run->{out}, qr/^   Note: interrupted: .* was moved or removed/m, 'the report is printed');
        is_deeply([grep { !/[.]journal\z/ } map { s{.*/}{}r } glob $test->place('away', q{*})],
            [], 'nothing is written elsewhere');
    };
}

subtest 'the log is removed' => sub {
    my $test = place('rm "$PLACE"/results/*.log');
    my $run  = $test->run(qw(-q -c 1 -i 1 syscall hanoi pipe));
    is($run->{status}, 1, 'exit status 1');
    like(
        $run->{err},
        qr{\ARun: \S+[.]log was moved or removed: resume the run to write it again\n.*--resume \S+\n\z},
        'the message says how to write it again'
    );
    my $again = $test->run(qw(-q --resume));
    is($again->{status}, 0, 'the run is resumed');
    my @in_log = $test->report('.log') =~ /^(.+) -- 1 copy$/mg;
    is(scalar @in_log, 3, 'the log has all tests');
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
