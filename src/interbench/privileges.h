/* What this process may do beside what everybody may. */
#ifndef INTERBENCH_PRIVILEGES_H
#define INTERBENCH_PRIVILEGES_H

#define PRIVILEGES_TEXT_MAX 120

/* Each is tried and taken back. */
int privilege_fifo(void);
int privilege_lock(void);
int privilege_nice(int nice);
int privilege_latency(void);

/* Names those that are missing: "SCHED_FIFO, locked memory", or nothing. */
void privileges_missing(char text[PRIVILEGES_TEXT_MAX]);

/* Keeps CPUs out of deep sleep as long as this program runs; returns 0, or an errno. */
int privilege_stay_awake(void);

#endif
