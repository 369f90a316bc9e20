use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use TestRun;
use UnixBench::Base::Halt;

# Internal errors of the suite are never reported as results of tests, and a result that contradicts itself is not
# written.

# Runs Run with a fault, see Planted; returns the ended run.
sub faulty {
    my ($fault, $test, @words) = @_;
    local $test->{env} = { %{ $test->{env} }, PERL5OPT => "-I$FindBin::Bin/../lib -MPlanted=$fault" };
    return $test->run(@words);
}

my $PANIC = "panic: leave_scope inconsistency 56 at lib/UnixBench/Process/EventLoop.pm line 73.\n";

# Error messages => whether they are internal errors.
my %IS_INTERNAL = (
    $PANIC                                                         => 1,
    "Undefined subroutine &main::x called at Run, <\$f> line 2.\n" => 1,
    "can't start a process: Resource temporarily unavailable\n"    => 0,
    "line 3 is damaged: no number at all\n"                        => 0,
);
is(UnixBench::Base::Halt::is_thrown($_),    $IS_INTERNAL{$_}, s/\n//r) for sort keys %IS_INTERNAL;
is(UnixBench::Base::Halt::in_words($PANIC), "internal error, please report it: $PANIC", 'an internal error in words');

my @WORDS = qw(-q -c 1 -i 4 syscall pipe);
my $test  = TestRun->new;
my $ended = faulty('internal-error', $test, @WORDS);
is($ended->{status}, 1, 'an internal error: exit status 1');
like($ended->{err}, qr/^Run: internal error, please report it: panic: leave_scope .* line [0-9]+[.]$/m, 'one line');
like($ended->{err}, qr{^Run: the finished passes are kept; to resume: [.]/Run --resume \S+$}m, 'how to resume the run');
unlike($ended->{err}, qr/aborting this test/, 'no test is blamed for the internal error');
like($test->report(q{}), qr/no measured results: interrupted after 2 of 4 passes/, 'the current test is interrupted');

my ($name) = map { /(.*)[.]journal\z/ ? $1 : () } $test->reports;
my $resumed = $test->run('-q', '--resume', $name);
is($resumed->{status}, 0, 'the run can be resumed');
is_deeply([sort keys %{ $test->scores }], ['Pipe Throughput', 'System Call Overhead'], 'all its scores');

# Tests that a run whose result contradicts itself is refused, and that these files are left.
sub is_refused {
    my ($name, $machine, @files) = @_;
    my $output = $machine->place('output.json');
    my $run    = faulty('contradiction', $machine, qw(-q -c 1 -i 4 syscall --json), $output);
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
    is_deeply([map { s/[.][0-9]+[.]new\z/.PID.new/r } $machine->reports], [@files], "$name: the journal is kept");
    return;
}

subtest 'a result that contradicts itself' => sub {
    my $machine = TestRun->new(env => { UB_OUTPUT_FILE_NAME => 'mine', UB_OUTPUT_CSV => 'true' });
    is_refused('a run', $machine, qw(mine.journal mine.log));
    is($machine->run(qw(-q --resume mine))->{status}, 0, 'the run can be resumed without the fault');
    my @whole = $machine->reports;
    is_deeply([@whole], [qw(mine mine.csv mine.html mine.log)], 'it is complete');
    my $earlier = $machine->scores;
    is_refused('a run that would replace a result', $machine, sort @whole, qw(mine.journal mine.log.PID.new));
    is_deeply($machine->scores, $earlier, 'the earlier result stays');
    is($machine->run('report', '-q', 'mine')->{status}, 0, 'it can be read');
};

# Loaded into Run with the path of a module: the text in the file UB_BROKEN is loaded instead of that module. When INIT
# comes, the directory of the suite is at the beginning of @INC.
my $BREAKING = <<'PERL';
package Breaking;
my $broken;
sub import { (undef, $broken) = @_; return }
INIT {
    unshift @INC, sub {
        return if $_[1] ne $broken;
        open my $file, '<', $ENV{UB_BROKEN} or die "$ENV{UB_BROKEN}: $!\n";
        return $file;
    };
}
1;
PERL

# A module that is there but can't be loaded is not a part of Perl that is missing. [its path, its text, the beginning
# of the message].
for my $broken (
    ['Digest/SHA.pm',                   "die 'no such machine';\n", 'no such machine at '],
    ['UnixBench/Plan/ResourceCheck.pm', "sub {\n",                  'Missing right curly'],
    ['UnixBench/Call/Request.pm',       "0;\n",                     'UnixBench/Call/Request.pm did not return'],
    ['UnixBench/Command/Compare.pm',    "use No::Such::Module;\n",  "Can't locate No/Such/Module.pm in \@INC"],
    )
{
    my ($path, $text, $why) = @$broken;
    my $tree = TestRun->new;
    $tree->write('test', 'Breaking.pm', $BREAKING);
    my %broken = (UB_BROKEN => $tree->write('test', 'broken', $text));
    $tree->{env} = { %broken, PERL5OPT => "-I$FindBin::Bin/../lib -I" . $tree->place('test') . " -MBreaking=$path" };
    $tree->write('results', 'a', $test->report(q{}));
    my $run = $tree->run($path =~ /Compare/ ? qw(compare a a) : qw(--quick --dry-run syscall));
    is_deeply([@$run{qw(status out)}], [1, q{}], "$path: exit status 1");
    like($run->{err}, qr/\ARun: internal error, please report it: \Q$why\E[^\n]*\n\z/, "$path: the reason");
}

done_testing();
