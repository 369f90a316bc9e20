/* Video, X and Custom as loads: the task's frames, played for ever, of which only the work that they did is kept. */
#include "load_parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "clock.h"
#include "frames.h"
#include "tasks.h"
#include "work.h"

#define STRETCH_NS (3600 * NS_PER_S)

struct playing_load {
    struct load_board *board;
    int part;
    int64_t loops_per_ms;
    struct schedule schedule;
    struct tally tally;
};

static void burn(void *self, int64_t demand_ns)
{
    const struct playing_load *load = self;

    burn_loops(loops_of(demand_ns, load->loops_per_ms));
    load_count(load->board, load->part, (uint64_t)demand_ns);
}

static void play_stretch(struct playing_load *load)
{
    struct playing playing = {
        .schedule = &load->schedule,
        .policy = POLICY_SKIP,
        .end = schedule_first_at(&load->schedule, STRETCH_NS),
        .clock = clock_monotonic(),
        .work = {burn, load},
    };

    memset(&load->tally, 0, sizeof load->tally);
    load->tally.is_counting_only = 1;
    playing.zero_ns = monotonic_ns();
    frames_play(&playing, &load->tally);
}

static void *play(void *argument)
{
    prctl(PR_SET_TIMERSLACK, 1UL);
    for (;;)
        play_stretch(argument);
    return NULL;
}

static void start_task(const char *name, const struct load_setting *setting, struct load_board *board, int part)
{
    struct playing_load *load = load_allocate(board, sizeof *load);
    const struct task *task = tasks_find(name);

    if (!task)
        load_fail(board, "there is no task %s", name);
    load->board = board;
    load->part = part;
    load->loops_per_ms = setting->loops_per_ms;
    load->schedule = task_schedule(task, setting->seed, 0, 1);
    load_thread(board, play, load);
}

void load_start_video(const struct load_setting *setting, struct load_board *board, int part)
{
    start_task("Video", setting, board, part);
}

void load_start_x(const struct load_setting *setting, struct load_board *board, int part)
{
    start_task("X", setting, board, part);
}

void load_start_custom(const struct load_setting *setting, struct load_board *board, int part)
{
    start_task("Custom", setting, board, part);
}

int load_custom_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    (void)setting;
    if (tasks_find("Custom"))
        return 0;
    snprintf(why, LOAD_WHY_MAX, "what it does is not said; use -C and -I");
    return 1;
}
