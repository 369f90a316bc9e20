/*
 * The modules of Whetstone as Curnow and Wichmann published them, in one function with its own variables, written for
 * t-all/build/whetstone.t.  Runs all modules as many times as its argument says.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

void whetstones(long times, long x100);
void pa(double e[4], double t, double t2);
void po(double e[4], long j, long k, long l);
void p3(double *x, double *y, double *z, double t, double t1, double t2);

double results[8];

void pa(double e[4], double t, double t2)
{
    long j;

    for (j = 0; j < 6; j++) {
        e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
        e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
        e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
        e[3] = (-e[0] + e[1] + e[2] + e[3]) / t2;
    }
}

void po(double e[4], long j, long k, long l)
{
    e[j] = e[k];
    e[k] = e[l];
    e[l] = e[j];
}

void p3(double *x, double *y, double *z, double t, double t1, double t2)
{
    *x = *y;
    *y = *z;
    *x = t * (*x + *y);
    *y = t1 * (*x + *y);
    *z = (*x + *y) / t2;
}

static double clock_s(void)
{
    struct timeval now;

    gettimeofday(&now, NULL);
    return (double)now.tv_sec + (double)now.tv_usec * 1e-6;
}

static __attribute__((noinline)) void module(int number, double result, double seconds)
{
    results[number] = result;
    printf("N%d %20.17f %10.6f\n", number + 1, result, seconds);
}

void whetstones(long times, long x100)
{
    double t = 0.49999975, t0 = t, t1 = 0.50000025, t2 = 2.0, x, y, z, e[4], start_s;
    long j, k, l, i, n;

    e[0] = 1.0;
    e[1] = -1.0;
    e[2] = -1.0;
    e[3] = -1.0;
    start_s = clock_s();
    for (n = 0; n < times; n++) {
        for (i = 0; i < 12 * x100 * 10; i++) {
            e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
            e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
            e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
            e[3] = (-e[0] + e[1] + e[2] + e[3]) * t;
        }
        t = 1.0 - t;
    }
    t = t0;
    module(0, e[3], (clock_s() - start_s) / 10);

    start_s = clock_s();
    for (n = 0; n < times; n++) {
        for (i = 0; i < 14 * x100; i++)
            pa(e, t, t2);
        t = 1.0 - t;
    }
    t = t0;
    module(1, e[3], clock_s() - start_s);

    j = 1;
    start_s = clock_s();
    for (n = 0; n < times; n++)
        for (i = 0; i < 345 * x100; i++) {
            if (j == 1) j = 2;
            else j = 3;
            if (j > 2) j = 0;
            else j = 1;
            if (j < 1) j = 1;
            else j = 0;
        }
    module(2, (double)j, clock_s() - start_s);

    j = 1;
    k = 2;
    l = 3;
    start_s = clock_s();
    for (n = 0; n < times; n++)
        for (i = 0; i < 210 * x100; i++) {
            j = j * (k - j) * (l - k);
            k = l * k - (l - j) * k;
            l = (l - k) * (k + j);
            e[l - 2] = (double)(j + k + l);
            e[k - 2] = (double)(j * k * l);
        }
    module(3, e[0] + e[1], clock_s() - start_s);

    x = 0.5;
    y = 0.5;
    start_s = clock_s();
    for (n = 0; n < times; n++) {
        for (i = 1; i < 32 * x100; i++) {
            x = t * atan(t2 * sin(x) * cos(x) / (cos(x + y) + cos(x - y) - 1.0));
            y = t * atan(t2 * sin(y) * cos(y) / (cos(x + y) + cos(x - y) - 1.0));
        }
        t = 1.0 - t;
    }
    t = t0;
    module(4, y, clock_s() - start_s);

    x = y = z = 1.0;
    start_s = clock_s();
    for (n = 0; n < times; n++)
        for (i = 0; i < 899 * x100; i++)
            p3(&x, &y, &z, t, t1, t2);
    module(5, z, clock_s() - start_s);

    j = 0;
    k = 1;
    l = 2;
    e[0] = 1.0;
    e[1] = 2.0;
    e[2] = 3.0;
    start_s = clock_s();
    for (n = 0; n < times; n++)
        for (i = 0; i < 616 * x100; i++)
            po(e, j, k, l);
    module(6, e[2], clock_s() - start_s);

    x = 0.75;
    start_s = clock_s();
    for (n = 0; n < times; n++)
        for (i = 0; i < 93 * x100; i++)
            x = sqrt(exp(log(x) / t1));
    module(7, x, clock_s() - start_s);
}

int main(int argc, char **argv)
{
    long times = argc > 1 ? atol(argv[1]) : 1, trial = 1, x100 = 100;

    do {
        whetstones(trial, x100);
        trial *= 5;
    } while (results[2] > 1.0);
    whetstones(times, x100);
    return 0;
}
