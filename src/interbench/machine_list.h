/* The list of facts while it is made, and what adds to it. */
#ifndef INTERBENCH_MACHINE_LIST_H
#define INTERBENCH_MACHINE_LIST_H

#include "machine.h"
#include "proc.h"

struct fact_list {
    struct proc_reader reader;
    struct fact *facts;
    int count;
};

/* Adds what can be said of it; what is no printable ASCII becomes '?'. An empty text is left out. */
__attribute__((format(printf, 3, 4)))
void fact_add(struct fact_list *list, const char *name, const char *format, ...);

/* Cuts "a [b] c" down to "b", for any kind of brackets; returns 0 if there are none. */
int keep_between(char *text, char open, char close);

void add_kernel_facts(struct fact_list *list);     /* release, preemption, HZ, scheduler, limits */
void add_processor_facts(struct fact_list *list);  /* model, frequency, SMT, CPUs allowed, hypervisor */
void add_group_facts(struct fact_list *list);      /* cgroup's cpuset and quota */
void add_memory_facts(struct fact_list *list, const char *directory); /* huge pages, swap, file system */

#endif
