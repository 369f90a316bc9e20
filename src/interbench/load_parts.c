/* What the loads share: threads, memory, and processes that end with their parent. */
#include "load_parts.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_BYTES ((size_t)256 << 10) /* the same with each libc, and little where addresses are limited */
#define ALIGNMENT   4096

#define NOT_FOUND 127 /* the status of a shell that finds no such command */

#define FEW_DESCRIPTORS 1024 /* where the kernel can't close all above a number */

void load_thread(struct load_board *board, void *(*run)(void *), void *argument)
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
        load_fail(board, "no thread can be started: %s; use a smaller -L", strerror(error));
    pthread_attr_destroy(&attributes);
}

void *load_allocate(struct load_board *board, size_t bytes)
{
    void *memory;
    int error = posix_memalign(&memory, ALIGNMENT, bytes);

    if (error != 0)
        load_fail(board, "%zu bytes of memory can't be had: %s", bytes, strerror(error));
    return memset(memory, 0, bytes);
}

void load_follow(pid_t parent)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        _exit(errno);
    if (getppid() != parent)
        _exit(0);
}

static void close_above(int highest)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)highest + 1, ~0u, 0) == 0)
        return;
#endif
    for (int fd = highest + 1; fd < FEW_DESCRIPTORS; fd++)
        close(fd);
}

static int is_among(int fd, const int *kept, int count)
{
    for (int i = 0; i < count; i++)
        if (kept[i] == fd)
            return 1;
    return 0;
}

void load_keep_only(const int *kept, int count)
{
    int highest = STDERR_FILENO;

    for (int i = 0; i < count; i++)
        if (kept[i] > highest)
            highest = kept[i];
    for (int fd = STDERR_FILENO + 1; fd < highest; fd++)
        if (!is_among(fd, kept, count))
            close(fd);
    close_above(highest);
}

void load_fail_as(struct load_board *board, const char *what, int status)
{
    if (WIFEXITED(status))
        load_fail(board, "%s with status %d%s", what, WEXITSTATUS(status),
                  WEXITSTATUS(status) == NOT_FOUND ? " (not found)" : "");
    sleep(1);
    load_fail(board, "%s by signal %d (%s)", what, WTERMSIG(status), strsignal(WTERMSIG(status)));
}

int load_threads(const struct load_setting *setting)
{
    return setting->threads > 1 ? setting->threads : 1;
}
