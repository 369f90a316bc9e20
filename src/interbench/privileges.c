/* What is permitted depends on capabilities, limits and control groups: only trying tells. */
#include "privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static const char latency_file[] = "/dev/cpu_dma_latency";

int privilege_fifo(void)
{
    const struct sched_param least = {.sched_priority = 1}, usual = {0};
    const int before = sched_getscheduler(0);
    const int policy = before == SCHED_BATCH || before == SCHED_IDLE ? before : SCHED_OTHER;

    if (sched_setscheduler(0, SCHED_FIFO, &least) != 0)
        return 0;
    return sched_setscheduler(0, policy, &usual) == 0;
}

int privilege_lock(void)
{
    if (mlockall(MCL_CURRENT) != 0)
        return 0;
    return munlockall() == 0;
}

int privilege_nice(int nice)
{
    const int before = getpriority(PRIO_PROCESS, 0);

    if (nice >= before)
        return 1;
    if (setpriority(PRIO_PROCESS, 0, nice) != 0)
        return 0;
    return setpriority(PRIO_PROCESS, 0, before) == 0;
}

int privilege_latency(void)
{
    return access(latency_file, W_OK) == 0;
}

void privileges_missing(char text[PRIVILEGES_TEXT_MAX])
{
    const char *const missing[] = {
        privilege_fifo() ? NULL : "SCHED_FIFO",
        privilege_lock() ? NULL : "locked memory",
        privilege_nice(-1) ? NULL : "nice below 0",
        privilege_latency() ? NULL : latency_file,
    };

    text[0] = '\0';
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (missing[i])
            snprintf(text + strlen(text), PRIVILEGES_TEXT_MAX - strlen(text), "%s%s", text[0] ? ", " : "",
                     missing[i]);
}

/* The request holds as long as the file is open. */
int privilege_stay_awake(void)
{
    const int32_t longest_us = 0;
    const int file = open(latency_file, O_WRONLY | O_CLOEXEC);

    if (file < 0)
        return errno;
    return write(file, &longest_us, sizeof longest_us) == sizeof longest_us ? 0 : errno;
}
