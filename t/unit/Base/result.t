use strict;
use warnings;

use Test::More;

use UnixBench::Base::Result;

# Takes the keys and values of a procedure; returns the kinds of its changes, joined by blanks.
sub kinds {
    my (%procedure) = @_;
    return join q{ }, map { $_->{kind} } UnixBench::Base::Result::changes(\%procedure);
}

my %OFFICIAL = (kind => 'official', time_factor => 1, work_factor => 1, baseline => 'official', replacements => []);
is(kinds(%OFFICIAL),                       q{}, 'the official procedure has no change');
is(kinds(),                                q{}, 'unknown values are not changes');
is(kinds(%OFFICIAL, kind => 'quick'),      q{}, 'a quick run is not a change');
is(kinds(%OFFICIAL, display => 'virtual'), q{}, 'a virtual display is not a change');

my %changed = (
    time_factor  => 0.5,
    work_factor  => 2,
    baseline     => 'edited',
    load_change  => { users => [5] },
    replacements => [{ name => 'aa4', by => 'aa' }],
);
is_deeply(
    [UnixBench::Base::Result::changes(\%changed)],
    [
        { kind => 'time_factor', factor => 0.5 },
        { kind => 'work_factor', factor => 2 },
        { kind => 'baseline' },
        { kind => 'load', load => { users => [5] } },
        { kind => 'replacement', name => 'aa4', by => 'aa' },
    ],
    'all changes are listed, in their order'
);

# Takes passes, each a list of the data of its copies; returns a run with one test that has these passes.
sub run_of {
    my @passes = map {
        { copies => [map { { data => $_ } } @$_] }
    } @_;
    return { tests => [{ passes => \@passes }] };
}

my @runs = (
    run_of([{ COUNT          => [1, 1, 'lps'] }], [{ 'replaced.aa4' => ['aa'] }, { 'replaced.aa4' => ['aa'] }]),
    run_of([{ 'replaced.b c' => ['d'], 'not.replaced.x' => ['y'] }]),
);
is_deeply(
    [UnixBench::Base::Result::replacements(\@runs)],
    [{ name => 'aa4', by => 'aa' }, { name => 'b c', by => 'd' }],
    'each replacement is listed once'
);

done_testing;
