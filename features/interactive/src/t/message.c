/*
 * message KIND TEXT [protocol]: prints the text as a notice, or as an error (complain); any other KIND also exits with
 * 4.
 */
#include "message.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 9;
    if (argc == 4)
        message_use_protocol();
    printf("table\n");
    if (strcmp(argv[1], "notice") == 0)
        notice("%s", argv[2]);
    else if (strcmp(argv[1], "complain") == 0)
        complain("%s", argv[2]);
    else
        fail(STATUS_TIMED_OUT, "%s", argv[2]);
    return STATUS_DONE;
}
