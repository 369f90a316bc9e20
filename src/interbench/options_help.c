/* The usage, made from the table of options. */
#include "options_help.h"

#include <stdio.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "options_table.h"

#ifndef INTERBENCH_VERSION
#define INTERBENCH_VERSION "unknown"
#endif

#define COLUMN 29 /* where it says what an option is for */
#define WORDS_MAX 64

static const struct {
    int first; /* option below it */
    const char *text;
} headings[] = {
    {'W', "What is measured (each task under each load)"},
    {'t', "For how long"},
    {'n', "How many, and how they run"},
    {'l', "How much a frame's work is"},
    {LONG_TMPDIR, "What loads may take"},
    {'m', "What is said and kept"},
    {LONG_LIST, "And"},
};

static void print_heading(int code)
{
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (headings[i].first == code)
            printf("\n%s:\n", headings[i].text);
}

static void print_row(const struct option_row *row)
{
    char words[WORDS_MAX], letter[] = "    ";

    if (row->code < LONG_PIN)
        snprintf(letter, sizeof letter, "-%c%s", row->code, row->name ? ", " : "");
    snprintf(words, sizeof words, "%s%s%s%s%s", letter, row->name ? "--" : "", row->name ? row->name : "",
             row->value ? (row->name ? "=" : " ") : "", row->value ? row->value : "");
    printf("  %-*s%s\n", COLUMN - 2, words, row->about);
}

static void check_output(void)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(STATUS_WRONG_PLACE, "standard output can't be written");
}

void options_print_help(void)
{
    puts("Usage: interbench [options]\n"
         "How soon do simulated interactive tasks get the CPU, alone and under loads?");
    for (int i = 0; i < option_count; i++) {
        print_heading(option_rows[i].code);
        print_row(&option_rows[i]);
    }
    puts("\nSizes are bytes, or have K, M, G or T behind them.  -W, -X, -w and -x add up;\n"
         "of any other option that is given twice the last counts.");
    check_output();
}

void options_print_version(void)
{
    puts("interbench " INTERBENCH_VERSION);
    check_output();
}
