/* What /proc says of the machine. */
#include "meters_machine.h"

#include <limits.h>
#include <stdio.h>

#include "meters_units.h"

/* The columns of /proc/stat; guests' time is a part of user's. */
enum column { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMNS };

void meters_machine_open(struct meters_sources *sources, const char *root)
{
    static const char *const names[] = {
        [METERS_STAT] = "stat", [METERS_VMSTAT] = "vmstat", [METERS_MEMINFO] = "meminfo",
        [METERS_PRESSURE_CPU] = "pressure/cpu", [METERS_PRESSURE_IO] = "pressure/io",
        [METERS_PRESSURE_MEMORY] = "pressure/memory",
    };
    char path[PATH_MAX];

    for (int file = METERS_STAT; file <= METERS_PRESSURE_MEMORY; file++)
        if (snprintf(path, sizeof path, "%s/proc/%s", root, names[file]) < (int)sizeof path)
            meters_file_open(sources, (enum meters_files)file, path);
}

/* Where all columns are 0, nobody counts. */
static int is_counted(const int64_t ticks[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++)
        if (ticks[i] > 0)
            return 1;
    return 0;
}

static void read_ticks(const char *text, int64_t ticks[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++)
        ticks[i] = proc_number(text, "cpu", i);
    if (!is_counted(ticks))
        for (int i = 0; i < COLUMNS; i++)
            ticks[i] = -1;
}

static void read_times(const char *text, struct meters_look *look)
{
    int64_t ticks[COLUMNS];

    read_ticks(text, ticks);
    look->machine_user_us = meters_ticks_us(meters_sum(ticks[USER], ticks[NICE]));
    look->machine_system_us = meters_ticks_us(ticks[SYSTEM]);
    look->machine_irq_us = meters_ticks_us(meters_sum(ticks[IRQ], ticks[SOFTIRQ]));
    look->machine_steal_us = meters_ticks_us(ticks[STEAL]);
    look->machine_idle_us = meters_ticks_us(ticks[IDLE]);
    look->machine_iowait_us = meters_ticks_us(ticks[IOWAIT]);
}

static void read_faults(const char *text, struct meters_look *look)
{
    const int64_t faults = meters_counted(proc_number(text, "pgfault", 0));

    look->machine_faults_major = proc_number(text, "pgmajfault", 0);
    look->machine_faults_minor = meters_rest(faults, look->machine_faults_major);
}

static int64_t pressure_us(struct meters_sources *sources, enum meters_files file)
{
    return proc_field(meters_file_text(sources, file), "some", "total=");
}

void meters_machine_read(struct meters_sources *sources, struct meters_look *look)
{
    const char *text = meters_file_text(sources, METERS_STAT);

    read_times(text, look);
    look->machine_switches = meters_counted(proc_number(text, "ctxt", 0));
    look->machine_forks = meters_counted(proc_number(text, "processes", 0));
    look->machine_interrupts = meters_counted(proc_number(text, "intr", 0));
    read_faults(meters_file_text(sources, METERS_VMSTAT), look);
    look->machine_pressure_cpu_us = pressure_us(sources, METERS_PRESSURE_CPU);
    look->machine_pressure_io_us = pressure_us(sources, METERS_PRESSURE_IO);
    look->machine_pressure_memory_us = pressure_us(sources, METERS_PRESSURE_MEMORY);
}

/* Kernels before 3.14 do not say what is available: about what is free or holds files. */
static int64_t available_kb(const char *text)
{
    const int64_t available = proc_number(text, "MemAvailable:", 0);
    const int64_t files = meters_sum(proc_number(text, "Buffers:", 0), proc_number(text, "Cached:", 0));

    return available >= 0 ? available : meters_sum(proc_number(text, "MemFree:", 0), files);
}

int64_t meters_machine_memory_kb(struct meters_sources *sources)
{
    const char *text = meters_file_text(sources, METERS_MEMINFO);

    return meters_rest(proc_number(text, "MemTotal:", 0), available_kb(text));
}
