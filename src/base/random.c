/* Random numbers of SplitMix64, addressed by their place in the sequence. */
#include "random.h"

#define GOLDEN_GAMMA 0x9E3779B97F4A7C15ULL

uint64_t random_at(uint64_t seed, uint64_t place)
{
    uint64_t mixed = seed + (place + 1) * GOLDEN_GAMMA;

    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

/* Returns the upper 64 bits of a product, without the 128-bit type, which does not exist on 32-bit machines. */
static uint64_t high_half(uint64_t one, uint64_t other)
{
    const uint64_t mask = 0xFFFFFFFFULL;
    const uint64_t low = (one & mask) * (other & mask);
    const uint64_t middle = (one >> 32) * (other & mask) + (low >> 32);
    const uint64_t carry = (one & mask) * (other >> 32) + (middle & mask);

    return (one >> 32) * (other >> 32) + (middle >> 32) + (carry >> 32);
}

uint64_t random_below(uint64_t below, uint64_t seed, uint64_t place)
{
    return high_half(random_at(seed, place), below);
}

void random_order(int *order, int count, uint64_t seed)
{
    for (int i = 0; i < count; i++) {
        const int other = (int)random_below((uint64_t)i + 1, seed, (uint64_t)i);

        order[i] = order[other];
        order[other] = i;
    }
}
