# The option --why of the real program, with results whose copies have used known CPU times.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(measured result run);
use Rendered                       qw(rendered);
use LoadedRun;
use Used qw(with_use);

# Takes numbers of copies; returns the JSON of a result in which eight copies do half as much each.
sub json_with {
    my (@copies) = @_;
    my %rates = (1 => [16e6, 16.1e6, 16e6], 8 => [9e6, 9.1e6, 9e6]);
    return rendered(json => result([map { with_use(run($_, measured(pipe => $_, @{ $rates{$_} }))) } @copies]));
}

my $PLACE = TestRun->new;
$PLACE->write('results', 'one.json',  json_with(1));
$PLACE->write('results', 'both.json', json_with(1, 8));

# The first call of report writes the reports that are missing.
$PLACE->run('report', $_) for qw(one both);

# [words of the command line, what a successful run prints].
my @CASES = (
    ['report both -q --why',           qr/^Pipe Throughput: .*kernel work -[0-9.]+ %/m],
    ['report both --why --markdown -', qr/^- Pipe Throughput: .*kernel work -[0-9.]+ %/m],
    ['compare one both --why',         qr/^Factors +Ratio/m],
);
for my $case (@CASES) {
    my ($words, $said) = @$case;
    my $run = $PLACE->run(split q{ }, $words);
    is_deeply([@$run{qw(status err)}], [0, q{}], "$words: exit status 0, no error");
    like($run->{out}, $said, '... and what is said');
}
like($PLACE->run(qw(report one -q --why))->{out}, qr/only one number of copies.*compare A B --why/s, 'one number');
unlike($PLACE->run(qw(report both -q))->{out}, qr/kernel work/, 'nothing has them unasked');

done_testing;
