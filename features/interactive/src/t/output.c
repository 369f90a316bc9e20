/*
 * output FORM FILE: reads a report from the file and prints it as head, table, legacy, protocol,
 * responsiveness or no_responsiveness.  A line of the file has words with blanks between them:
 *
 *   report NAME VALUE         a number of the report
 *   option NAME VALUE         a number of the options
 *   text NAME WORDS           the comment or load_command
 *   left_out LOAD WORDS       a load that can't run, and the reason
 *   row TASK LOAD             begins a row, to which the lines that follow belong
 *   set NAME VALUE            a number of the row
 *   add NAME VALUE TIMES      adds a value, in nanoseconds, to a distribution of the row, TIMES times
 *   merge TASK LOAD           begins a row that is merged into the one before
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define ROWS_MAX  64
#define WORDS_MAX 2000

static struct options options = {.mode = MODE_MATRIX, .repeats = 1, .copies = 1, .seed = 1, .pin_cpu = UNKNOWN};
static struct row rows[ROWS_MAX + 1];
static struct load loads[LOADS_MAX];
static struct report report = {.options = &options, .rows = rows, .calibration_spread = UNKNOWN};
static struct row *row; /* the row that is being read */
static int is_merging;

static void wrong(const char *line)
{
    fprintf(stderr, "output: cannot read: %s\n", line);
    exit(2);
}

static char *copy(const char *text)
{
    char *kept = strdup(text);

    return kept ? kept : (abort(), NULL);
}

static const struct load *load_named(const char *name)
{
    int i;

    for (i = 0; loads[i].name; i++)
        if (strcmp(loads[i].name, name) == 0)
            return &loads[i];
    loads[i].name = copy(name);
    return &loads[i];
}

struct number {
    const char *name;
    int *small;
    int64_t *large;
    double *real;
};

static int set_number(const struct number *numbers, const char *name, const char *value)
{
    for (; numbers->name; numbers++) {
        if (strcmp(numbers->name, name) != 0)
            continue;
        if (numbers->small)
            *numbers->small = atoi(value);
        if (numbers->large)
            *numbers->large = strtoll(value, NULL, 10);
        if (numbers->real)
            *numbers->real = strtod(value, NULL);
        return 1;
    }
    return 0;
}

static int set_of_report(const char *name, const char *value)
{
    const struct number numbers[] = {
        {"started", NULL, &report.started_s, NULL},
        {"loops_per_ms", NULL, &report.loops_per_ms, NULL},
        {"spread", NULL, NULL, &report.calibration_spread},
        {"cpus", &report.cpu_count, NULL, NULL},
        {NULL, NULL, NULL, NULL},
    };

    return set_number(numbers, name, value);
}

static int set_option(const char *name, const char *value)
{
    int mode = (int)options.mode, policy = (int)options.policy;
    int64_t seed = (int64_t)options.seed;
    const struct number numbers[] = {
        {"mode", &mode, NULL, NULL},
        {"policy", &policy, NULL, NULL},
        {"seed", NULL, &seed, NULL},
        {"duration", NULL, &options.duration_ns, NULL},
        {"warmup", NULL, &options.warmup_ns, NULL},
        {"repeats", &options.repeats, NULL, NULL},
        {"copies", &options.copies, NULL, NULL},
        {"task_nice", &options.task_nice, NULL, NULL},
        {"load_nice", &options.load_nice, NULL, NULL},
        {"real_time", &options.is_real_time, NULL, NULL},
        {"fixed", &options.is_fixed, NULL, NULL},
        {"pinned", &options.is_pinned, NULL, NULL},
        {"pin_cpu", &options.pin_cpu, NULL, NULL},
        {"load_threads", &options.load_threads, NULL, NULL},
        {"max_disk", NULL, &options.max_disk_bytes, NULL},
        {"max_memory", NULL, &options.max_memory_bytes, NULL},
        {NULL, NULL, NULL, NULL},
    };
    int is_set = set_number(numbers, name, value);

    options.mode = (enum mode)mode;
    options.policy = (enum policy)policy;
    options.seed = (uint64_t)seed;
    return is_set;
}

static int set_of_row(const char *name, const char *value)
{
    struct record *record = row->record;
    struct tally *tally = &record->tally;
    const struct number numbers[] = {
        {"streams", &row->streams, NULL, NULL},
        {"repeats", &row->repeats, NULL, NULL},
        {"throughput", NULL, NULL, &row->throughput},
        {"steal", NULL, NULL, &row->disturbance.steal},
        {"other", NULL, NULL, &row->disturbance.other_work},
        {"frames", NULL, &tally->frames, NULL},
        {"on_time", NULL, &tally->on_time, NULL},
        {"late", NULL, &tally->late, NULL},
        {"dropped", NULL, &tally->dropped, NULL},
        {"censored", NULL, &tally->censored, NULL},
        {"censored_max", NULL, &tally->censored_max_ns, NULL},
        {"demand", NULL, &tally->demand_ns, NULL},
        {"done", NULL, &tally->done_ns, NULL},
        {"elapsed", NULL, &record->elapsed_ns, NULL},
        {NULL, NULL, NULL, NULL},
    };

    return set_number(numbers, name, value);
}

/* Sets a moment of the staleness directly, so that a table of the old version can be printed again. */
static int set_moments(const char *name, const char *value)
{
    struct moments *moments = &row->record->tally.staleness.moments;
    const struct number numbers[] = {
        {"count", NULL, &moments->count, NULL},
        {"max", NULL, &moments->max, NULL},
        {"mean", NULL, NULL, &moments->mean},
        {"squares", NULL, NULL, &moments->squares},
        {NULL, NULL, NULL, NULL},
    };

    return set_number(numbers, name, value);
}

static int add_values(const char *name, const char *value, const char *times)
{
    struct record *record = row->record;
    struct distribution *distribution = strcmp(name, "wake") == 0        ? &record->tally.wake
                                        : strcmp(name, "response") == 0  ? &record->tally.response
                                        : strcmp(name, "staleness") == 0 ? &record->tally.staleness
                                                                         : NULL;
    long i, count = strtol(times, NULL, 10);

    for (i = 0; distribution && i < count; i++)
        distribution_add(distribution, strtoll(value, NULL, 10));
    return distribution != NULL;
}

static void finish_row(void)
{
    if (row && is_merging) {
        record_merge(row[-1].record, row->record);
        free(row->record);
    } else if (row) {
        report.row_count++;
    }
    row = NULL;
}

static int begin_row(const char *task, const char *load, int is_merged)
{
    if (strcmp(task, "Custom") == 0)
        tasks_define_custom(10, 10000);
    row = &rows[report.row_count];
    is_merging = is_merged;
    *row = (struct row){.task = tasks_find(task), .load = load_named(load), .streams = 1, .repeats = 1,
                        .record = calloc(1, sizeof *row->record), .throughput = UNKNOWN,
                        .disturbance = {UNKNOWN, UNKNOWN}};
    if (!row->record)
        abort();
    row->record->tally.censored_max_ns = UNKNOWN;
    return row->task != NULL && report.row_count < ROWS_MAX;
}

static int set_text(const char *name, const char *text)
{
    if (strcmp(name, "comment") == 0)
        options.comment = copy(text);
    else if (strcmp(name, "load_command") == 0)
        options.load_command = copy(text);
    else
        return 0;
    return 1;
}

static int leave_out(const char *load, const char *why)
{
    struct left_out *left_out = &report.left_out[report.left_out_count++];

    left_out->load = load_named(load);
    snprintf(left_out->why, sizeof left_out->why, "%s", why);
    return 1;
}

static int take(const char *what, const char *name, char *value)
{
    char *times = strcmp(what, "add") == 0 ? strchr(value, ' ') : NULL;

    if (strcmp(what, "row") == 0 || strcmp(what, "merge") == 0)
        return finish_row(), begin_row(name, value, *what == 'm');
    if (strcmp(what, "report") == 0)
        return set_of_report(name, value);
    if (strcmp(what, "option") == 0)
        return set_option(name, value);
    if (strcmp(what, "text") == 0)
        return set_text(name, value);
    if (strcmp(what, "left_out") == 0)
        return leave_out(name, value);
    if (row && strcmp(what, "set") == 0)
        return set_of_row(name, value) || set_moments(name, value);
    return row && times && add_values(name, value, times + 1);
}

static void read_report(const char *path)
{
    char line[WORDS_MAX], what[32], name[64];
    FILE *file = fopen(path, "r");
    int used;

    if (!file)
        wrong(path);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        used = 0;
        if (sscanf(line, "%31s %63s%n", what, name, &used) != 2 || !take(what, name, line + used + (line[used] == ' ')))
            wrong(line);
    }
    finish_row();
    fclose(file);
}

static void print_no_responsiveness(const struct report *read, FILE *out)
{
    char why[REPORT_WHY_MAX];

    report_explain_no_responsiveness(read, why);
    fprintf(out, "%s\n", why);
}

static void print_responsiveness(const struct report *read, FILE *out)
{
    fprintf(out, "%.6f\n", report_responsiveness(read));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(const struct report *, FILE *);
    } forms[] = {
        {"head", report_print_head}, {"table", report_print_table}, {"legacy", report_print_legacy},
        {"protocol", report_print_protocol},
        {"responsiveness", print_responsiveness}, {"no_responsiveness", print_no_responsiveness},
    };
    size_t i;

    if (argc != 3)
        return 2;
    read_report(argv[2]);
    for (i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(argv[1], forms[i].name) == 0)
            forms[i].print(&report, stdout);
    return 0;
}
