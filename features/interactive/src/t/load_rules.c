/*
 * Sizes of loads:
 *
 *   files MEMORY FREE MOST                                      the size of files
 *   memory TOTAL AVAILABLE SWAP GROUP ADDRESSES MOST IS_SWAP    the memory of Memload
 *   room ROOT                                                   the memory of the machine below ROOT
 *   blocks                                                      how many pages of written blocks are equal
 *
 * All sizes are bytes.
 */
#include "loads/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096
#define BLOCKS     3
#define PAGES      (BLOCKS * (int)(MIB / PAGE_BYTES))

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

static int compare(const void *one, const void *other)
{
    return memcmp(one, other, PAGE_BYTES);
}

/* Prints the number of equal pages, and the percentage of bits that are 1. */
static void print_blocks(void)
{
    static unsigned char pages[PAGES][PAGE_BYTES], block[MIB];
    long bits = 0;
    int alike = 0;

    load_fill_block(block, 1);
    for (int i = 0; i < BLOCKS; i++) {
        load_vary_block(block, (uint64_t)i);
        memcpy(pages[i * (PAGES / BLOCKS)], block, sizeof block);
    }
    qsort(pages, PAGES, PAGE_BYTES, compare);
    for (int i = 1; i < PAGES; i++)
        alike += compare(pages[i - 1], pages[i]) == 0;
    for (size_t i = 0; i < sizeof block; i++)
        bits += __builtin_popcount(block[i]);
    printf("%d|%.0f\n", alike, 100.0 * (double)bits / (8.0 * sizeof block));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "blocks") == 0)
        print_blocks();
    else if (strcmp(what, "room") == 0 && argc == 3)
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
