use strict;
use warnings;

use FindBin;
use Test::More;
use Time::HiRes ();

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use LoadedRun;
use TestRun;

# Old scripts find the classic report in a directory of results by one of five rules.

# What scripts search for: the result of a test, an index, and two phrases that they count.
my $RESULT  = qr/^\S.*? {2,}[0-9]+[.][0-9] \S+ +[(][0-9.]+ s, [0-9]+ samples[)]$/m;
my $INDEX   = qr/^System Benchmarks Index Score.*$/m;
my @PHRASES = (qr/of tests/, qr/[(]Partial Only[)]/);

my %PROGRAMS = ((map { $_ => 'brisk' } qw(dhry2reg whetstone-double syscall pipe spawn execl fstime looper)));
my @WORDS    = qw(-q -c 1 -c 2 -i 1);

for my $case (
    ['the index', [], 'index'],
    ['a part of the index', [], 'pipe', 'syscall'],
    [
        'all formats',
        [map { ("UB_OUTPUT_$_" => 'true') } qw(CSV JSON)],
        qw(--markdown - --html /dev/null --details), 'index'
    ],
    )
{
    my ($what, $env, @words) = @$case;
    my $test = TestRun->new(programs => \%PROGRAMS, env => {@$env});
    my $run  = $test->run(@WORDS, @words);
    is($run->{status}, 0, "$what: the run succeeds") or diag $run->{said};
    is_found($what, $test);
}

done_testing;

# Tests that each rule finds the report of the only run in a place.
sub is_found {
    my ($what, $test) = @_;
    my @names  = $test->reports;
    my ($name) = grep { /\A[^.]+\z/ } @names;
    my $report = $test->text($name);
    like($report, $INDEX, "$what: the report has an index");

    my ($newest) = sort { written_at($test, $b) <=> written_at($test, $a) } grep { !/[.](?:html|log)\z/ } @names;
    is($newest, $name, "$what: the newest file that is neither .html nor .log");
    like($name, qr/\A[\w-]+-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}\z/, "$what: the file named after host and date");
    my %rule = (
        'everything that is not .log or .html'       => [grep { !/[.](?:html|log)\z/ } @names],
        'everything that is not .csv, .html or .log' => [grep { !/[.](?:csv|html|log)\z/ } @names],
        'every file'                                 => \@names,
    );

    for my $rule (sort keys %rule) {
        is_deeply(seen_in(map { $test->text($_) } @{ $rule{$rule} }), seen_in($report), "$what: $rule");
    }
    return;
}

# Returns what scripts find in these texts.
sub seen_in {
    my $text = join "\n", @_;
    return { lines => [$text =~ /$RESULT|$INDEX/g], phrases => [map { scalar(() = $text =~ /$_/g) } @PHRASES] };
}

sub written_at {
    my ($test, $name) = @_;
    return (Time::HiRes::stat($test->place('results', $name)))[9];
}
