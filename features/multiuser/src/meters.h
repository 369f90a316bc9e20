/*
 * Meters: the kernel's counters of the machine, and of the control group of this process, between two readings.  A
 * value that the kernel does not report is unknown: negative.
 *
 *     meters_open(&meters, ""); peak = MEMORY_UNKNOWN;
 *     before.moment_ns = now; meters_read(&meters, &before);
 *     ... now and then meters_read_memory(&meters, &peak) ...
 *     after.moment_ns = now; meters_read(&meters, &after);
 *     for (int i = 0; i < meters_count(); i++)
 *         ... meters_name(i), meters_value(i, &before, &after, &peak) ...
 */
#ifndef MULTIUSER_METERS_H
#define MULTIUSER_METERS_H

#include <stdint.h>

#include "proc.h"

/* The files that are read. */
enum meters_file {
    METERS_STAT,
    METERS_VMSTAT,
    METERS_MEMINFO,
    METERS_PRESSURE_CPU,
    METERS_PRESSURE_IO,
    METERS_PRESSURE_MEMORY,
    METERS_GROUPS,           /* /proc/self/cgroup */
    METERS_GROUP_CPU,
    METERS_GROUP_MEMORY_STAT,
    METERS_GROUP_MEMORY,
    METERS_GROUP_PEAK,
    METERS_FILES
};

/* The files, kept open; -1: missing. */
struct meters {
    int fds[METERS_FILES];
    struct proc_reader reader;
};

/* Counters since the start of the machine, or of the group; their differences are reported. */
struct meters_reading {
    int64_t moment_ns; /* set by the caller */
    int64_t machine_user_us, machine_system_us, machine_irq_us, machine_steal_us, machine_idle_us, machine_iowait_us;
    int64_t machine_faults_minor, machine_faults_major, machine_switches, machine_forks, machine_interrupts;
    int64_t machine_pressure_cpu_us, machine_pressure_io_us, machine_pressure_memory_us;
    int64_t group_user_us, group_system_us, group_faults_minor, group_faults_major;
    int64_t group_peak_kb;
};

/* The largest amounts of memory in use that were read. */
struct memory_peak {
    int64_t machine_kb, group_kb;
};

#define MEMORY_UNKNOWN ((struct memory_peak){-1, -1})

/* Opens the files below root; "" is this machine.  The string must live as long as the meters. */
void meters_open(struct meters *meters, const char *root);

/* Reads all counters. */
void meters_read(struct meters *meters, struct meters_reading *reading);

/* Reads the memory in use now, and raises the peak; takes so little time that it can be called ten times a second. */
void meters_read_memory(struct meters *meters, struct memory_peak *peak);

/* Closes the files. */
void meters_close(struct meters *meters);

/*
 * Return the number of values that are reported; the name of each, such as "machine.cpu_user_s"; and the value, in the
 * unit of the name.  A negative value is unknown.
 */
int meters_count(void);
const char *meters_name(int index);
double meters_value(int index, const struct meters_reading *before, const struct meters_reading *after,
                    const struct memory_peak *peak);

#endif
