/* The table of loads, in the order of the reports. */
#include "load.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>
#include <unistd.h>

#include "load_parts.h"
#include "message.h"

#define STEADY_MS 500

static const struct load loads[] = {
    {.name = "None", .about = "nothing", .is_default = 1, .is_mixed = 1, .steady_ms = 1},
    {.name = "Video", .about = "the task Video, not measured", .units = {"ns of work"}, .is_default = 1,
     .steady_ms = STEADY_MS, .start = load_start_video},
    {.name = "X", .about = "the task X, not measured", .units = {"ns of work"}, .is_default = 1,
     .steady_ms = STEADY_MS, .start = load_start_x},
    {.name = "Burn", .about = "a thread for each CPU that only computes", .units = {"bursts of 1 ms"}, .is_default = 1,
     .is_mixed = 1, .steady_ms = STEADY_MS, .start = load_start_burn},
    {.name = "Write", .about = "writes a large file, and brings it to the disk", .units = {"bytes"}, .is_default = 1,
     .is_impossible = load_has_no_room_for_files, .set_up = load_set_up_write, .start = load_start_write},
    {.name = "Read", .about = "reads a large file from the disk", .units = {"bytes"}, .is_default = 1, .is_reading = 1,
     .steady_ms = STEADY_MS, .is_impossible = load_has_no_room_for_files, .set_up = load_set_up_read,
     .start = load_start_read},
    {.name = "Ring", .about = "threads in a ring that wake each other", .units = {"hops"}, .is_default = 1,
     .steady_ms = STEADY_MS, .start = load_start_ring},
    {.name = "Compile", .about = "Burn, Write, Read, and processes that start and end, together",
     .units = {"bursts of 1 ms", "bytes", "bytes", "processes"}, .is_default = 1, .is_mixed = 1, .is_reading = 1,
     .is_impossible = load_has_no_room_for_files, .set_up = load_set_up_compile, .start = load_start_compile},
    {.name = "Memload", .about = "takes most of the free memory, and changes it here and there",
     .units = {"pages"}, .is_default = 1, .is_impossible = load_memory_is_impossible, .set_up = load_set_up_memory,
     .start = load_start_memory},
    {.name = "Hack", .about = "groups of 20 processes that send messages and 20 that receive them",
     .units = {"messages"}, .is_default = 1, .is_mixed = 1, .steady_ms = STEADY_MS, .set_up = load_set_up_hack,
     .start = load_start_hack},
    {.name = "Net", .about = "streams of data over the loopback interface", .units = {"bytes"},
     .steady_ms = STEADY_MS, .is_impossible = load_net_is_impossible, .set_up = load_set_up_net,
     .start = load_start_net},
    {.name = "Command", .about = "the command of --load-cmd, again and again", .units = {"runs"}, .is_default = 1,
     .steady_ms = STEADY_MS, .is_impossible = load_command_is_impossible, .set_up = load_set_up_command,
     .start = load_start_command},
    {.name = "Custom", .about = "the task of -C and -I, not measured", .units = {"ns of work"}, .is_default = 1,
     .steady_ms = STEADY_MS, .is_impossible = load_custom_is_impossible, .start = load_start_custom},
};

_Static_assert(sizeof loads / sizeof loads[0] <= LOADS_MAX, "the arrays of loads are large enough");

int loads_count(void)
{
    return sizeof loads / sizeof loads[0];
}

const struct load *loads_at(int index)
{
    return &loads[index];
}

const struct load *loads_find(const char *name)
{
    for (int i = 0; i < loads_count(); i++)
        if (strcasecmp(loads[i].name, name) == 0)
            return &loads[i];
    return NULL;
}

int load_parts(const struct load *load)
{
    int count = 0;

    while (count < LOAD_PARTS_MAX && load->units[count])
        count++;
    return count;
}

/* Several threads may fail at once: the first tells why. */
void load_fail(struct load_board *board, const char *format, ...)
{
    static atomic_flag is_failing = ATOMIC_FLAG_INIT;
    va_list arguments;

    while (atomic_flag_test_and_set(&is_failing))
        pause();
    va_start(arguments, format);
    vsnprintf(board->why, sizeof board->why, format, arguments);
    va_end(arguments);
    _exit(STATUS_CHILD_FAILED);
}
