/* Runs a load in a process of its own, alone or during a measurement, and watches its progress. */
#include "measure/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "events.h"
#include "machine.h"

#define READY_NS  (10 * NS_PER_S)
#define STEADY_NS (10 * NS_PER_S)
#define CHECK_NS  (20 * NS_PER_MS) /* between two checks whether the load is steady */

static void silence(void)
{
    const int nowhere = open("/dev/null", O_RDWR);

    for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(nowhere, fd);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
}

/* Makes the kernel kill the load first when memory runs out. */
static void prefer_for_oom(void)
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    const ssize_t written = file < 0 ? -1 : write(file, "1000", 4);

    (void)written; /* without it the kernel chooses by size alone */
    if (file >= 0)
        close(file);
}

/* Sets the nice value and the CPU of the process. */
static void place_process(const struct load_run *run)
{
    const struct bench *bench = run->bench;
    int error;

    if (bench->options->load_nice != 0 && setpriority(PRIO_PROCESS, 0, bench->options->load_nice) != 0)
        load_fail(run->shared, "can't set nice %d: %s", bench->options->load_nice, strerror(errno));
    if (bench->pin_cpu != UNKNOWN && (error = cpus_bind(bench->pin_cpu)) != 0)
        load_fail(run->shared, "can't bind to CPU %d: %s", bench->pin_cpu, strerror(error));
}

static void load_body(struct gate *gate, void *data)
{
    const struct load_run *run = data;
    const struct load *load = run->load;
    const struct load_setting *setting = &run->bench->setting;

    silence();
    prefer_for_oom();
    place_process(run);
    if (load->set_up)
        load->set_up(setting, run->shared);
    gate_wait(gate);
    load->start(setting, run->shared, 0);
    for (;;)
        pause();
}

enum outcome load_run_check(struct load_run *run)
{
    const struct load *load = run->load;

    if (!run->child.has_ended)
        return OUTCOME_DONE;
    if (run->shared->why[0])
        return bench_error(run->bench, OUTCOME_FAILED, "load %s: %.*s", load->name, LOAD_WHY_MAX, run->shared->why);
    return bench_error(run->bench, OUTCOME_FAILED, "load %s: its process %s", load->name, child_end_text(&run->child));
}

enum outcome load_run_start(struct load_run *run, struct bench *bench, const struct load *load)
{
    *run = (struct load_run){.load = load, .bench = bench};
    run->shared = shared_memory(bench, sizeof *run->shared);
    if (!run->shared)
        return OUTCOME_NO_ROOM;
    if (!load->start)
        return OUTCOME_DONE;

    const int error = child_start(&run->child, "interbench-load", load_body, run);

    if (error != 0)
        return bench_error(bench, OUTCOME_FAILED, "load %s: can't start a process: %s", load->name, strerror(error));
    switch (child_await_ready(&run->child, monotonic_ns() + READY_NS)) {
    case EVENT_INPUT:
        return OUTCOME_DONE;
    case EVENT_SIGNAL:
        return OUTCOME_INTERRUPTED;
    case EVENT_ENDED:
        return load_run_check(run);
    default:
        return bench_error(bench, OUTCOME_TIMED_OUT, "load %s was not ready within 10 s; stop other programs",
                           load->name);
    }
}

enum outcome load_run_wait(struct load_run *run, int64_t moment_ns)
{
    switch (events_wait(moment_ns, -1, child_reap)) {
    case EVENT_SIGNAL:
        return OUTCOME_INTERRUPTED;
    case EVENT_ENDED:
        return load_run_check(run);
    default:
        return OUTCOME_DONE;
    }
}

static int is_steady(const struct load_run *run, int64_t start_ns)
{
    const int steady_ms = run->load->steady_ms;

    return steady_ms > 0 ? monotonic_ns() - start_ns >= steady_ms * NS_PER_MS : run->shared->is_steady;
}

enum outcome load_run_go(struct load_run *run)
{
    const int64_t start_ns = monotonic_ns();

    if (run->child.pid == 0)
        return OUTCOME_DONE;
    child_go(&run->child);
    while (!is_steady(run, start_ns) && monotonic_ns() - start_ns < STEADY_NS)
        switch (events_wait(monotonic_ns() + CHECK_NS, -1, child_reap)) {
        case EVENT_SIGNAL:
            return OUTCOME_INTERRUPTED;
        case EVENT_ENDED:
            return load_run_check(run); /* DONE if the tasks have ended, and not the load */
        default:
            break;
        }
    return OUTCOME_DONE;
}

struct progress load_run_progress(const struct load_run *run)
{
    struct progress progress = {.moment_ns = monotonic_ns()};

    progress.is_steady = run->load->steady_ms > 0 || run->shared->is_steady;
    for (int i = 0; i < LOAD_PARTS_MAX; i++)
        progress.done[i] = run->shared->done[i];
    return progress;
}

void load_run_rates(const struct progress *from, const struct progress *to, double rates[LOAD_PARTS_MAX])
{
    const double seconds = (double)(to->moment_ns - from->moment_ns) / NS_PER_S;

    for (int i = 0; i < LOAD_PARTS_MAX; i++)
        rates[i] = from->is_steady && seconds > 0 ? (double)(to->done[i] - from->done[i]) / seconds : UNKNOWN;
}

void load_run_end(struct load_run *run)
{
    child_end(&run->child);
    if (run->shared)
        munmap(run->shared, sizeof *run->shared);
    run->shared = NULL;
}

#define ALONE_LEAST_NS (3 * NS_PER_S)

/* The rates of each load alone, once they are measured. */
static struct {
    int is_known;
    double rates[LOAD_PARTS_MAX];
} alone[LOADS_MAX];

static int index_of(const struct load *load)
{
    int index = 0;

    while (loads_at(index) != load)
        index++;
    return index;
}

/* Returns how long a load is measured alone: a third of a cell's time, at least 3 s, but never longer than a cell. */
static int64_t alone_duration_ns(const struct options *options)
{
    return least(greatest(options->duration_ns / 3, ALONE_LEAST_NS), options->duration_ns);
}

static enum outcome work_alone(struct load_run *run, double rates[LOAD_PARTS_MAX])
{
    const struct options *options = run->bench->options;
    enum outcome outcome = load_run_go(run);

    if (outcome == OUTCOME_DONE)
        outcome = load_run_wait(run, monotonic_ns() + options->warmup_ns);

    const struct progress from = load_run_progress(run);

    if (outcome == OUTCOME_DONE)
        outcome = load_run_wait(run, from.moment_ns + alone_duration_ns(options));

    const struct progress to = load_run_progress(run);

    load_run_rates(&from, &to, rates);
    return outcome;
}

static enum outcome measure_alone(struct bench *bench, const struct load *load, double rates[LOAD_PARTS_MAX])
{
    struct load_run run;
    enum outcome outcome;

    do {
        events_was_stopped();
        outcome = load_run_start(&run, bench, load);
        if (outcome == OUTCOME_DONE)
            outcome = work_alone(&run, rates);
        load_run_end(&run);
    } while (outcome_is_void(outcome));
    return outcome;
}

enum outcome load_relative_throughput(struct bench *bench, const struct load *load, const double rates[LOAD_PARTS_MAX],
                                      double *throughput)
{
    const int index = index_of(load), parts = load->parts;
    double sum = 0;

    *throughput = UNKNOWN;
    if (parts == 0)
        return OUTCOME_DONE;
    if (!alone[index].is_known) {
        const enum outcome outcome = measure_alone(bench, load, alone[index].rates);

        if (outcome != OUTCOME_DONE)
            return outcome;
        alone[index].is_known = 1;
    }
    for (int i = 0; i < parts; i++) {
        if (alone[index].rates[i] <= 0 || rates[i] < 0)
            return OUTCOME_DONE;
        sum += rates[i] / alone[index].rates[i];
    }
    *throughput = sum / parts;
    return OUTCOME_DONE;
}
