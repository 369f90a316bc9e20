use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use TestRun;
use UnixBench::Base::Halt;

# An error of the suite itself is never the result of a test.

my $PANIC = "panic: leave_scope inconsistency 56 at lib/UnixBench/Process/EventLoop.pm line 73.\n";

# What was thrown => whether it is an internal error.
for my $case (
    [$PANIC                                                                    => 1],
    ["Can't locate object method \"x\" at /a b/c.pm line 3, <STDIN> line 5.\n" => 1],
    ["Undefined subroutine &main::x called at Run line 1, <\$from> chunk 2.\n" => 1],
    ["can't start a process: Resource temporarily unavailable\n"               => 0],
    ["line 3 is damaged: no number at all\n"                                   => 0],
    ["at line 5.\n"                                                            => 0],
    )
{
    my ($thrown, $is_internal) = @$case;
    is(UnixBench::Base::Halt::is_thrown($thrown), $is_internal, $thrown =~ s/\n//r);
}
is(UnixBench::Base::Halt::in_words($PANIC), "internal error, please report it: $PANIC", 'is reported as what it is');

my @WORDS = qw(-q -c 1 -i 4 syscall pipe);
my $test  = TestRun->new;
my $ended = do {
    local $test->{env} = { PERL5OPT => "-I$FindBin::Bin/../lib -MInternalError" };
    $test->run(@WORDS);
};
is($ended->{status}, 1, 'the exit status says that something went wrong');
like(
    $ended->{err},
    qr/^Run: internal error, please report it: panic: leave_scope .* line [0-9]+[.]$/m,
    'a line says what'
);
like($ended->{err}, qr{^Run: what was measured is kept; to go on: [.]/Run --resume \S+$}m, 'and how to resume');
unlike($ended->{err}, qr/aborting this test/, 'no test is to blame');
like($test->report(q{}), qr/no measured results: interrupted after 2 of 4 passes/, 'the test under way is interrupted');

my ($name) = map { /(.*)[.]journal\z/ ? $1 : () } $test->reports;
my $resumed = $test->run('-q', '--resume', $name);
is($resumed->{status}, 0, 'the run can be resumed');
is_deeply([sort keys %{ $test->scores }], ['Pipe Throughput', 'System Call Overhead'], 'and all is measured then');

done_testing();
