use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use TextTable                qw(row_texts);
use Fixture                  qw(measured result run);
use KnownView                ();
use Place                    qw(text_of);
use UnixBench::Report::Block qw(within);
use UnixBench::Report::Topic::Scores;
use UnixBench::Score::Scaling;
use UnixBench::Summary;

sub table { return JSON::PP->new->decode(text_of("$FindBin::Bin/../../data/score.json"))->{gain_table} }

# Takes a number of copies, an index and tests as [title, index]; returns a run of a summary with one index of these
# tests.
sub indexed_run {
    my ($copies, $index, @tests) = @_;
    my @scored = map { {
        name     => "test$_",
        title    => $tests[$_][0],
        status   => 'measured',
        score    => $tests[$_][1],
        unit     => 'lps',
        baseline => 10
    } } 0 .. $#tests;
    my @names = map { $_->{name} } @scored;
    my %index = (category => 'system', title => 'System Benchmarks', complete => 1, index => $index, tests => \@names);
    return { copies => $copies, tests => \@scored, indexes => [\%index] };
}

# Takes runs of a result; returns the scaling of its summary.
sub of { return UnixBench::Score::Scaling::of(UnixBench::Summary::of(result([@_]))) }

# Takes a key and a row; returns its values, rounded to four decimals. Counts and times of a Fixture are not quite even.
sub rounded {
    my ($key, $line) = @_;
    return [map { defined $_->{$key} ? 0 + sprintf '%.4f', $_->{$key} : undef } @{ $line->{at} }];
}

# Takes a kind and data; returns the blocks of that kind in a report.
sub blocks {
    my ($kind, $gain) = @_;
    my ($section) = within('brief', UnixBench::Report::Topic::Scores::of_result(KnownView->new(scaling => $gain)));
    return grep { $_->{kind} eq $kind } @{ $section->{blocks} };
}

sub headings {
    my ($table) = @_;
    my (undef, @headings) = map { $_->{heading} } @{ $table->{columns} };
    return \@headings;
}

sub texts_of {
    my ($gain)  = @_;
    my ($table) = blocks(table => $gain);
    return { map { $_->{title} => [row_texts($table, $_)] } @{ $table->{rows} }, @{ $table->{foot} } };
}

sub sentences {
    my ($gain) = @_;
    return map { @{ $_->{texts} } } blocks(paragraphs => $gain);
}

subtest 'a known table of a machine with two processors is reproduced' => sub {
    my $table = table();
    my @rows  = @{ $table->{rows} };
    my ($one, $two, $percent) = @{ $table->{index} };
    my $runs =
        [indexed_run(1, $one, map { [@$_[0, 1]] } @rows), indexed_run(2, $two, map { [@$_[0, 2]] } @rows)];
    my $texts = texts_of(UnixBench::Score::Scaling::of({ runs => $runs }));
    for my $row (@rows) {
        my ($title, $first, $second, $gain) = @$row;
        is_deeply($texts->{$title}, [sprintf('%.1f', $first), sprintf('%.1f', $second), "$gain %"], "row of $title");
    }
    is_deeply($texts->{'System Benchmarks index'}, [$one, $two, "$percent %"], 'row of the index');
    is(scalar keys %$texts, @rows + 1, 'there are no other rows');
};

subtest 'three numbers of copies have gain and efficiency' => sub {
    my $gain = of(map { run($_, measured('pipe', $_, 12_440_000), measured('hanoi', $_, 1_000_000 / $_)) } 4, 1, 2);
    is_deeply($gain->{copies}, [1, 2, 4], 'numbers of copies are sorted');
    my ($pipe, $hanoi) = @{ $gain->{tests} };
    is($pipe->{title}, 'Pipe Throughput', 'a test has its title');
    is_deeply([map { sprintf '%.0f', $_->{index} / 100 } @{ $pipe->{at} }], [10, 20, 40], 'indexes of a test');
    is_deeply(rounded(gain       => $pipe),  [undef, 1,     3],     'gain of a test');
    is_deeply(rounded(efficiency => $pipe),  [undef, 1,     1],     'efficiency of a test');
    is_deeply(rounded(index      => $hanoi), [undef, undef, undef], 'a test without a baseline has no index');
    is_deeply(rounded(gain       => $hanoi), [undef, 0,     0],     'a test without a baseline has a gain');
    is_deeply(rounded(efficiency => $hanoi), [undef, 0.5,   0.25],  'a test without a baseline has an efficiency');
    my ($table) = blocks(table => $gain);
    is_deeply(headings($table), ['1 copy', '2 copies', '4 copies', 'Gain', 'Efficiency'], 'a column for each');
    is_deeply(
        [$table->{rows}[1]{title}, row_texts($table, $table->{rows}[1])],
        ['Recursion Test -- Tower of Hanoi', ('---') x 3, '0 %', '25 %'],
        'a row without an index and with a gain of 0'
    );
    is(scalar(() = sentences($gain)), 2, 'both are explained');
};

subtest 'a value that other load has lowered has no gain' => sub {
    my $pipe = sub {
        my ($copies, $loud) = @_;
        my $test = measured('pipe', $copies, (100) x 8);
        $_->{tags} = [{ cause => 'others', level => 'disturbed', value => 1 }] for @{ $test->{passes} }[0 .. $loud - 1];
        return run($copies, $test);
    };
    my $gain = sub { return of($pipe->(1, $_[0]), $pipe->(2, $_[1]))->{tests}[0]{at}[1]{gain} };
    is(sprintf('%.2f', $gain->(0, 2)), '1.00', 'a quarter of the passes is not too much');
    is($gain->(3, 0), undef, 'more would raise it');
    is($gain->(0, 3), undef, 'or lower it');
};

done_testing;
