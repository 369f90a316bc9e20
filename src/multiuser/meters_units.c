/* What is unknown stays so. */
#include "meters_units.h"

#include <unistd.h>

#define US_PER_S 1000000

int64_t meters_sum(int64_t one, int64_t other)
{
    return one < 0 || other < 0 || one > INT64_MAX - other ? -1 : one + other;
}

int64_t meters_rest(int64_t one, int64_t other)
{
    return one < 0 || other < 0 || one < other ? -1 : one - other;
}

int64_t meters_ticks_us(int64_t ticks)
{
    const int64_t hz = sysconf(_SC_CLK_TCK);

    if (ticks < 0 || hz <= 0 || ticks / hz >= INT64_MAX / US_PER_S)
        return -1;
    return ticks / hz * US_PER_S + ticks % hz * US_PER_S / hz;
}

int64_t meters_counted(int64_t count)
{
    return count > 0 ? count : -1;
}
