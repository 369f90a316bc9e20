/* Words of the heads. */
#ifndef INTERBENCH_REPORT_WORDS_H
#define INTERBENCH_REPORT_WORDS_H

#include "figures.h"
#include "report.h"

/* The release of the kernel, or "unknown". */
const char *kernel_of(const struct report *report);

/* When the run started, in local time. */
void print_date(const struct report *report, const char *format, FILE *out);

/* Nanoseconds in seconds, to the millisecond. */
struct figure seconds_figure(int64_t ns);

#endif
