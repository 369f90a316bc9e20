/* Burn: threads that compute, and neither wait nor call the kernel. */
#include "load_parts.h"

#include <pthread.h>

#include "clock.h"
#include "work.h"

struct burner {
    struct load_board *board;
    int part;
    uint64_t loops;
    pthread_mutex_t gate;
};

static struct burner the_burner;

static void *burn(void *argument)
{
    struct burner *burner = argument;

    pthread_mutex_lock(&burner->gate);
    pthread_mutex_unlock(&burner->gate);
    for (;;) {
        burn_loops(burner->loops);
        load_count(burner->board, burner->part, 1);
    }
    return NULL;
}

/* The gate is closed until all are there, as those that burn would delay the others. */
void load_start_burn(const struct load_setting *setting, struct load_board *board, int part)
{
    the_burner.board = board;
    the_burner.part = part;
    the_burner.loops = loops_of(NS_PER_MS, setting->loops_per_ms);
    pthread_mutex_init(&the_burner.gate, NULL);
    pthread_mutex_lock(&the_burner.gate);
    for (int i = 0; i < load_threads(setting); i++)
        load_thread(board, burn, &the_burner);
    pthread_mutex_unlock(&the_burner.gate);
}
