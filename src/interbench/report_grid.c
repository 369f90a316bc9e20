/* Prints a table as it is laid out. */
#include "report_layout.h"

static void print_times(int count, int character, FILE *out)
{
    while (count-- > 0)
        putc(character, out);
}

/* A line of cells.  Blanks are held back until something follows, so that no line ends with any. */
struct line {
    int blanks;
    FILE *out;
};

static void put_cell(struct line *line, const char *text, int width, int is_left, int gap)
{
    int padding = width - width_of(text);

    if (*text) {
        print_times(line->blanks + (is_left ? 0 : padding), ' ', line->out);
        fputs(text, line->out);
        line->blanks = gap + (is_left ? padding : 0);
    } else {
        line->blanks += width + gap;
    }
}

/* "--- heading ---", as wide as the group. */
static void put_group(struct line *line, const char *heading, int span, int gap)
{
    int dashes = span - width_of(heading) - 2;

    if (dashes < 2) {
        put_cell(line, heading, span, 0, gap);
        return;
    }
    print_times(line->blanks, ' ', line->out);
    print_times(dashes / 2, '-', line->out);
    fprintf(line->out, " %s ", heading);
    print_times(dashes - dashes / 2, '-', line->out);
    line->blanks = gap;
}

static void print_upper_heading(const struct drawing *drawing, FILE *out)
{
    struct line line = {0, out};
    const struct column *column;
    int i, end, gap = drawing->layout->gap;

    for (i = 0; i < drawing->count; i = end) {
        column = drawing->columns[i];
        end = column->group ? group_end(drawing, i) : i + 1;
        if (column->group)
            put_group(&line, group_heading(drawing, i).text, span_of(drawing, i, end), gap);
        else
            put_cell(&line, column->above, drawing->widths[i], column->is_left, gap);
    }
    putc('\n', out);
}

static void print_lower_heading(const struct drawing *drawing, FILE *out)
{
    struct line line = {0, out};
    int i;

    for (i = 0; i < drawing->count; i++)
        put_cell(&line, drawing->columns[i]->below, drawing->widths[i], drawing->columns[i]->is_left,
                 drawing->layout->gap);
    putc('\n', out);
}

static void print_row(const struct drawing *drawing, const struct row *row, FILE *out)
{
    struct line line = {0, out};
    int i;

    for (i = 0; i < drawing->count; i++)
        put_cell(&line, drawing->columns[i]->cell(row, drawing->layout->time).text, drawing->widths[i],
                 drawing->columns[i]->is_left, drawing->layout->gap);
    putc('\n', out);
}

void grid_print(const struct grid *grid, FILE *out)
{
    struct drawing drawing;
    int i;

    choose_layout(&drawing, grid);
    print_upper_heading(&drawing, out);
    print_lower_heading(&drawing, out);
    for (i = 0; i < grid->row_count; i++) {
        if (grid->is_mix && i > 0 && grid->rows[i]->load != grid->rows[i - 1]->load)
            putc('\n', out);
        print_row(&drawing, grid->rows[i], out);
    }
}
