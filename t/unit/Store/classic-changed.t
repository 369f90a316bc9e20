# Tests of text reports in all forms, whole and damaged: no number, no name and no place is wrong, and Perl has no
# warning. t/long/texts has more damages.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use ChangedTexts qw(TEXTS lies_in original);
use ReportTexts  qw(FORMS);
use UnixBench::Store::ClassicReport;

use constant CHANGES => 100;

my %WITHOUT_NAME = map { $_ => 1 } qw(csv log mail sections tables);

my @forms = FORMS();
cmp_ok(scalar @forms, '>=', 10, 'there are ten forms');
for my $number (0 .. TEXTS - 1) {
    my ($truth, $text, $form) = original($number);
    my @read   = UnixBench::Store::ClassicReport::summaries($text);
    my @runs   = map { @{ $_->{runs} } } @read;
    my @copies = map { $form eq 'tables' ? undef : $_ } @{ $truth->{copies} };
    is_deeply([map { $_->{copies} } @runs], \@copies, "$form, $number: the numbers of copies");
    is_deeply([map { $_->{name} } @read],   [map { $WITHOUT_NAME{$form} ? undef : $truth->{name} } @read], 'the name');
    is(@read, $form eq 'tables' ? @copies : 1, 'the number of reports');
    for my $at (0 .. $#runs) {
        my %score = map { $_->{name} => sprintf '%.1f', $_->{score} } @{ $runs[$at]{tests} };
        is_deeply(\%score, $truth->{scores}{ $truth->{copies}[$at] }, 'the scores');
    }
}

for my $seed (1 .. CHANGES) {
    my ($lies, $text) = lies_in($seed);
    is_deeply($lies, [], "change $seed: nothing is wrong") or diag($text);
}

done_testing;
