# Directories of results in which some files are torn, changed, or not plain files: each is a failed host.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use BadResults qw(%BAD %NONE %WHY directory with_links);
use LoadedRun;
use TestRun;

my $TEST = TestRun->new;
my $HERE = $TEST->place('results');

subtest 'a directory' => sub {
    directory($TEST, 3, %BAD, %NONE);
    with_links($TEST);
    my $run = $TEST->run('fleet', $HERE, '--require', 'pipe>=1');
    is_deeply([@$run{qw(status err)}], [1, q{}], 'exit status 1');
    my $first_line = qr/\A13 hosts: 3 PASS, 10 not measured\b/;
    like($run->{out}, $first_line, 'bad files are failed hosts, and the others are judged');
    for my $name (sort keys %WHY) {
        like($run->{out} =~ s/\n +/ /gr, qr{^\Q$HERE/$name\E +failed .*$WHY{$name}}m, "$name has its reason");
    }
    my ($left_out) = $run->{out} =~ /^Left out:\n((?:   .*\n)+)/m;
    is_deeply([sort map { m{/([^/]+) is not a result: } } split /\n/, $left_out // q{}], [sort keys %NONE], 'others');
};

# In directories of different weeks, only another run of a host is another result.
subtest 'a directory twice' => sub {
    my $run = $TEST->run('fleet', ($HERE) x 2, "$HERE/../results", '--require', 'pipe>=1');
    like($run->{out}, qr/\A13 hosts: 3 PASS, /, 'each run counts once');
};

done_testing();
