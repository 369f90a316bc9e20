# The end of a run on a terminal: the warnings, and the block that sums up the result.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases   qw(cases);
use Fixture qw(failed host measured quick_run result run skipped sliced tag tagged);
use Gallery::Results;
use Gallery::Runs qw(whole);
use UnixBench::Report::Formats;
use UnixBench::Report::Plain    qw(in_plain);
use UnixBench::Report::EndBlock qw(block_lines place_of place_text trust_text warning_lines);
use UnixBench::Report::Title    qw(identity);
use UnixBench::Report::View;

# Published indexes from 100 to 4000, each a hundred more. Every second one is that of a rented VM.
my %OF_ALL    = (cpu => 'Xeon', copies => 1, version => '5.1.3', year => 2024);
my @PUBLISHED = map {
    { %OF_ALL, machine => "Box $_", kind => $_ % 2 ? 'PC' : 'rented VM', index => 100 * $_ }
} 1 .. 40;

# Takes runs and facts of a result; returns its view.
sub view { return UnixBench::Report::View->new(result => result(@_), published => \@PUBLISHED) }

# Takes a label and a view; returns the text of the entry with that label, its lines joined by blanks, or undef.
sub entry {
    my ($label, $view) = @_;
    my ($text) = join("\n", block_lines($view, 72)) =~ /^\Q$label\E +(.*(?:\n {11}.*)*)/m or return;
    return $text =~ s/\n +/ /gr;
}

# Takes the name of a test and counts; returns a test whose first passes have these tags.
sub disturbed {
    my ($name, $tags, @counts) = @_;
    return tagged(measured($name, 1, @counts), { map { $_ + 1 => [$tags->[$_]] } 0 .. $#$tags });
}

subtest 'an index beside other load is a floor' => sub {
    my @loud   = (tag(others => disturbed => 1.4)) x 10;
    my @counts = map { 1e6 * $_ } 0.90, 1.10, 1, 0.95, 1.05, 0.97, 1.03, 1, 0.99, 1.01;
    my $of     = sub { view([run(1, disturbed(@_))]) };
    my $floor  = $of->('dhry2reg', \@loud, @counts);
    is(entry('Index',  $floor), '1 copy partial at least 8.2 (disturbed)', 'without a range and a precision');
    is(entry('Repeat', $floor), undef,                                     'nothing is said about the next run');
    is(
        entry('Index', $of->('dhry2reg', [@loud[0 .. 1]], @counts)),
        '1 copy partial 8.55 +-3.9 %',
        'two of ten disturbed passes make no floor'
    );
    my @steal = (tag(steal => disturbed => 0.2)) x 10;
    is(
        entry('Index', $of->('dhry2reg', \@steal, @counts)),
        '1 copy partial 8.2 to 8.9',
        'steal belongs to the machine: a poor result has a range'
    );
    is(
        entry('Score', $of->('hanoi', \@loud, @counts)),
        'Recursion Test -- Tower of Hanoi, 1 copy: at least 46000 loops a second (disturbed)',
        'a score, too'
    );
    is(
        entry('Index', $of->('context1', \@loud, @counts)),
        '1 copy partial at least 9.9 (disturbed)',
        'a test that other load can raise much has one, too'
    );
};

subtest 'the block of a whole result' => sub {
    my %facts = (memory => { total_kb => 24 << 20 }, virtualization => { hypervisor => 'kvm' });
    my $view  = view([map { whole($_) } 1, 2], facts => \%facts);
    is_deeply(
        [block_lines($view, 80, page => 'results/vm-01.html', next => './Run compare vm-01 OTHER')],
        [
            'UnixBench 8.0.0, official run, 2026-11-20',
            'Index      1 copy 1594 +-0.5 %   2 copies 2794 +-0.4 %',
            'Repeat     the next run within +-3 % (assumed for virtual machines)',
            'Machine    2 CPUs AMD EPYC, 24 GB, kvm, Linux 6.18, gcc 12.2 -O3',
            '           -march=native',
            'Against    13th to 14th of 20 rented VMs since 2020;',
            '           25th to 26th of 40 published results for one copy;',
            '           nearest: Box 16, Xeon (1600, version 5.1.3);',
            '           1st is the fastest; other compilers, systems: a rough guide',
            'Trust      good: none of 142 passes was disturbed',
            'Page       results/vm-01.html',
            'Next       ./Run compare vm-01 OTHER',
        ],
        'each entry has its label and text'
    );
    is_deeply([grep { /\A(?:Page|Next)/ } block_lines($view, 80)], [], 'page and next command may be missing');
    is_deeply(
        [block_lines($view, 40, page => 'results/' . 'x' x 30)],
        [
            'UnixBench 8.0.0, official run,',
            '2026-11-20',
            'Index      1 copy 1594 +-0.5 %',
            '           2 copies 2794 +-0.4 %',
            'Repeat     the next run within +-3 %',
            '           (assumed for virtual',
            '           machines)',
            'Machine    2 CPUs AMD EPYC, 24 GB, kvm,',
            '           Linux 6.18, gcc 12.2 -O3',
            '           -march=native',
            'Against    13th to 14th of 20 rented VMs',
            '           since 2020;',
            '           25th to 26th of 40 published',
            '           results for one copy;',
            '           nearest: Box 16, Xeon (1600,',
            '           version 5.1.3);',
            '           1st is the fastest; other',
            '           compilers, systems: a rough',
            '           guide',
            'Trust      good: none of 142 passes was',
            '           disturbed',
            'Page       results/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
        ],
        'on 40 columns, lines are broken at blanks, but no path is broken'
    );
};

subtest 'the entry "Index" has an item for each run' => sub {
    my $index = sub { return entry(Index => view(@_)) };
    is($index->([run(1, measured('pipe', 1, 1e6))]), '1 copy partial 80.38', 'a single pass has no interval');
    is(
        $index->([run(4, measured('pipe', 4, 1e6, 1.01e6, 0.99e6))]),
        '4 copies partial 321 +-2.5 %',
        'a partial index is marked'
    );
    is(
        $index->([run(1, measured('pipe', 1, 1e6), failed('spawn', 'no'))]),
        '1 copy none (1 test failed)',
        'a failed test leaves no index'
    );
    my @drawing = map { measured("2d-$_", 1, 5000) } qw(rects ellipse aashapes text blit window);
    my @all     = (measured('pipe', 1, 1e6), @drawing, measured('ubgears', 1, 4000), measured('grep', 1, 700));
    is(
        $index->([run(1, @all)]),
        '1 copy partial 80.38, 2D 3333, 3D 1198, Non-Index partial 14000',
        'all indexes except the first are named'
    );
    is(
        $index->([quick_run(3, 1, sliced('pipe', 1, 1e5, 1.01e5, 0.99e5))]),
        '1 copy partial 80.2 +-2.6 %',
        'a quick run'
    );
    is($index->([run(1, measured('pipe', 1, 1e9))]), '1 copy partial 80380', 'a large index has no decimals');
};

subtest 'without an index, the entry "Score" has the scores' => sub {
    my @tests  = map { measured($_, 1, 6e5, 6.1e5, 5.9e5) } qw(hanoi arithoh int short C);
    my $scores = sub {
        my $view = view([run(1, @_)]);
        is(entry(Index => $view), undef, 'there is no entry "Index"');
        return entry(Score => $view);
    };
    is(
        $scores->(@tests[0, 1]),
        'Arithoh, 1 copy: 60000 loops a second +-4.2 % '
            . 'Recursion Test -- Tower of Hanoi, 1 copy: 30000 loops a second +-4.1 %',
        'units are in words, because scripts search for their abbreviations'
    );
    is(
        $scores->($tests[4]),
        'C Compiler Throughput (gcc), 1 copy: 600000 loops a minute +-4.1 %',
        'the unit of a minute'
    );
    is(
        $scores->(@tests),
        'Arithmetic Test (int), 1 copy: 60000 loops a second +-4.2 % '
            . 'Arithmetic Test (short), 1 copy: 60000 loops a second +-4.2 % and 3 other scores',
        'of more than three scores, two are named'
    );
    like($scores->(@tests[0 .. 2]), qr/Tower of Hanoi/, 'three scores are all there');
    is($scores->(skipped('hanoi', 'no')), undef, 'without any score there is no entry');
};

subtest 'the entry "Against" has the place among published indexes' => sub {
    my %text = (
        '1st of 91'           => [1,  1],
        '2nd to 3rd of 91'    => [2,  3],
        '11th to 21st of 91'  => [11, 21],
        '12th to 13th of 91'  => [12, 13],
        '90th or lower of 91' => [90, 92],
        'below all 91'        => [92, 92],
    );
    is(place_of({ places => $text{$_}, of => 91 }),          $_,    $_) for sort keys %text;
    is(place_text(view([whole(2)])),                         undef, 'an index of several copies has no place');
    is(place_text(view([run(1, measured('pipe', 1, 1e6))])), undef, 'a partial index has no place');
    is(place_text(UnixBench::Report::View->new(result => result([whole(1)]))), undef, 'without published indexes');
    is(
        place_text(view([whole(1)])),
        '25th to 26th of 40 published results for one copy; nearest: Box 16, Xeon (1600, version '
            . '5.1.3); 1st is the fastest; other compilers, systems: a rough guide',
        'the text says what is not comparable'
    );
    my @with_all = (
        @PUBLISHED,
        map {
            { %OF_ALL, machine => 'b', kind => 'PC', cpus => 2, copies => 2, index => $_ }
        } 9e3
    );
    my $both = UnixBench::Report::View->new(result => result([whole(1), whole(2)]), published => \@with_all);
    like(
        place_text($both),
        qr/ for one copy; 2 copies: below all 1 published results for one copy for each CPU; /,
        'and the place of one copy for each CPU'
    );
};

subtest 'the entry "Trust" has a level and its reasons' => sub {
    my $trust = sub { return in_plain(trust_text(view(@_))) };
    my @even  = (1e6) x 10;
    is($trust->([run(1, measured('pipe', 1, @even))]), 'good: none of 10 passes was disturbed', 'nothing disturbed it');
    is(
        $trust->([run(1, measured('pipe', 1, 1e6))]),
        'unknown: the only pass was not disturbed, no index has an interval',
        'a single pass'
    );
    my @steal = map { tag('steal', 'disturbed', $_) } 0.03, 0.12, 0.07;
    is(
        $trust->([run(1, disturbed('pipe', [$steal[0]], (1e6) x 20))]),
        'good: 1 of 20 passes was disturbed (steal 3 %)',
        'one disturbed pass'
    );
    is(
        $trust->([run(1, disturbed('pipe', \@steal, @even))]),
        'poor: 3 of 10 passes were disturbed (steal 12 %)',
        'several disturbed passes, with the worst value'
    );
    is(
        $trust->([run(1, disturbed('pipe', [@steal, (tag('others', 'disturbed', 0.4)) x 4], @even))]),
        'poor: 7 of 10 passes were disturbed (other load)',
        'the most frequent cause is named'
    );
    is(
        $trust->([run(1, disturbed('pipe', [(tag('steal', 'note', 0.01)) x 5], @even))]),
        'good: none of 10 passes was disturbed',
        'passes that were disturbed a little are not counted'
    );
    is(
        $trust->([run(1, measured('pipe', 1, (0.9e6, 1.1e6) x 10))]),
        'fair: none of 20 passes was disturbed, the only score varies by more than 5 %,'
            . ' an index has an interval of +-4.8 %',
        'a noisy test'
    );
    is(
        $trust->([run(1, map { measured($_, 1, (0.9e6, 1.1e6) x 10) } qw(pipe spawn))]),
        'fair: none of 40 passes was disturbed, 2 of 2 scores vary by more than 5 %,'
            . ' an index has an interval of +-3.3 %',
        'noisy tests'
    );
    is(
        $trust->([run(1, measured('pipe', 1, 0.95e6, 1.05e6, 1e6))]),
        'poor: none of 3 passes was disturbed, an index has an interval of +-12 %',
        'a wide interval'
    );
    is(
        $trust->([run(1, measured('pipe', 1, @even), failed('spawn', 'no'))]),
        'incomplete: 1 test failed, none of 11 passes was disturbed',
        'a failed test'
    );
    is(
        $trust->([run(1, map { failed($_, 'no') } qw(pipe spawn))]),
        'incomplete: 2 tests failed, none of 2 passes was disturbed',
        'failed tests'
    );
    is($trust->([run(1, skipped('pipe', 'no'))]), 'incomplete: nothing was measured', 'nothing was measured');
    my %stopped = (kind => 'official', interruption => { signal => 'INT' });
    is(
        $trust->([run(1, measured('pipe', 1, @even))], procedure => \%stopped),
        'incomplete: the run was interrupted, none of 10 passes was disturbed',
        'an interrupted run'
    );
};

# A view that has only warnings.
package FakeView {
    sub new { my ($class, @texts) = @_; return bless \@texts, $class }
    sub merged_warnings { my ($self) = @_; return @$self }
}

# Takes a width and texts; returns the lines of these warnings.
sub warnings_of {
    my ($width, @texts) = @_;
    return [warning_lines(FakeView->new(@texts), $width)];
}

subtest 'a warning has at most two lines' => sub {
    my $long = 'The quick brown fox jumps over the lazy dog. Then it sleeps.';
    is_deeply(warnings_of(80, 'A short one.'), ['Warning: A short one.'], 'a short warning has one line');
    is_deeply(
        warnings_of(54, $long),
        ['Warning: The quick brown fox jumps over the lazy', '  dog. Then it sleeps.'],
        'a longer one has two, and the second is indented'
    );
    is_deeply(
        warnings_of(40, "$long It snores."),
        ['Warning: The quick brown fox jumps', '  over the lazy dog. Then it sleeps.'],
        'of a longer one, the sentences are kept that fit'
    );
    is_deeply(
        warnings_of(40, $long =~ s/[.] Then it sleeps/, then it sleeps here/r),
        ['Warning: The quick brown fox jumps', '  over the lazy dog, then it sleeps ...'],
        'a sentence is cut between words'
    );
    is_deeply(
        warnings_of(40, 'x' x 200),
        ['Warning:', '  ' . 'x' x 34 . ' ...'],
        'a word that is longer than a line is cut'
    );
    is_deeply(warnings_of(5, $long), warnings_of(40, $long), 'a very narrow terminal breaks the lines itself');
    is_deeply(
        warnings_of(80, "many lps\e[31m\n"),
        ['Warning: many lp\x73\x1b[31m\n'],
        'a warning has nothing that scripts or terminals take for something else'
    );
};

my $LABEL = qr/Ratio|Index|Score|Repeat|Machine|Against|Trust|Page|Next/;

subtest 'no line is longer than the terminal, or than 72 in the block' => sub {
    for my $case (cases(), Gallery::Results::all()) {
        my $view = UnixBench::Report::View->new(result => $case->{result}, published => \@PUBLISHED);
        for my $width (40, 72, 80, 200) {
            my @block    = block_lines($view, $width, page => "results/$case->{name}.html" x 5, next => './Run ' x 20);
            my @warnings = warning_lines($view, $width);
            my $most     = $width < 72 ? $width : 72;
            my $made     = identity($view->summary);
            my @made     = splice @block, 0, $width < length $made ? 2 : 1;
            my ($page)   = grep { /\APage / } @block;
            is("@made", $made, "$case->{name}: the first line on $width columns");
            is(
                $page,
                'Page       ' . "results/$case->{name}.html" x 5,
                "$case->{name}: its path is whole on $width columns"
            );
            is_deeply([grep { length > $most && $_ ne $page } @block], [], "$case->{name}: block on $width columns");
            is_deeply([grep { length > $width } @warnings],            [], "$case->{name}: warnings on $width columns");
            is_deeply([grep { !/\A(?:$LABEL|) +\S/ || /\s\z|[^ -~\x80-\xff]/ } @block],
                [], "$case->{name}: on $width columns, each line has a label or is indented");
            cmp_ok(scalar(grep { /\AWarning: / } @warnings), '<=', 10, "$case->{name}: at most ten warnings");
            unlike(join("\n", @warnings), qr/\n  .*\n  /, "$case->{name}: at most two lines each");
        }
    }
};

done_testing;
