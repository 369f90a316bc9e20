use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture qw(baseline);
use UnixBench::Accept::Requirement;
use UnixBench::Catalog;
use UnixBench::Plan::Baseline;

my $BASELINE = UnixBench::Plan::Baseline::parse(baseline());

# [requirement, tests asked for, numbers of copies asked for, numbers of copies of its criteria].
my @MEANT = (
    ['index>=1',      'index',             [1],          [1]],
    ['index>=1',      'pipe index',        [1, 8],       [1, 8]],
    ['index>=1',      'all',               [8, 1, 8, 2], [8, 1, 2]],
    ['8:index>=1',    'index',             [1, 8, 8],    [8]],
    ['pipe>=1',       'pipe',              [4],          [4]],
    ['hanoi>=1',      'hanoi',             [1, 2],       [1, 2]],
    ['2d-index>=1',   'graphics',          [1, 8],       [1]],
    ['1:2d-index>=1', 'graphics',          [8, 1],       [1]],
    ['3d-index>=1',   'ubgears',           [1],          [1]],
    ['2d-rects>=1',   '2d-rects',          [1, 2],       [1]],
    ['index>=1',      'system dhry whets', [1],          [1]],
);

# [requirement, tests asked for, numbers of copies asked for, why it is refused].
my @REFUSED = (
    ['index>=1',          'pipe',     [1],    'this index needs all of its tests, and "dhry2reg" is not asked for'],
    ['index>=1',          'system',   [1],    'this index needs all of its tests, and "dhry2reg" is not asked for'],
    ['2d-index>=1',       '2d-rects', [1],    'this index needs all of its tests, and "2d-ellipse" is not asked for'],
    ['3d-index>=1',       'index',    [1],    'this index needs all of its tests, and "ubgears" is not asked for'],
    ['hanoi>=1',          'index',    [1],    'the test "hanoi" is not asked for'],
    ['8:hanoi>=1*x.json', 'index',    [1],    'the test "hanoi" is not asked for'],
    ['8:index>=1',        'index',    [1, 2], 'no run with 8 copies is asked for, only with 1, 2'],
    ['1:pipe>=1',         'pipe',     [4],    'no run with 1 copy is asked for, only with 4'],
    ['1:ubgears>=1',      'ubgears',  [4],    'no run with 1 copy is asked for, only with 4'],
    ['8:2d-index>=1',     'graphics', [1, 8], 'it is measured with 1 copy at most'],
    ['8:2d-rects>=1',     'graphics', [1],    'it is measured with 1 copy at most'],
    ['ubgears>=1',        'ubgears',  [2, 8], 'it is measured with 1 copy at most'],
);

# [requirement, tests in a result, numbers of copies in it, why it is refused].
my @NOT_THERE = (
    ['index>=1',   'pipe',  [1],    'this index needs all of its tests, and "dhry2reg" is not in the result'],
    ['hanoi>=1',   'index', [1],    'the test "hanoi" is not in the result'],
    ['8:index>=1', 'index', [1, 2], 'no run with 8 copies is in the result, only with 1, 2'],
    ['index>=1',   'index', [],     'the result has no run'],
);

sub asked {
    my ($words, $copies, $baseline) = @_;
    my @tests = map { UnixBench::Catalog::expand($_) } split ' ', $words;
    return { tests => \@tests, copies => $copies, cpu_count => 4, baseline => $baseline || $BASELINE };
}

sub requirements {
    my (@texts) = @_;
    return [map { UnixBench::Accept::Requirement::parse($_) } @texts];
}

sub refusal {
    my ($text, @asked) = @_;
    is(eval { UnixBench::Accept::Requirement::check(requirements($text), asked(@asked)); 1 }, undef,
        "$text is refused");
    return $@;
}

for my $case (@MEANT) {
    my ($text, $words, $numbers, $copies) = @$case;
    my ($requirements, $asked) = (requirements($text), asked($words, $numbers));
    UnixBench::Accept::Requirement::check($requirements, $asked);
    my @criteria = UnixBench::Accept::Requirement::of($requirements, $asked, {});
    is_deeply([map { $_->{copies} } @criteria],
        $copies, "$text for $words and copies @$numbers has criteria for copies @$copies");
}

for my $case (@REFUSED) {
    my ($text, $words, $numbers, $why) = @$case;
    is(refusal($text, $words, $numbers), qq{requirement "$text": $why\n}, "the error says: $why");
}

for my $case (@NOT_THERE) {
    my ($text, $words, $numbers, $why) = @$case;
    my %asked = (%{ asked($words, $numbers) }, is_result => 1);
    is(eval { UnixBench::Accept::Requirement::check(requirements($text), \%asked); 1 },
        undef, "$text is refused for a result");
    is($@, qq{requirement "$text": $why\n}, "the error says: $why");
}

subtest 'several results' => sub {
    my %of      = (A1 => [1, 8], A2 => [1], A3 => [8, 1]);
    my $refused = sub {
        my ($text, @labels) = @_;
        my @asked = map {
            { %{ asked('pipe', $of{$_}) }, is_result => 1, label => $_ }
        } @labels;
        return if eval { UnixBench::Accept::Requirement::check(requirements($text), @asked); 1 };
        return $@;
    };
    is($refused->('pipe>=1',   'A1', 'A3'), undef, 'the order of runs does not matter');
    is($refused->('1:pipe>=1', 'A1', 'A2'), undef, 'a number of copies that all have');
    my $lacking = 'no run with 8 copies is in A2';
    is(
        $refused->('pipe>=1', @$_),
        qq{requirement "pipe>=1": $lacking; name a number that all have\n},
        "each number: @$_"
    ) for ['A1', 'A2'], ['A2', 'A1'], ['A1', 'A3', 'A2'];
    is($refused->('8:pipe>=1', 'A1', 'A2'), qq{requirement "8:pipe>=1": $lacking, only with 1\n}, 'one that one lacks');
    is($refused->('hanoi>=1',  'A1', 'A3'), qq{requirement "hanoi>=1": the test "hanoi" is not in A1\n}, 'a test');
};

subtest 'the baseline decides which tests an index has' => sub {
    is(
        refusal('index>=1', 'all', [1], {}),
        qq{requirement "index>=1": index.base has no test of this index\n},
        'an index without tests is refused'
    );
    my %edited = (pipe => {}, 'fstime-w' => {}, 'no-such-test' => {}, ubgears => {});
    my ($criterion) = UnixBench::Accept::Requirement::of(requirements('index>=1'), asked('all', [1], \%edited), {});
    is_deeply($criterion->{tests}, [qw(pipe fstime-w)],
        'the index has the known tests of the baseline that are of its category');
    my ($official) = UnixBench::Accept::Requirement::of(requirements('index>=1'), asked('all', [1]), {});
    is_deeply(
        [sort @{ $official->{tests} }],
        [sort grep { $BASELINE->{$_} } UnixBench::Catalog::expand('index')],
        'the index of the official baseline has the official tests'
    );
};

subtest 'the first requirement that is wrong is reported' => sub {
    my $requirements = requirements('pipe>=1', 'hanoi>=1', 'arithoh>=1');
    is(eval { UnixBench::Accept::Requirement::check($requirements, asked('pipe', [1])); 1 },
        undef, 'wrong requirements are refused');
    is($@, qq{requirement "hanoi>=1": the test "hanoi" is not asked for\n}, 'the error names hanoi');
};

my %SUMMARY = (
    source => 'UnixBench',
    runs   => [
        {
            copies  => 1,
            tests   => [{ name => 'pipe', score => 90, estimate => { value => 80 } }, { name => 'syscall' }],
            indexes => [
                { category => 'system', complete => 1, index => 12, estimate => { value => 11 } },
                { category => '2d',     complete => 0, index => 9,  estimate => { value => 9 } },
            ],
        },
        {
            copies  => 4,
            tests   => [{ name     => 'pipe',   score    => 450, estimate => { value => 400 } }],
            indexes => [{ category => 'system', complete => 1,   index    => 50, estimate => { value => 40 } }],
        },
        { copies => 4, tests => [{ name => 'pipe', score => 9 }], indexes => [] },
    ],
);

sub of_file {
    my ($text) = @_;
    my @criteria = eval {
        UnixBench::Accept::Requirement::of(requirements($text), asked('all', [1, 4]), { 'a b.json' => \%SUMMARY });
    };
    return $@ || [map { [@$_{qw(copies reference limit)}] } @criteria];
}

subtest 'a limit is a number, or a part of the value in a file' => sub {
    is_deeply(of_file('pipe>=0.5'), [[1, undef, 0.5], [4, undef, 0.5]],
        'a number is a limit for all numbers of copies');
    is_deeply(
        of_file('pipe>=0.5*a b.json'),
        [[1, 80, 40], [4, 400, 200]],
        'the score over all passes in the file is used'
    );
    is_deeply(of_file('index>=2*a b.json'), [[1, 11, 22], [4, 40, 80]],
        'the index over all passes in the file is used');
    is_deeply(of_file('4:index >= 2*a b.json'), [[4, 40, 80]], 'a limit may be for one number of copies');
};

subtest 'a value that is missing from the file is reported' => sub {
    my $why = sub { qq{requirement "$_[0]": a b.json has no $_[1]\n} };
    is_deeply(of_file($_->[0]), $why->(@$_), "the error says: no $_->[1]")
        for ['syscall>=1*a b.json', 'score of syscall with 1 copy'],
        ['spawn>=1*a b.json',      'score of spawn with 1 copy'],
        ['4:spawn>=1*a b.json',    'score of spawn with 4 copies'],
        ['2d-index>=1*a b.json',   'complete 2d-index with 1 copy'],
        ['1:3d-index>=1*a b.json', 'complete 3d-index with 1 copy'];
    my $other = asked('all', [1, 2]);
    eval { UnixBench::Accept::Requirement::of(requirements('pipe>=1*a b.json'), $other, { 'a b.json' => \%SUMMARY }) };
    is($@, $why->('pipe>=1*a b.json', 'run with 2 copies'), 'a run that is missing from the file is reported');
    my $hostile = "1*\e[31m\n";
    eval {
        UnixBench::Accept::Requirement::of(requirements("pipe>=$hostile"),
            $other, { "\e[31m\n" => { source => 'UnixBench', runs => [] } });
    };
    is(
        $@,
        qq{requirement "pipe>=1*\\x1b[31m\\n": \\x1b[31m\\n has no run with 1 copy\n},
        'control characters in the name of a file are escaped'
    );
};

subtest "a text report can't be a reference" => sub {
    my %report = (%SUMMARY, source => 'text report');
    eval { UnixBench::Accept::Requirement::of(requirements('pipe>=1*old'), asked('all', [1]), { old => \%report }) };
    is(
        $@,
        'requirement "pipe>=1*old": old is a text report, whose scores leave out the third of the passes '
            . 'with the lowest counts; '
            . "name the page or the JSON of that run, or write the number itself\n",
        'the error gives the reason and what to do'
    );
};

subtest 'a criterion has the keys of its requirement' => sub {
    my ($requirement) = @{ requirements('4:pipe>=0.5*a b.json') };
    my @criteria =
        UnixBench::Accept::Requirement::of([$requirement], asked('pipe', [1, 4]), { 'a b.json' => \%SUMMARY });
    my %expected = (%$requirement, copies => 4, tests => ['pipe'], reference => 400, limit => 200);
    my $base     = $SUMMARY{runs}[1]{tests}[0];
    is_deeply(
        \@criteria,
        [{ %expected, base => $base, trust => undef, procedure => undef }],
        'copies, tests, reference and its source, and limit are added'
    );
};

done_testing();
