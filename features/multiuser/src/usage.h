/* The resources that processes have used. */
#ifndef MULTIUSER_USAGE_H
#define MULTIUSER_USAGE_H

#include <sys/resource.h>

/* The resources that processes used, as the kernel counts them: a process counts when its parent has waited for it. */
struct usage {
    double cpu_user_s, cpu_system_s;
    double faults_minor, faults_major, switches_voluntary, switches_forced;
};

/* Return the resources that this process, and all children that were waited for, have used until now. */
struct usage usage_of_self(void);
struct usage usage_of_children(void);

/* Converts the kernel's numbers to the units of usage. */
struct usage usage_of(const struct rusage *kernel);

/* Adds more to the sum. */
void usage_add(struct usage *sum, const struct usage *more);

/* Returns the resources that were used between two moments. */
struct usage usage_between(const struct usage *before, const struct usage *after);

#endif
