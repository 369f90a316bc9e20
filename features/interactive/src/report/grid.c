/* Lays out a table in columns that are as wide as needed, and prints it. */
#include "report/report.h"

#include <string.h>

#define TABLE_WIDTH 120
#define COLUMNS_MAX 24

/* A way to fit a table into the width. */
struct layout {
    time_figure *time;
    const char *unit;
    int gap, is_roomy;
};

static const struct layout layouts[] = {
    {figure_us, "us", 2, 1}, {figure_us, "us", 1, 1}, {figure_us, "us", 1, 0},
    {figure_ms, "ms", 2, 1}, {figure_ms, "ms", 1, 1}, {figure_ms, "ms", 1, 0},
    {figure_s, "s", 2, 1},   {figure_s, "s", 1, 1},   {figure_s, "s", 1, 0},
};

/* A grid with the columns that are shown, and their widths. */
struct drawing {
    const struct grid *grid;
    const struct layout *layout;
    int count, widths[COLUMNS_MAX];
    const struct column *columns[COLUMNS_MAX];
};

/* Returns the width of a text in UTF-8 on the terminal. */
static int width_of(const char *text)
{
    int width = 0;

    for (; *text; text++)
        width += (*text & 0xc0) != 0x80;
    return width;
}

static int at_least(int width, const char *text)
{
    return (int)greatest(width, width_of(text));
}

static int is_shown(const struct grid *grid, const struct layout *layout, const struct column *column)
{
    switch (column->need) {
    case NEED_MIX:
        return grid->is_mix;
    case NEED_ROOM:
        return layout->is_roomy;
    default:
        return 1;
    }
}

static int natural_width(const struct drawing *drawing, const struct column *column)
{
    int width = at_least(width_of(column->above), column->below);

    for (int i = 0; i < drawing->grid->row_count; i++)
        width = at_least(width, column->cell(drawing->grid->rows[i], drawing->layout->time).text);
    return width;
}

static int is_same_group(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

/* Returns the column after the last one of the group that begins there. */
static int group_end(const struct drawing *drawing, int begin)
{
    int end = begin + 1;

    while (end < drawing->count && is_same_group(drawing->columns[end]->group, drawing->columns[begin]->group))
        end++;
    return end;
}

/* Returns the width of the columns from begin to before end together. */
static int span_of(const struct drawing *drawing, int begin, int end)
{
    int span = (end - begin - 1) * drawing->layout->gap;

    for (int i = begin; i < end; i++)
        span += drawing->widths[i];
    return span;
}

/* Returns the name of the group that begins there, with its unit. */
static struct figure group_heading(const struct drawing *drawing, int begin)
{
    struct figure heading;

    snprintf(heading.text, sizeof heading.text, "%s (%s)", drawing->columns[begin]->group, drawing->layout->unit);
    return heading;
}

/* Makes the first column of each group wider if the heading of the group needs it. */
static void widen_for_groups(struct drawing *drawing)
{
    for (int i = 0, end; i < drawing->count; i = end) {
        end = drawing->columns[i]->group ? group_end(drawing, i) : i + 1;
        if (!drawing->columns[i]->group)
            continue;

        const int missing = width_of(group_heading(drawing, i).text) - span_of(drawing, i, end);

        if (missing > 0)
            drawing->widths[i] += missing;
    }
}

static void draw(struct drawing *drawing, const struct grid *grid, const struct layout *layout)
{
    *drawing = (struct drawing){.grid = grid, .layout = layout};
    for (const struct column *column = grid->columns; column->cell; column++) {
        if (!is_shown(grid, layout, column))
            continue;
        drawing->columns[drawing->count] = column;
        drawing->widths[drawing->count++] = natural_width(drawing, column);
    }
    widen_for_groups(drawing);
}

/* Chooses the widest layout that fits, or else the narrowest. */
static void choose_layout(struct drawing *drawing, const struct grid *grid)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        draw(drawing, grid, &layouts[i]);
        if (span_of(drawing, 0, drawing->count) <= TABLE_WIDTH)
            return;
    }
}

static void print_times(int count, int character, FILE *out)
{
    while (count-- > 0)
        putc(character, out);
}

/* A line of cells.  Blanks are held back until a text follows, so that no line ends with blanks. */
struct line {
    int blanks;
    FILE *out;
};

static void put_cell(struct line *line, const char *text, int width, int is_left, int gap)
{
    const int padding = width - width_of(text);

    if (*text) {
        print_times(line->blanks + (is_left ? 0 : padding), ' ', line->out);
        fputs(text, line->out);
        line->blanks = gap + (is_left ? padding : 0);
    } else {
        line->blanks += width + gap;
    }
}

/* Prints "--- heading ---", as wide as the group. */
static void put_group(struct line *line, const char *heading, int span, int gap)
{
    const int dashes = span - width_of(heading) - 2;

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
    const int gap = drawing->layout->gap;
    struct line line = {0, out};

    for (int i = 0, end; i < drawing->count; i = end) {
        const struct column *column = drawing->columns[i];

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

    for (int i = 0; i < drawing->count; i++)
        put_cell(&line, drawing->columns[i]->below, drawing->widths[i], drawing->columns[i]->is_left,
                 drawing->layout->gap);
    putc('\n', out);
}

static void print_row(const struct drawing *drawing, const struct row *row, FILE *out)
{
    struct line line = {0, out};

    for (int i = 0; i < drawing->count; i++)
        put_cell(&line, drawing->columns[i]->cell(row, drawing->layout->time).text, drawing->widths[i],
                 drawing->columns[i]->is_left, drawing->layout->gap);
    putc('\n', out);
}

void grid_print(const struct grid *grid, FILE *out)
{
    struct drawing drawing;

    choose_layout(&drawing, grid);
    print_upper_heading(&drawing, out);
    print_lower_heading(&drawing, out);
    for (int i = 0; i < grid->row_count; i++) {
        if (grid->is_mix && i > 0 && grid->rows[i]->load != grid->rows[i - 1]->load)
            putc('\n', out);
        print_row(&drawing, grid->rows[i], out);
    }
}
