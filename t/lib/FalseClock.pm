package FalseClock;

# A library that shows programs a false clock: FALSE_CLOCK says how many times as fast it goes since the program began.

use strict;
use warnings;

use Exporter   qw(import);
use File::Temp ();

our @EXPORT_OK = qw(preloaded);

my $SOURCE = <<'END';
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct timespec began;

__attribute__((constructor)) static void begin(void)
{
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &began);
}

int clock_gettime(clockid_t id, struct timespec *time)
{
    const char *factor = getenv("FALSE_CLOCK");
    long long passed;
    int status = (int)syscall(SYS_clock_gettime, id, time);

    if (status != 0 || id != CLOCK_MONOTONIC || !factor)
        return status;
    passed = (time->tv_sec - began.tv_sec) * 1000000000LL + time->tv_nsec - began.tv_nsec;
    passed = (long long)((double)passed * atof(factor)) + began.tv_nsec;
    time->tv_sec = began.tv_sec + passed / 1000000000LL - (passed % 1000000000LL < 0);
    time->tv_nsec = (passed % 1000000000LL + 1000000000LL) % 1000000000LL;
    return 0;
}
END

my $place;

# Returns the path of the library, for LD_PRELOAD; undef if it can't be built or loaded.
sub preloaded {
    return if $^O ne 'linux' || length(pack q{p}, q{}) != 8;
    $place = File::Temp->newdir;
    open my $file, '>', "$place/clock.c" or die "$place/clock.c: $!\n";
    print {$file} $SOURCE;
    close $file or die "$place/clock.c: $!\n";
    return if system("cc -shared -fPIC -o $place/clock.so $place/clock.c 2>/dev/null") != 0;
    local @ENV{qw(LD_PRELOAD FALSE_CLOCK)} = ("$place/clock.so", 0);
    my $is_loaded = !system "$^X -e 1";
    return $is_loaded ? "$place/clock.so" : undef;
}

1;
