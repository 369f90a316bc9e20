/* Lays out a table. */
#include "report_layout.h"

#include <string.h>

static const struct layout layouts[] = {
    {figure_us, "us", 2, 1}, {figure_us, "us", 1, 1}, {figure_us, "us", 1, 0},
    {figure_ms, "ms", 2, 1}, {figure_ms, "ms", 1, 1}, {figure_ms, "ms", 1, 0},
    {figure_s, "s", 2, 1},   {figure_s, "s", 1, 1},   {figure_s, "s", 1, 0},
};

int width_of(const char *text)
{
    int width = 0;

    for (; *text; text++)
        width += (*text & 0xc0) != 0x80;
    return width;
}

static int at_least(int width, const char *text)
{
    int needed = width_of(text);

    return needed > width ? needed : width;
}

static int is_shown(const struct grid *grid, const struct layout *layout, const struct column *column)
{
    switch (column->need) {
    case NEED_MIX:
        return grid->is_mix;
    case NEED_REPEATS:
        return grid->is_repeated;
    case NEED_ROOM:
        return layout->is_roomy;
    default:
        return 1;
    }
}

static int natural_width(const struct drawing *drawing, const struct column *column)
{
    int i, width = at_least(at_least(0, column->above), column->below);

    for (i = 0; i < drawing->grid->row_count; i++)
        width = at_least(width, column->cell(drawing->grid->rows[i], drawing->layout->time).text);
    return width;
}

static int is_same_group(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

int group_end(const struct drawing *drawing, int begin)
{
    int end = begin + 1;

    while (end < drawing->count && is_same_group(drawing->columns[end]->group, drawing->columns[begin]->group))
        end++;
    return end;
}

int span_of(const struct drawing *drawing, int begin, int end)
{
    int i, span = (end - begin - 1) * drawing->layout->gap;

    for (i = begin; i < end; i++)
        span += drawing->widths[i];
    return span;
}

struct figure group_heading(const struct drawing *drawing, int begin)
{
    struct figure heading;

    snprintf(heading.text, sizeof heading.text, "%s (%s)", drawing->columns[begin]->group, drawing->layout->unit);
    return heading;
}

/* Makes the first column of each group wider where the group's heading asks for it. */
static void widen_for_groups(struct drawing *drawing)
{
    int i, missing;

    for (i = 0; i < drawing->count; i++) {
        if (!drawing->columns[i]->group)
            continue;
        missing = width_of(group_heading(drawing, i).text) - span_of(drawing, i, group_end(drawing, i));
        if (missing > 0)
            drawing->widths[i] += missing;
        i = group_end(drawing, i) - 1;
    }
}

static void draw(struct drawing *drawing, const struct grid *grid, const struct layout *layout)
{
    const struct column *column;

    *drawing = (struct drawing){.grid = grid, .layout = layout};
    for (column = grid->columns; column->cell; column++) {
        if (!is_shown(grid, layout, column))
            continue;
        drawing->columns[drawing->count] = column;
        drawing->widths[drawing->count++] = natural_width(drawing, column);
    }
    widen_for_groups(drawing);
}

void choose_layout(struct drawing *drawing, const struct grid *grid)
{
    size_t i;

    for (i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        draw(drawing, grid, &layouts[i]);
        if (span_of(drawing, 0, drawing->count) <= TABLE_WIDTH)
            return;
    }
}
