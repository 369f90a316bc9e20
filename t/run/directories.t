use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use BadResults qw(%BAD %NONE %WHY directory with_links);
use LoadedRun;
use TestRun;

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

done_testing();
