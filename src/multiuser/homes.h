/* The users' directories, and the files of what they print. */
#ifndef MULTIUSER_HOMES_H
#define MULTIUSER_HOMES_H

#define HOME_MAX 4096

/* The home of that user, and the file of what it prints. */
void home_of(char path[HOME_MAX], const char *home, int number);
void output_of(char path[HOME_MAX], const char *home, int number);

/* Makes a directory for homes, in TMPDIR or /tmp; returns its path, or NULL with errno. */
const char *homes_make(void);

/* Removes the homes and output files of that many users. */
void homes_remove(const char *home, int users);

/* Removes a directory with all that is in it, also what its owner may not read or write. */
void homes_remove_tree(const char *path);

#endif
