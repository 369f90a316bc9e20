/*
 * interbench [options]: how long simulated interactive tasks wait for the CPU, alone and under loads.  It prints a
 * table of what each task met under each load, or, with --capacity, how many streams of frames can be shown at once.
 */
#include <stdio.h>

#include "controller.h"
#include "descriptors.h"
#include "message.h"
#include "options.h"

int main(int argc, char **argv)
{
    struct options options;

    descriptors_open_standard();
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
