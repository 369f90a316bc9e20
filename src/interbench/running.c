/* A load's process is the first that the kernel is to end when memory is short. */
#include "running.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "cpus.h"

#define READY_NS  (10 * NS_PER_S)
#define STEADY_NS (10 * NS_PER_S)
#define LOOK_NS   (20 * NS_PER_MS) /* how often it looks whether the load is steady */

/* What a load prints is nobody's. */
static void silence(void)
{
    const int nowhere = open("/dev/null", O_RDWR);

    for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(nowhere, fd);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
}

static void be_first_to_go(void)
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    const ssize_t written = file < 0 ? -1 : write(file, "1000", 4);

    (void)written; /* without it the kernel chooses by size alone */
    if (file >= 0)
        close(file);
}

static void take_place(const struct running *running)
{
    const struct bench *bench = running->bench;
    int error;

    if (bench->options->load_nice != 0 && setpriority(PRIO_PROCESS, 0, bench->options->load_nice) != 0)
        load_fail(running->board, "cannot set nice %d: %s", bench->options->load_nice, strerror(errno));
    if (bench->pin_cpu != UNKNOWN && (error = cpus_bind(bench->pin_cpu)) != 0)
        load_fail(running->board, "cannot bind to CPU %d: %s", bench->pin_cpu, strerror(error));
}

static void body(struct gate *gate, void *data)
{
    const struct running *running = data;
    const struct load *load = running->load;
    const struct load_setting *setting = &running->bench->setting;

    silence();
    be_first_to_go();
    take_place(running);
    if (load->set_up)
        load->set_up(setting, running->board);
    gate_wait(gate);
    load->start(setting, running->board, 0);
    for (;;)
        pause();
}

enum outcome running_check(struct running *running)
{
    const struct load *load = running->load;

    if (!running->child.has_ended)
        return OUTCOME_DONE;
    if (running->board->why[0])
        return bench_trouble(running->bench, OUTCOME_FAILED, "load %s: %.*s", load->name, LOAD_WHY_MAX,
                             running->board->why);
    return bench_trouble(running->bench, OUTCOME_FAILED, "load %s: its process %s", load->name,
                         child_fate(&running->child));
}

enum outcome running_begin(struct running *running, struct bench *bench, const struct load *load)
{
    int error;

    *running = (struct running){.load = load, .bench = bench};
    running->board = shared_memory(bench, sizeof *running->board);
    if (!running->board)
        return OUTCOME_NO_ROOM;
    if (!load->start)
        return OUTCOME_DONE;
    error = child_start(&running->child, "interbench-load", bench->options->is_separate, body, running);
    if (error != 0)
        return bench_trouble(bench, OUTCOME_FAILED, "load %s: cannot start a process: %s", load->name,
                             strerror(error));
    switch (child_await_ready(&running->child, monotonic_ns() + READY_NS)) {
    case EVENT_INPUT:
        return OUTCOME_DONE;
    case EVENT_SIGNAL:
        return OUTCOME_INTERRUPTED;
    case EVENT_ENDED:
        return running_check(running);
    default:
        return bench_trouble(bench, OUTCOME_TIMED_OUT, "load %s was not ready after 10 s", load->name);
    }
}

enum outcome running_wait(struct running *running, int64_t moment_ns)
{
    switch (events_wait(moment_ns, -1, child_reap)) {
    case EVENT_SIGNAL:
        return OUTCOME_INTERRUPTED;
    case EVENT_ENDED:
        return running_check(running);
    default:
        return OUTCOME_DONE;
    }
}

static int is_steady(const struct running *running, int64_t start_ns)
{
    const int steady_ms = running->load->steady_ms;

    return steady_ms > 0 ? monotonic_ns() - start_ns >= steady_ms * NS_PER_MS
                         : atomic_load(&running->board->is_steady);
}

enum outcome running_go(struct running *running)
{
    const int64_t start_ns = monotonic_ns();

    if (running->child.pid == 0)
        return OUTCOME_DONE;
    child_go(&running->child);
    while (!is_steady(running, start_ns) && monotonic_ns() - start_ns < STEADY_NS)
        switch (events_wait(monotonic_ns() + LOOK_NS, -1, child_reap)) {
        case EVENT_SIGNAL:
            return OUTCOME_INTERRUPTED;
        case EVENT_ENDED:
            return running_check(running); /* only a task that has ended too is none of the load's business */
        default:
            break;
        }
    return OUTCOME_DONE;
}

struct progress running_progress(const struct running *running)
{
    struct progress progress = {.moment_ns = monotonic_ns()};

    progress.is_steady = running->load->steady_ms > 0 || atomic_load(&running->board->is_steady);
    for (int i = 0; i < LOAD_PARTS_MAX; i++)
        progress.done[i] = atomic_load(&running->board->done[i]);
    return progress;
}

void running_rates(const struct progress *from, const struct progress *to, double rates[LOAD_PARTS_MAX])
{
    const double seconds = (double)(to->moment_ns - from->moment_ns) / NS_PER_S;

    for (int i = 0; i < LOAD_PARTS_MAX; i++)
        rates[i] = from->is_steady && seconds > 0 ? (double)(to->done[i] - from->done[i]) / seconds : UNKNOWN;
}

void running_end(struct running *running)
{
    child_end(&running->child);
    if (running->board)
        shared_memory_free(running->board, sizeof *running->board);
    running->board = NULL;
}
