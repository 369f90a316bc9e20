/* The rows as comma-separated values, below a line that names them. */
#include "figures.h"
#include "report_values.h"

static void print_heading(FILE *out)
{
    const struct value *value;

    fputs("task,load", out);
    for (value = row_values; value->name; value++)
        fprintf(out, ",%s%s%s%s%s", value->group ? value->group : "", value->group ? "_" : "", value->name,
                value->unit ? "_" : "", value->unit ? value->unit : "");
    fputs(",noisy\n", out);
}

static void print_row(const struct options *options, const struct row *row, FILE *out)
{
    const struct value *value;

    fprintf(out, "%s,%s", row->task->name, row->load->name);
    for (value = row_values; value->name; value++)
        fprintf(out, ",%s", figure_exact(value->of(options, row), value->decimals, "").text);
    fprintf(out, ",%d\n", row_is_noisy(row));
}

void report_print_csv(const struct report *report, FILE *out)
{
    int i;

    print_heading(out);
    for (i = 0; i < report->row_count; i++)
        print_row(report->options, &report->rows[i], out);
}
