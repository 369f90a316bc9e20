/* The counting loop, and work that is measured out with it. */
#include "work.h"

#include "clock.h"

#if __GNUC__ >= 8 && !defined __clang__
#define ONE_BODY __attribute__((noipa, aligned(64)))
#else
#define ONE_BODY __attribute__((noinline, aligned(64)))
#endif

/*
 * The compiler has to assume that the counter changes in each turn, so each turn depends on the one before.  So it
 * cannot remove or vectorise the loop, and unrolling does not make it faster.  The whole loop lies in one cache line.
 */
ONE_BODY void burn_loops(uint64_t loops)
{
    for (; loops != 0; loops--)
        __asm__ volatile("" : "+r"(loops) : : "memory");
}

/* Both numbers are split at a million, so that no product exceeds 64 bits unless the result does. */
uint64_t loops_of(int64_t demand_ns, int64_t loops_per_ms)
{
    if (demand_ns <= 0 || loops_per_ms <= 0)
        return 0;

    const uint64_t ms = (uint64_t)demand_ns / NS_PER_MS, rest_ns = (uint64_t)demand_ns % NS_PER_MS;
    const uint64_t mega = (uint64_t)loops_per_ms / NS_PER_MS, rest = (uint64_t)loops_per_ms % NS_PER_MS;

    return ms * (uint64_t)loops_per_ms + rest_ns * mega + (rest_ns * rest + NS_PER_MS / 2) / NS_PER_MS;
}

static void burn_fixed(void *self, int64_t demand_ns)
{
    burn_loops(loops_of(demand_ns, *(const int64_t *)self));
}

struct work work_of_loops(const int64_t *loops_per_ms)
{
    return (struct work){.burn = burn_fixed, .self = (void *)loops_per_ms};
}
