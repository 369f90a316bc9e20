/*
 * execl seconds: how fast a program is replaced by another with exec, in loops a second.  The program executes its own
 * file again and again, as "execl 0 LIMIT COUNT START".  Each time it counts one loop and reads the clock.  START is in
 * nanoseconds of CLOCK_MONOTONIC; with UB_USED=1, what was used before follows.  The measured work is the loading and
 * linking of the file, so a result describes the file.
 */
#include "ub.h"
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
__attribute__((used)) static const uint8_t text_filling[1060] = {1};
__attribute__((used)) static const char *data_filling[31] = {EIGHT, EIGHT, EIGHT};
__attribute__((used)) static uint8_t bss_filling[9024];

/* Prints the resources that a loop used on average.  All loops run in one process, so the kernel adds them up. */
static void describe_loop(unsigned long count)
{
    uint64_t used[UB_USES];

    ub_note_use(used);
    for (int use = 2; use < UB_WAITED_NS; use++)
        used[use] -= ub_use_at_start[use];
    printf("a loop took %.1f us of user and %.1f us of system time, %.1f page faults, %.2f switches\n",
           (double)used[2] / (double)count, (double)used[3] / (double)count,
           (double)(used[4] + used[5]) / (double)count, (double)(used[6] + used[7]) / (double)count);
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

/* Writes what was used before the work, each value after a comma; nothing if it was not asked for. */
static void write_used(char *text, size_t size)
{
    int length = 0;

    text[0] = '\0';
    for (int use = 0; ub_use_at_start[0] && use < UB_USES; use++)
        length += snprintf(text + length, size - (size_t)length, ",%llu", (unsigned long long)ub_use_at_start[use]);
}

/* Reads it again. */
static void read_used(const char *text)
{
    char *end = (char *)text;

    for (int use = 0; *end == ',' && use < UB_USES; use++)
        ub_use_at_start[use] = strtoull(end + 1, &end, 10);
    if (*end)
        ub_error(2, "unexpected \"%.40s\" after START; usage: %s", text, usage);
}

__attribute__((noreturn))
static void exec_again(const char *path, const char *limit, unsigned long count, uint64_t start_ns, const char *used)
{
    char count_text[24], start_text[256];

    snprintf(count_text, sizeof count_text, "%lu", count);
    snprintf(start_text, sizeof start_text, "%llu%s", (unsigned long long)start_ns, used);
    execlp(path, path, "0", limit, count_text, start_text, (char *)NULL);
    ub_error(1, "execl: %.300s: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
    const char *path = own_path(argv[0]);
    char limit[32], used[224], *end;
    unsigned long count;
    uint64_t start_ns;
    double elapsed_s;

    if (argc != 5 || strcmp(argv[1], "0") != 0) {
        struct ub_work work = ub_only_work(argc, argv, usage);

        snprintf(limit, sizeof limit, "n%lu", work.loops);
        ub_gate();
        write_used(used, sizeof used);
        exec_again(path, work.loops > 0 ? limit : argv[1], 0, ub_now_ns(), used);
    }
    count = ub_whole("count", argv[3], 0, UB_LOOPS_MAX, usage) + 1;
    start_ns = strtoull(argv[4], &end, 10);
    if (*end && *end != ',')
        ub_error(2, "start must be nanoseconds, not \"%.40s\"; usage: %s", argv[4], usage);
    elapsed_s = ub_elapsed_s(start_ns);
    if (elapsed_s < 0)
        ub_error(1, "execl: the clock went back by %.6f s when the program was replaced", -elapsed_s);
    if (!is_over(argv[2], count, elapsed_s))
        exec_again(path, argv[2], count, start_ns, end);
    read_used(end);
    describe_loop(count);
    ub_count(count, 1, "lps");
    ub_time(elapsed_s);
    return 0;
}
