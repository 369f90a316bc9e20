/*
 * Lets users run the script.  The program sleeps until an answer comes, a shell ends, or a user is due.  The user's
 * state then decides what happens next.
 */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "clock.h"
#include "events.h"

#define LIMIT_NS          (60 * NS_PER_S)
#define LIMIT_PER_USER_NS NS_PER_S
#define MEMORY_EACH_NS    (100 * NS_PER_MS)
#define NEVER_NS          INT64_MAX

/* A run, while it lasts. */
struct run_state {
    const struct run_plan *plan;
    struct run *run;
    struct meters *meters;
    struct users users;
    int64_t limit_ns, memory_read_ns;
    int awaited; /* users that are not ready yet, or later, that are not gone yet */
    int was_stopped;
};

/* Adds an error, in words such as "exit status 1 instead of 0". */
__attribute__((format(printf, 4, 5)))
static void add_error(struct run_state *state, const struct user *user, const struct script_line *line,
                      const char *format, ...)
{
    struct user_errors *errors = &state->run->errors;

    if (errors->count++ >= ERRORS_KEPT)
        return;

    struct user_error *error = &errors->kept[errors->count - 1];
    va_list arguments;

    *error = (struct user_error){.user = user->number, .line = line};
    va_start(arguments, format);
    vsnprintf(error->what, sizeof error->what, format, arguments);
    va_end(arguments);
}

void errors_append(struct user_errors *all, const struct user_errors *more, int run_users)
{
    for (int i = 0; i < more->count; i++, all->count++)
        if (i < ERRORS_KEPT && all->count < ERRORS_KEPT) {
            all->kept[all->count] = more->kept[i];
            all->kept[all->count].run_users = run_users;
        }
}

/* Returns the name of a signal, or NULL.  Signals have the same names in messages of the harness. */
static const char *signal_name(int signal)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {
        {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"},
        {SIGFPE, "SIGFPE"},   {SIGKILL, "SIGKILL"}, {SIGSEGV, "SIGSEGV"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"},
        {SIGTERM, "SIGTERM"}, {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"}, {SIGBUS, "SIGBUS"},   {SIGSYS, "SIGSYS"},
        {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGTRAP, "SIGTRAP"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == signal)
            return names[i].name;
    return NULL;
}

/* Returns why a shell ended: "exit status 2", "killed by SIGKILL". */
static const char *end_in_words(int wait_status)
{
    static char words[40];
    const char *name = WIFSIGNALED(wait_status) ? signal_name(WTERMSIG(wait_status)) : NULL;

    if (name)
        snprintf(words, sizeof words, "killed by %s", name);
    else if (WIFSIGNALED(wait_status))
        snprintf(words, sizeof words, "killed by signal %d", WTERMSIG(wait_status));
    else
        snprintf(words, sizeof words, "exit status %d", WEXITSTATUS(wait_status));
    return words;
}

static const struct script_line *line_of(const struct run_state *state, const struct user *user)
{
    return &state->plan->script->lines[user->place];
}

static void enter(struct user *user, enum user_state state, int64_t due_ns)
{
    user->state = state;
    user->due_ns = due_ns;
}

static void kill_user(struct user *user)
{
    enter(user, USER_KILLED, NEVER_NS);
    user_kill(user);
}

static void think(const struct run_state *state, struct user *user, int64_t now_ns)
{
    enter(user, USER_THINKING, now_ns + think_time_ns(&state->plan->think, user->number - 1, user->place));
}

/*
 * Writes the user's line to the shell.  A shell that has ended (EPIPE) is noticed later; any other error ends the user.
 */
static void write_line(struct run_state *state, struct user *user)
{
    user->asked_ns = monotonic_ns();
    enter(user, USER_WAITING, user->asked_ns + state->limit_ns);

    const int error = user_write(user, line_of(state, user));

    if (!error || error == EPIPE)
        return;
    add_error(state, user, line_of(state, user), "can't be written to the shell: %s", strerror(error));
    kill_user(user);
}

/* Lets a user whose line was answered think about the next one, or log out after the last. */
static void finish_line(struct run_state *state, struct user *user, int64_t now_ns)
{
    if (++user->place < state->plan->script->count) {
        think(state, user, now_ns);
        return;
    }
    enter(user, USER_LEAVING, now_ns + state->limit_ns);
    user_close(user);
}

static void handle_answer(struct run_state *state, struct user *user, const struct answer *answer, int64_t now_ns)
{
    if (user->state == USER_STARTING && answer->line == 0) {
        enter(user, USER_READY, NEVER_NS);
        state->awaited--;
    }
    if (user->state != USER_WAITING || answer->line != line_of(state, user)->number)
        return;

    const struct script_line *line = line_of(state, user);

    if (responses_add(&state->run->responses, line->class_index, now_ns - user->asked_ns) != 0)
        add_error(state, user, line, "not enough memory for its response time");
    state->run->lines++;
    if (answer->status != line->status)
        add_error(state, user, line, "exit status %d instead of %d", answer->status, line->status);
    finish_line(state, user, now_ns);
}

static void read_answers(struct run_state *state)
{
    struct answer answer;
    int64_t now_ns = monotonic_ns();

    while (users_read(&state->users, &answer)) {
        now_ns = monotonic_ns();
        if (answer.user >= 1 && answer.user <= state->users.count)
            handle_answer(state, &state->users.list[answer.user - 1], &answer, now_ns);
    }
    if (now_ns - state->memory_read_ns >= MEMORY_EACH_NS) {
        meters_read_memory(state->meters, &state->run->peak);
        state->memory_read_ns = now_ns;
    }
}

/* Handles the end of a shell, after all its answers were read. */
static void handle_end(struct run_state *state, struct user *user)
{
    struct run *run = state->run;

    if (user->rss_most_kb > run->rss_most_kb)
        run->rss_most_kb = user->rss_most_kb;
    if (user->state == USER_LEAVING) {
        run->finished++;
        usage_add(&run->usage_of_finished, &user->usage, 1);
    } else if (user->state != USER_KILLED) {
        add_error(state, user, user->state < USER_THINKING ? NULL : line_of(state, user),
                  user->state == USER_THINKING ? "ended before this line: %s" : "ended: %s",
                  end_in_words(user->wait_status));
    }
    enter(user, USER_GONE, NEVER_NS);
    state->awaited--;
}

static void end_late_user(struct run_state *state, struct user *user)
{
    const int is_leaving = user->state == USER_LEAVING;

    add_error(state, user, is_leaving ? NULL : line_of(state, user),
              is_leaving ? "did not end within %g s" : "no answer within %g s", (double)state->limit_ns / NS_PER_S);
    kill_user(user);
}

/* Lets the time limits begin again after this program was stopped, because the guardian has stopped the users, too. */
static void extend_limits(struct run_state *state)
{
    const int64_t due_ns = monotonic_ns() + state->limit_ns;

    for (int i = 0; i < state->users.count; i++) {
        struct user *user = &state->users.list[i];

        if (user->state == USER_STARTING || user->state == USER_WAITING || user->state == USER_LEAVING)
            user->due_ns = due_ns;
    }
}

/*
 * Handles the stop of a shell.  It is not an error of the user if this program was stopped, too: the harness notices
 * that itself.
 */
static void handle_stop(struct run_state *state, struct user *user)
{
    user->was_stopped = 0;
    if (!state->was_stopped)
        add_error(state, user, user->state == USER_WAITING ? line_of(state, user) : NULL, "was stopped");
}

static void check_users(struct run_state *state)
{
    const int64_t now_ns = monotonic_ns(); /* read before events_was_stopped(), so that no stop is missed */

    if (events_was_stopped()) {
        state->was_stopped = 1;
        extend_limits(state);
    }
    for (int i = 0; i < state->users.count; i++) {
        struct user *user = &state->users.list[i];

        if (user->was_stopped)
            handle_stop(state, user);
        if (user->has_ended && user->state != USER_GONE)
            handle_end(state, user);
        else if (user->due_ns <= now_ns && user->state == USER_THINKING) {
            if (now_ns - user->due_ns > state->run->late_ns)
                state->run->late_ns = now_ns - user->due_ns;
            write_line(state, user);
        }
        else if (user->due_ns <= now_ns)
            end_late_user(state, user);
    }
}

static int64_t next_due_ns(const struct run_state *state)
{
    int64_t next_ns = NEVER_NS;

    for (int i = 0; i < state->users.count; i++)
        if (state->users.list[i].due_ns < next_ns)
            next_ns = state->users.list[i].due_ns;
    return next_ns;
}

/* Runs until no user is awaited; returns 0 if a signal came before. */
static int wait_for_users(struct run_state *state)
{
    while (state->awaited > 0) {
        if (events_wait(next_due_ns(state), state->users.answers_fd, users_reap) == EVENT_SIGNAL)
            return 0;
        read_answers(state);
        check_users(state);
    }
    return 1;
}

static enum run_outcome log_in(struct run_state *state, char why[WHY_MAX])
{
    const struct run_plan *plan = state->plan;
    struct users *users = &state->users;
    const int error = users_start(users, plan->users, plan->shell, plan->home);

    if (error) {
        state->run->users = users->count;
        snprintf(why, WHY_MAX, "user %d can't be started: %s", users->count + 1, strerror(error));
        return RUN_FAILED;
    }
    for (int i = 0; i < users->count; i++)
        users->list[i].due_ns = monotonic_ns() + state->limit_ns;
    state->awaited = plan->users;
    if (!wait_for_users(state))
        return RUN_INTERRUPTED;
    if (state->run->errors.count == 0)
        return RUN_DONE;

    const struct user_error *first = &state->run->errors.kept[0];

    snprintf(why, WHY_MAX, "the shell %s of user %d: %s", plan->shell, first->user, first->what);
    return RUN_FAILED;
}

static void read_meters(struct run_state *state, struct meters_reading *reading)
{
    meters_read_memory(state->meters, &state->run->peak);
    meters_read(state->meters, reading);
}

static enum run_outcome run_script(struct run_state *state)
{
    struct run *run = state->run;
    const struct usage before = usage_of_self();

    run->before.moment_ns = monotonic_ns();
    run->peak = MEMORY_UNKNOWN;
    read_meters(state, &run->before);
    for (int i = 0; i < state->users.count; i++)
        think(state, &state->users.list[i], run->before.moment_ns);
    state->awaited = state->users.count;

    const int is_whole = wait_for_users(state);

    run->after.moment_ns = monotonic_ns();
    read_meters(state, &run->after);
    run->elapsed_ns = run->after.moment_ns - run->before.moment_ns;

    struct usage used = usage_of_self();

    usage_add(&used, &before, -1);
    run->driver_cpu_s = used.of[USAGE_USER_S] + used.of[USAGE_SYSTEM_S];
    return is_whole ? RUN_DONE : RUN_INTERRUPTED;
}

enum run_outcome run_make(const struct run_plan *plan, struct meters *meters, struct run *run, char why[WHY_MAX])
{
    struct run_state state = {.plan = plan, .run = run, .meters = meters};
    const struct usage before = usage_of_children();

    *run = (struct run){.users = plan->users};
    responses_begin(&run->responses, plan->script->class_count, (size_t)plan->users * (size_t)plan->script->count);
    state.limit_ns = plan->line_limit_ns ? plan->line_limit_ns : LIMIT_NS + plan->users * LIMIT_PER_USER_NS;

    enum run_outcome outcome = log_in(&state, why);

    if (outcome == RUN_DONE)
        outcome = run_script(&state);
    users_end(&state.users); /* waits for orphans, so that their usage counts */
    run->usage = usage_of_children();
    usage_add(&run->usage, &before, -1);
    return outcome;
}

void run_end(struct run *run)
{
    responses_end(&run->responses);
}
