/*
 * looper [-w] seconds command [arguments]: how often a command can be run, in loops a minute ("lpm").  If standard
 * input is a file, it is rewound before each loop.  A command that can't be run, or fails, is an error.
 *
 * When the time is up, looper ends the command that is running and everything that it has started, and does not count
 * that loop.  In a pass of a second or two, which has only a few loops, this would cost some percent of the score.  So
 * -w measures whole loops, at least one: the time is that from the start of the first loop to the end of the last.
 *
 * Commands find a private directory for their files in UB_SCRATCH.  Without that variable, looper makes one in
 * UB_TMPDIR or /tmp, once for all loops.  It removes the directory at the end, also when it is ended by SIGHUP, SIGINT
 * or SIGTERM.
 */
#include "ub.h"
#include <ctype.h>
#include <dirent.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

static const char usage[] = "looper [-w] SECONDS COMMAND [ARGUMENTS] | looper -n LOOPS COMMAND [ARGUMENTS]";

static sigset_t awaited, inherited;
static int *exec_error;
static char scratch[4096];

static int remove_entry(const char *path, UB_UNUSED const struct stat *entry, UB_UNUSED int kind,
                        UB_UNUSED struct FTW *place)
{
    remove(path);
    return 0;
}

static void remove_scratch(void)
{
    nftw(scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/*
 * Makes a scratch directory, unless UB_SCRATCH names one.  Without one, commands that need it make their own, or fail.
 */
static void provide_scratch(void)
{
    const char *given = getenv("UB_SCRATCH"), *place = getenv("UB_TMPDIR");
    int length;

    if (given && *given)
        return;
    length = snprintf(scratch, sizeof scratch, "%s/looper-XXXXXX", place && *place ? place : "/tmp");
    if (length < 0 || (size_t)length >= sizeof scratch || !mkdtemp(scratch)) {
        *scratch = '\0';
        return;
    }
    if (atexit(remove_scratch) != 0 || setenv("UB_SCRATCH", scratch, 1) != 0) {
        remove_scratch();
        ub_error(1, "looper: not enough memory for the name of a scratch directory");
    }
}

static void ignore(UB_UNUSED int signal)
{
}

static void await_signal_unless_ignored(int signal)
{
    struct sigaction action;

    if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset(&awaited, signal);
}

/* Blocks the signals for which has_ended() waits, so that none comes before it waits. */
static void await_signals(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = ignore;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGALRM);
    if (*scratch) {
        await_signal_unless_ignored(SIGHUP);
        await_signal_unless_ignored(SIGINT);
        await_signal_unless_ignored(SIGTERM);
    }
    if (sigaction(SIGCHLD, &action, NULL) != 0 || sigprocmask(SIG_BLOCK, &awaited, &inherited) != 0)
        ub_failed("looper: signals");
}

/*
 * Makes this process the parent of orphans: descendants whose own parent has ended.  Linux before 3.4 and qemu's
 * emulator of programs do not know this request.  There, only Run finds the orphans.
 */
static void adopt_orphans(void)
{
#ifdef __linux__
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 && errno != EINVAL)
        ub_failed("looper: prctl");
#endif
}

static void kill_child(pid_t child)
{
    if (child > 0)
        kill(child, SIGKILL);
}

/* Kills the children that the kernel lists; returns 0 if it keeps no list. */
static int kill_listed_children(void)
{
    FILE *list = fopen("/proc/thread-self/children", "r");
    int child;

    if (!list)
        return 0;
    while (fscanf(list, "%d", &child) == 1)
        kill_child(child);
    fclose(list);
    return 1;
}

/*
 * Returns the parent of a process, 0 if it is unknown.  In the file it is the second word after the name.  The name is
 * in parentheses and may contain any character.
 */
static pid_t parent_of(const char *pid)
{
    char path[64], line[512], *name_end;
    int parent = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    file = fopen(path, "r");
    if (!file)
        return 0;
    line[fread(line, 1, sizeof line - 1, file)] = '\0';
    fclose(file);
    name_end = strrchr(line, ')');
    if (name_end)
        sscanf(name_end + 1, " %*c %d", &parent);
    return parent;
}

/* Kills the children that a search of all processes finds; returns 0 if there is no /proc. */
static int kill_children_found(void)
{
    DIR *processes = opendir("/proc");
    struct dirent *entry;

    if (!processes)
        return 0;
    while ((entry = readdir(processes)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == getpid())
            kill_child(atoi(entry->d_name));
    closedir(processes);
    return 1;
}

/* Returns whether the process IDs in /proc are those that kill takes: a container may show others. */
static int is_proc_ours(void)
{
    char self[32] = "";

    return readlink("/proc/self", self, sizeof self - 1) > 0 && atoi(self) == getpid();
}

/*
 * Kills the command, which may be 0, and all descendants, and waits for them.  The orphans of a killed child become
 * children of this process, so it looks for children again until there are none.
 */
static void end_descendants(pid_t command)
{
    if (is_proc_ours()) {
        do {
            if (!kill_listed_children())
                kill_children_found();
        } while (waitpid(-1, NULL, 0) > 0);
    } else if (command > 0) {
        kill_child(command);
        waitpid(command, NULL, 0);
    }
}

__attribute__((noreturn))
static void become(char **command)
{
    sigprocmask(SIG_SETMASK, &inherited, NULL);
    execvp(command[0], command);
    *exec_error = errno;
    _exit(127);
}

static pid_t start(char **command, int is_rewound)
{
    pid_t child;

    if (is_rewound && lseek(STDIN_FILENO, 0, SEEK_SET) != 0)
        ub_failed("looper: standard input");
    child = fork();
    if (child == 0)
        become(command);
    if (child < 0)
        ub_failed("looper: fork");
    return child;
}

/* Ends the descendants, removes the scratch directory, and then ends this program by the signal that came. */
__attribute__((noreturn))
static void give_way(pid_t command, int signal)
{
    sigset_t set;

    end_descendants(command);
    remove_scratch();
    sigemptyset(&set);
    sigaddset(&set, signal);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    _exit(128 + signal);
}

/*
 * Waits until the command has ended and returns 1, with its status; or returns 0 when the time is up.  Orphans may end
 * meanwhile.  It is an error if a process was stopped or continued, because it has not worked all the time.
 */
static int has_ended(pid_t command, int *status)
{
    pid_t child;
    int signal;

    for (;;) {
        if (sigwait(&awaited, &signal) != 0)
            ub_error(1, "looper: sigwait failed");
        if (signal == SIGALRM)
            return 0;
        if (signal != SIGCHLD)
            give_way(command, signal);
        while ((child = waitpid(-1, status, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
            if (WIFSTOPPED(*status) || WIFCONTINUED(*status)) {
                end_descendants(command);
                ub_error(1, "looper: the command was stopped");
            }
            if (child == command)
                return 1;
        }
    }
}

__attribute__((noreturn))
static void report_failure(const char *command, int status)
{
    if (*exec_error)
        ub_error(1, "looper: %s: %s", command, strerror(*exec_error));
    if (WIFSIGNALED(status))
        ub_error(1, "looper: %s: ended by signal %d (%s)", command, WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    ub_error(1, "looper: %s: ended with status %d", command, WEXITSTATUS(status));
}

/* Removes -w from the arguments; returns whether it was there. */
static int take_whole(int *argc, char ***argv)
{
    if (*argc < 2 || strcmp((*argv)[1], "-w") != 0)
        return 0;
    (*argv)[1] = (*argv)[0];
    --*argc;
    ++*argv;
    return 1;
}

int main(int argc, char **argv)
{
    const int is_whole = take_whole(&argc, &argv);
    struct ub_work work = ub_take_work(&argc, &argv, usage);
    unsigned long loops = 0;
    int is_over = 0;
    struct stat input;
    int is_rewound, status;
    uint64_t start_ns;
    double elapsed_s, whole_s = 0;
    pid_t command;

    if (argc == 0)
        ub_error(2, "command missing; usage: %s", usage);
    is_rewound = fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode);
    exec_error = mmap(NULL, sizeof *exec_error, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (exec_error == MAP_FAILED)
        ub_failed("looper: mmap");
    provide_scratch();
    await_signals();
    adopt_orphans();
    ub_gate();

    start_ns = ub_now_ns();
    if (work.loops == 0)
        ub_timer(work.seconds, ignore);
    do {
        command = start(argv, is_rewound);
        is_over = !has_ended(command, &status);
        if (is_over && !(is_whole && loops == 0 && has_ended(command, &status)))
            break;
        command = 0;
        whole_s = ub_elapsed_s(start_ns);
        if (status != 0) {
            end_descendants(0);
            report_failure(argv[0], status);
        }
    } while (++loops != work.loops && !is_over);
    elapsed_s = is_whole ? whole_s : ub_elapsed_s(start_ns);
    end_descendants(command);
    remove_scratch(); /* a report that can't be written ends this program at once */
    ub_count(loops, 60, "lpm");
    ub_time(elapsed_s);
    return 0;
}
