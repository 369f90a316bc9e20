/* How large files and memory of loads are: numbers in, numbers out. */
#include "extremes.h"
#include "load_parts.h"

/* Whole MiB, and nothing below 0. */
static int64_t whole(int64_t bytes)
{
    return bytes > 0 ? bytes / MIB * MIB : 0;
}

/* Nine tenths, that can't overflow. */
static int64_t most_of(int64_t bytes)
{
    return bytes - bytes / 10;
}

int64_t load_file_size(int64_t memory_bytes, int64_t free_bytes, int64_t most_bytes)
{
    return whole(least(least(memory_bytes / 2, free_bytes / 10), most_bytes));
}

/* A tenth is left for everyone else, unless it is wanted that others are swapped out. */
int64_t load_memory_size(const struct load_room *room, int64_t most_bytes, int is_swap_allowed)
{
    int64_t bytes = most_of(room->available);

    if (is_swap_allowed && room->swap > 0)
        bytes = least(room->total + room->total / 10, room->total + room->swap - 64 * MIB);
    if (most_bytes > 0)
        bytes = least(bytes, most_bytes);
    if (room->group >= 0)
        bytes = least(bytes, most_of(room->group));
    if (room->addresses >= 0)
        bytes = least(bytes, room->addresses);
    return whole(bytes);
}
