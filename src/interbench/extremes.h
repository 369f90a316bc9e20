/* The less and the greater of two numbers. */
#ifndef INTERBENCH_EXTREMES_H
#define INTERBENCH_EXTREMES_H

#include <stdint.h>

static inline int64_t least(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static inline int64_t greatest(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

#endif
