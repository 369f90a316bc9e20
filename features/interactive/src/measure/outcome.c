/* How steps of a measurement end, and the memory that they share with their processes. */
#include "measure/measure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "events.h"

enum outcome bench_error(struct bench *bench, enum outcome outcome, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(bench->error, sizeof bench->error, format, arguments);
    va_end(arguments);
    return outcome;
}

int outcome_is_void(enum outcome outcome)
{
    const int was_stopped = events_was_stopped();

    return was_stopped && (outcome == OUTCOME_DONE || outcome == OUTCOME_TIMED_OUT);
}

void *shared_memory(struct bench *bench, size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory != MAP_FAILED)
        return memory;
    bench_error(bench, OUTCOME_NO_ROOM, "can't get %zu KiB of memory: %s; use a smaller -n", size / 1024,
                strerror(errno));
    return NULL;
}
