/* The users' directories and files, and descriptors that are out of the way of lines that name some. */
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

/* Moves a descriptor behind those that the shell uses; -1 with errno, as the one given, when that fails. */
int far_fd(int fd);

/* A pipe with such ends; returns 0, or -1 with errno. */
int far_pipe(int ends[2]);

#endif
