package UnixBench::Interactive;

# The feature interactive: how long programs that a user waits for wait for a CPU under load.

use strict;
use warnings;

# The needs of the tests, on a machine with few CPUs:
#   capacity  a thread for each stream
#   response  the load Hack with 40 processes for every four CPUs, and the load Compile with two files, each of at most
#             a tenth of the free space
my %NEEDS = (
    capacity => { processes => 100, memory_kb => 32_768 },
    response => { processes => 60,  memory_kb => 65_536, scratch_kb => 262_144 },
);

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        part       => ['interactive'],
        categories => [
            {
                name        => 'interactive',
                subject     => 'Interactivity',
                kind        => 'interactive',
                copies_max  => 1,
                is_optional => 1,
                system      => 'Linux',
                is_apart    => 1,
            },
        ],
        tests => [
            _test('capacity', 'Interactive Capacity', 3, [qw(--capacity)], overhead_s => 42, short_overhead_s => 18),
            _test(
                'response', 'Interactive Response', 5, [qw(--mix --fixed --max-disk 256M)],
                overhead_s       => 37,
                short_s          => 2,
                short_overhead_s => 15
            ),
        ],
        aliases => [[interactive => qw(interactive-capacity interactive-response)]],
        types   => ['Interactive::Schema'],
        of_runs => { interactivity => 'Interactive::Results' },
        topics  => [{ topic => 'Interactive::Topic', of_run => 25 }],
    };
}

# Takes a name, a title, the seconds of one measurement, the mode of interbench and further keys; returns the test. In
# each pass, interbench makes several measurements, and warms up before each. They are trials with different numbers of
# streams, or measurements with each of four loads. Interactive Response needs 1,000 frames with a value for each load,
# at 1,000 frames a second. On a busy machine the last frames have no value, so its short passes take 2 s.
sub _test {
    my ($name, $title, $seconds, $mode, %more) = @_;
    return {
        name     => "interactive-$name",
        title    => $title,
        category => 'interactive',
        length   => 'once',
        seconds  => $seconds,
        command  => ['interbench', @$mode, qw(--protocol -c -t {seconds} --warmup {lead})],
        short_s  => 1,
        limit_s  => 600,
        timed    => 'none',
        needs    => $NEEDS{$name},
        %more
    };
}

1;
