/* Signals are named as the harness names them. */
#include "incidents.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>

void incident_note(struct incidents *incidents, int user, const struct script_line *line, const char *format, ...)
{
    struct incident *incident;
    va_list arguments;

    if (incidents->count++ >= INCIDENTS_KEPT)
        return;
    incident = &incidents->kept[incidents->count - 1];
    *incident = (struct incident){.user = user, .line = line};
    va_start(arguments, format);
    vsnprintf(incident->what, sizeof incident->what, format, arguments);
    va_end(arguments);
}

void incidents_add(struct incidents *all, const struct incidents *more, int users)
{
    for (int i = 0; i < more->count; i++, all->count++)
        if (i < INCIDENTS_KEPT && all->count < INCIDENTS_KEPT) {
            all->kept[all->count] = more->kept[i];
            all->kept[all->count].users = users;
        }
}

static const char *signal_name(int signal)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {
        {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"},
        {SIGFPE, "SIGFPE"},   {SIGKILL, "SIGKILL"}, {SIGSEGV, "SIGSEGV"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"},
        {SIGTERM, "SIGTERM"}, {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"}, {SIGBUS, "SIGBUS"},   {SIGSYS, "SIGSYS"},
        {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGTRAP, "SIGTRAP"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == signal)
            return names[i].name;
    return NULL;
}

const char *ending_in_words(int wait_status)
{
    static char words[40];
    const char *name = WIFSIGNALED(wait_status) ? signal_name(WTERMSIG(wait_status)) : NULL;

    if (name)
        snprintf(words, sizeof words, "killed by %s", name);
    else if (WIFSIGNALED(wait_status))
        snprintf(words, sizeof words, "killed by signal %d", WTERMSIG(wait_status));
    else
        snprintf(words, sizeof words, "exit status %d", WEXITSTATUS(wait_status));
    return words;
}
