/*
 * Counts in large steps, so that a counter of 32 bits overflows several times in a second.  Prints the sum of the
 * steps; COUNT has to be the same.
 */
#include "ub.h"

#define STEP 100000000UL
#define PAUSE_NS 10000000L

static volatile unsigned long loops;
static volatile uint64_t sum;

static void finish(UB_UNUSED int signal)
{
    char text[32], *end = text + sizeof text, *at = ub_digits(ub_text(end, "\n"), sum);

    ub_count(ub_counted(&loops), 1, "lps");
    _exit(write(STDOUT_FILENO, at, (size_t)(end - at)) < 0);
}

int main(void)
{
    ub_alarm_counting(1.5, &loops, finish);
    for (;;) {
        struct timespec pause = {0, PAUSE_NS};

        nanosleep(&pause, NULL);
        sum += STEP;
        loops += STEP;
    }
}
