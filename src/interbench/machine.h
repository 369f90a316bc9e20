/* What can make a difference to interactivity on this machine, and what else goes on. */
#ifndef INTERBENCH_MACHINE_H
#define INTERBENCH_MACHINE_H

#include <stdint.h>

#define FACTS_MAX       40
#define FACT_VALUE_MAX 160

struct fact {
    const char *name; /* "preemption", "governor", ... */
    char value[FACT_VALUE_MAX];
};

/*
 * Reads kernel release, preemption model, HZ, scheduler (sched_ext, base slice), cpufreq, SMT, CPUs allowed, cgroup's
 * cpuset and cpu.max, autogroup, RT runtime, clocksource, timer slack, load average, THP, swap, file system of the
 * directory and hypervisor from below root ("" is the real one); what can't be read is left out.  Returns how many
 * there are.
 */
int machine_facts(const char *root, const char *directory, struct fact facts[FACTS_MAX]);

/* A look at /proc/stat and /proc/pressure. */
struct look {
    int64_t moment_ns;
    int64_t busy_ticks, steal_ticks, all_ticks; /* of all CPUs; all_ticks 0: not readable */
    int64_t pressure_us[3];                     /* cpu, io, memory "some" totals, or UNKNOWN */
};

void machine_look(const char *root, int64_t moment_ns, struct look *look);

struct disturbance;

/* What went on between two looks, beside so much CPU time of our own. */
void machine_disturbance(const struct look *before, const struct look *after, int64_t own_cpu_ns,
                         struct disturbance *disturbance);

#endif
