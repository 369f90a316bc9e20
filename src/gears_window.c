/* Opens and shows the window of ubgears: one display, one window, one context of OpenGL. */
#include "gears_window.h"

#include <GL/glx.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNUSED __attribute__((unused))

static Display *display;
static Window window;
static GLXContext context;
static Atom close_button;
static int width, height;
static window_error report;

__attribute__((noreturn))
static void fail(const char *why)
{
    report(why);
    abort();
}

static int on_error(Display *where, XErrorEvent *event)
{
    char text[100], why[200];

    XGetErrorText(where, event->error_code, text, sizeof text);
    snprintf(why, sizeof why, "X error: %s, request %d.%d", text, event->request_code, event->minor_code);
    fail(why);
}

static int on_lost_display(UNUSED Display *where)
{
    fail("the display was lost");
}

static void open_display(const char *name)
{
    char why[200] = "can't open a display: DISPLAY is not set";

    display = XOpenDisplay(name);
    if (display)
        return;
    if (*XDisplayName(name))
        snprintf(why, sizeof why, "can't open display \"%.100s\"", XDisplayName(name));
    fail(why);
}

static XVisualInfo *choose_visual(void)
{
    int wanted[] = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_DEPTH_SIZE, 1,
                    GLX_RED_SIZE, 1, GLX_GREEN_SIZE, 1, GLX_BLUE_SIZE, 1, None};
    XVisualInfo *visual;

    if (!glXQueryExtension(display, NULL, NULL))
        fail("the display has no GLX");
    visual = glXChooseVisual(display, DefaultScreen(display), wanted);
    if (!visual)
        fail("the display has no double-buffered colours with depth");
    return visual;
}

static Window make_window(const XVisualInfo *visual)
{
    Window root = RootWindow(display, visual->screen);
    XSetWindowAttributes attributes;

    memset(&attributes, 0, sizeof attributes);
    attributes.event_mask = StructureNotifyMask | KeyPressMask;
    attributes.colormap = XCreateColormap(display, root, visual->visual, AllocNone);
    return XCreateWindow(display, root, 0, 0, (unsigned)width, (unsigned)height, 0, visual->depth, InputOutput,
                         visual->visual, CWBackPixel | CWBorderPixel | CWColormap | CWEventMask, &attributes);
}

static void tell_window_manager(int is_fixed)
{
    XSizeHints hints;

    memset(&hints, 0, sizeof hints);
    hints.flags = is_fixed ? PSize | PMinSize | PMaxSize : PSize;
    hints.width = hints.min_width = hints.max_width = width;
    hints.height = hints.min_height = hints.max_height = height;
    XSetWMNormalHints(display, window, &hints);
    XStoreName(display, window, "ubgears");
    close_button = XInternAtom(display, "WM_DELETE_WINDOW", False);
    XSetWMProtocols(display, window, &close_button, 1);
}

/* The server has answered all requests before this returns, so that errors are known. */
void window_open(const char *display_name, int size, int is_fixed, window_error on_failure)
{
    XVisualInfo *visual;

    report = on_failure;
    XSetErrorHandler(on_error);
    XSetIOErrorHandler(on_lost_display);
    open_display(display_name);
    visual = choose_visual();
    width = height = size;
    window = make_window(visual);
    tell_window_manager(is_fixed);
    context = glXCreateContext(display, visual, NULL, True);
    if (!context || !glXMakeCurrent(display, window, context))
        fail("can't make an OpenGL context");
    XFree(visual);
    XMapWindow(display, window);
    XSync(display, False);
}

void window_print_display(void)
{
    int screen = DefaultScreen(display);

    printf("X_SERVER = %s, release %d\n", ServerVendor(display), VendorRelease(display));
    printf("X_SCREEN = %d x %d pixels, %d bits\n", DisplayWidth(display, screen), DisplayHeight(display, screen),
           DefaultDepth(display, screen));
}

const char *window_extensions(void)
{
    const char *extensions = glXQueryExtensionsString(display, DefaultScreen(display));

    return extensions ? extensions : "";
}

/* Returns whether the word is one of the extensions, and not only the beginning of one. */
static int has_extension(const char *word)
{
    size_t length = strlen(word);

    for (const char *at = window_extensions(); *at; at += strspn(at, " ")) {
        size_t found = strcspn(at, " ");

        if (found == length && strncmp(at, word, length) == 0)
            return 1;
        at += found;
    }
    return 0;
}

static __GLXextFuncPtr entry_point(const char *name)
{
    return glXGetProcAddressARB((const GLubyte *)name);
}

/* Asks for 0 frames of the screen between two of ours; returns the resulting interval, 1 if it is unknown. */
static unsigned swap_interval_ext(void)
{
    PFNGLXSWAPINTERVALEXTPROC set = (PFNGLXSWAPINTERVALEXTPROC)entry_point("glXSwapIntervalEXT");
    unsigned interval = 1;

    if (set) {
        set(display, window, 0);
        glXQueryDrawable(display, window, GLX_SWAP_INTERVAL_EXT, &interval);
    }
    return interval;
}

static unsigned swap_interval_mesa(void)
{
    PFNGLXSWAPINTERVALMESAPROC set = (PFNGLXSWAPINTERVALMESAPROC)entry_point("glXSwapIntervalMESA");
    PFNGLXGETSWAPINTERVALMESAPROC get = (PFNGLXGETSWAPINTERVALMESAPROC)entry_point("glXGetSwapIntervalMESA");

    return set && get && set(0) == 0 ? (unsigned)get() : 1;
}

enum window_rate window_set_free(void)
{
    if (has_extension("GLX_EXT_swap_control"))
        return swap_interval_ext() == 0 ? WINDOW_FREE : WINDOW_LIMITED;
    if (has_extension("GLX_MESA_swap_control"))
        return swap_interval_mesa() == 0 ? WINDOW_FREE : WINDOW_LIMITED;
    return WINDOW_UNKNOWN;
}

static enum window_event key_event(XKeyEvent *key)
{
    switch (XLookupKeysym(key, 0)) {
    case XK_Escape: return WINDOW_CLOSED;
    case XK_Left: return WINDOW_KEY_LEFT;
    case XK_Right: return WINDOW_KEY_RIGHT;
    case XK_Up: return WINDOW_KEY_UP;
    case XK_Down: return WINDOW_KEY_DOWN;
    default: return WINDOW_QUIET;
    }
}

static enum window_event size_event(const XConfigureEvent *now)
{
    if (now->width == width && now->height == height)
        return WINDOW_QUIET;
    width = now->width;
    height = now->height;
    return WINDOW_RESIZED;
}

static enum window_event meaning_of(XEvent *event)
{
    switch (event->type) {
    case MapNotify: return WINDOW_SHOWN;
    case UnmapNotify: return WINDOW_HIDDEN;
    case ConfigureNotify: return size_event(&event->xconfigure);
    case KeyPress: return key_event(&event->xkey);
    case ClientMessage: return (Atom)event->xclient.data.l[0] == close_button ? WINDOW_CLOSED : WINDOW_QUIET;
    default: return WINDOW_QUIET;
    }
}

enum window_event window_next_event(void)
{
    enum window_event meaning = WINDOW_QUIET;
    XEvent event;

    while (meaning == WINDOW_QUIET && XPending(display) > 0) {
        XNextEvent(display, &event);
        meaning = meaning_of(&event);
    }
    return meaning;
}

int window_width(void)
{
    return width;
}

int window_height(void)
{
    return height;
}

void window_show_frame(void)
{
    glXSwapBuffers(display, window);
}

void window_close(void)
{
    glXMakeCurrent(display, None, NULL);
    glXDestroyContext(display, context);
    XDestroyWindow(display, window);
    XCloseDisplay(display);
}
