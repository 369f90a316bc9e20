/* Whoever sent a signal sees that it was obeyed. */
#include "leave.h"

#include <signal.h>
#include <stdlib.h>

#include "events.h"
#include "guardian.h"
#include "homes.h"
#include "protocol.h"

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
    guardian_stop();
}

void leave(const char *why)
{
    clean_up();
    if (why)
        failed("%s", why);
    signal(events_signal(), SIG_DFL);
    events_finish();
    raise(events_signal());
    exit(128 + events_signal());
}
