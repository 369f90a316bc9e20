/*
 * context1 seconds [-p same|apart|A,B] [-l lead]: how fast two processes take turns, in round trips a second.  The
 * parent writes a counter to one pipe, and the child reads it and writes it back through another pipe.  Both check it.
 *
 * The scheduler chooses the CPUs of the two, which changes the score by a factor of 5 to 10; that is part of the test.
 * To explain a score, -p same binds both to one CPU; -p apart binds each to its own, on two cores if possible; -p 0,4
 * binds them to these CPUs.
 *
 * At first, both mostly share a CPU, until the scheduler moves one of them.  With -l, the two take turns for these
 * seconds before the counted ones, so that a short time has the rate of a long one.
 */
#include "ub.h"
#include <sched.h>
#include <sys/wait.h>

#define OUT 1
#define IN 0
#define CPUS_MOST 8192

static const char usage[] = "context1 SECONDS [-p same|apart|A,B] [-l LEAD] | context1 -n LOOPS [-p same|apart|A,B]";

enum placement { FREE, SAME, APART, GIVEN };

static volatile unsigned long loops;
static unsigned long loops_of_lead;
static double counted_s;
static pid_t child;
static int to_child[2], to_parent[2];

/* Fails if the child was stopped or continued: then the two did not take turns all the time. */
static void check_child(void)
{
    int status;

    if (waitpid(child, &status, WNOHANG | WUNTRACED | WCONTINUED) > 0 && (WIFSTOPPED(status) || WIFCONTINUED(status))) {
        kill(child, SIGKILL);
        ub_error(1, "context1: the child was stopped");
    }
}

/*
 * Reports the count and ends the program.  It waits for the child, so that the child's CPU time is added to its own,
 * before it reports what both have used.  A sandbox may refuse to kill the child; then that ends without its pipes.
 */
static void finish(UB_UNUSED int signal)
{
    check_child();
    ub_count_and_time(loops - loops_of_lead, "lps");
    kill(child, SIGKILL);
    close(to_child[OUT]);
    close(to_parent[IN]);
    waitpid(child, NULL, 0);
    ub_report_used();
    _exit(0);
}

/* Begins to count.  The time of the counted round trips is reported, because the process has run for longer. */
static void begin(UB_UNUSED int signal)
{
    const int interrupted = errno;

    loops_of_lead = loops;
    ub_begun_ns = ub_now_ns();
    ub_use_begins();
    ub_timer(counted_s, finish);
    errno = interrupted;
}

#ifdef __linux__
static cpu_set_t allowed[CPUS_MOST / 8 / sizeof(cpu_set_t)];

/* Returns whether two CPUs are threads of one core.  The list in the file has a form like "0,4" or "0-1,8-9". */
static int are_siblings(int cpu, int other)
{
    char path[96];
    FILE *list;
    int first, found = 0;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    list = fopen(path, "r");
    while (list && !found && fscanf(list, "%d", &first) == 1) {
        int last = first;

        if (fscanf(list, "-%d", &last) == EOF)
            last = first;
        found = other >= first && other <= last;
        getc(list);
    }
    if (list)
        fclose(list);
    return found;
}

/* Returns the next allowed CPU after this one: if possible, one of another core.  Fails if there is no other CPU. */
static int other_cpu(int cpu)
{
    const int count = (int)sizeof allowed * 8;
    int second_choice = -1;

    for (int step = 1; step < count; step++) {
        int other = (cpu + step) % count;

        if (!CPU_ISSET_S(other, sizeof allowed, allowed))
            continue;
        if (!are_siblings(cpu, other))
            return other;
        if (second_choice < 0)
            second_choice = other;
    }
    if (second_choice < 0)
        ub_error(1, "context1: -p apart needs two CPUs, and only one can be used here");
    return second_choice;
}

static void bind_to(int cpu)
{
    static cpu_set_t one[sizeof allowed / sizeof(cpu_set_t)];

    CPU_ZERO_S(sizeof one, one);
    CPU_SET_S(cpu, sizeof one, one);
    if (sched_setaffinity(0, sizeof one, one) != 0)
        ub_failed("context1: sched_setaffinity");
}

/* Chooses the CPUs of the two, unless they are given. */
static void choose_cpus(enum placement placement, int cpus[2])
{
    if (placement == GIVEN)
        return;
    if (sched_getaffinity(0, sizeof allowed, allowed) != 0)
        ub_failed("context1: sched_getaffinity");
    cpus[0] = cpus[1] = sched_getcpu();
    if (cpus[0] < 0)
        ub_failed("context1: sched_getcpu");
    if (placement == APART)
        cpus[1] = other_cpu(cpus[0]);
}
#else
static void bind_to(int cpu UB_UNUSED)
{
}

static void choose_cpus(enum placement placement UB_UNUSED, int cpus[2] UB_UNUSED)
{
    ub_error(1, "context1: -p works on Linux only");
}
#endif

/* Runs the child: sends every counter back.  Ends without a message when the parent has ended. */
__attribute__((noreturn))
static void echo(int in, int out)
{
    unsigned long value;

    for (unsigned long expected = 0;; expected++) {
        if (read(in, &value, sizeof value) != sizeof value)
            _exit(0);
        if (value != expected) {
            ub_report_line("ERROR|context1: child: got %lu instead of %lu\n", value, expected);
            _exit(1);
        }
        if (write(out, &value, sizeof value) != sizeof value)
            _exit(0);
    }
}

/* Sends the counter and receives it again.  The end of the lead may interrupt either; then it is tried again. */
static inline void round_trip(int in, int out)
{
    unsigned long value = loops;
    ssize_t got;

    while (write(out, &value, sizeof value) != sizeof value)
        if (errno != EINTR)
            ub_failed("context1: write");
    while ((got = read(in, &value, sizeof value)) != sizeof value)
        if (got >= 0 || errno != EINTR)
            ub_error(1, "context1: read: the child has ended");
    if (value != loops)
        ub_error(1, "context1: parent: got %lu instead of %lu", value, loops);
}

struct options {
    enum placement placement;
    int cpus[2];
    double lead_s;
};

/* Parses two CPUs, such as "0,4"; returns whether the text is that. */
static int are_cpus(const char *text, int cpus[2])
{
    char more;

    return text[strspn(text, "0123456789,")] == '\0' && sscanf(text, "%4d,%4d%c", &cpus[0], &cpus[1], &more) == 2
        && cpus[0] < CPUS_MOST && cpus[1] < CPUS_MOST;
}

static struct options options_of(int argc, char **argv, const struct ub_work *work)
{
    struct options options = {FREE, {0, 0}, 0};

    for (; argc >= 2; argc -= 2, argv += 2) {
        if (strcmp(argv[0], "-p") == 0 && strcmp(argv[1], "same") == 0)
            options.placement = SAME;
        else if (strcmp(argv[0], "-p") == 0 && strcmp(argv[1], "apart") == 0)
            options.placement = APART;
        else if (strcmp(argv[0], "-p") == 0 && are_cpus(argv[1], options.cpus))
            options.placement = GIVEN;
        else if (strcmp(argv[0], "-l") == 0 && work->loops == 0)
            options.lead_s = strcmp(argv[1], "0") == 0 ? 0 : ub_seconds(argv[1], usage);
        else
            ub_error(2, "unexpected argument \"%.40s\"; usage: %s", argv[1], usage);
    }
    if (argc > 0)
        ub_error(2, "unexpected argument \"%.40s\"; usage: %s", argv[0], usage);
    return options;
}

int main(int argc, char **argv)
{
    struct ub_work work = ub_take_work(&argc, &argv, usage);
    const struct options options = options_of(argc, argv, &work);
    const enum placement placement = options.placement;
    int cpus[2] = {options.cpus[0], options.cpus[1]}, status;
    uint64_t start_ns;
    double seconds;

    if (pipe(to_child) != 0 || pipe(to_parent) != 0)
        ub_failed("context1: pipe");
    if (placement != FREE)
        choose_cpus(placement, cpus);
    ub_gate();
    start_ns = ub_now_ns();
    ub_await_children();
    child = fork();
    if (child < 0)
        ub_failed("context1: fork");
    if (placement != FREE)
        bind_to(cpus[child == 0]);
    if (child == 0) {
        close(to_child[OUT]);
        close(to_parent[IN]);
        echo(to_child[IN], to_parent[OUT]);
    }
    close(to_child[IN]);
    close(to_parent[OUT]);
    signal(SIGPIPE, SIG_IGN);

    if (work.loops == 0) {
        counted_s = work.seconds;
        ub_alarm(options.lead_s > 0 ? options.lead_s : counted_s, options.lead_s > 0 ? begin : finish);
        for (;; loops++)
            round_trip(to_parent[IN], to_child[OUT]);
    }
    for (; loops < work.loops; loops++)
        round_trip(to_parent[IN], to_child[OUT]);
    seconds = ub_lasted_s(start_ns);
    check_child();
    close(to_child[OUT]);
    if (waitpid(child, &status, 0) != child || status != 0)
        ub_error(1, "context1: the child failed");
    ub_count(loops, 1, "lps");
    ub_time(seconds);
    return 0;
}
