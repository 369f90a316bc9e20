/*
 * What the machine, and the control group that this process is in, say at a moment, and what went on between two
 * moments.  What a system does not tell is unknown: negative.
 *
 *     meters_open(&sources, "");
 *     before.moment_ns = now; meters_read(&sources, &before); meters_most_begin(&most);
 *     ... now and then meters_note_memory(&sources, &most) ...
 *     after.moment_ns = now; meters_read(&sources, &after);
 *     for (int i = 0; i < meters_count(); i++)
 *         value = meters_value(i, &before, &after, &most);     (print meters_name(i) and value unless negative)
 */
#ifndef MULTIUSER_METERS_H
#define MULTIUSER_METERS_H

#include <stddef.h>
#include <stdint.h>

#include "meters_file.h"

/* Numbers since the start of the machine, or of the group; moments apart, they count. */
struct meters_look {
    int64_t moment_ns; /* the caller's affair */
    int64_t machine_user_us, machine_system_us, machine_irq_us, machine_steal_us, machine_idle_us, machine_iowait_us;
    int64_t machine_faults_minor, machine_faults_major, machine_switches, machine_forks, machine_interrupts;
    int64_t machine_pressure_cpu_us, machine_pressure_io_us, machine_pressure_memory_us;
    int64_t group_user_us, group_system_us, group_faults_minor, group_faults_major;
    int64_t group_peak_kb;
};

/* The most memory that was in use at a moment at which it was looked at. */
struct meters_most {
    int64_t machine_kb, group_kb;
};

/* Opens what there is below root: proc and sys/fs/cgroup; "" for this machine.  Files that are absent are unknown. */
void meters_open(struct meters_sources *sources, const char *root);

/* Fills in look, but for its moment. */
void meters_read(struct meters_sources *sources, struct meters_look *look);

/* Nothing was seen yet. */
void meters_most_begin(struct meters_most *most);

/* Looks at the memory in use now; cheap enough for ten times a second. */
void meters_note_memory(struct meters_sources *sources, struct meters_most *most);

/* Closes the files. */
void meters_close(struct meters_sources *sources);

/* What is reported: names such as "machine.cpu_user_s", and values in the unit of the name; negative: unknown. */
int meters_count(void);
const char *meters_name(int index);
double meters_value(int index, const struct meters_look *before, const struct meters_look *after,
                    const struct meters_most *most);

#endif
