/* Adds up what streams and repeats measured. */
#include "report.h"

void record_merge(struct record *into, const struct record *from)
{
    tally_merge(&into->tally, &from->tally);
    distribution_merge(&into->timer_lateness, &from->timer_lateness);
    distribution_merge(&into->hand_off, &from->hand_off);
    into->cpu_ns += from->cpu_ns;
    if (into->run_delay_ns != UNKNOWN)
        into->run_delay_ns = from->run_delay_ns == UNKNOWN ? UNKNOWN : into->run_delay_ns + from->run_delay_ns;
    into->voluntary_switches += from->voluntary_switches;
    into->involuntary_switches += from->involuntary_switches;
    into->migrations += from->migrations;
    into->elapsed_ns += from->elapsed_ns;
}
