# Tests that notes are read back as the data from which they were made.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(result);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Report::Notes;
use UnixBench::Store::ClassicReport::Summary;

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
