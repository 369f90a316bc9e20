/* Lines of a script may make what they like in their homes, also directories that may not be read. */
#include "homes.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAR_FD    20
#define OPEN_DIRS 16

void home_of(char path[HOME_MAX], const char *home, int number)
{
    snprintf(path, HOME_MAX, "%s/user%04d", home, number);
}

void output_of(char path[HOME_MAX], const char *home, int number)
{
    snprintf(path, HOME_MAX, "%s/user%04d.out", home, number);
}

const char *homes_make(void)
{
    static char path[HOME_MAX];
    const char *place = getenv("TMPDIR");

    snprintf(path, sizeof path, "%s/multiuser.XXXXXX", place && *place ? place : "/tmp");
    return mkdtemp(path);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)place;
    if (kind == FTW_DNR)
        chmod(path, 0700);
    remove(path);
    return 0;
}

void homes_remove(const char *home, int users)
{
    char path[HOME_MAX];

    for (int number = 1; number <= users; number++) {
        home_of(path, home, number);
        for (int attempt = 0; attempt < 2 && access(path, F_OK) == 0; attempt++)
            nftw(path, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
        output_of(path, home, number);
        remove(path);
    }
}

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
