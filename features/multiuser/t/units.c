/*
 * units WHAT WORDS...: calls modules of multiuser with known numbers, and prints what they say.
 *
 *   meters BEFORE AFTER              the values between the trees of two recorded moments
 *   pauses SEED MIN MAX USER COUNT   the think times of USER, from 0, before COUNT lines, in nanoseconds
 *   responses CLASSES CAPACITY       reads lines "CLASS NS"; their statistics, for all classes together and for each:
 *                                    CLASS COUNT MEAN P50 P90 P95 P99 MAX
 *   script FILE [extract]            NUMBER|STATUS|CLASS|IS_EXTRACT|TEXT of each line, and the classes, or the error
 *   search                           reads lines "KIND AMOUNT START MOST LIMIT", and searches for the capacity of a
 *                                    simulated machine for each: USERS VALUE IS_LEAST USERS...  The KIND decides the
 *                                    response time with N users, as a multiple of that of one user: power: N to the
 *                                    power of AMOUNT; line: 1, and 1 more for each AMOUNT users; step: 1, and 10 beyond
 *                                    AMOUNT users
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meters.h"
#include "script.h"
#include "stats.h"

#define ALONE_S    0.04
#define TRIALS_MAX 200

static char **words; /* those after WHAT; a null pointer follows */

static void meters(void)
{
    struct meters first, second;
    struct meters_reading before = {.moment_ns = 1500000000}, after = {.moment_ns = 4750000000};
    struct memory_peak peak = MEMORY_UNKNOWN;

    meters_open(&first, words[0]);
    meters_open(&second, words[1]);
    meters_read(&first, &before);
    meters_read_memory(&first, &peak);
    meters_read(&second, &after);
    meters_read_memory(&second, &peak);
    for (int i = 0; i < meters_count(); i++)
        printf("%s %.6f\n", meters_name(i), meters_value(i, &before, &after, &peak));
    meters_close(&first);
    meters_close(&second);
}

static void pauses(void)
{
    const struct think_time think = {.seed = strtoull(words[0], NULL, 10), .min_s = atof(words[1]),
                                     .max_s = atof(words[2])};

    for (int place = 0; place < atoi(words[4]); place++)
        printf("%lld\n", (long long)think_time_ns(&think, atoi(words[3]), place));
}

static void responses(void)
{
    struct responses read;
    long long ns;
    int class_index;

    responses_begin(&read, atoi(words[0]), strtoull(words[1], NULL, 10));
    while (scanf("%d %lld", &class_index, &ns) == 2)
        responses_add(&read, class_index, ns);
    for (int i = RESPONSES_ALL; i < read.class_count; i++) {
        const struct response_summary of = responses_summary(&read, i);

        printf("%d %zu %.17g %.17g %.17g %.17g %.17g %.17g\n", i, of.count, of.mean_s, of.p50_s, of.p90_s, of.p95_s,
               of.p99_s, of.max_s);
    }
    responses_end(&read);
}

/* Returns the text of a file.  It has room for only one more byte, so that sanitizers notice if more is read. */
static char *text_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long length;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0)
        exit(2);
    rewind(file);
    text = malloc((size_t)length + 1);
    if (!text || fread(text, 1, (size_t)length, file) != (size_t)length)
        exit(2);
    fclose(file);
    *size = (size_t)length;
    return text;
}

static void print_script(const struct script *script)
{
    for (int i = 0; i < script->count; i++) {
        const struct script_line *line = &script->lines[i];

        printf("%d|%d|%s|%d|%s\n", line->number, line->status, script->classes[line->class_index], line->is_extract,
               line->text);
    }
    printf("classes:");
    for (int i = 0; i < script->class_count; i++)
        printf(" %s", script->classes[i]);
    printf("\n");
}

static void script(void)
{
    struct script read;
    char why[SCRIPT_WHY_MAX];
    size_t size;
    char *text = text_of(words[0], &size);

    if (script_parse(&read, text, size, why) != 0)
        printf("wrong: %s\n", why);
    else {
        if (words[1])
            script_extract(&read);
        print_script(&read);
        script_end(&read);
    }
    free(text);
}

/* Returns the response time as a multiple of that of one user. */
static double times(const char *kind, double amount, int users)
{
    if (strcmp(kind, "power") == 0)
        return pow(users, amount);
    if (strcmp(kind, "line") == 0)
        return 1 + (users - 1) / amount;
    return users > amount ? 10 : 1;
}

static void search(void)
{
    char kind[20];
    double amount, limit;
    int start, most, users, tried[TRIALS_MAX];

    while (scanf("%19s %lf %d %d %lf", kind, &amount, &start, &most, &limit) == 5) {
        struct search of;
        int trials = 0;

        search_begin(&of, start, most, ALONE_S, limit);
        while (trials < TRIALS_MAX && (users = search_next(&of)) != 0) {
            tried[trials++] = users;
            search_add(&of, users, times(kind, amount, users) * ALONE_S);
        }
        printf("%d %.9f %d", search_users(&of), search_value(&of), search_is_least(&of));
        for (int i = 0; i < trials; i++)
            printf(" %d", tried[i]);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static const struct { const char *what; int least; void (*print)(void); } units[] = {
        {"meters", 2, meters}, {"pauses", 5, pauses}, {"responses", 2, responses}, {"script", 1, script},
        {"search", 0, search},
    };

    words = argv + 2;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (argc - 2 >= units[i].least && strcmp(argv[1], units[i].what) == 0) {
            units[i].print();
            return 0;
        }
    return 2;
}
