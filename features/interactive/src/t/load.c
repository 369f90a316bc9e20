/*
 * load NAME [key=value ...]: runs one load, from start to end, in a process and a process group of its own.  Prints a
 * line for each thing that can be observed.
 */
#include "loads/load.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "tasks.h"

static struct load_setting setting = {
    .max_disk_bytes = 32 * MIB, .max_memory_bytes = 32 * MIB, .directory = ".", .read_file = -1,
    .loops_per_ms = 1000000, .seed = 1
};

/* The values of the keys: limits of the load's process, how long it works, how it ends, and faults meanwhile. */
static int64_t threads = 2, is_forced, is_full, is_failing, has_custom, user;
static int64_t addresses = -1, processes = -1, files = -1, patience_ms = 20000, least = 1;
static const char *end = "TERM";

static const struct {
    const char *key;
    int64_t *number, unit;
} numbers[] = {
    {"threads", &threads, 1},
    {"disk", &setting.max_disk_bytes, MIB},
    {"memory", &setting.max_memory_bytes, MIB},
    {"custom", &has_custom, 1},
    {"forced", &is_forced, 1}, /* runs even if it is impossible */
    {"failing", &is_failing, 1}, /* waits until the load ends, or patience does */
    {"full", &is_full, 1}, /* fills the file system before the load starts */
    {"least", &least, 1}, /* the progress that each part has to reach */
    {"patience", &patience_ms, 1},
    {"addresses", &addresses, MIB}, /* in addition to those that it has when it starts */
    {"processes", &processes, 1},
    {"files", &files, 1},
    {"user", &user, 1},
};

static const struct {
    const char *key, **text;
} texts[] = {
    {"directory", &setting.directory},
    {"command", &setting.command},
    {"end", &end}, /* TERM or KILL to the group, or first: KILL to its first process */
};

static struct load_shared *shared;

static const char *value_of(const char *word, const char *key)
{
    const size_t length = strlen(key);

    return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static void take_word(const char *word)
{
    const char *value;

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if ((value = value_of(word, numbers[i].key)) != NULL) {
            *numbers[i].number = strtoll(value, NULL, 10) * numbers[i].unit;
            return;
        }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if ((value = value_of(word, texts[i].key)) != NULL) {
            *texts[i].text = value;
            return;
        }
    fprintf(stderr, "load: what is \"%s\"?\n", word);
    exit(1);
}

/* Returns the size of this process in bytes, to which the limit of addresses is relative: sanitizers use many. */
static int64_t size_bytes(void)
{
    long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (!file || fscanf(file, "%lld", &pages) != 1)
        perror("statm");
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void limit(int resource, int64_t value)
{
    struct rlimit limit = {(rlim_t)value, (rlim_t)value};

    if (value >= 0 && setrlimit(resource, &limit) != 0)
        perror("setrlimit");
}

static void take_limits(void)
{
    if (user && (setgid((gid_t)user) != 0 || setuid((uid_t)user) != 0))
        perror("setuid");
    limit(RLIMIT_AS, addresses < 0 ? -1 : size_bytes() + addresses);
    limit(RLIMIT_NPROC, processes);
    limit(RLIMIT_NOFILE, files);
}

static void live(const struct load *load, int ready, int go)
{
    char byte = '.';

    setpgid(0, 0);
    take_limits();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (load->set_up)
        load->set_up(&setting, shared);
    if (write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1)
        _exit(9);
    close(ready);
    close(go);
    if (load->start)
        load->start(&setting, shared, 0);
    for (;;)
        pause();
}

static int has_counted(const struct load *load)
{
    for (int i = 0; i < load_parts(load); i++)
        if (atomic_load(&shared->done[i]) < (uint64_t)least)
            return 0;
    return load->steady_ms > 0 || !load->start || atomic_load(&shared->is_steady);
}

/* Returns whether the load has not ended yet. */
static int is_running(pid_t pid)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

static void await_counts(const struct load *load, pid_t pid)
{
    const struct timespec pause = {0, 5 * NS_PER_MS};
    const int64_t until_ns = monotonic_ns() + patience_ms * NS_PER_MS;

    while (is_running(pid) && (is_failing || !has_counted(load)) && monotonic_ns() < until_ns)
        nanosleep(&pause, NULL);
}

/* Returns the process group of a process, or -1, and its state.  Both follow its name, which is in parentheses. */
static int group_of(const char *pid, char *state)
{
    char path[64], line[512], *name_end;
    int group = -1;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    file = fopen(path, "r");
    if (!file)
        return -1;
    line[fread(line, 1, sizeof line - 1, file)] = '\0';
    fclose(file);
    name_end = strrchr(line, ')');
    if (name_end)
        sscanf(name_end + 1, " %c %*d %d", state, &group);
    return group;
}

/* Open files that have no name any more. */
struct nameless {
    int count;
    int64_t largest_bytes;
};

static void note_nameless(int directory, const char *name, struct nameless *nameless)
{
    struct stat file;

    nameless->count++;
    if (fstatat(directory, name, &file, 0) == 0 && file.st_size > nameless->largest_bytes)
        nameless->largest_bytes = file.st_size;
}

/* Returns the number of descriptors of a process from 3 on, and adds its nameless files. */
static int count_descriptors(const char *pid, struct nameless *nameless)
{
    char path[64], target[512];
    int count = 0;
    DIR *list;

    snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
    list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        const ssize_t length = readlinkat(dirfd(list), entry->d_name, target, sizeof target - 1);

        if (length < 0 || atoi(entry->d_name) < 3)
            continue;
        target[length] = '\0';
        if (strstr(target, " (deleted)"))
            note_nameless(dirfd(list), entry->d_name, nameless);
        count++;
    }
    if (list)
        closedir(list);
    return count;
}

/* Prints the number of processes in the group without the first, and the fewest and most descriptors of one. */
static void print_members(pid_t group)
{
    int count = 0, fewest = 1 << 20, most = 0;
    DIR *list = opendir("/proc");
    struct nameless nameless = {0, 0};

    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;) {
        char state = 'Z';

        if (atoi(entry->d_name) <= 0 || atoi(entry->d_name) == group || group_of(entry->d_name, &state) != group
            || state == 'Z')
            continue;
        const int descriptors = count_descriptors(entry->d_name, &nameless);

        count++;
        fewest = descriptors < fewest ? descriptors : fewest;
        most = descriptors > most ? descriptors : most;
    }
    if (list)
        closedir(list);
    printf("processes|%d\ndescriptors|%d|%d\n", count, count ? fewest : 0, most);
}

static int count_names(const char *directory)
{
    DIR *list = opendir(directory);
    int count = 0;

    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (list)
        closedir(list);
    return count;
}

/* Prints how many percent of the file for Read are in memory. */
static void print_resident(void)
{
    const long page_bytes = sysconf(_SC_PAGESIZE);
    static unsigned char pages[1 << 16];
    struct stat file;
    long resident = 0, count;

    if (setting.read_file < 0 || fstat(setting.read_file, &file) != 0)
        return;
    count = file.st_size / page_bytes;
    void *start = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_SHARED, setting.read_file, 0);
    if (start == MAP_FAILED || count > (long)sizeof pages || mincore(start, (size_t)file.st_size, pages) != 0)
        return perror("mincore");
    for (long i = 0; i < count; i++)
        resident += pages[i] & 1;
    printf("resident|%ld\n", 100 * resident / count);
}

static void print_running(const struct load *load, pid_t pid)
{
    struct nameless nameless = {0, 0};
    char number[24];

    snprintf(number, sizeof number, "%d", (int)pid);
    count_descriptors(number, &nameless);
    for (int i = 0; i < load_parts(load); i++)
        printf("part|%s|%s\n", load->units[i], atomic_load(&shared->done[i]) >= (uint64_t)least ? "counts" : "nothing");
    printf("steady|%d\nnames|%d\nnameless|%d\nlargest|%lld\n", atomic_load(&shared->is_steady),
           count_names(setting.directory), nameless.count, (long long)(nameless.largest_bytes / MIB));
    print_resident();
    print_members(pid);
}

/* Makes a nameless file that takes all the space that is left. */
static void fill_up(void)
{
    static const char zeros[1 << 16];
    const int file = open(setting.directory, O_TMPFILE | O_RDWR, 0600);

    while (write(file, zeros, sizeof zeros) > 0)
        continue;
}

/* Ends the group, or its first process alone; prints how that ended, and how many processes are left after 10 s. */
static void finish(pid_t pid)
{
    const int64_t until_ns = monotonic_ns() + 10 * NS_PER_S;
    int status = -1, left = 0;
    pid_t ended;

    if (strcmp(end, "first") == 0)
        kill(pid, SIGKILL);
    else
        kill(-pid, strcmp(end, "KILL") == 0 ? SIGKILL : SIGTERM);
    do {
        int one;

        ended = waitpid(-1, &one, WNOHANG);
        if (ended == pid)
            status = one;
        if (ended == 0)
            usleep(2000);
    } while (ended >= 0 && monotonic_ns() < until_ns);
    for (kill(-pid, SIGKILL); waitpid(-1, NULL, 0) > 0;)
        left++;
    if (WIFSIGNALED(status))
        printf("ended|signal|%d\n", WTERMSIG(status));
    else
        printf("ended|status|%d\n", WEXITSTATUS(status));
    printf("left|%d\nnames|%d\n", left, count_names(setting.directory));
}

static void watch(const struct load *load)
{
    int ready[2], go[2];
    char byte = '.';
    pid_t pid;

    if (pipe(ready) != 0 || pipe(go) != 0 || (pid = fork()) < 0)
        return perror("load");
    if (pid == 0) {
        close(ready[0]);
        close(go[1]);
        live(load, ready[1], go[0]);
    }
    setpgid(pid, pid);
    close(ready[1]);
    close(go[0]);
    if (read(ready[0], &byte, 1) == 1) {
        if (is_full)
            fill_up();
        if (write(go[1], &byte, 1) == 1)
            await_counts(load, pid);
        print_running(load, pid);
    }
    finish(pid);
    printf("why|%s\n", shared->why);
}

int main(int argc, char **argv)
{
    const struct load *load = argc > 1 ? loads_find(argv[1]) : NULL;
    char why[LOAD_WHY_MAX];

    if (!load)
        return 1;
    for (int i = 2; i < argc; i++)
        take_word(argv[i]);
    setting.threads = (int)threads;
    if (has_custom)
        tasks_define_custom(30, 20000);
    if (!is_forced && load->is_impossible && load->is_impossible(&setting, why)) {
        printf("impossible|%s\n", why);
        return 0;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (load->is_reading) {
        const int error = load_prepare_files(&setting);

        printf("read|%s\n", error ? strerror(error) : load_reads_disk(&setting) ? "disk" : "cached");
    }
    fflush(stdout);
    watch(load);
    return 0;
}
