/* The processes of a group of Hack: in a round, each sender sends 100 messages of 100 bytes to each receiver. */
#include "load_hack.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MESSAGES      100
#define MESSAGE_BYTES 100

struct sockets {
    int in[HACK_SIDE], out[HACK_SIDE];
};

/* Members that can't go on end with the number of the error. */
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
        for (int to = 0; to < HACK_SIDE; to++)
            send_message(sockets->out[to]);
}

static void receive_round(const struct hack_group *group, int socket)
{
    for (int from = 0; from < HACK_SIDE; from++) {
        for (int i = 0; i < MESSAGES; i++)
            receive_message(socket);
        load_count(group->board, group->part, MESSAGES);
    }
}

/* The first half receives, the other sends. */
__attribute__((noreturn))
static void be_member(struct hack_group *group, const struct sockets *sockets, int member)
{
    if (member < HACK_SIDE)
        load_keep_only(&sockets->in[member], 1);
    else
        load_keep_only(sockets->out, HACK_SIDE);
    for (;;) {
        wait_for(&group->go[member]);
        if (member < HACK_SIDE)
            receive_round(group, sockets->in[member]);
        else
            send_round(sockets);
        sem_post(&group->finished);
    }
}

static void open_sockets(struct sockets *sockets, struct load_board *board)
{
    for (int i = 0; i < HACK_SIDE; i++) {
        int pair[2];

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
            load_fail(board, "no sockets can be had: %s; raise the limit of open files (ulimit -n)", strerror(errno));
        sockets->in[i] = pair[0];
        sockets->out[i] = pair[1];
    }
}

static void close_sockets(const struct sockets *sockets)
{
    for (int i = 0; i < HACK_SIDE; i++) {
        close(sockets->in[i]);
        close(sockets->out[i]);
    }
}

void hack_start_members(struct hack_group *group)
{
    const pid_t parent = getpid();
    struct sockets sockets;

    open_sockets(&sockets, group->board);
    for (int member = 0; member < HACK_MEMBERS; member++) {
        const pid_t child = fork();

        if (child < 0)
            load_fail(group->board, "no process can be started: %s; use a smaller -L, or raise the limit of processes "
                      "(ulimit -u)", strerror(errno));
        if (child == 0) {
            load_follow(parent);
            be_member(group, &sockets, member);
        }
    }
    close_sockets(&sockets);
}
