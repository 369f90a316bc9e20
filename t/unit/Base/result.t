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
    my @passes = map { { copies => [map { { data => $_ } } @$_] } } @_;
    return { tests => [{ passes => \@passes }] };
}

my @runs = (
    run_of([{ COUNT          => [1, 1, 'lps'] }], [{ 'replaced.aa4' => ['aa'] }, { 'replaced.aa4' => ['aa'] }]),
    run_of([{ 'replaced.b c' => ['d'], 'not.replaced.x' => ['y'] }]),
);
my @replaced = ({ name => 'aa4', by => 'aa' }, { name => 'b c', by => 'd' });
is_deeply([UnixBench::Base::Result::replacements(\@runs)], \@replaced, 'each replacement is listed once');

# Takes a number; returns a pass of that many copies. The rates fall, and some copies are unlike the others.
sub pass_of {
    my ($copies) = @_;
    my @copies = map { +{ pid => $_, count => 1000 - $_, time_s => 10, elapsed_s => 10, data => {} } } 1 .. $copies;
    $copies[2]{data}{'replaced.aa4'} = ['aa'];
    $copies[3]{error}                = 'no';
    $copies[4]{elapsed_s}            = 12;
    $copies[$_]{tracer}              = 'strace' for 5, 6;
    return { copies => \@copies };
}

subtest 'of many copies, some are kept' => sub {
    my ($few, $many) = map { pass_of($_) } 63, 1024;
    UnixBench::Base::Result::sample($_) for $few, $many;
    is_deeply([scalar @{ $few->{copies} }, $few->{all}], [63, undef], 'of fewer, all');
    is_deeply(
        [map { $_->{pid} } @{ $many->{copies} }],
        [1, 3 .. 6, 129, 257, 385, 513, 641, 769, 897, 1024],
        'those at quantiles of the rates, the longest, and the first of each that is unlike others'
    );
    is_deeply($many->{all}, { copies => 1024, elapsed_s => 10_242 }, 'the sums are those of all');
    is(UnixBench::Base::Result::copies_in($_->[0]), $_->[1], "$_->[1] copies") for [$few, 63], [$many, 1024];
};

done_testing;
