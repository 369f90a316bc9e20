/*
 * note-start SECONDS: a copy that only reports when it was let go, as "AT|seconds" of CLOCK_MONOTONIC.  It then stays
 * for SECONDS, so that the harness can be observed while all copies are there.
 */
#include "ub.h"

int main(int argc, char **argv)
{
    struct ub_work work = ub_take_work(&argc, &argv, "note-start seconds");
    struct timespec stay = {(time_t)work.seconds, (long)((work.seconds - floor(work.seconds)) * 1e9)};

    ub_gate();
    uint64_t at_ns = ub_now_ns();
    nanosleep(&stay, NULL);
    dprintf(STDERR_FILENO, "AT|%.6f\n", (double)at_ns / (double)UB_NS_PER_S);
    ub_count(1, 1, "lps");
    return 0;
}
