/*
 * What a user does next follows from its state and from what happens to it: an answer, the end of its shell, the moment
 * until which it thinks or waits.
 */
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "crew.h"
#include "events.h"

#define LIMIT_NS          (60 * NS_PER_S)
#define LIMIT_OF_USER_NS  NS_PER_S
#define MEMORY_EACH_NS    (100 * NS_PER_MS)
#define NEVER_NS          INT64_MAX

struct course {
    const struct load_wish *wish;
    struct load *load;
    struct meters_sources *sources;
    struct crew crew;
    int64_t limit_ns, memory_seen_ns;
    int waited_for; /* users that are not there yet: ready at first, then gone */
    int was_stopped;
};

static const struct script_line *line_of(const struct course *course, const struct user *user)
{
    return &course->wish->script->lines[user->place];
}

static void think(const struct course *course, struct user *user, int64_t now_ns)
{
    user->state = USER_THINKING;
    user->due_ns = now_ns + pause_ns(&course->wish->pace, user->number - 1, user->place);
}

static void ask(struct course *course, struct user *user)
{
    int error;

    user->state = USER_WAITING;
    user->asked_ns = monotonic_ns();
    user->due_ns = user->asked_ns + course->limit_ns;
    error = user_feed(user, line_of(course, user));
    if (!error || error == EPIPE) /* a shell that has ended is noticed as such */
        return;
    incident_note(&course->load->incidents, user->number, line_of(course, user), "not written: %s", strerror(error));
    user->state = USER_ENDING;
    user->due_ns = NEVER_NS;
    user_kill(user);
}

static void take_answer(struct course *course, struct user *user, const struct answer *answer, int64_t now_ns)
{
    const struct script_line *line;

    if (user->state == USER_STARTING && answer->line == 0) {
        user->state = USER_READY;
        user->due_ns = NEVER_NS;
        course->waited_for--;
    }
    if (user->state != USER_WAITING || answer->line != line_of(course, user)->number)
        return;
    line = line_of(course, user);
    if (responses_add(&course->load->responses, line->class_index, now_ns - user->asked_ns) != 0)
        incident_note(&course->load->incidents, user->number, line, "its response could not be kept: no memory");
    course->load->lines++;
    if (answer->status != line->status)
        incident_note(&course->load->incidents, user->number, line, "exit status %d instead of %d", answer->status,
                      line->status);
    if (++user->place < course->wish->script->count) {
        think(course, user, now_ns);
        return;
    }
    user->state = USER_LEAVING;
    user->due_ns = now_ns + course->limit_ns;
    user_let_leave(user);
}

static void hear(struct course *course)
{
    struct answer answer;
    int64_t now_ns = monotonic_ns();

    while (crew_hear(&course->crew, &answer)) {
        now_ns = monotonic_ns();
        if (answer.user >= 1 && answer.user <= course->crew.count)
            take_answer(course, &course->crew.users[answer.user - 1], &answer, now_ns);
    }
    if (now_ns - course->memory_seen_ns >= MEMORY_EACH_NS) {
        meters_note_memory(course->sources, &course->load->most);
        course->memory_seen_ns = now_ns;
    }
}

/* A shell has ended, and all that it had answered is heard. */
static void say_farewell(struct course *course, struct user *user)
{
    struct load *load = course->load;

    if (user->rss_most_kb > load->rss_most_kb)
        load->rss_most_kb = user->rss_most_kb;
    if (user->state == USER_LEAVING) {
        load->finished++;
        usage_add(&load->usage_of_finished, &user->usage);
    } else if (user->state != USER_ENDING) {
        incident_note(&load->incidents, user->number, user->state < USER_THINKING ? NULL : line_of(course, user),
                      user->state == USER_THINKING ? "ended before this line: %s" : "ended: %s",
                      ending_in_words(user->wait_status));
    }
    user->state = USER_GONE;
    user->due_ns = NEVER_NS;
    course->waited_for--;
}

/* Longer than this nobody waits. */
static void give_up(const struct course *course, struct user *user)
{
    const int is_leaving = user->state == USER_LEAVING;

    incident_note(&course->load->incidents, user->number, is_leaving ? NULL : line_of(course, user),
                  is_leaving ? "did not end within %g s" : "no answer within %g s",
                  (double)course->limit_ns / NS_PER_S);
    user->state = USER_ENDING;
    user->due_ns = NEVER_NS;
    user_kill(user);
}

/* While this program was stopped, so were its users: what they waited then does not count against them. */
static void wait_anew(struct course *course)
{
    const int64_t due_ns = monotonic_ns() + course->limit_ns;

    for (int i = 0; i < course->crew.count; i++) {
        struct user *user = &course->crew.users[i];

        if (user->state == USER_STARTING || user->state == USER_WAITING || user->state == USER_LEAVING)
            user->due_ns = due_ns;
    }
}

/* Nothing is said of users that were stopped with this program: whoever has started it knows of that. */
static void note_stop(const struct course *course, struct user *user)
{
    user->was_stopped = 0;
    if (!course->was_stopped)
        incident_note(&course->load->incidents, user->number,
                      user->state == USER_WAITING ? line_of(course, user) : NULL, "was stopped");
}

static void look_at_users(struct course *course)
{
    const int64_t now_ns = monotonic_ns(); /* before it is asked: no stop falls between both unseen */

    if (events_was_stopped()) {
        course->was_stopped = 1;
        wait_anew(course);
    }

    for (int i = 0; i < course->crew.count; i++) {
        struct user *user = &course->crew.users[i];

        if (user->was_stopped)
            note_stop(course, user);
        if (user->has_ended && user->state != USER_GONE)
            say_farewell(course, user);
        else if (user->due_ns <= now_ns && user->state == USER_THINKING)
            ask(course, user);
        else if (user->due_ns <= now_ns)
            give_up(course, user);
    }
}

static int64_t next_due(const struct course *course)
{
    int64_t next_ns = NEVER_NS;

    for (int i = 0; i < course->crew.count; i++)
        if (course->crew.users[i].due_ns < next_ns)
            next_ns = course->crew.users[i].due_ns;
    return next_ns;
}

/* Goes on until nobody is waited for any more; returns 0 when a signal came before. */
static int go_on(struct course *course)
{
    while (course->waited_for > 0) {
        if (events_wait(next_due(course), course->crew.answers_fd, crew_reap) == EVENT_SIGNAL)
            return 0;
        hear(course);
        look_at_users(course);
    }
    return 1;
}

static enum load_outcome log_in(struct course *course, char why[WHY_MAX])
{
    const struct load_wish *wish = course->wish;
    const int error = crew_start(&course->crew, wish->users, wish->shell, wish->home);
    const struct incident *first = &course->load->incidents.kept[0];

    if (error) {
        course->load->users = course->crew.count;
        snprintf(why, WHY_MAX, "user %d can't be started: %s", course->crew.count + 1, strerror(error));
        return LOAD_FAILED;
    }
    for (int i = 0; i < course->crew.count; i++)
        course->crew.users[i].due_ns = monotonic_ns() + course->limit_ns;
    course->waited_for = wish->users;
    if (!go_on(course))
        return LOAD_INTERRUPTED;
    if (course->load->incidents.count == 0)
        return LOAD_PLAYED;
    snprintf(why, WHY_MAX, "the shell %s of user %d: %s", wish->shell, first->user, first->what);
    return LOAD_FAILED;
}

static enum load_outcome play(struct course *course)
{
    struct load *load = course->load;
    const struct usage self = usage_of_self();
    const int64_t begin_ns = monotonic_ns();
    struct usage used;
    int is_whole;

    load->before.moment_ns = begin_ns;
    meters_most_begin(&load->most);
    meters_note_memory(course->sources, &load->most);
    meters_read(course->sources, &load->before);
    for (int i = 0; i < course->crew.count; i++)
        think(course, &course->crew.users[i], begin_ns);
    course->waited_for = course->crew.count;
    is_whole = go_on(course);
    load->after.moment_ns = monotonic_ns();
    meters_note_memory(course->sources, &load->most);
    meters_read(course->sources, &load->after);
    load->elapsed_ns = load->after.moment_ns - begin_ns;
    used = usage_of_self();
    used = usage_between(&self, &used);
    load->driver_cpu_s = used.cpu_user_s + used.cpu_system_s;
    return is_whole ? LOAD_PLAYED : LOAD_INTERRUPTED;
}

enum load_outcome load_play(const struct load_wish *wish, struct meters_sources *sources, struct load *load,
                            char why[WHY_MAX])
{
    struct course course = {.wish = wish, .load = load, .sources = sources};
    const struct usage before = usage_of_children();
    struct usage after;
    enum load_outcome outcome;

    *load = (struct load){.users = wish->users};
    responses_begin(&load->responses, wish->script->class_count, (size_t)wish->users * (size_t)wish->script->count);
    course.limit_ns = wish->line_limit_ns ? wish->line_limit_ns : LIMIT_NS + wish->users * LIMIT_OF_USER_NS;
    outcome = log_in(&course, why);
    if (outcome == LOAD_PLAYED)
        outcome = play(&course);
    crew_end(&course.crew); /* waits for what users have left behind, so that it counts */
    after = usage_of_children();
    load->usage = usage_between(&before, &after);
    return outcome;
}

void load_end(struct load *load)
{
    responses_end(&load->responses);
}
