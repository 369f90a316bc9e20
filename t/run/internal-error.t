use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use TestRun;
use UnixBench::Base::Halt;

# Internal errors of the suite are never reported as results of tests.

my $PANIC = "panic: leave_scope inconsistency 56 at lib/UnixBench/Process/EventLoop.pm line 73.\n";

# Error messages => whether they are internal errors.
my %IS_INTERNAL = (
    $PANIC                                                         => 1,
    "Undefined subroutine &main::x called at Run, <\$f> line 2.\n" => 1,
    "can't start a process: Resource temporarily unavailable\n"    => 0,
    "line 3 is damaged: no number at all\n"                        => 0,
);
is(UnixBench::Base::Halt::is_thrown($_), $IS_INTERNAL{$_}, s/\n//r) for sort keys %IS_INTERNAL;
is(
    UnixBench::Base::Halt::in_words($PANIC),
    "internal error, please report it: $PANIC",
    'an internal error is reported as such'
);

my @WORDS = qw(-q -c 1 -i 4 syscall pipe);
my $test  = TestRun->new;
my $ended = do {
    local $test->{env} = { PERL5OPT => "-I$FindBin::Bin/../lib -MPlanted=internal-error" };
    $test->run(@WORDS);
};
is($ended->{status}, 1, 'an internal error: exit status 1');
like(
    $ended->{err},
    qr/^Run: internal error, please report it: panic: leave_scope .* line [0-9]+[.]$/m,
    'an internal error is printed in one line'
);
like(
    $ended->{err},
    qr{^Run: the finished passes are kept; to resume: [.]/Run --resume \S+$}m,
    'the message says how to resume the run'
);
unlike($ended->{err}, qr/aborting this test/, 'no test is blamed for the internal error');
like($test->report(q{}), qr/no measured results: interrupted after 2 of 4 passes/, 'the current test is interrupted');

my ($name) = map { /(.*)[.]journal\z/ ? $1 : () } $test->reports;
my $resumed = $test->run('-q', '--resume', $name);
is($resumed->{status}, 0, 'the run can be resumed');
is_deeply([sort keys %{ $test->scores }], ['Pipe Throughput', 'System Call Overhead'],
    'the resumed run has all scores');

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
