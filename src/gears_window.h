/* The window of ubgears, through Xlib and GLX, and what happens to it. */
#ifndef GEARS_WINDOW_H
#define GEARS_WINDOW_H

/* Tells in one line why the window can't go on, and ends the program, which has to define it. */
__attribute__((noreturn))
void window_failed(const char *why);

/* What happens to a window. */
enum window_event {
    WINDOW_QUIET,
    WINDOW_SHOWN,
    WINDOW_HIDDEN,
    WINDOW_RESIZED,
    WINDOW_CLOSED, /* by the user */
    WINDOW_KEY_LEFT,
    WINDOW_KEY_RIGHT,
    WINDOW_KEY_UP,
    WINDOW_KEY_DOWN
};

/* Whether frames are shown as fast as they are drawn, or wait for the screen. */
enum window_rate { WINDOW_FREE, WINDOW_LIMITED, WINDOW_UNKNOWN };

/*
 * Opens a square window of so many pixels, which a window manager is asked to keep as it is when it is fixed, on a
 * display, NULL for that in DISPLAY.  OpenGL draws into it from then on.  What goes wrong, then or later, ends in
 * window_failed.
 */
void window_open(const char *display_name, int size, int is_fixed);

/* The extensions of GLX, separated by blanks. */
const char *window_extensions(void);

/* Asks that no frame waits for the screen; returns what became of it. */
enum window_rate window_set_free(void);

/* Returns what has happened next, or WINDOW_QUIET when there is nothing more; never waits. */
enum window_event window_next_event(void);

/* Width and height in pixels. */
int window_width(void);
int window_height(void);

/* Shows what was drawn; the next frame is drawn behind it. */
void window_show_frame(void);

void window_close(void);

#endif
