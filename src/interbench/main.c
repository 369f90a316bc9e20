/*
 * interbench [options]: how long simulated interactive tasks wait for the CPU, alone and under loads.  It prints a
 * table of what each task met under each load, or, with --capacity, how many streams of frames can be shown at once.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "controller.h"
#include "message.h"
#include "options.h"

/* Standard handles that are closed become /dev/null, or the next pipe would get what is printed. */
static void claim_standard_handles(void)
{
    int handle;

    do handle = open("/dev/null", O_RDWR); while (handle >= 0 && handle <= STDERR_FILENO);
    if (handle >= 0)
        close(handle);
}

int main(int argc, char **argv)
{
    struct options options;

    claim_standard_handles();
    options_read(&options, argc, argv);
    switch (options.mode) {
    case MODE_HELP:
        options_print_help();
        return STATUS_DONE;
    case MODE_LIST:
        controller_list(&options);
        return STATUS_DONE;
    default:
        return controller_run(&options);
    }
}
