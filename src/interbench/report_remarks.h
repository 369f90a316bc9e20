/* What has to be said of single rows, in lines below their table. */
#ifndef INTERBENCH_REPORT_REMARKS_H
#define INTERBENCH_REPORT_REMARKS_H

#include "report_grid.h"

void print_remarks(const struct options *options, const struct grid *grid, FILE *out);

#endif
