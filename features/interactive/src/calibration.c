/* Calibrates the work: finds how many loops this CPU does in a millisecond. */
#include "work.h"

#include <pthread.h>
#include <stdlib.h>

#include "clock.h"
#include "machine.h"
#include "stats.h"

/*
 * Disturbances make a batch slower, never faster, so the fast batches show the CPU's speed.  Every loop has a largest
 * count, so that calibration ends even if the clock stands still.
 */
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

/* Returns the CPU time of that many loops in nanoseconds; 0 if the clock stands still, or goes back. */
static int64_t time_batch(struct stopwatch watch, uint64_t loops)
{
    const int64_t before_ns = watch.cpu_ns(watch.self);

    watch.burn(watch.self, loops);
    return greatest(watch.cpu_ns(watch.self) - before_ns, 0);
}

/* Returns how many loops take about as long as a batch should, given a number of loops and its time. */
static uint64_t resize(uint64_t loops, int64_t elapsed_ns)
{
    const double wanted = elapsed_ns < NS_PER_MS ? 2.0 * (double)loops
                                                 : (double)loops * (double)BATCH_NS / (double)elapsed_ns;

    if (wanted < 1)
        return 1;
    return wanted > (double)BATCH_MOST ? BATCH_MOST : (uint64_t)wanted;
}

/* Warms the CPU up; returns the number of loops for a batch, or 0 if the clock stands still. */
static uint64_t warm_up(struct stopwatch watch)
{
    uint64_t loops = BATCH_FIRST, all = 0;
    int64_t passed_ns = 0;

    for (int i = 0; i < WARM_UP_BATCHES && passed_ns < WARM_UP_NS && all < WARM_UP_LOOPS; i++) {
        const int64_t elapsed_ns = time_batch(watch, loops);

        if (elapsed_ns == 0 && loops == BATCH_MOST)
            return 0;
        passed_ns += elapsed_ns;
        all += loops;
        loops = resize(loops, elapsed_ns);
    }
    return passed_ns > 0 ? loops : 0;
}

static int compare(const void *a, const void *b)
{
    const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

    return (one > other) - (one < other);
}

static int64_t rate_of(uint64_t loops, int64_t elapsed_ns)
{
    const uint64_t rate = (loops * (uint64_t)NS_PER_MS + (uint64_t)elapsed_ns / 2) / (uint64_t)elapsed_ns;

    return least(greatest((int64_t)rate, 1), LOOPS_MOST);
}

/* Times all batches and computes the result; returns their median in nanoseconds, or 0 if the clock stood still. */
static int64_t attempt(struct stopwatch watch, uint64_t loops, struct calibration *result)
{
    int64_t times[BATCHES];

    for (int i = 0; i < BATCHES; i++) {
        times[i] = time_batch(watch, loops);
        if (times[i] == 0)
            return 0;
    }
    qsort(times, BATCHES, sizeof times[0], compare);
    result->loops_per_ms = rate_of(loops, times[FAST_DECILE]);
    result->spread = (double)(times[MEDIAN] - times[FAST_DECILE]) / (double)times[FAST_DECILE];
    result->is_unsteady = result->spread > STEADY;
    return times[MEDIAN];
}

/* An attempt that is steady, or faster than the unsteady ones before, is better. */
struct calibration calibrate(struct stopwatch stopwatch)
{
    struct calibration best = {.loops_per_ms = REFERENCE_LOOPS_PER_MS, .spread = UNKNOWN, .is_unsteady = 1};
    uint64_t loops = warm_up(stopwatch);

    for (int i = 0; i < ATTEMPTS && loops && best.is_unsteady; i++) {
        struct calibration current;
        const int64_t median_ns = attempt(stopwatch, loops, &current);

        if (median_ns == 0)
            continue;
        if (best.spread < 0 || !current.is_unsteady || current.loops_per_ms > best.loops_per_ms)
            best = current;
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

static const struct stopwatch real = {real_cpu_ns, real_burn, NULL};

/* The body of the thread that calibrates: its binding to a CPU ends with it. */
static void *calibrate_bound(void *result)
{
    const int cpu = cpus_at(0);

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
        result = calibrate(real);
    return result;
}
