/* Lines may name the descriptors up to 9, and the shell keeps some behind them. */
#include "far.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#define FAR_FD 20

static struct rlimit at_first;
static int is_claimed;

int far_fd(int fd)
{
    int moved, error;

    if (fd < 0)
        return -1;
    moved = fcntl(fd, F_DUPFD_CLOEXEC, FAR_FD);
    error = errno;
    close(fd);
    errno = error;
    return moved;
}

int far_pipe(int ends[2])
{
    int near[2], error;

    if (pipe(near) != 0)
        return -1;
    ends[0] = far_fd(near[0]);
    ends[1] = far_fd(near[1]);
    if (ends[0] >= 0 && ends[1] >= 0)
        return 0;
    error = errno;
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    errno = error;
    return -1;
}

/* Where that is not permitted, the user that can't be started is named. */
void far_claim(unsigned count)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &at_first) != 0 || at_first.rlim_cur >= count)
        return;
    limit = at_first;
    limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
    is_claimed = setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

void far_disclaim(void)
{
    if (is_claimed)
        setrlimit(RLIMIT_NOFILE, &at_first);
}
