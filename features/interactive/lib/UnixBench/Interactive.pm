package UnixBench::Interactive;

# The feature interactive: how long programs that a user waits for wait for a CPU under load.

use strict;
use warnings;

# The needs of the tests, on a machine with few CPUs:
#   capacity  a thread for each stream
#   response  the load Hack with 40 processes for every four CPUs, and the load Compile with two files, each of at most
#             a tenth of the free space
my %NEEDS = (
    capacity => { processes => 100, memory_kb => 32_768, cpus => 100 },
    response => { processes => 60,  memory_kb => 65_536, scratch_kb => 262_144, cpus => 60 },
);

# The types of what interactive tests report, see UnixBench::Base::ResultSchema.
my $TYPES = <<'END';
interactivity: what interactive tests reported besides their scores
  cells             [cell]              of interactive-response: each task under each load, in the order of the reports
  trials            [trial]             of interactive-capacity: each number of streams that was tried, ascending

cell: a task under a load; of several passes the frames are added, the max is the greatest, the rest are medians
  task              text                what was measured: Audio, Video, X or Probe
  load              text                what ran at the same time: None, Burn, Compile or Hack
  passes            whole               the number of passes
  frames            whole               the frames that were due
  on_time           natural             those that were done before the next one was due
  late              natural             those that were done later
  dropped           natural             those that were never begun
  on_time_percent   unsigned            frames on time, of all frames
  late_percent      unsigned            late frames, of all frames
  dropped_percent   unsigned            dropped frames, of all frames
  work_percent?     unsigned            the work that was done, of the work of all frames
  throughput_percent? unsigned          the work of the load, of its work alone
  wake_p50_us?      unsigned            from when a frame was due to the start of its work: the median
  wake_p99_us?      unsigned            the same: the 99th percentile
  staleness_p50_us? unsigned            from when a frame was due to the end of it or of a later one: the median
  staleness_p95_us? unsigned            the same: the 95th percentile
  staleness_p99_us? unsigned            the same: the 99th percentile
  staleness_p99_least_us? unsigned      the least p99 of a pass
  staleness_p99_most_us? unsigned       the greatest p99 of a pass
  staleness_p999_us? unsigned           the same: the 99.9th percentile
  staleness_max_us? unsigned            the same: the longest
  staleness_sd_us?  unsigned            the same: the standard deviation
  noisy             boolean             whether the hypervisor or other programs took much CPU time in a pass

trial: a number of streams that was tried
  streams           whole               the streams of 60 frames a second
  passes            whole               the number of passes
  on_time_percent   unsigned            frames on time, of all frames; of several passes the median
END

my ($LOAD, $TASK) = (qr/None|Burn|Compile|Hack/, qr/Audio|Video|X|Probe/);

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        part  => ['interactive'],
        tests => [
            {
                name        => 'interactive',
                subject     => 'Interactivity',
                kind        => 'interactive',
                copies_max  => 1,
                is_optional => 1,
                system      => 'Linux',
                remedy      => 'make shows why it is not built',
                is_apart    => 1,
                tests       => [
                    _test(
                        'capacity', 'Interactive Capacity', 3, [qw(--capacity)],
                        overhead_s       => 42,
                        short_overhead_s => 18
                    ),
                    _test(
                        'response', 'Interactive Response', 5, [qw(--mix --fixed --max-disk 256M)],
                        overhead_s       => 37,
                        short_s          => 2,
                        short_overhead_s => 15
                    ),
                ],
            },
        ],
        types      => [$TYPES],
        of_results => { interactivity => 'Interactive::Results' },
        stays      => {
            'copy.data interactive' => qr/cell[.](?:$LOAD)[.](?:$TASK)|trial[.][0-9]+/,
            'cell.load'             => qr/$LOAD/,
            'cell.task'             => qr/$TASK/,
        },
        topics => [{ topic => 'Interactive::Topic', before_runs => 5, of_run => 5, in_block => 1 }],
    };
}

# Takes a name, a title, the seconds of one measurement, the mode of interbench and further keys; returns the test. In
# each pass, interbench makes several measurements, and warms up before each. They are trials with different numbers of
# streams, or measurements with each of four loads. Interactive Response needs 1,000 frames with a value for each load,
# at 1,000 frames a second. On a busy machine the last frames have no value, so its short passes take 2 s.
sub _test {
    my ($name, $title, $seconds, $mode, %more) = @_;
    return {
        name    => "interactive-$name",
        title   => $title,
        length  => 'once',
        seconds => $seconds,
        command => ['interbench', @$mode, qw(--protocol -c -t {seconds} --warmup {lead})],
        short_s => 1,
        limit_s => 600,
        timed   => 'none',
        needs   => $NEEDS{$name},
        %more
    };
}

1;
