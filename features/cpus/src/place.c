/*
 * place CPUS MILLISECONDS PROGRAM [ARGUMENT ...]: binds itself to these CPUs, such as "3" or "0,4"; waits at the gate;
 * works for that time, so that a CPU leaves its idle state; and becomes the program.  So any program is measured on the
 * CPUs that the caller chooses, and no program changes for that.
 */
#include "ub.h"

#define SPIN_MOST 1000 /* ms */

static const char usage[] = "place CPUS MILLISECONDS PROGRAM [ARGUMENT ...]";

#ifdef __linux__
#include <sched.h>

#define CPUS_MOST 8192

static void bind_to(char *list)
{
    static cpu_set_t allowed[CPUS_MOST / 8 / sizeof(cpu_set_t)];

    for (char *cpu = strtok(list, ","); cpu; cpu = strtok(NULL, ","))
        CPU_SET_S(ub_whole("a CPU", cpu, 0, CPUS_MOST - 1, usage), sizeof allowed, allowed);
    if (sched_setaffinity(0, sizeof allowed, allowed) != 0)
        ub_failed("place: can't be bound: the CPU is offline, or a sandbox does not allow it");
}
#else
static void bind_to(UB_UNUSED char *list)
{
    ub_error(1, "place: this system can't bind a process to a CPU");
}
#endif

int main(int argc, char **argv)
{
    uint64_t spin_ns, began_ns;

    if (argc < 4)
        ub_error(2, "usage: %s", usage);
    spin_ns = ub_whole("milliseconds", argv[2], 0, SPIN_MOST, usage) * (UB_NS_PER_S / 1000);
    bind_to(argv[1]);
    ub_gate();
    began_ns = ub_now_ns();
    while (ub_now_ns() - began_ns < spin_ns)
        continue;
    if (setenv("UB_TIME", "1", 1) != 0 || setenv("UB_USED", "1", 1) != 0)
        ub_failed("place: setenv");
    execv(argv[3], argv + 3);
    ub_failed("place: execv");
}
