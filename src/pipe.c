/*
 * pipe seconds: how fast data goes through a pipe within one process, in loops a second.  One loop writes 512 bytes and
 * reads them back.  A short read or write is an error.  With -n, so are bytes that come back changed.
 */
#include "ub.h"

static const char usage[] = "pipe SECONDS | pipe -n LOOPS";

static volatile unsigned long loops;
static char buffer[512];

static void finish(UB_UNUSED int signal)
{
    ub_count_timed(ub_counted(&loops), "lps");
    _exit(0);
}

static inline void through(const int ends[2])
{
    if (write(ends[1], buffer, sizeof buffer) != sizeof buffer)
        ub_failed("pipe: write");
    if (read(ends[0], buffer, sizeof buffer) != sizeof buffer)
        ub_failed("pipe: read");
}

int main(int argc, char **argv)
{
    struct ub_work work = ub_only_work(argc, argv, usage);
    uint64_t start_ns;
    double elapsed_s;
    int ends[2];

    if (pipe(ends) != 0)
        ub_failed("pipe: pipe");
    for (size_t i = 0; i < sizeof buffer; i++)
        buffer[i] = (char)('a' + i % 26);
    ub_gate();
    start_ns = ub_now_ns();
    if (work.loops == 0) {
        ub_alarm_counting(work.seconds, &loops, finish);
        for (;; loops++)
            through(ends);
    }
    loops = -work.loops;
    do {
        through(ends);
    } while (++loops != 0);
    elapsed_s = ub_lasted_s(start_ns);
    for (size_t i = 0; i < sizeof buffer; i++)
        if (buffer[i] != (char)('a' + i % 26))
            ub_error(1, "pipe: byte %zu came back changed", i);
    ub_count(work.loops, 1, "lps");
    ub_time(elapsed_s);
    return 0;
}
