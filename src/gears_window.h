/* The window of ubgears, with Xlib and GLX, and its events. */
#ifndef GEARS_WINDOW_H
#define GEARS_WINDOW_H

/* Reports in one line why the window failed, and ends the program. */
typedef void (*window_error)(const char *why);

/* The events of a window. */
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
 * Opens a square window of that size in pixels.  The display is that in DISPLAY if display_name is NULL.  From then on,
 * OpenGL draws into the window.  With is_fixed, a window manager is asked to keep the size.  Any error, now or later,
 * ends in a call of on_failure.
 */
void window_open(const char *display_name, int size, int is_fixed, window_error on_failure);

/* Prints the server of the display, and its screen. */
void window_print_display(void);

/* Returns the extensions of GLX, separated by blanks. */
const char *window_extensions(void);

/* Asks that no frame waits for the screen; returns whether frames still do. */
enum window_rate window_set_free(void);

/* Returns the next event, or WINDOW_QUIET if there are no more; never waits. */
enum window_event window_next_event(void);

/* Return the width and the height in pixels. */
int window_width(void);
int window_height(void);

/* Shows the frame that was drawn; the next frame is drawn into the other buffer. */
void window_show_frame(void);

void window_close(void);

#endif
