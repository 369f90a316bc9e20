/* How a table is laid out: which columns it has, in which unit, how wide they are. */
#ifndef INTERBENCH_REPORT_LAYOUT_H
#define INTERBENCH_REPORT_LAYOUT_H

#include "report_grid.h"

#define COLUMNS_MAX 24

struct layout {
    time_figure *time;
    const char *unit;
    int gap, is_roomy;
};

struct drawing {
    const struct grid *grid;
    const struct layout *layout;
    int count, widths[COLUMNS_MAX];
    const struct column *columns[COLUMNS_MAX];
};

/* The widest layout that fits into TABLE_WIDTH, or else the narrowest. */
void choose_layout(struct drawing *drawing, const struct grid *grid);

/* The column behind the last one of the group that begins there. */
int group_end(const struct drawing *drawing, int begin);

/* How wide the columns from begin to before end are together. */
int span_of(const struct drawing *drawing, int begin, int end);

/* The name of the group that begins there, with its unit. */
struct figure group_heading(const struct drawing *drawing, int begin);

/* Columns of the terminal that a text of UTF-8 takes. */
int width_of(const char *text);

#endif
