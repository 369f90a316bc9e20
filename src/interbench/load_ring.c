/* Ring: threads in a ring pass tokens on, half as many as there are threads: a hop is a sleep and a wake-up. */
#include "load_parts.h"

#include <errno.h>
#include <semaphore.h>
#include <string.h>

#define HOPS 64 /* counted at once */

struct node {
    struct load_board *board;
    int part;
    sem_t token;
    struct node *next;
};

static void *pass_on(void *argument)
{
    struct node *node = argument;

    for (uint64_t hops = 1;; hops++) {
        while (sem_wait(&node->token) != 0 && errno == EINTR)
            continue;
        sem_post(&node->next->token);
        if (hops % HOPS == 0)
            load_count(node->board, node->part, HOPS);
    }
    return NULL;
}

void load_start_ring(const struct load_setting *setting, struct load_board *board, int part)
{
    const int count = 2 * load_threads(setting);
    struct node *nodes = load_allocate(board, (size_t)count * sizeof *nodes);

    for (int i = 0; i < count; i++) {
        nodes[i].board = board;
        nodes[i].part = part;
        nodes[i].next = &nodes[(i + 1) % count];
        if (sem_init(&nodes[i].token, 0, 0) != 0)
            load_fail(board, "no semaphore can be had: %s", strerror(errno));
    }
    for (int i = 0; i < count; i++)
        load_thread(board, pass_on, &nodes[i]);
    for (int i = 0; i < count; i += 2)
        sem_post(&nodes[i].token);
}
