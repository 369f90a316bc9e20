/* This machine: its other work during a measurement, and what it permits this process. */
#ifndef INTERBENCH_MACHINE_H
#define INTERBENCH_MACHINE_H

#include <stdint.h>

#include "proc.h"

/* /proc/stat at a moment. */
struct snapshot {
    int64_t busy_ticks, steal_ticks, all_ticks; /* of all CPUs; all_ticks 0: not readable */
};

void machine_snapshot(const char *root, struct snapshot *snapshot);

/* Disturbances during a measurement, as fractions; negative: unknown. */
struct disturbance {
    double steal, other_work; /* of the CPU time of all CPUs */
};

/* Returns the disturbances between two snapshots, without the work of this program, which used own_cpu_ns. */
struct disturbance machine_disturbance(const struct snapshot *before, const struct snapshot *after,
                                       int64_t own_cpu_ns);

/* Returns how many CPUs this process may use, at least 1. */
int cpus_count(void);

/* Returns the n-th CPU that may be used, counted from 0, and around after the last; UNKNOWN if it is not known. */
int cpus_at(int n);

/* Returns whether this process may use that CPU. */
int cpus_include(int cpu);

/* Binds the calling thread to one CPU; returns 0, or an errno. */
int cpus_bind(int cpu);

/* Return whether SCHED_FIFO is permitted, and whether that nice value is: each is tried and undone. */
int privilege_fifo(void);
int privilege_nice(int nice);

/* Returns the bytes of memory that control groups leave, cached files not counted as used; -1: no limit. */
int64_t limits_memory_bytes(struct proc_reader *reader);

#endif
