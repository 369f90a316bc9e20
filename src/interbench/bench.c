/* Trouble is kept until the controller prints it. */
#include "bench.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "events.h"

enum outcome bench_trouble(struct bench *bench, enum outcome outcome, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(bench->trouble, sizeof bench->trouble, format, arguments);
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
    bench_trouble(bench, OUTCOME_NO_ROOM, "cannot get %zu KiB of memory: %s", size / 1024, strerror(errno));
    return NULL;
}

void shared_memory_free(void *memory, size_t size)
{
    munmap(memory, size);
}
