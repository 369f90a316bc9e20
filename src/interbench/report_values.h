/* All numbers of a row, for programs: the same in JSON and in CSV. */
#ifndef INTERBENCH_REPORT_VALUES_H
#define INTERBENCH_REPORT_VALUES_H

#include "report.h"

/* "staleness", "p99", "us" is "staleness_us": {"p99": ...} in JSON, and staleness_p99_us in CSV. */
struct value {
    const char *group, *name, *unit; /* each but the name may be null */
    int decimals;
    double (*of)(const struct options *options, const struct row *row); /* negative: not known */
};

/* Ends with a value without a name; those of a group stand together. */
extern const struct value row_values[];

#endif
