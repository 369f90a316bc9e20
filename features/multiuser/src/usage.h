/* The resources that processes have used. */
#ifndef MULTIUSER_USAGE_H
#define MULTIUSER_USAGE_H

#include <sys/resource.h>

enum { USAGE_USER_S, USAGE_SYSTEM_S, USAGE_MINOR, USAGE_MAJOR, USAGE_VOLUNTARY, USAGE_FORCED, USAGES };

/* The resources that processes used, as the kernel counts them: a process counts when its parent has waited for it. */
struct usage {
    double of[USAGES];
};

/* The names of meters. */
extern const char *const usage_names[USAGES];

/* Return the resources that this process, and all children that were waited for, have used until now. */
struct usage usage_of_self(void);
struct usage usage_of_children(void);

/* Converts the kernel's numbers. */
struct usage usage_of(const struct rusage *kernel);

/* Adds more, some times, to the sum. */
void usage_add(struct usage *sum, const struct usage *more, int times);

#endif
