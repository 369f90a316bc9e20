/* Writes to a full pipe after SIGTERM has come, as a report that no program reads; prints why the write has failed. */
#include "events.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    static const char byte = '.';
    int ends[2];

    if (pipe(ends) != 0 || fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0)
        return 1;
    while (write(ends[1], &byte, 1) == 1)
        continue;
    if (errno != EAGAIN || fcntl(ends[1], F_SETFL, 0) != 0)
        return 1;
    events_begin();
    events_finish();
    raise(SIGTERM);
    for (int i = 0; i < 2; i++) {
        if (write(ends[1], &byte, 1) == 1)
            return 1;
        printf("%s\n", strerror(errno));
    }
    return 0;
}
