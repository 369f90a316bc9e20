/* A mask of 65,536 CPUs: the kernel refuses masks smaller than its own. */
#include "cpus.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "distribution.h"

#define CPUS_MOST 65536

struct mask {
    cpu_set_t sets[CPUS_MOST / CPU_SETSIZE];
};

static int is_allowed(const struct mask *mask, int cpu)
{
    return CPU_ISSET_S(cpu, sizeof *mask, mask->sets) != 0;
}

/* The mask of the process as it was at the start; threads that are bound later do not change it. */
static const struct mask *allowed(void)
{
    static struct mask mask;
    static int is_known;

    if (!is_known && sched_getaffinity(0, sizeof mask, mask.sets) != 0)
        memset(&mask, 0, sizeof mask);
    is_known = 1;
    return &mask;
}

int cpus_count(void)
{
    const int count = CPU_COUNT_S(sizeof(struct mask), allowed()->sets);

    return count > 0 ? count : 1;
}

int cpus_at(int n)
{
    const struct mask *mask = allowed();

    n %= cpus_count();
    for (int cpu = 0; cpu < CPUS_MOST; cpu++)
        if (is_allowed(mask, cpu) && n-- == 0)
            return cpu;
    return UNKNOWN;
}

int cpus_include(int cpu)
{
    return cpu >= 0 && cpu < CPUS_MOST && is_allowed(allowed(), cpu);
}

int cpus_bind(int cpu)
{
    struct mask mask;

    memset(&mask, 0, sizeof mask);
    CPU_SET_S(cpu, sizeof mask, mask.sets);
    return sched_setaffinity(0, sizeof mask, mask.sets) == 0 ? 0 : errno;
}
