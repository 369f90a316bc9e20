# The topic at the top of a page and of a ticket: UnixBench::Report::Topic::Overview.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture                       qw(failed host interrupted measured quick_run result run skipped sliced tag tagged);
use Gallery::Runs                 qw(whole);
use UnixBench::Report::Block      qw(within);
use UnixBench::Report::HTML::Text qw(string_of);
use UnixBench::Report::EndBlock   qw(block_lines);
use UnixBench::Report::Topic::Overview;
use UnixBench::Report::View;

# Takes runs and facts of a result; returns its view, with three published indexes.
sub view {
    my @published = map { { machine => 'Box', cpu => 'Xeon', index => $_, version => '5.1.3' } } 500, 1500, 4000;
    return UnixBench::Report::View->new(result => result(@_), published => \@published);
}

# Takes a text; returns it as a page shows it, with blanks that may break.
sub seen { my ($text) = @_; return string_of($text) =~ s/\xc2\xa0/ /gr }

# Takes an extent and a view; returns the blocks above the runs.
sub blocks {
    my ($extent, $view) = @_;
    return within($extent, UnixBench::Report::Topic::Overview::before_runs($view));
}

# Takes runs and facts of a result; returns { label => text } of the strip on its page.
sub strip {
    my ($strip) = grep { $_->{kind} eq 'strip' } blocks(full => view(@_));
    return { map { $_->[0] => seen($_->[1]) } @{ $strip->{pairs} } };
}

# Takes runs; returns, for each card, its title, its link, and "STYLE: TEXT" for each paragraph.
sub cards {
    my ($cards) = grep { $_->{kind} eq 'cards' } blocks(full => view([@_]));
    return map {
        [
            @$_{qw(title link)},
            map {
                "$_->{style}: " . join '|',
                    map { seen($_) }
                    @{ $_->{texts} }
            } @{ $_->{blocks} }
        ]
    } @{ $cards->{blocks} };
}

# Takes runs; returns the last paragraph of their only card.
sub last_line {
    my ($card) = cards(@_);
    return $card->[-1];
}

subtest 'a page begins with the machine in four facts' => sub {
    my %facts = (memory => { total_kb => 24 << 20 }, virtualization => { hypervisor => 'kvm' });
    is_deeply(
        strip([], facts => \%facts),
        {
            CPU      => '2 CPUs AMD EPYC',
            Memory   => '24 GB',
            System   => 'kvm, Linux 6.18',
            Compiler => 'gcc 12.2.0 -O3 -ffast-math -march=native -mtune=native',
        },
        'processors, memory, hypervisor and kernel, compiler and its flags'
    );
    is_deeply(
        strip([], build => undef),
        { CPU => '2 CPUs AMD EPYC', System => 'Linux 6.18' },
        'an unknown fact is left out'
    );
    is(strip([], build => { compiler => 'cc' })->{Compiler}, 'cc', 'a compiler without version and flags');
    my ($strip)    = blocks(full => view([]));
    my ($compiler) = grep { $_->[0] eq 'Compiler' } @{ $strip->{pairs} };
    is_deeply($compiler->[1][-1], { name => '-O3 -ffast-math -march=native -mtune=native' }, 'flags are code');
};

subtest 'each run has a card' => sub {
    is_deeply(
        [cards(map { run($_, measured('pipe', $_, 1e6, 1.01e6, 0.99e6)) } 1, 4)],
        [
            [
                '1 copy',       'run-0', 'title: System Benchmarks index (partial)',
                'number: 80.8', "sure: 80.4 \xc2\xb12.5 % over all passes",
            ],
            [
                '4 copies', 'run-1',
                'title: System Benchmarks index (partial)',
                'number: 323.1',
                "sure: 321.5 \xc2\xb12.5 % over all passes",
            ],
        ],
        'it has the classic index, and the index over all passes with its interval'
    );
    is_deeply(
        [cards(quick_run(3, 1, sliced('pipe', 1, 1e5, 1.01e5, 0.99e5)))],
        [['1 copy', 'run-0', 'title: System Benchmarks index (partial)', 'number: 80.2', "sure: \xc2\xb12.6 %"]],
        'a quick run has one index'
    );
    is_deeply(
        [cards(run(1, measured('pipe', 1, 1e6)))],
        [
            [
                '1 copy',       'run-0', 'title: System Benchmarks index (partial)',
                'number: 80.4', 'sure: No interval: too few passes.'
            ]
        ],
        'a single pass has no interval'
    );
    is((cards(whole(1)))[0][3], 'number: 1605',                   'a large index has no decimals');
    is((cards(whole(1)))[0][2], 'title: System Benchmarks index', 'a whole index is not partial');
    is_deeply(
        [cards(run(1, measured('hanoi', 1, 1000)))],
        [
            [
                '1 copy', 'run-0',
                'title: Recursion Test -- Tower of Hanoi',
                'number: 50.0 lps',
                'sure: No interval: too few passes.'
            ]
        ],
        'without an index, a run has the score of its test'
    );
    my @four = map { measured($_, 1, 1000) } qw(hanoi arithoh short int);
    is_deeply(
        [cards(run(1, @four))],
        [['1 copy', 'run-0', 'quiet: No index.']],
        'a run of many tests without an index says so'
    );
};

subtest 'an index without a number has a reason, and the mean of the other tests' => sub {
    is_deeply(
        [cards(run(1, measured('pipe', 1, 1e6), failed('spawn', 'no')))],
        [
            [
                '1 copy',
                'run-0',
                'title: System Benchmarks index',
                'number: none',
                'concern: 1 test failed',
                'quiet: Mean of the other test: 80.4',
                'sure: No interval: too few passes.',
            ]
        ],
        'a failed test'
    );
};

subtest 'what the reader has to know is one line, which leads to the table' => sub {
    my @steal = map { tag('steal', 'disturbed', 0.1) } 1, 2;
    my $even  = measured('pipe', 1, (1e6) x 5);
    unlike(last_line(run(1, $even)), qr/\Aconcern/, 'there is no such line if nothing is wrong');
    is(last_line(run(1, tagged($even, { 2 => [$steal[0]] }))), 'concern: 1 of 5 passes disturbed', 'a disturbed pass');
    is(
        last_line(run(1, tagged($even, { map { $_ => \@steal } 1 .. 5 }))),
        'concern: 5 of 5 passes disturbed',
        'a pass with two disturbances is counted once'
    );
    unlike(last_line(run(1, tagged($even, { 2 => [tag('steal', 'note', 0.01)] }))),
        qr/\Aconcern/, 'a pass that was disturbed a little is not counted');
    is(last_line(run(1, measured('pipe', 1, 1e6, 2e6))), 'concern: 1 noisy', 'a noisy test');
    is(
        last_line(
            run(
                1,
                tagged(measured('pipe', 1, 1e6, 2e6), { 1 => [$steal[0]] }),
                (map { failed($_, 'no') } qw(spawn execl)),
                interrupted('syscall', 'no', 5),
                skipped('shell1', 'no')
            )
        ),
        'concern: 2 tests failed, 1 test interrupted, 1 test skipped, 1 noisy, 1 of 5 passes disturbed',
        'everything together'
    );
    my ($cards) =
        grep { $_->{kind} eq 'cards' } blocks(full => view([map { run($_, measured('pipe', $_, 1, 2)) } 1, 2]));
    is_deeply([map { $_->{blocks}[-1]{texts}[0][0]{to} } @{ $cards->{blocks} }],
        [qw(run-0 run-1)], 'it leads to its run');
};

subtest 'trust and place among published results' => sub {
    my $lines = sub {
        return [
            map { seen($_) }
            map { @{ $_->{texts} } } grep { $_->{kind} eq 'paragraphs' } blocks(full => view([@_]))
        ];
    };
    is_deeply(
        $lines->(whole(1)),
        [
            'Trust: good: none of 71 passes was disturbed.',
            'Higher than 2 of 3 published results for one copy; nearest: Box, Xeon (1500, version 5.1.3); '
                . 'other compilers, versions and systems: a rough guide.'
        ],
        'both are sentences below the cards'
    );
    is_deeply(
        $lines->(run(1, measured('pipe', 1, 0.9e6, 1.1e6, 1e6))),
        [
                  'Trust: poor: none of 3 passes was disturbed, the only test varies by more than 5 %, '
                . "an index has an interval of \xc2\xb125 %."
        ],
        'a partial index has no place'
    );
};

subtest 'a ticket has the block at the end of a run instead' => sub {
    my $view = view([map { whole($_) } 1, 2]);
    is_deeply([blocks(brief  => $view)], [{ kind => 'screen', lines => [block_lines($view, 72)] }], 'in 72 columns');
    is_deeply([blocks(detail => $view)], [], 'a terminal has neither, because the block follows the report');
};

subtest 'the block is also on the page, folded' => sub {
    my $view   = view([whole(1)]);
    my @blocks = within('full', UnixBench::Report::Topic::Overview::of_result($view));
    is_deeply(
        \@blocks,
        [
            {
                kind   => 'fold',
                title  => 'Summary to copy',
                blocks => [{ kind => 'screen', lines => [block_lines($view, 72)] }]
            }
        ],
        'it can be copied'
    );
    is_deeply([within($_, UnixBench::Report::Topic::Overview::of_result($view))], [], "it is not in: $_")
        for qw(brief detail);
};

done_testing;
