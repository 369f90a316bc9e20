# Command lines that name no result: the newest one, two that can be compared, the only interrupted run, or a list; and
# directories in which some results are bad.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive      qw(eventually);
use BadResults qw(%BAD %NONE %WHY directory with_links);
use Fixture    qw(measured result run);
use LoadedRun;
use Rendered qw(rendered);
use TestRun  qw(waited);

my %PROCEDURE = %{ result([])->{procedure} };

# Takes a place, the name of a result, the number of an hour, and perhaps keys of its procedure. Writes its page, as if
# it had been measured and written then.
sub write_page {
    my ($test, $name, $hour, %procedure) = @_;
    my $run = run(1, measured('pipe', 1, map { 1e6 + $_ } 1, 2, 3, 1, 2, 3));
    $run->{$_} += 3600 * $hour for qw(started ended);
    my $path = $test->write('results', "$name.html",
        rendered(html => result([$run], procedure => { %PROCEDURE, %procedure })));
    utime +($run->{ended}) x 2, $path;
    return;
}

# Tests the exit status of Run without a name, and what it says.
sub says {
    my ($test, $words, $status, $pattern, $name) = @_;
    my $run = $test->run(@$words);
    is($run->{status}, $status, "$name: exit status $status") or diag $run->{said};
    like($run->{err}, $pattern, $name);
    return $run;
}

my $NEEDS = 'compare needs two results: ./Run compare OLD NEW;';

subtest 'no result' => sub {
    my $test = TestRun->new;
    says($test, ['report'], 2, qr{\ARun: report needs a result: ./Run report RESULT; there is none in results\n\z},
        'report');
    says($test, ['compare'],  2, qr{\ARun: \Q$NEEDS\E there is none in results\n\z},    'compare');
    says($test, ['--resume'], 2, qr/\ARun: there is no interrupted run in results\n\z/, '--resume');
};

subtest 'the newest result, and the two newest' => sub {
    my $test = TestRun->new;
    write_page($test, 'old', 1);
    my $run = says($test, ['report', '-q'], 0, qr/\ARun: the newest result: old\n/, 'report, the only one');
    like($run->{out}, qr/^Pipe Throughput /m, 'its report is printed');
    says(
        $test, ['compare'], 2,
        qr/\ARun: \Q$NEEDS\E no two of these are complete, have good or fair trust, and were .* the same: old\n\z/,
        'compare has only one'
    );
    write_page($test, 'new', 3);
    write_page($test, 'mid', 2);
    says($test, ['report', '-q'], 0, qr/\ARun: the newest result: new\n/, 'report');
    says($test, ['compare'],      0, qr/\ARun: comparing mid new\n\z/,    'compare: the earlier one first');
    write_page($test, 'quick', 4, kind => 'quick', seed => 1, precision => 0.02, max_time_s => 60);
    says($test, ['compare'],       0, qr/\ARun: comparing mid new\n\z/, 'a result of another procedure is not taken');
    says($test, ['compare', '--'], 2, qr/"--" separates two sides/,     'sides need names');
};

subtest 'the only interrupted run' => sub {
    my $test  = TestRun->new(programs => { pipe => 'hang' });
    my $begun = sub {
        my ($name)  = @_;
        my $journal = $test->place('results', "$name.journal");
        my $run     = $test->started(qw(-q -c 1 -i 1 syscall pipe));
        eventually(sub { -e $journal && ($test->text("$name.journal") =~ tr/\n//) > 2 });
        return $run;
    };
    my $end = sub { my ($run) = @_; kill TERM => $run->{pid}; return waited($run) };
    $test->{env}{UB_OUTPUT_FILE_NAME} = 'first';
    my $first = $begun->('first');
    says($test, ['--resume'], 2, qr/\ARun: there is no interrupted run in results\n\z/, 'a run that goes on is none');
    $end->($first);
    my $resumed = $test->started(qw(-q --resume));
    ok(eventually(sub { ($test->text('first.journal') =~ /"resumed"/) }), '--resume takes it');
    $end->($resumed);

    for my $name (qw(second third)) {
        $test->{env}{UB_OUTPUT_FILE_NAME} = $name;
        $end->($begun->($name));
    }
    unlink $test->place('results', 'first.journal') or die "first.journal: $!\n";
    says($test, ['--resume'], 2,
        qr{\ARun: several runs were interrupted; name one of them: ./Run --resume NAME; they are second third\n\z},
        'two of them');
};

# Directories of results in which some files are torn, changed, or not plain files: each is named as bad, and the
# others are compared.

my $TEST = TestRun->new;
my $HERE = $TEST->place('results');

subtest 'a comparison' => sub {
    directory($TEST, 8, %BAD, %NONE);
    with_links($TEST);
    my $run = $TEST->run('compare', $HERE);
    is($run->{status}, 1, 'exit status 1');
    my @lines = split /\n/, $run->{err};
    is(scalar @lines, keys %WHY, 'a line for each bad file') or diag $run->{err};
    for my $name (sort keys %WHY) {
        my $said = qr{\Q$HERE/$name\E:? $WHY{$name}};
        like($run->{err},                $said, "$name is named with its reason");
        like($run->{out} =~ s/\n +/ /gr, $said, "$name is named in the report");
    }
    like($run->{out}, qr/\bgood-3\b/, 'the good ones are compared');
};

subtest 'report reads the only result, and names the others' => sub {
    directory($TEST, 1, 'half.html' => $BAD{'half.html'});
    my $run = $TEST->run('report', $HERE);
    like($run->{err}, qr{^Run: left out: \Q$HERE\E/half.html $WHY{'half.html'}$}m, 'the other one');
};

done_testing;
