# What a run needs is replaced, moved or removed while it is under way: programs, directories, journal, log, and the
# suite itself.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use LateModules qw(loads_nothing_late);
use LoadedRun   qw(eventually own_tree waited);
use Place       qw(write_program);

my $COUNT = "echo 'COUNT|5|1|lps' >&2";
my $THIRD = q{echo x >>"$PLACE/passes"; [ $(wc -l <"$PLACE/passes") != 3 ] || };

# Takes a shell command; returns a place in which hanoi and syscall are shell scripts. The third pass of syscall runs
# the command, in which $PLACE is the directory of the place.
sub place {
    my ($script) = @_;
    my $test = TestRun->new(programs => { hanoi => $COUNT, syscall => "$THIRD { $script; }\n$COUNT" });
    $test->{env}{PLACE} = $test->place;
    return $test;
}

# Takes the beginning of a title; returns the reason that the report has for that test, or undef.
sub reason {
    my ($test, $title) = @_;
    return $test->report(q{}) =~ /^\Q$title\E.*? no measured results: (.+)$/m ? $1 : undef;
}

# Returns the name of the run that can be resumed.
sub unfinished {
    my ($test) = @_;
    return (map { s/[.]journal\z//r } grep { /journal\z/ } $test->reports)[0];
}

my @WORDS    = qw(-q -c 1 -i 3 syscall hanoi pipe);
my $REPLACED = 'was replaced while the run was under way';

# No test runs the program clock, but all factors of a comparison depend on it.
for my $case (
    ['the program that measures the clock'   => 'clock'],
    ['a program, while another is measured,' => 'hanoi'],
    ['a program, in a run without names,'    => 'hanoi', '--no-identity'],
    )
{
    my ($what, $name, @words) = @$case;
    subtest "$what is replaced" => sub {
        my $test = place(qq{printf '#!/bin/sh\\necho "COUNT|999999999|1|lps" >&2\\n' >"\$UB_BINDIR/$name"});
        $test->put(clock => "echo 'CLOCK|3127000000' >&2");
        my $run = $test->run(@WORDS, @words);
        my $why = (@words ? "pgms/$name" : $test->place('bin', $name)) . " $REPLACED (pass 1)";
        is($run->{status},                  1,    'exit status 1');
        is(reason($test, 'Recursion Test'), $why, 'the next test has the reason');
        unlike($test->report('.json'), qr/(?<![0-9.])999999999(?![0-9])/, 'its count is not in the JSON');
        return if @words || $name eq 'clock';
        is($run->{err}, qq{Run: "Recursion Test -- Tower of Hanoi": $why; aborting this test\n}, 'one line of message');
        is_deeply([sort keys %{ $test->scores }], ['Pipe Throughput', 'System Call Overhead'], 'others are measured');
    };
}

subtest 'a directory of programs is moved, and moved back' => sub {
    my $test = place(q{mv "$PLACE/bin" "$PLACE/moved"});
    my $run  = $test->run(@WORDS);
    my $dir  = $test->place('bin');
    is($run->{status}, 1, 'exit status 1');
    like($run->{err}, qr{^Run: the directory \Q$dir\E was removed or renamed while the run was under way$}m,
        'its name');
    like($run->{err}, qr/^Run: the finished passes are kept; to resume: /m, 'the message says how to resume');
    is(reason($test, 'System Call'), 'interrupted after 2 of 3 passes', 'the test is interrupted');
    rename $test->place('moved'), $dir or die "rename: $!\n";
    my $again = $test->run(qw(-q --resume), unfinished($test));
    is_deeply([@$again{qw(status err)}], [0, q{}], 'the run is resumed');
    is(scalar(keys %{ $test->scores }), 3, 'the run is complete');
};

subtest 'the scratch directory is removed' => sub {
    my $test = place(q{rm -rf "$UB_TMPDIR"});
    my $run  = $test->run(@WORDS);
    is($run->{status}, 1, 'exit status 1');
    like($run->{err}, qr{^Run: the scratch directory \S+ was removed; set UB_TMPDIR to another directory$}m, 'message');
    ok(defined unfinished($test), 'the journal is kept');
    is_deeply([$test->left], [], 'no scratch file is left');
};

for my $case (
    ['is removed'    => 'rm -rf "$PLACE/results"'],
    ['is now a file' => 'rm -rf "$PLACE/results"; echo x >"$PLACE/results"'],
    [
              'is now a link' => 'mv "$PLACE/results" "$PLACE/gone"; mkdir "$PLACE/away"; '
            . 'mv "$PLACE"/gone/*.journal "$PLACE/away"; ln -s away "$PLACE/results"'
    ],
    ['loses its journal' => 'mkdir "$PLACE/away"; mv "$PLACE"/results/*.journal "$PLACE/away"'],
    )
{
    my ($what, $script) = @$case;
    subtest "the directory of the reports $what" => sub {
        my $test = place($script);
        my $run  = $test->run(@WORDS);
        my $path = $test->place('results');
        is($run->{status}, 1, 'exit status 1');
        my $gone = 'was moved or removed: find it, and resume the run from there';
        like($run->{err}, qr{\ARun: \Q$path\E/\S+[.]journal $gone\n\z},        'one line names the journal');
        like($run->{out}, qr/^   Note: interrupted: .* was moved or removed/m, 'the report is printed');
        is_deeply([grep { !/[.]journal\z/ } glob $test->place('away', q{*})], [], 'nothing is written elsewhere');
    };
}

subtest 'the log is removed' => sub {
    my $test = place('rm "$PLACE"/results/*.log');
    my $run  = $test->run(@WORDS);
    is($run->{status}, 1, 'exit status 1');
    my $gone = 'was moved or removed: resume the run to write it again';
    like($run->{err}, qr{\ARun: \S+[.]log $gone\n.*--resume \S+\n\z}, 'the message says how to write it again');
    is($test->run(qw(-q --resume))->{status},                    0, 'the run is resumed');
    is(scalar(() = $test->report('.log') =~ /^.+ -- 1 copy$/mg), 3, 'the log has all tests');
};

subtest 'a killed run leaves the result before it' => sub {
    my $test = TestRun->new(programs => { pipe => 'hang' }, env => { UB_OUTPUT_FILE_NAME => 'mine' });
    $test->run(qw(-q -c 1 -i 1 hanoi));
    my @family = map { "mine$_" } q{}, '.html', '.log';
    my %old    = map { $_ => $test->text($_) } @family;
    my $run    = $test->started(qw(-q -c 1 -i 1 syscall pipe));
    eventually(sub { $test->text('mine.journal') =~ /"pass"/ });
    kill KILL => $run->{pid};
    waited($run);
    is_deeply({ map { $_ => $test->text($_) } @family }, \%old, 'the reports of the earlier run are unchanged');
    $test->put(pipe => 'count');
    my $again = $test->run(qw(-q -c 1 -i 1 syscall));
    is_deeply([@$again{qw(status err)}], [0, q{}],                 'the killed run is replaced by the third one');
    is_deeply([keys %{ $test->scores }], ['System Call Overhead'], 'the third run has the name');
    is_deeply([grep { /new|mine[.]journal/ } $test->reports], [],  'the third run leaves no other file');
};

my %LATE = (
    'as usual'    => [qw(-c 1 -c 2 -i 2 syscall hanoi pipe)],
    'quick'       => [qw(--quick --max-time 1 -c 1 syscall hanoi --precision 9)],
    'all outputs' => [qw(-q -c 1 -i 1 --no-identity syscall --details --json J --html H --markdown M)],
    'a failure'   => [qw(-q -c 1 -i 1 whetstone-double index)],
);
loads_nothing_late($_, {}, @{ $LATE{$_} }) for sort keys %LATE;

subtest 'the tree is moved' => sub {
    my ($test, $tree) = own_tree();
    my $move    = "[ ! -e '$tree/results' ] || mv '$tree' '$tree.moved'";
    my $results = sub { return map { s{.*/}{}r } glob "$tree.moved/results/*" };
    unlink "$tree/pgms/hanoi";
    write_program("$tree/pgms/hanoi", "#!/bin/sh\n$move\n$COUNT");
    my $run = $test->run(qw(-q -c 1 -i 2 syscall hanoi pipe));
    is($run->{status}, 1, 'exit status 1');
    like(
        $run->{err},
        qr{^Run: the directory \Q$tree\E/\w+ was removed or renamed while the run was under way$}m,
        'the message names the missing directory'
    );
    like($run->{err}, qr{^Run: \Q$tree\E/results/\S+[.]journal was moved or removed: find it,}m, 'and the journal');
    my ($name) = map { /(.+)[.]journal\z/ ? $1 : () } $results->();
    $test->{program} = "$tree.moved/Run";
    my $again = $test->run(qw(-q --resume), $name);
    is_deeply([@$again{qw(status err)}], [0, q{}], 'the run can be resumed in the new directory');
    is(scalar(grep { /journal/ } $results->()), 0, 'the resumed run is complete');
    ok(!-e $tree, 'no file is made in the old directory');
};

done_testing();
