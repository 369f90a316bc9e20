/*
 * What disturbs a batch makes it slower, never faster, so the fast ones tell the CPU's speed.  All loops are bounded by
 * counts, whatever the clock says.
 */
#include "calibration.h"

#include <pthread.h>
#include <stdlib.h>

#include "clock.h"
#include "cpus.h"
#include "distribution.h"
#include "work.h"

#define WARM_UP_NS      (300 * NS_PER_MS)
#define WARM_UP_BATCHES 2000
#define WARM_UP_LOOPS   UINT64_C(20000000000)
#define BATCH_NS        (10 * NS_PER_MS)
#define BATCH_FIRST     UINT64_C(100)
#define BATCH_MOST      UINT64_C(1000000000)
#define BATCHES         21
#define FAST_DECILE     2 /* of sorted times, from 0 */
#define MEDIAN          10
#define ATTEMPTS        5
#define STEADY          0.05
#define LOOPS_MOST      1000000000

/* CPU time of so many loops; 0 when the clock stands still, or goes back. */
static int64_t time_batch(struct stopwatch watch, uint64_t loops)
{
    int64_t before = watch.cpu_ns(watch.self), elapsed;

    watch.burn(watch.self, loops);
    elapsed = watch.cpu_ns(watch.self) - before;
    return elapsed > 0 ? elapsed : 0;
}

/* How many loops take about as long as a batch should, by one that took so long. */
static uint64_t resize(uint64_t loops, int64_t elapsed_ns)
{
    double wanted = elapsed_ns < NS_PER_MS ? 2.0 * (double)loops
                                           : (double)loops * (double)BATCH_NS / (double)elapsed_ns;

    if (wanted < 1)
        return 1;
    return wanted > (double)BATCH_MOST ? BATCH_MOST : (uint64_t)wanted;
}

/* Returns the loops of a batch, or 0 when the clock stands still. */
static uint64_t warm_up(struct stopwatch watch)
{
    uint64_t loops = BATCH_FIRST, all = 0;
    int64_t passed_ns = 0;

    for (int i = 0; i < WARM_UP_BATCHES && passed_ns < WARM_UP_NS && all < WARM_UP_LOOPS; i++) {
        int64_t elapsed = time_batch(watch, loops);

        if (elapsed == 0 && loops == BATCH_MOST)
            return 0;
        passed_ns += elapsed;
        all += loops;
        loops = resize(loops, elapsed);
    }
    return passed_ns > 0 ? loops : 0;
}

static int compare(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

    return (one > other) - (one < other);
}

static int64_t rate(uint64_t loops, int64_t elapsed_ns)
{
    int64_t rate = (int64_t)((loops * (uint64_t)NS_PER_MS + (uint64_t)elapsed_ns / 2) / (uint64_t)elapsed_ns);

    return rate < 1 ? 1 : rate > LOOPS_MOST ? LOOPS_MOST : rate;
}

/* Returns the median, in nanoseconds, or 0 when the clock stood still. */
static int64_t attempt(struct stopwatch watch, uint64_t loops, struct calibration *result)
{
    int64_t times[BATCHES];

    for (int i = 0; i < BATCHES; i++) {
        times[i] = time_batch(watch, loops);
        if (times[i] == 0)
            return 0;
    }
    qsort(times, BATCHES, sizeof times[0], compare);
    result->loops_per_ms = rate(loops, times[FAST_DECILE]);
    result->spread = (double)(times[MEDIAN] - times[FAST_DECILE]) / (double)times[FAST_DECILE];
    result->is_unsteady = result->spread > STEADY;
    return times[MEDIAN];
}

/* A steady attempt counts, or of unsteady ones the fastest. */
static void take_better(struct calibration *best, const struct calibration *current)
{
    if (best->spread >= 0 && current->is_unsteady && current->loops_per_ms <= best->loops_per_ms)
        return;
    best->loops_per_ms = current->loops_per_ms;
    best->spread = current->spread;
    best->is_unsteady = current->is_unsteady;
}

struct calibration calibrate(struct stopwatch stopwatch)
{
    struct calibration best = {.loops_per_ms = REFERENCE_LOOPS_PER_MS, .spread = UNKNOWN, .is_unsteady = 1}, current;
    uint64_t loops = warm_up(stopwatch);

    while (loops && best.is_unsteady && best.attempts < ATTEMPTS) {
        int64_t median_ns = attempt(stopwatch, loops, &current);

        best.attempts++;
        if (median_ns == 0)
            continue;
        take_better(&best, &current);
        loops = resize(loops, median_ns);
    }
    return best;
}

static int64_t real_cpu_ns(void *self)
{
    (void)self;
    return thread_cpu_ns();
}

static void real_burn(void *self, uint64_t loops)
{
    (void)self;
    burn_loops(loops);
}

/* A thread of its own, so that nothing has to be set back. */
static void *calibrate_bound(void *result)
{
    struct stopwatch real = {real_cpu_ns, real_burn, NULL};
    int cpu = cpus_at(0);

    if (cpu != UNKNOWN)
        cpus_bind(cpu);
    *(struct calibration *)result = calibrate(real);
    return NULL;
}

struct calibration calibrate_here(void)
{
    struct calibration result;
    pthread_t thread;

    if (pthread_create(&thread, NULL, calibrate_bound, &result) == 0)
        pthread_join(thread, NULL);
    else
        result = calibrate((struct stopwatch){real_cpu_ns, real_burn, NULL});
    return result;
}
