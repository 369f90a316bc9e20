/*
 * taken SECONDS: the time that is missing in a loop that reads the clock.  After a step of more than 0.2 ms, something
 * else has run on this CPU, or nothing: a hypervisor, a quota, another process.  Each such piece is reported as its
 * begin and its length in microseconds, in lines PIECES0, PIECES1, ... of "begin:length|...".  The count is that of the
 * microseconds in which the loop ran.
 */
#include "ub.h"

#define LEAST_NS 200000
#define PIECES_MOST 400
#define IN_LINE 20 /* of the 400 pieces; a line has at most 4096 bytes */

static const char usage[] = "taken SECONDS";

struct piece {
    uint64_t begin_us, length_us;
};

static void report(const struct piece *pieces, int count)
{
    for (int first = 0; first < count; first += IN_LINE) {
        char line[512];
        size_t used = 0;

        for (int at = first; at < count && at < first + IN_LINE; at++)
            used += (size_t)snprintf(line + used, sizeof line - used, "|%lu:%lu",
                                     (unsigned long)pieces[at].begin_us, (unsigned long)pieces[at].length_us);
        ub_report_line("PIECES%d%s\n", first / IN_LINE, line);
    }
}

int main(int argc, char **argv)
{
    static struct piece pieces[PIECES_MOST];
    uint64_t begin_ns, last_ns, end_ns, missing_ns = 0;
    double seconds;
    int count = 0;

    if (argc != 2)
        ub_error(2, "usage: %s", usage);
    seconds = ub_seconds(argv[1], usage);
    ub_gate();
    begin_ns = last_ns = ub_now_ns();
    end_ns = begin_ns + (uint64_t)(seconds * (double)UB_NS_PER_S);
    while (last_ns < end_ns) {
        const uint64_t now_ns = ub_now_ns(), length_ns = now_ns - last_ns;

        if (length_ns > LEAST_NS) {
            missing_ns += length_ns;
            if (count < PIECES_MOST) {
                pieces[count].begin_us = (last_ns - begin_ns) / 1000;
                pieces[count++].length_us = length_ns / 1000;
            }
        }
        last_ns = now_ns;
    }
    ub_use_ends();
    report(pieces, count);
    ub_count((last_ns - begin_ns - missing_ns) / 1000 + 1, 1, "us");
    ub_time((double)(last_ns - begin_ns) / (double)UB_NS_PER_S);
    return 0;
}
