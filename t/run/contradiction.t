use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use TestRun;

# A result that contradicts itself is not written: no report gets its name, and the journal is kept.

my @WORDS = qw(-q -c 1 -i 4 syscall);
my $test  = TestRun->new(env => { UB_OUTPUT_FILE_NAME => 'mine', UB_OUTPUT_CSV => 'true' });

# Runs Run with a fault; returns the ended run.
sub faulty {
    my (@words) = @_;
    local $test->{env} = { %{ $test->{env} }, PERL5OPT => "-I$FindBin::Bin/../lib -MPlanted=contradiction" };
    return $test->run(@words);
}

# Tests that a run was refused, and that these files are left.
sub is_refused {
    my ($name, $run, @files) = @_;
    my $output = $test->place('output.json');
    is_deeply([@$run{qw(status out)}], [1, q{}], "$name: exit status 1, and no report is printed");
    like(
        $run->{err},
        qr{\ARun:[ ]no[ ]report[ ]was[ ]written,[ ]because[ ]the[ ]result[ ]contradicts[ ]itself:[ ]
           syscall:[ ]the[ ]passes[ ]are[ ]out[ ]of[ ]order\n
           Run:[ ]the[ ]finished[ ]passes[ ]are[ ]kept;[ ]to[ ]resume:[ ]
           [.]/Run[ ]--resume[ ]\S+/mine[ ]--json[ ]\S+\n\z}x,
        "$name: the message names the contradiction, and says how to resume with the same output"
    );
    ok(!-e $output, "$name: --json writes no file");
    is_deeply([map { s/[.][0-9]+[.]new\z/.PID.new/r } $test->reports], [@files], "$name: the journal is kept");
    return;
}

my @json = ('--json', $test->place('output.json'));
is_refused('a run', faulty(@WORDS, @json), qw(mine.journal mine.log));
is($test->run(qw(-q --resume mine))->{status}, 0, 'the run can be resumed without the fault');
my @whole = $test->reports;
is_deeply([@whole], [qw(mine mine.csv mine.html mine.log)], 'it is complete');
my ($earlier) = values %{ $test->scores };

is_refused('a run that would replace a result', faulty(@WORDS, @json), sort @whole, qw(mine.journal mine.log.PID.new));
is_deeply([values %{ $test->scores }], [$earlier], 'the earlier result stays');
is($test->run('report', '-q', 'mine')->{status}, 0, 'it can be read');

done_testing();
