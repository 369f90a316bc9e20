/* What was measured, as data, from which alone every output is made. */
#ifndef INTERBENCH_REPORT_H
#define INTERBENCH_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "capacity.h"
#include "frames.h"
#include "load.h"
#include "machine.h"
#include "options.h"
#include "tasks.h"

/* What became of one stream, or of all streams of a task together; lies in memory shared with the task's process. */
struct record {
    struct tally tally; /* of Gaming: frames are jobs, wake is the excess over the demand, response the frame time */
    struct distribution timer_lateness, hand_off; /* with --waker */
    int64_t cpu_ns;                           /* CPU time from the first frame on */
    int64_t run_delay_ns;                     /* time that the thread waited on a run queue, or UNKNOWN */
    int64_t voluntary_switches, involuntary_switches;
    int64_t migrations;                       /* frames that started on another CPU than the one before */
    int64_t elapsed_ns;                       /* of Gaming: from first to last job, added up over streams and repeats */
};

void record_merge(struct record *into, const struct record *from);

/* What else went on while a cell was measured, in parts of 1; negative: not known. */
struct disturbance {
    double steal, other;                       /* of the CPU time of all CPUs */
    double cpu_pressure, io_pressure, memory_pressure; /* part of the time in which something waited (PSI "some") */
};

/* A line of the table: a task under a load, all streams and repeats together. */
struct row {
    const struct task *task;
    const struct load *load;
    int streams, repeats;
    struct record *record;
    double throughput; /* what the load got done, in parts of what it does alone; negative: nothing to say */
    int64_t p99_least_ns, p99_most_ns; /* of staleness over the repeats, UNKNOWN unless known of each */
    struct disturbance disturbance;   /* the worst of the repeats */
};

struct left_out {
    const struct load *load;
    char why[LOAD_WHY_MAX];
};

struct report {
    const struct options *options;
    int64_t started_s;               /* since 1970 */
    int64_t loops_per_ms;            /* of the work */
    double calibration_spread;       /* in parts of 1, negative: not calibrated now */
    int cpu_count;                   /* that may be used */
    int row_count;
    struct row *rows;
    int left_out_count;
    struct left_out left_out[LOADS_MAX];
    const char *trouble;             /* why not all was measured, or null */
    const char *missing_privileges;  /* "SCHED_FIFO, ...", or empty */
    int fact_count;
    const struct fact *facts;        /* of the machine */
};

/* Whether so much else went on that the row is noisy: steal above 1 %, other work above 5 %. */
int row_is_noisy(const struct row *row);

/* Parts of 1: work of executed frames in that of all; of Gaming, nominal in actual time. */
double row_work(const struct row *row);

/*
 * CPU time that was demanded in that which it took: below 1, CPUs are slower than at calibration.  Negative: unknown,
 * or the work was not cut to this CPU.
 */
double row_speed(const struct options *options, const struct row *row);

/* Jobs a second of a stream of Gaming; negative of other tasks. */
double row_jobs_per_s(const struct row *row);

/* The same in the slowest hundredth: 1 / p99 of the frame time. */
double row_slow_jobs_per_s(const struct row *row);

/* p99 - p50 of staleness, or UNKNOWN. */
int64_t row_jitter_ns(const struct row *row);

/* The conventional outputs. Each takes the report and writes text; of errors the stream tells. */
void report_print_head(const struct report *report, FILE *out);       /* machine and run, before the tables */
void report_print_table(const struct report *report, FILE *out);      /* section by task, or the mix */
void report_print_legacy(const struct report *report, FILE *out);     /* the old head and its five columns */
void report_print_histograms(const struct report *report, FILE *out);
void report_print_json(const struct report *report, FILE *out);
void report_print_csv(const struct report *report, FILE *out);
void report_print_capacity_json(const struct report *report, const struct capacity *capacity, FILE *out);

/*
 * The lines of the suite's protocol: for each fact "machine.NAME|value"; for each row "cell.LOAD.TASK|" and, between
 * bars, frames, on time, late, dropped (counts), work %, wake p50, p99, staleness p50, p95, p99, p99.9, max, standard
 * deviation (us, three decimals), load throughput %, 1 if noisy or 0; "-" for what is not known.
 */
void report_print_protocol(const struct report *report, FILE *out);

/*
 * 10^6 / p99 of Probe's staleness in microseconds, geometric mean over the loads but None: wake-ups a second.  Negative
 * where a p99 is not known.
 */
double report_responsiveness(const struct report *report);

/* The row of Probe under a load that has the fewest values; null where there is none. */
const struct row *report_least_response(const struct report *report);

#endif
