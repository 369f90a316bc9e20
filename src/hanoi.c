/*
 * Recursion: COUNT is how many times a second (lps) the disks of the Tower of Hanoi were moved from the first peg to
 * the third.  There are 10 disks by default.  E. Lucas, "Recreations mathematiques" III, 1893.
 */
#include "ub.h"

static const char usage[] = "hanoi SECONDS [DISKS] | hanoi -n LOOPS [DISKS]";

static volatile unsigned long loops;
static int disks_on[4];

static void move(int disks, int from, int to)
{
    int other;

    if (disks == 1) {
        disks_on[from]--;
        disks_on[to]++;
        return;
    }
    other = 6 - (from + to);
    move(disks - 1, from, other);
    move(1, from, to);
    move(disks - 1, other, to);
}

static void lay_out(int disks)
{
    disks_on[1] = disks;
    disks_on[2] = disks_on[3] = 0;
}

static void check(int disks)
{
    if (disks_on[1] != 0 || disks_on[2] != 0 || disks_on[3] != disks)
        ub_error(1, "all %d disks must end on the third peg, but the pegs have %d, %d and %d", disks,
                 disks_on[1], disks_on[2], disks_on[3]);
}

static void finish(UB_UNUSED int signal)
{
    ub_count_timed(ub_counted(&loops), "lps");
    _exit(0);
}

int main(int argc, char **argv)
{
    struct ub_work wanted = ub_take_work(&argc, &argv, usage);
    int disks = 10;
    uint64_t start_ns;

    if (argc > 0)
        disks = (int)ub_whole("disks", argv[0], 1, 30, usage);
    if (argc > 1)
        ub_error(2, "unexpected argument \"%.40s\"; usage: %s", argv[1], usage);
    ub_gate();
    if (wanted.loops == 0) {
        ub_alarm_counting(wanted.seconds, &loops, finish);
        for (;;) {
            lay_out(disks);
            move(disks, 1, 3);
            ++loops;
        }
    }
    start_ns = ub_now_ns();
    for (loops = -wanted.loops; loops != 0; ++loops) {
        lay_out(disks);
        move(disks, 1, 3);
    }
    ub_time(ub_lasted_s(start_ns));
    check(disks);
    ub_count(wanted.loops, 1, "lps");
    return 0;
}
