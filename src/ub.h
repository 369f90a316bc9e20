/*
 * What the measured programs share: arguments, the start gate, the clock, the timer, the lines on
 * standard error.  Header only, so that each program is compiled whole with the flags that it is
 * measured with.
 */
#ifndef UB_H
#define UB_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define UB_UNUSED __attribute__((unused))
#define UB_NS_PER_S 1000000000ULL
#define UB_SECONDS_MAX 3600.0
#define UB_LOOPS_MAX 1000000000000ULL

/* Where the lines of the protocol go. */
static int ub_report = STDERR_FILENO;

/* Writes a line to standard error, by one write; ends the program when that fails, as nobody would know. */
UB_UNUSED __attribute__((format(printf, 1, 2)))
static void ub_say(const char *format, ...)
{
    char line[576];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (write(ub_report, line, strlen(line)) < 0)
        exit(1);
}

/* Reports "ERROR|message" and ends the program: status 2 for wrong arguments, 1 for what went wrong. */
UB_UNUSED __attribute__((noreturn, format(printf, 2, 3)))
static void ub_error(int status, const char *format, ...)
{
    char message[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ub_say("ERROR|%s\n", message);
    exit(status);
}

/* Ends the program because a system call failed: "ERROR|what: why", status 1. */
UB_UNUSED __attribute__((noreturn))
static void ub_failed(const char *what)
{
    ub_error(1, "%s: %s", what, strerror(errno));
}

/*
 * Sends what libraries say on standard error to standard output, so that only lines of the protocol go to the real one.
 * Standard handles that are closed become /dev/null, or the next file that is opened would get such lines.
 */
UB_UNUSED static void ub_hear_libraries(void)
{
    int handle;

    ub_report = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (ub_report < 0)
        ub_failed("standard error");
    do handle = open("/dev/null", O_RDWR); while (handle >= 0 && handle < STDERR_FILENO);
    if (handle < 0 || close(handle) != 0 || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        ub_failed("standard output");
}

/* Reads a decimal number of seconds, above 0 and at most an hour; anything else shows the usage. */
UB_UNUSED static double ub_seconds(const char *text, const char *usage)
{
    char *end;
    double seconds = strtod(text, &end);

    if (end == text || *end || text[strspn(text, "0123456789.")]
        || !(seconds > 0 && seconds <= UB_SECONDS_MAX))
        ub_error(2, "seconds must be above 0 and at most 3600, not \"%.40s\"; usage: %s", text, usage);
    return seconds;
}

/* Reads a whole number from low to high; anything else shows the usage. */
UB_UNUSED static unsigned long ub_whole(const char *name, const char *text, unsigned long low,
                                        unsigned long high, const char *usage)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end || errno || value < low || value > high)
        ub_error(2, "%s must be a whole number from %lu to %lu, not \"%.40s\"; usage: %s", name, low,
                 high, text, usage);
    return value;
}

/* How long a program works: for some seconds, or, with "-n LOOPS", for exactly so many loops. */
struct ub_work {
    double seconds;
    unsigned long loops;
};

/*
 * Takes "SECONDS" or "-n LOOPS" from the front of the arguments and moves argc and argv behind it, so
 * that argv[0] is the first argument that is left.
 */
UB_UNUSED static struct ub_work ub_take_work(int *argc, char ***argv, const char *usage)
{
    struct ub_work work = {0, 0};
    int taken = 2;

    if (*argc >= 3 && strcmp((*argv)[1], "-n") == 0) {
        work.loops = ub_whole("loops", (*argv)[2], 1, UB_LOOPS_MAX, usage);
        taken = 3;
    } else if (*argc >= 2) {
        work.seconds = ub_seconds((*argv)[1], usage);
    } else {
        ub_error(2, "seconds missing; usage: %s", usage);
    }
    *argc -= taken;
    *argv += taken;
    return work;
}

/* The same for programs that take nothing else. */
UB_UNUSED static struct ub_work ub_only_work(int argc, char **argv, const char *usage)
{
    struct ub_work work = ub_take_work(&argc, &argv, usage);

    if (argc > 0)
        ub_error(2, "unexpected argument \"%.40s\"; usage: %s", argv[0], usage);
    return work;
}

/* Nanoseconds of CLOCK_MONOTONIC. */
UB_UNUSED static uint64_t ub_now_ns(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        ub_failed("clock_gettime");
    return (uint64_t)now.tv_sec * UB_NS_PER_S + (uint64_t)now.tv_nsec;
}

UB_UNUSED static double ub_elapsed_s(uint64_t since_ns)
{
    return (double)(ub_now_ns() - since_ns) / (double)UB_NS_PER_S;
}

/*
 * Waits until all copies of a test may start.  UB_GATE=READY,GO names two descriptors: one byte on READY
 * says that this copy is set up, end of file on GO lets all copies go.  Without UB_GATE it returns at
 * once.  To be called right before the measured work, and before any fork or exec.
 */
UB_UNUSED static void ub_gate(void)
{
    const char *gate = getenv("UB_GATE");
    int ready, go;
    char byte = '.';
    ssize_t got;

    if (!gate)
        return;
    if (sscanf(gate, "%9d,%9d%c", &ready, &go, &byte) != 2 || ready <= STDERR_FILENO || go <= STDERR_FILENO)
        ub_error(2, "UB_GATE must be READY,GO, two descriptors, not \"%.40s\"", gate);
    unsetenv("UB_GATE");
    if (fcntl(ready, F_SETFD, FD_CLOEXEC) != 0 || fcntl(go, F_SETFD, FD_CLOEXEC) != 0)
        ub_failed("UB_GATE");
    if (write(ready, &byte, 1) != 1)
        ub_failed("UB_GATE: write");
    close(ready);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* whoever opens the gate is not to be outlived; children are not bound by it */
#endif
    while ((got = read(go, &byte, 1)) > 0 || (got < 0 && errno == EINTR))
        continue;
    if (got < 0)
        ub_failed("UB_GATE: read");
    close(go);
}

/* Sends SIGALRM to this program once, that many seconds from now, for the handler or for a wait. */
UB_UNUSED static void ub_timer(double seconds, void (*handler)(int))
{
    struct sigaction action;
    struct itimerval timer;

    memset(&action, 0, sizeof action);
    memset(&timer, 0, sizeof timer);
    action.sa_handler = handler;
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6);
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
        timer.it_value.tv_usec = 1;
    if (sigaction(SIGALRM, &action, NULL) != 0)
        ub_failed("sigaction");
    if (setitimer(ITIMER_REAL, &timer, NULL) != 0)
        ub_failed("setitimer");
}

/* Lets a signal through, which whoever started this program may have blocked. */
UB_UNUSED static void ub_unblock(int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    if (sigprocmask(SIG_UNBLOCK, &set, NULL) != 0)
        ub_failed("sigprocmask");
}

/* Calls the handler once, that many seconds from now. */
UB_UNUSED static void ub_alarm(double seconds, void (*handler)(int))
{
    ub_timer(seconds, handler);
    ub_unblock(SIGALRM);
}

/*
 * For programs that wait for their children.  When SIGCHLD is inherited ignored, the kernel waits for them itself and
 * says nothing about them.
 */
UB_UNUSED static void ub_await_children(void)
{
    if (signal(SIGCHLD, SIG_DFL) == SIG_ERR)
        ub_failed("signal");
}

/* Writes a number in decimal digits in front of a place; returns where they begin.  Safe in a signal handler. */
UB_UNUSED static inline char *ub_digits(char *at, unsigned long number)
{
    do *--at = (char)('0' + number % 10); while (number /= 10);
    return at;
}

/* Writes a text in front of a place; returns where it begins. */
UB_UNUSED __attribute__((always_inline)) static inline char *ub_text(char *at, const char *text)
{
    size_t length = strlen(text);

    return memcpy(at - length, text, length);
}

/* Reports "COUNT|count|timebase|label" by one write; safe in a signal handler. */
UB_UNUSED static void ub_count(unsigned long count, unsigned timebase, const char *label)
{
    char line[128], *end = line + sizeof line, *at;

    at = ub_text(ub_text(end, "\n"), label);
    at = ub_digits(ub_text(at, "|"), timebase);
    at = ub_digits(ub_text(at, "|"), count);
    at = ub_text(at, "COUNT|");
    if (write(ub_report, at, (size_t)(end - at)) < 0)
        _exit(1);
}

/* Reports "TIME|seconds": what the work took, where the copy's own elapsed time is not that. */
UB_UNUSED static void ub_time(double seconds)
{
    ub_say("TIME|%.9f\n", seconds);
}

#endif
