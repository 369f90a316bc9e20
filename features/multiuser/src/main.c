/*
 * multiuser [options]: users, each with a shell of its own, run a script and think before each line.  The program
 * reports the lines a minute of all users together, the resources that they used, and the response times.  With
 * --find-capacity it reports the largest number of users that are served in time.
 */
#include "ub.h"

#include <limits.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sched.h>
#endif

#include "clock.h"
#include "descriptors.h"
#include "events.h"
#include "guardian.h"
#include "options.h"
#include "report.h"
#include "run.h"

#define OPEN_FILES      (USERS_MAX + 100) /* one file for each user, and a few more */
#define SCRIPT_SIZE_MAX (64L * 1024 * 1024)
#define HOME_PATH_MAX   (HOME_MAX - 100) /* bytes; the rest is for the names of homes */
#define ALONE_RUNS      3
#define START_PER_CPU   8 /* users of the first run of a search */
#define CAPACITY_MAX    1024
#define S_PER_MINUTE    60

static struct options options;
static struct script script;
static struct meters meters;
static const char *own_directory; /* removed at the end; NULL: none */

/* Ends the guardian, and removes this program's directory, in which users may have made files outside their homes. */
static void clean_up(void)
{
    if (own_directory)
        tree_remove(own_directory);
    own_directory = NULL;
    guardian_stop();
}

/* Cleans up, reports an error and ends the program with status 1. */
__attribute__((noreturn))
static void fail(const char *why)
{
    clean_up();
    ub_error(1, "%s", why);
}

/* Cleans up and ends the program by the signal that came, so that the parent sees this signal as the reason. */
__attribute__((noreturn))
static void end_by_signal(void)
{
    const int number = events_signal();

    clean_up();
    signal(number, SIG_DFL);
    events_finish();
    raise(number);
    exit(128 + number);
}

/* Returns the text of the script, with room for one more byte, and its size.  Ends the program if it cannot be read. */
static char *read_script(const char *path, size_t *size)
{
    FILE *file = fopen(path, "re");
    struct stat status;

    if (!file || fstat(fileno(file), &status) != 0)
        ub_error(1, "can't read the script %.100s: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode) || status.st_size > SCRIPT_SIZE_MAX)
        ub_error(1, "%.100s is not a script; use --script with a regular file of at most 64 MB", path);

    char *text = malloc((size_t)status.st_size + 1);

    if (!text)
        ub_error(1, "not enough memory for the script %.100s", path);
    *size = fread(text, 1, (size_t)status.st_size, file);
    if (ferror(file))
        ub_error(1, "can't read the script %.100s: %s", path, strerror(errno));
    fclose(file);
    return text;
}

static void check_paths(void)
{
    static char home[PATH_MAX];

    if (access(options.shell, X_OK) != 0)
        ub_error(1, "can't run the shell %.100s: %s; use another --shell", options.shell, strerror(errno));
    if (!options.home)
        return;
    if (!realpath(options.home, home))
        ub_error(1, "can't use the directory %.100s for the users: %s; use another --home", options.home,
                 strerror(errno));
    if (strlen(home) > HOME_PATH_MAX)
        ub_error(1, "--home has a path of %zu bytes; use one of at most %d", strlen(home), HOME_PATH_MAX);
    options.home = home;
}

/*
 * Waits at the start gate; then makes the directory of the homes, starts the guardian and installs the signal handlers.
 */
static void set_up(void)
{
    ub_gate();
    if (!options.home) {
        options.home = own_directory = homes_make();
        if (!own_directory)
            ub_error(1, "can't make a directory for the users: %s; set TMPDIR, or use --home", strerror(errno));
    }
    files_allow(OPEN_FILES);

    const int error = guardian_start();

    if (error) {
        char why[WHY_MAX];

        snprintf(why, sizeof why, "can't start the guardian, the process that ends the users: %s", strerror(error));
        fail(why);
    }
    events_begin();
    orphans_adopt();
}

/* Makes a run with that many users; their files stay.  Ends the program if the run fails or is interrupted. */
static void make_run(int users, struct run *run)
{
    const struct run_plan plan = {
        .users = users,
        .script = &script,
        .think = options.think,
        .line_limit_ns = (int64_t)(options.line_limit_s * NS_PER_S),
        .shell = options.shell,
        .home = options.home,
    };
    char why[WHY_MAX];
    const enum run_outcome outcome = run_make(&plan, &meters, run, why);

    if (outcome == RUN_DONE)
        return;
    homes_remove(options.home, run->users);
    if (outcome == RUN_FAILED)
        fail(why);
    end_by_signal();
}

/* The sums of all runs except the last one. */
struct earlier {
    int users, finished;
    struct user_errors errors;
};

static void make_earlier_run(int users, struct earlier *earlier)
{
    struct run run;

    make_run(users, &run);
    homes_remove(options.home, users);
    report_summary(&run);
    earlier->users += users;
    earlier->finished += run.finished;
    errors_append(&earlier->errors, &run.errors, users);
    run_end(&run);
}

/* Makes the runs that were asked for, and reports the last one in full. */
static void make_runs(void)
{
    const int last = options.run_count - 1;
    struct earlier earlier = {.users = 0};
    struct run run;

    for (int i = 0; i < last; i++)
        make_earlier_run(options.users[i], &earlier);
    make_run(options.users[last], &run);
    events_finish();
    report_outputs(options.home, run.users);
    homes_remove(options.home, run.users);
    if (events_signal())
        end_by_signal();
    report_summary(&run);
    if (earlier.users > 0)
        report_earlier(earlier.users, earlier.finished);
    errors_append(&earlier.errors, &run.errors, 0);
    report_run(&run, &earlier.errors, &script);
    if (run.lines == 0) {
        const struct user_error *first = &run.errors.kept[0]; /* each user has one */
        char why[WHY_MAX];

        snprintf(why, sizeof why, "no line was answered; user %d: %s", first->user, first->what);
        fail(why);
    }
    report_score((double)run.lines * S_PER_MINUTE * NS_PER_S / (double)run.elapsed_ns, "lpm", run.elapsed_ns);
    run_end(&run);
}

/* Makes a run of the search; ends the program if a line fails, because its response time means nothing. */
static void make_search_run(int users, struct run *run)
{
    make_run(users, run);
    homes_remove(options.home, users);
    if (run->errors.count == 0)
        return;

    const struct user_error *first = &run->errors.kept[0];
    char why[WHY_MAX], place[30] = "";

    if (first->line)
        snprintf(place, sizeof place, ", line %d", first->line->number);
    snprintf(why, sizeof why, "user %d of %d%s: %s", first->user, users, place, first->what);
    run_end(run);
    fail(why);
}

static double p95_s_of(const struct run *run)
{
    return responses_summary(&run->responses, RESPONSES_ALL).p95_s;
}

static int by_p95(const void *one, const void *other)
{
    const double a = p95_s_of(one), b = p95_s_of(other);

    return (a > b) - (a < b);
}

/* Returns the median 95th percentile of several runs with one user. */
static double p95_s_alone(void)
{
    struct run runs[ALONE_RUNS];
    const struct run *median = &runs[ALONE_RUNS / 2];

    for (int i = 0; i < ALONE_RUNS; i++)
        make_search_run(1, &runs[i]);
    qsort(runs, ALONE_RUNS, sizeof *runs, by_p95);
    report_summary(median);

    const double p95_s = p95_s_of(median);

    for (int i = 0; i < ALONE_RUNS; i++)
        run_end(&runs[i]);
    return p95_s;
}

static double p95_s_with(int users)
{
    struct run run;

    make_search_run(users, &run);
    report_summary(&run);

    const double p95_s = p95_s_of(&run);

    run_end(&run);
    return p95_s;
}

static int usable_cpus(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
#endif
    return count > 0 ? (int)count : 1;
}

static void find_capacity(void)
{
    const int64_t begin_ns = monotonic_ns();
    const double alone_p95_s = p95_s_alone();
    struct search search;

    search_begin(&search, START_PER_CPU * usable_cpus(), CAPACITY_MAX, alone_p95_s, options.limit);
    for (int users; (users = search_next(&search)) > 0;)
        search_add(&search, users, p95_s_with(users));
    report_capacity(&search, alone_p95_s, options.limit);
    report_score(search_value(&search), "users", monotonic_ns() - begin_ns);
}

int main(int argc, char **argv)
{
    char why[SCRIPT_WHY_MAX];
    size_t size;

    descriptors_open_standard();
    options_parse(&options, argc, argv);

    char *text = read_script(options.script, &size);

    if (script_parse(&script, text, size, why) != 0)
        ub_error(1, "%.100s: %s", options.script, why);
    if (options.is_capacity)
        script_extract(&script);
    check_paths();
    set_up();
    meters_open(&meters, "");
    if (options.is_capacity)
        find_capacity();
    else
        make_runs();
    meters_close(&meters);
    clean_up();
    script_end(&script);
    free(text);
    return 0;
}
