/* The load Net: pairs of threads, of which one sends to the other over the loopback interface. */
#include "loads/load.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define CHUNK_BYTES ((size_t)64 << 10)
#define CONNECT_MS  5000

struct pair {
    struct load_shared *shared;
    int part, in, out;
    unsigned char *sent, *received;
};

static struct pair *pairs;
static int pair_count;

static int open_listener(struct sockaddr_in *address)
{
    socklen_t length = sizeof *address;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (listener >= 0 && bind(listener, (struct sockaddr *)address, sizeof *address) == 0
        && getsockname(listener, (struct sockaddr *)address, &length) == 0 && listen(listener, 1) == 0)
        return listener;
    if (listener >= 0)
        close(listener);
    return -1;
}

/* Accepts the connection from that socket; other processes may connect to the same port. */
static int accept_from(int listener, int out)
{
    struct pollfd coming = {.fd = listener, .events = POLLIN};
    struct sockaddr_in ours = {0}, theirs = {0};
    socklen_t length = sizeof ours;

    if (getsockname(out, (struct sockaddr *)&ours, &length) != 0)
        return -1;
    while (poll(&coming, 1, CONNECT_MS) == 1) {
        socklen_t size = sizeof theirs;
        const int in = accept4(listener, (struct sockaddr *)&theirs, &size, SOCK_CLOEXEC);

        if (in < 0 && errno != ECONNABORTED && errno != EINTR)
            return -1;
        if (in >= 0 && theirs.sin_port == ours.sin_port && theirs.sin_addr.s_addr == ours.sin_addr.s_addr)
            return in;
        if (in >= 0)
            close(in);
    }
    errno = ETIMEDOUT;
    return -1;
}

/* A firewall may drop packets, so connecting has a time limit; sending later has none. */
static int connect_in_time(int out, const struct sockaddr_in *address)
{
    const struct timeval limit = {CONNECT_MS / 1000, 0}, no_limit = {0, 0};

    if (setsockopt(out, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0
        || connect(out, (const struct sockaddr *)address, sizeof *address) != 0)
        return -1;
    return setsockopt(out, SOL_SOCKET, SO_SNDTIMEO, &no_limit, sizeof no_limit);
}

/* Opens both ends of a connection; returns 0, or an errno. */
static int connect_pair(int *in, int *out)
{
    struct sockaddr_in address;
    const int listener = open_listener(&address);
    int error = 0;

    if (listener < 0)
        return errno;
    *in = -1;
    *out = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*out < 0 || connect_in_time(*out, &address) != 0 || (*in = accept_from(listener, *out)) < 0)
        error = errno == EINPROGRESS ? ETIMEDOUT : errno;
    if (error && *out >= 0)
        close(*out);
    close(listener);
    return error;
}

static int net_is_impossible(const struct load_setting *setting, char why[LOAD_WHY_MAX])
{
    int in, out;
    const int error = connect_pair(&in, &out);

    (void)setting;
    if (error) {
        snprintf(why, LOAD_WHY_MAX, "can't connect to 127.0.0.1: %s; bring up the loopback interface",
                 strerror(error));
        return 1;
    }
    close(in);
    close(out);
    return 0;
}

static void set_up_net(const struct load_setting *setting, struct load_shared *shared)
{
    pair_count = (load_threads(setting) + 1) / 2;
    pairs = load_allocate(shared, (size_t)pair_count * sizeof *pairs);
    for (int i = 0; i < pair_count; i++) {
        const int error = connect_pair(&pairs[i].in, &pairs[i].out);

        if (error)
            load_fail(shared, "can't connect to 127.0.0.1: %s; use a smaller -L", strerror(error));
        pairs[i].shared = shared;
        pairs[i].sent = load_allocate(shared, CHUNK_BYTES);
        pairs[i].received = load_allocate(shared, CHUNK_BYTES);
    }
}

static void *send_on(void *argument)
{
    const struct pair *pair = argument;

    while (send(pair->out, pair->sent, CHUNK_BYTES, MSG_NOSIGNAL) > 0 || errno == EINTR)
        continue;
    load_fail(pair->shared, "can't send to 127.0.0.1: %s", strerror(errno));
}

static void *receive_on(void *argument)
{
    const struct pair *pair = argument;

    for (;;) {
        const ssize_t count = recv(pair->in, pair->received, CHUNK_BYTES, 0);

        if (count == 0 || (count < 0 && errno != EINTR))
            load_fail(pair->shared, "can't receive from 127.0.0.1: %s", count ? strerror(errno) : "connection closed");
        if (count > 0)
            load_count(pair->shared, pair->part, (uint64_t)count);
    }
    return NULL;
}

static void start_net(const struct load_setting *setting, struct load_shared *shared, int part)
{
    (void)setting;
    for (int i = 0; i < pair_count; i++) {
        pairs[i].part = part;
        load_thread(shared, receive_on, &pairs[i]);
        load_thread(shared, send_on, &pairs[i]);
    }
}

const struct load load_net = {
    .name = "Net", .about = "streams of data over the loopback interface", .units = {"bytes"},
    .steady_ms = LOAD_STEADY_MS, .is_impossible = net_is_impossible, .set_up = set_up_net, .start = start_net
};
