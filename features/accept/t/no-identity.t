# Verdicts with --no-identity have no names, also not that of the directory of a file.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use Anonymous qw($ODD left_of nobody_is_named place);
use LoadedRun;
use UnixBench::Accept::Judge;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my @WORDS = (qw(-c 1 -i 2 --no-identity syscall pipe hanoi context1 --require), 'syscall >= 1');

subtest '--junit' => sub {
    my $test = place('marvin');
    my $run  = $test->run(qw(--junit -), @WORDS);
    like($run->{out}, qr/^<error /m, '--junit prints the verdicts as usual');
    nobody_is_named($test, left_of($test, $run));
};

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

subtest 'a criterion without names' => sub {
    my @by        = ({ name  => '/home/zaphod/hog', passes => 2 }, { passes => 1, cpus => 1 });
    my $load      = [{ cause => 'others',           by     => \@by }, { cause => 'waiting', by => [$by[0]] }];
    my $criterion = { text => 'pipe>=1*/home/zaphod/old', file => '/home/zaphod/old', base => { other_load => $load } };
    my $shown     = UnixBench::Accept::Judge::anonymous($criterion);
    is_deeply([@$shown{qw(text file)}], ['pipe>=1*REFERENCE', 'REFERENCE'], 'the file has no name');
    is_deeply(
        $shown->{base}{other_load},
        [{ cause => 'others', by => [$by[1]] }, { cause => 'waiting' }],
        'the other load of its result has no names'
    );
    is($load->[1]{by}[0]{name}, '/home/zaphod/hog', 'the criterion itself does not change');
};

done_testing;
