# ./Run --label, and ./Run compare --by.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use TestRun qw(give_rates rated);
use LoadedRun;
use UnixBench::Base::JSON;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

# Results that ./Run has measured: two rounds of each state, with these rates of syscall, and one without labels.
# Comparisons start in their directory.
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
    like($run->{out}, qr/^1 copy +Group +A [(]2[)] +Ratio .*\nSystem Call Overhead +B .* slower\n/m, 'their table');
    like($MACHINE->text($_), qr/Group\b.*A [(]2[)].*Ratio/s, "in $_") for qw(states.html states.md);
    my $data = UnixBench::Base::JSON::decode($MACHINE->text('states.json'));
    is_deeply(
        [$data->{outcome}, map { "$_->{name} $_->{runs}" } @{ $data->{groups}{groups} }],
        ['slower', 'old 2', 'new 2', 'other 2'],
        'and in the JSON'
    );
    is(compare(qw(--by state --baseline new), @files)->{status}, 0, 'with the slower one as the baseline: 0');
    like(compare(qw(--by round), @files)->{out}, qr/^1 copy +A [(]3[)] +B [(]3[)]/m, 'by another label');
};

subtest 'results that are in no group' => sub {
    my $left_out = 'states/unlabelled.html has no state';
    my $run      = compare(qw(--by state --baseline old states));
    is_deeply([@$run{qw(status err)}], [3, q{}], 'in a directory, they do not matter');
    like($run->{out}, qr/^Left out:\n   \Q$left_out\E$/m, 'they are named');
    my $why = 'option --by: unlabelled.html and ./unlabelled.html have no state: leave out such results';
    $run = compare(qw(--by state old-1.html new-1.html unlabelled.html ./unlabelled.html));
    is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: $why\n"], 'named as files, they are refused');
};

done_testing();
