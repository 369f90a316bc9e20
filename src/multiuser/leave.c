/* Whoever sent a signal sees that it was obeyed. */
#include "leave.h"

#include <signal.h>
#include <stdlib.h>

#include "homes.h"
#include "protocol.h"
#include "ward.h"
#include "watch.h"

static const char *trace;

void leave_no_trace(const char *directory)
{
    trace = directory;
}

void clean_up(void)
{
    if (trace)
        homes_remove_tree(trace); /* lines may have made files beside their homes */
    trace = NULL;
    ward_finish();
}

void leave(const char *why)
{
    clean_up();
    if (why)
        failed("%s", why);
    signal(watch_signal(), SIG_DFL);
    watch_finish();
    raise(watch_signal());
    exit(128 + watch_signal());
}
