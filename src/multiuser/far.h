/* Descriptors that are out of the way of lines that name some, and how many there may be. */
#ifndef MULTIUSER_FAR_H
#define MULTIUSER_FAR_H

/* Moves a descriptor behind those that the shell uses; -1 with errno, as the one given, when that fails. */
int far_fd(int fd);

/* A pipe with such ends; returns 0, or -1 with errno. */
int far_pipe(int ends[2]);

/* Lets this program have so many, if that is permitted. */
void far_claim(unsigned count);

/* In a child: there may be as many again as at the start of the program. */
void far_disclaim(void);

#endif
