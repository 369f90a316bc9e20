# Tests of the disturbances of passes that measure.sh has watched: UnixBench::Target::Disturbances.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use UnixBench::Target::Disturbances;

# Returns two looks, one second apart, on four CPUs. Takes what differs: the ticks of processes, of steal, those of the
# script and its copy, and other values of the second look.
sub looks {
    my (%differ) = (busy => 100, steal => 0, own => 100, last => {}, running => 1, @_);
    my $unused   = 400 - $differ{busy} - $differ{steal};
    my %first    = (uptime_s => '10.00', cpus => 4, running => $differ{running}, waited_ns => q{});
    return [
        { %first, ticks => '0 0 0 0 0 0 0 0', own => '0 0 0 0 0 0' },
        {
            %first,
            ticks    => "$differ{busy} 0 0 $unused 0 0 0 $differ{steal}",
            own      => "9 0 0 0 $differ{own} 0",
            uptime_s => '11.00',
            %{ $differ{last} }
        },
    ];
}

sub found {
    my ($looks) = @_;
    my %copy = (gated => 1, elapsed_s => 1, time_s => 1, count => 1000, timebase => 1, data => {});
    return UnixBench::Target::Disturbances::disturbances(
        looks       => $looks,
        copies      => [\%copy],
        planned     => { asked => { seconds => 1, of => 'elapsed_s', loops_at_once => 1, is_alone => 1 } },
        usable_cpus => 4,
        is_quick    => 1
    );
}

# Returns "CAUSE LEVEL" of each disturbance.
sub names {
    return join q{, }, map { "$_->{cause} $_->{level}" } @{ $_[0] };
}

is_deeply(found(looks()), [], 'an idle machine: a pass was watched, and nothing disturbed it');
is(names(found(looks(busy => 250))),            'others disturbed',    'other processes');
is(names(found(looks(steal => 40))),            'steal disturbed',     'steal');
is(names(found(looks(running => 9))),           'run_queue disturbed', 'waiting processes');
is(names(found(looks(own => 90, busy => 250))), 'others disturbed',    '... and the own CPU time is slightly too low');
is(found(looks(own => 0)), undef, 'own CPU time that stands still, as under qemu-arm: nothing is known');
is(found(undef),           undef, 'without looks, nothing is known');
for my $case (
    ['the time goes back'    => { uptime_s => '9.00' }],
    ['a counter goes back'   => { own      => '0 0 0 0 0 -1' }],
    ['the CPUs have changed' => { cpus     => 2 }],
    )
{
    my ($name, $last) = @$case;
    is(found(looks(last => $last)), undef, "$name: nothing is known");
}

done_testing;
