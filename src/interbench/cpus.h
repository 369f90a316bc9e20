/* The CPUs that this process may use, however many a machine has. */
#ifndef INTERBENCH_CPUS_H
#define INTERBENCH_CPUS_H

/* How many there are, at least 1. */
int cpus_count(void);

/* The n-th of them, counted from 0 and around; UNKNOWN when the kernel does not tell. */
int cpus_at(int n);

/* Whether that one is among them. */
int cpus_include(int cpu);

/* Binds the calling thread to one CPU; returns 0, or an errno. */
int cpus_bind(int cpu);

#endif
