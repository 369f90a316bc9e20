/* What stands before the tables: the run, the machine, and what is missing. */
#include <string.h>

#include "report_words.h"

#define HEAD_WIDTH 100

static void print_calibration(const struct report *report, FILE *out)
{
    fprintf(out, "%lld loops per ms", (long long)report->loops_per_ms);
    if (report->options->is_fixed)
        fputs(" of the reference machine", out);
    if (report->calibration_spread >= 0)
        fprintf(out, " (spread at calibration %s %%)", figure_percent(report->calibration_spread).text);
    putc('\n', out);
}

static void print_run(const struct report *report, FILE *out)
{
    const struct options *options = report->options;

    fprintf(out, "Linux %s, ", kernel_of(report));
    print_date(report, "%Y-%m-%d %H:%M", out);
    fprintf(out, ", %d CPU%s, ", report->cpu_count, report->cpu_count == 1 ? "" : "s");
    print_calibration(report, out);
    fprintf(out, "%s s for each %s after %s s of warm-up, seed %llu", seconds_figure(options->duration_ns).text,
            options->mode == MODE_CAPACITY ? "trial" : "load", seconds_figure(options->warmup_ns).text,
            (unsigned long long)options->seed);
    if (options->repeats > 1)
        fprintf(out, ", %d repeats", options->repeats);
    if (options->copies > 1)
        fprintf(out, ", %d streams of each task", options->copies);
    putc('\n', out);
}

static void make_words(char *name)
{
    for (; *name && *name != ':'; name++)
        if (*name == '_')
            *name = ' ';
}

/* In lines that are not too long. */
static void print_facts(const struct report *report, FILE *out)
{
    char text[sizeof report->facts->value + 64];
    int i, length, column = 0;

    for (i = 0; i < report->fact_count; i++) {
        if (strcmp(report->facts[i].name, "kernel") == 0)
            continue;
        length = snprintf(text, sizeof text, "%s: %s", report->facts[i].name, report->facts[i].value);
        make_words(text);
        if (column > 0 && column + 2 + length > HEAD_WIDTH)
            column = (fputs("\n", out), 0);
        column += fprintf(out, "%s%s", column > 0 ? "; " : "", text);
    }
    if (column > 0)
        putc('\n', out);
}

static void print_missing(const struct report *report, FILE *out)
{
    int i;

    if (report->missing_privileges && *report->missing_privileges)
        fprintf(out, "Not permitted here: %s: not needed for these numbers\n", report->missing_privileges);
    for (i = 0; i < report->left_out_count; i++)
        fprintf(out, "Left out: %s: %s\n", report->left_out[i].load->name, report->left_out[i].why);
}

void report_print_head(const struct report *report, FILE *out)
{
    print_run(report, out);
    print_facts(report, out);
    if (report->options->comment)
        fprintf(out, "Comment: %s\n", report->options->comment);
    print_missing(report, out);
    putc('\n', out);
}
