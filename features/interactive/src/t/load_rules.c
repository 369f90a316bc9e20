/*
 * Sizes of loads:
 *
 *   files MEMORY FREE MOST                                      the size of files
 *   memory TOTAL AVAILABLE SWAP GROUP ADDRESSES MOST IS_SWAP    the memory of Memload
 *   room ROOT                                                   the memory of the machine below ROOT
 *
 * All sizes are bytes.
 */
#include "loads/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t number(const char *word)
{
    return strtoll(word, NULL, 10);
}

static void print_room(const char *root)
{
    const struct memory_room room = memory_room(root);

    printf("%lld|%lld|%lld|%lld\n", (long long)room.total, (long long)room.available, (long long)room.swap,
           (long long)room.group);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "room") == 0 && argc == 3)
        print_room(argv[2]);
    else if (strcmp(what, "files") == 0 && argc == 5)
        printf("%lld\n", (long long)load_file_size(number(argv[2]), number(argv[3]), number(argv[4])));
    else if (strcmp(what, "memory") == 0 && argc == 9) {
        const struct memory_room room = {number(argv[2]), number(argv[3]), number(argv[4]), number(argv[5]),
                                       number(argv[6])};

        printf("%lld\n", (long long)load_memory_size(&room, number(argv[7]), atoi(argv[8])));
    } else
        return 1;
    return 0;
}
