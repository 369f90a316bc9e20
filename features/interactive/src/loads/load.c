/* The list of loads, and the functions that they share: threads, memory, processes, failing. */
#include "loads/load.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

#define STACK_BYTES ((size_t)256 << 10) /* the same with each libc, and small where addresses are limited */
#define ALIGNMENT   4096
#define NOT_FOUND   127 /* the status of a shell that does not find the command */

static const struct load load_none = {
    .name = "None", .about = "nothing", .is_mixed = 1, .steady_ms = 1
};

static const struct load *const loads[] = {
    &load_none, &load_video, &load_x, &load_burn, &load_write, &load_read, &load_ring, &load_compile, &load_memory,
    &load_hack, &load_command, &load_custom,
};

_Static_assert(sizeof loads / sizeof loads[0] <= LOADS_MAX, "the arrays of loads are large enough");

int loads_count(void)
{
    return sizeof loads / sizeof loads[0];
}

const struct load *loads_at(int index)
{
    return loads[index];
}

const struct load *loads_find(const char *name)
{
    for (int i = 0; i < loads_count(); i++)
        if (strcasecmp(loads[i]->name, name) == 0)
            return loads[i];
    return NULL;
}

/* Several threads may fail at once: the first one says why. */
void load_fail(struct load_shared *shared, const char *format, ...)
{
    static int is_failing;
    va_list arguments;

    while (__atomic_exchange_n(&is_failing, 1, __ATOMIC_SEQ_CST))
        pause();
    va_start(arguments, format);
    vsnprintf(shared->why, sizeof shared->why, format, arguments);
    va_end(arguments);
    _exit(STATUS_CHILD_FAILED);
}

void load_fail_as(struct load_shared *shared, const char *what, int status)
{
    if (WIFEXITED(status))
        load_fail(shared, "%s with status %d%s", what, WEXITSTATUS(status),
                  WEXITSTATUS(status) == NOT_FOUND ? " (not found)" : "");
    sleep(1);
    load_fail(shared, "%s by signal %d (%s)", what, WTERMSIG(status), strsignal(WTERMSIG(status)));
}

void load_thread(struct load_shared *shared, void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);

    if (error == 0)
        error = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (error == 0)
        error = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (error == 0)
        error = pthread_create(&thread, &attributes, run, argument);
    if (error != 0)
        load_fail(shared, "can't start a thread: %s; use a smaller -L", strerror(error));
    pthread_attr_destroy(&attributes);
}

void *load_allocate(struct load_shared *shared, size_t bytes)
{
    void *memory;
    const int error = posix_memalign(&memory, ALIGNMENT, bytes);

    if (error != 0)
        load_fail(shared, "can't get %zu bytes of memory: %s", bytes, strerror(error));
    return memset(memory, 0, bytes);
}

void load_follow(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        _exit(errno);
    if (getppid() != parent)
        _exit(0);
}

int load_threads(const struct load_setting *setting)
{
    return setting->threads > 1 ? setting->threads : 1;
}
