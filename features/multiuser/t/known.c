/* known SECONDS: uses that CPU time. */
#include <stdlib.h>
#include <sys/resource.h>

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

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    burn(atof(argv[1]));
    return 0;
}
