/* A group of Hack: 20 processes that send messages to 20 that receive them, in rounds. */
#ifndef INTERBENCH_LOAD_HACK_H
#define INTERBENCH_LOAD_HACK_H

#include <semaphore.h>

#include "load_parts.h"

#define HACK_SIDE    20 /* senders, and receivers, of a group */
#define HACK_MEMBERS (2 * HACK_SIDE)

/* In memory that all members share. */
struct hack_group {
    sem_t go[HACK_MEMBERS]; /* one for each, so that nobody takes the turn of another */
    sem_t finished;         /* posted by each member behind its part of a round */
    struct load_board *board;
    int part;
};

/* Starts the members, which wait for their first go, and end with this thread. */
void hack_start_members(struct hack_group *group);

#endif
