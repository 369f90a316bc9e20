# The notes of a result: the sentences, and their order. They are read back as the data from which they were made.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture qw(measured result run);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Report::Notes;
use UnixBench::Store::ClassicReport::Summary;

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

done_testing;
