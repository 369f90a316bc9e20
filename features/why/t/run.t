# The option --why of the real program, with results whose copies have used known CPU times.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(measured result run);
use Rendered                       qw(rendered);
use TestRun;
use Used qw(with_use);

# Takes numbers of copies; returns a result in which eight copies do half as much each.
sub result_with {
    my (@copies) = @_;
    my %rates = (1 => [16e6, 16.1e6, 16e6], 8 => [9e6, 9.1e6, 9e6]);
    return result([map { with_use(run($_, measured(pipe => $_, @{ $rates{$_} }))) } @copies]);
}

my $PLACE = TestRun->new;
$PLACE->write('results', 'one.json',  rendered(json => result_with(1)));
$PLACE->write('results', 'both.json', rendered(json => result_with(1, 8)));

# The first call of report writes the reports that are missing.
$PLACE->run('report', $_) for qw(one both);

# Takes words of the command line; returns what a successful run prints.
sub said {
    my (@words) = @_;
    my $run = $PLACE->run(@words);
    is_deeply([@$run{qw(status err)}], [0, q{}], "@words: exit status 0, no error");
    return $run->{out};
}

my $SENTENCE = qr/^(?:- )?Pipe Throughput: .*kernel work -[0-9.]+ %/m;

subtest 'a result with several numbers of copies' => sub {
    my $text = said(qw(report both -q));
    my $why  = said(qw(report both -q --why));
    is(substr($why, 0, length $text), $text, 'the report comes first');
    like(substr($why, length $text),               $SENTENCE, 'the factors follow');
    like(said(qw(report both --why --markdown -)), $SENTENCE, 'a ticket has them');
    unlike($text, $SENTENCE, 'nothing has them unasked');
};

subtest 'a result with one number of copies' => sub {
    like(said(qw(report one -q --why)), qr/only one number of copies.*compare A B --why/s,
        'the line names the command');
};

subtest 'a comparison' => sub {
    like(said(qw(compare one both --why)), qr/^Factors +Ratio/m, 'the table of the factors');
};

done_testing;
