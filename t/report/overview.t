# The topic at the top of a page and of a ticket: UnixBench::Report::Topic::Overview.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture                     qw(failed interrupted measured quick_run result run sliced steady_result tag tagged);
use Gallery::Runs               qw(@INDEX whole);
use UnixBench::Report::Block    qw(within);
use UnixBench::Report::Markup   qw(string_of);
use UnixBench::Report::EndBlock qw(block_lines);
use UnixBench::Report::Topic::Overview;
use UnixBench::Report::View;

# Takes runs and facts of a result; returns its view, with three published indexes.
sub view { return view_among([500, 1500, 4000], @_) }

# Takes published indexes, and the same; returns the view with these.
sub view_among {
    my ($indexes, @result) = @_;
    my @published = map {
        {
            machine  => 'Box',
            kind     => 'PC',
            copies   => 1,
            cpu      => 'Xeon',
            index    => $_,
            version  => '5.1.3',
            source   => 'x',
            scores   => {},
            known_as => 'a box'
        }
    } @$indexes;
    return UnixBench::Report::View->new(result => result(@result), published => \@published);
}

# Takes a text; returns it as a page shows it, with blanks that may break.
sub seen { my ($text) = @_; return string_of($text) =~ s/\xc2\xa0/ /gr }

# Takes an extent and a view; returns the blocks above the runs.
sub blocks {
    my ($extent, $view) = @_;
    return within($extent, UnixBench::Report::Topic::Overview::before_runs($view));
}

# Takes runs and facts of a result; returns { label => text } of the facts on its page.
sub few_facts {
    my ($facts) = grep { $_->{kind} eq 'few_facts' } blocks(full => view(@_));
    return { map { $_->[0] => seen($_->[1]) } @{ $facts->{pairs} } };
}

# Takes runs and facts of a result; returns its headline.
sub headline {
    my ($headline) = grep { $_->{kind} eq 'headline' } blocks(full => view(@_));
    return $headline;
}

# Takes runs; returns the numbers of the headline as texts: "NUMBER (PRECISION): TITLE, COPIES, LINK". The title of the
# page takes the place of a number that it has.
sub numbers {
    my @texts;
    for my $item (@{ headline([@_])->{numbers} }) {
        my %is_said = map { $_ => 1 } @{ defined $item->{heading} ? $item->{says} : [] };
        my $sure    = defined $item->{sure} && !$is_said{sure} ? ' (' . seen($item->{sure}) . ')'     : q{};
        my $number  = defined $item->{number} ? seen($item->{heading} // $item->{number}) . "$sure: " : q{};
        push @texts, $number . join ', ', map { $item->{$_} } grep { !$is_said{$_} } qw(title copies link);
    }
    return @texts;
}

# Takes runs; returns "STYLE: TEXT" for each paragraph of the headline.
sub lines {
    return map {
        my $style = $_->{style};
        map { "$style: " . seen($_) } @{ $_->{texts} }
        }
        grep { $_->{kind} eq 'paragraphs' } @{ headline([@_])->{blocks} };
}

subtest 'the numbers are seen first' => sub {
    my ($partial, $titled, $machine) =
        ('System Benchmarks index (partial)', 'UnixBench partial index ', ', AMD EPYC, 2 CPUs');
    is_deeply(
        [numbers(map { run($_, measured('pipe', $_, 1e6, 1.01e6, 0.99e6)) } 1, 4)],
        [
            "${titled}80.4 \xc2\xb12.5 %$machine: $partial, 1 copy, run-0",
            "321 (\xc2\xb12.5 %): $partial, 4 copies, run-1"
        ],
        'the index of each run over all passes, with its interval, in the digits that are known'
    );
    is_deeply(
        [numbers(quick_run(3, 1, sliced('pipe', 1, 1e5, 1.01e5, 0.99e5)))],
        ["${titled}80.2 \xc2\xb12.6 %$machine: $partial, 1 copy, run-0"],
        'a quick run'
    );
    is_deeply(
        [numbers(run(1, measured('pipe', 1, 1e6)))],
        ["${titled}80.38$machine: $partial, 1 copy, run-0"],
        'a single pass has no interval'
    );
    is_deeply(
        [numbers(run(1, measured('pipe', 1, 0.9e6, 1.1e6, 1e6)))],
        ["${titled}62 to 100$machine: $partial, 1 copy, run-0"],
        'a poor result has a range of two digits'
    );
    my %loud = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. 3;
    is_deeply(
        [numbers(run(1, tagged(measured('pipe', 1, 0.9e6, 1.1e6, 1e6), \%loud)))],
        ["${titled}at least 75 (disturbed)$machine: $partial, 1 copy, run-0"],
        'an index beside other load is a floor'
    );
    is_deeply(
        [numbers(run(1, measured('hanoi', 1, 1000)))],
        ["UnixBench Recursion Test -- Tower of Hanoi 50.00 lps$machine: 1 copy, run-0"],
        'without an index, the score of the test'
    );
    my @four = map { measured($_, 1, 1000) } qw(hanoi arithoh short int);
    is_deeply([numbers(run(1, @four))], ['No index, 1 copy, run-0'], 'a run of many tests without an index says so');
    is_deeply([map { s/.*, //r } numbers(map { run($_, measured('pipe', $_, 1e6)) } 1 .. 8)],
        [qw(run-0 run-1 run-7)], 'of many numbers the first ones and the last one');
    is_deeply(
        (lines(map { run($_, measured('pipe', $_, 1e6)) } 1 .. 8))[0],
        'quiet: 5 more numbers below',
        'and how many there are below'
    );
};

subtest 'an index without a number has a reason, and the mean of the other tests' => sub {
    is_deeply(
        [numbers(run(1, measured('pipe', 1, 1e6), failed('spawn', 'no')))],
        ['none (1 test failed; mean of the other test 80.38): System Benchmarks index, 1 copy, run-0'],
        'a failed test'
    );
};

subtest 'place among published results' => sub {
    is_deeply(
        [lines(whole(1))],
        [
            'plain: 2nd of 3 published results for one copy; nearest: Box, Xeon (1500, '
                . 'version 5.1.3); 1st is the fastest; other compilers, systems: a rough guide.',
            "plain: Repeat: the next run within \xc2\xb13 % (assumed for virtual machines).",
            'below: Intervals are those of this run; the pale parts add how much runs of this machine differ.',
            'plain: Trust: none of 71 passes was disturbed.',
        ],
        'place and trust are sentences'
    );
    my ($strip) = grep { $_->{kind} eq 'chart' } @{ headline([whole(1)])->{blocks} };
    is(scalar(grep { $_->{shape} eq 'dot' } @{ $strip->{shapes} }), 3, 'the strip has a dot for each published result');
    is_deeply(
        [map { @{ $_->{labels} } } grep { $_->{labels} } @{ $strip->{shapes} }],
        [[1500, 'a box']],
        'and the names that readers know, the median one of each'
    );
    like(
        (grep { $_->{class} && $_->{class} =~ /own/ } @{ $strip->{shapes} })[0]{class},
        qr/\Aown sure\z/,
        'and the own value'
    );
    my ($pale, $own) = map { $_->{to} / $_->{from} } grep { $_->{shape} eq 'bar' } @{ $strip->{shapes} };
    cmp_ok($pale, '>', $own, 'the interval of the machine is wider');
    my $shaky = run(1, map { measured($_, 1, 0.5e6, 1.5e6, 1e6) } @INDEX);
    my ($poor) = grep { $_->{kind} eq 'chart' } @{ headline([$shaky])->{blocks} };
    is_deeply([map { $_->{class} } grep { $_->{shape} eq 'bar' } @{ $poor->{shapes} }],
        ['own doubtful'], 'a poor result has the interval of the run alone');
    is_deeply(
        [lines(run(1, measured('pipe', 1, 0.9e6, 1.1e6, 1e6)))],
        [
                  'plain: Trust: none of 3 passes was disturbed, the only score varies by more than 5 %, '
                . "an index has an interval of \xc2\xb125 %."
        ],
        'a partial index has no place'
    );
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
                blocks => [{ kind => 'screen', lines => [block_lines($view, 72, sign => "\xc2\xb1")] }]
            }
        ],
        'it can be copied'
    );
    is_deeply([within($_, UnixBench::Report::Topic::Overview::of_result($view))], [], "it is not in: $_")
        for qw(brief detail);
};

done_testing;
