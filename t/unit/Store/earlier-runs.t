# Tests of what earlier runs in the directory of results show: UnixBench::Store::EarlierRuns.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(host measured result run tag tagged);
use Place    qw(write_file);
use Rendered qw(rendered);
use UnixBench::Store::EarlierRuns;

use constant START => 1_795_140_750;

# Takes a factor for all rates, and parts of a result; returns it. Its passes vary by less than 0.1 %.
sub made {
    my ($factor, %with) = @_;
    my @counts = map { int $factor * (1_000_000 + 100 * $_) } 1, 5, 2, 4, 3;
    my $run    = run(1, map { measured($_, 1, @counts) } qw(pipe spawn));
    $run->{started} = START + (delete $with{hours} // 0) * 3600;
    return result([$run], %with);
}

# Takes results; returns a directory with their pages.
sub directory_of {
    my $place  = File::Temp->newdir;
    my $number = 100;
    for my $result (@_) {
        my $path = write_file("$place/" . $number++ . '.html', rendered(html => $result));
        utime $result->{runs}[0]{started}, $result->{runs}[0]{started}, $path;
    }
    return $place;
}

# Takes results; returns what they show the next one about a value, by default of the test pipe.
sub shown {
    my ($results, $what, %own) = @_;
    my $place = directory_of(@$results);
    my $all   = UnixBench::Store::EarlierRuns::of(made(1, hours => 1000, %own), $place) || [];
    my ($one) = grep { "$_->{kind} $_->{name}" eq ($what // 'test pipe') } @$all;
    return $one;
}

subtest 'runs of the same machine are added' => sub {
    my @three = map { made($_->[0], hours => $_->[1]) } [1.01, 1], [0.99, 2], [1, 3];
    my $pipe  = shown(\@three);
    is($pipe->{runs},  3,            'three runs');
    is($pipe->{since}, START + 3600, 'since the first of them');
    cmp_ok(abs($pipe->{squares} - 2e-4), '<', 2e-6, 'two of them differ from their mean by 1 %');
    cmp_ok($pipe->{within},              '<', 1e-6, 'their passes hardly vary');
    is_deeply([sort keys %$pipe], [sort qw(copies kind mean name runs since squares within)], 'the keys of the schema');
    is(shown(\@three, 'test spawn')->{runs}, 3, 'each value has its own');
};

subtest 'other runs tell nothing' => sub {
    my @usual   = map { made(1, hours => $_) } 1, 2;
    my $is_only = sub {
        my ($name, @others) = @_;
        is(shown([@usual, @others])->{runs}, 2, $name);
    };
    $is_only->('another host',      made(0.5, hours => 3, host      => host(name => 'other')));
    $is_only->('another procedure', made(0.5, hours => 3, procedure => { kind => 'official', time_factor => 2 }));
    $is_only->('another CPU', made(0.5, hours => 3, facts => { cpu => { models => [{ model => 'X', count => 2 }] } }));
    $is_only->('a run that came later', made(0.5, hours => 2000));
    my $poor = made(0.5, hours => 3);
    $_ = tagged($_, { map { $_ => [tag(steal => disturbed => 0.5)] } 1 .. 5 }) for @{ $poor->{runs}[0]{tests} };
    $is_only->('a run in which the trust is poor', $poor);
    my %programs = (facts => { programs => { pipe => 'aa' x 32 } });
    is(shown([@usual, made(0.5, hours => 3, %programs)], 'test pipe')->{runs},  2, 'another program');
    is(shown([@usual, made(0.5, hours => 3, %programs)], 'test spawn')->{runs}, 3, 'of which other tests know nothing');
};

subtest 'the latest runs count' => sub {
    my $pipe = shown([map { made(1, hours => $_) } 1 .. 52]);
    is_deeply([@$pipe{qw(runs since)}], [50, START + 3 * 3600], 'the last fifty');
};

subtest 'a directory without results shows nothing' => sub {
    is(shown([]),                                              undef, 'it is empty');
    is(UnixBench::Store::EarlierRuns::of(made(1), '/nowhere'), undef, 'it does not exist');
    my $place = directory_of(made(1));
    write_file("$place/torn.html", '<!DOCTYPE html>');
    is(UnixBench::Store::EarlierRuns::of(made(1, hours => 1), $place)->[0]{runs}, 1, 'a torn page is left out');
};

done_testing;
