/*
 * The measurements: cells of tasks under loads, and trials of the capacity.  The load and the tasks run in child
 * processes, which start together and end with the program.
 */
#ifndef INTERBENCH_MEASURE_H
#define INTERBENCH_MEASURE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "events.h"
#include "loads/load.h"
#include "measure/capacity.h"
#include "options.h"
#include "report/report.h"

/* How a step ended. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_FAILED,      /* a child has failed; the error says why */
    OUTCOME_TIMED_OUT,   /* a child took too long; the error says which */
    OUTCOME_NO_ROOM,     /* memory is missing; the error says how much */
    OUTCOME_INTERRUPTED  /* a signal is to end the run */
};

#define ERROR_MAX 300

/* The settings and facts that all measurements of an invocation share. */
struct bench {
    const struct options *options;
    struct load_setting setting;
    int64_t loops_per_ms; /* of the work of tasks */
    int cpu_count;        /* that may be used */
    int pin_cpu;          /* to which tasks and loads are bound, or UNKNOWN */
    char error[ERROR_MAX]; /* the last failure, for the report */
};

/* Returns the settings of loads that follow from the options. */
struct load_setting load_setting_of(const struct options *options);

/*
 * Prepares bench and report, opens the outputs, makes the file that Read reads, and finds the speed of the CPU.  If
 * something that was asked for is impossible here, the program ends with one line and status 2.  Loads that were not
 * named on the command line are left out instead.
 */
void bench_prepare(struct bench *bench, struct options *options, struct report *report);

/* Takes the outcome and the text of the error; notes the text and returns the outcome. */
__attribute__((format(printf, 3, 4)))
enum outcome bench_error(struct bench *bench, enum outcome outcome, const char *format, ...);

/*
 * Returns whether a step has to be repeated, because this program was stopped since the last call of
 * events_was_stopped.  The results of that time are void.
 */
int outcome_is_void(enum outcome outcome);

/* Maps zeroed memory that children share; returns NULL, and notes an error, if there is none. */
void *shared_memory(struct bench *bench, size_t size);

/* The ends of a child's pipes, for the child. */
struct gate {
    int ready_fd, go_fd;
};

/* A child process, the first process of a group of its own. */
struct child {
    const char *name; /* of the process, at most 15 characters */
    pid_t pid;        /* 0: not started, or waited for */
    int ready_fd, go_fd;
    int has_ended, wait_status;
};

/*
 * Starts the child, which calls body and ends with status 0 when that returns.  Returns 0, or an errno.
 */
int child_start(struct child *child, const char *name, void (*body)(struct gate *gate, void *data),
                void *data);

/* In the child: reports that it is ready and waits for child_go. */
void gate_wait(struct gate *gate);

/* Waits until the child is ready (EVENT_INPUT), until that moment, or until any child has ended (EVENT_ENDED). */
enum event child_await_ready(struct child *child, int64_t until_ns);

/* Lets the child go. */
void child_go(struct child *child);

/* Waits for the children that have ended; returns whether any child of child_start has, now or before. */
int child_reap(void);

/* Ends the child and all of its group, and waits for them: TERM, and after 2 s KILL. */
void child_end(struct child *child);

/* Returns how a child has ended: "was killed by signal 9 (Killed)", "ended with status 3". */
const char *child_end_text(const struct child *child);

/* A load in its process. */
struct load_run {
    const struct load *load;
    struct load_shared *shared;
    struct child child;
    struct bench *bench;
};

/* Progress of the parts of a load at a moment. */
struct progress {
    int64_t moment_ns;
    int is_steady; /* the load works at its usual rate */
    unsigned long done[LOAD_PARTS_MAX];
};

/* Starts the process and waits until it is ready; None has no process. */
enum outcome load_run_start(struct load_run *run, struct bench *bench, const struct load *load);

/* Lets the load work, and waits until it is steady, at most 10 s. */
enum outcome load_run_go(struct load_run *run);

/* Returns the progress until now. */
struct progress load_run_progress(const struct load_run *run);

/* Computes the rate of each part per second between two moments, UNKNOWN if it was not steady at the first. */
void load_run_rates(const struct progress *from, const struct progress *to, double rates[LOAD_PARTS_MAX]);

/* Returns OUTCOME_DONE unless the load has ended; then notes why as the error. */
enum outcome load_run_check(struct load_run *run);

/* Waits until that moment while the load works; returns early if any child has ended. */
enum outcome load_run_wait(struct load_run *run, int64_t moment_ns);

/* Ends the load with all its threads and processes. */
void load_run_end(struct load_run *run);

/*
 * Takes the rates of the load; writes its throughput, relative to the load alone, as the mean over its parts.  It is
 * UNKNOWN for a load without parts.  The first call for a load measures it alone.
 */
enum outcome load_relative_throughput(struct bench *bench, const struct load *load, const double rates[LOAD_PARTS_MAX],
                                      double *throughput);

struct stream {
    const struct task *task;
    int number, count;       /* the number of this stream, from 0, and that of all streams of this task */
    struct record *record;   /* in shared memory */
};

/* The streams that run together; in shared memory, except for bench. */
struct stream_set {
    const struct bench *bench;
    int64_t warmup_ns, duration_ns;
    int64_t zero_ns;        /* the moment of frame 0, set before the process may go */
    char why[LOAD_WHY_MAX]; /* why the process has failed */
    int stream_count;
    struct stream streams[];
};

/* The body of the tasks' process; data is the stream_set. */
void streams_body(struct gate *gate, void *data);

/* The tasks that run together, each in copies streams; is_counting_only: without distributions. */
struct run_plan {
    const struct task *const *tasks;
    int task_count, copies;
    int is_counting_only;
    int64_t warmup_ns, duration_ns;
};

/* Tasks in their process. */
struct task_run {
    struct bench *bench;
    struct stream_set *set; /* in shared memory, with all records */
    struct child child;
    size_t size;
};

/* Starts the process and waits until all streams are set up; load_run is the load that is to run at the same time. */
enum outcome task_run_start(struct task_run *run, struct load_run *load_run, const struct run_plan *plan);

/*
 * Runs the tasks to their end, while the load works.  Unless rates is NULL, writes the rates of the load in the time in
 * which frames counted.
 */
enum outcome task_run_measure(struct task_run *run, struct load_run *load_run, double rates[LOAD_PARTS_MAX]);

/* Ends the process, and gives back the memory. */
void task_run_end(struct task_run *run);

/*
 * Measures all cells of the matrix or the mix, in shuffled order, as often as the options say.  Fills in the rows of
 * the report, in the order of the tables; cells without a measurement have no row.
 */
enum outcome measure_cells(struct bench *bench, struct report *report);

/* Searches for the capacity, while Burn runs, by default with a thread for each CPU. */
enum outcome measure_capacity(struct bench *bench, struct capacity *capacity);

#endif
