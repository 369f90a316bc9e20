use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases                    qw(cases);
use Fixture                  qw(failed measured quick_run rendered result run sliced);
use Golden                   qw(is_golden no_golden_left_over);
use UnixBench::Report::Lines qw(folded plain);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Report::Notes;
use UnixBench::Store::ClassicReport::Summary;

# The details of a result.

my @RECORDED = qw(modes disturbed);

# Texts that other programs search for in standard output, some of them in any case.
my $MARK =
    qr/lps|MWIPS|aborting|of tests|\(Partial Only\)|Index Score|Benchmark Run|parallel cop|[ ]samples\)|-{71}|={71}/i;

sub render { return rendered(details => @_) }

# Returns the details with each sentence in one line.
sub unfolded { return render(@_) =~ s/\n {2,}/ /gr }

# Takes details; returns what is recorded of them: without one copy, and without the steps that features advise.
sub recorded {
    my ($text) = @_;
    $text =~ s/\A1 copy.*?(?=^4 copies)//ms;
    $text =~ s/(may be oversold).*?[.]\s+(Steal that stays is the)\s+/$1. $2 /s;
    return $text;
}

for my $case (cases()) {
    my $name = $case->{name};
    my $text = render($case->{result});
    is_golden("$name.details.txt", recorded($text)) if grep { $_ eq $name } @RECORDED;
    unlike($text, $MARK,                        "$name: no text that other programs search for");
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$name: no control characters");
    unlike($text, qr/[ ]$|\n\n\n|\A\n/m, "$name: no trailing blanks, double blank lines or blank line at the top");
    is_deeply([grep { length > 100 } split /\n/, $text], [], "$name: at most 100 columns");
    next if !@{ $case->{result}{runs} };
    like($text, qr/[^\n]\n\z/, "$name: ends with a newline");
}

is(render(result([])), q{}, 'without runs there are no details');

subtest 'a test of many passes' => sub {
    my $text = render(result([run(1, measured('spawn', 1, 3030, 2985, 3097.5, 2940, 3015))]));

    # Runs of a virtual machine differ by 2 %: Student's t of 8 degrees of freedom, and the passes of this run.
    like($text, qr/^Process Creation +7[.]97 +7 % +100 +1[.]9 % +5 +8[.]0$/m, 'the line of a test has its estimate');
};

subtest 'quick runs' => sub {
    my @even = map { 1000 + $_ } 0, 2, 0, 2, 1;
    my %with = (procedure => { kind => 'quick', seed => 7, precision => 0.01 });
    my $text = unfolded(result([quick_run(5, 1, sliced('pipe', 1, @even))], %with));
    like($text, qr/5 rounds in random order \(seed 7\)[.]$/m, 'rounds and seed of a quick run');
    unlike($text, qr/precision after/, 'a precision that was reached is not mentioned');
    unlike($text, qr/classic/i,        'a quick run has one kind of index');
    my $one = unfolded(result([quick_run(1, 1, sliced('pipe', 1, 1000))], %with));
    like($one, qr/1 round in random order \(seed 7\)[.]$/m,                       'a quick run of one round');
    like($one, qr/index: precision after 1 round is unknown [(]wanted 1 %[)][.]/, 'an unknown precision is a warning');
    my $none = render(result([quick_run(3, 1, failed('pipe', 'gone'))], %with));
    like($none, qr/no measured results: gone\n/, 'a quick run without a score');
    unlike($none, qr/precision/, 'a quick run without a score has no precision');
};

subtest 'folding of lines' => sub {
    my @lines = folded('word ' x 50, 3);
    is(scalar(grep { /\A   (?:  )?word( word)*\z/ && length() <= 100 } @lines), scalar @lines, 'at blanks');
    is(join(q{ }, map { split } @lines), 'word ' x 49 . 'word',                                'all words are there');
    is_deeply([map { length } folded('x' x 250)], [98, 100, 56], 'a very long word is broken');
    is(plain("helps\n"), 'helpx73\n' =~ s/px/p\\x/r, 'texts that programs search for are escaped');
};

# The notes of a result: the sentences, and their order. They are read back as the data from which they were made.

# Returns the notes of a result with this procedure and these tests.
sub notes {
    my ($procedure, @tests) = @_;
    return [UnixBench::Report::Notes::of(result([run(1, @tests)], procedure => $procedure, utc_offset_s => -3600))];
}

my @CASES = (
    [{}, [] => 'an official run without special facts has no notes'],
    [
        { kind => 'official', time_factor => 1, work_factor => 1, display => 'given', baseline => 'missing' },
        [] => 'a given display and a missing baseline have no notes'
    ],
    [{ kind    => 'quick' }, ['Quick run: estimate, not an official result'] => 'a quick run has a note'],
    [{ display => 'other' }, ['other display']                               => 'another display has a note'],
    [
        { time_factor => 0.5, work_factor => 2 },
        ['changed procedure: passes and pauses shortened to 0.5 of their length; MULTI_SH_WORK_FACTOR is 2'],
        'changed factors have a note'
    ],
    [
        { time_factor => 1e-6 },
        ['changed procedure: passes and pauses shortened to 1e-06 of their length'],
        'a very small factor has a note'
    ],
    [{ baseline => 'edited' }, ['changed procedure: index.base is edited'], 'a changed baseline has a note'],
    [
        { replacements => [{ name => 'aa4', by => 'aa' }, { name => 'b c', by => 'd' }] },
        ['changed procedure: aa instead of aa4; d instead of b c'],
        'replaced tests have a note'
    ],
    [{ resumptions  => [0, 1] },              ['resumed'],               'resumptions have a note'],
    [{ interruption => { signal => 'INT' } }, ['interrupted by SIGINT'], 'an interruption by a signal has a note'],
    [
        { interruption => { problem => q{can't write x} } },
        [q{interrupted: can't write x}],
        'an interruption by a problem has a note'
    ],
);
for my $case (@CASES) {
    my ($procedure, $notes, $name) = @$case;
    is_deeply(notes($procedure), $notes, $name);
}

my %all = (
    interruption => { signal => 'TERM', problem => 'no space' },
    resumptions  => [3600],
    replacements => [{ name => 'b', by => 'a' }],
    time_factor  => 0.1,
    kind         => 'quick',
    display      => 'other',
);
is_deeply(
    notes(\%all),
    [
        'Quick run: estimate, not an official result',
        'other display',
        'changed procedure: passes and pauses shortened to 0.1 of their length; a instead of b',
        'resumed',
        'interrupted by SIGTERM',
        'interrupted: no space',
    ],
    'all notes are in their order'
);

# Takes facts of a build; returns the notes of a result with it.
sub notes_of_build { return [UnixBench::Report::Notes::of(result([run(1)], build => { compiler => 'gcc', @_ }))] }

my $PORTABLE = 'portable build: scores differ from those of a native build';
is_deeply(notes_of_build(),                            [],                             'a usual build has no note');
is_deeply(notes_of_build(portable => 'yes'),           [$PORTABLE],                    'a portable build has a note');
is_deeply(notes_of_build(ldflags => '-s -static'),     ['statically linked programs'], 'a static release has a note');
is_deeply(notes_of_build(ldflags => '-static-libgcc'), [], 'a library that is linked statically has no note');
is_deeply(notes({}, measured('pipe', 1, 1000)),        [], 'a test without users has no note about users');

my %OFFICIAL = (
    kind         => 'official',
    display      => 'given',
    time_factor  => 1,
    work_factor  => 1,
    replacements => [],
);

# Takes notes; returns the procedure that is read from them, and tests its shape.
sub told {
    my (@notes) = @_;
    my %known = %{ UnixBench::Store::ClassicReport::Summary::procedure('8.0.0', @notes) };
    is(UnixBench::Base::Shape::difference(\%known, UnixBench::Base::ResultSchema::shape('head')->{procedure}),
        undef, 'the procedure has the right shape');
    return \%known;
}

my @PROCEDURES = (
    {},
    { time_factor  => 0.000001 },
    { baseline     => 'edited' },
    { replacements => [{ name => 'aa4', by => 'aa' }, { name => 'b c', by => 'd' }] },
    { interruption => { signal => 'TERM', problem => q{can't write x: No space left on device} } },
    {
        kind         => 'quick',
        display      => 'virtual',
        time_factor  => 0.5,
        work_factor  => 3,
        baseline     => 'edited',
        interruption => { problem => 'a quick run ended' },
        replacements => [{ name => 'x', by => 'y' }],
    },
);
for my $procedure (@PROCEDURES) {
    my %whole = (%OFFICIAL, %$procedure);
    my @notes = UnixBench::Report::Notes::of(result([], procedure => \%whole));
    is_deeply(told(@notes), \%whole, "procedure of the notes: @notes");
}

# [what differs from the official procedure, notes that say nothing about it or something else].
my @OTHERS = (
    [{} => 'shortened passes', 'index.base was edited', 'a further report in the same file was not read', q{}, "\xff"],
    [{} => 'changed procedure: ', 'changed procedure: passes and pauses shortened to 0 of their length'],
    [{}                  => 'changed procedure: MULTI_SH_WORK_FACTOR is 0; something of the future'],
    [{}                  => 'multi-user load: 3 lines failed', 'my virtual display (Xvfb)'],
    [{ kind => 'quick' } => 'this was a quick run'],
);
for my $case (@OTHERS) {
    my ($known, @notes) = @$case;
    is_deeply(told(@notes), { %OFFICIAL, %$known }, "procedure of the notes: @notes");
}

no_golden_left_over();
done_testing;
