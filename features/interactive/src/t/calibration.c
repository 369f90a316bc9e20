/*
 * Calibration on simulated CPUs:
 *
 *   calibration SPEED WHAT   calibrates a CPU that does SPEED loops a millisecond and is disturbed as WHAT says
 */
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "random.h"

#define BATCHES 21

struct machine {
    double speed, now_ns;
    const char *what;
    uint64_t burns, loops_most;
    double batch_ns[BATCHES]; /* of the last batches */
};

static struct machine machine;

static int is(const char *what)
{
    return strcmp(machine.what, what) == 0;
}

/* Returns how many times longer loops take now. */
static double slowness(void)
{
    if (is("ramp"))
        return machine.now_ns < 250e6 ? 3 : 1;
    if (is("spikes"))
        return machine.burns % 3 == 0 ? 2 : 1;
    if (is("shared"))
        return machine.burns % 5 < 3 ? 1.5 : 1;
    return 1;
}

static int64_t cpu_ns(void *self)
{
    (void)self;
    if (is("stands"))
        return 5;
    if (is("backwards"))
        return -(int64_t)machine.now_ns;
    return (int64_t)machine.now_ns;
}

static void burn(void *self, uint64_t loops)
{
    double took_ns = (double)loops / machine.speed * 1e6 * slowness();

    (void)self;
    machine.now_ns += took_ns;
    machine.batch_ns[machine.burns++ % BATCHES] = took_ns;
    if (loops > machine.loops_most)
        machine.loops_most = loops;
}

int64_t thread_cpu_ns(void)
{
    return cpu_ns(NULL);
}

void burn_loops(uint64_t loops)
{
    burn(NULL, loops);
}

static int is_longer(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void print_result(struct calibration result)
{
    qsort(machine.batch_ns, BATCHES, sizeof machine.batch_ns[0], is_longer);
    printf("loops %lld\nspread %.4f\nunsteady %d\n", (long long)result.loops_per_ms, result.spread,
           result.is_unsteady);
    printf("burns %llu\nmost %llu\nms %.0f\nbatch_ms %.3f\n", (unsigned long long)machine.burns,
           (unsigned long long)machine.loops_most, machine.now_ns / 1e6, machine.batch_ns[BATCHES / 2] / 1e6);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    machine.speed = atof(argv[1]);
    machine.what = argv[2];
    print_result(calibrate((struct stopwatch){cpu_ns, burn, NULL}));
    return 0;
}
