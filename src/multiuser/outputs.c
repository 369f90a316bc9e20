/* Outputs are the same when their sizes and their 64-bit hashes are (Fowler, Noll and Vo, FNV-1a). */
#include "outputs.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "homes.h"

#define FNV_BASIS 0xCBF29CE484222325ULL
#define FNV_PRIME 0x100000001B3ULL

struct output {
    uint64_t hash;
    long size, lines;
    int is_printed;
};

static FILE *opened(const char *home, int number)
{
    char path[HOME_MAX];

    output_of(path, home, number);
    return fopen(path, "re");
}

static struct output look_at(const char *home, int number)
{
    struct output output = {.hash = FNV_BASIS};
    FILE *file = opened(home, number);
    int c, last = '\n';

    if (!file)
        return output;
    for (; (c = getc(file)) != EOF; last = c) {
        output.hash = (output.hash ^ (uint64_t)c) * FNV_PRIME;
        output.size++;
        output.lines += c == '\n';
    }
    output.lines += last != '\n';
    fclose(file);
    return output;
}

static int is_same(const struct output *one, const struct output *other)
{
    return one->hash == other->hash && one->size == other->size;
}

/* "1-3, 5": those that printed the same as the one at first; they are marked as printed. */
static void print_numbers(struct output *outputs, int first, int users)
{
    const struct output same = outputs[first];

    for (int from = first, to; from < users; from = to + 1) {
        to = from;
        if (!is_same(&same, &outputs[from]))
            continue;
        while (to + 1 < users && is_same(&same, &outputs[to + 1]))
            to++;
        printf(to > from ? "%s%d-%d" : "%s%d", from == first ? "" : ", ", from + 1, to + 1);
        for (int i = from; i <= to; i++)
            outputs[i].is_printed = 1;
    }
}

static void print_file(const char *home, int number)
{
    FILE *file = opened(home, number);
    int c, last = '\n';

    if (!file)
        return;
    for (; (c = getc(file)) != EOF && putchar(c) != EOF; last = c)
        continue;
    fclose(file);
    if (last != '\n')
        putchar('\n');
}

static int count_alike(const struct output *outputs, int first, int users)
{
    int count = 0;

    for (int i = first; i < users; i++)
        count += is_same(&outputs[first], &outputs[i]);
    return count;
}

void outputs_print(const char *home, int users)
{
    struct output *outputs = calloc((size_t)users, sizeof *outputs);

    if (!outputs)
        return;
    for (int i = 0; i < users; i++)
        outputs[i] = look_at(home, i + 1);
    for (int i = 0; i < users && !ferror(stdout); i++) { /* a signal ends the wait for who does not read */
        if (outputs[i].is_printed)
            continue;
        printf(count_alike(outputs, i, users) > 1 ? "== users " : "== user ");
        print_numbers(outputs, i, users);
        printf(", %ld line%s ==\n", outputs[i].lines, outputs[i].lines == 1 ? "" : "s");
        print_file(home, i + 1);
    }
    if (!ferror(stdout)) /* it would only wait again */
        fflush(stdout);
    free(outputs);
}
