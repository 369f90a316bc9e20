# The JSON of comparisons, its schema, and the sentences about how far a comparison reaches.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons qw(compared comparisons);
use Fixture     qw(@INDEX measured result run tag tagged);
use Machines    qw(side spread_rates);
use Needs       qw(skip_without);
use Validator   qw(complaints_about schema why_no_validator);
use UnixBench::Base::Files;
use UnixBench::Report::Comparison::Wording qw(runs_needed);
use UnixBench::Report::Comparison::JSON;
use UnixBench::Report::Plain qw(in_plain);
use UnixBench::Summary;

my $WHY_NOT = why_no_validator();
my $PLACE   = File::Temp->newdir;
my %OUTCOME = (outcome => 'done', fail_on => undef, left_out => []);

# Takes a comparison, and what differs from the usual outcome; returns its JSON.
sub json_of {
    my ($comparison, %with) = @_;
    return UnixBench::Report::Comparison::JSON::render($comparison, %OUTCOME, %with);
}

sub data_of { return JSON::PP->new->decode(json_of(@_)) }

# Takes the factors of the runs of two states, and perhaps a least effect; returns their comparison.
sub of_states {
    my ($first, $second, %with) = @_;
    my @sides = map { side("run-$_", runs => { 1 => { pipe => spread_rates(1000 * $_, 0.002) } }) } @$first, @$second;
    return compared(\@sides, sets => [map { scalar @$_ } $first, $second], %with);
}

# Takes a number of passes that are disturbed; returns a side.
sub disturbed {
    my ($label, $count) = @_;
    my %tags  = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. $count;
    my @tests = map { tagged(measured($_, 1, map { 1000 + $_ } 1 .. 8), \%tags) } @INDEX;
    return { label => $label, summary => UnixBench::Summary::of(result([run(1, @tests)])) };
}

my @FOUR   = (0.99, 1.01, 0.985, 1.015);
my %OTHERS = (
    states => of_states(\@FOUR, \@FOUR),
    loud   => compared([disturbed(a => 0), disturbed(b => 8)]),
    partly => compared([disturbed(a => 0), disturbed(b => 3)]),
    mixed  => compared([
        side('a', runs => { 1 => { pipe => [1, 2] } }, procedure => { kind => 'quick' }),
        side('b', runs => { 1 => { pipe => [3, 4] } })
    ]),
);

subtest 'the JSON of every comparison is valid' => sub {
    my %comparison = (comparisons(), %OTHERS);
    my @paths;
    for my $name (sort keys %comparison) {
        UnixBench::Base::Files::write_whole("$PLACE/$name.json", json_of($comparison{$name}));
        push @paths, "$PLACE/$name.json";
    }
    skip_without(@$WHY_NOT) if $WHY_NOT;
    my @complaints = complaints_about('comparison', @paths);
    is($complaints[$_], q{}, "$paths[$_]: valid" =~ s{.*/}{}r) for 0 .. $#paths;
};

subtest 'the JSON has ratios, intervals and verdicts' => sub {
    my %comparison = comparisons();
    my $data       = data_of($comparison{worse}, outcome => 'slower', fail_on => ['pipe'], left_out => ['x is torn']);
    is_deeply([@$data{qw(format schema outcome min_effect)}], ['unixbench-comparison', 1, 'slower', 0.02], 'the head');
    is_deeply($data->{fail_on},                               ['pipe'], 'the names of --fail-on');
    my $finding = 'System Benchmarks index, 1 copy: B (vm) is 3.7 % slower (3.2 to 4.1 %) than A (vm)';
    is($data->{findings}[0],                     $finding,         'the findings');
    is($data->{remarks}[-1],                     'x is torn',      'the results that were left out');
    is($data->{sides}[1]{results}[0]{file},      'after.json',     'the file of a side');
    is($data->{differences}[0]{values}[1]{text}, '6.18.44 #1 SMP', 'a fact');
    my ($pair)  = @{ $data->{pairs} };
    my ($index) = @{ $pair->{indexes} };
    my $own     = $comparison{worse}{pairs}[0]{indexes}[0]{ratio};
    is_deeply([@$pair{qw(first second first_copies second_copies)}], ['A', 'B', 1, 1], 'what is compared');
    is_deeply([@$index{qw(category verdict causes ratio)}], ['system', 'slower', [], $own], 'the index');
    is(scalar @{ $pair->{tests} }, 12, 'all tests');
    my $other = data_of($comparison{forced})->{pairs}[0];
    is($other->{indexes}[0]{why_not}, 'its tests differ', 'an index that was not compared has the reason');
    my ($lacking) = grep { $_->{name} eq 'execl' } @{ $other->{lacking} };
    is_deeply([@$lacking{qw(first second)}], [undef, 'not run'], 'so has a test');
    ok(data_of($OTHERS{mixed})->{pairs}[0]{is_mixed}, 'a quick estimate against an official result');
    is(scalar @{ data_of($comparison{sets})->{sides}[0]{results} }, 2, 'a state has its results');
};

# Takes a comparison; returns the sentences about runs that are needed.
sub advice {
    return map { in_plain($_) } runs_needed($_[0]);
}

subtest 'an inconclusive verdict says how many runs are needed' => sub {
    my $needed = 'To show a difference of 2 % with this scatter, about 10 runs of each side are needed.';
    is_deeply([advice($OTHERS{states})], [$needed], 'four runs of each state');
    is(data_of($OTHERS{states})->{remarks}[0],                        $needed, 'the JSON has the sentence');
    is(data_of($OTHERS{states})->{pairs}[0]{indexes}[0]{runs_needed}, 10,      'and the number');
    my @wide = map { side('x', runs => { 1 => { pipe => spread_rates(1000, 0.05) } }) } 1, 2;
    like((advice(compared(\@wide)))[0], qr/ about 52 runs of each side are needed[.]\z/, 'one run of each');
    is_deeply([advice(of_states(\@FOUR, [map { $_ / 2 } @FOUR]))],  [], 'a clear difference');
    is_deeply([advice($OTHERS{loud})],                              [], 'other load: more runs are not the remedy');
    is_deeply([advice(of_states(\@FOUR, \@FOUR, min_effect => 0))], [], 'every difference matters');
    my @very_many = ('To show a difference of 2 % with this scatter, about 1000 runs of each side are needed.');
    is_deeply([advice(of_states([map { $_**40 } @FOUR], \@FOUR))], \@very_many, 'very many');
};

done_testing();
