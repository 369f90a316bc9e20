# Verdicts with --no-identity have no names, also not that of the directory of a file.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use Anonymous qw($ODD left_of nobody_is_named place);
use LoadedRun;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my @WORDS = (qw(-c 1 -i 2 --no-identity syscall pipe hanoi context1 --require), 'syscall >= 1');

subtest 'requirements relative to a file' => sub {
    my $test = place('marvin');
    $test->{cwd} = $test->place($ODD);
    {
        local $test->{env} = { %{ $test->{env} }, UB_OUTPUT_FILE_NAME => 'last' };
        $test->run(qw(-q -c 1 -i 2 syscall));
    }
    my @required = map { ('--require', "syscall>=1*$_") } 'my results/last.json', $test->place('results', 'last.json');
    my $run      = $test->run(qw(--json -), @WORDS, @required, '--junit', '../j.xml');
    my $left     = left_of($test, $run, 'j.xml');
    delete @$left{ grep { /\Alast/ } keys %$left };
    my @titles = $left->{'j.xml'} =~ /<testcase [^>]*name="(syscall&gt;=1\*[^"]*)"/g;
    is_deeply(\@titles, [('syscall&gt;=1*REFERENCE') x 2], 'a file of a requirement is not named');
    nobody_is_named($test, $left);
};

done_testing;
