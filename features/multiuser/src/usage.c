/* The resources that processes have used. */
#include "usage.h"

const char *const usage_names[USAGES] = {
    "cpu_user_s", "cpu_system_s", "faults_minor", "faults_major", "switches_voluntary", "switches_forced",
};

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

struct usage usage_of(const struct rusage *kernel)
{
    return (struct usage){{
        seconds(kernel->ru_utime), seconds(kernel->ru_stime), (double)kernel->ru_minflt, (double)kernel->ru_majflt,
        (double)kernel->ru_nvcsw, (double)kernel->ru_nivcsw,
    }};
}

struct usage usage_of_self(void)
{
    struct rusage kernel = {0};

    getrusage(RUSAGE_SELF, &kernel);
    return usage_of(&kernel);
}

struct usage usage_of_children(void)
{
    struct rusage kernel = {0};

    getrusage(RUSAGE_CHILDREN, &kernel);
    return usage_of(&kernel);
}

void usage_add(struct usage *sum, const struct usage *more, int times)
{
    for (int i = 0; i < USAGES; i++)
        sum->of[i] += times * more->of[i];
}
