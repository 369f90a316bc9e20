/* The load Hack: groups of processes that send each other messages, after the idea of hackbench. */
#include "loads/load.h"

#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIDE          20 /* senders, and receivers, of a group */
#define MEMBERS       (2 * SIDE)
#define MESSAGES      100 /* from each sender to each receiver in a round */
#define MESSAGE_BYTES 100

#define THREADS_PER_GROUP 4

/* A group of processes, its members, in memory that they share. */
struct group {
    sem_t go[MEMBERS]; /* one for each, so that no member takes the turn of another */
    sem_t finished;    /* posted by each member after its part of a round */
    struct load_shared *shared;
    int part;
};

static struct group *groups;
static int group_count;

struct sockets {
    int in[SIDE], out[SIDE];
};

/* Waits for a semaphore.  Here and below, a member that fails exits with the errno as its status. */
static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        if (errno != EINTR)
            _exit(errno);
}

static void send_message(int socket)
{
    static const char message[MESSAGE_BYTES] = "";
    size_t sent = 0;

    while (sent < sizeof message) {
        const ssize_t count = send(socket, message + sent, sizeof message - sent, MSG_NOSIGNAL);

        if (count < 0 && errno != EINTR)
            _exit(errno);
        if (count > 0)
            sent += (size_t)count;
    }
}

/* A message may come in pieces. */
static void receive_message(int socket)
{
    char message[MESSAGE_BYTES];
    size_t received = 0;

    while (received < sizeof message) {
        const ssize_t count = recv(socket, message + received, sizeof message - received, 0);

        if (count == 0)
            _exit(EPIPE);
        if (count < 0 && errno != EINTR)
            _exit(errno);
        if (count > 0)
            received += (size_t)count;
    }
}

static void send_round(const struct sockets *sockets)
{
    for (int i = 0; i < MESSAGES; i++)
        for (int to = 0; to < SIDE; to++)
            send_message(sockets->out[to]);
}

static void receive_round(const struct group *group, int socket)
{
    for (int from = 0; from < SIDE; from++) {
        for (int i = 0; i < MESSAGES; i++)
            receive_message(socket);
        load_count(group->shared, group->part, MESSAGES);
    }
}

/* Runs a member: the first half of the members receive, the others send. */
__attribute__((noreturn))
static void run_member(struct group *group, const struct sockets *sockets, int member)
{
    for (;;) {
        wait_for(&group->go[member]);
        if (member < SIDE)
            receive_round(group, sockets->in[member]);
        else
            send_round(sockets);
        sem_post(&group->finished);
    }
}

static void open_sockets(struct sockets *sockets, struct load_shared *shared)
{
    for (int i = 0; i < SIDE; i++) {
        int pair[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
            load_fail(shared, "can't create sockets: %s; raise the limit of open files (ulimit -n)", strerror(errno));
        sockets->in[i] = pair[0];
        sockets->out[i] = pair[1];
    }
}

static void close_sockets(const struct sockets *sockets)
{
    for (int i = 0; i < SIDE; i++) {
        close(sockets->in[i]);
        close(sockets->out[i]);
    }
}

/* Starts the processes of a group, which wait for their first go. */
static void start_members(struct group *group)
{
    const pid_t parent = getpid();
    struct sockets sockets;

    open_sockets(&sockets, group->shared);
    for (int member = 0; member < MEMBERS; member++) {
        const pid_t child = fork();

        if (child < 0)
            load_fail(group->shared, "can't start a process: %s; use a smaller -L, or raise the limit of processes "
                      "(ulimit -u)", strerror(errno));
        if (child == 0) {
            load_follow(parent);
            run_member(group, &sockets, member);
        }
    }
    close_sockets(&sockets);
}

static void set_up_group(struct group *group, struct load_shared *shared)
{
    int has_failed = sem_init(&group->finished, 1, 0);

    for (int i = 0; i < MEMBERS; i++)
        has_failed |= sem_init(&group->go[i], 1, 0);
    if (has_failed)
        load_fail(shared, "can't create a semaphore: %s", strerror(errno));
    group->shared = shared;
    start_members(group);
}

/* The processes are forked by the first thread, before there are others; they end with that thread. */
static void set_up_hack(const struct load_setting *setting, struct load_shared *shared)
{
    const int count = load_threads(setting) / THREADS_PER_GROUP;

    group_count = count > 1 ? count : 1;
    groups = mmap(NULL, (size_t)group_count * sizeof *groups, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                  -1, 0);
    if (groups == MAP_FAILED)
        load_fail(shared, "can't get memory for %d groups: %s; use a smaller -L", group_count, strerror(errno));
    for (int i = 0; i < group_count; i++)
        set_up_group(&groups[i], shared);
}

/* Starts rounds, each when all members have finished the one before. */
static void *run_rounds(void *argument)
{
    struct group *group = argument;

    for (;;) {
        for (int i = 0; i < MEMBERS; i++)
            sem_post(&group->go[i]);
        for (int i = 0; i < MEMBERS; i++)
            wait_for(&group->finished);
    }
    return NULL;
}

/* Waits for the end of a member and fails: no member ends on its own. */
static void *await_end(void *argument)
{
    struct load_shared *shared = argument;
    int status = 0;

    while (waitpid(-1, &status, 0) < 0)
        if (errno != EINTR)
            load_fail(shared, "waitpid: %s", strerror(errno));
    if (WIFEXITED(status))
        load_fail(shared, "one of its processes failed: %s", strerror(WEXITSTATUS(status)));
    load_fail_as(shared, "one of its processes was ended", status);
}

static void start_hack(const struct load_setting *setting, struct load_shared *shared, int part)
{
    (void)setting;
    load_thread(shared, await_end, shared);
    for (int i = 0; i < group_count; i++) {
        groups[i].part = part;
        load_thread(shared, run_rounds, &groups[i]);
    }
}

const struct load load_hack = {
    .name = "Hack", .about = "groups of 20 processes that send messages and 20 that receive them",
    .parts = 1, .is_mixed = 1, .steady_ms = LOAD_STEADY_MS, .set_up = set_up_hack,
    .start = start_hack
};
