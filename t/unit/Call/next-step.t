# The next step after each kind of result, whichever command reports it.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture             qw(@INDEX failed host measured rendered result run skipped tag tagged);
use Place               qw(place write_file);
use UnixBench::Features ();
use UnixBench::Call::NextStep;
use UnixBench::Store::ResultNames;
use UnixBench::Summary;

use constant { POOR => UnixBench::Call::NextStep::ELSEWHERE(), AGAIN => 'and measure again' };

my %PROCEDURE = %{ result([])->{procedure} };
my %QUICK     = (%PROCEDURE, kind         => 'quick');
my %UNDER     = (%QUICK,     turns        => { state  => 0, commands => ['env'] });
my %ENDED     = (%PROCEDURE, interruption => { signal => 'INT' });

# Takes the number of an hour, a procedure, tests, and facts to replace; returns a result that began then.
sub at {
    my ($hour, $procedure, $tests, %facts) = @_;
    my $run = run(1, @$tests);
    $run->{$_} += 3600 * $hour for qw(started ended);
    return result([$run], procedure => $procedure, host => host(name => 'here'), %facts);
}

# Takes names of tests; returns tests whose passes hardly vary.
sub even {
    return [map { measured($_, 1, map { 1e6 + $_ } 1, 2, 3, 1, 2, 3) } @_];
}

my @LOUD     = map { tag(others => disturbed => 1.4) } 1 .. 6;
my $WILD     = [measured('pipe', 1, 1e6, 2e6, 3e6)];
my $FLOOR    = [tagged(even('dhry2reg')->[0], { map { $_ => [$LOUD[$_ - 1]] } 1 .. 6 })];
my $PARTIAL  = [@{ even('pipe') }, failed('spawn', 'killed by SIGSEGV')];
my $GRAPHICS = even(qw(2d-rects 2d-text));
my %CUT      = (%ENDED,     interruption => {}, runner => {});
my %GIVEN    = (%PROCEDURE, display      => 'given');
my %VIRTUAL  = (%PROCEDURE, display      => 'virtual');

# Takes a cause; returns tests whose passes vary much, all disturbed by it.
sub wild_by {
    my ($cause) = @_;
    return [tagged($WILD->[0], { map { $_ => [tag($cause => disturbed => 2)] } 1 .. 3 })];
}

# Each kind of result: [name, result, earlier result or undef, files next to its page, next step].
my $DETAILS = './Run report own --details';
my $RANK    = UnixBench::Features::first(commands => 'rank') ? './Run rank own' : $DETAILS;
my $EARLIER = './Run compare earlier own';
my $RESUME  = './Run --resume own';
my @WHY     = UnixBench::Features::merged('of_comparisons')->{why} ? '--why' : ();
my $STATES  = @WHY ? join q{ }, './Run compare own own-b', @WHY : undef;
my ($AGAIN, $WARNED) = (UnixBench::Call::NextStep::INTERRUPTED(), 'see the warnings, ' . AGAIN);
my $LOOK = UnixBench::Features::first(commands => 'doctor') ? './Run doctor' : UnixBench::Call::NextStep::DISTURBED();
my @HERE = (host => host(name => (POSIX::uname())[1]));

# What graphics tests lack, the next step, and the tests.
my @X11PERF = map { skipped($_, 'skipped: there is no program x11perf; install it') } qw(2d-rects 2d-text 2d-blit);
my $CLOSED  = skipped('2d-text', q{skipped: the X display :9 can't be opened: No such file or directory});
my @WITHOUT = (
    ['a program',               './Run --setup graphics', [@X11PERF, @{ even('ubgears') }]],
    ['a program, beside index', $DETAILS,                 [@X11PERF, @{ even('pipe') }]],
    ['several copies', $DETAILS, [skipped('2d-text', 'skipped: graphics tests run as one copy'), @{ even('ubgears') }]],
    ['a display',      $LOOK =~ s/doctor\K/ graphics/r, [$CLOSED]],
);
my @KINDS = (
    ['official, the first',  at(1, \%PROCEDURE, even(@INDEX)),                        undef, [], $RANK],
    ['changed, the first',   at(1, { %PROCEDURE, time_factor => 0.1 }, even(@INDEX)), undef, [], $DETAILS],
    ['official',             at(1, \%PROCEDURE, even(@INDEX)),         at(0, \%PROCEDURE, even(@INDEX)), [], $EARLIER],
    ['quick',                at(1, \%QUICK,     even('pipe')),         at(0, \%QUICK,     even('pipe')), [], $EARLIER],
    ['quick after official', at(1, \%QUICK,     even('pipe')),         at(0, \%PROCEDURE, even('pipe')), [], $DETAILS],
    ['official after quick', at(1, \%PROCEDURE, even('pipe')),         at(0, \%QUICK,     even('pipe')), [], $DETAILS],
    ['after a poor result',  at(1, \%PROCEDURE, even('pipe')),         at(0, \%PROCEDURE, $WILD),        [], $DETAILS],
    ['after a failed test',  at(1, \%PROCEDURE, even('pipe')),         at(0, \%PROCEDURE, $PARTIAL),     [], $DETAILS],
    ['after fewer tests',    at(1, \%QUICK,     even(qw(pipe spawn))), at(0, \%QUICK,     even('pipe')), [], $DETAILS],
    ['after several states', at(1, \%QUICK,     even('pipe')),         at(0, \%UNDER,     even('pipe')), [], $DETAILS],
    [
        'on another host',
        at(1, \%QUICK, even('pipe'), host => host(name => 'elsewhere')),
        at(0, \%QUICK, even('pipe')),
        [], $DETAILS
    ],
    ['several states',          at(1, \%UNDER, even('pipe')), at(0, \%QUICK, even('pipe')),         [], $STATES],
    ['poor',                    at(1, \%PROCEDURE, $WILD),    at(0, \%PROCEDURE, even('pipe')),     [], $WARNED],
    ['a floor',                 at(1, \%PROCEDURE, $FLOOR),   at(0, \%PROCEDURE, even('dhry2reg')), [], POOR],
    ['partial',                 at(1, \%PROCEDURE, $PARTIAL), at(0, \%PROCEDURE, even('pipe')),     [], $WARNED],
    ['poor, measured here',     at(1, \%PROCEDURE, $WILD, host => host(name => (POSIX::uname())[1])), undef, [], $LOOK],
    ['interrupted',             at(1, \%ENDED, even('pipe')), at(0, \%PROCEDURE, even('pipe')), ['journal'], $RESUME],
    ['interrupted, no journal', at(1, \%ENDED, even('pipe')), at(0, \%ENDED, even('pipe')),     [],          $AGAIN],
    ['graphics',                at(1, \%GIVEN, $GRAPHICS),    at(0, \%GIVEN, $GRAPHICS),        [],          $EARLIER],
    (map { ["graphics without $_->[0]", at(1, \%GIVEN, $_->[2], @HERE), undef, [], $_->[1]] } @WITHOUT),
    ['by heat',            at(1, \%PROCEDURE, wild_by('thermal')),     undef, [], 'cool it, ' . AGAIN],
    ['by load',            at(1, \%PROCEDURE, wild_by('others')),      undef, [], POOR],
    ['by voltage',         at(1, \%PROCEDURE, wild_by('low_voltage')), undef, [], 'use another power supply, ' . AGAIN],
    ['a log that was cut', at(1, \%CUT,       even('pipe')),           undef, [], "$AGAIN, or copy the log again"],
    ['another display',    at(1, \%GIVEN, $GRAPHICS), at(0, \%VIRTUAL, $GRAPHICS), [], $DETAILS],
);

for my $case (@KINDS) {
    my ($name, $own, $earlier, $files, $next) = @$case;
    my $place = place();
    write_file("$place/own.html",     rendered(html => $own));
    write_file("$place/earlier.html", rendered(html => $earlier)) if $earlier;
    write_file("$place/own.$_",       "{}\n") for @$files;
    write_file("$place/own-b.html",   "the second state\n") if $own->{procedure}{turns};
    my %of = (
        summary => UnixBench::Summary::of($own),
        own     => 'own',
        base    => "$place/own",
        names   => UnixBench::Store::ResultNames->new(directory => "$place"),
    );
    is(scalar UnixBench::Call::NextStep::of_result(%of), $next, $name);
    next if !@$files;
    is(scalar UnixBench::Call::NextStep::of_result(%of, is_unfinished => 1), $next, "$name: at its end, too");
    my @outputs = ('--verdict', 'a verdict');
    is(
        scalar UnixBench::Call::NextStep::of_result(%of, is_unfinished => 1, outputs => \@outputs),
        ($next // q{}) eq $RESUME ? "$RESUME --verdict 'a verdict'" : $next,
        "$name: a resumed run writes what this one would have written"
    );
}

done_testing;
