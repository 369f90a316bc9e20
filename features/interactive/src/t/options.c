/*
 * options FILE: parses the command lines in the file.  Each line is a command line, and each word a dot and the bytes
 * of the argument in hexadecimal.  Each line is parsed in a process of its own.  Printed are the number of the line,
 * the exit status, and the output, with "out" or "err" before each of its lines.
 */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX 1000

static const struct load loads[] = {
    {.name = "None", .is_default = 1, .is_mixed = 1},
    {.name = "Video", .is_default = 1},
    {.name = "X", .is_default = 1},
    {.name = "Burn", .is_default = 1, .is_mixed = 1},
    {.name = "Compile", .is_default = 1, .is_mixed = 1},
    {.name = "Hack", .is_mixed = 1},
    {.name = "Custom"},
    {.name = "Command"},
};

int loads_count(void)
{
    return sizeof loads / sizeof loads[0];
}

const struct load *loads_at(int index)
{
    return &loads[index];
}

static void print_numbers(const struct options *options)
{
    const struct { const char *name; long long value; } numbers[] = {
        {"mode", options->mode}, {"duration", options->duration_ns}, {"warmup", options->warmup_ns},
        {"loops", options->loops_per_ms}, {"threads", options->load_threads}, {"task_nice", options->task_nice},
        {"load_nice", options->load_nice}, {"anew", options->is_calibrating_anew},
        {"console", options->is_console_only}, {"real_time", options->is_real_time},
        {"percent", options->custom_percent}, {"period", options->custom_period_us}, {"copies", options->copies},
        {"pinned", options->is_pinned}, {"cpu", options->pin_cpu}, 
        {"fixed", options->is_fixed}, {"policy", options->policy},
        {"repeats", options->repeats}, {"disk", options->max_disk_bytes}, {"memory", options->max_memory_bytes},
        {"swap", options->is_swap_allowed}, {"legacy", options->is_legacy},
        {"protocol", options->is_protocol}, {"named", options->is_load_named}
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        printf("%s %lld\n", numbers[i].name, numbers[i].value);
    printf("seed %llu\n", (unsigned long long)options->seed);
}

static void print_texts(const struct options *options)
{
    const struct { const char *name, *value; } texts[] = {
        {"comment", options->comment}, {"directory", options->directory}, {"command", options->load_command}
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].value)
            printf("%s %s\n", texts[i].name, texts[i].value);
}

static void print_selection(const struct options *options)
{
    printf("tasks");
    for (int i = 0; i < options->task_count; i++)
        printf(" %s", options->tasks[i]->name);
    printf("\nloads");
    for (int i = 0; i < options->load_count; i++)
        printf(" %s", options->loads[i]->name);
    putchar('\n');
}

static void read_one(int argc, char **argv)
{
    struct options options;

    options_read(&options, argc, argv);
    if (options.mode == MODE_HELP) {
        options_print_help();
        return;
    }
    print_numbers(&options);
    print_texts(&options);
    print_selection(&options);
}

static void show(int file, const char *name)
{
    FILE *said = fdopen(file, "r");
    char line[5000];

    rewind(said);
    while (fgets(line, sizeof line, said)) {
        line[strcspn(line, "\n")] = '\0';
        printf("%s %s\n", name, line);
    }
    fclose(said);
}

static void run_one(int number, int argc, char **argv)
{
    int out = memfd_create("out", 0), err = memfd_create("err", 0), status;
    pid_t child = fork();

    if (child == 0) {
        if (dup2(out, 1) < 0 || dup2(err, 2) < 0)
            _exit(99);
        read_one(argc, argv);
        fflush(stdout);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        exit(1);
    printf("case %d %d\n", number, WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status));
    show(out, "out");
    show(err, "err");
    fflush(stdout);
}

static char *decode(char *hex)
{
    char *to = hex;

    for (const char *from = hex + 1; from[0] && from[1]; from += 2) {
        unsigned byte = 0;

        sscanf(from, "%2x", &byte);
        *to++ = (char)byte;
    }
    *to = '\0';
    return hex;
}

/*
 * Returns the text of the file.  It is closed before a child is forked, which could move its offset.  The memory is
 * only as large as the file, because a search for leaks at the end of each child reads all of it.
 */
static char *contents(const char *path)
{
    FILE *file = fopen(path, "r");
    struct stat found;
    char *text = file && fstat(fileno(file), &found) == 0 ? calloc(1, (size_t)found.st_size + 1) : NULL;

    if (!text || fread(text, 1, (size_t)found.st_size, file) != (size_t)found.st_size)
        exit(1);
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    char *text = argc == 2 ? contents(argv[1]) : NULL, *rest = text, *line, *words[WORDS_MAX + 2] = {"interbench"};

    for (int number = 0; (line = strsep(&rest, "\n")) && rest; number++) {
        int count = 1;

        for (char *word = strtok(line, " "); word && count <= WORDS_MAX; word = strtok(NULL, " "))
            words[count++] = decode(word);
        words[count] = NULL;
        run_one(number, count, words);
    }
    free(text);
    return 0;
}
