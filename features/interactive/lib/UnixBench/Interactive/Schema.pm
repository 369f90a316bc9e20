package UnixBench::Interactive::Schema;

# The types of what interactive tests report, see UnixBench::Base::ResultSchema.

use strict;
use warnings;

my $DECLARATION = <<'END';
interactivity, after row: what interactive tests reported besides their scores
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

# Returns the declaration of the types, see UnixBench::Base::ResultSchema.
sub types { return $DECLARATION }

1;
