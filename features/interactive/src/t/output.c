/*
 * output FORM FILE [OPTIONS]: prints the report in the file as head, table, legacy, protocol or responsiveness, with
 * options of interbench.  The lines of the file:
 *
 *   left_out LOAD WHY          a load that can't run, and the reason
 *   row TASK LOAD              begins a row, to which the lines that follow belong
 *   set NAME VALUE             a number of the row
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

static void finish_row(void)
{
    if (row)
        report.row_count++;
    row = NULL;
}

static int begin_row(const char *task, const char *load)
{
    finish_row();
    row = &rows[report.row_count];
    *row = (struct row){.task = tasks_find(task), .load = loads_find(load), .streams = 1, .repeats = 1,
                        .record = calloc(1, sizeof *row->record), .throughput = UNKNOWN,
                        .disturbance = {UNKNOWN, UNKNOWN}};
    row->record->tally.censored_max_ns = UNKNOWN;
    return row->task && row->load && report.row_count < ROWS_MAX;
}

/* Sets a number of the row. */
static int set_number(const char *name, const char *value)
{
    struct tally *tally = &row->record->tally;
    const struct { const char *name; int64_t *whole; double *real; } numbers[] = {
        {"frames", &tally->frames, NULL}, {"on_time", &tally->on_time, NULL}, {"late", &tally->late, NULL},
        {"dropped", &tally->dropped, NULL}, {"censored", &tally->censored, NULL},
        {"censored_max", &tally->censored_max_ns, NULL}, {"demand", &tally->demand_ns, NULL},
        {"done", &tally->done_ns, NULL}, {"elapsed", &row->record->elapsed_ns, NULL},
        {"throughput", NULL, &row->throughput}, {"steal", NULL, &row->disturbance.steal},
        {"other", NULL, &row->disturbance.other_work},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(numbers[i].name, name) != 0)
            continue;
        if (numbers[i].whole)
            *numbers[i].whole = strtoll(value, NULL, 10);
        else
            *numbers[i].real = strtod(value, NULL);
        return 1;
    }
    return 0;
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
    return *what == 's' ? set_number(name, value) : add_values(name, value);
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
    finish_row();
    fclose(file);
}

/* Prints the responsiveness, or why it is unknown. */
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
