/* How long users think: pauses that look random, and are the same for the same seed, user and line. */
#ifndef MULTIUSER_PAUSES_H
#define MULTIUSER_PAUSES_H

#include <stdint.h>

struct pace {
    double least_s, most_s; /* a pause is drawn uniformly from this range */
    uint64_t seed;
};

/* The pause of that user before the line at that place of the script, both from 0; in nanoseconds. */
int64_t pause_ns(const struct pace *pace, int user, int place);

#endif
