/* Reads the kernel's own counts of a thread: schedstat's second number is the time it waited to run. */
#include "meter.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"

static int64_t run_delay(const struct meter *meter)
{
    char line[96];
    ssize_t length;
    long long on_cpu_ns, waited_ns;

    if (meter->schedstat < 0 || (length = pread(meter->schedstat, line, sizeof line - 1, 0)) <= 0)
        return UNKNOWN;
    line[length] = '\0';
    return sscanf(line, "%lld %lld", &on_cpu_ns, &waited_ns) == 2 ? waited_ns : UNKNOWN;
}

static void switches(int64_t *voluntary, int64_t *involuntary)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    *voluntary = usage.ru_nvcsw;
    *involuntary = usage.ru_nivcsw;
}

void meter_begin(struct meter *meter, struct record *record)
{
    *meter = (struct meter){.record = record, .cpu = UNKNOWN};
    meter->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    record->run_delay_ns = UNKNOWN;
}

static void start(struct meter *meter)
{
    meter->has_started = 1;
    meter->run_delay_ns = run_delay(meter);
    switches(&meter->voluntary, &meter->involuntary);
    meter->cpu_ns = thread_cpu_ns();
}

void meter_frame(struct meter *meter)
{
    const int cpu = sched_getcpu();

    if (!meter->has_started)
        start(meter);
    if (meter->cpu != UNKNOWN && cpu != meter->cpu)
        meter->record->migrations++;
    meter->cpu = cpu;
}

void meter_finish(struct meter *meter)
{
    int64_t voluntary, involuntary;

    if (meter->has_started) {
        const int64_t delay_ns = run_delay(meter);

        meter->record->cpu_ns = thread_cpu_ns() - meter->cpu_ns;
        switches(&voluntary, &involuntary);
        meter->record->voluntary_switches = voluntary - meter->voluntary;
        meter->record->involuntary_switches = involuntary - meter->involuntary;
        if (delay_ns != UNKNOWN && meter->run_delay_ns != UNKNOWN)
            meter->record->run_delay_ns = delay_ns - meter->run_delay_ns;
    }
    if (meter->schedstat >= 0)
        close(meter->schedstat);
}
