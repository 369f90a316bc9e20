/* What processes used, as the kernel counts it (getrusage, wait4). */
#ifndef MULTIUSER_USAGE_H
#define MULTIUSER_USAGE_H

#include <sys/resource.h>

struct usage {
    double cpu_user_s, cpu_system_s;
    double faults_minor, faults_major, switches_voluntary, switches_forced;
};

/* The same, of what the kernel says. */
struct usage usage_of(const struct rusage *kernel);

/* Of all children that were waited for until now, with theirs; and of this process. */
struct usage usage_of_children(void);
struct usage usage_of_self(void);

/* Adds to a sum. */
void usage_add(struct usage *sum, const struct usage *more);

/* What was used between two moments. */
struct usage usage_between(const struct usage *before, const struct usage *after);

#endif
