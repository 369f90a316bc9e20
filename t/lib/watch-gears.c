/*
 * A library that the tests load into ubgears: it logs the frames, and interferes.  It is controlled by the environment:
 *
 *   WATCH_LOG=FILE         for each glFinish a line: the number of frames until then, and the time in seconds
 *   WATCH_STOP=N           stops the process once, after the first counted frame whose number modulo 9 is N
 *   WATCH_DO=WORD,...      after the third frame: a key of that name is pressed; or close, resize, hide, error; any
 *                          other word is printed on standard error
 *   WATCH_WITHOUT=NAME     a function that fails, or does nothing
 *   WATCH_STEP=N           each reading of the clock moves it by N milliseconds, and nothing else does
 */
#define _GNU_SOURCE
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define NUMBER_OF_COUNTING 3 /* the glFinish that starts counting; the first two start and end the warm-up */

static unsigned long frames;
static int finishes, has_stopped;
static long looks;

/* Makes this process end with the test: a stopped process would outlive a test that dies. */
__attribute__((constructor))
static void end_with_test(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int is_without(const char *name)
{
    const char *without = getenv("WATCH_WITHOUT");

    return without && strcmp(without, name) == 0;
}

/* Closes the window as a window manager does.  It asks programs that know WM_DELETE_WINDOW, and kills the others. */
static void close_window(Display *display, Window window)
{
    Atom wanted = XInternAtom(display, "WM_DELETE_WINDOW", False), *known = NULL;
    int count = 0, is_known = 0;
    XEvent event;

    XGetWMProtocols(display, window, &known, &count);
    while (count > 0)
        is_known |= known[--count] == wanted;
    if (!is_known)
        XKillClient(display, window);
    memset(&event, 0, sizeof event);
    event.xclient.type = ClientMessage;
    event.xclient.window = window;
    event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = (long)wanted;
    XSendEvent(display, window, False, NoEventMask, &event);
}

static void press_key(Display *display, Window window, KeySym key)
{
    XEvent event;

    memset(&event, 0, sizeof event);
    event.xkey.type = KeyPress;
    event.xkey.window = window;
    event.xkey.keycode = XKeysymToKeycode(display, key);
    XSendEvent(display, window, False, NoEventMask, &event);
}

static void happen(Display *display, Window window, const char *what)
{
    if (strcmp(what, "close") == 0)
        close_window(display, window);
    else if (strcmp(what, "resize") == 0)
        XResizeWindow(display, window, 200, 400);
    else if (strcmp(what, "hide") == 0)
        XUnmapWindow(display, window);
    else if (strcmp(what, "error") == 0)
        XMapWindow(display, None);
    else if (XStringToKeysym(what) != NoSymbol)
        press_key(display, window, XStringToKeysym(what));
    else
        fprintf(stderr, "%s\n", what);
}

static void let_happen(Display *display, Window window)
{
    char *all = strdup(getenv("WATCH_DO") ? getenv("WATCH_DO") : ""), *rest = all, *what;

    while ((what = strsep(&rest, ",")) != NULL && *what)
        happen(display, window, what);
    free(all);
    XSync(display, False);
}

static void stop_here(Display *display)
{
    const char *number = getenv("WATCH_STOP");

    if (!number || has_stopped || finishes < NUMBER_OF_COUNTING || frames % 9 != strtoul(number, NULL, 10))
        return;
    has_stopped = 1;
    XSync(display, False);
    raise(SIGSTOP);
}

void glXSwapBuffers(Display *display, GLXDrawable drawable)
{
    REAL(glXSwapBuffers)(display, drawable);
    if (++frames == 3)
        let_happen(display, drawable);
    stop_here(display);
}

void glFinish(void)
{
    FILE *log = fopen(getenv("WATCH_LOG"), "a");
    struct timespec now;

    REAL(glFinish)();
    finishes++;
    clock_gettime(CLOCK_MONOTONIC, &now);
    fprintf(log, "%lu %.9f\n", frames, (double)now.tv_sec + (double)now.tv_nsec / 1e9);
    fclose(log);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    const char *step = getenv("WATCH_STEP");
    int result = REAL(clock_gettime)(clock, now);
    long ms;

    if (step && clock == CLOCK_MONOTONIC) {
        ms = __atomic_add_fetch(&looks, 1, __ATOMIC_SEQ_CST) * atol(step);
        now->tv_sec = ms / 1000;
        now->tv_nsec = ms % 1000 * 1000000;
    }
    return result;
}

int XMapWindow(Display *display, Window window)
{
    return is_without("XMapWindow") ? 1 : REAL(XMapWindow)(display, window);
}

XVisualInfo *glXChooseVisual(Display *display, int screen, int *wanted)
{
    return is_without("glXChooseVisual") ? NULL : REAL(glXChooseVisual)(display, screen, wanted);
}

GLXContext glXCreateContext(Display *display, XVisualInfo *visual, GLXContext other, Bool is_direct)
{
    return is_without("glXCreateContext") ? NULL : REAL(glXCreateContext)(display, visual, other, is_direct);
}
