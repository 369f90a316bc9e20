/* A library to be preloaded, in which write() first counts to a thousand.  For features/why/lab/why. */
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int file, const void *bytes, size_t count)
{
    for (volatile int i = 0; i < 1000; i++)
        continue;
    return syscall(SYS_write, file, bytes, count);
}
