# The CSV of a result. To record the tables again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases    qw(cases);
use Fixture  qw(failed measured result run);
use Golden   qw(is_golden no_golden_left_over);
use Rendered qw(rendered);
use UnixBench::Catalog;

for my $case (cases()) {
    my $csv = rendered(csv => $case->{result});
    is_golden("$case->{name}.csv", $csv) if $case->{name} =~ /\A(?:categories|hostile|several-copies)\z/;
    my @lines = split /\n/, $csv;
    is(@lines, 1 + @{ $case->{result}{runs} }, "$case->{name}: each run has a line");
    my ($columns, @others) = map { tr/,// } @lines;
    is_deeply([grep { $_ != $columns } @others], [], "$case->{name}: all lines have the same number of fields");
}

my $one = measured('pipe',  1, 20);
my $two = measured('spawn', 2, 60);
my $csv = rendered(csv => result([run(1, $one, failed('execl', 'gone')), run(2, $two)]));
is($csv, <<'END', 'columns are the tests of all runs, empty if not measured');
Concurrency,Execl Throughput,Pipe Throughput,Process Creation
1,,2.0,
2,,,4.0
END

$one->{title} = qq{a, "quoted"\ntitle};
is(rendered(csv => result([run(1, $one)])), qq{Concurrency,"a, ""quoted""\\ntitle"\n1,2.0\n}, 'a title is quoted');

subtest 'titles that a spreadsheet would take for formulas' => sub {
    for my $start (qw(= + - @)) {
        my $title = "${start}cmd|'/c calc'!A0";
        my $told  = rendered(csv => result([run(1, { %$one, title => $title })]));
        like($told, qr/\AConcurrency,'\Q$title\E\n/, "a title that begins with $start is a text");
    }
    for my $start ("\t", "\r") {
        my $told = rendered(csv => result([run(1, { %$one, title => "$start=1" })]));
        like($told, qr/\AConcurrency,\\[tr]=1\n/, 'control characters are written as escapes');
    }
    for my $test (UnixBench::Catalog::tests()) {
        my $told = rendered(csv => result([run(1, { %$one, title => $test->{title} })]));
        like($told, qr/\AConcurrency,"?\Q$test->{title}\E"?\n/, "a title of ours is unchanged: $test->{title}");
    }
};

no_golden_left_over();
done_testing();
