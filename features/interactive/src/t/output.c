/*
 * output FORM FILE [OPTIONS]: prints the report in the file as head, table, legacy, protocol or responsiveness, with
 * options of interbench.  The lines of the file:
 *
 *   left_out LOAD WHY          a load that can't run, and the reason
 *   row TASK LOAD NUMBER...    begins a row, with all of its numbers, to which the lines that follow belong
 *   add NAME VALUE TIMES       adds a value, in nanoseconds, to a distribution of the row, TIMES times
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define ROWS_MAX 64

static struct options options;
static struct row rows[ROWS_MAX + 1];
static struct report report = {.options = &options, .rows = rows, .started_s = 1700000000, .loops_per_ms = 3456789,
                               .cpu_count = 2};
static struct row *row; /* the row that is being read */

static int begin_row(const char *task, const char *words)
{
    char load[64];
    long long of[9];
    double throughput, steal, other_work;

    if (report.row_count == ROWS_MAX
        || sscanf(words, "%63s %lld %lld %lld %lld %lld %lld %lld %lld %lld %lf %lf %lf", load, of, of + 1, of + 2,
                  of + 3, of + 4, of + 5, of + 6, of + 7, of + 8, &throughput, &steal, &other_work) != 13)
        return 0;
    row = &rows[report.row_count++];
    *row = (struct row){.task = tasks_find(task), .load = loads_find(load), .streams = 1, .repeats = 1,
                        .record = calloc(1, sizeof *row->record), .throughput = throughput,
                        .disturbance = {steal, other_work}};
    struct tally *tally = &row->record->tally;
    int64_t *const numbers[] = {&tally->frames, &tally->on_time, &tally->late, &tally->dropped, &tally->censored,
                                &tally->demand_ns, &tally->done_ns, &tally->censored_max_ns, &row->record->elapsed_ns};
    for (int i = 0; i < 9; i++)
        *numbers[i] = of[i];
    return row->task && row->load;
}

static int add_values(const char *name, const char *value)
{
    struct tally *tally = &row->record->tally;
    struct distribution *distribution = strcmp(name, "wake") == 0 ? &tally->wake
                                      : strcmp(name, "response") == 0 ? &tally->response : &tally->staleness;
    char *times;
    const long long added = strtoll(value, &times, 10);

    for (long i = strtol(times, NULL, 10); i > 0; i--)
        distribution_add(distribution, added);
    return 1;
}

static int leave_out(const char *load, const char *why)
{
    struct left_out *left_out = &report.left_out[report.left_out_count++];

    left_out->load = loads_find(load);
    snprintf(left_out->why, sizeof left_out->why, "%s", why);
    return 1;
}

static int take(const char *what, const char *name, const char *value)
{
    if (strcmp(what, "row") == 0)
        return begin_row(name, value);
    if (strcmp(what, "left_out") == 0)
        return leave_out(name, value);
    return add_values(name, value);
}

static void read_report(const char *path)
{
    char line[1000], what[32], name[64];
    FILE *file = fopen(path, "r");
    int used = 0;

    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%31s %63s %n", what, name, &used) != 2 || !take(what, name, line + used)) {
            fprintf(stderr, "output: cannot read: %s\n", line);
            exit(2);
        }
    }
    fclose(file);
}

static void print_responsiveness(const struct report *read, FILE *out)
{
    char why[REPORT_WHY_MAX];
    const double responsiveness = report_responsiveness(read);

    report_explain_no_responsiveness(read, why);
    if (responsiveness < 0)
        fprintf(out, "%s\n", why);
    else
        fprintf(out, "%.6f\n", responsiveness);
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*print)(const struct report *, FILE *); } forms[] = {
        {"head", report_print_head}, {"table", report_print_table}, {"legacy", report_print_legacy},
        {"protocol", report_print_protocol}, {"responsiveness", print_responsiveness},
    };

    if (argc < 3)
        return 2;
    options_read(&options, argc - 2, argv + 2);
    read_report(argv[2]);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(argv[1], forms[i].name) == 0)
            forms[i].print(&report, stdout);
    return 0;
}
