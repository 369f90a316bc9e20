/* Prints messages, each in one line, even if quoted words contain line ends. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MESSAGE_MAX 1000

static int is_protocol;

void message_use_protocol(void)
{
    is_protocol = 1;
}

static void print_line(FILE *out, const char *before, const char *format, va_list arguments)
{
    char line[MESSAGE_MAX];

    if (vsnprintf(line, sizeof line, format, arguments) < 0)
        line[0] = '\0';
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    /* Keeps the order of output, even if both streams go to one file. */
    fflush(stdout);
    fprintf(out, "%s%s\n", before, line);
    fflush(out);
}

static void print_error(const char *format, va_list arguments)
{
    print_line(stderr, is_protocol ? "ERROR|" : "interbench: ", format, arguments);
}

void notice(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_line(is_protocol ? stdout : stderr, "interbench: ", format, arguments);
    va_end(arguments);
}

void complain(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
}

void fail(enum status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_error(format, arguments);
    va_end(arguments);
    exit(status);
}
