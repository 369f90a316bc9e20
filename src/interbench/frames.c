/* The frames of one stream, played by a policy, and their books. */
#include "frames.h"

#include <assert.h>

#include "extremes.h"

struct player {
    const struct playing *playing;
    struct tally *tally;
    int64_t first_waiting; /* the first frame that counts and has no staleness yet */
};

/* Moments are relative to frame 0's from here on. */
static int64_t now_ns(const struct playing *playing)
{
    return playing->clock.now_ns(playing->clock.self) - playing->zero_ns;
}

static void sleep_until(const struct playing *playing, int64_t moment_ns)
{
    playing->clock.sleep_until(playing->clock.self, playing->zero_ns + moment_ns);
}

static void list_frame(const struct playing *playing, struct frame frame)
{
    struct frame_list *list = playing->list;

    if (!list || list->count >= list->room)
        return;
    frame.release_ns = schedule_release_ns(playing->schedule, frame.number);
    list->frames[list->count++] = frame;
}

/* Frames from .. to - 1 are never executed. */
static void drop_frames(struct player *player, int64_t from, int64_t to)
{
    const struct playing *playing = player->playing;

    to = least(to, playing->end);
    for (int64_t k = greatest(from, playing->first); k < to; k++) {
        player->tally->dropped++;
        player->tally->demand_ns += schedule_demand_ns(playing->schedule, k);
        list_frame(playing, (struct frame){k, 0, UNKNOWN, UNKNOWN, FRAME_DROPPED});
    }
}

/* The end of frame k is what it and the dropped ones before it have waited for. */
static void enter_times(struct player *player, int64_t k, int64_t start_ns, int64_t end_ns)
{
    const struct schedule *schedule = player->playing->schedule;
    const int64_t release_ns = schedule_release_ns(schedule, k);
    struct tally *tally = player->tally;

    distribution_add(&tally->wake, start_ns - release_ns);
    distribution_add(&tally->response, end_ns - release_ns);
    for (int64_t waiting = player->first_waiting; waiting <= k; waiting++)
        distribution_add(&tally->staleness, end_ns - schedule_release_ns(schedule, waiting));
}

static void enter_executed(struct player *player, int64_t k, int64_t start_ns, int64_t end_ns)
{
    const struct playing *playing = player->playing;
    const int64_t demand_ns = schedule_demand_ns(playing->schedule, k);
    const int is_late = end_ns > schedule_deadline_ns(playing->schedule, k);
    struct tally *tally = player->tally;

    tally->late += is_late;
    tally->on_time += !is_late;
    tally->demand_ns += demand_ns;
    tally->done_ns += demand_ns;
    if (!tally->is_counting_only)
        enter_times(player, k, start_ns, end_ns);
    player->first_waiting = k + 1;
    list_frame(playing, (struct frame){k, 0, start_ns, end_ns, is_late ? FRAME_LATE : FRAME_ON_TIME});
}

/* Returns the moment of its end. */
static int64_t execute(struct player *player, int64_t k, int64_t start_ns)
{
    const struct playing *playing = player->playing;
    const int is_counted = k >= playing->first;
    int64_t end_ns;

    if (is_counted && playing->before)
        playing->before(playing->self);
    playing->work.burn(playing->work.self, schedule_demand_ns(playing->schedule, k));
    end_ns = now_ns(playing);
    if (is_counted)
        enter_executed(player, k, start_ns, end_ns);
    return end_ns;
}

/* The frame to turn to, for one that woke for frame k: k itself, unless its deadline has come. */
static int64_t frame_due(const struct playing *playing, int64_t k, int64_t start_ns)
{
    if (start_ns < schedule_deadline_ns(playing->schedule, k))
        return k;
    if (playing->policy == POLICY_SKIP)
        return schedule_first_at(playing->schedule, start_ns);
    return schedule_first_at(playing->schedule, start_ns + 1) - 1;
}

/* The frame to turn to behind frame k. */
static int64_t frame_behind(const struct playing *playing, int64_t k, int64_t end_ns)
{
    if (playing->policy == POLICY_CATCH_UP || end_ns <= schedule_deadline_ns(playing->schedule, k))
        return k + 1;
    return schedule_first_at(playing->schedule, end_ns);
}

/* Sleeps until frame k and plays it, or what has taken its place; returns the frame to turn to. */
static int64_t play_frame(struct player *player, int64_t k)
{
    const struct playing *playing = player->playing;
    int64_t start_ns, due, behind;

    sleep_until(playing, schedule_release_ns(playing->schedule, k));
    start_ns = now_ns(playing);
    due = frame_due(playing, k, start_ns);
    drop_frames(player, k, due);
    if (due >= playing->end || (due > k && playing->policy == POLICY_SKIP))
        return due;
    behind = frame_behind(playing, due, execute(player, due, start_ns));
    drop_frames(player, due + 1, behind);
    return behind;
}

static void enter_censored(struct player *player)
{
    const struct playing *playing = player->playing;
    struct tally *tally = player->tally;

    tally->censored = greatest(playing->end - player->first_waiting, 0);
    tally->censored_max_ns = UNKNOWN;
    if (tally->censored > 0)
        tally->censored_max_ns = now_ns(playing) - schedule_release_ns(playing->schedule, player->first_waiting);
}

void frames_play(const struct playing *playing, struct tally *tally)
{
    struct player player = {.playing = playing, .tally = tally, .first_waiting = playing->first};

    tally->frames = greatest(playing->end - playing->first, 0);
    for (int64_t k = 0; k < playing->end;)
        k = play_frame(&player, k);
    enter_censored(&player);
    assert(tally->on_time + tally->late + tally->dropped == tally->frames);
}

static int64_t censored_max_ns(const struct tally *tally)
{
    return tally->censored > 0 ? tally->censored_max_ns : UNKNOWN;
}

void tally_merge(struct tally *into, const struct tally *from)
{
    into->censored_max_ns = greatest(censored_max_ns(into), censored_max_ns(from));
    into->frames += from->frames;
    into->on_time += from->on_time;
    into->late += from->late;
    into->dropped += from->dropped;
    into->censored += from->censored;
    into->demand_ns += from->demand_ns;
    into->done_ns += from->done_ns;
    distribution_merge(&into->wake, &from->wake);
    distribution_merge(&into->response, &from->response);
    distribution_merge(&into->staleness, &from->staleness);
}

int64_t tally_stalest_ns(const struct tally *tally)
{
    const struct moments *staleness = &tally->staleness.moments;

    return greatest(staleness->count > 0 ? staleness->max : UNKNOWN, censored_max_ns(tally));
}
