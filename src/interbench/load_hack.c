/* Hack: groups of processes that send each other messages, after the idea of hackbench. */
#include "load_hack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#define THREADS_PER_GROUP 4
#define IDLE_MOST         30 /* seconds */

static struct hack_group *groups;
static int group_count;

static void set_up_group(struct hack_group *group, struct load_board *board)
{
    int has_failed = sem_init(&group->finished, 1, 0);

    for (int i = 0; i < HACK_MEMBERS; i++)
        has_failed |= sem_init(&group->go[i], 1, 0);
    if (has_failed)
        load_fail(board, "no semaphore can be had: %s", strerror(errno));
    group->board = board;
    hack_start_members(group);
}

/* The processes are forked before there are threads, and by the first, with which they end. */
void load_set_up_hack(const struct load_setting *setting, struct load_board *board)
{
    const int count = load_threads(setting) / THREADS_PER_GROUP;

    group_count = count > 1 ? count : 1;
    groups = mmap(NULL, (size_t)group_count * sizeof *groups, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                  -1, 0);
    if (groups == MAP_FAILED)
        load_fail(board, "memory for %d groups can't be had: %s", group_count, strerror(errno));
    for (int i = 0; i < group_count; i++)
        set_up_group(&groups[i], board);
}

/* Whether it is posted within a second. */
static int is_posted(sem_t *semaphore)
{
    struct timespec limit;

    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    while (sem_timedwait(semaphore, &limit) != 0)
        if (errno != EINTR)
            return 0;
    return 1;
}

/* Seconds count in which nothing was received: a load that gets little CPU time is slow, but not stuck. */
static void await_member(struct hack_group *group)
{
    uint64_t done_before = 0;

    for (int idle_s = 0; !is_posted(&group->finished); idle_s++) {
        const uint64_t done = atomic_load(&group->board->done[group->part]);

        if (done != done_before)
            idle_s = 0;
        done_before = done;
        if (idle_s >= IDLE_MOST)
            load_fail(group->board, "a round of group %d got nowhere for %d s", (int)(group - groups) + 1, IDLE_MOST);
    }
}

/* A round begins when all have done their part of the one before. */
static void *direct(void *argument)
{
    struct hack_group *group = argument;

    for (;;) {
        for (int i = 0; i < HACK_MEMBERS; i++)
            sem_post(&group->go[i]);
        for (int i = 0; i < HACK_MEMBERS; i++)
            await_member(group);
    }
    return NULL;
}

/* No member ends on its own. */
static void *await_end(void *argument)
{
    struct load_board *board = argument;
    int status = 0;

    while (waitpid(-1, &status, 0) < 0)
        if (errno != EINTR)
            load_fail(board, "waitpid: %s", strerror(errno));
    if (WIFEXITED(status))
        load_fail(board, "one of its processes could not go on: %s", strerror(WEXITSTATUS(status)));
    load_fail_as(board, "one of its processes was ended", status);
}

void load_start_hack(const struct load_setting *setting, struct load_board *board, int part)
{
    (void)setting;
    load_thread(board, await_end, board);
    for (int i = 0; i < group_count; i++) {
        groups[i].part = part;
        load_thread(board, direct, &groups[i]);
    }
}
