/* known cpu SECONDS, known pages COUNT: uses that CPU time, or that many new pages. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static double cpu_s(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
           + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void burn(double seconds)
{
    while (cpu_s() < seconds)
        for (volatile int i = 0; i < 2000000; i++)
            continue;
}

static int touch_pages(size_t count)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        return 1;
#ifdef MADV_NOHUGEPAGE
    madvise(memory, count * page, MADV_NOHUGEPAGE);
#endif
    for (size_t i = 0; i < count; i++)
        memory[i * page] = 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    if (strcmp(argv[1], "pages") == 0)
        return touch_pages((size_t)atol(argv[2]));
    burn(atof(argv[2]));
    return 0;
}
