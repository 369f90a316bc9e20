/* The resources that processes have used. */
#include "usage.h"

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

struct usage usage_of(const struct rusage *kernel)
{
    return (struct usage){
        .cpu_user_s = seconds(kernel->ru_utime),
        .cpu_system_s = seconds(kernel->ru_stime),
        .faults_minor = (double)kernel->ru_minflt,
        .faults_major = (double)kernel->ru_majflt,
        .switches_voluntary = (double)kernel->ru_nvcsw,
        .switches_forced = (double)kernel->ru_nivcsw,
    };
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

void usage_add(struct usage *sum, const struct usage *more)
{
    sum->cpu_user_s += more->cpu_user_s;
    sum->cpu_system_s += more->cpu_system_s;
    sum->faults_minor += more->faults_minor;
    sum->faults_major += more->faults_major;
    sum->switches_voluntary += more->switches_voluntary;
    sum->switches_forced += more->switches_forced;
}

struct usage usage_between(const struct usage *before, const struct usage *after)
{
    return (struct usage){
        .cpu_user_s = after->cpu_user_s - before->cpu_user_s,
        .cpu_system_s = after->cpu_system_s - before->cpu_system_s,
        .faults_minor = after->faults_minor - before->faults_minor,
        .faults_major = after->faults_major - before->faults_major,
        .switches_voluntary = after->switches_voluntary - before->switches_voluntary,
        .switches_forced = after->switches_forced - before->switches_forced,
    };
}
