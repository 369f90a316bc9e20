# The short form of a result: the title, the block at the end of a run, and the warnings above it.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture                     qw(host failed measured quick_run result run skipped sliced tag tagged);
use Cases                       qw(cases whole);
use UnixBench::Report::EndBlock qw(block_lines place_of place_sentence warning_lines);
use UnixBench::Report::Plain    qw(in_plain);
use UnixBench::Report::Title    qw(identity result_titles);
use UnixBench::Report::View;

# Published indexes from 100 to 4000, each a hundred more. Every second one is that of a rented VM.
my %OF_ALL    = (cpu => 'Xeon', copies => 1, version => '5.1.3', year => 2024);
my @PUBLISHED = map {
    { %OF_ALL, machine => "Box $_", kind => $_ % 2 ? 'PC' : 'rented VM', index => 100 * $_ }
} 1 .. 40;

# Takes runs and facts of a result; returns its view.
sub view {
    return UnixBench::Report::View->new(result => result(@_), published => sub { @PUBLISHED });
}

# Takes a view; returns its title, and the entries of its block, { label => text }, their lines joined by blanks.
sub short_form {
    my ($view) = @_;
    my %titles = result_titles($view);
    my ($first, @lines) = block_lines($view, 72);
    my @entries = "@lines" =~ /([A-Z][a-z]+) {2,}(.*?)(?= [A-Z][a-z]+ {2,}|\z)/g;
    return { Title => in_plain($titles{title}), map { s/ {2,}/ /gr } @entries };
}

# Takes the name of a test, the tags of its first passes, and counts; returns the test.
sub disturbed {
    my ($name, $tags, @counts) = @_;
    return tagged(measured($name, 1, @counts), { map { $_ + 1 => [$tags->[$_]] } 0 .. $#$tags });
}

my @EVEN    = (1e6) x 10;
my @COUNTS  = map { 1e6 * $_ } 0.90, 1.10, 1, 0.95, 1.05, 0.97, 1.03, 1, 0.99, 1.01;
my @LOUD    = (tag(others => disturbed => 1.4)) x 10;
my @STEAL   = map { tag('steal', 'disturbed', $_) } 0.03, 0.12, 0.07;
my @SCORES  = map { measured($_, 1, 6e5, 6.1e5, 5.9e5) } qw(hanoi arithoh int short C);
my @DRAWING = map { measured("2d-$_", 1, 5000) } qw(rects ellipse aashapes text blit window);
my %KNOWN   = (copies    => 1, kind => 'test', name => 'pipe', runs => 6, squares => 1e-4, within => 0, since => 1);
my %STOPPED = (procedure => { kind => 'official', interruption => { signal => 'INT' } });

my $STOLEN = disturbed('pipe', \@STEAL, @EVEN);
$_->{steal} = 0.02 for @{ $STOLEN->{passes} };

# [what, entries, runs, facts].
#<<< a table
my @CASES = (
    ['one pass', {
        Title => ' partial index 80.38', Index => '1 copy partial 80.38',
        Trust => 'unknown: none of 1 pass was disturbed, no index has an interval',
    }, run(1, measured('pipe', 1, 1e6))],
    ['even passes', { Trust => 'good: none of 10 passes was disturbed, +- assumed' },
        run(1, measured('pipe', 1, @EVEN))],
    ['earlier runs', { Trust => 'good: none of 10 passes was disturbed' },
        run(1, measured('pipe', 1, @EVEN)), earlier => [\%KNOWN]],
    ['several copies', { Title => ' partial index 321 +-12 % (4 copies)', Index => '4 copies partial 321 +-12 %' },
        run(4, measured('pipe', 4, 1e6, 1.01e6, 0.99e6))],
    ['a quick run', { Index => '1 copy partial 80.2 +-12 %' },
        quick_run(3, 1, sliced('pipe', 1, 1e5, 1.01e5, 0.99e5))],
    ['a failed test', {
        Title => ', no index', Index => '1 copy none (1 test failed)',
        Trust => 'incomplete: 1 test failed, none of 3 passes was disturbed',
    }, run(1, (map { measured($_, 1, 1e6) } qw(pipe syscall)), failed('spawn', 'no'))],
    ['all indexes', { Index => '1 copy partial 80.38, 2D 3333, 3D 1198, Non-Index partial 14000' },
        run(1, measured('pipe', 1, 1e6), @DRAWING, measured('ubgears', 1, 4000), measured('grep', 1, 700))],
    ['an index of graphics', {
        Title    => ' 2D index 3333',
        Graphics => 'llvmpipe (LLVM 15), a software renderer, virtual display '
            . '2D and 3D compare drivers on one machine, not graphics cards',
    }, run(1, @DRAWING), host => host(graphics => 'llvmpipe (LLVM 15)'), procedure => { display => 'virtual' }],
    ['a graphics test', { Graphics => 'card' }, run(1, measured('2d-lines', 1, 1e6)), host => host(graphics => 'card')],
    ['a large index', { Index => '1 copy partial 80380' }, run(1, measured('pipe', 1, 1e9))],
    ['beside other load', {
        Title => ' partial index at least 7.9 (disturbed)', Index => '1 copy partial at least 7.9 (disturbed)',
    }, run(1, disturbed('dhry2reg', \@LOUD, @COUNTS))],
    ['a score beside other load', {
        Score => 'Recursion Test -- Tower of Hanoi, 1 copy: at least 45000 a second (disturbed)',
    }, run(1, disturbed('hanoi', \@LOUD, @COUNTS))],
    ['two of ten passes', { Index => '1 copy partial 8.55 +-8 %' },
        run(1, disturbed('dhry2reg', [@LOUD[0, 1]], @COUNTS))],
    ['a host that steals', { Title => ' partial index 8.55 +-12 %', Index => '1 copy partial 8.55 +-12 %' },
        run(1, disturbed('dhry2reg', [($STEAL[1]) x 10], @COUNTS))],
    ['the only test', { Title => ' Recursion Test -- Tower of Hanoi 50.00 lps' }, run(1, measured('hanoi', 1, 1000))],
    ['two scores', {
        Title => ', no index', Index => undef,
        Score => 'Arithoh, 1 copy: 60000 a second +-7 % Recursion Test -- Tower of Hanoi, 1 copy: 30000 a second +-7 %',
    }, run(1, @SCORES[0, 1])],
    ['five scores', {
        Score => 'Arithmetic Test (int), 1 copy: 60000 a second +-7 % '
            . 'Arithmetic Test (short), 1 copy: 60000 a second +-7 % and 3 other scores',
    }, run(1, @SCORES)],
    ['the unit of a minute', { Score => 'C Compiler Throughput (gcc), 1 copy: 600000 a minute +-7 %' },
        run(1, $SCORES[4])],
    ['nothing', { Title => ', no index', Score => undef, Trust => 'incomplete: nothing was measured' },
        run(1, skipped('pipe', 'no'))],
    ['one disturbed pass', { Trust => 'good: 1 of 20 passes was disturbed (steal 3 %), +- assumed' },
        run(1, disturbed('pipe', [$STEAL[0]], @EVEN, @EVEN))],
    ['two sorts of causes', {
        Trust => 'poor: 7 of 10 passes were disturbed (4 by other load, and 3 by steal, up to 12 % in a pass)',
    },
        run(1, disturbed('pipe', [@STEAL, @LOUD[0 .. 3]], @EVEN))],
    ['steal', {
        Trust => 'poor: 3 of 10 passes were disturbed (steal, up to 12 % in a pass), steal 2.0 % in all, +- assumed',
    }, run(1, $STOLEN), facts => { virtualization => { hypervisor => 'kvm' } }],
    ['noisy tests', {
        Trust => 'fair: none of 40 passes was disturbed, 2 of 2 scores vary by more than 5 %, '
            . 'an index has an interval of +-3.3 %, +- assumed',
    }, run(1, map { measured($_, 1, (0.9e6, 1.1e6) x 10) } qw(pipe spawn))],
    ['an interrupted run', {
        Trust => 'incomplete: the run was interrupted, none of 10 passes was disturbed, +- assumed',
    }, run(1, measured('pipe', 1, @EVEN)), %STOPPED],
);
#>>>
for my $case (@CASES) {
    my ($what, $wanted, $run, %facts) = @$case;
    my $shown = short_form(view([$run], %facts));
    $wanted->{Title} = "UnixBench$wanted->{Title}, AMD EPYC, 2 CPUs" if defined $wanted->{Title};
    is_deeply({ map { $_ => $shown->{$_} } keys %$wanted }, $wanted, $what);
}

subtest 'the block of a whole result' => sub {
    my %facts = (memory => { total_kb => 24 << 20 }, virtualization => { hypervisor => 'kvm' });
    my $view  = view([map { whole($_) } 1, 2], facts => \%facts, labels => { round => 2 });
    is_deeply(
        [block_lines($view, 80, page => 'results/vm-01.html', next => './Run rank vm-01')],
        [
            'UnixBench 8.0.0, official run, 2026-11-20',
            'Index      1 copy 1590 +-3 %   2 copies 2790 +-3 %',
            'Against    slower than 6 of 10 rented VMs since 2020 (13th to 14th of',
            '           20)',
            'Machine    2 CPUs AMD EPYC, 24 GB, kvm, Linux 6.18, gcc 12.2 -O3',
            '           -march=native',
            'Labels     round=2',
            'Clock      not known',
            'Trust      good: none of 142 passes was disturbed, +- assumed',
            'Page       results/vm-01.html',
            'Next       ./Run rank vm-01',
        ],
        'each entry has its label and text'
    );
    is_deeply(
        [(block_lines($view, 40, page => 'results/' . 'x' x 30))[0 .. 3, -1]],
        [
            'UnixBench 8.0.0, official run,',
            '2026-11-20',
            'Index      1 copy 1590 +-3 %',
            '           2 copies 2790 +-3 %',
            'Page       results/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
        ],
        'on 40 columns, lines are broken at blanks, but no path is broken'
    );
    my %limited   = (cgroup => { cpus => 0.3, memory_kb => 48 << 10 }, process => { cpus => '1' });
    my $limited   = view([run(2, measured('pipe', 2, @EVEN))], facts => { %facts, %limited });
    my ($machine) = map { /\AMachine +(.*)/ } block_lines($limited, 80);
    is($machine, '2 CPUs (0.3 by a quota, only CPU 1) AMD EPYC, 48 MB of 24 GB,', 'limits are beside their facts');
};

subtest 'the place among published indexes' => sub {
    my %text = (
        '1st of 91'           => [1,  1],
        '2nd to 3rd of 91'    => [2,  3],
        '11th to 21st of 91'  => [11, 21],
        '12th to 13th of 91'  => [12, 13],
        '90th or lower of 91' => [90, 92],
        'below all 91'        => [92, 92],
    );
    is(place_of({ places => $text{$_}, of => 91 }), $_, $_) for sort keys %text;
    my @of_all   = (of => 100, words => 'published results of one copy for each CPU');
    my $in_words = 'slower than 8 of 10 published results of one copy for each CPU (81st to 85th of 100)';
    is(place_sentence({ @of_all, places => [81, 85] }), $in_words, 'in a sentence');
    my $as_first = 'faster than 10 of 10 published results (1st of 100)';
    is(place_sentence({ of => 100, words => 'published results', places => [1, 1] }), $as_first, 'the first');
    is(place_sentence(view([$_])->rank), undef, 'an index of several copies or of some tests has none')
        for whole(2), run(1, measured('pipe', 1, 1e6));
};

subtest 'what made a result' => sub {
    my %quick    = (kind => 'quick', time_factor => 1, work_factor => 1);
    my $identity = sub { identity(view([whole(1)], @_)->summary) };
    is($identity->(),                     'UnixBench 8.0.0, official run, 2026-11-20',   'an official run');
    is($identity->(procedure => \%quick), 'UnixBench 8.0.0, quick estimate, 2026-11-20', 'a quick run');
    my @replaced = (replacements => [{ name => 'aa4trap300', by => 'aatrap300' }]);
    is($identity->(procedure => { %quick, @replaced }), $identity->(procedure => \%quick), 'a replaced drawing');
    is(
        $identity->(procedure => { %quick, @replaced, kind => 'official', time_factor => 0.1 }),
        'UnixBench 8.0.0, changed procedure, 2026-11-20',
        'a changed procedure'
    );
    is(identity({ has_passes => 0, version => '5.1.3' }), 'UnixBench 5.1.3, text report', 'a text report');
};

# A view that has only warnings.
package FakeView {
    sub new { my ($class, @texts) = @_; return bless \@texts, $class }
    sub merged_warnings { my ($self) = @_; return @$self }
}

subtest 'a warning has at most two lines' => sub {
    my $of       = sub { my ($width, @texts) = @_; return [warning_lines(FakeView->new(@texts), $width)] };
    my $long     = 'The quick brown fox jumps over the lazy dog. Then it sleeps.';
    my @indented = ('Warning: The quick brown fox jumps over the lazy', '  dog. Then it sleeps.');
    is_deeply($of->(54, $long), \@indented, 'the second is indented');
    my @between = ('Warning: The quick brown fox jumps', '  over the lazy dog. Then it sleeps. ...');
    is_deeply($of->(40, "$long It snores."), \@between, 'a longer one is cut between words');
    my @after = ('Warning: The quick brown fox jumps over the lazy', '  dog. Then it sleeps. ...');
    is_deeply($of->(50, "$long It snores all night, until the sun is up."), \@after, 'or after a sentence');
    is_deeply($of->(40, 'x' x 200),          ['Warning:', '  ' . 'x' x 34 . ' ...'], 'or within a long word');
    is_deeply($of->(80, "many lps\e[31m\n"), ['Warning: many lp\x73\x1b[31m\n'],     'it is harmless for scripts');
};

subtest 'no line is longer than the terminal, or than 72 in the block' => sub {
    for my $case (cases()) {
        my $view = view($case->{result}{runs}, %{ $case->{result} });
        for my $width (40, 200) {
            my ($path, @entries) = ("results/$case->{name}.html" x 5);
            my @block    = block_lines($view, $width, page => $path, next => 'word ' x 20);
            my @warnings = warning_lines($view, $width);
            my ($page)   = grep { /\APage / } @block;
            is($page, "Page       $path", "$case->{name}: its path is whole on $width columns");
            my $most = $width < 72 ? $width : 72;
            is_deeply([grep { length > $most && $_ ne $page } @block], [], "$case->{name}: block on $width columns");
            is_deeply([grep { length > $width } @warnings],            [], "$case->{name}: warnings on $width columns");
            cmp_ok(scalar(grep { /\AWarning: / } @warnings), '<=', 10, "$case->{name}: at most ten warnings");
        }
    }
};

done_testing;
