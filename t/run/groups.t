# ./Run --label, and ./Run compare --by.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib);
use KnownRates qw(give_rates rated);
use LoadedRun;
use Needs     qw(skip_without);
use Validator qw(complaints_about why_no_validator);
use UnixBench::Base::JSON;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

# Results that ./Run has measured: two rounds of each state, with these rates of syscall. Comparisons start in their
# directory. One result has no labels.
my %RATE    = (old => 1000, new => 900, other => 1000);
my $MACHINE = rated({});
$MACHINE->{cwd} = $MACHINE->place('results');
for my $state (sort keys %RATE) {
    measure("$state-$_", 1000 * ($RATE{$state} + $_), '--label', "state=$state", '--label', "round=$_") for 1, 2;
}
measure('unlabelled', 1e6);
mkdir $MACHINE->place('results', 'states') or die "states: $!\n";
for my $name ('old-1', 'old-2', 'new-1', 'unlabelled') {
    symlink "../$name.html", $MACHINE->place('results', 'states', "$name.html") or die "$name: $!\n";
}

# Takes a name, a rate and words for ./Run; measures syscall at that rate into that name.
sub measure {
    my ($name, $rate, @words) = @_;
    give_rates($MACHINE, syscall => [map { $rate * $_ } 1, 1.001, 0.999]);
    local $MACHINE->{env} = { UB_OUTPUT_FILE_NAME => $name };
    my $run = $MACHINE->run(qw(-q -c 1 -i 3), @words, 'syscall');
    die $run->{err} if $run->{status};
    return;
}

sub compare { return $MACHINE->run('compare', @_) }

subtest 'groups of results' => sub {
    my @files = map { ("$_-1.html", "$_-2.html") } qw(old new other);
    my $run = compare(qw(--by state --min-effect 6 --json states.json --html states.html --markdown states.md), @files);
    is_deeply([@$run{qw(status err)}], [3, q{}], 'a slower group: exit status 3');
    my $index = 'System Benchmarks index (partial), 1 copy:';
    like(
        $run->{out},
        qr/^\Q$index\E B [(]new[)] is [\d.]+ % slower .*\n\Q$index\E A [(]old[)] and C [(]other[)] are equal /m,
        'each group is compared with the first one'
    );
    like($run->{out}, qr/^1 copy: ratios to A, 2 runs of each group\nTest +A [(]2[)] +B [(]2[)]/m, 'their table');
    like(
        $MACHINE->text('states.html') =~ s/\xc2\xa0/ /gr,
        qr/1 copy: ratios to A, 2 runs of each group/,
        'on the page, too'
    );
    like($MACHINE->text('states.md'), qr/^### 1 copy: ratios to A, 2 runs of each/m, 'and in Markdown');
    my $data = UnixBench::Base::JSON::decode($MACHINE->text('states.json'));
    is($data->{outcome}, 'slower', 'the outcome in the JSON');
    is_deeply([map { $_->{group} } @{ $data->{sides} }], [qw(old new other)], 'its sides');
    is_deeply(
        [map { "$_->{name} $_->{runs}" } @{ $data->{groups}{groups} }],
        ['old 2', 'new 2', 'other 2'],
        'its groups'
    );
    my ($row) = @{ $data->{groups}{tables}[0]{rows} };
    is_deeply([map { $_->{verdict} } @{ $row->{others} }], [qw(slower equal)], 'and their verdicts');
    my @alike = grep { !/new/ } @files;
    like(
        compare(qw(--by state --min-effect 6), @alike)->{out},
        qr/^\Q$index\E A [(]old[)] and B [(]other[)] are equal/m,
        'groups that are alike'
    );
    is(compare(qw(--by state --baseline new),    @files)->{status}, 0, 'with the slower one as the baseline: 0');
    is(compare(qw(--by state --fail-on syscall), @files)->{status}, 3, '--fail-on: a test decides');
    is(compare(qw(--by state --min-effect 20),   @files)->{status}, 0, '--min-effect: a small difference does not');
    like(compare(qw(--by round), @files)->{out}, qr/, 3 runs of each group$/m, 'by another label');
SKIP: {
        my $why_not = why_no_validator();
        skip_without(@$why_not, 1) if $why_not;
        is((complaints_about('comparison', $MACHINE->place('results', 'states.json')))[0], q{}, 'the JSON is valid');
    }
};

subtest 'results that are in no group' => sub {
    my @files = map { "$_-1.html" } qw(old new);
    my $run   = compare(qw(--by state), @files, 'unlabelled.html', './unlabelled.html');
    is_deeply(
        [@$run{qw(status out err)}],
        [2, q{}, "Run: option --by: unlabelled.html and ./unlabelled.html have no state: leave out such results\n"],
        'files without the label are refused'
    );
    $run = compare(qw(--by state --baseline old states --json -));
    is_deeply([@$run{qw(status err)}], [3, q{}], 'in a directory, they do not matter');
    my ($remark) = grep { /no state/ } @{ UnixBench::Base::JSON::decode($run->{out})->{remarks} };
    is($remark, 'states/unlabelled.html has no state', 'they are named');
    like(
        compare(qw(--by state states))->{out},
        qr/^Left out:\n   states\/unlabelled.html has no state$/m,
        'also in the text'
    );
    my %why = (
        '--by stage'              => 'option --by stage: no result has this label, and facts are compiler, cpu',
        '--by kernel'             => 'option --by kernel: two groups are needed, and all results have "',
        '--by state --baseline x' => 'option --baseline: no group has "x"; the groups are "old" and "new"',
        '--by state --'           => 'option --by sorts the results into groups: leave out "--"',
    );

    for my $words (sort keys %why) {
        $run = compare($files[0], split(q{ }, $words), $files[1]);
        is_deeply([@$run{qw(status out)}], [2, q{}], "refused: $words");
        like($run->{err}, qr/\ARun: \Q$why{$words}\E.*\n\z/, $why{$words});
    }
};

subtest 'groups are of results that are named' => sub {
    my $run = $MACHINE->run(qw(compare --by kernel));
    is($run->{status}, 2, 'exit status 2');
    like($run->{err}, qr/\ARun: option --by needs results: /, 'the error says so');
};

done_testing();
