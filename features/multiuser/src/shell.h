/*
 * A user and its shell, which has a home and a process group of its own.  All processes that a shell has started end
 * with this program.
 */
#ifndef MULTIUSER_SHELL_H
#define MULTIUSER_SHELL_H

#include <stdint.h>
#include <sys/types.h>

#include "script.h"
#include "usage.h"

#define HOME_MAX 4096 /* bytes of a path */

enum user_state {
    USER_STARTING, /* has not answered yet */
    USER_READY,    /* waits for the other users */
    USER_THINKING, /* until due_ns */
    USER_WAITING,  /* for the answer to a line, until due_ns */
    USER_LEAVING,  /* has run the script and is to end, until due_ns */
    USER_KILLED,
    USER_GONE
};

struct user {
    int number; /* from 1 */
    enum user_state state;
    pid_t pid; /* of the shell, and its process group; 0 when that has ended */
    int input_fd;
    int place;        /* the index of the line that is next, or that runs */
    int64_t asked_ns; /* when that line was written */
    int64_t due_ns;
    int was_stopped;
    int has_ended; /* the shell; the values below are known then */
    int wait_status;
    struct usage usage; /* of the shell and its commands */
    double rss_most_kb; /* of the largest of these processes */
};

/* The settings that all shells of a run share. */
struct shell_settings {
    const char *shell, *home; /* users' homes are directories in this one */
    int answers_fd;           /* the shells write their answers to it */
};

/* Allows this program that many open files, as far as its hard limit permits. */
void files_allow(unsigned count);

/* Makes a pipe whose descriptors are not among those that lines may use; returns 0, or -1 with errno. */
int pipe_above(int ends[2]);

/*
 * Makes the user's home and starts its shell, which answers line 0 with status 0 when it is ready.  Returns 0, or an
 * errno; after an error nothing of the user is left.
 */
int user_start(struct user *user, int number, const struct shell_settings *settings);

/* Writes a line to the shell; returns 0, or an errno: EPIPE if the shell has just ended. */
int user_write(const struct user *user, const struct script_line *line);

/* Closes the shell's input. */
void user_close(struct user *user);

/* Kills all processes of the user's group. */
void user_kill(const struct user *user);

/* Waits for the shell, which has ended or was killed, and kills the rest of its group. */
void user_wait(struct user *user);

/* Write the path of a user's home, and that of the file with the user's output. */
void home_path(char path[HOME_MAX], const char *home, int number);
void output_path(char path[HOME_MAX], const char *home, int number);

/* Makes a directory for homes, in TMPDIR or /tmp; returns its path, or NULL with errno. */
const char *homes_make(void);

/* Removes the homes and output files of that many users. */
void homes_remove(const char *home, int users);

/* Removes a directory and its content, even files that their owner may not read or write. */
void tree_remove(const char *path);

#endif
