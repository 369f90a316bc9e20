/*
 * The users of a run: shells that get the script line by line, and answer through one pipe.  Each has a home and a
 * process group of its own.  They end with this program, and so do all processes that they have started.
 */
#ifndef MULTIUSER_USERS_H
#define MULTIUSER_USERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "script.h"

#define HOME_MAX   4096 /* bytes of a path */
#define ANSWER_MAX 64   /* bytes of an answer */

/* The resources that processes used, as the kernel counts them: a process counts when its parent has waited for it. */
struct usage {
    double cpu_user_s, cpu_system_s;
    double faults_minor, faults_major, switches_voluntary, switches_forced;
};

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

/* The part of an answer that was read so far. */
struct answers {
    char line[ANSWER_MAX];
    size_t length;
    int is_too_long; /* the rest of this line is ignored */
};

/* The exit status of a line. */
struct answer {
    int user, line, status;
};

struct users {
    struct user *list;
    int count, room; /* users that were started; users to start */
    int answers_fd;  /* is read */
    int write_fd;    /* its other end, kept open: a pipe without writers is always readable */
    struct answers answers;
    char bytes[4096]; /* that were read from answers_fd; those from next on are not parsed yet */
    const char *next;
    size_t left;
};

/* Starts users, and asks each whether it is ready; returns 0, or an errno.  users_end() must be called afterwards. */
int users_start(struct users *users, int count, const char *shell, const char *home);

/* Waits for the children that have ended; returns whether a shell has ended whose user is not USER_GONE yet. */
int users_reap(void);

/* Reads the next answer; returns 0 if there is none. */
int users_read(struct users *users, struct answer *answer);

/*
 * Parses bytes up to the next answer.  Returns 1, with bytes and size moved past the answer; or 0 if there is no whole
 * answer left.  Lines that are not answers are ignored.
 */
int answers_next(struct answers *answers, const char **bytes, size_t *size, struct answer *answer);

/* Kills all users that are left, and orphans, and waits for them. */
void users_end(struct users *users);

/* Makes this program the parent of orphans: processes that have left their user's group, and whose parent ends. */
void orphans_adopt(void);

/* Return the resources that this process, and all children that were waited for, have used until now. */
struct usage usage_of_self(void);
struct usage usage_of_children(void);

/* Converts the kernel's numbers to the units of usage. */
struct usage usage_of(const struct rusage *kernel);

/* Adds more to the sum. */
void usage_add(struct usage *sum, const struct usage *more);

/* Returns the resources that were used between two moments. */
struct usage usage_between(const struct usage *before, const struct usage *after);

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
