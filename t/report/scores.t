# The topic of scores: the table of all tests of a run on a page, and the sentences of a ticket.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use BlockDump                 qw(row_texts);
use Fixture                   qw(failed measured quick_run result run skipped sliced tag tagged);
use UnixBench::Report::Block  qw(within);
use UnixBench::Report::Markup qw(string_of);
use UnixBench::Report::Plain  qw(in_plain);
use UnixBench::Report::Topic::Scores;
use UnixBench::Report::View;

# Takes an extent and a run; returns the blocks about it.
sub blocks {
    my ($extent, $run) = @_;
    my $view = UnixBench::Report::View->new(result => result([$run]));
    return within($extent, UnixBench::Report::Topic::Scores::of_run($view, $run));
}

# Takes tests of a run; returns the only block of their page.
sub table_of {
    my ($table, @others) = grep { $_->{kind} eq 'table' } blocks(full => run(1, @_));
    is(scalar @others, 0, 'a run has one table');
    return $table;
}

# Takes a table; returns its rows, or those of its foot, as texts: title, badges in parentheses, cells, reason.
sub rows {
    my ($table, $part) = @_;
    return map {
        join q{ | }, join(q{ }, $_->{title}, map { "($_)" } @{ $_->{badges} }),
            row_texts($table, $_, sub { string_of($_[0]) =~ s/\xc2\xa0/ /gr }),
            $_->{reason} // ()
    } @{ $table->{ $part // 'rows' } };
}

# Takes a row; returns its shapes as texts: "band FROM TO", "interval FROM TO", "pass AT (WORDS)" and so on.
sub shapes {
    my ($row) = @_;
    my %text_of = (
        grid => sub { 'grid' },
        bar  => sub { sprintf '%s %.1f %.1f', @$_{qw(class from to)} },
        span => sub { sprintf '%s %.1f %.1f', @$_{qw(class from to)} },
        rule => sub { sprintf '%s %.1f',      @$_{qw(class at)} },
        dot  => sub { sprintf '%s %.1f%s', @$_{qw(class at)}, $_->{words} ? ' (' . in_plain($_->{words}) . ')' : q{} },
    );
    return map { $text_of{ $_->{shape} }->() } @{ $row->{shapes} };
}

my @STEADY = (1e6, 1.01e6, 0.99e6);

# Takes tests of a run; returns { title => whether its picture has a pale interval, that of the machine }.
sub pale {
    my %of = map {
        my @shapes = shapes($_);
        $_->{title} => scalar grep { /\Apale/ } @shapes
    } @{ table_of(@_)->{rows} };
    return \%of;
}

subtest 'a test that other load disturbed has no interval of the machine' => sub {
    my @quiet = map { measured($_, 1, @STEADY) } qw(pipe syscall shell1 execl);
    my %loud  = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 3;
    my $spawn = measured('spawn', 1, @STEADY);
    is(pale(@quiet, $spawn)->{'Process Creation'}, 1, 'a quiet one has it');
    my $pale = pale(@quiet, tagged($spawn, \%loud));
    is_deeply([@$pale{ 'Process Creation', 'Pipe Throughput' }], [0, 1], 'a floor has none');
};

subtest 'a score that is a floor has no interval in its picture either' => sub {
    my %loud  = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 3;
    my $table = table_of(tagged(measured('dhry2reg', 1, @STEADY), \%loud));
    my ($row) = @{ $table->{rows} };
    is_deeply([grep { /\A(?:interval|pale)/ } shapes($row)], [], 'no interval');
    is(scalar(grep { /\Apoint / } shapes($row)), 1, 'one point');
    like(in_plain($row->{words}), qr/\Aindex at least \S+, 3 passes from /, 'its description');
    my ($whole) = @{ $table->{foot} };
    is_deeply([grep { /\A(?:interval|pale)/ } shapes($whole)], [], 'the index of the run has none');
};

subtest 'passes that differ wildly beside other load do not stretch the axis' => sub {
    my $wild = tagged(measured('pipe', 1, map { 10 * $_ } 545_000, 900_000, 1_200_000, 1_580_000),
        { map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 4 });
    my $view      = UnixBench::Report::View->new(result => result([run(1, $wild)]));
    my ($run)     = $view->runs;
    my ($profile) = values %{ $view->profiles($run) };
    my ($lowest)  = sort { $a <=> $b } map { $_->{index} } @{ $profile->{passes} };
    my ($least)   = sort { $a <=> $b } UnixBench::Report::Topic::Scores::_values_on_axis($view, $run);
    cmp_ok($least, '>=', $lowest, 'it begins with the passes, not with their interval');
};

subtest 'a score that is a floor has no interval in the details' => sub {
    my %loud = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 3;
    my $run  = run(1, tagged(measured('dhry2reg', 1, @STEADY), \%loud), measured('pipe', 1, @STEADY));
    for my $extent (qw(detail brief)) {
        my ($table) = grep { $_->{kind} eq 'table' } blocks($extent => $run);
        my %row = map { $_->{title} => $_ } @{ $table->{rows} };
        my ($floor, $quiet) = @row{ 'Dhrystone 2 using register variables', 'Pipe Throughput' };
        is($floor->{item}{estimate}, undef, "$extent: no half of an interval");
        ok($quiet->{item}{estimate}, "$extent: another test has one");
        like(in_plain($floor->{remark}), qr/\Aat least \S+ \(disturbed\)\z/, "$extent: it is called a floor");
    }
    my ($spread) =
        UnixBench::Report::Topic::Scores::spreads(UnixBench::Report::View->new(result => result([$run])), $run);
    is(scalar(grep { $_->{item}{estimate} } @{ $spread->{rows} }), 1, 'the table of all passes has one interval');
};

subtest 'all tests of a run are in one table, the highest index first' => sub {
    my $table = table_of(
        measured('spawn', 1, map { $_ / 40 } @STEADY),
        measured('hanoi', 1, @STEADY),
        measured('pipe',  1, @STEADY),
        failed('execl', 'gone'),
        skipped('2d-rects', 'no display'),
        measured('arithoh', 1, 2e6),
    );
    ok((grep { $_->{kind} eq 'picture' } @{ $table->{columns} }), 'it has pictures');
    is_deeply(
        [map { in_plain($_->{heading}) } @{ $table->{columns} }],
        [qw(Test Index Index +- Score Variation)],
        'the columns'
    );
    is_deeply(
        [rows($table)],
        [
            'Pipe Throughput | 80.4 | 2.5 % | 100,000 lps | 1.0 %',
            'Process Creation | 66.1 | 2.5 % | 833 lps | 1.0 %',
            '2D graphics: rectangles | no measured results: no display',
            'Arithoh |  |  | 200,000 lps | ',
            'Execl Throughput | no measured results: gone',
            'Recursion Test -- Tower of Hanoi |  | 2.5 % | 50,000 lps | 1.0 %',
        ],
        'tests without an index follow by title, and numbers have the digits that are known'
    );
    is_deeply(
        [rows($table, 'foot')],
        ['System, mean of the other 2 tests | 72.9 | 1.1 % |  | '],
        'the mean replaces an index that a test lacks'
    );
    is_deeply(
        [map { scalar shapes($_) ? 1 : 0 } @{ $table->{rows} }],
        [1, 1, 0, 0, 0, 0],
        'only tests with an index have a picture'
    );
};

subtest 'a picture shows index, interval and passes' => sub {
    my $table = table_of(measured('pipe', 1, @STEADY), measured('spawn', 1, 25_000));
    my ($pipe, $spawn) = @{ $table->{rows} };
    is_deeply(
        [shapes($pipe)],
        [
            'grid',
            'pass 80.4 (pass 1: 80.4)',
            'pass 81.2 (pass 2: 81.2)',
            'pass 79.6 (pass 3: 79.6)',
            'pale 74.1 87.2',
            'interval 78.4 82.4',
            'point 80.4',
        ],
        'a dot for each pass, and a large one with the interval, and that of the machine'
    );
    is(
        in_plain($pipe->{words}),
        'index 80.4, 95 % interval 78.4 to 82.4, of the machine 74.1 to 87.2, 3 passes from 79.6 to 81.2',
        'the description'
    );
    is_deeply([shapes($spawn)], ['grid', 'pass 66.1 (pass 1: 66.1)', 'point 66.1'], 'a single pass');
    is(in_plain($spawn->{words}), 'index 66.1, 1 pass', 'its description has no interval');
    my ($whole) = @{ $table->{foot} };
    is_deeply([shapes($whole)], ['grid', 'point 72.9'], 'an index of which one test has no interval has none');
    is(in_plain($whole->{words}), 'index 72.9', 'its description');
    my $legend = qr/\AA large dot is [^.]*[.] Some tests have a low index [^.]*[.] Scores include all passes[.]\z/;
    like($table->{legend}[0] =~ s{[.]/Run}{Run}r, $legend, 'the legend explains no more than there is');
    my $steady = table_of(measured('pipe', 1, @STEADY));
    is_deeply(
        [shapes($steady->{foot}[0])],
        ['grid', 'pale 74.1 87.2', 'interval 78.4 82.4', 'point 80.4'],
        'an index with an interval'
    );
    is(
        in_plain($steady->{foot}[0]{words}),
        'index 80.4, 95 % interval 78.4 to 82.4, of the machine 74.1 to 87.2',
        'its description has the interval'
    );
    is_deeply(
        [sort map { sprintf '%.1f', $_ } map { @{ $_->{values} || [] } } @{ $steady->{columns} }],
        [sort qw(80.4 78.4 82.4), qw(80.4 74.1 87.2), qw(80.4 78.4 82.4), qw(80.4 74.1 87.2), qw(80.4 81.2 79.6)],
        'all of it is on the scale'
    );
};

# Takes runs; returns the tables of their page. Published machines have an index of 100 to 1100 in the pipe test.
sub tables_of {
    my (@runs) = @_;
    my @published =
        map {
        { machine => "m$_", copies => 1, cpu => q{}, source => 'x', index => 100, scores => { pipe => 124_400 * $_ } }
        } 1 .. 11;
    my $view = UnixBench::Report::View->new(result => result(\@runs), published => \@published);
    return map {
        grep { $_->{kind} eq 'table' }
            within('full', UnixBench::Report::Topic::Scores::of_run($view, $_))
    } @runs;
}

subtest 'the pictures of all runs have one scale, and a band behind one copy' => sub {
    my ($one, $four) = tables_of(
        map {
            run($_, measured('pipe', $_, map { $_ * 10 } @STEADY))
        } 1,
        4
    );
    like(join(q{|}, shapes($one->{rows}[0])), qr/\Aband 200[.]0 1000[.]0[|]grid/, 'the band has 80 % of the machines');
    unlike(join(q{|}, shapes($four->{rows}[0])), qr/band/, 'published scores are of one copy');
    like($one->{legend}[0], qr/ In the pale band are 80 % of the published machines[.]/, 'the legend explains it');
    unlike($four->{legend}[0], qr/band/, 'the other one does not');
    my @values = map {
        my ($picture) = grep { $_->{values} } @{ $_->{columns} };
        $picture->{values}
    } $one, $four;
    is_deeply($values[0], $values[1], 'both have the same scale');
};

subtest 'a test with two modes has two points and no mean' => sub {
    my $table  = table_of(measured('pipe', 1, (1e6) x 4, (2e6) x 6), measured('spawn', 1, 25_000));
    my ($pipe) = @{ $table->{rows} };
    my $space  = "\xc2\xa0";
    like(join(q{|}, shapes($pipe)), qr/[|]point 80[.]4[|]point 160[.]7\z/, 'the picture has a point for each');
    is(
        (rows($table))[0],
        "Pipe Throughput |  | 99,970 lps in 40 %, 199,900 lps in 60 % | 32.3 %, noisy",
        'the score has both with their shares, and there is no index'
    );
    like($table->{legend}[0], qr/ Two large dots: the passes gather around two values[.]/, 'the legend explains it');
    my %loud  = map { $_ => [tag(others => disturbed => 1.4)] } 1, 5, 6;
    my $floor = table_of(tagged(measured('pipe', 1, (1e6) x 4, (2e6) x 6), \%loud));
    is(scalar(grep { /\Apoint / } shapes($floor->{rows}[0])), 1, 'a floor has one point');
    unlike($floor->{legend}[0], qr/Two large dots/, 'and no such legend');
};

subtest 'noisy tests and disturbed passes are marked' => sub {
    my $noisy = measured('pipe', 1, 0.9e6, 1.1e6, 1e6);
    my $table = table_of(tagged($noisy, { 2 => [tag('steal', 'disturbed', 0.3)], 3 => [tag('steal', 'note', 0.01)] }),
        measured('spawn', 1, 25_000));
    is((rows($table))[0], 'Pipe Throughput | 80.1 | 25 % | 99,600 lps | 10.0 %, noisy', 'beside the variation');
    my @dots = grep { /pass/ } shapes($table->{rows}[0]);
    is_deeply([map { /\A(.*?) \d/ } @dots], ['pass', 'pass disturbed', 'pass'],
        'the dot of a disturbed pass is hollow');
    like($table->{legend}[0], qr/ A hollow dot is a disturbed pass[.]/, 'the legend explains it');
};

subtest 'each index has its own line' => sub {
    my @drawing = map { measured("2d-$_", 1, 5000) } qw(rects ellipse aashapes text blit window);
    my $table   = table_of(measured('pipe', 1, @STEADY), @drawing);
    is_deeply(
        [rows($table, 'foot')],
        ['System Benchmarks index (partial) | 80.4 | 2.5 % |  | ', '2D Graphics Benchmarks index | 3333 |  |  | '],
        'the indexes are at the foot'
    );
};

subtest 'a run without an index has a table without pictures' => sub {
    my $table = table_of(measured('hanoi', 1, @STEADY));
    is($table->{kind}, 'table', 'it is not a chart');
    is_deeply([rows($table)], ['Recursion Test -- Tower of Hanoi | 2.5 % | 50,000 lps | 1.0 %'], 'it has the scores');
    is_deeply($table->{foot}, [],                                                                'it has no foot');
};

subtest 'a ticket has a sentence for each index' => sub {
    my $sentences = sub {
        return [
            map {
                map { in_plain($_) }
                    @{ $_->{texts} }
            } grep { ($_->{style} // q{}) eq 'plain' } blocks(brief => @_)
        ];
    };
    my $partial = 'System Benchmarks index (partial)';
    is_deeply(
        $sentences->(run(1, measured('pipe', 1, @STEADY))),
        ["$partial: 80.8, the classic one; untrimmed 80.4, 95 % interval 78.4 to 82.4 (+-2.5 %)"],
        'an official run has two numbers'
    );
    is_deeply(
        $sentences->(quick_run(3, 1, sliced('pipe', 1, 1e5, 1.01e5, 0.99e5))),
        ["$partial: 80.2, an estimate after 3 rounds, 95 % interval 78.2 to 82.4 (+-2.6 %)"],
        'a quick run has one'
    );
    is_deeply(
        $sentences->(run(1, measured('pipe', 1, 1e6))),
        ["$partial: 80.4, the classic one; untrimmed 80.4, without an interval"],
        'a single pass'
    );
    is_deeply(
        $sentences->(run(1, measured('pipe', 1, @STEADY), failed('spawn', 'no'))),
        [
            'System Benchmarks index: none, 1 test failed; mean of the other test 80.8, the classic one; untrimmed '
                . '80.4, 95 % interval 78.4 to 82.4 (+-2.5 %)'
        ],
        'a failed test'
    );
    my $pipe = tagged(measured('pipe', 1, @STEADY, 0.5e6), { 4 => [tag('steal', 'disturbed', 0.3)] });
    like(
        $sentences->(run(1, $pipe))->[0],
        qr/; undisturbed 80[.]4, 95 % interval 78[.]4 to 82[.]4 /,
        'a disturbed pass'
    );
};

done_testing;
