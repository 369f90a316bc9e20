# Requirements as the user writes them, the options for them, and the criteria that follow from requirements.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use CommandLines                   qw(are_refused);
use Fixture                        qw(baseline);
use UnixBench::Accept::Requirement;
use UnixBench::Catalog;
use UnixBench::Plan::Baseline;

my %TIMES = (quantity => 'times', is_times => 1, is_own => 0);

# An expression => the keys that differ from the default.
my @ACCEPTED = (
    ['index>=1500'               => {}],
    ['index>=1500.50'            => { number => 1500.5 }],
    ['pipe>=.5e3'                => { number => 500, name => 'pipe', category => undef }],
    ['index>=1500000e-3'         => {}],
    ['index>=1e30'               => { number => 1e30 }],
    ['  8  :  index  >=  1500  ' => { copies => 8 }],
    ["\t8:\tindex\t>=\n1500\n"   => { copies => 8 }],
    ['999999999:index>=1500'     => { copies => 999_999_999 }],
    [' all : index >= 1500'      => { copies => 'all' }],
    ['2d-index>=1500'            => { name   => '2d-index', category => '2d' }],
    ['3d-index>=1500'            => { name   => '3d-index', category => '3d' }],
    ['index>=0.95*last.json'     => { number => 0.95,       file     => 'last.json' }],
    [
        '8:index >= 0.95 * /a b/la*st.json ' =>
            { number => 0.95, file => '/a b/la*st.json ', copies => 8, text => '8:index >= 0.95 * la*st.json ' }
    ],
    ["index>=1*caf\xc3\xa9>=1:2*"       => { number => 1, file => "caf\xc3\xa9>=1:2*" }],
    ['B/A:index>=1500'                  => { state  => 1 }],
    [' c / a : index >= 1500'           => { state  => 2 }],
    ['8:f/a:index>=1500'                => { state  => 5, copies => 8 }],
    ['all:b/a:index>=1500'              => { state  => 1, copies => 'all' }],
    ['8:index:times>=1500'              => { %TIMES, copies => 8 }],
    ['all : index : efficiency >= 1500' => { %TIMES, copies => 'all', quantity => 'efficiency' }],
    ['4:index:times>=0.9*good'          => { %TIMES, copies => 4,     number   => 0.9, file => 'good' }],
);

my $NAMES  = 'names are index, 2d-index, 3d-index, trust and the tests of ./Run --list';
my $TRUST  = 'trust is that of the whole result, and good or fair: trust>=good or trust>=fair';
my $FORM   = 'there is no ">="; a requirement is [N:]NAME>=NUMBER or [N:]NAME>=NUMBER*RESULT';
my $NUMBER = '">=" needs a number above 0 and at most 1e+30, not';
my $STATE  = 'a ratio is that of a state to a, the plain machine, such as b/a';
my $COPIES = 'the number of copies before ":" must be a whole number from 1 or all, not';

# An expression => the error.
my @REFUSED = (
    (map { [$_ => $FORM] } 'index>1500', 'index=>1500', q{}, 'index> =1500'),
    ['index>==1500'      => qq{$NUMBER "=1500"}],
    ['index>=*last.json' => qq{$NUMBER ""}],
    (
        map { ["index>=$_" => qq{$NUMBER "$_"}] } qw(-1 0 nan inf 1e31 1e400 1_000 0x10 1e . 0.95xlast.json), '1 2',
        '1,5'
    ),
    (map { ["$_>=1" => qq{there is no name before ">="; $NAMES}] } q{}, '8:', ' : '),
    (map { ["$_:index>=1" => qq{$COPIES "$_"}] } qw(0 -1 x 1.5 01 1000000000 All), q{}),
    ['1:2:index>=1' => qq{unknown name "2:index"; $NAMES}],
    ['indx>=1'      => 'unknown name "indx"; did you mean "index"?'],
    ['Pipe>=1'      => 'unknown name "Pipe"; did you mean "pipe"?'],
    ['fs>=1'        => '"fs" is an alias; name a test, such as "fstime-w"'],
    ["index>=1*"    => 'there is no result after "*"'],
    (map { [$_ => $STATE] } 'a/b:index>=0.9',                                                  'a/a:index>=0.9'),
    (map { [$_ => 'a ratio is compared with a number, and nothing else'] } 'b/a:index>=0.9*x', 'b/a:index:p5>=1'),
    ['b/a>=1'               => qq{unknown name "b/a"; $NAMES}],
    ['8:pipe:times>=1*pipe' => 'times is compared with a number, or with that of another result'],
    (map { [$_ => $TRUST] } qw(8:trust>=fair trust>=0.5 trust>=poor trust>= trust:times>=2 b/a:trust>=good trust>=1*a)),
);

sub refusal {
    my ($text) = @_;
    is(eval { UnixBench::Accept::Requirement::of_word($text) }, undef, 'the expression is refused');
    return $@;
}

for my $case (@ACCEPTED) {
    my ($text, $expected) = @$case;
    my %default     = (copies => undef, name => 'index', category => 'system', number => 1500, file => undef);
    my $requirement = UnixBench::Accept::Requirement::of_word($text);
    is_deeply($requirement, { %default, text => $text, %$expected }, "accepted: $text");
}

for my $text ('trust>=fair', ' trust >= fair ') {
    my %criterion = (text => $text, name => 'trust', level => 'fair');
    my @parsed    = UnixBench::Accept::Requirement::of_word($text);
    is_deeply(\@parsed, [\%criterion], "accepted: $text");
    UnixBench::Accept::Requirement::check(\@parsed, { tests => [], copies => [] });
    is_deeply([UnixBench::Accept::Requirement::of(\@parsed, {}, {})], [{ %criterion, tests => [] }], 'any run has it');
}

for my $case (@REFUSED) {
    my ($text, $why) = @$case;
    is(refusal($text), qq{requirement "$text": $why\n}, "the error says: $why");
}

is(refusal("\e[31m\nx>=1"), qq{requirement "\\x1b[31m\\nx>=1": unknown name "\\x1b[31m\\nx"; $NAMES\n}, 'escaped');
like(refusal($_), qr/\A[\x20-\x7e]{1,400}\n\z/, 'the error is one short line')
    for 'x' x 100_000 . '>=1', 'index>=' . '9' x 100_000, "\xff\0>=1";

# Criteria

my $BASELINE = UnixBench::Plan::Baseline::parse(baseline());

# Takes tests or groups, numbers of copies, and what else the request has; returns it.
sub asked {
    my ($words, $copies, @more) = @_;
    my @tests = map { UnixBench::Catalog::expand($_) } split ' ', $words;
    return { tests => \@tests, copies => $copies, cpu_count => 4, baseline => $BASELINE, @more };
}

# Takes a requirement, [requests], and the summary of "a b.json"; returns [copies, limit] of each criterion,
# or the error without its beginning.
sub criteria {
    my ($text, $asked, $summary) = @_;
    my @criteria = eval {
        my $requirements = [UnixBench::Accept::Requirement::of_word($text)];
        UnixBench::Accept::Requirement::check($requirements, @$asked);
        UnixBench::Accept::Requirement::of($requirements, $asked->[0], { 'a b.json' => $summary });
    };
    return $@ =~ s/\Arequirement "\Q$text\E": //r =~ s/\n\z//r || [map { [@$_{qw(copies limit)}] } @criteria];
}

# [requirement, tests asked for, numbers of copies asked for, numbers of copies of its criteria].
my @MEANT = (
    ['index>=1',        'index',             [1],          [1]],
    ['index>=1',        'all',               [8, 1, 8, 2], [8, 1, 2]],
    ['8:index>=1',      'index',             [1, 8, 8],    [8]],
    ['all:pipe>=1',     'pipe',              [1, 4],       [4]],
    ['1:2d-index>=1',   'graphics',          [8, 1],       [1]],
    ['2d-rects>=1',     '2d-rects',          [1, 2],       [1]],
    ['index>=1',        'system dhry whets', [1],          [1]],
    ['8:pipe:times>=7', 'pipe',              [1, 8],       [8]],
    ['pipe:times>=1',   'pipe',              [1, 4, 8],    [4, 8]],
    ['c/a:pipe>=1',     'pipe',              [1],          [1], states => 3],
);
for my $case (@MEANT) {
    my ($text, $words, $numbers, $copies, @more) = @$case;
    my $expected = [map { [$_, $text =~ />=(\d)/] } @$copies];
    is_deeply(criteria($text, [asked($words, $numbers, @more)]), $expected, "$text for $words and copies @$numbers");
}

my $USE   = 'there is nothing to compare: use -c';
my $ONE   = 'one copy is compared with nothing: name more copies';
my $RATIO = 'a ratio needs a run with --under or --toggle:';

# [requirement, tests asked for, numbers of copies asked for, why it is refused, what else the request has].
my @NOT_MEASURED = (
    ['index>=1',        'pipe',          [1],    'this index needs all of its tests, and "dhry2reg" is not asked for'],
    ['hanoi>=1',        'index',         [1],    'the test "hanoi" is not asked for'],
    ['8:index>=1',      'index',         [1, 2], 'no run with 8 copies is asked for, only with 1, 2'],
    ['1:ubgears>=1',    'ubgears',       [4],    'no run with 1 copy is asked for, only with 4'],
    ['8:2d-rects>=1',   'graphics',      [1],    'it is measured with 1 copy at most'],
    ['ubgears>=1',      'ubgears',       [2, 8], 'it is measured with 1 copy at most'],
    ['4:pipe:times>=7', 'pipe',          [1],    "$USE 1,4"],
    ['4:pipe:times>=7', 'pipe',          [4],    "$USE 1,4"],
    ['4:pipe:times>=3', 'pipe',          [1, 8], "$USE 1,4,8"],
    ['4:pipe:times>=3', 'pipe',          [4, 8], "$USE 1,4,8"],
    ['all:pipe:efficiency>=0.8', 'pipe', [1],    "$USE 1,4"],
    ['pipe:times>=7',            'pipe', [1],    "$USE 1,4"],
    ['1:pipe:times>=1',          'pipe', [1, 8], $ONE],
    ['all:pipe:times>=1', 'pipe', [1],    $ONE,                                                    cpu_count => 1],
    ['8:pipe:times>=1',   'pipe', [8],    'the result has one number of copies',                   is_result => 1],
    ['4:pipe:times>=1',   'pipe', [4, 8], '4 copies are the fewest of the result',                 is_result => 1],
    ['6:pipe:times>=1',   'pipe', [],     'the result has no run',                                 is_result => 1],
    ['6:pipe:times>=1',   'pipe', [4, 8], 'no run with 6 copies is in the result, only with 4, 8', is_result => 1],
    ['c/a:pipe>=1',       'pipe', [1],    'there is no state C',                                   states    => 2],
    ['c/a:pipe>=1',       'pipe', [1],    "$RATIO this one has none"],
    ['c/a:pipe>=1',       'pipe', [1],    "$RATIO name its first result", is_result => 1],
);
is(criteria(@$_[0], [asked(@$_[1, 2], @$_[4 .. $#$_])]), $_->[3], "$_->[0]: $_->[3]") for @NOT_MEASURED;

subtest 'results' => sub {
    my %of      = (A1 => [1, 8], A2 => [1], A3 => [8, 1], none => []);
    my $refused = sub {
        my ($text, @labels) = @_;
        return criteria($text,
            [map { asked('pipe', $of{$_}, is_result => 1, @labels > 1 ? (label => $_) : ()) } @labels]);
    };
    my $no_index = 'this index needs all of its tests, and "dhry2reg" is not in the result';
    is($refused->('index>=1', 'A2'),            $no_index,                                            'an index');
    is($refused->('8:pipe>=1', 'A2'),           'no run with 8 copies is in the result, only with 1', 'copies');
    is($refused->('pipe>=1', 'none'),           'the result has no run',                              'no run');
    is(ref $refused->('pipe>=1', 'A1', 'A3'),   'ARRAY', 'the order of runs does not matter');
    is(ref $refused->('1:pipe>=1', 'A1', 'A2'), 'ARRAY', 'a number of copies that all have');
    my $lacking = 'not all results have a run with 8 copies; name a number that all have';
    is($refused->('pipe>=1',     @$_), $lacking, "each number: @$_") for ['A1', 'A2'], ['A2', 'A1'];
    is($refused->('8:pipe>=1',   'A1', 'A2'), 'no run with 8 copies is in A2, only with 1',     'one that one lacks');
    is($refused->('c/a:pipe>=1', 'A1', 'A3'), 'a ratio is of one run: judge each result alone', 'a ratio');
    is($refused->('hanoi>=1',    'A1', 'A3'), 'the test "hanoi" is not in A1',                  'a test');
};

subtest 'the baseline decides which tests an index has' => sub {
    my $none = 'index.base has no test of this index';
    is(criteria('index>=1', [asked('all', [1], baseline => {})]), $none, 'an index without tests is refused');
    my %edited      = (pipe => {}, 'fstime-w' => {}, 'no-such-test' => {}, ubgears => {});
    my @index       = (UnixBench::Accept::Requirement::of_word('index>=1'));
    my ($criterion) = UnixBench::Accept::Requirement::of(\@index, asked('all', [1], baseline => \%edited), {});
    is_deeply($criterion->{tests}, [qw(pipe fstime-w)], 'the known tests of the baseline that are of its category');
};

my @RUNS = (
    {
        copies  => 1,
        tests   => [{ name => 'pipe', score => 90, estimate => { value => 80 } }, { name => 'syscall' }],
        indexes => [
            { category => 'system', complete => 1, index => 12, estimate => { value => 11 } },
            { category => '2d',     complete => 0, index => 9,  estimate => { value => 9 } },
        ],
    },
    { copies => 4, tests => [{ name => 'pipe', score => 450, estimate => { value => 400 } }], indexes => [] },
    { copies => 4, tests => [{ name => 'pipe', score => 9 }], indexes => [] },
);

# [requirement, [copies, limit] of its criteria or the error] for a result that multiplies.
my @OF_FILE = (
    ['pipe>=0.5'             => [[1, 0.5], [4, 0.5]]],
    ['pipe>=0.5*a b.json'    => [[1, 40], [4, 200]]],
    ['4:pipe >= 2*a b.json'  => [[4, 800]]],
    ['1:index>=2*a b.json'   => [[1, 22]]],
    ['1:syscall>=1*a b.json' => 'a b.json has no score of syscall with 1 copy'],
    ['4:spawn>=1*a b.json'   => 'a b.json has no score of spawn with 4 copies'],
    ['2d-index>=1*a b.json'  => 'a b.json has no complete 2d-index with 1 copy'],
    ['2:pipe>=1*a b.json'    => 'a b.json has no run with 2 copies'],
);
is_deeply(criteria($_->[0], [asked('all', $_->[0] =~ /2:/ ? [2] : [1, 4])], { has_passes => 1, runs => \@RUNS }),
    $_->[1], $_->[0])
    for @OF_FILE;
is(
    criteria('pipe>=1*a b.json', [asked('all', [1])], { has_passes => 0, runs => \@RUNS }),
    'a b.json is a text report, whose scores leave out the third of the passes with the lowest counts; '
        . 'name the page or the JSON of that run, or write the number itself',
    "a text report can't be a reference"
);

# Options

my $RESUME = 'option --resume repeats the options of the interrupted run: leave out';

are_refused(
    [
        '--require pipe' =>
            'requirement "pipe": there is no ">="; a requirement is [N:]NAME>=NUMBER or [N:]NAME>=NUMBER*RESULT'
    ],
    ['--max-age 1d' => 'unknown option --max-age'],
    (map { ["--resume r $_" => "$RESUME " . (split)[0]] } '--require pipe>=1', '--force'),
);

done_testing;
