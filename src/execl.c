/*
 * execl seconds: how fast a program is replaced by another with exec, in loops a second.  The program executes its own
 * file again and again, as "execl 0 LIMIT COUNT START".  Each time it counts one loop and reads the clock.  START is in
 * nanoseconds of CLOCK_MONOTONIC.  The measured work is the loading and linking of the file, so a result
 * describes the file.
 */
#include "ub.h"
#include <sys/resource.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

static const char usage[] = "execl SECONDS | execl -n LOOPS";

/*
 * These arrays keep the file as large as the classic one: 11 KB of text, 1 KB of data, 9 KB of zeroed data (bss).  The
 * linker also relocates the same number of pointers.  The program does not use the arrays, but without them a loop is
 * 1 % faster, and scores are not comparable with those of earlier versions.
 */
#define EIGHT usage, usage, usage, usage, usage, usage, usage, usage
__attribute__((used)) static const uint8_t text_filling[3840] = {1};
__attribute__((used)) static const char *data_filling[34] = {EIGHT, EIGHT, EIGHT};
__attribute__((used)) static uint8_t bss_filling[9216];

static double microseconds(struct timeval time)
{
    return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

/* Prints the resources that a loop used on average.  All loops run in one process, so the kernel adds them up. */
static void describe_loop(unsigned long count)
{
    struct rusage used;

    if (getrusage(RUSAGE_SELF, &used) != 0)
        ub_failed("execl: getrusage");
    printf("a loop took %.1f us of user and %.1f us of system time, %.1f page faults, %.2f switches\n",
           microseconds(used.ru_utime) / (double)count, microseconds(used.ru_stime) / (double)count,
           (double)(used.ru_minflt + used.ru_majflt) / (double)count,
           (double)(used.ru_nvcsw + used.ru_nivcsw) / (double)count);
}

/* Returns the path by which the kernel found this program, or the name if that is unknown. */
static const char *own_path(const char *name)
{
#ifdef __linux__
    const char *path = (const char *)getauxval(AT_EXECFN);

    if (path)
        return path;
#endif
    return name;
}

/* Returns whether the limit is reached: a number of seconds, or "n" and a number of loops. */
static int is_over(const char *limit, unsigned long count, double elapsed_s)
{
    if (*limit == 'n')
        return count >= ub_whole("loops", limit + 1, 1, UB_LOOPS_MAX, usage);
    return elapsed_s >= ub_seconds(limit, usage);
}

__attribute__((noreturn))
static void exec_again(const char *path, const char *limit, unsigned long count, uint64_t start_ns)
{
    char count_text[24], start_text[24];

    snprintf(count_text, sizeof count_text, "%lu", count);
    snprintf(start_text, sizeof start_text, "%llu", (unsigned long long)start_ns);
    execlp(path, path, "0", limit, count_text, start_text, (char *)NULL);
    ub_error(1, "execl: %.300s: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
    const char *path = own_path(argv[0]);
    char limit[32], *end;
    unsigned long count;
    uint64_t start_ns;
    double elapsed_s;

    if (argc != 5 || strcmp(argv[1], "0") != 0) {
        struct ub_work work = ub_only_work(argc, argv, usage);

        snprintf(limit, sizeof limit, "n%lu", work.loops);
        ub_gate();
        exec_again(path, work.loops > 0 ? limit : argv[1], 0, ub_now_ns());
    }
    count = ub_whole("count", argv[3], 0, UB_LOOPS_MAX, usage) + 1;
    start_ns = strtoull(argv[4], &end, 10);
    if (*end)
        ub_error(2, "start must be nanoseconds, not \"%.40s\"; usage: %s", argv[4], usage);
    elapsed_s = ub_elapsed_s(start_ns);
    if (!is_over(argv[2], count, elapsed_s))
        exec_again(path, argv[2], count, start_ns);
    describe_loop(count);
    ub_count(count, 1, "lps");
    ub_time(elapsed_s);
    return 0;
}
