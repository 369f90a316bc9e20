/* The columns of the tables. */
#ifndef INTERBENCH_REPORT_COLUMNS_H
#define INTERBENCH_REPORT_COLUMNS_H

#include "figures.h"
#include "report.h"

typedef struct figure time_figure(double ns);

enum column_need { NEED_NONE, NEED_MIX, NEED_REPEATS, NEED_ROOM };

struct column {
    const char *group;     /* a heading over this and its neighbours of the same group, or null */
    const char *above, *below;
    int is_time;           /* the group's heading names the unit */
    int is_left;           /* aligned */
    enum column_need need; /* what it is shown for */
    struct figure (*cell)(const struct row *row, time_figure *time);
};

/* Of tasks with deadlines, and of those without.  Each ends with a column without a cell. */
extern const struct column frame_columns[], job_columns[];

#endif
