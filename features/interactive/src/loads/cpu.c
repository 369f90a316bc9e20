/* Loads that use CPU time: Burn computes, Ring wakes threads, Video, X and Custom run the frames of a task. */
#include "loads/load.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "clock.h"
#include "frames.h"
#include "tasks.h"
#include "work.h"

static struct {
    struct load_shared *shared;
    int part;
    uint64_t loops; /* of a burst */
    pthread_mutex_t gate;
} burner;

static void *burn(void *argument)
{
    (void)argument;
    pthread_mutex_lock(&burner.gate);
    pthread_mutex_unlock(&burner.gate);
    for (;;) {
        burn_loops(burner.loops);
        load_count(burner.shared, burner.part, 1);
    }
    return NULL;
}

/* The gate is closed until all threads exist, because threads that burn would delay the start of the others. */
static void start_burn(const struct load_setting *setting, struct load_shared *shared, int part)
{
    burner.shared = shared;
    burner.part = part;
    burner.loops = loops_of(NS_PER_MS, setting->loops_per_ms);
    pthread_mutex_init(&burner.gate, NULL);
    pthread_mutex_lock(&burner.gate);
    for (int i = 0; i < load_threads(setting); i++)
        load_thread(shared, burn, NULL);
    pthread_mutex_unlock(&burner.gate);
}

const struct load load_burn = {
    .name = "Burn", .about = "a computing thread for each CPU", .parts = 1,
    .is_mixed = 1, .steady_ms = LOAD_STEADY_MS, .start = start_burn
};

#define HOPS 64 /* counted at once */

/* A thread of the ring, which passes a token on: a hop is a sleep and a wake-up. */
struct node {
    struct load_shared *shared;
    int part;
    sem_t token;
    struct node *next;
};

static void *pass_tokens(void *argument)
{
    struct node *node = argument;

    for (uint64_t hops = 1;; hops++) {
        while (sem_wait(&node->token) != 0 && errno == EINTR)
            continue;
        sem_post(&node->next->token);
        if (hops % HOPS == 0)
            load_count(node->shared, node->part, HOPS);
    }
    return NULL;
}

/* There are two threads for each token. */
static void start_ring(const struct load_setting *setting, struct load_shared *shared, int part)
{
    const int count = 2 * load_threads(setting);
    struct node *nodes = load_allocate(shared, (size_t)count * sizeof *nodes);

    for (int i = 0; i < count; i++) {
        nodes[i].shared = shared;
        nodes[i].part = part;
        nodes[i].next = &nodes[(i + 1) % count];
        if (sem_init(&nodes[i].token, 0, 0) != 0)
            load_fail(shared, "can't create a semaphore: %s", strerror(errno));
    }
    for (int i = 0; i < count; i++)
        load_thread(shared, pass_tokens, &nodes[i]);
    for (int i = 0; i < count; i += 2)
        sem_post(&nodes[i].token);
}

const struct load load_ring = {
    .name = "Ring", .about = "threads in a ring that wake each other", .parts = 1,
    .steady_ms = LOAD_STEADY_MS, .start = start_ring
};

#define STRETCH_NS (3600 * NS_PER_S)

/* A task whose frames run endlessly; only their work is counted. */
struct task_load {
    struct load_shared *shared;
    int part;
    int64_t loops_per_ms;
    struct schedule schedule;
    struct tally tally;
};

static void burn_demand(void *self, int64_t demand_ns)
{
    const struct task_load *load = self;

    burn_loops(loops_of(demand_ns, load->loops_per_ms));
    load_count(load->shared, load->part, (unsigned long)(demand_ns / NS_PER_US));
}

static void run_stretch(struct task_load *load)
{
    const struct frame_run run = {
        .schedule = &load->schedule,
        .policy = POLICY_SKIP,
        .zero_ns = monotonic_ns(),
        .end = schedule_first_at(&load->schedule, STRETCH_NS),
        .clock = clock_monotonic(),
        .work = {burn_demand, load},
    };

    memset(&load->tally, 0, sizeof load->tally);
    load->tally.is_counting_only = 1;
    frames_run(&run, &load->tally);
}

static void *run_task(void *argument)
{
    prctl(PR_SET_TIMERSLACK, 1UL);
    for (;;)
        run_stretch(argument);
    return NULL;
}

static void start_task(const char *name, const struct load_setting *setting, struct load_shared *shared, int part)
{
    struct task_load *load = load_allocate(shared, sizeof *load);

    load->shared = shared;
    load->part = part;
    load->loops_per_ms = setting->loops_per_ms;
    load->schedule = task_schedule(tasks_find(name), setting->seed, 0, 1);
    load_thread(shared, run_task, load);
}

static void start_video(const struct load_setting *setting, struct load_shared *shared, int part)
{
    start_task("Video", setting, shared, part);
}

const struct load load_video = {
    .name = "Video", .about = "the task Video, not measured", .parts = 1,
    .steady_ms = LOAD_STEADY_MS, .start = start_video
};

static void start_x(const struct load_setting *setting, struct load_shared *shared, int part)
{
    start_task("X", setting, shared, part);
}

const struct load load_x = {
    .name = "X", .about = "the task X, not measured", .parts = 1,
    .steady_ms = LOAD_STEADY_MS, .start = start_x
};

static void start_custom(const struct load_setting *setting, struct load_shared *shared, int part)
{
    start_task("Custom", setting, shared, part);
}

static int custom_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    (void)setting;
    if (task_is_periodic(tasks_find("Custom")))
        return 0;
    snprintf(why, LOAD_WHY_MAX, "it is not defined; use -C and -I");
    return 1;
}

const struct load load_custom = {
    .name = "Custom", .about = "the task of -C and -I, not measured", .parts = 1,
    .steady_ms = LOAD_STEADY_MS, .is_impossible = custom_is_impossible, .start = start_custom
};
