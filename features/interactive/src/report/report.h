/* The results as data, the numbers that follow from them, and the reports, which use this data alone. */
#ifndef INTERBENCH_REPORT_H
#define INTERBENCH_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "frames.h"
#include "loads/load.h"
#include "machine.h"
#include "measure/capacity.h"
#include "message.h"
#include "options.h"
#include "tasks.h"

/* Results of one stream, or of all streams of a task together; in memory shared with the process of the tasks. */
struct record {
    struct tally tally; /* of Gaming: frames are jobs, wake is the excess over the demand, response the frame time */
    int64_t elapsed_ns; /* of Gaming: from first to last job, added up over streams and repeats */
};

/* Adds the results of another stream or repeat. */
void record_merge(struct record *into, const struct record *from);

/* A line of the table: a task under a load, all streams and repeats together. */
struct row {
    const struct task *task;
    const struct load *load;
    int streams, repeats;
    struct record *record;
    double throughput; /* of the load, relative to what it does alone; negative: unknown */
    struct disturbance disturbance; /* the worst of the repeats */
};

/* A load that cannot run here. */
struct left_out {
    const struct load *load;
    char why[LOAD_WHY_MAX];
};

struct report {
    const struct options *options;
    int64_t started_s;               /* since 1970 */
    int64_t loops_per_ms;            /* of the work */
    int cpu_count;                   /* that may be used */
    const struct capacity *capacity; /* in its mode, or NULL */
    int row_count;
    struct row *rows;
    int left_out_count;
    struct left_out left_out[LOADS_MAX];
    const char *error;               /* why not all was measured, or NULL */
};

/* Returns whether a row is noisy: steal above 1 %, or other work above 5 %. */
int row_is_noisy(const struct row *row);

/*
 * Returns the work of executed frames as a fraction of that of all frames.  For Gaming it is the nominal time as a
 * fraction of the actual time.
 */
double row_work(const struct row *row);

/*
 * Returns the responsiveness in wake-ups a second: 10^6 / p99 of Probe's staleness in microseconds.  It is the
 * geometric mean over all loads except None.  Negative if a p99 is unknown.
 */
double report_responsiveness(const struct report *report);

#define REPORT_WHY_MAX 300

/* Writes why the responsiveness is unknown: how many frames of Probe there were, the cause, and what to do. */
void report_explain_no_responsiveness(const struct report *report, char why[REPORT_WHY_MAX]);

/* The reports. */
void report_print_head(const struct report *report, FILE *out);   /* machine and run, before the tables */
void report_print_table(const struct report *report, FILE *out);  /* a table for each task */
void report_print_legacy(const struct report *report, FILE *out); /* the old head and its five columns */
void report_print_capacity(const struct report *report, FILE *out);

/*
 * Prints a line "cell.LOAD.TASK|VALUE|..." for Run for each row.  Percentages and times have three decimals.  An
 * unknown value is "-".  The values are
 *
 *   frames, on time, late, dropped                            counts
 *   work                                                      percent
 *   wake p50, p99                                             microseconds
 *   staleness p50, p95, p99, p99.9, max, standard deviation   microseconds
 *   throughput of the load                                    percent
 *   noisy                                                     1 or 0
 */
void report_print_protocol(const struct report *report, FILE *out);

/* Opens the log, to which reports are written besides standard output, before anything is measured. */
void outputs_open(int is_console_only);

/* Writes the report to all outputs. */
void outputs_write(const struct report *report);

/* Closes all; returns STATUS_DONE, or STATUS_IMPOSSIBLE_HERE if something could not be written. */
enum status outputs_close(void);

/* The rest is for the files that print reports.  Numbers as text: one that is negative, infinite or NaN is unknown. */

#define NOT_KNOWN "-"

struct figure {
    char text[40];
};

/* Formats three significant digits without an exponent: 12300, 12.3, 0.123, "<0.001" below that, 0. */
struct figure figure_digits(double value);

/* Formats a time in nanoseconds as microseconds. */
struct figure figure_us(double ns);

/* Formats a fraction in percent; 100 only for 1. */
struct figure figure_percent(double part);

/* Formats for the old tables: three significant digits, from 100 on no decimals; to the left if width is negative. */
struct figure figure_legacy(double value, int width);

/* Returns part / whole; negative without a whole. */
double part_of(double part, double whole);

/* Returns the release of the kernel. */
const char *report_kernel(void);

/* Prints when the run started, in local time; the format is that of strftime. */
void report_print_date(const struct report *report, const char *format, FILE *out);

/* Returns whether no earlier row has the same task. */
int report_is_first_of_task(const struct report *report, int index);

#endif
