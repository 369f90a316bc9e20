/*
 * Two functions of Linux and BSD that macOS does not have.  The tests build multiuser with them on Linux, too, by
 * CPPFLAGS="-include src/base/macos.h".
 */
#ifndef BASE_MACOS_H
#define BASE_MACOS_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define MACOS_UNUSED __attribute__((unused))

/*
 * Does what ppoll does for at most one descriptor, and for input only.  Returns 1 if there is input or its end, 0 if
 * the time is over, or -1 with errno.  The descriptor has to be below FD_SETSIZE: it is opened before those of users.
 */
MACOS_UNUSED static int macos_ppoll(struct pollfd *input, nfds_t count, const struct timespec *left,
                                    const sigset_t *mask)
{
    const int fd = count > 0 ? input->fd : -1;
    fd_set set;

    FD_ZERO(&set);
    if (fd >= 0)
        FD_SET(fd, &set);
    return pselect(fd + 1, &set, NULL, NULL, left, mask);
}

/* Makes a pipe whose ends are closed at an exec.  Returns 0, or -1 with errno.  The calls of fcntl cannot fail. */
MACOS_UNUSED static int macos_pipe2(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0
               ? 0 : -1;
}

#define ppoll macos_ppoll
#define pipe2(ends, flags) macos_pipe2(ends) /* O_CLOEXEC is the only flag in use */

#endif
