/*
 * Reproducible random numbers: the value at each place of a sequence (SplitMix64, Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", 2014).
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Returns the number at that place of the seed's sequence. */
uint64_t random_at(uint64_t seed, uint64_t place);

/* Returns that number, scaled to 0 .. below - 1. */
uint64_t random_below(uint64_t below, uint64_t seed, uint64_t place);

/* Writes the numbers 0 .. count - 1 to order, shuffled (Fisher and Yates). */
void random_order(int *order, int count, uint64_t seed);

#endif
