use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use BadResults qw(%BAD %NONE %WHY directory why with_links);
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
        my $said = qr{\Q$HERE/$name\E:? @{[why($name)]}};
        like($run->{err},                $said, "$name is named with its reason");
        like($run->{out} =~ s/\n +/ /gr, $said, "$name is named in the report");
    }
    like($run->{out}, qr/\bgood-3\b/, 'the good ones are compared');
};

subtest 'report reads the only result, and names the others' => sub {
    directory($TEST, 1, 'half.html' => $BAD{'half.html'});
    my $run = $TEST->run('report', $HERE);
    like($run->{err}, qr{^Run: left out: \Q$HERE/half.html $WHY{'half.html'}\E$}m, 'the other one');
};

subtest 'sides of a comparison' => sub {
    directory($TEST, 2, 'torn.json' => $BAD{'torn.json'});
    my @good = map { "$HERE/good-$_.html" } 1, 2;
    my $run  = $TEST->run('compare', @good, '--', $HERE);
    is($run->{status}, 1, 'a bad file of a side is left out');
    like($run->{out}, qr/good-1/, 'the others are compared');
    directory($TEST, 0, 'torn.json' => $BAD{'torn.json'}, 'empty.html' => q{});
    $run = $TEST->run('compare', $HERE);
    is_deeply([@$run{qw(status out)}], [2, q{}], 'a directory of bad files is refused');
    like($run->{err}, qr/^there are fewer than two other results$/m, 'the last line says why');
};

subtest 'a file that the user has named is refused in the same way everywhere' => sub {
    directory($TEST, 8, %BAD);
    my @good = map { "$HERE/good-$_.html" } 1 .. 8;
    for my $name (sort keys %BAD) {
        my $bad  = "$HERE/$name";
        my %said = (
            'report'  => ['report',  $bad],
            'compare' => ['compare', $good[0], $bad],
        );
        for my $way (sort keys %said) {
            my $run = $TEST->run(@{ $said{$way} });
            is_deeply([@$run{qw(status out)}], [2, q{}], "$name: $way refuses it");
            like(
                $run->{err},
                qr/\ARun: \Q$bad\E (?:is not a result: |@{[why($name)]})[^\n]*\n\z/,
                "$name: $way says why"
            );
        }
    }
};

done_testing();
