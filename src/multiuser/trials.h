/* Loads one after the other: with so many users each, or the search for how many users there can be. */
#ifndef MULTIUSER_TRIALS_H
#define MULTIUSER_TRIALS_H

#include "load.h"
#include "options.h"

/* What all loads share; home: the directory of the users' homes. */
struct stage {
    const struct options *options;
    const struct script *script;
    struct meters_sources *sources;
    const char *home;
};

/* Plays the loads that are asked for and says what the last one gave, and all in a line each. */
void trials_play(const struct stage *stage);

/* Searches for the capacity, on the extract of the script, and says what it found. */
void trials_search(const struct stage *stage);

#endif
