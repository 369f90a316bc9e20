/*
 * Work and sleep:
 *
 *   work loops DEMAND LOOPS   prints the number of loops for a demand, with LOOPS in a millisecond
 *   work sleep MOMENT...      sleeps for each time while a timer interrupts, and prints whether it slept that long
 */
#include "work.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "clock.h"

static volatile sig_atomic_t alarms;

static void count_alarm(int signal)
{
    (void)signal;
    alarms = alarms + 1;
}

static void interrupt_each_ms(void)
{
    struct sigaction action = {.sa_handler = count_alarm};
    struct itimerval each_ms = {{0, 1000}, {0, 1000}};

    if (sigaction(SIGALRM, &action, NULL) != 0 || setitimer(ITIMER_REAL, &each_ms, NULL) != 0)
        exit(1);
}

static void print_sleep(int64_t moment_ns)
{
    struct clock clock = clock_monotonic();

    moment_ns += monotonic_ns();
    clock.sleep_until(clock.self, moment_ns);
    puts(clock.now_ns(clock.self) >= moment_ns ? "yes" : "no");
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";

    if (strcmp(what, "loops") == 0 && argc == 4) {
        printf("%llu\n", (unsigned long long)loops_of(atoll(argv[2]), atoll(argv[3])));
    } else if (strcmp(what, "sleep") == 0) {
        interrupt_each_ms();
        for (int i = 2; i < argc; i++)
            print_sleep(atoll(argv[i]));
        puts(alarms > 0 ? "interrupted" : "not interrupted");
    } else {
        return 2;
    }
    return 0;
}
