use strict;
use warnings;

use Test::More;

use UnixBench::Base::Procedure;

# What of a procedure is changed, by the kinds of the changes.
sub kinds {
    my (%procedure) = @_;
    return join q{ }, map { $_->{kind} } UnixBench::Base::Procedure::changes(\%procedure);
}

my %OFFICIAL = (kind => 'official', time_factor => 1, work_factor => 1, baseline => 'official', replacements => []);
is(kinds(%OFFICIAL),                        q{},        'the official procedure has no change');
is(kinds(%OFFICIAL, time_factor => '1.0'),  q{},        'nor is 1.0 one');
is(kinds(),                                 q{},        'what is unknown is no change');
is(kinds(%OFFICIAL, kind => 'quick'),       q{},        'a quick run is none');
is(kinds(%OFFICIAL, display => 'virtual'),  q{},        'a virtual display is none');
is(kinds(%OFFICIAL, baseline => 'missing'), q{},        'a baseline that is missing is none');
is(kinds(%OFFICIAL, baseline => 'edited'),  'baseline', 'one that is edited is');

my %changed = (
    time_factor  => 0.5,
    work_factor  => 2,
    baseline     => 'edited',
    load_change  => { users => [5] },
    replacements => [{ name => 'aa4', by => 'aa' }],
);
is_deeply(
    [UnixBench::Base::Procedure::changes(\%changed)],
    [
        { kind => 'time_factor', factor => 0.5 },
        { kind => 'work_factor', factor => 2 },
        { kind => 'baseline' },
        { kind => 'load', load => { users => [5] } },
        { kind => 'replacement', name => 'aa4', by => 'aa' },
    ],
    'all changes, in their order'
);

# A run with one test, of whose passes each copy has said something.
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
    [UnixBench::Base::Procedure::replacements(\@runs)],
    [{ name => 'aa4', by => 'aa' }, { name => 'b c', by => 'd' }],
    'each once'
);
is_deeply([UnixBench::Base::Procedure::replacements([run_of()])], [], 'none');

done_testing;
