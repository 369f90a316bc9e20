/*
 * units WHAT WORDS...: calls modules of interbench with known numbers, and prints what they say.
 *
 *   calibration SPEED WHAT        calibrates a simulated CPU that does SPEED loops a millisecond and is disturbed
 *   capacity KIND AMOUNT MOST [STREAMS...]   searches a simulated machine in at most MOST trials.  With these STREAMS
 *                                 nothing is on time.  The KIND decides how many percent are, with N streams: line: 100
 *                                 up to AMOUNT, then 100 * AMOUNT / N; cliff: 100 up to AMOUNT, then 0; broken: 100,
 *                                 but from AMOUNT on trials fail
 *   disturbance ROOT ROOT TICKS   the disturbances between two moments of a machine beside own work, as fractions
 *   files MEMORY FREE MOST        the size of files of loads, all in bytes
 *   first|release NUM DEN SPREAD PHASE SEED N...   the first frames at or after moments, or releases of frames
 *   frames POLICY PERIOD DEMAND FRAMES FIRST [WHAT FRAME NS]...   plays frames with a simulated clock, in ns.  FIRST is
 *                                 how many warm up.  WHAT is "stall" if the sleep for that frame takes longer, else
 *                                 "extra": its work does
 *   index VALUE...                the index of the bucket of each value, and its low and high
 *   loops DEMAND LOOPS            the number of loops for a demand, with LOOPS in a millisecond
 *   memory TOTAL AVAILABLE SWAP GROUP ADDRESSES MOST IS_SWAP   the memory of Memload, in bytes
 *   merged SEED COUNT PARTS       the statistics of random values: of all, and merged from parts
 *   room ROOT                     the memory of the machine below ROOT
 *   schedule NAME SEED STREAM COUNT   the schedule of a stream
 *   sleep MOMENT...               sleeps for each time while a timer interrupts: whether it slept that long
 *   tasks [PERCENT PERIOD]        the tasks, with Custom as defined by the two numbers
 *   values ADDED VALUE...         the statistics of the values, with ADDED added to each
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "clock.h"
#include "frames.h"
#include "loads/load.h"
#include "machine.h"
#include "measure/capacity.h"
#include "random.h"
#include "stats.h"
#include "tasks.h"
#include "work.h"

#define BATCHES    21
#define FRAMES_MAX 1000
#define PARTS_MAX  16
#define ZERO_NS    1000003 /* the moment of frame 0 */

static char **words; /* those after WHAT; a null pointer follows */

static long long number(int at)
{
    return atoll(words[at]);
}

/* A CPU whose work takes longer, as words[1] says. */
static struct {
    double now_ns, batch_ns[BATCHES];
    uint64_t burns, loops_most;
} cpu;

static int64_t cpu_ns(void *self)
{
    (void)self;
    if (strcmp(words[1], "stands") == 0)
        return 5;
    return (int64_t)(strcmp(words[1], "backwards") == 0 ? -cpu.now_ns : cpu.now_ns);
}

static void burn_cpu(void *self, uint64_t loops)
{
    const double slowness = strcmp(words[1], "ramp") == 0 ? (cpu.now_ns < 250e6 ? 3 : 1)
                          : strcmp(words[1], "spikes") == 0 ? (cpu.burns % 3 == 0 ? 2 : 1)
                          : strcmp(words[1], "shared") == 0 ? (cpu.burns % 5 < 3 ? 1.5 : 1) : 1;
    const double took_ns = (double)loops / atof(words[0]) * 1e6 * slowness;

    (void)self;
    cpu.now_ns += took_ns;
    cpu.batch_ns[cpu.burns++ % BATCHES] = took_ns;
    if (loops > cpu.loops_most)
        cpu.loops_most = loops;
}

static int is_longer(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void calibration(void)
{
    const struct calibration found = calibrate((struct stopwatch){cpu_ns, burn_cpu, NULL});

    qsort(cpu.batch_ns, BATCHES, sizeof cpu.batch_ns[0], is_longer);
    printf("loops %lld spread %.4f unsteady %d burns %llu most %llu ms %.0f batch_ms %.3f\n",
           (long long)found.loops_per_ms, found.spread, found.is_unsteady, (unsigned long long)cpu.burns,
           (unsigned long long)cpu.loops_most, cpu.now_ns / 1e6, cpu.batch_ns[BATCHES / 2] / 1e6);
}

static double on_time(void *self, int streams)
{
    const double amount = atof(words[1]);

    (void)self;
    for (char **accident = words + 3; *accident; accident++)
        if (atoi(*accident) == streams)
            return 0;
    if (strcmp(words[0], "broken") == 0)
        return streams >= amount ? -1 : 100;
    return streams <= amount ? 100 : strcmp(words[0], "cliff") == 0 ? 0 : 100 * amount / streams;
}

static void capacity(void)
{
    struct capacity found;

    capacity_search(&found, on_time, NULL, (int)number(2));
    printf("%.6f %d %d %d\n", found.fps, found.most_passed, found.least_failed, found.is_limited);
    for (int i = 0; i < found.trial_count; i++)
        printf("%d\n", found.trials[i].streams);
}

static void disturbance(void)
{
    struct snapshot before, after;

    machine_snapshot(words[0], &before);
    machine_snapshot(words[1], &after);
    const struct disturbance between =
        machine_disturbance(&before, &after, number(2) * 1000000000 / sysconf(_SC_CLK_TCK));
    printf("%.4g %.4g\n", between.steal, between.other_work);
}

static void files(void)
{
    printf("%lld\n", (long long)load_file_size(number(0), number(1), number(2)));
}

static struct schedule given_schedule(void)
{
    return (struct schedule){.period_num_ns = number(0), .period_den = number(1), .spread_ns = number(2),
                             .phase_ns = number(3), .seed = strtoull(words[4], NULL, 10)};
}

static void first(void)
{
    const struct schedule schedule = given_schedule();

    for (int i = 5; words[i]; i++)
        printf("%lld\n", (long long)schedule_first_at(&schedule, number(i)));
}

static void release(void)
{
    const struct schedule schedule = given_schedule();

    for (int i = 5; words[i]; i++)
        printf("%lld\n", (long long)schedule_release_ns(&schedule, number(i)));
}

/* A clock that moves when a frame sleeps or works. */
static struct {
    int64_t now, burns, stalls[FRAMES_MAX], extras[FRAMES_MAX];
    int is_wrong;
} player;

static int64_t now_ns(void *self)
{
    (void)self;
    return player.now;
}

static void sleep_until(void *self, int64_t moment_ns)
{
    (void)self;
    if (player.now < moment_ns)
        player.now = moment_ns;
    player.is_wrong |= (moment_ns - ZERO_NS) % number(1) != 0;
    player.now += player.stalls[(moment_ns - ZERO_NS) / number(1)];
}

/* Works on the current frame, which is always the newest one that has been released. */
static void burn_frame(void *self, int64_t demand_ns)
{
    const int64_t frame = (player.now - ZERO_NS) / number(1);

    (void)self;
    player.burns += frame >= number(4);
    player.now += demand_ns + player.extras[frame];
}

static void print_values(const char *name, const struct distribution *distribution)
{
    printf(" %s ", name);
    for (int index = 0; index < HISTOGRAM_BUCKETS; index++)
        for (uint64_t n = 0; n < distribution->histogram.buckets[index]; n++)
            printf("%llu,", (unsigned long long)histogram_low(index));
}

static void frames(void)
{
    static struct tally tally;
    const struct schedule schedule = {.period_num_ns = number(1), .period_den = 1, .demand_ns = number(2)};
    struct frame_run run = {
        .schedule = &schedule, .policy = strcmp(words[0], "skip") == 0 ? POLICY_SKIP : POLICY_CATCH_UP,
        .zero_ns = ZERO_NS, .first = number(4), .end = number(3),
        .clock = {now_ns, sleep_until, NULL}, .work = {burn_frame, NULL},
    };
    const struct distribution *staleness = &tally.staleness;

    for (int i = 5; words[i]; i += 3)
        (*words[i] == 's' ? player.stalls : player.extras)[number(i + 1)] = number(i + 2);
    frames_run(&run, &tally);
    printf("on_time %lld late %lld dropped %lld censored %lld censored_max %lld demand %lld done %lld stalest %lld",
           (long long)tally.on_time, (long long)tally.late, (long long)tally.dropped, (long long)tally.censored,
           (long long)tally.censored_max_ns, (long long)tally.demand_ns, (long long)tally.done_ns,
           (long long)tally_max_staleness_ns(&tally));
    printf(" mean %.3f p50 %lld p90 %lld max %lld burns %lld wrong %d", staleness->moments.mean,
           (long long)distribution_rank(staleness, 500), (long long)distribution_rank(staleness, 900),
           (long long)staleness->moments.max, (long long)player.burns, player.is_wrong);
    print_values("staleness", staleness);
    print_values("wake", &tally.wake);
    putchar('\n');
}

static void bucket(void)
{
    for (char **word = words; *word; word++) {
        const int index = histogram_index(strtoull(*word, NULL, 10));

        printf("%d %llu %llu\n", index, (unsigned long long)histogram_low(index),
               (unsigned long long)histogram_high(index));
    }
}

static void loops(void)
{
    printf("%llu\n", (unsigned long long)loops_of(number(0), number(1)));
}

static void memory(void)
{
    const struct memory_room room = {number(0), number(1), number(2), number(3), number(4)};

    printf("%lld\n", (long long)load_memory_size(&room, number(5), (int)number(6)));
}

static struct distribution whole, parts[PARTS_MAX], all_parts;

static void print_distribution(const struct distribution *distribution)
{
    const struct moments *moments = &distribution->moments;
    const int per_mille[] = {500, 900, 950, 990, 999};

    printf("count %lld max %lld mean %.17g deviation %.17g", (long long)moments->count, (long long)moments->max,
           moments->mean, moments_deviation(moments));
    for (int i = 0; i < 5; i++)
        printf(" rank%d %lld known%d %lld", per_mille[i], (long long)distribution_rank(distribution, per_mille[i]),
               per_mille[i], (long long)distribution_percentile(distribution, per_mille[i]));
    putchar('\n');
}

/* The values have all sizes.  The parts have different sizes; one of them is empty. */
static void merged(void)
{
    const uint64_t seed = (uint64_t)number(0), count = (uint64_t)number(1), part_count = (uint64_t)number(2);

    for (uint64_t i = 0; i < count; i++) {
        const int64_t value = (int64_t)(random_at(seed, i) >> (20 + random_below(40, seed + 1, i)));
        const uint64_t part = random_below(part_count - 1, seed + 2, i);

        distribution_add(&whole, value);
        distribution_add(&parts[random_below(part + 1, seed + 3, i)], value);
    }
    for (uint64_t i = 0; i < part_count; i++)
        distribution_merge(&all_parts, &parts[i]);
    print_distribution(&whole);
    print_distribution(&all_parts);
    puts(memcmp(&whole.histogram, &all_parts.histogram, sizeof whole.histogram) == 0 ? "alike" : "unlike");
}

static void room(void)
{
    const struct memory_room found = memory_room(words[0]);

    printf("%lld|%lld|%lld|%lld\n", (long long)found.total, (long long)found.available, (long long)found.swap,
           (long long)found.group);
}

static void schedule(void)
{
    const struct schedule of = task_schedule(tasks_find(words[0]), (uint64_t)number(1), (int)number(2), (int)number(3));

    printf("spread=%lld phase=%lld seed=%llu demands=", (long long)of.spread_ns, (long long)of.phase_ns,
           (unsigned long long)of.seed);
    for (int i = 0; i < 100; i++)
        printf("%s%lld", i ? "," : "", (long long)schedule_demand_ns(&of, i));
    putchar('\n');
}

static volatile sig_atomic_t alarms;

static void count_alarm(int signal)
{
    (void)signal;
    alarms = alarms + 1;
}

static void sleep_each(void)
{
    const struct sigaction action = {.sa_handler = count_alarm};
    const struct itimerval each_ms = {{0, 1000}, {0, 1000}};
    struct clock clock = clock_monotonic();

    if (sigaction(SIGALRM, &action, NULL) != 0 || setitimer(ITIMER_REAL, &each_ms, NULL) != 0)
        exit(1);
    for (int i = 0; words[i]; i++) {
        const int64_t moment_ns = number(i) + monotonic_ns();

        clock.sleep_until(clock.self, moment_ns);
        puts(clock.now_ns(clock.self) >= moment_ns ? "yes" : "no");
    }
    puts(alarms > 0 ? "interrupted" : "not interrupted");
}

static void tasks(void)
{
    if (words[0])
        tasks_define_custom((int)number(0), number(1));
    for (int i = 0; i < tasks_count(); i++) {
        const struct task *task = tasks_at(i);

        printf("%s %lld/%lld %lld spread=%d varying=%d default=%d real_time=%d mixed=%d\n", task->name,
               (long long)task->period_num_ns, (long long)task->period_den, (long long)task->demand_ns,
               task->spread_percent, task->is_varying, task->is_default, task->is_real_time, task->is_mixed);
    }
}

static void values(void)
{
    for (int i = 1; words[i]; i++)
        distribution_add(&whole, number(0) + number(i));
    print_distribution(&whole);
}

int main(int argc, char **argv)
{
    static const struct { const char *what; int least; void (*print)(void); } units[] = {
        {"calibration", 2, calibration}, {"capacity", 3, capacity}, {"disturbance", 3, disturbance},
        {"files", 3, files}, {"first", 5, first}, {"release", 5, release}, {"frames", 5, frames}, {"index", 0, bucket},
        {"loops", 2, loops}, {"memory", 7, memory}, {"merged", 3, merged}, {"room", 1, room}, {"schedule", 4, schedule},
        {"sleep", 0, sleep_each}, {"tasks", 0, tasks}, {"values", 1, values},
    };

    words = argv + 2;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (argc - 2 >= units[i].least && strcmp(argv[1], units[i].what) == 0) {
            units[i].print();
            return 0;
        }
    return 2;
}
